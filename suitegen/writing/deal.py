"""Dealing wordings to the places of an episode, so that none comes twice while others are left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from suitegen.latent.seeds import rng, shuffled
from suitegen.model.latent import LatentSpec, SessionPlan

T = TypeVar("T")

ATTEMPT_STRIDE = 31
"""Places that a further attempt is ahead: prime, and more than a usual history has scenes."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a session stands among the scenes of its episode, and which attempt at it this is.

    Everything is drawn by the draw's seed, the slot, the scene and the attempt, which the
    members of a matched group share: what they have in common is said in the same words.
    """

    seed: int
    slot: str
    scene: int
    attempt: int

    @property
    def number(self) -> int:
        """How far the decks have been dealt before this place."""
        return self.scene + ATTEMPT_STRIDE * self.attempt

    def order(self, pool: Sequence[T], *name: str | int) -> tuple[T, ...]:
        """The pool as a deck; its order is the same for all places of the episode."""
        return shuffled(pool, self.seed, "deck", *name)

    def deal(self, pool: Sequence[T], *name: str | int, ahead: int = 0) -> T:
        """This place's card of the pool's deck; consecutive places get different ones.

        Args:
            pool: what is dealt; not empty.
            name: the deck's name.
            ahead: cards to skip, where a place needs several of one deck.
        """
        return self.order(pool, *name)[(self.number + ahead) % len(pool)]

    def pick(self, pool: Mapping[T, int], *name: str | int, ahead: int = 0) -> tuple[T, int]:
        """This place's card of a deck that holds every card as often as its weight says, and which of its copies it is.

        Args:
            pool: cards with their weights; not empty.
            name: the deck's name.
            ahead: cards to skip.
        """
        copies = [(card, copy) for card, weight in pool.items() for copy in range(weight)]
        deck = self.order(copies, *name)
        rounds, at = divmod(self.number + ahead, len(deck))
        card = deck[at][0]
        # Copies are counted as they lie in the deck: those of neighbouring places are neighbours.
        return card, rounds * pool[card] + sum(other == card for other, _ in deck[:at])

    def random(self, *name: str | int) -> Random:
        """A generator for what is drawn and not dealt."""
        return rng(self.seed, self.slot, self.attempt, *name)


def place_of(spec: LatentSpec, plan: SessionPlan, attempt: int) -> Place:
    """The place of a planned session at an attempt."""
    return Place(spec.seed, plan.slot, plan.scene, attempt)
