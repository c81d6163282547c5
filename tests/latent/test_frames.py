"""Frames: planned sessions and background are framed alike, and matched places share their frame."""

from __future__ import annotations

from collections import Counter

import pytest

from suitegen.latent.frames import ALONE, ELSEWHERE, HOSTED, PLAIN, apart, elsewhere, frame
from suitegen.model.suite import SuiteSpec

SLOTS = [f"filler.{number}" for number in range(4000)]


def test_planned_sessions_and_background_are_framed_alike() -> None:
    for seed in (1, 2):
        planned = [frame("event", seed, slot, True) for slot in SLOTS]
        background = [frame("background", seed, slot, True) for slot in SLOTS]
        assert Counter(planned)["host"] / len(SLOTS) == pytest.approx(HOSTED, abs=0.03)
        assert Counter(planned)["alone"] / len(SLOTS) == pytest.approx(ALONE, abs=0.03)
        assert Counter(background)["plain"] / len(SLOTS) == pytest.approx(PLAIN, abs=0.03)
        assert all(b in (p, "plain") for p, b in zip(planned, background, strict=True))
        assert [frame("near_miss", seed, slot, True) for slot in SLOTS] == planned


def test_without_another_fact_type_background_has_no_scenes() -> None:
    assert {frame("background", 1, slot, False) for slot in SLOTS} == {"host", "alone", "plain"}
    assert {frame("event", 1, slot, False) for slot in SLOTS} == {"host", "alone", "scene"}


def test_what_no_scene_may_name_is_framed_like_others_but_for_scenes() -> None:
    for slot in SLOTS:
        framed = frame("event", 1, slot, True)
        assert apart(1, slot) == ("host" if framed == "scene" else framed)


def suite(*names: str, seed: int = 7) -> SuiteSpec:
    cells = [{"paradigm": "p", "condition": "c", "count": 1}]
    return SuiteSpec.model_validate({"id": "s", "title": "S", "seed": seed, "fact_types": names, "cells": cells})


def test_scenes_elsewhere_are_few_and_do_not_depend_on_the_order_of_the_suite() -> None:
    names = [f"type_{number}" for number in range(30)]
    found = elsewhere(suite(*names), {"type_3"}, "case.001")
    assert elsewhere(suite(*names[::-1]), {"type_3"}, "case.001") == found
    assert len(set(found)) == ELSEWHERE
    assert "type_3" not in found
    assert elsewhere(suite(*names), {"type_3"}, "case.002") != found
    assert set(elsewhere(suite(*names[:3]), {"type_0"}, "case.001")) == {"type_1", "type_2"}
    assert elsewhere(suite("alone"), {"alone"}, "case.001") == ()
