"""Text: turns, sessions, spans, and where each stretch came from."""

from __future__ import annotations

from typing import Literal

from suitegen.model.base import Noun
from suitegen.model.words import PhaseName, SessionKind

Role = Literal["user", "assistant", "tool"]


class Turn(Noun):
    """One turn. ``name`` is the tool's name in a tool turn."""

    role: Role
    content: str
    name: str | None = None


class Span(Noun):
    """Where an event is said: turns count from 0; start and end in code points, half open."""

    event: str
    turn: int
    start: int
    end: int


class Guest(Noun):
    """A stretch of turns that was set into a dialogue of another origin."""

    first_turn: int
    last_turn: int
    origin: str
    license: str


class Written(Noun):
    """A session's text with the span of each event it says, before it has a place or a date."""

    turns: tuple[Turn, ...]
    spans: tuple[Span, ...] = ()
    origin: str = "offline"
    """Who wrote it, or which source and entry it comes from."""
    license: str = "CC0-1.0"
    guest: Guest | None = None
    """The turns of it that are of another origin."""


class Session(Noun):
    """A dated session as a memory system sees it: no label of any kind."""

    session_id: str
    index: int
    timestamp: str
    turns: tuple[Turn, ...]


class Placement(Noun):
    """A stretch of turns with its origin: key, not input."""

    session_id: str
    first_turn: int
    last_turn: int
    phase: PhaseName
    kind: SessionKind
    origin: str
    license: str
    content_hash: str


class Question(Noun):
    """A probe as a memory system sees it."""

    probe_id: str
    episode_id: str
    asked_at: str
    visible_until: int
    """Index of the last session it may use."""
    question: str
    answer_format: str
    """JSON Schema of a valid answer, as text."""
