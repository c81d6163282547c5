"""Compiling conditions at their edges: ids, moments, and fillers that have nothing to say."""

from __future__ import annotations

from collections import Counter

import pytest

from suitegen.latent.coherence import problems
from suitegen.model.latent import LatentSpec
from suitegen.model.paradigm import Condition
from tests.latent.random_conditions import compiled, facts

Fields = dict[str, object]
ENCODING: Fields = {"encoding": [{"repeat": 3, "events": [{"id": "e", "op": "remember", "value": "initial"}]}]}
SLOTS: tuple[Fields, Fields] = ({"filler": "before"}, {"post_perturbation": "after"})


def condition(*events: Fields, encoding: Fields = ENCODING, **more: object) -> Condition:
    """A condition whose perturbation says each event in a session of its own."""
    moved = [{"perturbation": [{"events": [event]} for event in events]}] if events else []
    phases = [encoding, SLOTS[0], *moved, SLOTS[1]]
    return Condition.model_validate({"expects": "update", "phases": phases, "probes": [{"type": "current"}], **more})


def full(built: Condition, seed: int = 5) -> LatentSpec:
    """The spec with many fillers."""
    return compiled(built, split=False, seed=seed, before=20, after=8)


def test_ids_stay_unique_where_a_repeated_one_runs_into_another() -> None:
    spec = full(
        condition({"id": "e_2", "op": "update", "value": "new"}, {"id": "decoy", "op": "mention", "value": "rival"})
    )
    assert max(Counter(event.id for event in spec.events).values()) == 1
    assert [event.op for event in spec.events if event.id.startswith("e_2")] == ["remember", "update"]


def test_a_probe_after_a_repeated_event_comes_after_its_last_time() -> None:
    asked = [{"type": "current", "asked_after": "e"}]
    spec = full(condition({"op": "update", "value": "new"}, probes=asked))
    assert spec.probes[0].asked_after == max(
        event.session for event in spec.events if event.op == "remember" and event.id[0] == "e"
    )


@pytest.mark.parametrize(
    "events",
    [
        ({"op": "update", "value": "new"}, {"op": "forget", "scope": "attribute", "says": []}),
        ({"op": "update", "value": "new"}, {"op": "correct", "value": "initial"}),
    ],
)
def test_a_former_value_is_not_mentioned_where_there_is_none(events: tuple[Fields, ...]) -> None:
    for seed in range(1, 9):
        spec = full(condition(*events), seed)
        assert not [session for session in spec.sessions if session.kind == "stale_reference"]
        assert problems(spec, facts(spec)) == ()


def test_a_change_from_nothing_has_no_former_value() -> None:
    spec = full(
        condition({"op": "update", "value": "new"}, encoding={"encoding": [{"events": [{"op": "clue", "says": []}]}]})
    )
    assert not [event for event in spec.events if event.id.startswith("stale_reference")]
    assert problems(spec, facts(spec)) == ()


def test_what_comes_back_is_not_mentioned_as_past() -> None:
    back = {"op": "restore", "value": "initial", "refs": {"restores": "e"}}
    found = set()
    for seed in range(1, 9):
        spec = full(condition({"op": "update", "value": "new"}, back), seed)
        values = spec.member("target").values
        found |= {event.old == values["new"] for event in spec.events if event.id.startswith("stale_reference")}
        assert problems(spec, facts(spec)) == ()
    assert found == {True}


def parted(**told: object) -> LatentSpec:
    """A change in two parts with many fillers around it."""
    update = {"id": "upd", "op": "update", "value": "new", "says": ["value", "trigger"], "change": "c", **told}
    return compiled(condition(update, split={"event": "upd", "gap": 2}), split=True, seed=5, before=20, after=8)


def test_a_change_that_the_user_tells_in_two_parts_goes_by_the_value_that_ends() -> None:
    spec = parted()
    first, second = (event for event in spec.events if event.op == "update")
    assert (first.says, first.old) == (("act", "old", "trigger"), spec.member("target").values["initial"])
    assert second.says == ("value",)
    assert spec.by_value(first)
    assert not spec.by_value(second)
    assert {spec.sessions[event.session].frame for event in (first, second)} <= {"host", "alone"}
    # Nothing else tells that something changed.
    assert not [session for session in spec.sessions if session.kind == "stale_reference"]
    assert problems(spec, facts(spec)) == ()


def test_a_first_part_names_what_it_is_about_where_another_source_told_it() -> None:
    spec = parted(speaker="tool")
    first = next(event for event in spec.events if event.op == "update")
    assert first.says == ("act", "trigger")
    assert not spec.by_value(first)


def test_a_first_part_names_what_it_is_about_where_nothing_was_known() -> None:
    update = {"id": "upd", "op": "update", "value": "new"}
    built = condition(update, encoding={"encoding": [{"events": [{"op": "clue", "says": []}]}]}, split={"event": "upd"})
    spec = compiled(built, split=True, seed=5)
    first = next(event for event in spec.events if event.op == "update")
    assert (first.says, first.old) == (("act",), None)


def test_nobody_considers_a_value_of_what_was_never_said() -> None:
    cast = {"target": {}, "other": {"entity": "other"}}
    told = {"encoding": [{"events": [{"op": "remember", "target": "other", "value": "other.initial"}]}]}
    for seed in range(6):
        spec = full(condition(encoding=told, cast=cast), seed)
        assert [session for session in spec.sessions if session.kind == "decoy"]
        assert not [event for event in spec.events if event.target == "target"]


def test_two_neighbours_are_two_attributes() -> None:
    cast = {"target": {}, "one": {"attribute": "other"}, "two": {"attribute": "other"}}
    for seed in range(6):
        spec = compiled(condition(cast=cast), split=False, seed=seed)
        assert spec.member("one").attribute != spec.member("two").attribute
