"""Evidence by brute force: every minimal set of stated facets whose removal changes a gold field."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from suitegen.latent.gold import gold, same_answer
from suitegen.model.latent import Event, Member, Probe

Cut = frozenset[tuple[str, str]]


def minimal_cuts(events: Sequence[Event], cast: Sequence[Member], probe: Probe, field: str, most: int) -> set[Cut]:
    """All minimal cuts of at most ``most`` facets."""
    atoms = [(event.id, facet) for event in events for facet in event.says]
    whole = gold(events, cast, probe).field(field)
    found: list[Cut] = []
    for size in range(1, min(most, len(atoms)) + 1):
        for cut in map(frozenset, combinations(atoms, size)):
            if any(known <= cut for known in found):
                continue
            left = [e.model_copy(update={"says": tuple(f for f in e.says if (e.id, f) not in cut)}) for e in events]
            if not same_answer(gold(left, cast, probe).field(field), whole):
                found.append(cut)
    return set(found)
