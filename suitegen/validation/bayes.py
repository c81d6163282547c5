"""A multinomial naive Bayes classifier over bags of words: the smallest reader of questions there is."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from suitegen.validation.statistics import folds

FOLDS = 10


@dataclass(frozen=True, slots=True)
class Item:
    """A bag of words with its label; items of one group are never split between training and test."""

    words: tuple[str, ...]
    label: str
    group: Hashable


class NaiveBayes:
    """Multinomial naive Bayes with add-one smoothing (McCallum and Nigam 1998)."""

    def __init__(self, items: Iterable[Item]) -> None:
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        labels: Counter[str] = Counter()
        for item in items:
            labels[item.label] += 1
            counts[item.label].update(item.words)
        known = {word for bag in counts.values() for word in bag}
        self._prior = {label: math.log(count / labels.total()) for label, count in sorted(labels.items())}
        self._unseen = {label: -math.log(counts[label].total() + len(known) + 1) for label in labels}
        self._seen = {
            label: {word: math.log(count + 1) + self._unseen[label] for word, count in bag.items()}
            for label, bag in counts.items()
        }

    def predict(self, words: Sequence[str]) -> str | None:
        """The likeliest label, the first by name of equally likely ones; None without training items."""
        best, found = -math.inf, None
        for label, prior in self._prior.items():
            seen, unseen = self._seen[label], self._unseen[label]
            likelihood = prior + math.fsum(seen.get(word, unseen) for word in words)
            if likelihood > best + 1e-9:
                best, found = likelihood, label
        return found


def held_out(items: Sequence[Item], name: str) -> list[str | None]:
    """The label that each item gets from a classifier that was taught without its fold."""
    dealt = folds([item.group for item in items], FOLDS, name)
    answers: list[str | None] = [None] * len(items)
    for fold in sorted(set(dealt)):
        taught = NaiveBayes(item for item, own in zip(items, dealt, strict=True) if own != fold)
        for place, own in enumerate(dealt):
            if own == fold:
                answers[place] = taught.predict(items[place].words)
    return answers
