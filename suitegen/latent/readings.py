"""Readings: a replay over every text that is left when facets are cut.

What such a text leads to is a *reading*: a state of the ledger with the smallest cuts that lead
there. Cuts that lead to one state are alike from then on, so that there are few readings however
many facets there are. The cuts travel with the replay as in Green, Karvounarakis and Tannen,
Provenance semirings (PODS 2007); no subset is searched for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import NamedTuple, TypeAlias

from suitegen.latent.gold import answered, same_answer
from suitegen.latent.ledger import Ledger, Rival, Says, Track, blank, tell
from suitegen.model.gold import GoldField
from suitegen.model.latent import Event, Member, Probe
from suitegen.model.words import Facet

Cut: TypeAlias = int
"""A set of facets, one bit each."""
Cuts: TypeAlias = tuple[Cut, ...]
"""Cuts of which none holds another."""
State: TypeAlias = tuple[Track, ...]
"""The tracks of all members, in the order of the cast."""


class Telling(NamedTuple):
    """An event with the facets that may be cut from it, each with its bit."""

    event: Event
    facets: tuple[tuple[Facet, Cut], ...]

    def texts(self) -> list[tuple[Cut, Says]]:
        """Every cut, the smaller ones first, with the facets that it leaves."""
        cuts = [cut for size in range(len(self.facets) + 1) for cut in combinations(self.facets, size)]
        return [(sum(bit for _, bit in cut), [each[0] for each in self.facets if each not in cut]) for cut in cuts]


class Reading(NamedTuple):
    """A state that some text leads to, with the smallest cuts that leave such a text."""

    ledger: Ledger
    cuts: Cuts


def readings(tellings: Sequence[Telling], cast: Sequence[Member], probe: Probe) -> tuple[Reading, ...]:
    """All readings of a timeline, as far as they differ for the probe.

    Args:
        tellings: the events in order, with what may be cut.
        cast: the members that the events and the probe speak of.
        probe: what will be asked of the readings.
    """
    found: tuple[Reading, ...] = (Reading(blank(cast), (0,)),)
    for number, telling in enumerate(tellings):
        corrects = any(later.event.op == "correct" for later in tellings[number + 1 :])
        found = _after(found, telling, probe.rival, corrects)
    return found


def _after(found: Iterable[Reading], telling: Telling, rival: str | None, corrects: bool) -> tuple[Reading, ...]:
    texts = telling.texts()
    gathered: dict[State, list[Cut]] = {}
    for ledger, cuts in found:
        told: dict[State, list[Cut]] = {}
        for cut, says in texts:
            after = tell(ledger, telling.event, says)
            state = tuple(_plain(after.track(name), rival, corrects) for name in ledger.members)
            _keep(told.setdefault(state, []), [cut])
        for state, more in told.items():
            _keep(gathered.setdefault(state, []), [cut | also for cut in cuts for also in more])
    return tuple(
        Reading(Ledger(ledger.members, dict(zip(ledger.members, state, strict=True))), tuple(cuts))
        for state, cuts in gathered.items()
    )


def _keep(kept: list[Cut], cuts: Iterable[Cut]) -> None:
    """Add the cuts of which none of the kept ones is a part, and drop those that hold them."""
    for cut in cuts:
        if not any(old & cut == old for old in kept):
            kept[:] = [old for old in kept if old & cut != cut]
            kept.append(cut)


def _plain(track: Track, rival: str | None, corrects: bool) -> Track:
    """The track without what no answer and no later event can depend on any more."""
    if len(track.opened) > 1 and not corrects:
        # Only the last change that is shown is asked about; of the others it counts that they were.
        last = track.steps[-1] if track.steps else None
        opened = tuple(
            step if step is last or step.open else step._replace(source="", trigger=None, reason=None)
            for step in track.opened
        )
        track = track._replace(opened=opened)
    if track.rivals:
        rivals = tuple(each for each in track.rivals if each.disputes or each.event or each.value == rival)
        track = track._replace(rivals=tuple(dict.fromkeys(reversed(rivals)))[::-1])
    return track


def smallest_cuts(found: Iterable[Reading], probe: Probe) -> tuple[Cuts, ...]:
    """The smallest cuts that change each field of the probe's gold, in the order of the fields.

    One of the readings must be that of the whole text.
    """
    ends = [(answered(reading.ledger, probe).fields, reading.cuts) for reading in found]
    whole = next(fields for fields, cuts in ends if 0 in cuts)
    changing: list[list[Cut]] = [[] for _ in whole]
    for fields, cuts in ends:
        for kept, field, right in zip(changing, fields, whole, strict=True):
            if not same_answer(field, right):
                _keep(kept, cuts)
    return tuple(tuple(kept) for kept in changing)
