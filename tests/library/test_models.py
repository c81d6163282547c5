from __future__ import annotations

import pytest

from suitegen.library.models import build
from suitegen.library.yaml import parse
from suitegen.model.fact_type import FactType
from suitegen.model.gate import Check, GateSpec
from suitegen.model.paradigm import Condition, Paradigm
from suitegen.model.suite import SuiteSpec


def faults(model, text, base=()):
    document = parse(text, "f.yaml")
    assert document.problems == ()
    tree = document.tree
    for step in base:
        tree = tree[step]
    made, problems = build(model, document, tree, base)
    assert (made is None) == bool(problems)
    return problems


def one(model, text, code):
    found = [problem for problem in faults(model, text) if problem.code == code]
    assert len(found) == 1, "\n".join(map(str, faults(model, text)))
    return found[0]


SUITE = "id: a\ntitle: A\nfact_types: [x]\ncells:\n  - {paradigm: p, condition: c, count: 2}\n"


def test_numbers_and_truth_values_are_read_from_their_text():
    document = parse(SUITE + "seed: 7\nleaky_probes: true\ntiers: {core: {after: [2, 8]}}\n", "f.yaml")
    suite, problems = build(SuiteSpec, document, document.tree)
    assert problems == ()
    assert (suite.seed, suite.leaky_probes, suite.tiers["core"].after) == (7, True, (2, 8))
    assert suite.cells[0].condition == ("c",)


def test_an_unknown_key_is_shown_at_the_key_with_the_nearest_one():
    problem = one(SuiteSpec, SUITE + "tittle: B\n", "M001")
    assert (problem.line, problem.col) == (6, 1)
    assert problem.message == "unknown key 'tittle'"
    assert problem.hint == "did you mean 'title'?"
    problem = one(SuiteSpec, SUITE.replace("count", "cuont"), "M001")
    assert problem.source_line[problem.col - 1 :].startswith("cuont")
    assert problem.message == "unknown key 'cuont' in 'cells'"
    assert problem.hint == "did you mean 'count'?"


def test_an_unknown_key_that_is_like_none_lists_the_known_ones():
    problem = one(GateSpec, "id: a\nabout: b\nlevel: session\nchecks: [{validator: x, zzz: 1}]\n", "M001")
    assert problem.hint == f"known are {', '.join(sorted(Check.model_fields))}"


def test_a_key_of_a_closed_mapping_is_an_unknown_key():
    problem = one(SuiteSpec, SUITE + "mix: {bakground: 4}\n", "M001")
    assert problem.source_line[problem.col - 1 :].startswith("bakground")
    assert problem.hint == "did you mean 'background'?"


def test_a_missing_key_is_shown_at_what_lacks_it():
    text = "id: a\nabout: b\nlevel: session\nchecks:\n  - {severity: error}\n"
    problem = one(GateSpec, text, "M002")
    assert (problem.line, problem.col) == (5, 5)
    assert problem.message == "the key 'validator' is missing in 'checks'"
    found = faults(Condition, "c:\n  expects: update\n", ("c",))
    assert [(p.code, p.line, p.col) for p in found] == [("M002", 1, 1)] * 2
    assert "'phases' is missing" in found[0].message


def test_a_missing_key_says_what_it_is_for():
    problem = next(p for p in faults(FactType, "id: a\n") if "'attribute'" in p.message)
    assert problem.hint == FactType.model_fields["attribute"].description


@pytest.mark.parametrize(
    ("line", "code", "message", "hint"),
    [
        ("seed: x", "M003", "'seed' is 'x'; it takes a whole number", ""),
        ("seed: 1.5", "M003", "'seed' is '1.5'; it takes a whole number", ""),
        ("seed: -1", "M006", "'seed' is -1; it must be at least 0", ""),
        ("seed: [1]", "M003", "'seed' is a list; it takes a whole number", ""),
        ("seed:", "M008", "'seed' is empty", "write a value; a plain null, ~ or nothing is no text"),
        (
            "about: {a: b}",
            "M003",
            "'about' is a mapping; it takes a text",
            "': ' inside a text is read as a key; if it is meant as text, put it in quotes",
        ),
        ("version: ''", "M008", "'version' is empty", "write a text"),
        ("marks: {w1: x}", "M003", "'w1' is 'x'; it takes a whole number", ""),
        ("marks: {W1: 3}", "M005", "this key is 'W1'; it takes lower-case letters", "for instance 'w1'"),
        ("language: English", "M005", "'language' is 'English'; it takes a language tag such as en or pt-BR", ""),
        ("gates: session", "M003", "'gates' is 'session'; it takes a list", "write [session]"),
        ("gates: []", "M006", "'gates' needs at least 1 entry, and has 0", ""),
        ("gates: [~]", "M008", "an item of 'gates' is empty", "write a value; a plain null, ~ or nothing is no text"),
        ("leaky_probes: ja", "M003", "'leaky_probes' is 'ja'; it takes true or false", ""),
        (
            "fillers: [{source: file}]",
            "M004",
            "'source' is 'file'; it takes one of library, files",
            "did you mean 'files'?",
        ),
        ("fillers: [{source: files}]", "M007", "a files source needs path and license", ""),
        ("tiers: {t: {after: [1]}}", "M006", "'after' needs at least 2 entries", ""),
        ("tiers: {t: {after: [1, 2, 3]}}", "M006", "'after' needs at most 2 entries, and has 3", ""),
        ("tiers: {t: {after: [3, 2]}}", "M007", "after: 3 is more than 2", ""),
    ],
)
def test_a_fault_is_put_into_an_authors_words(line, code, message, hint):
    (problem,) = faults(SuiteSpec, SUITE + line + "\n")
    assert problem.code == code
    assert problem.message.startswith(message)
    assert problem.hint == hint
    assert problem.line == 6


@pytest.mark.parametrize(
    ("phase", "code", "at", "message"),
    [
        ("filler: befor", "M004", "befor", "'filler' is 'befor'; it takes a list or one of before, after"),
        ("filler: {a: b}", "M003", "{a", "'filler' is a mapping; it takes a list or one of before, after"),
        ("encoding: [{repeat: teir, events: [{op: clue}]}]", "M004", "teir",
         "'repeat' is 'teir'; it takes a whole number or 'tier'"),
        ("encoding: [{repeat: 0, events: [{op: clue}]}]", "M006", "0", "'repeat' is 0; it must be at least 1"),
        ("encoding: [{events: [{op: remembr}]}]", "M004", "remembr", "'op' is 'remembr'; it takes one of remember, "),
        ("encoding: [{events: [{op: clue, says: value}]}]", "M003", "value", "'says' is 'value'; it takes a list"),
        ("encoding: [{events: []}]", "M006", "[]}", "'events' needs at least 1 entry, and has 0"),
        ("encoding: [{evnts: []}]", "M001", "evnts", "unknown key 'evnts' in 'encoding'"),
        ("encoding: before, filler: after", "M007", "{encoding", "a phase has exactly one key"),
        ("filler: ", "M007", "{filler", "a phase has exactly one key"),
    ],
)  # fmt: skip
def test_a_union_is_judged_by_the_member_that_was_meant(phase, code, at, message):
    text = f"c:\n  expects: update\n  probes: [{{type: current}}]\n  phases:\n    - {{{phase}}}\n"
    found = [p for p in faults(Condition, text, ("c",)) if p.code != "M002"]
    assert len(found) == 1, "\n".join(map(str, found))
    assert found[0].code == code
    assert found[0].message.startswith(message)
    assert found[0].source_line[found[0].col - 1 :].startswith(at)


def test_a_bare_value_is_shown_how_to_be_written():
    problem = next(p for p in faults(FactType, "values:\n  - 9:30\n") if p.code == "M003")
    assert problem.hint == "write {value: 9:30}"


def test_all_faults_of_a_file_are_found_at_once():
    text = "id: A b\nabuot: x\nconditions:\n  C: {expects: updat, phases: [], probes: [{type: curent, when: spilt}]}\n"
    found = faults(Paradigm, text)
    assert sorted(problem.code for problem in found) == ["M001", "M002", "M004", "M004", "M004", "M005", "M005", "M006"]


@pytest.mark.parametrize("text", ["just text", "- a", "[]"])
def test_a_file_that_is_no_mapping_says_so(text):
    (problem,) = faults(GateSpec, text)
    assert problem.code == "M003"
    assert "it takes a mapping (key: value)" in problem.message


def test_pydantic_is_never_quoted():
    for text in (
        "id: {a: b}\n",
        "kind: [x]\n",
        "subject: []\n",
        "values: {a: b}\n",
        "phrasings: [1]\n",
        "cues: [[a]]\n",
    ):
        for problem in faults(FactType, text):
            assert not any(word in problem.message for word in ("Input should", "valid", "pydantic", "Value error"))
