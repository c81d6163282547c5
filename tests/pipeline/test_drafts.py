"""A case written by a model: corrected, written afresh, taken over, given up; and a run that models stop."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from suitegen.errors import BudgetError, ModelError
from suitegen.latent.compile import compile_case
from suitegen.llm.account import Account, Budget
from suitegen.llm.cache import Cache
from suitegen.llm.client import Client, Line
from suitegen.llm.faults import Fault
from suitegen.llm.limits import Limits, SystemClock, Throttle
from suitegen.llm.protocol import ChatRequest, Reply, Usage
from suitegen.llm.scripted import Rule, Scripted
from suitegen.model.catalog import Catalog
from suitegen.model.episode import CaseRecord
from suitegen.model.finding import Finding
from suitegen.model.gate import GateSpec
from suitegen.model.suite import SuiteSpec
from suitegen.pipeline.case import build_case
from suitegen.pipeline.desk import Desk
from suitegen.pipeline.drafts import planned
from suitegen.pipeline.journal import Journal
from suitegen.pipeline.kit import Workshop
from suitegen.pipeline.run import run
from suitegen.pipeline.view import RunOptions
from suitegen.validation.protocol import Example, Options, Outcome, SessionText, Validator
from tests import ghost
from tests.catalog import shipped

SUITE = SuiteSpec.model_validate({
    "id": "small", "title": "Small", "seed": 5, "fact_types": ["gym", "standup_time", "retry_limit"],
    "reserves": 0, "repairs": 1, "tiers": {"core": {"encoding": 1, "before": 2, "after": [1, 1]}},
    "cells": [
        {"paradigm": "interference", "condition": "authoritative_update", "count": 2},
        {"paradigm": "misinformation", "condition": "assistant_noise", "count": 1},
        {"paradigm": "consolidation", "condition": ["low", "low_weak_challenge"], "vary": "condition", "count": 1},
    ],
    "gates": ["session", "episode"],
})  # fmt: skip
CATALOG: Catalog = shipped()
CASES = ghost.cases(SUITE, CATALOG)
GHOST = ghost.Ghost(SUITE, CATALOG, CASES)


@contextmanager
def desk(rule: Rule, path: Path, budget: Budget | None = None) -> Iterator[tuple[Desk, Scripted]]:
    chat = Scripted(rule)
    account = Account(budget or Budget(), ghost.PRICES)
    line = Line(chat, ghost.MODEL.url, Throttle(Limits(), SystemClock(), "m"))
    with Desk(lambda: Client({ghost.MODEL: line}, Cache(path / "replies.sqlite"), account)) as made:
        yield made, chat


def made(rule: Rule, path: Path, *, case: int = 0, **more: object) -> tuple[CaseRecord, list[ChatRequest]]:
    """The record of a case by a model, and what the model was asked."""
    fallback = bool(more.pop("fallback", False))
    with desk(rule, path) as (models, chat):
        shop = ghost.workshop(SUITE, CATALOG, ghost.model_writer(CATALOG, models.ask, **more), fallback=fallback)
        return build_case(shop, CASES[case]), chat.asked


def at_first(times: int, spoilt: Callable[[str], Reply | str]) -> Rule:
    """The ghost, but that its first replies for the last session with a statement are spoilt."""
    chosen: list[str] = []

    def rule(request: ChatRequest) -> Reply | str:
        text = GHOST(request)
        if not chosen and json.loads(text)["evidence"]:
            chosen.append(request.template)
        return spoilt(text) if request.template in chosen and request.attempt < times else text

    return rule


def misquoted(text: str) -> str:
    value = json.loads(text)
    return json.dumps({**value, "evidence": dict.fromkeys(value["evidence"], "nothing of the kind")})


def leaking(text: str) -> str:
    value = json.loads(text)
    for fact_type in map(CATALOG.fact_types.__getitem__, SUITE.fact_types):
        value["exchanges"][-1]["assistant"] += f" The {fact_type.attribute} is not {fact_type.values[-1].value}."
    return json.dumps(value)


def test_a_case_is_written_with_one_call_a_session(tmp_path: Path) -> None:
    record, asked = made(GHOST, tmp_path)
    assert (record.status, record.attempts) == ("accepted", ())
    assert len(asked) == len(list(planned([record.episodes[0].spec])))
    kinds = {placement.kind: placement.origin for placement in record.episodes[0].placements}
    assert {origin for kind, origin in kinds.items() if kind != "background"} == {"openai:ghost"}
    assert all(span.quote for span in record.episodes[0].spans)


SPOILT = {
    "misquoted": (misquoted, "W502"),
    "leaking": (leaking, "S104"),
    "no JSON": (lambda text: "Sure, here you go!", "W501"),
    "cut": (lambda text: Reply(text[:40], "cut"), "W501"),
    "refused": (lambda text: Reply("", "refused", refusal="I will not"), "W501"),
    "empty": (lambda text: Reply("", "empty"), "W501"),
    "refusing": (
        lambda text: text.replace('"assistant": "', '"assistant": "As an AI, I cannot help with that. ', 1),
        "S107",
    ),
}


@pytest.mark.parametrize("times", [1, 2])
@pytest.mark.parametrize("name", SPOILT)
def test_a_writer_that_gets_it_right_later_is_accepted_and_every_try_is_kept(
    tmp_path: Path, name: str, times: int
) -> None:
    spoil, code = SPOILT[name]
    record, asked = made(at_first(times, spoil), tmp_path)
    assert record.status == "accepted"
    assert len(record.attempts) == times
    for number, attempt in enumerate(record.attempts):
        assert code in {finding.code for finding in attempt.findings}
        assert attempt.call
        assert attempt.call.attempt == number
        assert "Statements:" in attempt.call.prompt
        assert attempt.call.reply or name == "empty"
    again = [request for request in asked if request.attempt]
    assert [request.attempt for request in again] == list(range(1, times + 1))
    mends = name not in ("empty",)
    assert all((len(request.messages) == 4) == mends for request in again)
    for request, attempt in zip(again, record.attempts, strict=True):
        feedback = [finding.feedback for finding in attempt.findings]
        assert not mends or any(line in request.messages[-1].content for line in feedback)


def test_what_is_never_right_is_tried_so_often_and_given_up(tmp_path: Path) -> None:
    record, asked = made(at_first(1000, misquoted), tmp_path, corrections=1, restarts=1)
    assert record.status == "failed"
    assert len(record.attempts) == 4
    assert max(Counter(request.template for request in asked).values()) == 4
    assert len({(request.template, request.attempt) for request in asked}) == len(asked)
    assert [len(request.messages) for request in asked if request.attempt] == [4, 2, 4]


def test_the_offline_writer_takes_over_where_it_may(tmp_path: Path) -> None:
    record, asked = made(at_first(1000, misquoted), tmp_path, corrections=1, restarts=0, fallback=True)
    assert record.status == "accepted"
    assert len(record.attempts) == 2
    assert len([request for request in asked if request.attempt]) == 1
    origins = {p.origin for p in record.episodes[0].placements if p.kind != "background"}
    assert origins == {"openai:ghost", "offline"}


def test_sound_sessions_are_not_asked_for_again(tmp_path: Path) -> None:
    _, asked = made(at_first(2, misquoted), tmp_path)
    assert sum(1 for request in asked if request.attempt) == 2


def test_members_of_a_group_share_what_they_have_in_common(tmp_path: Path) -> None:
    record, _ = made(at_first(1, leaking), tmp_path, case=3)
    assert record.status == "accepted"
    first, second = record.episodes
    alike = [
        (one.turns, other.turns)
        for plan, one, other in zip(first.spec.sessions, first.sessions, second.sessions, strict=True)
        if plan.phase != "perturbation" and first.spec.events_of(plan) == second.spec.events_of(plan)
    ]
    assert len(alike) > 2
    assert all(one == other for one, other in alike)


def test_cost_and_tokens_of_a_rejected_try_are_kept(tmp_path: Path) -> None:
    rule = at_first(1, lambda text: Reply(misquoted(text), usage=Usage(2000, 1000)))
    record, _ = made(rule, tmp_path)
    call = record.attempts[0].call
    assert call
    assert (call.input, call.output, call.cost) == (2000, 1000, "0.004")


def test_feedback_on_what_was_set_into_a_dialogue_shows_the_models_own_words(tmp_path: Path) -> None:
    told = "no greeting, no farewell, no reference to what came before"
    spoilt: list[str] = []

    def rule(request: ChatRequest) -> str:
        text = GHOST(request)
        if "no reference to what" not in request.messages[1].content.lower() or request.attempt:
            return text
        spoilt.append(request.template)
        value = json.loads(text)
        value["exchanges"][-1]["assistant"] += f" Noted: {told}."
        return json.dumps(value)

    record, asked = made(rule, tmp_path)
    assert record.status == "accepted"
    again = [request for request in asked if request.attempt]
    assert {request.template for request in again} == set(spoilt)
    assert spoilt
    assert all(f'- "{told}' in request.messages[-1].content for request in again)


@pytest.mark.parametrize("named", [True, False])
def test_feedback_that_names_what_the_session_does_not_is_kept_from_the_model(tmp_path: Path, named: bool) -> None:
    def check(text: SessionText, options: Options) -> Outcome:
        if not any(event.op == "remember" and event.target == "target" for event in text.spec.events_of(text.plan)):
            return Outcome()
        later = text.spec.member("target").values["new"]
        told = f"say {later} less firmly" if named else "say it less firmly"
        return Outcome((Finding(code="X001", message="m", feedback=told),))

    spy = Validator("spy", "X001", "session", "f", "w", Example("a", "b"), check)
    gate = GateSpec(id="spies", about="a", level="session", checks=("spy",))
    with desk(GHOST, tmp_path) as (models, chat):
        shop = ghost.workshop(SUITE, CATALOG, ghost.model_writer(CATALOG, models.ask, corrections=1, restarts=0))
        shop = replace(shop, gates=(*shop.gates, gate), validators={**shop.validators, "spy": spy})
        assert build_case(shop, CASES[0]).status == "failed"
    again = [request for request in chat.asked if request.attempt]
    assert again
    assert all(("less firmly" in request.messages[-1].content) is not named for request in again)


# -- runs -------------------------------------------------------------------------------------------------------


def prints() -> dict[str, str]:
    return {case.key: "now" for case in CASES}


def gone_through(shop: Workshop, path: Path) -> tuple[bool, dict[str, CaseRecord]]:
    with Journal(path / "journal.tsv") as journal:
        stopped = run(shop, CASES, prints(), journal, RunOptions(workers=2), lambda event: None)
    return stopped, kept(path)


def kept(path: Path) -> dict[str, CaseRecord]:
    return {record.case: record for record in Journal(path / "journal.tsv").records()}


def modelled(models: Desk) -> Workshop:
    return ghost.workshop(SUITE, CATALOG, ghost.model_writer(CATALOG, models.ask))


@pytest.mark.parametrize("share", [0.2, 0.5, 0.9])
def test_a_spent_budget_stops_the_run_and_the_next_one_goes_on_without_a_call_repeated(
    tmp_path: Path, share: float
) -> None:
    with desk(GHOST, tmp_path / "whole") as (models, chat):
        _, whole = gone_through(modelled(models), tmp_path / "whole")
        calls = len(chat.asked)
    part = tmp_path / "part"
    with desk(GHOST, part, Budget(max_calls=int(calls * share))) as (models, first):
        with pytest.raises(BudgetError, match="budget"):
            gone_through(modelled(models), part)
        assert len(first.asked) == int(calls * share)
    with desk(GHOST, part) as (models, second):
        stopped, records = gone_through(modelled(models), part)
    assert not stopped
    assert records == whole
    assert len(first.asked) + len(second.asked) == calls


def test_a_budget_of_nothing_makes_no_call(tmp_path: Path) -> None:
    with desk(GHOST, tmp_path, Budget(max_calls=0)) as (models, chat):
        with pytest.raises(BudgetError):
            gone_through(modelled(models), tmp_path)
        assert chat.asked == []


def test_a_second_run_makes_no_call_even_without_its_journal(tmp_path: Path) -> None:
    with desk(GHOST, tmp_path) as (models, _):
        _, first = gone_through(modelled(models), tmp_path)
    (tmp_path / "journal.tsv").unlink()
    with desk(GHOST, tmp_path) as (models, chat):
        _, second = gone_through(modelled(models), tmp_path)
    assert chat.asked == []
    assert first == second


def test_a_model_that_cannot_be_asked_any_more_stops_the_run_and_loses_nothing(tmp_path: Path) -> None:
    seen: list[ChatRequest] = []

    def failing(request: ChatRequest) -> str:
        if len(seen) >= 12:
            raise Fault("stop", "401", hint="check the key")
        seen.append(request)
        return GHOST(request)

    with desk(failing, tmp_path) as (models, _), pytest.raises(ModelError, match="401"):
        gone_through(modelled(models), tmp_path)
    before = kept(tmp_path)
    assert 0 < len(before) < len(CASES)
    with desk(GHOST, tmp_path) as (models, chat):
        _, after = gone_through(modelled(models), tmp_path)
    assert {name: after[name] for name in before} == before
    again = {(r.template, r.attempt) for r in chat.asked} & {(r.template, r.attempt) for r in seen}
    assert not again


class Patient:
    """Answers nobody until so many have asked."""

    def __init__(self, wanted: int) -> None:
        self.waiting = 0
        self.wanted = wanted
        self.met = asyncio.Event()

    async def ask(self, request: ChatRequest) -> Reply:
        self.waiting += 1
        if self.waiting == self.wanted:
            self.met.set()
        try:
            async with asyncio.timeout(10):
                await self.met.wait()
        except TimeoutError:
            raise Fault("stop", "nobody else came") from None
        return Reply(GHOST(request))

    async def close(self) -> None:
        pass


def test_sessions_of_one_case_are_asked_for_together(tmp_path: Path) -> None:
    wanted = len(list(planned(compile_case(SUITE, CATALOG, CASES[0], 0))))
    assert 1 < wanted <= 4
    line = Line(Patient(wanted), ghost.MODEL.url, Throttle(Limits(), SystemClock(), "m"))
    with Desk(lambda: Client({ghost.MODEL: line}, Cache(tmp_path / "replies.sqlite"), Account())) as models:
        assert build_case(modelled(models), CASES[0]).status == "accepted"
