"""Evidence by brute force: every minimal set of stated facets whose removal changes a gold field."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from suitegen.latent.gold import answered, gold, same_answer
from suitegen.latent.ledger import replay
from suitegen.model.gold import GoldField
from suitegen.model.latent import Event, Member, Probe

Cut = frozenset[tuple[str, str]]


def minimal_cuts(events: Sequence[Event], cast: Sequence[Member], probe: Probe, field: str, most: int) -> set[Cut]:
    """All minimal cuts of at most ``most`` facets."""
    return all_minimal_cuts(events, cast, [probe], most)[probe.id, field]


def all_minimal_cuts(
    events: Sequence[Event],
    cast: Sequence[Member],
    probes: Sequence[Probe],
    most: int,
    dates: Mapping[int, str] | None = None,
) -> dict[tuple[str, str], set[Cut]]:
    """The same for every field of several probes, by the probe's id and the field's name."""
    whole = _answers(events, cast, probes, dates)
    found: dict[tuple[str, str], set[Cut]] = {key: set() for key in whole}
    for cut in _subsets([(event.id, facet) for event in events for facet in event.says], most):
        for key, field in _answers(left_of(events, cut), cast, probes, dates).items():
            if not same_answer(field, whole[key]) and not any(known <= cut for known in found[key]):
                found[key].add(cut)
    return found


def left_of(events: Sequence[Event], cut: Cut) -> list[Event]:
    """The events without the facets of a cut."""
    touched = {event for event, _ in cut}
    return [
        event.model_copy(update={"says": tuple(f for f in event.says if (event.id, f) not in cut)})
        if event.id in touched
        else event
        for event in events
    ]


def _subsets(atoms: Sequence[tuple[str, str]], most: int) -> Iterator[Cut]:
    """Sets of at most so many atoms, the smaller ones first."""
    for size in range(1, min(most, len(atoms)) + 1):
        yield from map(frozenset, combinations(atoms, size))


def _answers(
    events: Sequence[Event], cast: Sequence[Member], probes: Sequence[Probe], dates: Mapping[int, str] | None
) -> dict[tuple[str, str], GoldField]:
    ledger = replay(events, cast)
    return {
        (probe.id, field.name): field
        for probe in probes
        for field in (
            gold(events, cast, probe, dates=dates) if probe.type == "as_of" else answered(ledger, probe)
        ).fields
    }
