"""Counterbalancing what is drawn: other draws where a rule without memory would be right too often.

What a design asks fixes most answers of such a rule. What is drawn moves the rest: how many sessions come
before and after a change, which fillers name which values, and where they stand. A plan is searched, case by case
in a drawn order, for draws under which every rule stays below its ceiling.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from suitegen.latent.compile import Case, compile_case
from suitegen.latent.draw import facts_of
from suitegen.latent.gold import gold_of
from suitegen.latent.seeds import shuffled
from suitegen.model.catalog import Catalog
from suitegen.model.suite import SuiteSpec
from suitegen.validation.options import limit
from suitegen.validation.protocol import Options
from suitegen.validation.shortcuts import (
    CEILINGS,
    DRAWN,
    FEW,
    HALVES,
    PLACE_RULES,
    RULES,
    SHORTCUTS,
    Rule,
    allowed,
    planned_task,
)

MOST = 500
"""Cases of the largest design that is searched: in larger ones chance evens out what is drawn."""
TURNS = 6
"""Series of draws that a case can have."""
_BY_TEXT = "keyword overlap"
_PLACE = "the best place"
_PLANNED: Mapping[str, Rule] = {
    **{name: rule for name, rule in RULES.items() if name in CEILINGS and name != _BY_TEXT},
    **PLACE_RULES,
}
"""Rules with a ceiling whose answers follow from the plan, if the text says what it plans."""


@dataclass(frozen=True, slots=True)
class Excess:
    """A rule that would be right too often for the present values of a plan."""

    rule: str
    right: int
    asked: int
    ceiling: float


@dataclass(frozen=True, slots=True)
class _Answers:
    """How many of a case's probes for the present value there are, and how many each rule has right."""

    asked: int
    right: Counter[str]


def judged_by(suite: SuiteSpec, catalog: Catalog) -> Options | None:
    """The options under which the suite's gates judge shortcuts; None where they do not."""
    checks = (check for name in suite.gates for check in catalog.gates[name].checks)
    found = next((check for check in checks if check.validator == SHORTCUTS.name), None)
    return None if found is None else {**SHORTCUTS.options, **found.options}


def counterbalanced(suite: SuiteSpec, catalog: Catalog, cases: Sequence[Case]) -> tuple[Case, ...]:
    """The cases, some with another series of draws; all as they are where nothing is over its ceiling.

    Raises:
        DesignError: a case cannot be compiled.
    """
    options = judged_by(suite, catalog)
    if options is None or len(cases) > MOST:
        return tuple(cases)
    chosen = {case.key: case for case in cases}
    answers = {case.key: _answers(suite, catalog, case) for case in cases}
    for turn in range(1, TURNS):
        before = _sum(answers, options)
        for case in shuffled(cases, suite.seed, suite.id, "counterbalance", turn) if before else ():
            key, over = case.key, {excess.rule for excess in _over(answers, options)}
            if not any(answers[key].right[rule] for rule in over):
                continue
            other = replace(case, turn=turn)
            tried = {**answers, key: _answers(suite, catalog, other)}
            if _sum(tried, options) < _sum(answers, options):
                chosen[key], answers = other, tried
        if _sum(answers, options) == before:
            break
    return tuple(chosen[case.key] for case in cases)


def remaining(suite: SuiteSpec, catalog: Catalog, cases: Sequence[Case]) -> tuple[Excess, ...]:
    """The rules that are over their ceilings under a plan; of the places in the history the best one."""
    options = judged_by(suite, catalog)
    if options is None or not cases:
        return ()
    over = list(_over({case.key: _answers(suite, catalog, case) for case in cases}, options))
    places = [excess for excess in over if excess.rule in PLACE_RULES]
    best = max(places, key=lambda excess: excess.right, default=None)
    others = [excess for excess in over if excess.rule not in PLACE_RULES]
    return (*others, *([replace(best, rule=_PLACE)] if best else ()))


def _answers(suite: SuiteSpec, catalog: Catalog, case: Case) -> _Answers:
    asked, right = 0, Counter[str]()
    for spec in compile_case(suite, catalog, case, 0):
        for probe in spec.probes:
            if probe.type != "current":
                continue
            asked += 1
            facts = facts_of(catalog.fact_types[spec.member(probe.about).fact_type])
            gold, task = gold_of(spec, probe, facts).field("value"), planned_task(spec, probe)
            right.update(name for name, rule in _PLANNED.items() if rule(task) == gold.answer)
    return _Answers(asked, right)


def _over(answers: Mapping[str, _Answers], options: Options) -> Iterator[Excess]:
    """Every rule and every place that is over its ceiling."""
    cases = [key for key, own in answers.items() for _ in range(own.asked)]
    totals = sum((own.right for own in answers.values()), Counter[str]())
    for name in _PLANNED if cases else ():
        title = _PLACE if name in PLACE_RULES else name
        ceiling = limit(options, CEILINGS[title])
        if ceiling is None or (title in DRAWN and len(cases) < FEW):
            continue
        if totals[name] > allowed(ceiling, title in HALVES, cases):
            yield Excess(name, totals[name], len(cases), ceiling)


def _sum(answers: Mapping[str, _Answers], options: Options) -> int:
    """By how many answers the rules are over their ceilings, all together."""
    return sum(excess.right - int(excess.ceiling * excess.asked) for excess in _over(answers, options))
