"""Planning: counts, balance, counterbalance, groups, reserves, lengths."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from suitegen.errors import DesignError
from suitegen.latent.coherence import problems
from suitegen.latent.compile import Case, compile_case, counterfactual
from suitegen.latent.draw import facts_of
from suitegen.latent.plan import plan
from suitegen.model.catalog import Catalog
from suitegen.model.suite import SuiteSpec
from tests.catalog import shipped

NINE = [
    "gym", "diet", "commute", "standup_time", "project_owner", "review_day", "retry_limit", "active_branch", "api_port",
]  # fmt: skip


def suite(*cells: dict[str, object], **more: object) -> SuiteSpec:
    return SuiteSpec.model_validate({"id": "t", "title": "T", "fact_types": NINE, "cells": cells, **more})


def cell(
    condition: object = "authoritative_update", paradigm: str = "interference", **more: object
) -> dict[str, object]:
    counted = {} if "each" in more else {"count": 1}
    return {"paradigm": paradigm, "condition": condition, **counted, **more}


def everything() -> list[dict[str, object]]:
    """A cell for every shipped condition, whole and, where it can be, split."""
    return [
        cell(name, paradigm, split=[False, True] if condition.split else [False], each=1)
        for paradigm, file in shipped().paradigms.items()
        for name, condition in file.conditions.items()
    ]


def test_counts_are_spread_over_the_crossing() -> None:
    cases = plan(suite(cell(split=[False, True], tier=["short", "core"], count=6)), shipped())
    assert Counter((c.variants[0].split, c.variants[0].tier) for c in cases) == {
        (False, "short"): 2, (False, "core"): 2, (True, "short"): 1, (True, "core"): 1,
    }  # fmt: skip


def test_each_gives_the_full_grid() -> None:
    conditions = ["authoritative_update", "decoy_no_update"]
    grid = cell(conditions, domain=["personal", "work", "agentic"], each=2)
    cases = plan(suite(grid), shipped())
    assert set(Counter((c.variants[0].condition, c.domain) for c in cases).values()) == {2}
    assert len(cases) == 12


def test_domains_and_fact_types_are_used_alike() -> None:
    cases = plan(suite(cell(["authoritative_update", "decoy_no_update"], count=36)), shipped())
    assert set(Counter(case.domain for case in cases).values()) == {12}
    assert set(Counter(case.fact_type for case in cases).values()) == {4}


def test_pairs_are_counterbalanced() -> None:
    cases = plan(suite(cell(count=36)), shipped())
    for name in NINE:
        pairs = [case.pair for case in cases if case.fact_type == name]
        assert {pairs[0], pairs[1]} == {pairs[0], pairs[0][::-1]}
        assert Counter(pairs) == Counter(pair[::-1] for pair in pairs)


def test_keys_are_unique_and_do_not_move_when_a_cell_is_put_before() -> None:
    late = plan(suite(cell("decoy_no_update", count=3)), shipped())
    both = plan(suite(cell(count=2), cell("decoy_no_update", count=3)), shipped())
    assert {case.key for case in late} <= {case.key for case in both}
    assert len({case.key for case in both}) == 5


def test_an_unused_fact_type_changes_nothing() -> None:
    files = shipped()
    extra = files.fact_types["gym"].model_copy(update={"id": "other_gym"})
    more = replace(files, fact_types={"other_gym": extra, **files.fact_types})
    spec = suite(*everything())
    assert [compiled(spec, files, case) for case in plan(spec, files)] == [
        compiled(spec, more, case) for case in plan(spec, more)
    ]


def compiled(spec: SuiteSpec, files: Catalog, case: Case, draw: int = 0) -> list[str]:
    return [latent.model_dump_json() for latent in compile_case(spec, files, case, draw)]


def test_every_shipped_condition_compiles_soundly_in_several_draws() -> None:
    spec = suite(*everything())
    for case in plan(spec, shipped()):
        for draw in range(3):
            for latent in compile_case(spec, shipped(), case, draw):
                facts = facts_of(shipped().fact_types[case.fact_type])
                assert problems(latent, facts) == (), (case.key, draw)


def test_the_sibling_flips_the_gold() -> None:
    spec = suite(*everything())
    flipped = 0
    for case in plan(spec, shipped()):
        (latent,) = compile_case(spec, shipped(), case, 0)
        other = counterfactual(spec, shipped(), case, latent)
        if other is not None:
            assert other.expects != latent.expects
            assert [s.slot for s in other.sessions] == [s.slot for s in latent.sessions]
            facts = facts_of(shipped().fact_types[case.fact_type])
            assert problems(other, facts) == (), case.key
            flipped += 1
    assert flipped >= 14


def test_a_matched_group_shares_all_but_what_it_varies() -> None:
    conditions = ["high", "low", "high_weak_challenge", "low_weak_challenge"]
    spec = suite(cell(conditions, "consolidation", vary="condition"))
    (case,) = plan(spec, shipped())
    members = compile_case(spec, shipped(), case, 0)
    assert [member.condition for member in members] == conditions
    high, low, high_weak, _ = members
    assert len({tuple((s.slot, s.timestamp) for s in member.sessions) for member in members}) == 1
    said = {s.slot for s in low.sessions if s.phase == "encoding" and s.kind == "event"}
    assert len(said) == 1
    assert said < {s.slot for s in high.sessions if s.phase == "encoding" and s.kind == "event"}
    assert high.member("target").values["new"] == high_weak.member("target").values["rival"]


def test_reserves_are_other_draws_of_the_same_case() -> None:
    spec = suite(cell())
    (case,) = plan(spec, shipped())
    draws = {tuple(compiled(spec, shipped(), case, draw)) for draw in range(4)}
    assert len(draws) == 4
    assert compiled(spec, shipped(), case, 2) == compiled(spec, shipped(), case, 2)


def test_a_session_count_is_met() -> None:
    spec = suite(cell(length={"sessions": 30}), tiers={"core": {"after": [2, 2]}})
    (case,) = plan(spec, shipped())
    (latent,) = compile_case(spec, shipped(), case, 0)
    assert len(latent.sessions) == 30


@pytest.mark.parametrize(("length", "numbers"), [({"sessions": 5}, ("5", "12")), ({"tokens": 1000}, ("1000", "3000"))])
def test_an_unsatisfiable_length_names_both_numbers(length: dict[str, int], numbers: tuple[str, str]) -> None:
    with pytest.raises(DesignError) as caught:
        plan(suite(cell(length=length)), shipped())
    assert all(number in str(caught.value) for number in numbers)


def test_a_pool_that_is_too_small_names_both_numbers() -> None:
    files = shipped()
    small = files.fact_types["gym"].model_copy(update={"values": files.fact_types["gym"].values[:2]})
    spec = SuiteSpec.model_validate({"id": "t", "title": "T", "fact_types": ["gym"], "cells": [cell("update_chain")]})
    with pytest.raises(DesignError, match=r"2 values.*needs 3"):
        plan(spec, replace(files, fact_types={"gym": small}))


@pytest.mark.parametrize(
    "wrong",
    [
        {"paradigm": "interferense"},
        {"condition": "nothing_such"},
        {"condition": "decoy_no_update", "split": True},
        {"tier": "endless"},
        {"twin": True},
    ],
)
def test_unknown_names_and_impossible_cells_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(DesignError):
        plan(suite({**cell(), **wrong}), shipped())


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 10**6), before=st.integers(0, 20), low=st.integers(0, 4), more=st.integers(0, 4))
def test_histories_keep_their_order_whatever_the_seed(seed: int, before: int, low: int, more: int) -> None:
    tier = {"encoding": 2, "before": before, "after": [low, low + more]}
    spec = suite(cell("reactivated", "reconsolidation", split=True), seed=seed, tiers={"core": tier})
    (case,) = plan(spec, shipped())
    (latent,) = compile_case(spec, shipped(), case, 0)
    stamps = [session.timestamp for session in latent.sessions]
    assert stamps == sorted(set(stamps))
    assert [session.index for session in latent.sessions] == list(range(len(stamps)))
    assert [event.session for event in latent.events] == sorted(event.session for event in latent.events)
    assert 2 + before + 4 + low <= len(stamps) <= 2 + before + 4 + low + more
    parts = [event for event in latent.events if event.op == "update"]
    assert parts[1].session - parts[0].session == 3
    assert problems(latent, facts_of(shipped().fact_types[case.fact_type])) == ()


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 10**6))
def test_no_role_shares_a_value_and_no_filler_uses_one(seed: int) -> None:
    spec = suite(*everything(), seed=seed)
    for case in plan(spec, shipped()):
        (latent,) = compile_case(spec, shipped(), case, 0)
        roles = latent.member("target").values
        if not {"new", "rival"} <= roles.keys():
            assert len(set(roles.values())) == len(roles)
        for event in latent.events:
            if event.id.startswith(("decoy", "confusable")):
                assert event.value not in roles.values()


def with_static(name: str) -> Catalog:
    """The shipped files, with one fact type that never changes and so has no changes."""
    known = shipped()
    static = known.fact_types[name].model_copy(update={"mutability": "static", "changes": ()})
    return replace(known, fact_types={**known.fact_types, name: static})


def test_a_static_fact_type_is_drawn_only_where_nothing_moves_it() -> None:
    catalog = with_static("gym")
    served = set()
    for paradigm, file in catalog.paradigms.items():
        for name in file.conditions:
            cases = plan(suite(cell(name, paradigm, each=20)), catalog)
            served |= {(paradigm, name) for case in cases if case.fact_type == "gym"}
    lasting = {("permanence", name) for name in catalog.paradigms["permanence"].conditions}
    lasting |= {("points", name) for name in catalog.paradigms["points"].conditions if name != "dynamic"}
    assert served == {("interference", "correction"), ("misinformation", "equal_sources"), *lasting}


def test_a_static_fact_type_serves_the_conditions_it_is_drawn_for() -> None:
    catalog = with_static("gym")
    cells = [cell("correction", fact_types=["gym"]), cell("equal_sources", "misinformation", fact_types=["gym"])]
    design = suite(*cells)
    for case in plan(design, catalog):
        for spec in compile_case(design, catalog, case, 0):
            assert not {event.op for event in spec.events} & {"update", "restore"}
            assert counterfactual(design, catalog, case, spec) is None


def test_the_counterfactual_of_a_fact_that_never_changes_is_a_correction() -> None:
    catalog = shipped()
    names = [name for name in catalog.paradigms["permanence"].conditions if name != "taken_back"]
    static = [name for name, each in catalog.fact_types.items() if each.mutability == "static"]
    design = suite(cell(names, "permanence", each=len(static)), fact_types=static)
    drawn = set()
    for case in plan(design, catalog):
        drawn.add(case.fact_type)
        for spec in compile_case(design, catalog, case, 0):
            other = counterfactual(design, catalog, case, spec)
            assert other is not None
            taken_back = [event for event in other.events if event.op == "correct"]
            assert [event.target for event in taken_back] == ["target"]
            assert not {event.op for event in (*spec.events, *other.events)} & {"update", "restore"}
            assert spec.member("target").values["initial"] != taken_back[0].value
    assert drawn == set(static)


@pytest.mark.parametrize("condition", ["authoritative_update", "decoy_no_update", "rollback"])
def test_a_static_fact_type_alone_cannot_serve_a_condition_that_moves_it_or_whose_sibling_does(condition: str) -> None:
    with pytest.raises(DesignError, match="can serve"):
        plan(suite(cell(condition, fact_types=["gym"])), with_static("gym"))
