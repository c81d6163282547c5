"""Timelines and questions that make no sense are refused, each with the reason."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from suitegen.latent.coherence import problems
from suitegen.latent.gold import PLAIN
from suitegen.model.latent import Event, LatentSpec, Member, Probe, SessionPlan
from tests.latent.timelines import (
    CAST,
    ENCODED,
    EXPOSED,
    FULL,
    PART_1,
    PART_2,
    TIMELINES,
    TOOL,
    UPDATE,
    WHY,
    event,
    probe,
)

FORGET = event("f", "forget", None, "act", scope="attribute")
BACK = event("back", "restore", "A", refs={"restores": "e1"})
LATER = {"effective": "2026-03-20"}


def spec_of(events: Sequence[Event], probes: Sequence[Probe] = (), split: bool = False, **more: object) -> LatentSpec:
    """A spec in which every event has a day of its own, from 2026-03-01 on."""
    placed = tuple(each.model_copy(update={"session": number}) for number, each in enumerate(events))
    days = [
        SessionPlan(
            index=n, slot=f"s.{n}", phase="encoding", kind="event", timestamp=f"2026-03-{n + 1:02d}T09:00:00+00:00"
        )
        for n in range(max(len(events), 1))
    ]
    last = days[-1].index
    fields = {
        "suite": "s", "case": "c", "variant": "", "draw": 0, "seed": 1, "language": "en", "paradigm": "p",
        "condition": "c", "expects": "update", "domain": "d", "fact_type": "f", "split": split, "tier": "core",
        "cast": CAST, "sessions": days, "events": placed,
        "probes": [each.model_copy(update={"asked_after": min(each.asked_after, last)}) for each in probes],
        **more,
    }  # fmt: skip
    return LatentSpec.model_validate(fields)


@pytest.mark.parametrize("name", [name for name in TIMELINES if name not in ("update with nothing before",)])
def test_the_timelines_of_the_other_tests_make_sense(name: str) -> None:
    asked = [probe("current"), probe("status", rival="R"), probe("previous")]
    assert problems(spec_of(TIMELINES[name], asked), PLAIN) == ()


@pytest.mark.parametrize(
    ("events", "problem"),
    [
        # the event alone
        ([*ENCODED, ENCODED[0]], "e1: its id stands twice"),
        ([event("e", "remember", "A", source="third_party")], "e: its source is third_party, said by user"),
        ([event("e", "remember", "A", strength="weak")], "e: a weak remember would be accepted"),
        ([event("e", "remember", None)], "e: it says a value and has none"),
        ([*ENCODED, event("u", "update", "B", "act value old")], "u: it says a former value and there is none"),
        ([*ENCODED, event("u", "update", "B", "act value trigger")],
         "u: it says why something changed and has no change"),
        ([*ENCODED, event("u", "update", "B", **LATER)], "u: it takes effect on 2026-03-20, so it must say the date"),
        ([*ENCODED, event("x", "reinforce", "A", "act rejection")], "x: it rejects something and does not say what"),
        ([*ENCODED, event("u", "update", "B", "act value date", **LATER), event("v", "update", "C")],
         "v: it takes effect on 2026-03-04, before what was said earlier"),
        ([*ENCODED, event("u", "update", "B", "act value date", effective="2026-02-01")],
         "u: it takes effect on 2026-02-01, before what was said earlier"),
        # what it refers to
        ([*ENCODED, event("b", "restore", "B", refs={"restores": "x"})],
         "b: restores names 'x', which was not said before"),
        ([*ENCODED, UPDATE, PART_2.model_copy(update={"value": "C", "refs": {"completes": "u"}})],
         "p2: it completes 'u', which is no change that still lacks its value"),
        ([*ENCODED, UPDATE, BACK.model_copy(update={"value": "C"})],
         "back: it restores 'e1', which said another value"),
        ([*ENCODED, event("x", "reinforce", "A", "act rejection", refs={"resolves": "e2"})],
         "x: it resolves 'e2', which brought nothing up"),
        ([*ENCODED, UPDATE, event("n", "remember", "N", target="neighbour"),
          event("m", "update", "M", target="neighbour", refs={"cascades": "u"})],
         "m: it follows from 'u', and does not depend on target"),
        (
            [*ENCODED, TOOL, TOOL.model_copy(update={"id": "again"}), EXPOSED],
            "exp: it resolves 'out', and the same value stays disputed by another event",
        ),
        # what holds
        ([*ENCODED, event("u", "update", "A")], "u: update to the value that already holds (A)"),
        ([*ENCODED, UPDATE, event("b", "restore", "B", "act", refs={"restores": "u"})],
         "b: restore to the value that already holds (B)"),
        ([*ENCODED, event("c", "correct", "A")], "c: correct to the value that already holds (A)"),
        ([*ENCODED, event("e3", "remember", "B")], "e3: remember gives target a second value without a change"),
        ([*ENCODED, UPDATE, event("r", "reinforce", "A")], "r: reinforces a value that does not hold"),
        ([*ENCODED, PART_1, event("e3", "remember", "A")], "e3: remember while the new value is still to be said"),
        ([*ENCODED, TOOL, event("r", "reinforce", "A")],
         "r: reinforce of a disputed value, without settling the dispute"),
        ([*ENCODED, TOOL, UPDATE], "u: update of a disputed value, without settling the dispute"),
        ([*ENCODED, event("c", "challenge", "A", strength="weak")], "c: challenge of the value that holds"),
        ([event("c", "challenge", "A")], "c: it challenges a value where none holds"),
        ([event("c", "correct", "A")], "c: it corrects a value where none holds"),
        ([FORGET], "f: it is to be forgotten, and nothing is known"),
        ([*ENCODED, FORGET, event("m", "mention", "A", strength="weak")], "m: it names a value that is forgotten"),
        # what held
        ([*ENCODED, event("u", "update", "B", "act value old", old="C")], "u: it says that C was before, where A was"),
        ([*ENCODED, UPDATE, event("r", "reactivate", None, "act old", old="A")],
         "r: it recalls a value that does not hold"),
        ([event("m", "mention", None, "act old", old="A")], "m: it speaks of a former value where none holds"),
        ([*ENCODED, event("m", "mention", None, "act old", old="A")], "m: it says that A is past, which holds"),
        ([*ENCODED, UPDATE, event("m", "mention", None, "act old", old="C")], "m: it does not say when C was"),
        ([*ENCODED, FORGET, event("m", "mention", None, "act old", old="A")], "m: it names a value that is forgotten"),
    ],
)  # fmt: skip
def test_an_event_that_makes_no_sense(events: list[Event], problem: str) -> None:
    found = problems(spec_of(events), PLAIN)
    assert any(each.startswith(problem) for each in found), found


def test_a_split_has_two_parts() -> None:
    assert problems(spec_of([*ENCODED, PART_1], split=True), PLAIN) == ("p1: a split with one part",)
    assert problems(spec_of([*ENCODED, PART_1, PART_2], split=True), PLAIN) == ()


def test_a_dispute_can_be_settled_by_what_changes_the_value() -> None:
    settles = UPDATE.model_copy(update={"refs": {"resolves": "out"}})
    assert problems(spec_of([*ENCODED, TOOL, settles], [probe("current"), probe("status", rival="R")]), PLAIN) == ()
    assert problems(spec_of([*ENCODED, TOOL, EXPOSED, UPDATE], [probe("current")]), PLAIN) == ()


@pytest.mark.parametrize(
    ("events", "asked", "problem"),
    [
        ([*ENCODED, UPDATE, BACK], probe("change"), "whether something changed, after a value went away and came back"),
        ([*ENCODED, FORGET, event("e3", "remember", "B")], probe("previous"),
         "the history of what was forgotten and told anew"),
        ([*ENCODED, UPDATE, FORGET], probe("changes"), "the number of changes of what is forgotten"),
        ([*ENCODED, TOOL, event("m", "mention", "R", strength="weak")], probe("source", rival="R"),
         "the source of R, which several told"),
        ([*ENCODED, event("u", "update", "B", "act value date", **LATER)], probe("current"),
         "something takes effect on 2026-03-20, which may be after the question"),
        (ENCODED, probe("as_of", as_of=99), "it asks for a day after all that it may use"),
        (ENCODED, probe("status"), "it names no value"),
        (ENCODED, probe("premise"), "it names no value"),
    ],
)  # fmt: skip
def test_a_question_with_two_answers(events: list[Event], asked: Probe, problem: str) -> None:
    assert problems(spec_of(events, [asked]), PLAIN) == (f"probe p: {problem}",)


def test_a_question_comes_after_some_session() -> None:
    spec = spec_of(ENCODED, [probe("current").model_copy(update={"asked_after": -1})])
    assert problems(spec, PLAIN) == ("probe p: it is asked outside of the history",)


def test_a_question_as_of_a_day_is_proved_by_the_dates() -> None:
    dated = event("u", "update", "B", "act value date", effective="2026-03-02")
    late = event("z", "mention", "Z", strength="weak")
    for day, answer in ((0, "A"), (1, "B"), (3, "B")):
        spec = spec_of([*ENCODED, dated, late], [probe("as_of", as_of=day)])
        assert problems(spec, PLAIN) == (), (day, answer)


@pytest.mark.parametrize(
    ("values", "problem"),
    [
        ({"initial": "Blue  door", "new": "blue door"}, "Blue  door and blue door are the same after normalising"),
        ({"initial": "A", "new": "unknown"}, "the value unknown cannot be told from an answer that there is none"),
    ],
)
def test_values_that_cannot_be_told_apart(values: dict[str, str], problem: str) -> None:
    target = CAST[0].model_copy(update={"values": values})
    assert problems(spec_of(ENCODED, cast=(target, *CAST[1:])), PLAIN) == (problem,)


def test_values_that_only_others_say_are_compared_too() -> None:
    events = [*ENCODED, event("d", "remember", "a", target="other")]
    assert problems(spec_of(events), PLAIN) == ("A and a are the same after normalising",)


def test_two_members_are_two_things() -> None:
    twin = Member(name="twin", fact_type="g", entity="user", attribute="desk", values={})
    found = problems(spec_of(ENCODED, cast=(*CAST, twin)), PLAIN)
    assert found == ("neighbour and twin are the same attribute of the same entity",)


def test_problems_name_every_fault_at_once() -> None:
    events = [event("e", "remember", "A", strength="weak"), event("u", "update", "A", FULL, **WHY)]
    assert problems(spec_of(events), PLAIN) == (
        "e: a weak remember would be accepted",
        "u: update to the value that already holds (A)",
    )
