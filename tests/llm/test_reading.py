from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from suitegen.llm.reading import Unreadable, read

DIALOGUE = json.dumps(
    {
        "type": "object",
        "required": ["turns"],
        "properties": {"turns": {"type": "array", "items": {"type": "object", "required": ["content"]}}},
    }
)
LOOSE = '{"type": "object"}'
VERDICT = json.dumps(
    {
        "type": "object",
        "required": ["pass", "score"],
        "properties": {"pass": {"type": "boolean"}, "score": {"$ref": "#/$defs/share"}},
        "$defs": {"share": {"type": "number", "minimum": 0, "maximum": 1}},
    }
)

TEXT = '{"turns":[{"role":"user","content":"My kiln slot is 14."}]}'
VALUE = {"turns": [{"role": "user", "content": "My kiln slot is 14."}]}


@pytest.mark.parametrize(
    ("text", "repairs"),
    [
        (TEXT, ()),
        (f"  {TEXT}\n\n", ()),
        (f"```json\n{TEXT}\n```", ("fence removed",)),
        (f"```\n{TEXT}\n```\n\n\n", ("fence removed",)),
        (f"```JSON\n{TEXT}\n```", ("fence removed",)),
        (f"~~~\n{TEXT}\n~~~", ("fence removed",)),
        (f"```json\n{TEXT}", ("fence removed",)),
        (f"Here you are.\n```json\n{TEXT}\n```\nI hope it's fine.", ("text around it removed",)),
        (f"I use {{this}} and [that]: {TEXT}", ("text around it removed",)),
        (f"Here's the JSON: {TEXT} that's it", ("text around it removed",)),
        (f'<think>A trap: {{"turns":[]}}</think>{TEXT}', ("thinking removed",)),
        (f'A trap: {{"turns":[]}}</think>\n{TEXT}', ("thinking removed",)),
        (f"[THINK]bay 3[/THINK]\n```json\n{TEXT}\n```", ("thinking removed", "fence removed")),
        (TEXT.replace("}]}", "},],}"), ("syntax mended",)),
        (TEXT.replace("}]}", "}] // ok\n}"), ("syntax mended",)),
        (TEXT.replace('"', "'"), ("syntax mended",)),
    ],
)  # fmt: skip
def test_what_stands_around_an_answer_is_taken_off_and_told(text: str, repairs: tuple[str, ...]) -> None:
    found = read(text, DIALOGUE)
    assert found.value == VALUE
    assert found.repairs == repairs


@pytest.mark.parametrize(
    "content",
    [
        "```python\nprint(1)\n```",
        "```\n```",
        "what does <think> do? And </think>?",
        "see http://a.b // not a comment",
        "a, ]",
    ],
)
@pytest.mark.parametrize("around", ["{}", "```json\n{}\n```", "Sure!\n{}", "```json\n{}\n```\nDone.", "Sure: {}, fine"])
def test_what_an_answer_says_survives_to_the_byte(content: str, around: str) -> None:
    text = json.dumps({"turns": [{"content": content}]})
    assert read(around.replace("{}", text), DIALOGUE).value == {"turns": [{"content": content}]}


def test_a_raw_line_break_inside_of_text_is_a_repair() -> None:
    found = read('{"turns":[{"content":"a\nb"}]}', DIALOGUE)
    assert found.value == {"turns": [{"content": "a\nb"}]}
    assert found.repairs == ("line breaks inside of text",)


@pytest.mark.parametrize("schema", [DIALOGUE, LOOSE])
@pytest.mark.parametrize(
    "text",
    [
        "", "I'm sorry, I can't help with that.", "<think>maybe {\"turns\":[]}", "<think>maybe {\"turns\":[]}</think>", "null", "[1, 2]",
        '{"turns":[{"content":"a"},{"content":"I park in b', '```json\n{"turns":[{"content":"a"},', "{'turns': [{'content': 'a'}, {'con",
        'Sure: {"turns":[{"content":"a"},\n{"content":"b"}', '{"turns":[NaN]}', '{"turns":[],"turns":[]}', "[" * 100_000,
        '{"turns":[{"content":"nice \\ud83d"}]}', '{"turns":[{"content":"nul \\u0000"}]}',
    ],
)  # fmt: skip
def test_what_is_no_whole_answer_is_never_completed(text: str, schema: str) -> None:
    with pytest.raises(Unreadable):
        read(text, schema)


def test_text_that_spells_a_null_is_text() -> None:
    assert read('{"turns":[{"content":"\\\\u0000"}]}', DIALOGUE).value == {"turns": [{"content": "\\u0000"}]}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"pass":"false","score":"0.5"}', {"pass": False, "score": 0.5}),
        ('{"pass":true,"score": 1.0 // ok\n}', {"pass": True, "score": 1.0}),
        ("{'pass': True, 'score': 1}", {"pass": True, "score": 1}),
    ],
)
def test_verdicts_are_read_as_their_types(text: str, value: object) -> None:
    found = read(text, VERDICT)
    assert found.value == value
    assert found.repairs


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ('{"reason":"fine"}', "required"), ('{"pass":1,"score":1}', "pass"), ('{"pass":true,"score":9}', "score"),
        ('{"pass":"no","score":1}', "pass"), ('{"pass":true,"score":"1e9"}', "score"), ('{"pass":true}', "score"),
    ],
)  # fmt: skip
def test_a_verdict_that_lacks_or_oversteps_is_an_error_that_says_where(text: str, where: str) -> None:
    with pytest.raises(Unreadable, match=where):
        read(text, VERDICT)


@settings(deadline=None)
@given(st.recursive(st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8))  # fmt: skip
def test_every_answer_that_is_written_as_json_is_read_as_it_is(value: object) -> None:
    clean = "\\u0000" not in json.dumps(value)
    text = json.dumps({"it": value})
    if clean:
        assert read(text, LOOSE).value == {"it": value}
        assert read(f"```json\n{text}\n```", LOOSE).value == {"it": value}


@settings(deadline=None)
@given(st.text(), st.integers(1, 200))
def test_no_cut_of_an_answer_is_an_answer(content: str, at: int) -> None:
    text = json.dumps({"turns": [{"content": content}, {"content": content}]})
    with pytest.raises(Unreadable):
        read(text[: min(at, len(text) - 1)], LOOSE)
