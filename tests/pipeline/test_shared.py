"""Repair in a history that threads share: what fails is drawn anew alone, and everything else stays as it was."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from suitegen.latent.compile import Case
from suitegen.latent.plan import plan
from suitegen.model.episode import CaseRecord, Episode
from suitegen.model.finding import Finding
from suitegen.model.suite import SuiteSpec
from suitegen.pipeline.case import build_case
from suitegen.pipeline.kit import Workshop
from suitegen.validation.protocol import EpisodeText, Options, Outcome, SessionText, Validator
from tests import ghost
from tests.catalog import shipped

SUITE = SuiteSpec.model_validate({
    "id": "shared", "title": "Shared", "seed": 4, "fact_types": ["retry_limit", "standup_time", "return_window"],
    "marks": {"w1": 8, "w2": 14, "w3": 20}, "repairs": 1, "reserves": 3,
    "histories": [{"count": 1, "sessions": 20, "alike": 2, "threads": [
        {"paradigm": "points", "condition": "dynamic", "count": 4, "stands": {"encoding": "w1", "perturbation": "w2"}},
        {"paradigm": "points", "condition": "boundary", "count": 1, "beside": "dynamic"},
    ]}],
    "gates": ["session", "episode", "windows"],
})  # fmt: skip


@lru_cache(maxsize=1)
def shop() -> tuple[Workshop, Case]:
    (case,) = plan(SUITE, shipped())
    return ghost.workshop(SUITE, shipped()), case


def built(*checks: Validator[SessionText] | Validator[EpisodeText]) -> CaseRecord:
    workshop, case = shop()
    return build_case(replace(workshop, validators={**workshop.validators, **{c.name: c for c in checks}}), case)


@lru_cache(maxsize=1)
def sound() -> Episode:
    record = built()
    assert record.status == "accepted"
    (episode,) = record.episodes
    return episode


def refusing(thread: str) -> Validator[SessionText]:
    """Finds fault with every session that says the first value which a thread was drawn."""
    base = sound()
    value = base.spec.member(base.spec.thread(thread).target).values["initial"]
    told = [event.id for event in base.spec.events if event.thread == thread and event.value == value]

    def check(text: SessionText, options: Options) -> Outcome:
        said = [e for e in text.spec.events_of(text.plan) if e.id in told and e.value == value]
        return Outcome(tuple(Finding(code="S103", message=f"{event.id} says {value}") for event in said))

    return replace(shop()[0].validators["facets"], check=check)  # type: ignore[return-value, arg-type]


def test_a_thread_that_keeps_failing_is_drawn_anew_and_no_other_is() -> None:
    record = built(refusing("t02"))
    assert record.status == "accepted"
    assert record.draw == 1
    (episode,), base = record.episodes, sound()
    assert [thread.draw for thread in episode.spec.threads] == [int(t.id == "t02") for t in episode.spec.threads]
    assert episode.spec.draw == base.spec.draw
    for before, after in zip(base.sessions, episode.sessions, strict=True):
        own = {event.thread for event in base.spec.events if event.session == before.index}
        assert before == after or own == {"t02"}, before.index
    assert {a.part.split()[0] for a in record.attempts} == {"session"}


def test_what_is_on_no_thread_in_particular_costs_a_reserve() -> None:
    def check(text: EpisodeText, options: Options) -> Outcome:
        wrong = text.episode.spec.draw == 0
        return Outcome((Finding(code="E205", message="all of it"),) if wrong else ())

    record = built(replace(shop()[0].validators["replay"], check=check))  # type: ignore[arg-type]
    assert record.status == "accepted"
    (episode,) = record.episodes
    assert episode.spec.draw == 1
    assert {thread.draw for thread in episode.spec.threads} == {0}


def test_threads_that_fail_for_good_are_a_failure_with_their_findings() -> None:
    def check(text: SessionText, options: Options) -> Outcome:
        own = [event for event in text.spec.events_of(text.plan) if event.thread == "t01"]
        return Outcome(tuple(Finding(code="S103", message=f"{event.id} is wrong") for event in own))

    record = built(replace(shop()[0].validators["facets"], check=check))  # type: ignore[arg-type]
    assert record.status == "failed"
    assert {attempt.draw for attempt in record.attempts} == {0, 1, 2, 3}
