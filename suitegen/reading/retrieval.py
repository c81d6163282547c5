"""Retrieval of sessions, and a reader that sees only what was retrieved.

Sessions are ranked by BM25 (bm25s' defaults: Lucene's BM25, English stop words) or by any other score; the query
is the question's text. Naive retrieval hands sessions on in the order of their scores and
without dates, time-aware retrieval in the order of time and with them, as in MemProbe's
diagnostic baselines (section 5 and appendix E).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from suitegen.model.history import Question, Session
from suitegen.reading.protocol import Reader, visible


class _Scores(Protocol):
    def get_scores(self, query_tokens_single: list[str]) -> Sequence[float]: ...


Scorer = Callable[[tuple[str, ...], str], Sequence[float]]
"""How well each text fits a query; only the order counts."""


def bm25(texts: tuple[str, ...], query: str) -> list[float]:
    """The score of each text; 0 for all where no word of the query is in any."""
    import bm25s

    index, vocabulary = _index(texts)
    words = bm25s.tokenize(query, return_ids=False, show_progress=False)[0]
    wanted = [word for word in words if word in vocabulary]
    if index is None or not wanted:
        return [0.0] * len(texts)
    return [float(score) for score in index.get_scores(wanted)]


@dataclass(frozen=True, slots=True)
class Retrieval:
    """Reads the ``k`` sessions that fit the question best."""

    reader: Reader
    score: Scorer = bm25
    label: str = "bm25"
    """What the score is called."""
    k: int = 5
    time_aware: bool = False

    @property
    def name(self) -> str:
        """What reports call it."""
        return f"{self.label}{'-time' if self.time_aware else ''}+{self.reader.name}"

    def read(self, sessions: Sequence[Session], question: Question) -> Mapping[str, str]:
        """The reader's answer from the retrieved sessions."""
        known = {session.index: session for session in sessions}
        found = self.hits(sessions, question)
        if self.time_aware:
            chosen = [known[index] for index in sorted(found)]
        else:
            chosen = [known[index].model_copy(update={"timestamp": ""}) for index in found]
        return self.reader.read(chosen, question)

    def hits(self, sessions: Sequence[Session], question: Question) -> tuple[int, ...]:
        """Indexes of the retrieved sessions, the best first; of equal scores the earlier session."""
        pool = visible(sessions, question)
        scores = self.score(tuple(map(_text, pool)), question.question)
        ranked = sorted(range(len(pool)), key=lambda at: (-scores[at], pool[at].index))
        return tuple(pool[at].index for at in ranked[: self.k])


def _text(session: Session) -> str:
    return "\n".join(turn.content for turn in session.turns)


@lru_cache(maxsize=64)
def _index(texts: tuple[str, ...]) -> tuple[_Scores | None, frozenset[str]]:
    """The index of the texts with the words it knows; no index where the texts have no word."""
    import bm25s

    corpus = bm25s.tokenize(list(texts), return_ids=False, show_progress=False) if texts else []
    vocabulary = frozenset(word for words in corpus for word in words)
    if not vocabulary:
        return None, vocabulary
    index = bm25s.BM25()
    index.index(corpus, show_progress=False)
    return index, vocabulary
