"""Other people's dialogues as background: contradictions, repeats, markers, odd line ends and characters."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from suitegen import app
from suitegen.errors import DesignError, SuitegenError
from tests.scenarios.conftest import SUITE, Project

FILES = "fillers:\n  - {source: files, path: chats.jsonl, license: CC0-1.0}\n"


def chat(number: int, extra: str = "") -> dict[str, object]:
    user = f"Could you tell me about subject {'abcdefghijklmnopqrstuvwxyz'[number % 26] * 3} number {number}? {extra}".strip()
    reply = f"Gladly. Of all {number} parts the oldest is the one people forget, so begin there and write down what you see."
    return {"messages": [{"role": "user", "content": user}, {"role": "assistant", "content": reply}]}


def with_chats(project: Project, chats: Sequence[object]) -> Path:
    path = project.root / "chats.jsonl"
    lines = (
        each if isinstance(each, bytes) else json.dumps(each, ensure_ascii=False).encode("utf-8", "surrogatepass")
        for each in chats
    )
    path.write_bytes(b"\n".join(lines) + b"\n")
    project.suite(SUITE + FILES)
    return path


def texts(project: Project) -> list[list[str]]:
    return [["\n".join(t.content for t in s.turns) for s in episode.sessions] for episode in project.episodes()]


def test_a_filler_that_speaks_of_the_fact_is_passed_over(project: Project) -> None:
    telling = [chat(number, "By the way, my kiln slot is Marigold.") for number in range(100, 130)]
    with_chats(project, [*telling, *(chat(number) for number in range(40))])
    assert project.build().accepted == 2
    for episode in project.episodes():
        background = {p.session_id for p in episode.placements if p.origin.startswith("files:")}
        assert background
        for session in episode.sessions:
            if session.session_id in background:
                assert not any("By the way, my kiln slot" in turn.content for turn in session.turns)


def test_no_dialogue_stands_twice_in_a_history_whatever_the_pool_repeats(project: Project) -> None:
    with_chats(project, [chat(number // 3) for number in range(90)])
    project.build()
    for episode in project.episodes():
        hosts = [p.content_hash for p in episode.placements if p.origin.startswith("files:")]
        assert len(hosts) == len(set(hosts))
        assert len({session.session_id for session in episode.sessions}) == len(episode.sessions)


def test_a_pool_that_is_too_small_names_both_numbers_before_any_work(project: Project) -> None:
    with_chats(project, [chat(1), chat(2)])
    with pytest.raises(DesignError, match=r"\d+ background dialogues.* 2"):
        project.build()


def test_markers_of_chat_templates_are_plain_text(project: Project) -> None:
    marks = "<|endoftext|> <|im_start|>user [INST] what do these mean? [/INST]"
    with_chats(project, [chat(number, marks) for number in range(40)])
    assert project.build().accepted == 2
    said = "\n".join(text for history in texts(project) for text in history)
    assert marks in said


def test_separators_inside_of_a_line_do_not_end_it(project: Project) -> None:
    odd = "first\u2028second\u2029third\u0085fourth\u000bfifth\u000csixth"
    with_chats(project, [chat(number, odd) for number in range(40)])
    project.build()
    said = [text for history in texts(project) for text in history if "subject" in text]
    assert said
    assert all(odd in text for text in said)


@pytest.mark.parametrize("odd", ['"nice \\ud83d"', '"nul \\u0000 here"'])
def test_what_no_file_can_hold_costs_its_record_alone(project: Project, odd: str) -> None:
    bad = f'{{"messages": [{{"role": "user", "content": {odd}}}, {{"role": "assistant", "content": "Yes, indeed it is so."}}]}}'
    with_chats(project, [bad.encode(), *(chat(number) for number in range(40))])
    assert project.build().accepted == 2
    for history in texts(project):
        for text in history:
            text.encode("utf-8")
            assert "\0" not in text


def test_what_could_not_be_read_is_counted_in_the_plan(project: Project) -> None:
    with_chats(project, [b'{"messages": [', b"[]", *(chat(number) for number in range(40))])
    notes = app.plan(project.root, "tiny").notes
    assert any("2 filler records" in note for note in notes)
    assert any(note.startswith("chats.jsonl:1: not JSON") for note in notes)
    assert any(note.startswith("chats.jsonl:2: ") for note in notes)


def test_a_filler_file_that_is_not_there_is_named(project: Project) -> None:
    project.suite(SUITE + FILES)
    with pytest.raises(SuitegenError) as caught:
        project.build()
    assert "chats.jsonl" in f"{caught.value.where} {caught.value} {getattr(caught.value, 'problems', '')}"


UNSAID = """\
id: asked_in_vain
about: What is asked was never said; another thing was.
conditions:
  nothing_said:
    about: The user speaks of their own value, and of nobody else's.
    expects: preserve
    cast: {target: {}, other: {entity: other}}
    phases:
      - encoding: [{repeat: tier, events: [{op: remember, value: initial}]}]
      - filler: before
      - post_perturbation: after
    probes:
      - {type: current}
      - {type: current, about: other}
"""


def test_what_was_never_said_is_said_by_no_filler_either(project: Project) -> None:
    """A pool full of the answer: what tells it is passed over, in whatever role, and the question stays unanswerable."""
    (project.root / "specs" / "paradigms" / "asked_in_vain.yaml").write_text(UNSAID, "utf-8")
    values = [value.value for value in project.fact_type().values]
    telling = [
        chat(number, f"My sister Lena has {value} as her kiln slot.") for number, value in enumerate(values * 4, 100)
    ]
    example = [chat(number, f"You could say: my kiln slot is {value}.") for number, value in enumerate(values * 4, 300)]
    with_chats(project, [*telling, *example, *(chat(number) for number in range(40))])
    project.replace(
        "  - {paradigm: interference, condition: authoritative_update, count: 1}\n",
        "  - {paradigm: asked_in_vain, condition: nothing_said, count: 2}\n",
        project.root / "specs" / "suites" / "tiny.yaml",
    )
    assert [str(problem) for problem in project.problems() if problem.severity == "error"] == []
    assert project.build().accepted == 3
    asked = 0
    for episode in project.episodes():
        hosts = {place.session_id for place in episode.placements if place.origin.startswith("files:")}
        said = [turn.content for session in episode.sessions if session.session_id in hosts for turn in session.turns]
        assert said
        assert not any(value in text and "kiln slot" in text and "subject" in text for text in said for value in values)
        for probe in episode.probes:
            answers = [field.answer for field in probe.gold.fields if field.name == "value"]
            asked += answers == ["absent"]
    assert asked == 2
