"""The profile: its figures by hand on small tables, and what resampling must keep."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from suitegen.model.gold import Gold, GoldField
from suitegen.model.words import Behavior, ProbeType
from suitegen.reading.profile import Key, Profile, Rate, Scored, profile, scored

FORMS = {"current": "value", "previous": "value", "source": "enum", "conflict": "enum", "temporal": "value"}


def key(
    number: int, kind: ProbeType = "current", expects: Behavior = "update", split: bool = False, cluster: str = ""
) -> Key:
    gold = Gold(type=kind, fields=(GoldField(name="value", form="value", answer="tea", accepts=("tea",)),))
    episode = f"e{number // 2}"
    return Key(
        probe_id=f"p{number:04}", episode_id=episode, cluster=cluster or episode, paradigm="interference",
        condition="moved", expects=expects, domain="work", fact_type="drink", probe_type=kind, split=split,
        language="en", gold=gold,
    )  # fmt: skip


def row(number: int, points: float | None, **changes: object) -> Scored:
    made = key(number, **changes)  # type: ignore[arg-type]
    return Scored(made, "unparsable" if points is None else "scored", points, {})


def head(found: Profile) -> dict[str, Rate]:
    return {rate.name: rate for rate in found.headline}


def test_the_headline_by_hand() -> None:
    rows = [
        row(0, 1.0), row(1, 0.5, kind="temporal"), row(2, 0.0, kind="previous"), row(3, 1.0, split=True),
        row(4, 1.0, expects="preserve"), row(5, 0.25, kind="conflict", expects="preserve"),
        row(6, None, expects="preserve"), row(7, 0.0, kind="source", expects="uncertain"),
    ]  # fmt: skip
    found = head(profile(rows))
    assert found["overall"].value == pytest.approx(3.75 / 7, abs=1e-4)
    assert found["overall"].n == 7
    plasticity, stability = 2.5 / 4, 1.25 / 2
    assert (found["plasticity"].value, found["stability"].value) == (plasticity, stability)
    assert found["SP-balance"].value == pytest.approx(2 * plasticity * stability / (plasticity + stability))
    assert found["historical fidelity"].value == 0.0
    assert found["source fidelity"].value == 0.125
    assert found["temporal fidelity"].value == 0.5
    assert found["split delta"].value == pytest.approx(1.0 - 2.75 / 6, abs=1e-4)


def test_what_there_is_none_of_has_no_figure() -> None:
    found = head(profile([row(0, 1.0)]))
    assert (found["stability"].value, found["stability"].low, found["stability"].n) == (None, None, 0)
    assert found["SP-balance"].value is None
    assert found["split delta"].value is None
    assert head(profile([]))["overall"].value is None


def test_both_sides_at_zero_balance_at_zero() -> None:
    found = head(profile([row(0, 0.0), row(2, 0.0, expects="preserve")]))
    assert found["SP-balance"].value == 0.0


def test_outcomes_are_counted_apart() -> None:
    keys = [key(number) for number in range(4)]
    rows = scored(keys, {"p0000": "tea", "p0001": {"other": 1}, "p0002": {"value": "soup"}, "zz": "tea"})
    found = profile(rows, ["p0000", "zz"])
    assert [r.outcome for r in rows] == ["scored", "unparsable", "scored", "missing"]
    assert (found.probes, found.scored, found.unparsable, found.missing) == (4, 2, 1, 1)
    assert found.unknown == ("zz",)
    assert head(found)["overall"].value == pytest.approx(1 / 3, abs=1e-4), (
        "what is missing is wrong, what is unread is not"
    )


def test_null_is_no_answer() -> None:
    rows = scored([key(0), key(1)], {"p0000": None, "p0001": {"value": None}})
    assert [(r.outcome, r.points) for r in rows] == [("missing", 0.0), ("scored", 0.0)]


def test_a_single_episode_has_a_figure_and_no_interval() -> None:
    rows = [row(0, 1.0), row(1, 0.0), *(row(number, 1.0, expects="preserve") for number in range(2, 8))]
    found = head(profile(rows))
    assert (found["plasticity"].value, found["plasticity"].low, found["plasticity"].high) == (0.5, None, None)
    assert (found["stability"].value, found["stability"].low) == (1.0, 1.0)
    assert (found["SP-balance"].value, found["SP-balance"].low) == (pytest.approx(2 / 3, abs=1e-4), None)


POINTS = st.lists(st.sampled_from((0.0, 0.5, 1.0)), min_size=3, max_size=30)
"""Of two episodes or more."""


@settings(max_examples=25, deadline=None)
@given(POINTS)
def test_an_interval_holds_its_mean_and_does_not_depend_on_the_order(points: Sequence[float]) -> None:
    rows = [row(number, value) for number, value in enumerate(points)]
    found = profile(rows)
    overall = head(found)["overall"]
    assert overall.value is not None
    assert overall.low is not None
    assert overall.high is not None
    assert overall.low <= overall.value <= overall.high
    random.Random(1).shuffle(rows)
    assert profile(rows) == found


@settings(max_examples=25, deadline=None)
@given(POINTS, st.integers(1, 5))
def test_answers_that_cannot_be_read_change_counts_alone(points: Sequence[float], more: int) -> None:
    rows = [row(2 * number, value) for number, value in enumerate(points)]
    # In the same episodes, so that the clusters are the same.
    noise = [row(2 * (number % len(points)) + 1, None) for number in range(min(more, len(points)))]
    assert profile([*rows, *noise]).headline == profile(rows).headline
    assert profile([*rows, *noise]).unparsable == len(noise)


def test_matched_episodes_are_drawn_together() -> None:
    alone = [row(2 * number, float(number % 2)) for number in range(20)]
    matched = [row(2 * number, float(number % 2), cluster=f"g{number // 2}") for number in range(20)]
    wide, none = head(profile(alone))["overall"], head(profile(matched))["overall"]
    assert wide.low is not None
    assert wide.low < 0.5 < (wide.high or 0)
    assert (none.low, none.high) == (0.5, 0.5), "each group holds one of each"
