"""A score for retrieval by the vectors that a model gives: the cosine of a text's and the query's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from suitegen.errors import ModelError
from suitegen.llm.names import ModelName
from suitegen.llm.protocol import ChatRequest, Message
from suitegen.llm.structured import Answer

Vector = tuple[float, ...]

ROLE = "embedder"
_TEXTS = 64
"""Texts of one call."""
_KEPT = 64
"""Lists of texts whose vectors are held: the histories of a few episodes, each asked about several times."""


@dataclass(frozen=True)
class Dense:
    """Ranks texts by the cosine of their vectors with the query's.

    The same texts are embedded by the same call, whatever is asked about them.
    """

    ask: Callable[[ChatRequest], Answer]
    model: ModelName
    stage: str = "read"

    def __post_init__(self) -> None:
        object.__setattr__(self, "_embedded", lru_cache(maxsize=_KEPT)(self._embed))

    def __call__(self, texts: tuple[str, ...], query: str) -> list[float]:
        """The cosine of each text with the query.

        Raises:
            ModelError: the model gave no vectors for some text, or vectors of different lengths.
            BudgetError: a call would pass the budget.
        """
        if not texts:
            return []
        import numpy as np

        found = np.asarray(self._vectors(texts), dtype=float)
        sought = np.asarray(self._vectors((query,))[0], dtype=float)
        lengths = np.linalg.norm(found, axis=1) * np.linalg.norm(sought)
        return [float(value) for value in (found @ sought) / np.maximum(lengths, 1e-12)]

    def _vectors(self, texts: tuple[str, ...]) -> tuple[Vector, ...]:
        embedded: Callable[[tuple[str, ...]], tuple[Vector, ...]] = self._embedded  # type: ignore[attr-defined]
        return embedded(texts)

    def _embed(self, texts: tuple[str, ...]) -> tuple[Vector, ...]:
        parts = [texts[at : at + _TEXTS] for at in range(0, len(texts), _TEXTS)]
        return tuple(vector for part in parts for vector in self._asked(part))

    def _asked(self, texts: Sequence[str]) -> list[Vector]:
        messages = tuple(Message("user", text) for text in texts)
        found = self.ask(ChatRequest(self.model, messages, role=ROLE, stage=self.stage, template=ROLE))
        if not isinstance(found.value, list) or len(found.value) != len(texts):
            trouble = found.trouble or f"it gave no vector for each of {len(texts)} texts"
            raise ModelError(f"{self.model} cannot be used to embed: {trouble}", hint="name a model of embeddings")
        vectors = [tuple(map(float, each)) for each in found.value if isinstance(each, list)]  # type: ignore[arg-type]
        if len({len(vector) for vector in vectors}) != 1 or len(vectors) != len(texts):
            raise ModelError(f"{self.model} cannot be used to embed: its vectors differ in length")
        return vectors
