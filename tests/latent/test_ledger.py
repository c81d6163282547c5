"""How states follow from what is said, where the order of things matters."""

from __future__ import annotations

import pytest

from suitegen.latent.gold import current, gold
from suitegen.latent.ledger import blank, replay, tell
from suitegen.model.latent import Event
from tests.latent.timelines import CAST, ENCODED, FULL, PART_1, RESTORE, TIMELINES, TOOL, UPDATE, WHY_2, event, probe

OTHER_TOOL = event("out2", "challenge", "S", speaker="tool", source="tool")
RUMOUR = event("t", "challenge", "R", "act value source", source="third_party", strength="weak")
FORMER_B = event("was", "mention", None, "act old", old="B")
FORGET = event("f", "forget", None, "act")
ANEW = event("e", "remember", "C")
NEXT = event("u2", "update", "C", FULL, **WHY_2)
UNSAID = UPDATE.model_copy(update={"says": ("act",)})
X = event("x", "remember", "X", target="dependent")

CASES: list[tuple[str, list[Event], str, dict[str, str], str]] = [
    # a correction takes back what led to the wrong value
    ("back to the value before", [*ENCODED, UPDATE, event("c", "correct", "A")], "current", {}, "A"),
    ("back to the value before", [*ENCODED, UPDATE, event("c", "correct", "A")], "changes", {}, "0"),
    ("back to the value before", [*ENCODED, UPDATE, event("c", "correct", "A")], "trajectory", {}, "A"),
    ("back to the value before", [*ENCODED, UPDATE, event("c", "correct", "A")], "status", {"rival": "B"}, "retracted"),
    ("to a third value", [*ENCODED, UPDATE, event("c", "correct", "C")], "trajectory", {}, "A -> C"),
    ("to a third value", [*ENCODED, UPDATE, event("c", "correct", "C")], "changes", {}, "1"),
    ("of a value not said", [*ENCODED, UNSAID, event("c", "correct", "C")], "previous", {}, "A"),
    # what is accepted settles what was disputed before
    ("a change", [*ENCODED, TOOL, UPDATE], "current", {}, "B"),
    ("a change", [*ENCODED, TOOL, UPDATE], "status", {"rival": "R"}, "not_accepted"),
    ("a rumour that comes true", [*ENCODED, RUMOUR, event("u", "update", "R")], "source", {"rival": "R"}, "user"),
    ("a rumour that comes true", [*ENCODED, RUMOUR, event("u", "update", "R")], "status", {"rival": "R"}, "accepted"),
    (
        "a rumour that is rejected",
        [*ENCODED, RUMOUR, event("x", "reinforce", "A", "act rejection", refs={"resolves": "t"})],
        "status", {"rival": "R"}, "unreliable",
    ),
    ("a disputed value said lightly", [*ENCODED, TOOL, RUMOUR], "status", {"rival": "R"}, "disputed"),
    ("the disputed value again", [*ENCODED, TOOL, event("t", "challenge", "A", speaker="tool", source="tool")],
     "status", {"rival": "A"}, "disputed"),
    # a value that depends on another one
    ("said again", [*ENCODED, X, UPDATE, X.model_copy(update={"id": "x2"})], "current", {"about": "dependent"}, "X"),
    (
        "settled between the parts",
        [*ENCODED, X, PART_1, event("y", "update", "Y", target="dependent"),
         event("p2", "update", "B", "value", refs={"completes": "p1"})],
        "current", {"about": "dependent"}, "Y",
    ),
    # former values
    ("known before any other", [event("z", "mention", None, "act old", old="Z"), *ENCODED], "current", {}, "A"),
    ("known before any other", [event("z", "mention", None, "act old", old="Z"), *ENCODED], "previous", {}, "Z"),
    ("never said", [*ENCODED, UNSAID, NEXT], "previous", {}, "unknown"),
    ("never said", [*ENCODED, UNSAID, NEXT], "trajectory", {}, "unknown"),
    ("never said", [*ENCODED, UNSAID, NEXT], "changes", {}, "2"),
    ("said later", [*ENCODED, UNSAID, NEXT, FORMER_B], "previous", {}, "B"),
    ("said later", [*ENCODED, UNSAID, NEXT, FORMER_B], "trajectory", {}, "A -> B -> C"),
    ("of who came back", [*ENCODED, RESTORE], "trajectory", {}, "unknown"),
    ("of who came back", [*ENCODED, RESTORE, FORMER_B], "trajectory", {}, "A -> B -> A"),
    # what is forgotten, until it is told anew
    ("told anew", [*ENCODED, UPDATE, FORGET, ANEW], "current", {}, "C"),
    ("told anew", [*ENCODED, UPDATE, FORGET, ANEW], "original", {}, "C"),
    ("told anew", [*ENCODED, FORGET, ANEW], "status", {"rival": "A"}, "past"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "events", "type", "how", "answer"), CASES)
def test_states_follow_from_what_is_said(
    name: str, events: list[Event], type: str, how: dict[str, str], answer: str
) -> None:
    assert gold(events, CAST, probe(type, **how)).fields[0].answer == answer


def test_a_new_dispute_is_only_about_the_new_value() -> None:
    field = gold([*ENCODED, TOOL, UPDATE, OTHER_TOOL], CAST, probe("current")).field("value")
    assert (field.answer, field.answers) == ("uncertain", (("B",), ("S",)))
    settled = event("x", "reinforce", "B", "act rejection", refs={"resolves": "out2"})
    assert current(replay([*ENCODED, TOOL, UPDATE, OTHER_TOOL, settled], CAST).track("target")) == "B"


def test_a_forgotten_value_may_not_be_given_once_another_is_told() -> None:
    events = [*ENCODED, FORGET, ANEW]
    assert gold(events, CAST, probe("current")).field("value").rivals == (("A",),)


def test_a_whole_entity_is_forgotten_and_others_are_not() -> None:
    events = [
        *ENCODED,
        event("n", "remember", "N", target="neighbour"),
        event("o", "remember", "O", target="other"),
        event("f", "forget", None, "act", scope="entity"),
    ]
    states = {name: replay(events, CAST).track(name).state for name in ("target", "neighbour", "other")}
    assert states == {"target": "forgotten", "neighbour": "forgotten", "other": "active"}


@pytest.mark.parametrize("name", TIMELINES)
def test_a_replay_is_one_event_after_the_other(name: str) -> None:
    ledger = blank(CAST)
    for number, each in enumerate(TIMELINES[name]):
        assert ledger == replay(TIMELINES[name][:number], CAST)
        before = dict(ledger.tracks)
        later = tell(ledger, each, each.says)
        assert ledger.tracks == before
        ledger = later
    assert ledger == replay(TIMELINES[name], CAST)


def test_an_event_that_says_nothing_leaves_everything() -> None:
    ledger = replay(ENCODED, CAST)
    assert tell(ledger, UPDATE, ()) is ledger
