"""Plans are searched for draws under which no rule without memory is over its ceiling."""

from __future__ import annotations

import pytest

from suitegen.latent.plan import plan
from suitegen.model.suite import SuiteSpec
from suitegen.pipeline.counterbalance import MOST, counterbalanced, remaining
from tests.catalog import shipped

NARROW = {"core": {"encoding": 2, "before": 4, "after": [2, 3]}}
WEAK = {"paradigm": "consolidation", "condition": "high_weak_challenge", "count": 20}
DIRECT = {"paradigm": "reconsolidation", "condition": "direct", "count": 20}
ROLLBACK = {"paradigm": "interference", "condition": "rollback", "count": 20}


def suite(*cells: dict[str, object], **more: object) -> SuiteSpec:
    fields = {
        "id": "t",
        "title": "T",
        "fact_types": ["gym", "retry_limit", "standup_time"],
        "tiers": NARROW,
        "cells": cells,
    }
    return SuiteSpec.model_validate({**fields, **more})


def test_what_is_drawn_is_drawn_again_until_no_place_tells_the_answer() -> None:
    design = suite(DIRECT, WEAK)
    cases = plan(design, shipped())
    (before,) = remaining(design, shipped(), cases)
    assert (before.rule, before.asked) == ("the best place", 40)
    assert before.right > 22
    chosen = counterbalanced(design, shipped(), cases)
    assert remaining(design, shipped(), chosen) == ()
    moved = [(one, other) for one, other in zip(cases, chosen, strict=True) if one != other]
    assert 0 < len(moved) < len(cases) / 2, "only what has to move"
    assert {(one.key, one.pair, one.fact_type) for one in cases} == {
        (one.key, one.pair, one.fact_type) for one in chosen
    }


def test_the_same_design_gives_the_same_plan() -> None:
    design = suite(DIRECT, WEAK)
    cases = plan(design, shipped())
    assert counterbalanced(design, shipped(), cases) == counterbalanced(design, shipped(), cases)


@pytest.mark.parametrize("name", ["broad", "starter", "memprobe-56", "memprobe-40", "health", "support", "lasting"])
def test_a_plan_that_is_below_its_ceilings_stays_as_it_is(name: str) -> None:
    design = shipped().suites[name]
    cases = plan(design, shipped())
    assert counterbalanced(design, shipped(), cases) == cases


def test_what_no_draw_can_mend_is_said() -> None:
    """After a rollback the value is again the first one: a rule that never takes anything over is always right."""
    design = suite(ROLLBACK)
    left = remaining(design, shipped(), counterbalanced(design, shipped(), plan(design, shipped())))
    assert ("always preserve", 20, 20) in [(excess.rule, excess.right, excess.asked) for excess in left]


def test_gates_without_shortcuts_and_very_large_designs_are_left_alone() -> None:
    loose = suite(DIRECT, WEAK, gates=["session"])
    assert counterbalanced(loose, shipped(), plan(loose, shipped())) == plan(loose, shipped())
    assert remaining(loose, shipped(), plan(loose, shipped())) == ()
    large = suite({**DIRECT, "count": MOST + 1})
    assert counterbalanced(large, shipped(), plan(large, shipped())) == plan(large, shipped())
