"""Reading rates over a suite: the sums of what the reading checks measured on each episode."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from suitegen.model.episode import Episode
from suitegen.model.finding import Finding, Measure
from suitegen.validation.options import limit, number
from suitegen.validation.protocol import Example, Options, Outcome, SuiteText, Validator
from suitegen.validation.statistics import DIGITS, proportion

CODE = "U404"
_GATED = ("full_context", "oracle", "necessity", "counterfactual")
"""Rates that have a least value, by the name of measure and option."""
_SHOWN = ("bm25", "bm25_reach", "bm25_use", "bm25_time", "bm25_time_reach", "bm25_time_use", "no_history")


class _Rate(NamedTuple):
    """Points and how many answers they are of."""

    points: float
    n: int

    @property
    def value(self) -> float:
        """Points per answer."""
        return self.points / self.n


class _Rates(NamedTuple):
    """All measures of the reading checks, summed over the episodes: by name, each only with an answer."""

    all: Mapping[str, _Rate]
    split: Mapping[str, _Rate]
    """Over the episodes whose change is told in two parts."""
    parted: int
    """How many these are."""


def check_reading_rates(text: SuiteText, options: Options) -> Outcome:
    """The reader's rates over all probes reach their least values."""
    summed = _summed(text.episodes)
    rates = summed.all
    if not any(name in rates for name in (*_GATED, *_SHOWN)):
        return Outcome(not_run="no episode was read: the suite has no reading gate")
    found, measures = [], []
    for name in _GATED:
        least = limit(options, name)
        rate = rates.get(name, _Rate(0.0, 0))
        measures.append(proportion(name, rate.points, rate.n, least))
        if rate.n and least is not None and rate.value < least:
            message = f"{name} is {rate.value:.1%} of {rate.n} probes (at least {least:.0%})"
            found.append(Finding(code=CODE, message=message))
    gaps = list(_gaps(rates))
    measures += [proportion(name, rates[name].points, rates[name].n) for name in _SHOWN if name in rates]
    measures += gaps
    measures += [proportion(name, rates[name].points, rates[name].n) for name in _by_type(rates)]
    found += _split(summed, options, measures)
    least = limit(options, "gap")
    if least is not None and gaps and len(text.episodes) >= number(options, "gap_from"):
        gap = gaps[0].value or 0.0
        if gap <= least:
            message = f"full context is {gap:.1%} ahead of retrieval (more than {least:.0%} is needed)"
            found.append(Finding(code=CODE, message=message))
    return Outcome(tuple(found), tuple(measures))


def _summed(episodes: Iterable[Episode]) -> _Rates:
    """The points of all measures; unparsable answers are not counted by them."""
    points: dict[tuple[bool, str], list[float]] = defaultdict(list)
    answers: Counter[tuple[bool, str]] = Counter()
    parted = 0
    for episode in episodes:
        split = episode.spec.split
        parted += split
        for verdict in episode.verdicts:
            for measure in verdict.measures if verdict.level == "episode" else ():
                if measure.value is not None:
                    points[split, measure.name].append(measure.value * measure.n)
                    answers[split, measure.name] += measure.n
    whole = {
        name: _Rate(math.fsum((*points[True, name], *points[False, name])), n)
        for name in dict.fromkeys(name for _, name in list(points))
        if (n := answers[True, name] + answers[False, name])
    }
    split_ = {name: _Rate(math.fsum(points[split, name]), n) for (split, name), n in answers.items() if split and n}
    return _Rates(whole, split_, parted)


def _by_type(names: Iterable[str]) -> list[str]:
    """The names of the measures of one probe type, the checks in their order."""
    return [name for check in (*_GATED, "bm25") for name in sorted(names) if name.startswith(f"{check} ")]


def _split(rates: _Rates, options: Options, measures: list[Measure]) -> Iterator[Finding]:
    """Where a change is told in two parts, retrieval is to answer at most a share of what full context does."""
    for kind in ("current", "change"):
        most = limit(options, f"split_{kind}")
        full, found = rates.split.get(f"full_context {kind}"), rates.split.get(f"bm25 {kind}")
        if full is None or found is None:
            continue
        measures.append(proportion(f"full_context {kind}, split", full.points, full.n))
        measures.append(proportion(f"bm25 {kind}, split", found.points, found.n))
        if most is not None and rates.parted >= number(options, "split_from") and found.value > most * full.value:
            message = (
                f"of split changes, retrieval answers {kind} at {found.value:.0%}, and full context at {full.value:.0%}"
            )
            yield Finding(code=CODE, message=f"{message} (at most {most:.0%} of it)")


def _gaps(rates: Mapping[str, _Rate]) -> Iterator[Measure]:
    """What retrieval loses to full context, and how much of it although it reached the evidence.

    Use is what is lost where all evidence was retrieved, weighted by how often it was; the rest
    is lost because some evidence was not reached.
    """
    if "full_context" not in rates or "bm25" not in rates:
        return
    full, n = rates["full_context"].value, rates["bm25"].n
    gap = full - rates["bm25"].value
    yield Measure(name="gap", value=round(gap, DIGITS), n=n)
    if "bm25_reach" in rates:
        used = rates.get("bm25_use")
        use = rates["bm25_reach"].value * (full - used.value) if used else 0.0
        yield Measure(name="gap by reach", value=round(gap - use, DIGITS), n=n)
        yield Measure(name="gap by use", value=round(use, DIGITS), n=n)


READING_RATES: Validator[SuiteText] = Validator(
    "reading_rates", CODE, "suite", "A suite that its reader cannot answer, or can answer without the evidence.",
    "Single probes may be hard for a reader; a rate below these says that the texts do not carry the gold.",
    Example("full context 97 %, necessity 100 %", "full context 82 %: every sixth probe has no answer in its history"),
    check_reading_rates,
    {
        "full_context": 0.9, "oracle": 0.95, "necessity": 0.95, "counterfactual": None, "gap": 0.0, "gap_from": 200,
        "split_current": None, "split_change": None, "split_from": 10,
    },
)  # fmt: skip
