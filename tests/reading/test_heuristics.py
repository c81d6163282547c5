from __future__ import annotations

import json

import pytest

from suitegen.model.history import Question, Session, Turn
from suitegen.reading.heuristics import Task, constants, mentions, shortcuts
from suitegen.values.vocabulary import Vocabulary

VALUES = Vocabulary("name", (("Pulse Factory", "Pulse"), ("Northgate Barbell",), ("Halden Sports Club",)))


def session(index: int, *turns: tuple[str, str]) -> Session:
    said = tuple(Turn(role=role, content=content) for role, content in turns)
    return Session(session_id=f"s{index}", index=index, timestamp=f"2026-05-{index + 1:02d}T10:00:00+00:00", turns=said)


HISTORY = (
    session(0, ("user", "My gym is Pulse Factory.")),
    session(1, ("user", "Pulse has new racks, and my cousin trains at Halden Sports Club.")),
    session(2, ("user", "I train at Northgate Barbell now.")),
    session(3, ("assistant", "Northgate Barbell or Halden Sports Club?"), ("user", "What?")),
)
FORMAT = {
    "type": "object",
    "properties": {"source": {"enum": ["tool", "user"]}, "applies": {"enum": ["no", "yes"]}, "note": {}},
}


def task(probe: str, visible_until: int = 99, **known: str) -> Task:
    question = Question(
        probe_id="p",
        episode_id="e",
        asked_at="2027-01-01T00:00:00+00:00",
        visible_until=visible_until,
        question="Which gym?",
        answer_format=json.dumps(FORMAT),
    )
    return Task(HISTORY, question, probe, VALUES, **known)


def answer(name: str, asked: Task) -> dict[str, str]:
    (rule,) = [each for each in shortcuts() if each.name == name]
    return dict(rule.answer(asked))


def test_mentions_are_all_values_in_order_whoever_has_them() -> None:
    assert mentions(task("current")) == (
        "Pulse Factory",
        "Pulse Factory",
        "Halden Sports Club",
        "Northgate Barbell",
        "Northgate Barbell",
        "Halden Sports Club",
    )
    assert mentions(task("current", visible_until=0)) == ("Pulse Factory",)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("latest_value", "Halden Sports Club"),
        ("first_value", "Pulse Factory"),
        ("most_frequent", "Halden Sports Club"),
        ("last_user_value", "Northgate Barbell"),
        ("always_refuse", "unknown"),
    ],
)
def test_rules_of_place_and_number(name: str, value: str) -> None:
    assert answer(name, task("current")) == {"value": value}


def test_rules_without_any_mention_refuse() -> None:
    empty = Task((), task("current").question, "current", VALUES)
    assert {
        answer(name, empty)["value"] for name in ("latest_value", "first_value", "most_frequent", "last_user_value")
    } == {"unknown"}


def test_policies_take_over_everything_or_nothing() -> None:
    known = {"held": "Pulse Factory", "offered": "Northgate Barbell"}
    assert answer("always_update", task("current", **known))["value"] == "Northgate Barbell"
    assert answer("always_update", task("previous", **known))["value"] == "Pulse Factory"
    assert answer("always_preserve", task("current", **known))["value"] == "Pulse Factory"
    assert answer("always_preserve", task("previous", **known))["value"] == "none"
    updated, preserved = (
        answer("always_update", task("temporal", **known)),
        answer("always_preserve", task("temporal", **known)),
    )
    assert (updated["direction"], updated["old"], updated["new"]) == (
        "old_to_new",
        "Pulse Factory",
        "Northgate Barbell",
    )
    assert (preserved["direction"], preserved["old"], preserved["new"]) == ("no_confirmed_change", "none", "none")
    assert (updated["changed"], preserved["changed"]) == ("yes", "no")


def test_rules_say_what_they_apply_to() -> None:
    by_name = {rule.name: rule for rule in shortcuts()}
    assert len(by_name) == len(shortcuts())
    assert by_name["latest_value"].applies("current")
    assert not by_name["latest_value"].applies("source")
    assert by_name["always_update"].applies("change")


def test_constants_are_the_words_of_every_closed_list() -> None:
    rules = constants(task("conflict").question, "conflict")
    assert [rule.name for rule in rules] == [
        "always_source_tool",
        "always_source_user",
        "always_applies_no",
        "always_applies_yes",
    ]
    assert [dict(rule.answer(task("conflict"))) for rule in rules[:2]] == [{"source": "tool"}, {"source": "user"}]
    assert all(rule.applies("conflict") and not rule.applies("source") for rule in rules)
