"""What a case needs: the author's files, the writer, the fillers, and the gates with their validators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from suitegen.filler.source import Source
from suitegen.model.gate import GateSpec
from suitegen.model.history import Written
from suitegen.model.latent import LatentSpec, SessionPlan
from suitegen.model.words import Level
from suitegen.validation.protocol import AnyValidator, Kit


class Writer(Protocol):
    """Writes one session of a latent spec."""

    def write(self, spec: LatentSpec, plan: SessionPlan, attempt: int) -> Written:
        """The session's text with the span of each event; another attempt, another wording."""


@dataclass(frozen=True, slots=True)
class Workshop:
    """Everything a case is made with. Nothing in it changes while a build runs."""

    kit: Kit
    writer: Writer
    sources: Sequence[Source]
    gates: Sequence[GateSpec]
    """The suite's gates, in order."""
    validators: Mapping[str, AnyValidator]

    def of_level(self, level: Level) -> tuple[GateSpec, ...]:
        """The gates of one level."""
        return tuple(gate for gate in self.gates if gate.level == level)
