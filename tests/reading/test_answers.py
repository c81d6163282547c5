"""Answers files: what is read, and every mistake with its line."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from suitegen.errors import AuthorError
from suitegen.reading.answers import parse_answers

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def parsed(*lines: str) -> dict[str, object]:
    return dict(parse_answers("\n".join(lines).encode(), "a.jsonl"))


def test_lines_are_read_whatever_stands_around_them() -> None:
    data = '\ufeff{"answer": "x", "probe_id": "p1", "note": 1}\r\n\r\n  \n{"probe_id": "p2", "answer": {"value": null}}'
    assert parse_answers(data.encode(), "a") == {"p1": "x", "p2": {"value": None}}
    assert parse_answers(b"", "a") == {}


def test_only_a_line_feed_ends_a_line() -> None:
    text = json.dumps({"probe_id": "p", "answer": "a\u2028b\u0085c\x0bd"}, ensure_ascii=False)
    assert parsed(text) == {"p": "a\u2028b\u0085c\x0bd"}


@given(st.dictionaries(st.text(), JSON))
def test_what_is_written_is_read(answers: dict[str, object]) -> None:
    lines = [json.dumps({"probe_id": probe, "answer": answer}) for probe, answer in answers.items()]
    assert parsed(*lines) == answers


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"probe_id": "p", "answer": ', "this is no JSON, column"),
        ("[1]", "this is no JSON object"),
        ('{"answer": 1}', "there is no 'probe_id' with a text"),
        ('{"probe_id": 7, "answer": 1}', "'probe_id' is no text"),
        ('{"probe_id": "p"}', "there is no 'answer'"),
        ("[" * 100_000, "nested too deeply"),
        ('{"probe_id": "p", "answer": ' + "9" * 5000 + "}", "too many digits"),
    ],
)
def test_a_line_that_is_no_answer_is_named(line: str, message: str) -> None:
    with pytest.raises(AuthorError) as caught:
        parsed('{"probe_id": "q", "answer": 1}', "", line)
    (problem,) = caught.value.problems
    assert problem.startswith("a.jsonl:3: ")
    assert message in problem


def test_all_mistakes_are_told_at_once() -> None:
    lines = ['{"probe_id": "p", "answer": 1}', "no", '{"probe_id": "p", "answer": 2}', '{"answer": 3}']
    with pytest.raises(AuthorError) as caught:
        parsed(*lines)
    assert [problem.split(": ")[0] for problem in caught.value.problems] == ["a.jsonl:2", "a.jsonl:3", "a.jsonl:4"]
    assert "was answered in line 1" in caught.value.problems[1]


def test_bytes_that_are_no_text_are_named() -> None:
    with pytest.raises(AuthorError) as caught:
        parse_answers(b'{"probe_id": "p", "answer": "\xff"}', "a.jsonl")
    assert "UTF-8" in caught.value.problems[0]
