"""Choosing background: every place gets a dialogue of its own that says nothing about the episode."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random

from suitegen.errors import DesignError
from suitegen.filler.digest import content_hash
from suitegen.filler.harmless import Matter, is_harmless, matters
from suitegen.filler.source import Source
from suitegen.latent.seeds import rng
from suitegen.model.history import Written
from suitegen.model.latent import HOSTS, LatentSpec
from suitegen.values.lexicon import Lexicon

TRIES = 8
"""New dialogues of one topic that are looked at for a place, before the next topic is."""


def backgrounds(
    spec: LatentSpec,
    sources: Sequence[Source],
    lexicon: Lexicon,
    attempt: Mapping[int, int] | None = None,
    group: Sequence[LatentSpec] = (),
) -> Mapping[int, Written]:
    """A dialogue for every place of a spec that is framed by one, by session index.

    No dialogue stands twice in a history, and no topic comes again before all have come that
    are fit. A dialogue that touches anything the cast is about is passed over. What a slot gets
    depends on the seed, the slots and the cast; so with the same ``group`` every member of a
    matched group has the same dialogue in the same slot, as long as the same slots are redrawn.

    Args:
        spec: whose places are filled.
        sources: where dialogues come from; every topic of each is as likely as any other.
        lexicon: the vocabularies of the fact types.
        attempt: session index to the number of redraws of that place; other places stay as they are.
        group: all members of the matched group, ``spec`` among them; only ``spec`` if empty.

    Raises:
        DesignError: the sources have fewer dialogues than there are places, at all or after
            those are left out that touch the episode; the message holds both numbers.
    """
    slots = {plan.slot: plan.index for plan in spec.sessions if plan.frame in HOSTS}
    redraws = {slot: (attempt or {}).get(index, 0) for slot, index in slots.items()}
    members = group or (spec,)
    wanted = sorted({plan.slot for m in members for plan in m.sessions if plan.frame in HOSTS})
    pool = _Pool(tuple((source, topic) for source in sources for topic, count in enumerate(source.counts) if count))
    if len(wanted) > pool.size:
        raise _too_small(spec, len(wanted), pool.size)
    chosen = _choose(spec, wanted, redraws, pool, matters(members, lexicon))
    return {index: chosen[slot] for slot, index in slots.items()}


@dataclass(frozen=True, slots=True)
class _Pool:
    """All topics of all sources."""

    topics: tuple[tuple[Source, int], ...]

    @property
    def size(self) -> int:
        """How many dialogues there are in all."""
        return sum(source.counts[topic] for source, topic in self.topics)

    def candidates(self, uses: Mapping[int, int], random: Random) -> Iterator[tuple[int, Written]]:
        """Dialogues with the index of their topic, topics that were used least often first."""
        for level in range(max(uses.values(), default=0) + 1):
            for index in _shuffled(len(self.topics), random):
                if uses.get(index, 0) == level:
                    source, topic = self.topics[index]
                    # So many as were taken from it may come up again.
                    for number in islice(_shuffled(source.counts[topic], random), TRIES + level):
                        yield index, source.dialogue(topic, number)


def _choose(
    spec: LatentSpec, slots: Sequence[str], redraws: Mapping[str, int], pool: _Pool, about: Sequence[Matter]
) -> dict[str, Written]:
    chosen: dict[str, Written] = {}
    uses: Counter[int] = Counter()
    taken: set[str] = set()
    # Redraws come after all first draws, and keep clear of them, so that they move no other place.
    rounds = range(max(redraws.values(), default=0) + 1)
    places = [(draw, slot) for draw in rounds for slot in slots if draw <= redraws.get(slot, 0)]
    for draw, slot in places:
        candidates = pool.candidates(uses, rng(spec.seed, "filler", slot, draw))
        found = next(((topic, written) for topic, written in candidates if _fits(written, taken, about)), None)
        if found is None:
            raise _too_small(spec, len(places), len(taken))
        topic, chosen[slot] = found
        uses[topic] += 1
        taken.add(content_hash(chosen[slot].turns))
    return chosen


def _fits(written: Written, taken: set[str], about: Sequence[Matter]) -> bool:
    return content_hash(written.turns) not in taken and is_harmless(written.turns, about)


def _shuffled(count: int, random: Random) -> Iterator[int]:
    """The numbers below ``count`` in a drawn order, one at a time: a large pool costs no more than is looked at."""
    moved: dict[int, int] = {}
    for place in range(count):
        drawn = random.randrange(place, count)
        yield moved.get(drawn, drawn)
        moved[drawn] = moved.pop(place, place)


def _too_small(spec: LatentSpec, need: int, have: int) -> DesignError:
    return DesignError(
        f"{need} background dialogues are needed, and the sources have {have} that are fit",
        where=f"{spec.suite}:{spec.case}",
        hint="add dialogues or scripts to the suite's fillers, or make its histories shorter",
    )
