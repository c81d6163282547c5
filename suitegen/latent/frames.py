"""What surrounds that which sessions say: scenes, background dialogues before or after which it is said, or nothing.

Planned sessions and background are framed alike, and most background holds a small fact of its own, said as
facts are: then neither the frame nor the manner of speaking tells which sessions matter.
"""

from __future__ import annotations

from collections.abc import Collection

from suitegen.latent.seeds import derive, rng, shuffled
from suitegen.model.latent import Frame
from suitegen.model.suite import SuiteSpec
from suitegen.model.words import SessionKind

HOSTED = 0.3
"""Share of sessions that are set before or after a background dialogue."""
ALONE = 0.1
"""Share of sessions that are nothing but what is said."""
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
    drawn = rng(seed, "frame", slot).random()
    framed: Frame = "host" if drawn < HOSTED else "alone" if drawn < HOSTED + ALONE else "scene"
    if kind != "background":
        return framed
    if rng(seed, "plain", slot).random() < PLAIN:
        return "plain"
    return "host" if framed == "scene" and not has_scenes else framed


def apart(seed: int, slot: str) -> Frame:
    """The frame of a place whose attribute no scene may name: as that of others, with a host for a scene."""
    framed = frame("event", seed, slot, has_scenes=True)
    return "host" if framed == "scene" else framed
