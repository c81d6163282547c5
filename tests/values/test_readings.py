from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from suitegen.model.words import ValueKind
from suitegen.values.kinds import readings
from suitegen.values.tables import table
from suitegen.values.tokens import scan


def found(kind: ValueKind, text: str, tail: int = 0) -> list[tuple[str, str]]:
    """What is read, with the likeliest form of each."""
    scanned = scan(text)
    return [(scanned.folded[r.start : r.end], r.keys[0]) for r in readings(kind, scanned, "en", tail) if r.whole]


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("9:30", "09:30"),
        ("9.30 a.m.", "09:30"),
        ("14h30", "14:30"),
        ("2:30", "02:30"),
        ("2:30pm", "14:30"),
        ("3 pm", "15:00"),
        ("3\u202fPM", "15:00"),
        ("12 am", "00:00"),
        ("12 pm", "12:00"),
        ("12:30 am", "00:30"),
        ("14:30 pm", "14:30"),
        ("half past nine", "09:30"),
        ("half past two in the afternoon", "14:30"),
        ("half past twelve", "12:30"),
        ("quarter to one", "12:45"),
        ("twenty-five to ten", "09:35"),
        ("ten past nine", "09:10"),
        ("5 minutes to 9", "08:55"),
        ("quarter past 14", "14:15"),
        ("nine thirty", "09:30"),
        ("nine oh five pm", "21:05"),
        ("nine o’clock", "09:00"),
        ("eleven at night", "23:00"),
        ("two at night", "02:00"),
        ("noon", "12:00"),
        ("12 midnight", "00:00"),
        ("09:30:00", "09:30"),
        ("9:30:15", "09:30:15"),
    ],
)
def test_times(text: str, clock: str) -> None:
    assert found("time", f"so ({text}), then") == [(" ".join(scan(text).folded.split()), clock)]


@pytest.mark.parametrize(
    "text",
    [
        "3:1",
        "0.25",
        "$9.30",
        "9.30%",
        "14:30 am",
        "25:10",
        "9:75",
        "1.2.30",
        "nine or ten",
        "nine to five",
        "nine five",
        "9",
    ],
)
def test_no_times(text: str) -> None:
    assert found("time", text) == []


def test_a_spoken_time_can_be_of_either_half_of_the_day() -> None:
    (reading,) = readings("time", scan("half past two"), "en")
    assert reading.keys == ("02:30", "14:30")


def test_a_range_holds_two_times_and_a_stamp_one() -> None:
    assert found("time", "9:30-10:00") == [("9:30", "09:30"), ("10:00", "10:00")]
    assert found("time", '"2026-01-03T09:30:00Z"') == [("09:30:00z", "09:30")]


@given(st.integers(0, 23), st.integers(0, 59))
def test_every_minute_of_the_day_reads_back(hour: int, minute: int) -> None:
    clock = f"{hour:02d}:{minute:02d}"
    half = "am" if hour < 12 else "pm"
    assert found("time", f"at {hour}:{minute:02d}.") == [(f"{hour}:{minute:02d}", clock)]
    assert [key for _, key in found("time", f"{hour % 12 or 12}.{minute:02d} {half}")] == [clock]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Jan 3, 2026", "2026-01-03"),
        ("Jan. 3 2026", "2026-01-03"),
        ("3 January 2026", "2026-01-03"),
        ("3-Jan-2026", "2026-01-03"),
        ("2026-01-03", "2026-01-03"),
        ("2026/1/3", "2026-01-03"),
        ("25/12/2026", "2026-12-25"),
        ("3/4/2026", "2026-03-04"),
        ("third of January", "--01-03"),
        ("January 3rd", "--01-03"),
        ("January the third", "--01-03"),
        ("twenty-first of May, 2026", "2026-05-21"),
        ("29 February", "--02-29"),
        ("May 2026", "2026-05"),
        ("December of 2025", "2025-12"),
    ],
)
def test_dates(text: str, day: str) -> None:
    assert found("date", f"by ({text})!") == [(scan(text).folded, day)]


@pytest.mark.parametrize("text", ["Jan 32", "31/02/2026", "1.2.3.4", "12-2026-01-03", "you may", "3"])
def test_no_dates(text: str) -> None:
    assert found("date", text) == []


@given(st.dates(date(1900, 1, 1), date(2199, 12, 31)))
def test_every_day_reads_back_however_it_is_written(day: date) -> None:
    month = table("en").month_names[day.month - 1]
    for text in (day.isoformat(), f"{month} {day.day}, {day.year}", f"{day.day} {month} {day.year}"):
        assert [key for _, key in found("date", f"on {text}, then")] == [day.isoformat()]


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("3", "3"),
        ("-3", "-3"),
        ("−3", "-3"),
        ("minus three", "-3"),
        ("007", "7"),
        ("1,200", "1200"),
        ("12\u202f000", "12000"),
        ("1.234,5", "1234.5"),
        ("1.5", "1.5"),
        ("1.50", "1.5"),
        ("2½", "2.5"),
        ("18k", "18000"),
        ("18 thousand", "18000"),
        ("1.5 million", "1500000"),
        ("eighteen thousand", "18000"),
        ("twenty-one", "21"),
        ("three hundred and five", "305"),
        ("a hundred", "100"),
        ("two dozen", "24"),
        ("half a dozen", "6"),
        ("two point five", "2.5"),
        ("two and a half", "2.5"),
        ("60%", "60 %"),
        ("60 percent", "60 %"),
        ("$1,200", "1200 usd"),
        ("1200 dollars", "1200 usd"),
        ("USD 1,200", "1200 usd"),
        ("-$5", "-5 usd"),
        ("€1.2 million", "1200000 eur"),
        ("2 weeks", "14 day"),
        ("two-week", "14 day"),
        ("half an hour", "1800 second"),
        ("90 minutes", "5400 second"),
        ("1.5 hours", "5400 second"),
        ("10km", "10000 m"),
        ("5 degrees Celsius", "5 celsius"),
    ],
)
def test_amounts(text: str, amount: str) -> None:
    assert [key for _, key in found("quantity", f"it is ({text})!")] == [amount]


@pytest.mark.parametrize(
    "text",
    ["3rd", "1.2.3", "1,2,3", "room 2b", "gpt-4", "b3", "one of us", "the one", "no one", "a week", "half a", "9" * 50],
)
def test_no_amounts(text: str) -> None:
    assert found("number", text) == []


@pytest.mark.parametrize(
    ("text", "amounts"),
    [
        ("3-5 retries", ["3", "5"]),
        ("one two three", ["1", "2", "3"]),
        ("two and three", ["2", "3"]),
        ("at 3 pm on Jan 4, 2026 we set 5", ["5"]),
        ("10²", ["10", "2"]),
        ("max_retries_3", ["3"]),
        ("x—3", ["3"]),
    ],
)
def test_amounts_beside_each_other(text: str, amounts: list[str]) -> None:
    assert [key for _, key in found("number", text)] == amounts


def test_words_that_follow_can_be_a_unit() -> None:
    assert found("quantity", "twenty story points each", 2) == [
        ("twenty", "20"),
        ("twenty story", "20 story"),
        ("twenty story points", "20 story point"),
    ]
    assert found("quantity", "100 req/min. Fine", 3)[-1] == ("100 req/min", "100 req min")


def test_a_number_beside_its_unit_is_not_the_whole_of_it() -> None:
    whole, bare = readings("number", scan("2 weeks"), "en")
    assert (whole.keys, whole.unit, whole.whole) == (("14 day",), "week", True)
    assert (bare.keys, bare.unit, bare.whole) == (("2",), "week", False)


@given(st.integers(0, 10**9))
def test_every_number_reads_back_with_or_without_groups(number: int) -> None:
    for text in (str(number), f"{number:,}", f"{number:,}".replace(",", "\u202f")):
        assert found("number", f"so {text}.") == [(text.replace("\u202f", " "), str(number))]


ONES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")


@given(st.integers(0, 7), st.integers(0, 8), st.integers(0, 8), st.booleans())
def test_number_words_read_back(tens: int, ones: int, hundreds: int, joined: bool) -> None:
    below = (tens + 2) * 10 + ones + 1
    spelled = f"{TENS[tens]}{'-' if joined else ' '}{ONES[ones]}"
    assert [key for _, key in found("number", f"so {spelled} more")] == [str(below)]
    assert [key for _, key in found("number", f"{ONES[hundreds]} hundred and {spelled}")] == [
        str((hundreds + 1) * 100 + below)
    ]
