"""What a case needs: the author's files, the writer, the fillers, and the gates with their validators."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from suitegen.filler.source import Source
from suitegen.model.gate import GateSpec
from suitegen.model.history import Written
from suitegen.model.latent import LatentSpec, SessionPlan
from suitegen.model.words import Level
from suitegen.validation.protocol import AnyValidator, Kit
from suitegen.writing.model_writer import ROLE, ModelWriter


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
    model: ModelWriter | None = None
    """Writes the planned sessions in place of the writer, which then is left with background and counterfactuals."""
    fallback: bool = False
    """Whether the writer takes over what the model does not get right."""
    judges: Mapping[str, str] = field(default_factory=dict)
    """Role to model, of the models that judge."""

    @property
    def rounds(self) -> int:
        """How often a draw's text is looked at, at most."""
        repairs = self.kit.suite.repairs
        return repairs + 1 if self.model is None else self.model.tries + self.fallback + repairs

    @property
    def models(self) -> dict[str, str]:
        """Role to model, as it is published."""
        return {**({ROLE: self.model.origin} if self.model else {}), **self.judges}

    def of_level(self, level: Level) -> tuple[GateSpec, ...]:
        """The gates of one level."""
        return tuple(gate for gate in self.gates if gate.level == level)
