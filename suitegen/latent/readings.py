"""Readings: a replay over every text that is left when facets are cut.

What such a text leads to is a *reading*: a state of the ledger with the smallest cuts that lead
there. Cuts that lead to one state are alike from then on, so that there are few readings however
many facets there are. The cuts travel with the replay as in Green, Karvounarakis and Tannen,
Provenance semirings (PODS 2007); no subset is searched for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import NamedTuple, TypeAlias

from suitegen.latent.gold import answered, same_answer
from suitegen.latent.ledger import Ledger, Says, Step, Track, blank, tell
from suitegen.model.gold import GoldField
from suitegen.model.latent import Event, Member, Probe
from suitegen.model.words import Facet

Cut: TypeAlias = int
"""A set of facets, one bit each."""
FieldCuts: TypeAlias = tuple[str, tuple[Cut, ...]]
"""A field with cuts of which none holds another."""
State: TypeAlias = tuple[Track, ...]
"""The tracks of all members, in the order of the cast."""


class Cuttable(NamedTuple):
    """An event with the facets that may be cut from it, each with its bit."""

    event: Event
    facets: tuple[tuple[Facet, Cut], ...]

    def texts(self) -> tuple[tuple[Cut, Says], ...]:
        """Every cut with the facets that it leaves, the smaller cuts first: the first one cuts nothing."""
        cuts = (cut for size in range(len(self.facets) + 1) for cut in combinations(self.facets, size))
        return tuple(
            (sum(bit for _, bit in cut), tuple(f for f, bit in self.facets if (f, bit) not in cut)) for cut in cuts
        )

    def dateless(self) -> Cuttable:
        """The same with its date out of reach, as where the order of the events is given."""
        return self._replace(facets=tuple(each for each in self.facets if each[0] != "date"))


class Row(NamedTuple):
    """Events in the order in which they count, with what was cut to make them stand so."""

    cut: Cut
    tellings: tuple[Cuttable, ...]


def smallest_cuts(rows: Sequence[Row], cast: Sequence[Member], probe: Probe) -> tuple[FieldCuts, ...]:
    """The smallest cuts that change each field of a probe's gold.

    Args:
        rows: all orders in which cuts can make the events stand; the first is that of the whole text.
        cast: the members that the events and the probe speak of.
        probe: what is asked at the end.
    """
    whole: tuple[GoldField, ...] = ()
    changing: list[list[Cut]] = []
    for row in rows:
        replay = _Replay(row, cast, probe)
        if not changing:
            whole = replay.answers(0, replay.start)
            changing = [[] for _ in whole]
        front = {replay.start: [row.cut]}
        for number in range(len(row.tellings) + 1):
            front = replay.told(number - 1, front) if number else front
            for state, cuts in list(front.items()):
                answers = replay.answers(number, state)
                wrong = [not same_answer(*pair) for pair in zip(answers, whole, strict=True)]
                for kept, is_wrong in zip(changing, wrong, strict=True):
                    _add(kept, cuts if is_wrong else ())
                if all(wrong):
                    # Whatever else were cut, these cuts would be part of it.
                    del front[state]
    return tuple((field.name, tuple(kept)) for field, kept in zip(whole, changing, strict=True))


def _add(kept: list[Cut], cuts: Iterable[Cut]) -> None:
    """Add to the kept cuts those of which none is a part, and drop those that then hold another."""
    for cut in cuts:
        if not any(old & cut == old for old in kept):
            kept[:] = [old for old in kept if old & cut != cut]
            kept.append(cut)


class _Replay:
    """The replay of one row over all texts that are left of it."""

    def __init__(self, row: Row, cast: Sequence[Member], probe: Probe) -> None:
        self.events = tuple(telling.event for telling in row.tellings)
        self.texts = tuple(telling.texts() for telling in row.tellings)
        self.members = {member.name: member for member in cast}
        self.probe = probe
        self.start: State = tuple(blank(cast).track(name) for name in self.members)
        self.corrects = tuple(
            any(event.op == "correct" for event in self.events[number + 1 :]) for number in range(len(self.events))
        )
        self.ends: dict[tuple[int, State], tuple[GoldField, ...]] = {}

    def told(self, number: int, front: dict[State, list[Cut]]) -> dict[State, list[Cut]]:
        """What the readings of a front become when the next event is told, with any of its facets cut."""
        gathered: dict[State, list[Cut]] = {}
        for state, cuts in front.items():
            after: dict[State, list[Cut]] = {}
            for cut, says in self.texts[number]:
                _add(after.setdefault(self._next(number, state, says), []), [cut])
            for following, more in after.items():
                _add(gathered.setdefault(following, []), [cut | also for cut in cuts for also in more])
        return gathered

    def answers(self, number: int, state: State) -> tuple[GoldField, ...]:
        """The gold of a state before the event of that number, when nothing more is cut."""
        path = []
        while number < len(self.events) and (number, state) not in self.ends:
            path.append((number, state))
            state = self._next(number, state, self.texts[number][0][1])
            number += 1
        found = self.ends.get((number, state)) or answered(self._ledger(state), self.probe).fields
        self.ends.update(dict.fromkeys([*path, (number, state)], found))
        return found

    def _ledger(self, state: State) -> Ledger:
        return Ledger(self.members, dict(zip(self.members, state, strict=True)))

    def _next(self, number: int, state: State, says: Says) -> State:
        before = self._ledger(state)
        after = tell(before, self.events[number], says)
        if after is before:
            return state
        return tuple(_plain(after.tracks[name], self.probe, self.corrects[number]) for name in self.members)


def _plain(track: Track, probe: Probe, corrects: bool) -> Track:
    """The track without what no answer and no later event can depend on any more."""
    if track.opened and not corrects:
        track = track._replace(opened=_plain_steps(track.opened, probe))
    if track.rivals:
        rivals = tuple(each for each in track.rivals if each.disputes or each.event or each.value == probe.rival)
        track = track._replace(rivals=tuple(dict.fromkeys(reversed(rivals)))[::-1])
    return track


def _plain_steps(opened: tuple[Step, ...], probe: Probe) -> tuple[Step, ...]:
    """Changes that are shown and closed stay so; only the last one is asked about, and all are counted."""
    last = max((at for at, step in enumerate(opened) if step.shown), default=-1)
    plain = []
    for at, step in enumerate(opened):
        if at >= last or not step.shown:
            whole = step.open or not step.shown or (step.said and step.valued and step.follows)
            plain.append(step if whole else step._replace(said=True, valued=True, follows=True))
        elif probe.type == "changes":
            plain.append(_COUNTED)
    return tuple(plain)


_COUNTED = Step("", "", said=True, valued=True, follows=True, open=False)
