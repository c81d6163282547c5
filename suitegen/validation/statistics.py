"""Intervals, areas and folds: the small statistics that suite validators need."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import TypeVar

from suitegen.latent.seeds import shuffled
from suitegen.model.finding import Measure

Z = 1.959963984540054
"""Two-sided 95 % point of the normal distribution."""
DIGITS = 4
"""Decimals that a measure keeps, so that machines which add in another order print the same."""

Group = TypeVar("Group", bound=Hashable)


def wilson(right: float, n: int) -> tuple[float, float]:
    """The 95 % score interval of a proportion (Wilson 1927); (0, 1) of nothing.

    Args:
        right: successes; points may be fractions.
        n: trials.
    """
    if n == 0:
        return 0.0, 1.0
    share = right / n
    spread = Z * math.sqrt(share * (1 - share) / n + Z * Z / (4 * n * n))
    middle, scale = share + Z * Z / (2 * n), 1 + Z * Z / n
    return max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale)


def proportion(name: str, right: float, n: int, threshold: float | None = None) -> Measure:
    """A share as a measure with its interval; without a value when there was nothing to count."""
    if n == 0:
        return Measure(name=name, value=None, threshold=_rounded(threshold))
    low, high = wilson(right, n)
    return Measure(
        name=name, value=round(right / n, DIGITS), threshold=_rounded(threshold), low=round(low, DIGITS),
        high=round(high, DIGITS), n=n,
    )  # fmt: skip


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, DIGITS)


def auc(positive: Sequence[float], negative: Sequence[float]) -> float:
    """How often a positive score is above a negative one, ties as halves (Mann and Whitney 1947).

    Raises:
        ValueError: one of the two has no score.
    """
    if not positive or not negative:
        raise ValueError("an area needs scores of both classes")
    scores = sorted([(score, 1) for score in positive] + [(score, 0) for score in negative])
    ranks, start = 0.0, 0
    while start < len(scores):
        end = start
        while end < len(scores) and scores[end][0] == scores[start][0]:
            end += 1
        ranks += (start + 1 + end) / 2 * sum(label for _, label in scores[start:end])
        start = end
    return (ranks - len(positive) * (len(positive) + 1) / 2) / (len(positive) * len(negative))


def auc_interval(area: float, positive: int, negative: int) -> tuple[float, float]:
    """The 95 % interval of an area under the curve (Hanley and McNeil 1982, equation 1).

    Args:
        area: the area.
        positive: number of positive cases.
        negative: number of negative cases.
    """
    q1, q2 = area / (2 - area), 2 * area * area / (1 + area)
    variance = (area * (1 - area) + (positive - 1) * (q1 - area * area) + (negative - 1) * (q2 - area * area)) / (
        positive * negative
    )
    spread = Z * math.sqrt(max(variance, 0.0))
    return max(0.0, area - spread), min(1.0, area + spread)


def folds(groups: Sequence[Group], most: int, name: str) -> list[int]:
    """The fold of each item, so that items of one group share theirs and folds hold like many groups.

    Args:
        groups: the group of each item.
        most: how many folds there are if there are as many groups.
        name: what the folds are for; another name, another deal.
    """
    unique = sorted(set(groups), key=repr)
    dealt = {group: number % most for number, group in enumerate(shuffled(unique, "folds", name))}
    return [dealt[group] for group in groups]
