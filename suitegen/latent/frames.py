"""What surrounds that which sessions say: scenes, or background dialogues in which it is said in passing.

Planned sessions and background are framed alike, and most background holds a small fact of its own, said as
facts are: then neither the frame nor the manner of speaking tells which sessions matter.
"""

from __future__ import annotations

from collections.abc import Collection

from suitegen.latent.seeds import derive, rng, shuffled
from suitegen.model.latent import Frame
from suitegen.model.suite import SuiteSpec
from suitegen.model.words import SessionKind

HOSTED = 0.5
"""Share of sessions that are set into a background dialogue."""
PLAIN = 0.15
"""Share of background that says nothing of its own."""
ELSEWHERE = 4
"""Most fact types whose scenes serve one episode as background."""


def elsewhere(suite: SuiteSpec, fact_types: Collection[str], case: str) -> tuple[str, ...]:
    """Fact types for the scenes of background, but those of the case; every draw of a case has the same."""
    others = sorted(set(suite.fact_types).difference(fact_types))
    return shuffled(others, derive(suite.seed, suite.id, case), "elsewhere")[:ELSEWHERE]


def frame(kind: SessionKind, seed: int, slot: str, has_scenes: bool) -> Frame:
    """The frame of a place; it depends on the seed and the slot, which the members of a matched group share.

    Args:
        kind: what stands there.
        seed: the draw's.
        slot: the place's name.
        has_scenes: whether background can have a scene: of a fact type that the episode is not about.
    """
    hosted = rng(seed, "frame", slot).random() < HOSTED
    if kind != "background":
        return "host" if hosted else "scene"
    if rng(seed, "plain", slot).random() < PLAIN:
        return "plain"
    return "host" if hosted or not has_scenes else "scene"
