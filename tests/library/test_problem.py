from __future__ import annotations

from dataclasses import replace

import pytest

from suitegen.errors import AuthorError
from suitegen.library.catalog import refuse
from suitegen.library.nearest import did_you_mean, nearest
from suitegen.library.problem import Problem

PROBLEM = Problem("M001", "unknown key 'sorce'", "facts/x.yaml", 3, 5, "  - sorce: user", "did you mean 'source'?")


def test_a_problem_shows_place_line_caret_and_fix():
    assert str(PROBLEM).split("\n") == [
        "facts/x.yaml:3:5: error[M001] unknown key 'sorce'",
        "      - sorce: user",
        "        ^",
        "    hint: did you mean 'source'?",
    ]


def test_a_problem_of_a_whole_file_has_no_line():
    problem = Problem("F001", "the file cannot be read", "x.yaml", severity="warning")
    assert str(problem) == "x.yaml: warning[F001] the file cannot be read"
    assert problem.where == "x.yaml"


@pytest.mark.parametrize(
    ("line", "col", "width"),
    [
        ("a: b", 4, 3),
        ("\t\ta: b", 6, 5),
        ("日本: x", 5, 6),
        ("e\u0301: x", 5, 3),
        ("x\u0000y: z", 6, 5),
        ("a\u202eb: z", 6, 5),
    ],
)
def test_the_caret_stands_under_the_column(line, col, width):
    shown, caret = str(replace(PROBLEM, source_line=line, col=col, hint="")).split("\n")[1:]
    assert caret == " " * (4 + width) + "^"
    assert shown.isprintable()


@pytest.mark.parametrize("col", [1, 40, 150, 299, 300])
def test_a_long_line_is_cut_around_the_column(col):
    line = "".join(chr(ord("a") + i % 26) for i in range(300))
    shown, caret = str(replace(PROBLEM, source_line=line, col=col, hint="")).split("\n")[1:]
    assert len(shown) < 120
    assert shown[caret.index("^")] == line[col - 1]


def test_only_errors_are_refused():
    refuse([replace(PROBLEM, severity="warning")])
    with pytest.raises(AuthorError, match="1 mistake in the files") as caught:
        refuse([PROBLEM, replace(PROBLEM, severity="warning")])
    assert caught.value.problems == (str(PROBLEM),)


def test_the_nearest_name_is_named_else_all_of_them():
    assert nearest("sorce", ["source", "status"]) == "source"
    assert nearest("xyz", ["source", "status"]) is None
    assert did_you_mean("sorce", ["status", "source"]) == "did you mean 'source'?"
    assert did_you_mean("xyz", ["status", "source"]) == "known are source, status"
    assert did_you_mean("xyz", ["b", "a", "c"], most=2) == "known are a, b, ..."
    assert did_you_mean("xyz", []) == ""
