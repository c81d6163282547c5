"""Dates: they rise, they survive being read again, and they know the months."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from suitegen.errors import DesignError
from suitegen.latent.calendar import EARLIEST, LATEST, asked_at, days_after, timestamps

DAYS = st.dates(date(1990, 1, 1), date(2100, 1, 1))
MOMENTS = st.builds(datetime.combine, DAYS, st.sampled_from([time(0, 0), time(12, 0), time(23, 59)]), st.just(UTC))


@given(day=DAYS, count=st.integers(0, 60), seed=st.integers(0, 2**64 - 1))
def test_timestamps_rise_within_the_hours_of_the_day(day: date, count: int, seed: int) -> None:
    stamps = timestamps(day.isoformat(), [f"slot.{number}" for number in range(count)], seed)
    moments = [datetime.fromisoformat(stamp) for stamp in stamps]
    assert len(moments) == count
    assert all(later - earlier > timedelta(minutes=20) for earlier, later in pairwise(moments))
    assert all(moment.date() >= day and moment.tzinfo == UTC for moment in moments)
    assert all(EARLIEST <= moment.hour * 60 + moment.minute < LATEST for moment in moments)


@given(day=DAYS, count=st.integers(1, 30), shared=st.integers(0, 30), seed=st.integers(0, 10**6))
def test_histories_share_the_dates_of_the_slots_they_share(day: date, count: int, shared: int, seed: int) -> None:
    slots = [f"slot.{number}" for number in range(count)]
    longer = timestamps(day.isoformat(), [*slots[:shared], "other", *slots[shared:]], seed)
    assert timestamps(day.isoformat(), slots[:shared], seed) == longer[: min(shared, count)]


@given(moment=MOMENTS, seed=st.integers(0, 10**6))
def test_a_question_comes_a_day_or_two_after_what_it_may_use(moment: datetime, seed: int) -> None:
    asked = datetime.fromisoformat(asked_at(moment.isoformat(), seed, "p1"))
    assert asked > moment
    assert (asked.date() - moment.date()).days in (1, 2)
    assert asked_at(moment.isoformat(), seed, "p1") == asked.isoformat()


@given(moment=MOMENTS, days=st.integers(0, 800))
def test_days_are_counted_by_the_calendar(moment: datetime, days: int) -> None:
    later = days_after(moment.isoformat(), days)
    assert (date.fromisoformat(later) - moment.date()).days == days
    assert days_after(f"{later}T00:00:00+00:00", 0) == later


@pytest.mark.parametrize(
    ("day", "next_day"),
    [
        ("2024-02-28", "2024-02-29"),
        ("2024-02-29", "2024-03-01"),
        ("2026-02-28", "2026-03-01"),
        ("2100-02-28", "2100-03-01"),
        ("2026-04-30", "2026-05-01"),
        ("2026-12-31", "2027-01-01"),
    ],
)
@pytest.mark.parametrize("clock", ["00:00:00", "12:00:00", "23:59:59"])
def test_months_years_and_leap_days_end_where_they_do(day: str, next_day: str, clock: str) -> None:
    assert days_after(f"{day}T{clock}+00:00", 1) == next_day


@pytest.mark.parametrize("start", ["", "soon", "2026-02-29", "12 January 2026", "2026-13-01"])
def test_a_start_that_is_no_date_is_refused(start: str) -> None:
    with pytest.raises(DesignError, match="is no date"):
        timestamps(start, ["slot"], 0)
