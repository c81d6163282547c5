"""Histories that several threads share: where each stands, when it is asked, and that each is drawn by itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

import pytest

from suitegen.errors import DesignError
from suitegen.latent.coherence import problems
from suitegen.latent.compile import compile_case
from suitegen.latent.draw import facts_of
from suitegen.latent.gold import dates_of, gold, gold_of, prefix
from suitegen.latent.plan import plan
from suitegen.model.latent import LatentSpec, Thread
from suitegen.model.paradigm import Paradigm
from suitegen.model.suite import SuiteSpec
from tests.catalog import shipped

MARKS = {"w1": 10, "w2": 18, "w3": 26}
TYPES = ["retry_limit", "standup_time", "return_window", "house_year", "evening_tea"]
DYNAMIC = {
    "paradigm": "points", "condition": "dynamic", "mutability": "dynamic", "count": 4,
    "stands": {"encoding": "w1", "perturbation": ["w2", "w3"]},
}  # fmt: skip
STATIC = {"paradigm": "points", "condition": "static", "mutability": "static", "count": 1, "stands": {"encoding": "w2"}}
BOUNDARY = {"paradigm": "points", "condition": "boundary", "count": 2, "beside": "dynamic"}
CONFLICT = {
    "paradigm": "points", "condition": "conflict", "mutability": "dynamic", "count": 1, "twin": True,
    "stands": {"encoding": "w1"},
}  # fmt: skip
THREADS = (DYNAMIC, STATIC, BOUNDARY, CONFLICT)


def suite(*threads: Mapping[str, object], histories: int = 1, **more: object) -> SuiteSpec:
    history = {"count": histories, "sessions": 26, "share": 2, "alike": 2, "threads": threads or THREADS}
    shared = {name: more.pop(name) for name in ("sessions", "share", "mix") if name in more}
    fields = {
        "id": "shared", "title": "Shared", "fact_types": TYPES, "marks": MARKS, "seed": 3,
        "histories": [{**history, **shared}],
    }  # fmt: skip
    return SuiteSpec.model_validate({**fields, **more})


def compiled(design: SuiteSpec, redrawn: Mapping[str, int] | None = None) -> LatentSpec:
    (case, *_) = plan(design, shipped())
    (spec,) = compile_case(design, shipped(), case, 0, redrawn)
    return spec


def answers(spec: LatentSpec, thread: Thread, kind: str) -> dict[str, str]:
    """The gold of a thread's probes of a type by window."""
    facts = facts_of(shipped().fact_types[thread.fact_type])
    asked = [probe for probe in spec.probes if probe.thread == thread.id and probe.type == kind]
    return {probe.window or "": gold_of(spec, probe, facts).fields[-1].answer for probe in asked}


def test_every_thread_has_its_own_fact_and_all_of_them_make_sense() -> None:
    spec = compiled(suite())
    assert Counter(thread.condition for thread in spec.threads) == {
        "dynamic": 4, "static": 1, "boundary": 2, "conflict": 2,
    }  # fmt: skip
    targets = [spec.member(thread.target) for thread in spec.threads]
    assert len({(member.entity, member.attribute) for member in targets}) == len(targets)
    assert (spec.paradigm, spec.condition, spec.expects, spec.domain, spec.fact_type) == (None,) * 5
    facts = {member.fact_type: facts_of(shipped().fact_types[member.fact_type]) for member in spec.cast}
    assert problems(spec, facts) == ()


def test_sessions_stand_before_their_marks_and_hold_no_more_than_may_share_one() -> None:
    spec = compiled(suite())
    for event in spec.events:
        thread = spec.thread(event.thread)
        first, last = {"encoding": (0, 10), "static": (10, 18)}.get(thread.condition, (0, 10))
        if event.op == "update":
            first, last = 10, 26
        assert first <= event.session < last, event.id
    assert max(Counter(event.session for event in spec.events).values()) <= 2


def test_probes_come_after_the_fact_and_see_their_window() -> None:
    spec = compiled(suite())
    for thread in spec.threads:
        said = [event.session for event in spec.events if event.target == thread.target]
        asked = {probe.window: probe.asked_after for probe in spec.probes if probe.thread == thread.id}
        assert asked == {mark: at - 1 for mark, at in MARKS.items() if not said or at > said[0]}, thread.id
        types = Counter(probe.type for probe in spec.probes if probe.thread == thread.id)
        assert set(types.values()) == {len(asked)}


def test_gold_is_the_replay_of_the_threads_own_events() -> None:
    spec = compiled(suite())
    for thread in spec.threads:
        values = spec.member(thread.target).values
        changed = next((e.session for e in spec.events if e.thread == thread.id and e.op == "update"), 99)
        for mark, at in MARKS.items():
            new = changed < at
            if thread.condition == "dynamic":
                assert answers(spec, thread, "current")[mark] == values["new" if new else "initial"]
                told = " -> ".join([values["initial"], values["new"]]) if new else values["initial"]
                assert answers(spec, thread, "trajectory")[mark] == told
        if thread.condition == "boundary":
            assert set(answers(spec, thread, "current").values()) == {"absent"}
            assert set(answers(spec, thread, "as_of").values()) == {"absent"}
        if thread.condition == "conflict":
            # The twin was told the value that the question has.
            right = values["rival" if thread.twin else "initial"]
            assert set(answers(spec, thread, "premise").values()) == {right}
            assert set(answers(spec, thread, "original_premise").values()) == {right}


def test_historical_questions_ask_for_the_window_before() -> None:
    spec = compiled(suite())
    thread = spec.threads[0]
    said = next(event.session for event in spec.events if event.thread == thread.id)
    asked = {p.window: p.as_of for p in spec.probes if p.thread == thread.id and p.type == "as_of"}
    assert asked == {"w1": said, "w2": 9, "w3": 17}


def test_a_boundary_has_the_fact_type_of_its_control_and_another_entity() -> None:
    spec = compiled(suite())
    for thread in spec.threads:
        if thread.condition == "boundary":
            control = spec.thread(thread.twin or "")
            assert (control.condition, control.fact_type) == ("dynamic", thread.fact_type)
            assert spec.member(control.target).entity != spec.member(thread.target).entity


def test_a_redrawn_thread_changes_nothing_of_the_others() -> None:
    before, after = compiled(suite()), compiled(suite(), {"t02": 1})
    assert before.events != after.events
    assert [e for e in before.events if e.thread != "t02"] == [e for e in after.events if e.thread != "t02"]
    assert before.sessions == after.sessions
    assert [p.id for p in before.probes] == [p.id for p in after.probes]
    assert [thread.draw for thread in after.threads] == [int(thread.id == "t02") for thread in after.threads]


def test_fillers_are_near_some_thread_and_move_none() -> None:
    mix = {"background": 1, "near_miss": 2, "decoy": 4, "stale_reference": 3}
    bare, spec = compiled(suite(share=4)), compiled(suite(share=4, mix=mix))
    kinds = Counter(plan.kind for plan in spec.sessions)
    assert {"near_miss", "decoy"} <= set(kinds)
    assert all(plan.thread for plan in spec.sessions if plan.kind == "near_miss")
    for thread in spec.threads:
        for kind in ("current", "as_of", "trajectory", "premise"):
            assert answers(spec, thread, kind) == answers(bare, thread, kind), (thread.id, kind)


def test_any_condition_can_be_a_thread() -> None:
    threads = [
        {"paradigm": "interference", "condition": "authoritative_update", "split": True, "count": 1},
        {"paradigm": "misinformation", "condition": "stale_tool", "count": 1},
        {"paradigm": "interference", "condition": "rollback", "count": 1},
    ]
    spec = compiled(suite(*threads))
    facts = {member.fact_type: facts_of(shipped().fact_types[member.fact_type]) for member in spec.cast}
    assert problems(spec, facts) == ()
    assert {probe.window for probe in spec.probes} == {None}
    assert [thread.split for thread in spec.threads] == [True, False, False]


def test_withheld_probes_are_left_out_by_the_seed() -> None:
    whole, some = plan(suite(histories=2), shipped()), plan(suite(histories=2, withhold=5), shipped())
    design = suite(histories=2, withhold=5)

    def asked(cases: tuple[object, ...]) -> set[tuple[str, str]]:
        specs = [spec for case in cases for spec in compile_case(design, shipped(), case, 0)]  # type: ignore[arg-type]
        return {(spec.case, probe.id) for spec in specs for probe in spec.probes}

    assert len(asked(whole) - asked(some)) == 5
    assert asked(some) < asked(whole)


@pytest.mark.parametrize(
    ("threads", "more", "message"),
    [
        ((), {"sessions": 12}, "stands after 18 sessions"),
        ((), {"share": 1, "marks": {"w1": 3, "w2": 18, "w3": 26}}, "in one at most"),
        (({**DYNAMIC, "stands": {"encoding": "w9"}},), {}, "no mark 'w9'"),
        (({**STATIC, "count": 9},), {}, "no fact type is left"),
        (({**BOUNDARY, "beside": "static"},), {}, "no fact type is left"),
    ],
)
def test_what_cannot_be_met_is_refused(
    threads: tuple[Mapping[str, object], ...], more: Mapping[str, object], message: str
) -> None:
    with pytest.raises(DesignError, match=message):
        plan(suite(*threads, **more), shipped())


def test_a_premise_that_happens_to_be_true_is_refused_with_its_case() -> None:
    files = shipped()
    twin = files.fact_types["gym"].model_copy(
        update={"id": "other_gym", "depends_on": ("gym",), "attribute": "other gym"}
    )
    condition = {
        "expects": "preserve",
        "cast": {"target": {}, "other": {"depends_on": "target"}},
        "phases": [{"encoding": [{"events": [{"op": "remember", "value": "initial"}]}]}],
        "probes": [{"type": "premise", "premise": "other.initial"}],
    }
    paradigm = Paradigm.model_validate({"id": "guess", "about": "g", "conditions": {"chance": condition}})
    catalog = replace(
        files, fact_types={"gym": files.fact_types["gym"], "other_gym": twin}, paradigms={"guess": paradigm}
    )
    cell = {"paradigm": "guess", "condition": "chance", "fact_types": ["gym"], "count": 40}
    fields = {"id": "chance", "title": "C", "fact_types": ["gym", "other_gym"], "cells": [cell]}
    with pytest.raises(DesignError, match="would have it right") as caught:
        plan(SuiteSpec.model_validate(fields), catalog)
    assert caught.value.where.startswith("guess.chance.")


EVERY = [
    {"paradigm": paradigm, "condition": name, "count": 1}
    for paradigm, file in shipped().paradigms.items()
    for name in file.conditions
    if paradigm != "permanence"
]


@pytest.mark.parametrize("seed", range(4))
def test_what_concerns_a_probe_is_all_that_its_gold_needs(seed: int) -> None:
    types = [name for name, each in shipped().fact_types.items() if each.mutability == "dynamic"]
    mix = {"background": 1, "decoy": 3, "confusable": 1, "stale_reference": 2}
    more = {"sessions": 80, "share": 4, "marks": {"w1": 40, "w2": 60, "w3": 80}, "mix": mix, "seed": seed}
    design = suite(*EVERY, fact_types=types, **more)
    spec = compiled(design)
    for probe in spec.probes:
        facts = facts_of(shipped().fact_types[spec.member(probe.about).fact_type])
        whole = gold(prefix(spec, probe), spec.cast, probe, facts, dates_of(spec))
        assert gold_of(spec, probe, facts) == whole, probe.id
