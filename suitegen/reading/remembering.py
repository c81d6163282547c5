"""A reader that does not read the same twice."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from suitegen.model.history import Question, Session
from suitegen.reading.protocol import Reader

KEPT = 512
"""Answers kept: those of a few episodes, each of whose checks asks the same probes again."""


class Remembering:
    """Answers as its reader does, and keeps the latest answers. The reader must be a pure function."""

    def __init__(self, reader: Reader) -> None:
        self.reader = reader
        self._read = lru_cache(maxsize=KEPT)(reader.read)

    @property
    def name(self) -> str:
        """The reader's own name."""
        return self.reader.name

    def read(self, sessions: Sequence[Session], question: Question) -> Mapping[str, str]:
        """The reader's answer."""
        return self._read(tuple(sessions), question)
