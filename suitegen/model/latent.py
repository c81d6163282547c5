"""What is fixed about one episode before any text exists."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from suitegen.model.base import Noun
from suitegen.model.words import Behavior, Facet, Op, PhaseName, ProbeType, SessionKind, Source, Speaker, Strength


def _unset(value: Any) -> bool:
    """Left out of files where it says nothing: most episodes have one thread, asked at its end."""
    return not value


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
    window: str | None = Field(default=None, exclude_if=_unset)
    """The mark up to which it may use the history, where the same is asked at several marks."""


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
    thread: str | None = Field(default=None, exclude_if=_unset)
    """Where several threads share the history and nothing is said: the thread whose matter a filler is near."""
    scene: int = 0
    """Running number by which wordings are dealt: over the places that are planned in any member of the group, and
    then over the others."""


class Thread(Noun):
    """One target's events and probes in an episode, and what it is in the design."""

    id: str
    target: str
    """A cast member's name."""
    paradigm: str
    condition: str
    expects: Behavior | None
    domain: str
    fact_type: str
    split: bool = False
    twin: str | None = None
    """The id of its paired control in the same history: of the thread that differs in what is asked about only."""
    draw: int = 0
    """0 for the thread's first draw, k for its reserve k."""


THREAD_LABELS = ("paradigm", "condition", "expects", "domain", "fact_type")
"""What a thread is in the design, by the names of its fields."""


class LatentSpec(Noun):
    """Everything fixed about one episode: paradigm, condition, values, events, probes, layout.

    What a thread is in the design stands with the episode where there is one thread only, and with each thread
    where several share the history; the episode then has none of it.
    """

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
    paradigm: str | None = None
    condition: str | None = None
    expects: Behavior | None = None
    domain: str | None = None
    fact_type: str | None = None
    split: bool
    tier: str
    setting: str = ""
    shared: tuple[Thread, ...] = Field(default=(), exclude_if=_unset)
    """The threads of a history that several share; empty where the episode is one thread."""
    cast: tuple[Member, ...]
    elsewhere: tuple[str, ...] = ()
    """Fact types of the suite that the episode is not about, in a drawn order; scenes of background are theirs."""
    sessions: tuple[SessionPlan, ...]
    events: tuple[Event, ...]
    probes: tuple[Probe, ...]

    @property
    def threads(self) -> tuple[Thread, ...]:
        """All threads of the episode, in the order of the design."""
        return self.shared or (self._only(),)

    def _only(self) -> Thread:
        """The episode as its one thread."""
        labels: dict[str, Any] = {name: getattr(self, name) for name in THREAD_LABELS}
        name = self.probes[0].thread if self.probes else self.events[0].thread if self.events else ""
        return Thread.model_construct(
            id=name,
            target=self.cast[0].name if self.cast else "",
            split=self.split,
            twin=None,
            draw=self.draw,
            **labels,
        )

    def label(self, name: str) -> str:
        """One of ``THREAD_LABELS`` for people: where threads differ in it, how many there are."""
        found = tuple(dict.fromkeys(str(getattr(thread, name)) for thread in self.threads))
        return found[0] if len(found) == 1 else f"{len(found)} of them"

    def thread(self, name: str) -> Thread:
        """The thread of that id; the only one, whatever it is called.

        Raises:
            KeyError: there is none.
        """
        if not self.shared:
            return self._only()
        for thread in self.shared:
            if thread.id == name:
                return thread
        raise KeyError(name)

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
