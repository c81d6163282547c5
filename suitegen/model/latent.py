"""What is fixed about one episode before any text exists."""

from __future__ import annotations

from typing import Literal

from suitegen.model.base import Noun
from suitegen.model.words import Behavior, Facet, Op, PhaseName, ProbeType, SessionKind, Source, Speaker, Strength


class Member(Noun):
    """A cast member with its draw: one (entity, attribute) and the values of its roles."""

    name: str
    fact_type: str
    entity: str
    """The entity's name; ``user`` when the user is the subject."""
    attribute: str
    values: dict[str, str]
    """Role to value."""
    confusable: str | None = None
    """The id of the fact type's confusable, when the attribute is that one and not the fact type's own."""
    depends_on: str | None = None


class Event(Noun):
    """One thing said in one turn. Events of a spec stand in the order in which they are said."""

    id: str
    thread: str
    op: Op
    target: str
    """A cast member's name."""
    session: int
    """Index of the session that says it."""
    value: str | None = None
    old: str | None = None
    speaker: Speaker = "user"
    source: Source = "user"
    origin: str | None = None
    """The person, tool or document that told it, where it is not the speaker."""
    strength: Strength = "strong"
    says: tuple[Facet, ...] = ("act", "value")
    """Every facet the text states, ``act`` included where it is stated."""
    refs: dict[str, str] = {}
    change_id: str | None = None
    trigger: str | None = None
    reason: str | None = None
    scope: str | None = None
    effective: str | None = None
    """ISO 8601 date from which the value holds, where it is not the day it was said."""

    def states(self, facet: Facet) -> bool:
        """Whether the text states the facet."""
        return facet in self.says


class Probe(Noun):
    """A question as it is fixed before it is worded."""

    id: str
    thread: str
    type: ProbeType
    about: str
    """A cast member's name."""
    asked_after: int
    """Index of the last session it may use."""
    rival: str | None = None
    """The value that a source, status or conflict question names."""
    premise: str | None = None
    as_of: int | None = None
    """Session index whose date an as-of question names."""


Frame = Literal["scene", "host", "alone", "plain"]
"""What surrounds that which a session says: a scene of the fact type (for background, of another one), a background
dialogue before or after which it is said, or nothing: it stands alone. A plain background dialogue says nothing."""

HOSTS: frozenset[Frame] = frozenset({"host", "plain"})
"""Frames for which a background dialogue is chosen."""


class SessionPlan(Noun):
    """A place in the history: what stands there, and when."""

    index: int
    slot: str
    """A name of the place that matched episodes share; text is drawn by it."""
    phase: PhaseName
    kind: SessionKind
    timestamp: str
    """ISO 8601 with offset; strictly increasing over a history."""
    events: tuple[str, ...] = ()
    frame: Frame = "scene"
    scene: int = 0
    """Running number by which wordings are dealt: over the places that are planned in any member of the group, and
    then over the others."""


class LatentSpec(Noun):
    """Everything fixed about one episode: paradigm, condition, values, events, probes, layout."""

    suite: str
    case: str
    """Key of the case; the members of a matched group share it."""
    variant: str
    """Which member of the group this is; empty where there is no group."""
    draw: int
    """0 for the first draw, k for reserve k."""
    seed: int
    """Seed of the draw; shared by the members of the group."""
    language: str
    paradigm: str
    condition: str
    expects: Behavior
    domain: str
    fact_type: str
    split: bool
    tier: str
    setting: str = ""
    cast: tuple[Member, ...]
    elsewhere: tuple[str, ...] = ()
    """Fact types of the suite that the episode is not about, in a drawn order; scenes of background are theirs."""
    sessions: tuple[SessionPlan, ...]
    events: tuple[Event, ...]
    probes: tuple[Probe, ...]

    def member(self, name: str) -> Member:
        """The cast member of that name.

        Raises:
            KeyError: there is none.
        """
        for member in self.cast:
            if member.name == name:
                return member
        raise KeyError(name)

    def events_of(self, plan: SessionPlan) -> tuple[Event, ...]:
        """The events said in a session, in order."""
        return tuple(event for event in self.events if event.session == plan.index)

    def opens(self, event: Event) -> bool:
        """Whether an event leaves its value to another one that completes it, as part 1 of a split does."""
        return not event.states("value") and any(each.refs.get("completes") == event.id for each in self.events)

    def by_value(self, event: Event) -> bool:
        """Whether an event speaks of its target by the value that ends there: so does part 1 of a split, if it can."""
        return event.states("old") and self.opens(event)

    def values(self) -> frozenset[str]:
        """Every value that any role of the cast holds."""
        return frozenset(value for member in self.cast for value in member.values.values())
