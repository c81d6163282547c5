"""What validators say."""

from __future__ import annotations

from typing import Literal

from suitegen.model.base import Noun
from suitegen.model.words import Level, Severity


class Finding(Noun):
    """Something wrong: a stable code, words for people, feedback for the writer, and where."""

    code: str
    message: str
    feedback: str = ""
    """What to do differently, said to whoever writes the text again."""
    severity: Severity = "error"
    soft: bool = False
    """Asks for another try and rejects nothing."""
    episode: str = ""
    session: int | None = None
    turn: int | None = None
    start: int | None = None
    end: int | None = None
    probe: str | None = None


class Measure(Noun):
    """A figure that a validator compared with its threshold."""

    name: str
    value: float | None
    """None when there was nothing to measure."""
    threshold: float | None = None
    low: float | None = None
    high: float | None = None
    """Ends of a 95 % interval."""
    n: int = 0


class Verdict(Noun):
    """What one validator of one gate said of one thing."""

    gate: str
    validator: str
    level: Level
    status: Literal["passed", "failed", "not_run"]
    why: str = ""
    """For not_run: what was missing. For failed: the summary."""
    findings: tuple[Finding, ...] = ()
    measures: tuple[Measure, ...] = ()
