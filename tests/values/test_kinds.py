from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from suitegen.model.words import ValueKind
from suitegen.values.kinds import canonical, same

KINDS: tuple[ValueKind, ...] = ("name", "choice", "time", "date", "number", "quantity", "identifier", "text")


@pytest.mark.parametrize(
    ("kind", "text", "expected"),
    [
        ("time", "half past nine.", "09:30"),
        ("date", "Jan 3, 2026", "2026-01-03"),
        ("number", "(three)", "3"),
        ("quantity", "two weeks", "14 day"),
        ("quantity", "three cups", "3 cup"),
        ("name", "  Priya   NAIR. ", "priya nair"),
        ("name", "C++", "c++"),
        ("identifier", "feature/login\u2011fix", "feature/login-fix"),
        ("time", "9:30 or 10:00", "9:30 or 10:00"),
        ("date", "Friday", "friday"),
        ("choice", "🙂", "🙂"),
    ],
)
def test_normal_forms(kind: ValueKind, text: str, expected: str) -> None:
    assert canonical(kind, text) == expected


@pytest.mark.parametrize(
    ("kind", "first", "second"),
    [
        ("time", "9:30", "9.30 am"),
        ("time", "14h30", "2:30 pm"),
        ("time", "14:30", "half past two"),
        ("time", "02:30", "half past two"),
        ("date", "3 January 2026", "2026-01-03"),
        ("date", "3 January", "Jan 3, 2026"),
        ("number", "60%", "60 percent"),
        ("number", "$1,200", "1200 dollars"),
        ("quantity", "2 weeks", "14 days"),
        ("quantity", "100 req/min", "100 req / min"),
        ("name", "Zoe\u0308", "ZOË"),
    ],
)
def test_same(kind: ValueKind, first: str, second: str) -> None:
    assert same(kind, first, second)
    assert same(kind, second, first)


@pytest.mark.parametrize(
    ("kind", "first", "second"),
    [
        ("time", "2:30", "14:30"),
        ("time", "2:30 pm", "half past two in the morning"),
        ("time", "09:30", "21:30"),
        ("date", "2025-01-03", "2026-01-03"),
        ("number", "3", "-3"),
        ("number", "3", "30"),
        ("number", "60", "60%"),
        ("number", "$5", "€5"),
        ("quantity", "2 weeks", "2 months"),
        ("name", "C++", "C#"),
        ("name", "Room 2", "Room 21"),
        ("identifier", "orders", "orders_replica"),
        ("identifier", "login", "login-fix"),
    ],
)
def test_not_same(kind: ValueKind, first: str, second: str) -> None:
    assert not same(kind, first, second)
    assert not same(kind, second, first)


@given(st.sampled_from(KINDS), st.text(max_size=20))
def test_every_text_has_a_normal_form_and_is_the_same_as_itself(kind: ValueKind, text: str) -> None:
    assert isinstance(canonical(kind, text), str)
    assert same(kind, text, text)
