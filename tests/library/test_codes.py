from __future__ import annotations

import inspect
import re

import pytest

from suitegen.library import lint as runner
from suitegen.library import mending, models, shelves, yaml
from suitegen.library.catalog import Source
from suitegen.library.codes import CODES, explain
from suitegen.library.rules import base, conditions, facts, histories, suites, wordings
from tests.library.conftest import FACT_TYPE, FILES, merged

SOURCES = (runner, mending, models, shelves, yaml, base, conditions, facts, histories, suites, wordings)


def put(project, code, text):
    match code.piece:
        case "file" if text == code.bad:
            project.write(FILES[code.kind.name][0], text)
        case "name" if code.code == "F010":
            project.write(text, FACT_TYPE)
        case "name":
            whole, saved = merged(FACT_TYPE, text.split("  #")[0]), text.rpartition(" ")[2]
            project.write(FILES[code.kind.name][0], whole.encode(saved))
        case "condition":
            project.put_condition(text)
        case "another":
            project.put(code.kind.name, text, beside=f"{code.kind.folder}/other.yaml")
        case _:
            project.put(code.kind.name, text)


def test_the_small_library_has_no_mistake(project):
    assert project.lint() == ()


@pytest.mark.parametrize("code", CODES.values(), ids=lambda code: code.code)
def test_the_wrong_example_is_found(project, code):
    put(project, code, code.bad)
    found = [problem for problem in project.lint() if problem.code == code.code]
    assert found, "\n".join(map(str, project.lint()))
    assert {problem.severity for problem in found} <= {code.severity}
    assert all(problem.line > 0 or code.piece == "name" for problem in found)


@pytest.mark.parametrize("code", CODES.values(), ids=lambda code: code.code)
def test_the_right_example_has_no_mistake(project, code):
    put(project, code, code.good)
    problems = project.lint()
    assert not [p for p in problems if p.severity == "error" or p.code == code.code], "\n".join(map(str, problems))


@pytest.mark.parametrize("code", CODES.values(), ids=lambda code: code.code)
def test_every_code_is_explained(code):
    assert re.fullmatch(r"[FML]\d{3}", code.code)
    assert code.title
    assert not code.title.endswith(".")
    assert code.why.endswith(".")
    assert code.bad != code.good
    text = explain(code.code.lower())
    assert text is not None
    for part in (code.code, code.title, code.why, *code.bad.split("\n"), *code.good.split("\n")):
        assert part in text


def test_no_code_is_explained_twice_and_unknown_ones_are_none():
    titles = [code.title for code in CODES.values()]
    assert len(set(titles)) == len(titles)
    assert explain("L999") is None


def test_every_code_that_is_used_is_explained_and_the_other_way_round():
    text = "\n".join(inspect.getsource(module) for module in (*SOURCES, inspect.getmodule(Source)))
    assert set(re.findall(r'"([FML]\d{3})"', text)) == set(CODES)


@pytest.mark.parametrize(
    "rule",
    [
        *facts.OTHERS,
        *facts.READING,
        *conditions.RULES,
        *suites.RULES,
        *wordings.SURFACE_RULES,
        *wordings.QUESTION_RULES,
        *wordings.SCRIPT_RULES,
    ],
    ids=lambda rule: rule.__name__,
)
def test_every_rule_says_its_code(rule):
    assert rule.__doc__ is not None
    assert re.match(r"(?:L\d{3}(?:, L\d{3})*|M codes): ", rule.__doc__)
