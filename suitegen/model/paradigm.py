"""Paradigm files: conditions declared as casts, phases, sessions, events and probes."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints, model_validator

from suitegen.model.base import Count, Identifier, Noun, Positive, Text
from suitegen.model.words import Behavior, Facet, Op, PhaseName, ProbeType, Source, Speaker, Strength

Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$")]
"""The name of a cast member, an event, a probe or a mark."""
Role = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)?$")]
"""A value role (``initial``), or another member's (``neighbour.initial``)."""


_MOVES: frozenset[Op] = frozenset({"update", "restore"})
"""Ops after which another value holds than the one that truly held before."""


class CastMember(Noun):
    """One (entity, attribute) of a condition, relative to the target."""

    attribute: Literal["same", "other"] = Field(
        default="same", description="'other': another attribute of the same entity."
    )
    entity: Literal["same", "other"] = Field(
        default="same", description="'other': the same attribute of another entity."
    )
    depends_on: Name | None = Field(
        default=None, description="Cast member whose change invalidates this one; implies another attribute."
    )


class EventSpec(Noun):
    """One thing said in one turn."""

    id: Name | None = None
    op: Op
    target: Name = "target"
    value: Role | None = None
    old: Role | None = Field(default=None, description="The former value that is said; by default the one before.")
    speaker: Speaker = "user"
    source: Source | None = Field(default=None, description="Who told it; by default the speaker.")
    origin: Text | None = None
    strength: Strength = "strong"
    says: tuple[Facet, ...] = Field(
        default=("value",), description="What the text states beside the act, which is implied."
    )
    refs: dict[Literal["completes", "resolves", "restores", "derives", "cascades"], Name] = Field(default_factory=dict)
    change: Name | None = Field(default=None, description="A slot for a drawn trigger and reason; one name, one draw.")
    scope: Literal["value", "attribute", "entity"] | None = None
    effective_days: int | None = Field(
        default=None, description="Days after the session on which the value takes effect."
    )


class SessionSpec(Noun):
    """A session that holds events, with the fillers before it."""

    events: tuple[EventSpec, ...] = Field(min_length=1)
    repeat: Positive | Literal["tier"] = Field(
        default=1, description="How many such sessions; 'tier': the tier's encoding count."
    )
    gap: Count = Field(default=0, description="Filler sessions directly before it.")
    at: Name | None = Field(default=None, description="A mark of the suite before which it stands.")


Slot = Literal["before", "after"]
"""A stretch of fillers whose length the tier gives."""


class Phase(Noun):
    """One phase: exactly one of the names, with its sessions or a tier slot."""

    encoding: tuple[SessionSpec, ...] | Slot | None = None
    filler: tuple[SessionSpec, ...] | Slot | None = None
    perturbation: tuple[SessionSpec, ...] | Slot | None = None
    post_perturbation: tuple[SessionSpec, ...] | Slot | None = None

    @model_validator(mode="after")
    def _one(self) -> Phase:
        if len(self.model_fields_set) != 1 or self.body is None:
            raise ValueError("a phase has exactly one key: encoding, filler, perturbation or post_perturbation")
        return self

    @property
    def name(self) -> PhaseName:
        """The phase's name."""
        (name,) = self.model_fields_set
        return name  # type: ignore[return-value]

    @property
    def body(self) -> tuple[SessionSpec, ...] | Slot | None:
        """Its sessions, or the tier slot that it stands for."""
        body: tuple[SessionSpec, ...] | Slot | None = getattr(self, self.name)
        return body


class ProbeSpec(Noun):
    """A question to be asked, as declared."""

    id: Name | None = None
    type: ProbeType
    about: Role = Field(default="target", description="A cast member, or member.role for source, status and conflict.")
    asked_after: Name | None = Field(
        default=None,
        description="An event or a mark; by default the end. 'each_mark': once at every mark of the suite after which "
        "its subject was spoken of; at all of them if it never is.",
    )
    as_of: Name | None = Field(
        default=None,
        description="An event or a mark. 'mark_before': the mark before the one at which it is asked, or where its "
        "subject was first spoken of if that is later.",
    )
    premise: Role | None = None
    when: Literal["split", "whole"] | None = None


EACH_MARK = "each_mark"
"""In place of a mark: a probe at each of them."""
MARK_BEFORE = "mark_before"
"""In place of a mark: the one before that at which a probe is asked."""


class SplitSpec(Noun):
    """One declared transform of an update into two parts."""

    event: Name
    gap: Count = 2


class TwinSpec(Noun):
    """The paired control: the same condition with one event or probe replaced in part."""

    event: Name | None = None
    probe: Name | None = None
    replacement: dict[str, object] = Field(alias="as")

    @model_validator(mode="after")
    def _one(self) -> TwinSpec:
        if (self.event is None) == (self.probe is None):
            raise ValueError("a twin names either an event or a probe")
        return self


class Condition(Noun):
    """A controlled manipulation: who, what is said when, and what is asked."""

    about: Text | None = Field(default=None, description="One sentence for people.")
    expects: Behavior | None = Field(
        default=None, description="What a memory should do with the change; none where the question is another one."
    )
    cast: dict[Name, CastMember] = Field(default_factory=lambda: {"target": CastMember()})
    phases: tuple[Phase, ...] = Field(min_length=1)
    probes: tuple[ProbeSpec, ...] = Field(min_length=1)
    split: SplitSpec | None = None
    sibling: Name | None = Field(
        default=None,
        description="The counterfactual condition; its perturbation in place of this one's flips the gold.",
    )
    twin: TwinSpec | None = None

    @property
    def moves(self) -> bool:
        """Whether it, or its twin, gives the attribute another value than the one that held.

        A correction does not: what it takes back has never held. Nor does what befalls another attribute.
        """
        bodies = [phase.body for phase in self.phases]
        events = [e for body in bodies if isinstance(body, tuple) for session in body for e in session.events]
        twin = self.twin is not None and self.twin.replacement.get("op") in _MOVES
        return twin or any(event.op in _MOVES and self._is_own(event.target) for event in events)

    def _is_own(self, target: str) -> bool:
        member = self.cast.get(target, CastMember())
        return member.attribute == "same" and member.depends_on is None


class Paradigm(Noun):
    """A family of conditions with the idea they come from."""

    id: Identifier
    about: Text
    source: Text | None = Field(default=None, description="Paper and section.")
    conditions: dict[Name, Condition] = Field(min_length=1)

    def moves(self, name: str) -> bool:
        """Whether a case of the condition of that name, or its counterfactual, moves the attribute."""
        condition = self.conditions[name]
        sibling = self.conditions.get(condition.sibling or "")
        return condition.moves or (sibling is not None and sibling.moves)
