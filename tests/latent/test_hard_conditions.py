"""The six hard conditions compile, are coherent, and replay to the right gold."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from suitegen.latent.coherence import problems
from suitegen.latent.compile import compile_case
from suitegen.latent.draw import facts_of
from suitegen.latent.gold import gold_of
from suitegen.latent.plan import plan
from suitegen.model.catalog import Catalog
from suitegen.model.latent import LatentSpec
from suitegen.model.paradigm import Paradigm
from suitegen.model.suite import SuiteSpec
from tests.catalog import shipped, tree

HARD = Paradigm.model_validate(tree(Path(__file__).with_name("hard_conditions.yaml")))
MARKS = {f"w{n}": 6 * n for n in range(1, 9)}


def catalog() -> Catalog:
    """The shipped fact types with the hard conditions; the commute depends on the gym."""
    files = shipped()
    commute = files.fact_types["commute"].model_copy(update={"depends_on": ("gym",)})
    return replace(files, fact_types={**files.fact_types, "commute": commute}, paradigms={"hard": HARD})


def compiled(condition: str, *, split: bool = False, twin: bool = False) -> tuple[SuiteSpec, tuple[LatentSpec, ...]]:
    cell = {"paradigm": "hard", "condition": condition, "split": split, "twin": twin, "count": 1, "fact_types": ["gym"]}
    suite = SuiteSpec.model_validate(
        {"id": "hard", "title": "Hard", "fact_types": ["gym", "commute"], "cells": [cell], "marks": MARKS}
    )
    (case,) = plan(suite, catalog())
    return suite, compile_case(suite, catalog(), case, 0)


def golds(spec: LatentSpec) -> dict[str, str]:
    facts = facts_of(catalog().fact_types[spec.fact_type])
    return {p.id: gold_of(spec, p, facts).fields[0].answer for p in spec.probes}


def by_type(spec: LatentSpec) -> dict[str, str]:
    answers = golds(spec)
    return {probe.type: answers[probe.id] for probe in spec.probes}


@pytest.mark.parametrize(
    ("condition", "split", "twin"),
    [
        ("recalled_split_update", False, False),
        ("recalled_split_update", True, False),
        ("tool_exposed_later", False, False),
        ("there_and_back", False, True),
        ("forgotten_beside_a_neighbour", False, False),
        ("late_cascade", False, False),
        ("false_premise", False, True),
    ],
)
def test_it_is_coherent_and_every_gold_rests_on_its_evidence(condition: str, split: bool, twin: bool) -> None:
    _, specs = compiled(condition, split=split, twin=twin)
    for spec in specs:
        assert problems(spec, facts_of(catalog().fact_types[spec.fact_type])) == ()


def test_a_recalled_update_in_two_parts() -> None:
    _, (spec,) = compiled("recalled_split_update", split=True)
    first, second = (event for event in spec.events if event.op == "update")
    assert (first.says, second.says) == (("act", "old", "trigger", "reason"), ("value",))
    assert second.session - first.session == 3
    values = spec.member("target").values
    assert by_type(spec) == {
        "current": values["new"], "change": "yes", "previous": values["initial"], "trigger": first.trigger,
    }  # fmt: skip


def test_the_whole_update_is_asked_for_its_source() -> None:
    _, (spec,) = compiled("recalled_split_update")
    assert by_type(spec)["source"] == "user"


def test_a_tool_is_stale_only_once_something_says_so() -> None:
    _, (spec,) = compiled("tool_exposed_later")
    assert golds(spec) == {
        "between": "uncertain", "between_status": "disputed", "end": spec.member("target").values["initial"],
        "end_status": "stale", "end_source": "stale_tool", "end_change": "no",
    }  # fmt: skip


def test_there_and_back_beside_its_twin() -> None:
    _, (base, twin) = compiled("there_and_back", twin=True)
    a, b, c = (base.member("target").values[role] for role in ("initial", "new", "third"))
    assert by_type(base) == {
        "current": a, "previous": b, "original": a, "trajectory": f"{a} -> {b} -> {a}", "changes": "2",
    }  # fmt: skip
    assert by_type(twin) == {
        "current": c, "previous": b, "original": a, "trajectory": f"{a} -> {b} -> {c}", "changes": "2",
    }  # fmt: skip
    assert [plan.slot for plan in base.sessions] == [plan.slot for plan in twin.sessions]


def test_what_is_forgotten_leaves_its_neighbour() -> None:
    _, (spec,) = compiled("forgotten_beside_a_neighbour")
    kept = spec.member("neighbour").values["initial"]
    assert golds(spec) == {"gone": "forgotten", "gone_before": "forgotten", "kept": kept}
    facts = facts_of(catalog().fact_types["gym"])
    field = gold_of(spec, spec.probes[0], facts).field("value")
    assert spec.member("target").values["initial"] in [rival[0] for rival in field.rivals]


def test_a_cascade_leaves_a_gap_in_which_nothing_is_known() -> None:
    _, (spec,) = compiled("late_cascade")
    values = spec.member("dependent").values
    assert golds(spec) == {"open": "unknown", "settled": values["new"], "before": values["initial"]}


def test_a_false_premise_at_the_fifth_window_beside_a_true_one() -> None:
    _, (false, true) = compiled("false_premise", twin=True)
    assert (golds(false), golds(true)) == ({"p": "no"}, {"p": "yes"})
    assert false.sessions[MARKS["w1"] - 1].events
    assert false.probes[0].asked_after == MARKS["w5"] - 1 == len(false.sessions) - 1
