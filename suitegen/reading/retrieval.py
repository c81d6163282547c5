"""Retrieval baselines: the sessions that BM25 finds for a question, given to a reader.

Sessions are the retrievable units, as in MemProbe, section 4.1. The naive form hands them over by
rank; the time-aware form in order of time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from suitegen.model.history import Question, Session
from suitegen.reading.protocol import Reader, visible


@dataclass(frozen=True)
class Bm25:
    """A reader that sees the ``k`` sessions which BM25 (the defaults of bm25s) ranks first."""

    reader: Reader
    k: int = 5
    time_aware: bool = False

    @property
    def name(self) -> str:
        """What reports call it."""
        return f"bm25{'_time' if self.time_aware else ''}+{self.reader.name}"

    def hits(self, sessions: Sequence[Session], question: Question) -> tuple[int, ...]:
        """Indexes of the sessions that are found, the best first; ties go to the earlier session."""
        seen = visible(sessions, question)
        scores = _scores(tuple(_text(session) for session in seen), question.question)
        ranked = sorted(range(len(seen)), key=lambda place: (-scores[place], place))
        return tuple(seen[place].index for place in ranked[: self.k])

    def read(self, sessions: Sequence[Session], question: Question) -> Mapping[str, str]:
        """The reader's answer from what is found."""
        found = self.hits(sessions, question)
        chosen = sorted(found) if self.time_aware else found
        by_index = {session.index: session for session in sessions}
        given = [by_index[index] for index in chosen]
        if not self.time_aware:
            # Without dates the reader has nothing to order them by but their rank.
            given = [s.model_copy(update={"index": place, "timestamp": ""}) for place, s in enumerate(given)]
            question = question.model_copy(update={"visible_until": len(given)})
        return self.reader.read(given, question)


def _text(session: Session) -> str:
    return "\n".join(turn.content for turn in session.turns)


def _scores(texts: tuple[str, ...], query: str) -> list[float]:
    """The BM25 score of each text; zeros when no word of the query occurs anywhere."""
    import bm25s

    retriever, vocabulary = _index(texts)
    words = [word for word in bm25s.tokenize(query, return_ids=False, show_progress=False)[0] if word in vocabulary]
    if not words:
        return [0.0] * len(texts)
    return [float(score) for score in retriever.get_scores(words)]


@lru_cache(maxsize=64)
def _index(texts: tuple[str, ...]) -> tuple[Any, frozenset[str]]:
    """The index of a history, kept while its probes are asked."""
    import bm25s

    tokens = bm25s.tokenize(list(texts), show_progress=False)
    retriever = bm25s.BM25()
    retriever.index(tokens, show_progress=False)
    return retriever, frozenset(tokens.vocab)
