from __future__ import annotations

import gzip
import json
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from suitegen.errors import AuthorError
from suitegen.filler.files import Files, read_files
from suitegen.filler.formats import FORMATS
from suitegen.filler.records import Skipped, told
from suitegen.filler.talk import LONGEST_DIALOGUE, LONGEST_TURN

HELLO = [{"role": "user", "content": "hello"}, {"role": "assistant", "content": "good day"}]


def dialogue(*said: str, **more: object) -> dict[str, object]:
    roles = ("user", "assistant")
    turns = [{"role": roles[index % 2], "content": text} for index, text in enumerate(said)]
    return {"messages": turns, **more}


def line(record: object) -> bytes:
    return json.dumps(record, ensure_ascii=False).encode() + b"\n"


def read(folder: Path, data: bytes, name: str = "f.jsonl") -> Files:
    path = folder / name
    path.write_bytes(data)
    return read_files(path, "CC0-1.0")


def said(files: Files) -> list[list[str]]:
    return [[turn.content for turn in written.turns] for written in files.dialogues]


def reports(files: Files) -> list[tuple[str, str]]:
    return [(skip.where, skip.reason) for skip in files.skipped]


def test_both_forms_are_read_with_their_licence_and_origin(tmp_path: Path) -> None:
    own = {"id": "a-1", "source": "diary", "license": "MIT", "turns": HELLO}
    files = read(tmp_path, line(dialogue("hi", "yes")) + line(own))
    assert said(files) == [["hi", "yes"], ["hello", "good day"]]
    assert [(w.origin, w.license) for w in files.dialogues] == [
        ("files:f.jsonl:1", "CC0-1.0"),
        ("files:f.jsonl:a-1 from diary", "MIT"),
    ]
    assert files.counts == (1, 1)
    assert files.dialogue(1, 0) is files.dialogues[1]


def test_a_json_list_gives_the_line_of_each_record(tmp_path: Path) -> None:
    text = json.dumps([dialogue("a", "b"), {"title": "x"}, dialogue("c", "d")], indent=1)
    files = read(tmp_path, text.encode(), "f.json")
    assert said(files) == [["a", "b"], ["c", "d"]]
    start = text[: text.index('"title"')].rindex("{")
    ((where, why),) = reports(files)
    assert where == f"f.json:{text.count(chr(10), 0, start) + 1}"
    assert why.startswith("of none of the formats messages, turns, ShareGPT, ")
    assert why.endswith(": it has 'title'")


def test_a_single_object_over_many_lines_is_one_record(tmp_path: Path) -> None:
    files = read(tmp_path, json.dumps(dialogue("a", "b"), indent=2).encode(), "f.json")
    assert said(files) == [["a", "b"]]
    assert files.skipped == ()


@pytest.mark.parametrize(
    ("encoding", "mark"), [("utf-8-sig", b""), ("utf-16", b""), ("utf-16-be", b"\xfe\xff"), ("utf-32", b"")]
)
def test_byte_order_marks_are_understood(tmp_path: Path, encoding: str, mark: bytes) -> None:
    text = "".join(line(dialogue(a, "ja")).decode() for a in ("grün", "日本"))
    files = read(tmp_path, mark + text.encode(encoding))
    assert said(files) == [["grün", "ja"], ["日本", "ja"]]
    assert files.skipped == ()


def test_records_end_at_line_feeds_alone(tmp_path: Path) -> None:
    odd = "one\u2028two\u2029three\x85four\x0bfive"
    files = read(tmp_path, line(dialogue(odd, "ok")) + b"oops\n")
    assert said(files) == [[odd, "ok"]]
    assert [where for where, _ in reports(files)] == ["f.jsonl:2"]


def test_carriage_returns_blank_lines_and_a_missing_last_line_end_do_no_harm(tmp_path: Path) -> None:
    data = b"\r\n" + line(dialogue("a", "b")).replace(b"\n", b"\r\n") + b"  \n" + line(dialogue("c", "d")).strip()
    files = read(tmp_path, data)
    assert said(files) == [["a", "b"], ["c", "d"]]
    assert files.skipped == ()


def test_a_broken_line_is_reported_and_the_others_are_read(tmp_path: Path) -> None:
    latin = '{"messages": "café"}\n'.encode("latin-1")
    cut = line(dialogue("x", "y"))[:20]
    files = read(tmp_path, line(dialogue("a", "b")) + latin + line(dialogue("c", "d")) + cut)
    assert said(files) == [["a", "b"], ["c", "d"]]
    (second, why), (fourth, cut_off) = reports(files)
    assert (second, fourth) == ("f.jsonl:2", "f.jsonl:4")
    assert "not UTF-8: byte 0xe9" in why
    assert cut_off.startswith("not JSON")


GREETING = line({"messages": HELLO})


@pytest.mark.parametrize(
    ("data", "kept", "report"),
    [
        (b"", 0, ("f.json:1", "the file is empty")),
        (b"\xef\xbb\xbf \n\n", 0, ("f.json:1", "the file is empty")),
        (b"[]", 0, ("f.json:1", "the list is empty")),
        (b"[\n" + GREETING, 1, ("f.json:3", "the list has no end")),
        (b"[\n" + GREETING + b', {"mess', 1, ("f.json:3", "the list breaks off here; not JSON")),
        (b"[\n" + GREETING + b"]\n[]", 1, ("f.json:4", "there is more after the end of the list")),
        (b"[\n\xff]", 0, ("f.json:2", "not UTF-8: byte 0xff")),
        (b"\xff\xfe\x00", 0, ("f.json:1", "not UTF-16")),
        (b"[" * 100_000, 0, ("f.json:1", "the list breaks off here; not JSON that can be read: nested too deeply")),
        (b'{"a":' * 100_000, 0, ("f.json:1", "not JSON that can be read: nested too deeply")),
        (b'{"messages": ' + b"9" * 5000 + b"}", 0, ("f.json:1", "not JSON that can be read")),
        (b"\x1f\x8bnonsense", 0, ("f.json:1", "the compressed data breaks off")),
    ],
)
def test_broken_files_are_reports(tmp_path: Path, data: bytes, kept: int, report: tuple[str, str]) -> None:
    files = read(tmp_path, data, "f.json")
    assert len(files.dialogues) == kept
    where, reason = reports(files)[0]
    assert where == report[0]
    assert reason.startswith(report[1])


def test_a_comma_after_the_last_item_is_forgiven(tmp_path: Path) -> None:
    files = read(tmp_path, b"[\n" + line(dialogue("a", "b")) + b",\n]", "f.json")
    assert (said(files), files.skipped) == ([["a", "b"]], ())


def test_gzipped_files_are_read_even_when_cut(tmp_path: Path) -> None:
    lines = b"".join(line(dialogue(f"question {n * n}", f"answer {n}")) for n in range(500))
    packed = gzip.compress(lines)
    assert len(read(tmp_path, packed, "f.jsonl.gz").dialogues) == 500
    files = read(tmp_path, packed[: len(packed) // 2], "f.jsonl.gz")
    assert 0 < len(files.dialogues) < 500
    assert "the compressed data breaks off" in reports(files)[0][1]


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ("just text", "a record is not an object"),
        ({}, "of none of the formats"),
        ({"messages": {}}, "the messages are not a list"),
        ({"messages": ["a"]}, "message 0 is not an object"),
        ({"messages": []}, "no user turn is answered by an assistant turn"),
        ({"messages": [{"role": "user", "content": "a"}]}, "no user turn is answered by an assistant turn"),
        ({"messages": [{"role": "narrator", "content": "a"}]}, "message 0: the role 'narrator' is none of"),
        ({"messages": [{"role": ["user"], "content": "a"}]}, "message 0: the role of type list is none of"),
        ({"messages": [{"role": "user", "content": None}]}, "message 0 has no text"),
        ({"messages": [{"role": "user", "content": [{"type": "image"}]}]}, "message 0 has parts that are not text"),
        ({"messages": [{"role": "user", "content": []}]}, "message 0 has parts that are not text"),
        (dialogue("", "b"), "turn 0 is empty"),
        (dialogue("a", " \u200b\n"), "turn 1 is empty"),
        (dialogue("a\x00", "b"), "turn 0 holds the character U+0000"),
        (dialogue("a", "b\ud83d"), "turn 1 holds the character U+D83D"),
        (dialogue("a", "caf\ufffd"), "turn 1 holds the character U+FFFD"),
        (dialogue("a", "b" * 200_000), f"turn 1 has 200000 characters, more than {LONGEST_TURN}"),
        (dialogue(*["a" * LONGEST_TURN] * 6), f"the dialogue has 120000 characters, more than {LONGEST_DIALOGUE}"),
    ],
)
def test_records_that_are_no_dialogue_say_why(tmp_path: Path, record: object, reason: str) -> None:
    files = read(tmp_path, json.dumps(record).encode())
    assert files.dialogues == ()
    ((where, why),) = reports(files)
    assert where == "f.jsonl:1"
    assert why.startswith(reason)


def test_bursts_are_joined_ends_cut_and_instructions_left_out(tmp_path: Path) -> None:
    roles = ["system", "assistant", "User", "user", "assistant", "assistant", "user"]
    messages = [{"role": role, "content": f"{index}"} for index, role in enumerate(roles)]
    files = read(tmp_path, line({"messages": messages}))
    assert said(files) == [["2\n\n3", "4\n\n5"]]


def test_text_parts_and_tool_calls_are_understood(tmp_path: Path) -> None:
    messages = [
        {"role": "user", "content": [{"type": "text", "text": "warm"}, {"type": "text", "text": "today?"}]},
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c"}]},
        {"role": "tool", "name": "weather", "content": "19"},
        {"role": "assistant", "content": "It is."},
    ]
    (written,) = read(tmp_path, line({"messages": messages})).dialogues
    assert [(t.role, t.name, t.content) for t in written.turns] == [
        ("user", None, "warm\ntoday?"),
        ("tool", "weather", "19"),
        ("assistant", None, "It is."),
    ]


def test_copies_are_reported_once_and_equal_ids_told_apart(tmp_path: Path) -> None:
    records = [
        dialogue("a", "b", id=7),
        dialogue("c", "d", id="7"),
        dialogue("a", "b", id="other"),
        dialogue("a", "b"),
    ]
    files = read(tmp_path, b"".join(map(line, records)))
    assert [w.origin for w in files.dialogues] == ["files:f.jsonl:7", "files:f.jsonl:7 at f.jsonl:2"]
    assert reports(files) == [("f.jsonl:3", "the same turns as f.jsonl:1; copies left out: 2")]


def test_what_is_only_the_beginning_of_a_longer_dialogue_is_left_out(tmp_path: Path) -> None:
    records = [
        dialogue("a", "b"),
        dialogue("a", "b", "c", "d", "e", "f"),
        dialogue("a", "b", "c", "d"),
        dialogue("a", "c"),
    ]
    files = read(tmp_path, b"".join(map(line, records)))
    assert said(files) == [["a", "b", "c", "d", "e", "f"], ["a", "c"]]
    assert reports(files) == [
        ("f.jsonl:1", "only the beginning of what stands at f.jsonl:2"),
        ("f.jsonl:3", "only the beginning of what stands at f.jsonl:2"),
    ]


def test_a_report_is_text_that_can_be_printed(tmp_path: Path) -> None:
    files = read(tmp_path, json.dumps({"\ud800\x1b[31m": 1}).encode())
    assert all(why.isprintable() for _, why in reports(files))


def test_a_folder_is_read_in_order_of_names(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "z.json").write_bytes(b"[" + line(dialogue("z", "z")) + b"]")
    (tmp_path / "b.jsonl").write_bytes(line(dialogue("b", "b")))
    (tmp_path / "a.JSONL").write_bytes(line(dialogue("a", "a")))
    (tmp_path / "notes.txt").write_text("no dialogue")
    files = read_files(tmp_path, "CC0-1.0")
    assert [w.origin for w in files.dialogues] == ["files:a.JSONL:1", "files:b.jsonl:1", "files:sub/z.json:1"]
    assert files.skipped == ()


def test_a_path_without_dialogue_files_is_the_authors_mistake(tmp_path: Path) -> None:
    with pytest.raises(AuthorError, match="1 mistake"):
        read_files(tmp_path / "nowhere", "CC0-1.0")
    with pytest.raises(AuthorError) as caught:
        read_files(tmp_path, "CC0-1.0")
    assert ".jsonl.gz" in caught.value.problems[0]


KEYS = sorted({
    *(key for each in FORMATS for key in each.keys),
    *("role", "from", "speaker", "content", "value", "text", "parts", "replies", "parent_id", "message_id", "rank"),
    *("id", "tool_calls", "function", "speaker_a", "session_1", "haystack_session_ids", "answer_session_ids"),
})  # fmt: skip
WORDS = st.text(max_size=5) | st.sampled_from(["user", "assistant", "human", "tool", "system", "[INST]", "[]", "{}"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=12,
)


@given(
    st.binary(max_size=80) | st.lists(JSON).map(lambda rows: b"".join(json.dumps(row).encode() + b"\n" for row in rows))
)
@settings(max_examples=150, deadline=None)
def test_whatever_is_in_a_file_reading_it_does_not_fail(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        files = read(Path(folder), data)
    assert all(skip.where.startswith("f.jsonl:") and skip.reason.isprintable() for skip in files.skipped)
    assert files.dialogues or files.skipped


def test_a_report_counts_what_is_alike_and_names_the_first_place() -> None:
    skipped = [Skipped(f"f:{n}", "no text") for n in range(5)] + [Skipped(f"g:{n}", f"odd {n}") for n in range(4)]
    assert told(skipped, 3) == (
        "9 filler records could not be used", "f:0 and 4 more: no text", "g:0: odd 0", "g:1: odd 1", "and 2 other reasons",
    )  # fmt: skip
    assert told([]) == ()


def test_messages_that_are_kept_by_columns_are_read_as_rows(tmp_path: Path) -> None:
    """As tables hold a sequence of records."""
    record = {"messages": {"role": ["user", "assistant"], "content": ["hello", "good day"]}}
    files = read(tmp_path, line(record))
    assert said(files) == [["hello", "good day"]]
