"""What a reader is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from suitegen.model.history import Question, Session


class Reader(Protocol):
    """Answers a question from sessions, in the order in which they are given."""

    @property
    def name(self) -> str:
        """What reports call it."""
        ...

    def read(self, sessions: Sequence[Session], question: Question) -> Mapping[str, str]:
        """The answer by field; sessions after ``question.visible_until`` are not used."""
        ...


def visible(sessions: Sequence[Session], question: Question) -> tuple[Session, ...]:
    """The sessions that a question may use, in the order in which they are given."""
    return tuple(session for session in sessions if session.index <= question.visible_until)
