"""Computed evidence is what a search over all subsets finds."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from suitegen.latent.evidence import evidence
from suitegen.latent.gold import gold
from suitegen.model.latent import LatentSpec, Probe
from tests.latent.brute import minimal_cuts
from tests.latent.timelines import CAST, TIMELINES, probe

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
