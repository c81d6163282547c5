"""Suites of whole designs with shipped conditions and fact types; what their sessions say is up to the test."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from suitegen.latent.compile import compile_case
from suitegen.latent.plan import plan
from suitegen.latent.seeds import rng
from suitegen.model.episode import Episode
from suitegen.model.finding import Measure
from suitegen.model.history import Turn, Written
from suitegen.model.latent import LatentSpec, Probe, SessionPlan
from suitegen.model.suite import SuiteSpec
from suitegen.validation.protocol import Kit, Outcome, SuiteText
from suitegen.validation.suite_rules import VALIDATORS
from suitegen.values.lexicon import Lexicon
from tests.catalog import shipped
from tests.validation.world import episode

RULES = {validator.name: validator for validator in VALIDATORS}
TOPICS = "bread garden letter music river train window paper winter market bridge yellow forest kitchen"
SMALL_WORDS = "the a of to in for with and but so then it is was that this my your we they can will not very"
WORDS = (*TOPICS.split(" "), *SMALL_WORDS.split(" "))
CELLS = (
    {"paradigm": "interference", "condition": "authoritative_update", "split": [False, True], "count": 12},
    {"paradigm": "misinformation", "condition": ["assistant_noise", "third_party_noise", "stale_tool"], "count": 12},
)

Say = Callable[[LatentSpec, SessionPlan], Written]
Ask = Callable[[LatentSpec, Probe], str]


def babble(*seed: str | int, words: int = 14) -> str:
    """Words in an order drawn from the seed, as a sentence."""
    random = rng("babble", *seed)
    return " ".join(random.choice(WORDS) for _ in range(words)).capitalize() + "."


def talk(spec: LatentSpec, plan: SessionPlan) -> Written:
    """A dialogue about nothing, in which all sessions are alike."""
    roles = ("user", "assistant", "user", "assistant")
    contents = [babble(spec.case, spec.variant, plan.slot, number) for number in range(4)]
    turns = [Turn.model_validate({"role": role, "content": text}) for role, text in zip(roles, contents, strict=True)]
    return Written(turns=tuple(turns))


def state(spec: LatentSpec, plan: SessionPlan) -> Written:
    """The same dialogue, which also names what its events state, by whoever speaks."""
    said = [
        Turn(role=event.speaker, content=f"The {spec.member(event.target).attribute} is {value}.")
        for event in spec.events_of(plan)
        for value in (event.old, event.value)
        if value is not None and (event.states("value") if value == event.value else event.states("old"))
    ]
    return Written(turns=(*talk(spec, plan).turns, *said))


def wonder(spec: LatentSpec, probe: Probe) -> str:
    """A question that tells nothing but what it is about."""
    return f"What about the {spec.member(probe.about).attribute}: {probe.type}?"


def design(*cells: Mapping[str, object], **more: object) -> SuiteSpec:
    """A suite of three fact types; four cells, as many updates as not, if none are given."""
    fields = {
        "id": "design",
        "title": "A design",
        "fact_types": ["gym", "retry_limit", "standup_time"],
        "tiers": {"core": {"encoding": 2, "before": 4, "after": [2, 3]}},
        "cells": cells or CELLS,
    }
    return SuiteSpec.model_validate({**fields, **more})


def built(suite: SuiteSpec, say: Say = talk, ask: Ask = wonder, missing: int = 0) -> SuiteText:
    """All episodes of a suite."""
    catalog = shipped()
    files = Kit(catalog, suite, Lexicon(catalog.fact_types))
    episodes = [
        episode(spec, {p.index: say(spec, p) for p in spec.sessions}, {p.id: ask(spec, p) for p in spec.probes}, files)
        for case in plan(suite, catalog)
        for spec in compile_case(suite, catalog, case, 0)
    ]
    return SuiteText(files, episodes, missing)


@lru_cache(maxsize=1)
def plain() -> SuiteText:
    """The usual design with dialogues about nothing."""
    return built(design())


@lru_cache(maxsize=1)
def stating() -> SuiteText:
    """The usual design with dialogues that name what their events state."""
    return built(design(), state)


THREADS = (
    {"paradigm": "points", "condition": "dynamic", "count": 3, "stands": {"encoding": "w1", "perturbation": "w2"}},
    {"paradigm": "points", "condition": "boundary", "count": 2, "beside": "dynamic"},
    {"paradigm": "points", "condition": "conflict", "count": 1, "twin": True, "stands": {"encoding": "w1"}},
)


@lru_cache(maxsize=1)
def shared() -> SuiteText:
    """A history of seven threads, asked at three windows, with dialogues about nothing."""
    history = {"count": 1, "sessions": 20, "alike": 3, "threads": THREADS}
    marks = {"w1": 8, "w2": 14, "w3": 20}
    return built(design(cells=(), histories=[history], marks=marks, fact_types=["retry_limit", "standup_time"]))


def of(base: SuiteText, episodes: Sequence[Episode], missing: int = 0) -> SuiteText:
    """The same suite with other episodes."""
    return SuiteText(base.kit, tuple(episodes), missing)


def check(name: str, text: SuiteText, **options: str | float | None) -> Outcome:
    """What a rule says, with some of its options changed."""
    return RULES[name].check(text, {**RULES[name].options, **options})


def figures(outcome: Outcome) -> dict[str, Measure]:
    """The measures by name."""
    return {measure.name: measure for measure in outcome.measures}


def respec(base: Episode, **changes: object) -> Episode:
    """The episode with fields of its spec changed."""
    return base.model_copy(update={"spec": base.spec.model_copy(update=changes)})
