"""The replay step by step."""

from __future__ import annotations

from suitegen.latent.gold import PLAIN, gold_of
from suitegen.latent.replayed import replayed
from suitegen.model.latent import LatentSpec
from tests.latent.timelines import CAST, ENCODED, FULL, TIMELINES, WHY, event, probe


def spec(events, **more):
    plans = [
        {
            "index": number,
            "slot": str(number),
            "phase": "encoding",
            "kind": "event",
            "timestamp": f"2026-01-0{number + 1}T09:00:00+00:00",
        }
        for number in range(5)
    ]
    return LatentSpec.model_validate(
        {
            "suite": "s", "case": "c", "variant": "", "draw": 0, "seed": 0, "language": "en", "paradigm": "p",
            "condition": "c", "expects": "update", "domain": "work", "fact_type": "f", "split": False, "tier": "short",
            "cast": CAST, "sessions": plans, "events": tuple(events), "probes": (), **more,
        }
    )  # fmt: skip


def told(steps):
    return [(step.event.id, step.state, step.current, step.previous) for step in steps]


def test_each_event_is_told_with_the_state_it_leaves():
    first = event("u1", "update", None, "act trigger", **WHY)
    second = event("u2", "update", "B", "value", refs={"completes": "u1"}, change_id="c")
    assert told(replayed(spec((*ENCODED, first, second)), probe("current"))) == [
        ("e1", "active", "A", "none"),
        ("e2", "active", "A", "none"),
        ("u1", "pending", "unknown", "A"),
        ("u2", "active", "B", "A"),
    ]


def test_events_of_others_leave_the_target_as_it_was():
    other = event("o", "remember", "Z", target="other")
    assert told(replayed(spec((other, *ENCODED[:1])), probe("current"))) == [
        ("o", "never", "absent", "absent"),
        ("e1", "active", "A", "none"),
    ]


def test_what_is_said_after_the_question_is_not_told():
    late = event("u", "update", "B", FULL, session=3, **WHY)
    steps = replayed(spec((*ENCODED, late)), probe("current", asked_after=2))
    assert [step.event.id for step in steps] == ["e1", "e2"]


def test_a_question_about_a_day_tells_what_held_on_it():
    update = event("u", "update", "B", FULL, session=2, **WHY)
    timeline = spec((*ENCODED, update))
    assert [step.event.id for step in replayed(timeline, probe("as_of", as_of=1))] == ["e1", "e2"]
    assert [step.event.id for step in replayed(timeline, probe("as_of", as_of=2))] == ["e1", "e2", "u"]


def test_the_last_step_agrees_with_the_gold():
    for events in TIMELINES.values():
        timeline = spec(events)
        last = replayed(timeline, probe("current"))[-1]
        assert gold_of(timeline, probe("current"), PLAIN).field("value").answer == last.current
