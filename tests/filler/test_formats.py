"""Every format by a small sample of its own, and by the files of the reference folder where there is one."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from itertools import cycle
from pathlib import Path

import pytest

from suitegen.filler.files import Files, read_files
from suitegen.filler.formats import FORMATS
from suitegen.filler.talk import turns_of
from suitegen.filler.threads import threads

REFERENCE = Path(__file__).parents[3] / "shared" / "fillers"

SAID = [
    "The hinge of the cupboard door squeaks. What helps?",
    "A drop of oil on the pin, then open and close it a few times.",
    "Candle wax is all I have.",
    "Wax works as well, rub it on the pin and wipe off the rest.",
]


def messages(
    speaker: str = "role", text: str = "content", sides: tuple[str, str] = ("user", "assistant")
) -> list[object]:
    return [{speaker: side, text: one} for side, one in zip(cycle(sides), SAID, strict=False)]


def post(number: int, role: str, text: str, *replies: object, **more: object) -> dict[str, object]:
    return {"message_id": f"m{number}", "text": text, "role": role, "replies": list(replies), **more}


def tree() -> dict[str, object]:
    last = post(3, "assistant", SAID[3], rank=1)
    worse = post(4, "assistant", "Let it squeak.", rank=2)
    deleted = post(
        5, "assistant", "Buy oil.", post(6, "prompter", "Where?", post(7, "assistant", "Anywhere.")), deleted=True
    )
    onward = post(2, "prompter", SAID[2], worse, last)
    ranked = post(8, "assistant", "Replace the door.", rank=0)
    return post(0, "prompter", SAID[0], ranked, deleted, post(1, "assistant", SAID[1], onward, rank=1))


def flat() -> list[object]:
    rows: list[object] = []
    for number, (text, role) in enumerate(zip(SAID, cycle(("prompter", "assistant")), strict=False)):
        parent = f"p{number - 1}" if number else None
        rows.append({"message_id": f"p{number}", "parent_id": parent, "text": text, "role": role})
    return rows[::-1]


PARTS = [{"role": side, "parts": [{"text": one}]} for side, one in zip(cycle(("user", "model")), SAID, strict=False)]
BLOCKS = [
    {"role": side, "content": [{"type": "text", "text": one}]}
    for side, one in zip(cycle(("user", "assistant")), SAID, strict=False)
]
TEXT = "".join(f"\n\n{side}: {one}" for side, one in zip(cycle(("Human", "Assistant")), SAID, strict=False))
INST = "<s>[INST] <<SYS>>\nBe brief.\n<</SYS>>\n\n{} [/INST] {} </s><s>[INST] {} [/INST] {} </s>".format(*SAID)
SESSION = [{"speaker": side, "text": one} for side, one in zip(cycle(("Rosa", "Emil")), SAID, strict=False)]

WHOLE: dict[str, list[object]] = {
    "plain turns": [{"turns": messages()}],
    "OpenAI messages": [{"messages": messages()}],
    "OpenAI messages in content parts": [{"messages": BLOCKS}],
    "messages with an instruction before": [{"messages": [{"role": "system", "content": "Be brief."}, *messages()]}],
    "UltraChat-200k": [{"prompt": SAID[0], "prompt_id": "p", "messages": messages()}],
    "UltraChat": [{"id": "0", "data": SAID}],
    "ShareGPT": [{"id": "s", "conversations": messages("from", "value", ("human", "gpt"))}],
    "ShareGPT as JSON text": [{"conversations": json.dumps(messages("from", "value", ("human", "gpt")))}],
    "WildChat": [{"conversation_hash": "h", "conversation": messages(), "turn": 2, "toxic": False}],
    "LMSYS": [{"conversation_id": "c", "model": "m", "conversation": messages(), "openai_moderation": []}],
    "Gemini": [{"contents": PARTS}],
    "OASST tree": [{"message_tree_id": "t", "prompt": tree()}],
    "OASST messages that hold their answers": [tree()],
    "OASST messages by their parents": flat(),
    "Anthropic HH": [{"chosen": TEXT, "rejected": "\n\nHuman: Hello\n\nAssistant: Go away."}],
    "Llama-2": [{"text": INST}],
    "Taskmaster-1": [{"conversationId": "d", "utterances": messages("speaker", "text", ("USER", "ASSISTANT"))}],
    "Taskmaster-3 and 4": [{"conversation_id": "d", "utterances": messages("speaker", "text")}],
    "Taskmaster-3 next turn": [
        {
            "context": json.dumps(messages("role", "text", ("user", "agent"))[:3]),
            "generation": json.dumps({"role": "agent", "text": SAID[3]}),
        }
    ],
    "SGD": [{"dialogue_id": "1", "turns": messages("speaker", "utterance", ("USER", "SYSTEM"))}],
    "CrossWOZ": [{"77": {"messages": messages(sides=("usr", "sys"))}}],
    "LoCoMo": [{"sample_id": "c", "conversation": {"speaker_a": "Rosa", "speaker_b": "Emil", "session_1": SESSION}}],
    "LongMemEval": [{"question_id": "q", "haystack_session_ids": ["x"], "haystack_sessions": [messages()]}],
    "LongMemEval session": [{"session_id": "x", "session": messages()}],
    "records under data": [{"data": [{"messages": messages()}]}],
}


def read(folder: Path, records: list[object], name: str = "f.json") -> Files:
    (folder / name).write_text(json.dumps(records, indent=1, ensure_ascii=False), encoding="utf-8")
    return read_files(folder / name, "CC0-1.0")


def said(files: Files) -> list[list[str]]:
    return [[turn.content for turn in written.turns] for written in files.dialogues]


@pytest.mark.parametrize("sample", WHOLE.values(), ids=WHOLE.keys())
def test_every_format_gives_the_same_dialogue(tmp_path: Path, sample: list[object]) -> None:
    files = read(tmp_path, sample)
    assert files.skipped == ()
    assert said(files) == [SAID]
    assert [turn.role for turn in files.dialogues[0].turns] == ["user", "assistant"] * 2


def test_every_format_is_tried_by_some_sample() -> None:
    rows = [row for sample in WHOLE.values() for row in sample] + [ALPACA, DOLLY]
    fitting = {one.name for one in FORMATS for row in rows if isinstance(row, dict) and one.fits(row)}
    assert {one.name for one in FORMATS} == fitting


@pytest.mark.parametrize("pack", [lambda data: data, gzip.compress], ids=["plain", "gzipped"])
def test_formats_may_be_mixed_line_by_line(tmp_path: Path, pack: Callable[[bytes], bytes]) -> None:
    rows = [{"data": [f"{one} {number}" for one in SAID]} for number in range(2)] + [{"session": messages()}, {"x": 1}]
    path = tmp_path / "f.jsonl.gz"
    path.write_bytes(pack("\n".join(map(json.dumps, rows)).encode()))
    files = read_files(path, "CC0-1.0")
    assert len(files.dialogues) == 3
    assert [skip.where for skip in files.skipped] == ["f.jsonl.gz:4"]


ALPACA: dict[str, object] = {"instruction": "Name a calm colour.", "input": "", "output": "A pale blue-green."}
DOLLY: dict[str, object] = {
    "instruction": "Shorten this.",
    "context": "It is very, very cold.",
    "response": "It's icy.",
}


@pytest.mark.parametrize(
    ("record", "turns"),
    [
        (ALPACA, ["Name a calm colour.", "A pale blue-green."]),
        ({**ALPACA, "input": "For a hallway."}, ["Name a calm colour.\n\nFor a hallway.", "A pale blue-green."]),
        (DOLLY, ["Shorten this.\n\nIt is very, very cold.", "It's icy."]),
    ],
)
def test_one_instruction_and_its_answer_are_two_turns(tmp_path: Path, record: object, turns: list[str]) -> None:
    assert said(read(tmp_path, [record])) == [turns]


CALL = {"id": "c1", "type": "function", "function": {"name": "shop_search", "arguments": "{}"}}
TOOLS: dict[str, object] = {
    "OpenAI": {
        "messages": [
            {"role": "user", "content": "Is there oil?"},
            {"role": "assistant", "content": None, "tool_calls": [CALL]},
            {"role": "tool", "tool_call_id": "c1", "content": '{"found": true}'},
            {"role": "assistant", "content": "There is."},
        ]
    },
    "ShareGPT": {
        "conversations": [
            {"from": "human", "value": "Is there oil?"},
            {"from": "function_call", "value": '{"name": "shop_search", "arguments": {}}'},
            {"from": "observation", "value": '{"found": true}'},
            {"from": "gpt", "value": "There is."},
        ]
    },
    "Taskmaster": {
        "context": json.dumps(
            [
                {"role": "user", "text": "Is there oil?"},
                {"role": "agent", "api": {"shop_search": {}}},
                {"role": "api", "response": {"found": True}},
            ]
        ),
        "generation": '{"role": "agent", "text": "There is."}',
    },
}


@pytest.mark.parametrize(("sample", "name"), [("OpenAI", "shop_search"), ("ShareGPT", None), ("Taskmaster", None)])
def test_calls_are_left_out_and_what_they_brought_is_kept(tmp_path: Path, sample: str, name: str | None) -> None:
    (written,) = read(tmp_path, [TOOLS[sample]]).dialogues
    assert [(turn.role, turn.name, turn.content) for turn in written.turns] == [
        ("user", None, "Is there oil?"),
        ("tool", name, '{"found": true}'),
        ("assistant", None, "There is."),
    ]


def test_sessions_with_the_answer_to_the_question_are_left_out(tmp_path: Path) -> None:
    record = {
        "question_id": "q1",
        "haystack_session_ids": ["chat", "answer_1"],
        "haystack_sessions": [messages(), messages()],
        "answer_session_ids": ["answer_1"],
    }
    files = read(tmp_path, [record, {**record, "haystack_session_ids": ["chat"]}])
    assert [written.origin for written in files.dialogues] == ["files:f.json:q1/chat"]
    assert [skip.reason for skip in files.skipped] == [
        "'answer_1': it holds the answer to the question",
        "1 session ids for 2 sessions",
    ]


def test_sessions_of_two_people_are_dialogues_of_their_own_in_order(tmp_path: Path) -> None:
    talk = {"speaker_a": "Emil", "speaker_b": "Rosa", "session_10": SESSION, "session_2": SESSION[:2]}
    files = read(tmp_path, [{"sample_id": "c", "conversation": {**talk, "session_3_date_time": "unknown"}}])
    assert said(files) == [SAID[1:3]]
    assert [(written.origin) for written in files.dialogues] == ["files:f.json:c/session_10"]
    assert [skip.reason for skip in files.skipped] == ["'session_2': no user turn is answered by an assistant turn"]


def test_a_record_within_a_record_that_is_wrong_leaves_the_others_alone(tmp_path: Path) -> None:
    wrong = {"haystack_sessions": [messages()], "haystack_session_ids": []}
    files = read(tmp_path, [{"data": [wrong, {"session": messages()}, {"x": 1}]}])
    assert [written.origin for written in files.dialogues] == ["files:f.json:2/1"]
    assert [skip.reason[:34] for skip in files.skipped] == [
        "'0': 0 session ids for 1 sessions",
        "'2': of none of the formats messag",
    ]


def test_of_a_tree_the_way_with_most_answers_is_taken_and_then_the_best_ranked() -> None:
    ((line, talk),), lost = threads([(4, tree())])
    assert (line, lost) == (4, ())
    assert [turn.content for turn in turns_of(talk.said)] == SAID


def test_messages_to_which_nothing_leads_are_reported(tmp_path: Path) -> None:
    circle = [
        {"message_id": "a", "parent_id": "b", "text": "one", "role": "prompter"},
        {"message_id": "b", "parent_id": "a", "text": "two", "role": "assistant"},
    ]
    alone = {"message_id": "c", "parent_id": "gone", "text": "three", "role": "assistant"}
    reviewed = {"message_id": "d", "parent_id": None, "text": "four", "role": "prompter", "review_result": False}
    files = read(tmp_path, [*flat(), *circle, alone, reviewed])
    assert said(files) == [SAID]
    assert [skip.reason for skip in files.skipped] == [
        "its first message was deleted or failed its review",
        *["it answers a message to which no first message in this file leads"] * 3,
    ]


def test_a_very_long_thread_does_no_harm() -> None:
    rows = [
        (number, {"id": number, "parent_id": number - 1 if number > 1 else None, "text": "x", "role": role})
        for number, role in zip(range(1, 5001), cycle(("prompter", "assistant")))
    ]
    ((_, talk),), lost = threads(rows)
    assert len(turns_of(talk.said)) == 5000
    assert lost == ()


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        ({"chosen": "Hello there", "rejected": ""}, "the text does not start with one of its marks"),
        (
            {"chosen": "Note\n\nHuman: a\n\nAssistant: b", "rejected": ""},
            "the text does not start with one of its marks",
        ),
        ({"text": "just a paragraph"}, "the text does not start with one of its marks"),
        ({"text": "[INST] a [/INST] "}, "turn 1 is empty"),
        ({"conversations": "[{"}, "a text that should be JSON is not"),
        ({"conversations": "{}"}, "the messages are not a list"),
        ({"turns": ["a question", "another one"]}, "message 0 is not an object"),
        ({"conversation": {"speaker_a": "x", "session_1": None}}, "'session_1': the messages are not a list"),
        ({"conversation": {"speaker_a": "x", "session_1_date_time": "today"}}, "there is no session in it"),
        ({"haystack_sessions": []}, "there is no session in it"),
        ({"data": ["a", None]}, "message 1 has no text"),
        ({"data": []}, "of none of the formats"),
        ({"data": [{"title": "x"}]}, "'0': of none of the formats"),
        ({"instruction": 3, "output": "b"}, "message 0 has no text"),
        ({"prompt": {"text": "a", "role": "prompter", "deleted": True}}, "its first message was deleted"),
        ({"contents": [{"role": "user", "parts": [{"inlineData": {}}]}]}, "message 0 has parts that are not text"),
    ],
)
def test_records_that_are_not_as_their_format_says_tell_why(tmp_path: Path, record: object, reason: str) -> None:
    files = read(tmp_path, [record])
    assert files.dialogues == ()
    ((where, why),) = [(skip.where, skip.reason) for skip in files.skipped]
    assert where == "f.json:2"
    assert why.startswith(reason)


# -- the reference folder -----------------------------------------------------------------------------------------

READ = {
    "formats/alpaca.jsonl": 64,
    "formats/anthropic_hh.jsonl": 10,
    "formats/dolly.jsonl": 10,
    "formats/gemini_contents.jsonl": 8,
    "formats/lmsys_chat_1m.jsonl": 10,
    "formats/locomo.json": 4,
    "formats/longmemeval_filler_sess.json": 64,
    "formats/longmemeval_s_like.json": 6,
    "formats/oasst_trees.jsonl": 12,
    "formats/openai_messages.jsonl": 64,
    "formats/openai_messages.jsonl.gz": 64,
    "formats/openai_messages_parts.jsonl": 8,
    "formats/openai_messages_toolcalls.jsonl": 1,
    "formats/sharegpt.json": 64,
    "formats/sharegpt_system_tool.jsonl": 64,
    "formats/taskmaster1.json": 10,
    "formats/taskmaster3.json": 10,
    "formats/ultrachat.jsonl": 64,
    "formats/ultrachat_200k.jsonl": 64,
    "formats/wildchat.jsonl": 64,
    "raw/crosswoz.json": 6,
    "raw/llama2_inst_text.jsonl": 60,
    "raw/oasst_messages_flat.jsonl": 30,
    "raw/oasst_seed_parent_pointer.json": 13,
    "raw/oasst_trees.jsonl": 12,
    "raw/sgd_ccbysa.json": 8,
    "raw/sharegpt_fastchat.json": 150,
    "raw/sharegpt_toolcall.json": 69,
    "raw/taskmaster1_sample.json": 1,
    "raw/taskmaster3_reward.json": 20,
    "raw/taskmaster4.json": 22,
    "own.jsonl": 84,
    "real.jsonl": 628,
}
"""Files of the reference folder, and how many dialogues they give."""
WITHOUT = {"raw/abcd_sample.json": "of none of the formats", "raw/mtbench_question.jsonl": "message 0 is not an object"}
"""Files without any dialogue of a known format, and how that is said."""
BROKEN = {
    "blank_lines.jsonl": (2, ""),
    "bom.jsonl": (1, ""),
    "crlf.jsonl": (2, ""),
    "dup_keys.jsonl": (1, ""),
    "empty.jsonl": (0, "the file is empty"),
    "empty_list.json": (0, "the list is empty"),
    "latin1.jsonl": (0, "not UTF-8"),
    "lone_surrogate.jsonl": (0, "turn 0 holds the character U+D83D"),
    "nan.jsonl": (1, ""),
    "no_final_newline.jsonl": (1, ""),
    "nul_and_ctrl.jsonl": (0, "turn 0 holds the character U+0000"),
    "object_not_list.json": (1, ""),
    "odd_rows.jsonl": (6, "no user turn is answered by an assistant turn"),
    "trailing_comma.json": (1, ""),
    "truncated_last_line.jsonl": (1, "not JSON"),
    "u2028.jsonl": (1, ""),
    "utf16.jsonl": (1, ""),
}


@pytest.fixture(scope="module")
def reference() -> Path:
    if not REFERENCE.is_dir():
        pytest.skip("the folder with reference files, ../shared/fillers beside the checkout, is not there")
    return REFERENCE


def is_sound(text: str) -> bool:
    """Whether any file of a suite can hold the text, and nothing of its former frame is left in it."""
    text.encode("utf-8")
    return bool(text.strip()) and not any(mark in text for mark in ("[INST]", "<s>", "\x00", "\ufffd", "\n\nHuman:"))


@pytest.mark.parametrize(("name", "count"), READ.items())
def test_reference_files_are_read(reference: Path, name: str, count: int) -> None:
    files = read_files(reference / name, "CC0-1.0")
    assert len(files.dialogues) == count
    assert all(is_sound(turn.content) for written in files.dialogues for turn in written.turns)
    assert len({written.origin for written in files.dialogues}) == count


@pytest.mark.parametrize(("name", "reason"), WITHOUT.items())
def test_reference_files_of_no_format_say_why(reference: Path, name: str, reason: str) -> None:
    files = read_files(reference / name, "CC0-1.0")
    assert files.dialogues == ()
    assert all(skip.reason.startswith(reason) for skip in files.skipped)


@pytest.mark.parametrize(("name", "outcome"), BROKEN.items())
def test_broken_reference_files_give_what_is_sound_in_them(
    reference: Path, name: str, outcome: tuple[int, str]
) -> None:
    files = read_files(reference / "formats" / "broken" / name, "CC0-1.0")
    count, first = outcome
    assert len(files.dialogues) == count
    assert all(is_sound(turn.content) for written in files.dialogues for turn in written.turns)
    assert [skip.reason.startswith(first) for skip in files.skipped][:1] == ([True] if first else [])


def test_no_reference_file_is_forgotten(reference: Path) -> None:
    held = {path.relative_to(reference).as_posix() for path in reference.rglob("*.json*")}
    known = {*READ, *WITHOUT, *(f"formats/broken/{name}" for name in BROKEN)}
    assert {name for name in held if name.startswith(("formats/", "raw/"))} <= known
