"""Computed evidence is what a search over all subsets finds."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from suitegen.latent.evidence import evidence
from suitegen.latent.gold import dates_of, gold
from suitegen.model.latent import LatentSpec, Probe
from tests.latent.brute import minimal_cuts
from tests.latent.timelines import CAST, ENCODED, TIMELINES, event, probe

ASKED = (
    *(probe(t) for t in ("current", "previous", "original", "trajectory", "change", "changes", "source", "temporal")),
    *(probe(t) for t in ("trigger", "reason", "direction")),
    *(probe("premise", premise=value) for value in ("A", "B", "R")),
    *(probe(t, rival=value) for t in ("source", "status", "conflict") for value in ("A", "B", "R")),
)


def computed(events: tuple, asked: Probe) -> dict[str, set[frozenset[tuple[str, str]]]]:
    spec: LatentSpec = SimpleNamespace(cast=CAST)  # type: ignore[assignment]
    found = evidence(events, spec, asked, gold(events, CAST, asked))
    return {f.field: {frozenset((atom.event, atom.facet) for atom in group.of) for group in f.groups} for f in found}


@pytest.mark.parametrize("name", TIMELINES)
def test_groups_are_the_minimal_cuts(name: str) -> None:
    events = TIMELINES[name]
    about = "dependent" if "cascade" in name else "target"
    for asked in ASKED:
        asked = asked.model_copy(update={"about": about})
        for field, groups in computed(events, asked).items():
            cuts = minimal_cuts(events, CAST, asked, field, most=4)
            assert {group for group in groups if len(group) <= 4} == cuts, (asked.type, asked.rival, field)


def test_any_of_three_encodings_carries_a_preserved_value() -> None:
    (group,) = computed(TIMELINES["musing"], probe("current"))["value"]
    assert group == {("e1", "value"), ("e2", "value")}


def test_a_split_needs_an_encoding_and_either_part_for_the_previous_value() -> None:
    groups = computed(TIMELINES["split"], probe("previous"))["value"]
    assert groups == {
        frozenset({("e1", "value"), ("e2", "value")}),
        frozenset({("p1", "act"), ("p1", "trigger"), ("p2", "value")}),
    }


def test_a_negative_gold_rests_on_nothing_in_particular() -> None:
    assert computed(TIMELINES["musing"], probe("change"))["changed"] == set()


def test_a_stale_reference_carries_the_previous_value_too() -> None:
    former = event("former", "mention", None, "act old", old="B")
    groups = computed((*TIMELINES["chain"], former), probe("previous"))["value"]
    assert frozenset({("u", "value"), ("former", "old")}) in groups


def test_a_mention_of_what_nobody_asks_about_carries_nothing() -> None:
    idle = event("idle", "mention", "S", strength="weak")
    for asked in (probe("current"), probe("change"), probe("conflict", rival="B")):
        assert computed((*TIMELINES["update"], idle), asked) == computed(TIMELINES["update"], asked)


def test_evidence_does_not_depend_on_what_things_are_called() -> None:
    names = {"A": "Ironbark", "B": "Northgate"}
    other = tuple(
        each.model_copy(update={"id": f"x_{each.id}", "value": names.get(each.value or "")})
        for each in TIMELINES["update"]
    )
    found = computed(other, probe("conflict", rival="Northgate"))
    assert found == {
        field: {frozenset((f"x_{name}", facet) for name, facet in group) for group in groups}
        for field, groups in computed(TIMELINES["update"], probe("conflict", rival="B")).items()
    }


def test_a_date_that_is_said_carries_what_holds_on_a_day() -> None:
    later = event("u", "update", "B", "act value date", session=2, effective="2026-03-09")
    dates = ["2026-03-01", "2026-03-02", "2026-03-05", "2026-03-12"]
    sessions = [SimpleNamespace(index=index, timestamp=f"{day}T09:00:00+00:00") for index, day in enumerate(dates)]
    spec: LatentSpec = SimpleNamespace(cast=CAST, sessions=sessions)  # type: ignore[assignment]
    events = (*ENCODED, later)
    proofs = {}
    for day in (2, 3):
        asked = probe("as_of", as_of=day)
        answer = gold(events, CAST, asked, dates=dates_of(spec))
        (found,) = evidence(events, spec, asked, answer)
        proofs[answer.field("value").answer] = {
            frozenset((atom.event, atom.facet) for atom in group.of) for group in found.groups
        }
    assert proofs == {
        "A": {frozenset({("e1", "value"), ("e2", "value")}), frozenset({("u", "date")})},
        "B": {frozenset({("u", "value")})},
    }


def test_a_date_before_the_day_it_was_said_carries_what_held_then() -> None:
    early = event("u", "remember", "B", "act value date", session=3, effective="2026-03-02")
    days = enumerate(["2026-03-01", "2026-03-02", "2026-03-03", "2026-03-04"])
    sessions = [SimpleNamespace(index=index, timestamp=f"{day}T09:00:00+00:00") for index, day in days]
    spec: LatentSpec = SimpleNamespace(cast=CAST, sessions=sessions)  # type: ignore[assignment]
    asked = probe("as_of", as_of=2)
    (found,) = evidence([early], spec, asked, gold([early], CAST, asked, dates=dates_of(spec)))
    assert {(atom.event, atom.facet) for group in found.groups for atom in group.of} == {("u", "date"), ("u", "value")}
    assert [len(group.of) for group in found.groups] == [1, 1]


def test_many_changes_stay_quick() -> None:
    changes = [
        event(f"u{n}", "update", f"V{n}", "act value trigger", change_id=f"c{n}", trigger=f"t{n}") for n in range(6)
    ]
    groups = computed((*ENCODED, *changes), probe("trajectory"))["values"]
    assert groups == {frozenset({("e1", "value"), ("e2", "value")}), *(frozenset({(e.id, "value")}) for e in changes)}
