"""A condition as the rules see it: its events in order with their places, and what holds after each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import get_args

from suitegen.library.yaml import Loc
from suitegen.model.paradigm import Condition, EventSpec, SessionSpec
from suitegen.model.words import Op, PhaseName, Source

TARGET = "target"
ACCEPTED: frozenset[Op] = frozenset({"remember", "update", "correct", "restore"})
"""Ops whose value is the one that holds from then on."""
MOVES: frozenset[Op] = frozenset({"update", "restore"})
"""Ops after which the value before is a former one."""


PHASES: Sequence[str] = get_args(PhaseName)


@dataclass(frozen=True, slots=True)
class Said:
    """An event with its session and its place below the condition."""

    spec: EventSpec
    session: SessionSpec
    loc: Loc

    @property
    def source(self) -> Source:
        """Who told it."""
        return self.spec.source or self.spec.speaker


@dataclass(frozen=True)
class Scene:
    """A condition with its events in the order in which they are said."""

    condition: Condition

    @cached_property
    def events(self) -> tuple[Said, ...]:
        """All events."""
        return tuple(_events(self.condition))

    @cached_property
    def order(self) -> Mapping[str, int]:
        """Position of each event that has an id; of one id that stands twice, the first."""
        ids: dict[str, int] = {}
        for index, said in enumerate(self.events):
            if said.spec.id is not None:
                ids.setdefault(said.spec.id, index)
        return ids

    @property
    def members(self) -> tuple[str, ...]:
        """The names of the cast."""
        return tuple(self.condition.cast)

    @cached_property
    def marks(self) -> frozenset[str]:
        """Marks that its sessions stand at."""
        return frozenset(said.session.at for said in self.events if said.session.at)

    def held(self, target: str, count: int | None = None) -> tuple[str, ...]:
        """The roles that a target has held one after the other, after the first ``count`` events (all, for None)."""
        roles: list[str] = []
        for said in self.events[:count]:
            spec = said.spec
            if spec.target != target:
                continue
            if spec.op == "forget":
                roles.clear()
            elif spec.op in ACCEPTED and spec.value is not None:
                role = owned(spec.value)
                if spec.op == "correct" and roles:
                    roles.pop()
                if not roles or roles[-1] != role:
                    roles.append(role)
        return tuple(roles)

    @cached_property
    def roles(self) -> tuple[str, ...]:
        """Every value role that the condition names, each with its member."""
        named: list[str] = [f"{TARGET}.initial"]
        for said in self.events:
            named += [owned(role) for role in (said.spec.value, said.spec.old) if role]
        for probe in self.condition.probes:
            named += [owned(role) for role in (probe.premise,) if role]
            named += [probe.about] if "." in probe.about else []
        if self.condition.twin is not None:
            value = self.condition.twin.replacement.get("value")
            named += [owned(value)] if isinstance(value, str) else []
        return tuple(dict.fromkeys(named))

    @cached_property
    def changes(self) -> tuple[str, ...]:
        """The slots for a drawn trigger and reason."""
        return tuple(dict.fromkeys(said.spec.change for said in self.events if said.spec.change))


def owned(role: str) -> str:
    """A value role with its member: a bare one is the target's."""
    return role if "." in role else f"{TARGET}.{role}"


def member_of(role: str) -> str:
    """The member whose role it is."""
    return role.partition(".")[0] if "." in role else TARGET


def _events(condition: Condition) -> Iterator[Said]:
    for number, phase in enumerate(condition.phases):
        # Under the lint, a phase may have several names.
        for name in sorted(phase.model_fields_set, key=PHASES.index):
            sessions = getattr(phase, name)
            for index, session in enumerate(sessions if isinstance(sessions, tuple) else ()):
                for position, spec in enumerate(session.events):
                    yield Said(spec, session, ("phases", number, name, index, "events", position))
