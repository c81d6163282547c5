"""What a plan is over, said before anything is written: rules without memory that would be right too often.

A constant answer follows from the conditions' timelines and not from what is drawn: its share in one plan is its share
in every plan of the design. What the other rules are right in could be drawn otherwise, and was counterbalanced first.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from suitegen.errors import DesignError
from suitegen.latent.compile import Case, compile_case
from suitegen.latent.draw import facts_of
from suitegen.latent.gold import gold_of
from suitegen.latent.plan import plan
from suitegen.model.catalog import Catalog
from suitegen.model.latent import LatentSpec
from suitegen.model.suite import Cell, SuiteSpec
from suitegen.pipeline.counterbalance import judged_by, remaining
from suitegen.validation.options import limit, listed
from suitegen.validation.shortcuts import allowed

NAMED = 3
"""So many conditions are named as a remedy."""


@dataclass(frozen=True, slots=True)
class _Label:
    """An answer from a closed list, and where it comes from."""

    case: str
    condition: str
    answer: str


_Labels = Mapping[tuple[str, str], Sequence[_Label]]
"""By probe type and field."""


def unmet(suite: SuiteSpec, catalog: Catalog, cases: Sequence[Case], specs: Sequence[LatentSpec]) -> tuple[str, ...]:
    """For each rule that would be right too often: its share, and what would lower it.

    Args:
        suite: the design, with the gates that judge it.
        catalog: its fact types, paradigms and gates.
        cases: the planned cases.
        specs: their episodes.
    """
    return (*_rules(suite, catalog, cases), *_constants(suite, catalog, specs))


def _rules(suite: SuiteSpec, catalog: Catalog, cases: Sequence[Case]) -> Iterator[str]:
    for excess in remaining(suite, catalog, cases):
        share = f"{excess.right / excess.asked:.0%}, at most {excess.ceiling:.0%}"
        yield (
            f"in this plan {excess.rule!r} is right for {excess.right} of {excess.asked} present values ({share}): "
            f"{_REMEDIES[excess.rule]}"
        )


_REMEDIES = {
    "always update": "ask more episodes in which the value is kept",
    "always preserve": "ask more episodes in which the value ends up another than it was first",
    "latest mention": "give mix_after more stale references and decoys, or the tier more sessions after",
    "the longest value": "add fact types whose values are of like length",
    "the shortest value": "add fact types whose values are of like length",
    "the best place": "let the tiers' after range wider, or add conditions whose change comes earlier or later",
}


def _constants(suite: SuiteSpec, catalog: Catalog, specs: Sequence[LatentSpec]) -> tuple[str, ...]:
    """What is said of constant answers."""
    options = judged_by(suite, catalog)
    ceiling = limit(options, "constant") if options else None
    if options is None or ceiling is None:
        return ()
    fields = frozenset(listed(options, "constant_fields"))
    labels = _labels(catalog, specs, fields)
    over = {key: found for key in labels if (found := _over(labels[key], ceiling))}
    remedies = _labels(catalog, _one_of_each(suite, catalog), fields) if over else {}
    return tuple(
        _message(f"{kind}.{field}", answer, labels[kind, field], ceiling, remedies.get((kind, field), ()))
        for (kind, field), answer in over.items()
    )


def _labels(catalog: Catalog, specs: Iterable[LatentSpec], fields: frozenset[str]) -> _Labels:
    found: dict[tuple[str, str], list[_Label]] = defaultdict(list)
    for spec in specs:
        for probe in spec.probes:
            gold = gold_of(spec, probe, facts_of(catalog.fact_types[spec.member(probe.about).fact_type]))
            for field in gold.fields:
                if field.form == "enum" and field.name in fields:
                    thread = spec.thread(probe.thread)
                    label = _Label(spec.case, f"{thread.paradigm}/{thread.condition}", field.answer)
                    found[probe.type, field.name].append(label)
    return found


def _over(labels: Sequence[_Label], ceiling: float) -> str | None:
    """The most frequent answer, if it is right more often than the gate allows."""
    counts = Counter(label.answer for label in labels)
    constant = max(sorted(counts), key=lambda answer: counts[answer])
    return constant if counts[constant] > allowed(ceiling, True, [label.case for label in labels]) else None


def _one_of_each(suite: SuiteSpec, catalog: Catalog) -> Iterator[LatentSpec]:
    """An episode of every condition for which the suite has a fact type."""
    for paradigm, declared in catalog.paradigms.items():
        for condition in declared.conditions:
            cell = Cell(paradigm=paradigm, condition=(condition,), tier=(next(iter(suite.tiers)),), count=1)
            alone = suite.model_copy(update={"cells": (cell,), "histories": (), "withhold": 0})
            try:
                cases = plan(alone, catalog)
            except DesignError:
                continue
            yield from (spec for case in cases for spec in compile_case(alone, catalog, case, 0))


def _message(name: str, answer: str, labels: Sequence[_Label], ceiling: float, known: Sequence[_Label]) -> str:
    right = sum(label.answer == answer for label in labels)
    more = math.ceil(right / ceiling - 1e-9) - len(labels)
    giving = Counter(label.condition for label in known)
    same = Counter(label.condition for label in known if label.answer == answer)
    other = [condition for condition in giving if not same[condition]]
    # What the design asks already is named first: more of it changes nothing else.
    asked = {label.condition for label in labels}
    named = sorted(other, key=lambda condition: (condition not in asked, condition))[:NAMED]
    remedy = f"ask {more} more that have another answer" + (f", such as in {', '.join(named)}" if named else "")
    return (
        f"under every plan of this design {answer!r} is right for {right} of {len(labels)} {name} "
        f"({right / len(labels):.0%}, at most {ceiling:.0%}): {remedy}"
    )
