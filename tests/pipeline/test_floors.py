"""What a design cannot meet is said before anything is written."""

from __future__ import annotations

from collections import defaultdict

import pytest

from suitegen.latent.compile import compile_case
from suitegen.latent.draw import facts_of
from suitegen.latent.gold import gold_of
from suitegen.latent.plan import plan
from suitegen.model.suite import SuiteSpec
from suitegen.pipeline.counterbalance import counterbalanced
from suitegen.pipeline.floors import unmet
from tests.catalog import shipped

UPDATES = {"paradigm": "interference", "condition": "authoritative_update", "count": 20}
NOISE = {"paradigm": "interference", "condition": "decoy_no_update", "count": 10}


def messages(*cells: dict[str, object]) -> tuple[str, ...]:
    fields = {"id": "t", "title": "T", "fact_types": ["gym", "retry_limit", "standup_time"], "cells": cells}
    return said(SuiteSpec.model_validate(fields))


def said(suite: SuiteSpec) -> tuple[str, ...]:
    cases = counterbalanced(suite, shipped(), plan(suite, shipped()))
    specs = [spec for case in cases for spec in compile_case(suite, shipped(), case, 0)]
    return unmet(suite, shipped(), cases, specs)


def test_a_constant_that_is_right_too_often_is_named_with_its_share_and_a_remedy() -> None:
    found = [message for message in messages(UPDATES, NOISE) if "change.changed" in message]
    # Twenty of thirty; at 55 % twenty need 37 in all.
    assert len(found) == 1
    assert "'yes' is right for 20 of 30 change.changed (67%, at most 55%): ask 7 more" in found[0]
    assert "interference/decoy_no_update" in found[0]


def test_the_remedy_is_enough_and_no_more_than_that() -> None:
    """With seven more the message is gone; with six it stays."""
    for more, gone in ((7, True), (6, False)):
        found = messages(UPDATES, {**NOISE, "count": 10 + more})
        assert (not any("change.changed" in message for message in found)) is gone


@pytest.mark.parametrize("name", ["broad", "starter", "memprobe-56", "memprobe-40", "health", "support", "lasting"])
def test_shipped_designs_meet_their_floors(name: str) -> None:
    assert said(shipped().suites[name]) == ()


def test_gates_without_shortcuts_ask_for_nothing() -> None:
    suite = SuiteSpec.model_validate(
        {"id": "t", "title": "T", "fact_types": ["gym"], "cells": [UPDATES], "gates": ["session"]}
    )
    assert said(suite) == ()


def test_closed_answers_follow_from_the_condition_and_not_from_the_draw() -> None:
    """What makes the share of one plan the bound over all: another reserve never has another answer."""
    suite = shipped().suites["starter"]
    answers: dict[tuple[str, str, bool, str, str], set[str]] = defaultdict(set)
    for case in plan(suite, shipped()):
        for reserve in range(3):
            for spec in compile_case(suite, shipped(), case, reserve):
                facts = facts_of(shipped().fact_types[spec.fact_type])
                for probe in spec.probes:
                    for field in gold_of(spec, probe, facts).fields:
                        if field.name in {"changed", "source", "status"}:
                            answers[spec.condition, spec.variant, spec.split, probe.id, field.name].add(field.answer)
    assert answers
    assert {key: found for key, found in answers.items() if len(found) > 1} == {}
