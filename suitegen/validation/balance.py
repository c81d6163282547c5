"""Coverage and balance: the planned cells are there, and nothing of the design gives a behaviour away."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from suitegen.errors import DesignError
from suitegen.latent.plan import plan
from suitegen.model.episode import AskedProbe, Episode
from suitegen.model.finding import Finding, Measure
from suitegen.model.latent import Thread
from suitegen.model.words import Behavior
from suitegen.validation.options import number
from suitegen.validation.protocol import Example, Options, Outcome, SuiteText, Validator
from suitegen.validation.shortcuts import said
from suitegen.validation.statistics import DIGITS, proportion

_OPPOSED: tuple[Behavior, ...] = ("update", "preserve")
"""The behaviours that a suite holds against each other."""


class _Cell(NamedTuple):
    """What a thread is in the design."""

    paradigm: str
    condition: str
    split: bool
    tier: str
    domain: str

    def __str__(self) -> str:
        return f"{self.paradigm}/{self.condition}, {'split' if self.split else 'whole'}, {self.tier}, {self.domain}"


# -- coverage ---------------------------------------------------------------------------------------------------


def check_coverage(text: SuiteText, options: Options) -> Outcome:
    """Every planned cell has as many episodes as the design asks for."""
    try:
        planned = _planned(text)
    except DesignError as error:
        return Outcome(not_run=f"the plan cannot be made again: {error}")
    there = Counter(
        _Cell(t.paradigm, t.condition, t.split, episode.spec.tier, t.domain)
        for episode in text.episodes
        for t in episode.spec.threads
    )
    cells = sorted({*planned, *there})
    short = sum(max(0, planned[cell] - there[cell]) for cell in cells)
    held = sum(min(planned[cell], there[cell]) for cell in cells)
    measures = (
        proportion("planned episodes", held, sum(planned.values()), 1.0),
        Measure(name="missing cases", value=float(text.missing), threshold=number(options, "missing"), n=there.total()),
    )
    most = number(options, "missing")
    wrong = [c for c in cells if there[c] > planned[c] or (there[c] < planned[c] and short > most)]
    found = [Finding(code="U401", message=f"{cell}: {there[cell]} of {planned[cell]} episodes") for cell in wrong]
    if text.missing > most:
        found.append(Finding(code="U401", message=f"{text.missing} planned cases are missing (at most {most:.0f})"))
    return Outcome(tuple(found), measures)


def _planned(text: SuiteText) -> Counter[_Cell]:
    """Episodes by cell, as the suite's plan has them.

    Raises:
        DesignError: the author's files no longer give the plan.
    """
    cases = plan(text.kit.suite, text.kit.catalog)
    return Counter(
        _Cell(each.paradigm, variant.condition, variant.split, "" if case.threads else variant.tier, each.domain)
        for case in cases
        for each in case.strands
        for variant in each.variants
    )


# -- balance ----------------------------------------------------------------------------------------------------


class _Pair(NamedTuple):
    """The two values that a case plays against each other, the one that stands first first."""

    fact_type: str
    first: str
    other: str


class _Line(NamedTuple):
    """What of a thread is weighed against others."""

    case: str
    expects: Behavior | None
    domain: str
    fact_type: str
    asked: frozenset[str]
    """The probe types."""
    pair: _Pair | None


def check_balance(text: SuiteText, options: Options) -> Outcome:
    """Behaviours, value roles and probe types are balanced against each other."""
    lines = [_line(episode, thread) for episode in text.episodes for thread in episode.spec.threads]
    most = number(options, "most_share")
    expected = Counter(line.expects for line in lines if line.expects in _OPPOSED)
    pairs = _pairs(lines)
    measures = [
        proportion(f"{name} of update and preserve", expected[name], expected.total(), most) for name in _OPPOSED
    ]
    measures += _shares("domain", Counter(line.domain for line in lines))
    measures += _shares("fact type", Counter(line.fact_type for line in lines))
    measures.append(_widest(pairs))
    found = [*_unequal(expected, most), *_one_way(pairs, int(number(options, "pair_gap")))]
    if not text.kit.suite.leaky_probes:
        found += _one_sided(lines)
    found += _unused(text.kit.suite.fact_types, {line.fact_type for line in lines})
    return Outcome(tuple(found), tuple(measures))


def _line(episode: Episode, thread: Thread) -> _Line:
    own = [each for each in episode.probes if not episode.spec.shared or each.probe.thread == thread.id]
    asked = frozenset(each.probe.type for each in own)
    case = f"{episode.spec.case}/{thread.id}" if episode.spec.shared else episode.spec.case
    return _Line(case, thread.expects, thread.domain, thread.fact_type, asked, _pair(episode, thread, own))


def _shares(label: str, counts: Counter[str]) -> list[Measure]:
    return [proportion(f"{label} {name}", counts[name], counts.total()) for name in sorted(counts)]


def _unequal(expected: Counter[Behavior], most: float) -> Iterator[Finding]:
    """Update or preserve has more than its share; half of an odd number may be rounded up."""
    total = expected.total()
    for name, count in sorted(expected.items()):
        if count > max(int(most * total + 1e-9), (total + 1) // 2):
            message = f"{name} is expected in {count / total:.0%} of the episodes (at most {most:.0%})"
            yield Finding(code="U402", message=message)


def _pairs(lines: Iterable[_Line]) -> Counter[tuple[_Pair, Behavior | None]]:
    """How often each ordered pair is used under a behaviour, each case once."""
    seen: dict[str, tuple[_Pair, Behavior | None]] = {}
    for line in lines:
        if line.pair is not None:
            seen.setdefault(line.case, (line.pair, line.expects))
    return Counter(seen.values())


def _pair(episode: Episode, thread: Thread, own: Sequence[AskedProbe]) -> _Pair | None:
    """The first value of the target, and the first other value of the attribute that its thread brings up."""
    about = [asked for asked in own if asked.probe.about == thread.target]
    if not about:
        return None
    asked = max(about, key=lambda each: each.question.visible_until)
    history = [
        each.value
        for each in said(episode.spec, asked.probe.about, asked.question.visible_until)
        if each.kind == "event" and each.event.thread == thread.id
    ]
    other = next((value for value in history if value != history[0]), None)
    return None if other is None else _Pair(thread.fact_type, history[0], other)


def _one_way(pairs: Counter[tuple[_Pair, Behavior | None]], gap: int) -> Iterator[Finding]:
    """A pair of values that is used in one direction more often than in the other, under one behaviour."""
    for (pair, behavior), count in sorted(pairs.items(), key=lambda item: (item[0][0], item[0][1] or "")):
        back = pairs[_Pair(pair.fact_type, pair.other, pair.first), behavior]
        if count - back > gap:
            times = f"{pair.first} to {pair.other} {count} times, the other way {back} times"
            yield Finding(code="U402", message=f"{pair.fact_type}, {behavior or 'no behaviour'}: {times}")


def _one_sided(lines: Sequence[_Line]) -> Iterator[Finding]:
    """A probe type that is asked under one behaviour only tells which behaviour is expected."""
    sides = {line.expects for line in lines if line.expects in _OPPOSED}
    asked: dict[str, set[str]] = defaultdict(set)
    for line in lines:
        for kind in line.asked:
            asked[kind].update([line.expects] if line.expects else [])
    for kind in sorted(asked):
        only = ", ".join(sorted(asked[kind]))
        if len(sides) == len(_OPPOSED) and only and not sides <= asked[kind]:
            yield Finding(code="U402", message=f"{kind} is asked under {only} only")


def _unused(wanted: Iterable[str], used: set[str]) -> Iterator[Finding]:
    for name in wanted:
        if name not in used:
            yield Finding(code="U402", message=f"the fact type {name} is in no episode", severity="warning")


def _widest(pairs: Counter[tuple[_Pair, Behavior | None]]) -> Measure:
    """The largest difference between how often a value stands first and how often it is the other one."""
    roles: Counter[tuple[str, str]] = Counter()
    for (pair, _), count in pairs.items():
        roles[pair.fact_type, pair.first] -= count
        roles[pair.fact_type, pair.other] += count
    widest = max((abs(count) for count in roles.values()), default=0)
    return Measure(name="widest gap between a value's roles", value=round(float(widest), DIGITS), n=pairs.total())


COVERAGE: Validator[SuiteText] = Validator(
    "coverage", "U401", "suite", "A planned cell with fewer or more episodes than the design asks for.",
    "Effects are read off cells; what failed to be written is not missing at random.",
    Example("4 of 4 episodes in every cell", "3 of 4 split episodes of authoritative_update"),
    check_coverage, {"missing": 0},
)  # fmt: skip

BALANCE: Validator[SuiteText] = Validator(
    "balance", "U402", "suite",
    "Behaviours out of balance, a pair of values used in one direction, a probe type asked under one behaviour.",
    "What is always the new value, or only asked after updates, can be answered without any memory.",
    Example("9:30 to 10:00 twice, 10:00 to 9:30 twice", "'previous' is asked after updates only"),
    check_balance, {"most_share": 0.55, "pair_gap": 1},
)  # fmt: skip
