"""How long a history is."""

from __future__ import annotations

from dataclasses import dataclass

from suitegen.model.episode import Episode

CHARACTERS_PER_TOKEN = 4
"""The usual rule of thumb for English; tokens are approximate throughout."""


@dataclass(frozen=True, slots=True)
class Size:
    """Length of a history in sessions, turns and approximate tokens."""

    sessions: int
    turns: int
    tokens: int


def size(episode: Episode) -> Size:
    """Length of an episode's history; tokens are its characters / 4, rounded down."""
    characters = sum(len(turn.content) for session in episode.sessions for turn in session.turns)
    turns = sum(len(session.turns) for session in episode.sessions)
    return Size(len(episode.sessions), turns, characters // CHARACTERS_PER_TOKEN)
