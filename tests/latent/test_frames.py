"""Frames: planned sessions and background are framed alike, and matched places share their frame."""

from __future__ import annotations

from collections import Counter

import pytest

from suitegen.latent.frames import ELSEWHERE, HOSTED, PLAIN, frame, others

SLOTS = [f"filler.{number}" for number in range(4000)]


def test_planned_sessions_and_background_are_framed_alike() -> None:
    for seed in (1, 2):
        planned = [frame("event", seed, slot, True) for slot in SLOTS]
        background = [frame("background", seed, slot, True) for slot in SLOTS]
        assert Counter(planned)["host"] / len(SLOTS) == pytest.approx(HOSTED, abs=0.03)
        assert Counter(background)["plain"] / len(SLOTS) == pytest.approx(PLAIN, abs=0.03)
        assert all(b in (p, "plain") for p, b in zip(planned, background, strict=True))
        assert [frame("near_miss", seed, slot, True) for slot in SLOTS] == planned


def test_without_another_fact_type_background_has_no_scenes() -> None:
    assert {frame("background", 1, slot, False) for slot in SLOTS} == {"host", "plain"}
    assert {frame("event", 1, slot, False) for slot in SLOTS} == {"host", "scene"}


def test_scenes_elsewhere_are_few_and_do_not_depend_on_the_order_of_the_suite() -> None:
    names = [f"type_{number}" for number in range(30)]
    assert others(names, 7) == others(names[::-1], 7)
    assert len(others(names, 7)) == ELSEWHERE
    assert others(names, 7) != others(names, 8)
    assert set(others(names[:3], 7)) == set(names[:3])
