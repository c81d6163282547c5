"""Intervals, areas and folds."""

from __future__ import annotations

import math
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from suitegen.validation.statistics import auc, auc_interval, folds, proportion, wilson

SCORES = st.lists(st.integers(-5, 5).map(float), min_size=1, max_size=12)


@pytest.mark.parametrize(
    ("right", "n", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0), (81, 263, 0.2553, 0.3662)],
)
def test_wilson_gives_published_figures(right: int, n: int, low: float, high: float) -> None:
    """The last row is the example of Newcombe 1998, table I."""
    assert wilson(right, n) == (pytest.approx(low, abs=1e-4), pytest.approx(high, abs=1e-4))


@given(st.integers(0, 60), st.integers(0, 60))
def test_an_interval_holds_its_share(right: int, wrong: int) -> None:
    low, high = wilson(right, right + wrong)
    share = right / (right + wrong) if right + wrong else 0.5
    assert 0 <= low <= share + 1e-12
    assert share - 1e-12 <= high <= 1


def test_nothing_to_count_has_no_value() -> None:
    assert proportion("x", 0, 0, 0.5).value is None


@given(SCORES, SCORES)
def test_an_area_counts_pairs(positive: list[float], negative: list[float]) -> None:
    pairs = [1.0 if p > n else 0.5 if p == n else 0.0 for p, n in product(positive, negative)]
    assert math.isclose(auc(positive, negative), sum(pairs) / len(pairs))


def test_an_area_needs_both_classes() -> None:
    with pytest.raises(ValueError, match="both classes"):
        auc([1.0], [])


def test_an_area_of_few_cases_is_wide() -> None:
    """Hanley and McNeil 1982, the example of section 4: 0.893 with a standard error of 0.032 of 51 and 58 cases."""
    low, high = auc_interval(0.893, 51, 58)
    assert (high - low) / 2 / 1.96 == pytest.approx(0.032, abs=0.002)
    assert auc_interval(0.7, 10, 10)[1] > auc_interval(0.7, 1000, 1000)[1]


@given(st.lists(st.text(max_size=2), min_size=1, max_size=40))
def test_a_group_is_never_split(groups: list[str]) -> None:
    dealt = folds(groups, 5, "x")
    assert len({(group, fold) for group, fold in zip(groups, dealt, strict=True)}) == len(set(groups))
    assert set(dealt) == set(range(min(5, len(set(groups)))))
    assert dealt == folds(groups, 5, "x")
