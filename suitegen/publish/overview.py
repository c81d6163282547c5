"""What the report tells of a suite before its episodes: figures, gates, shortcuts, balance and failures.

Values for the page's template; every list that grows with the suite is cut, and says by how much.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from suitegen.model.finding import Finding, Measure
from suitegen.publish.card import Line, composition
from suitegen.publish.manifest import GateLine, Manifest
from suitegen.publish.stats import SuiteStats

LISTED = 100
"""Most entries of a list or a table that grows with the suite."""
REASONS = 5
"""Most reasons that a check gives."""
FINDINGS = 20
"""Most findings that a check lists."""
TEXT = 300
"""Most characters of a message."""
SHORTCUTS = ("shortcuts", "closed_book", "question_leak")
"""Validators whose figures are shares of right answers of rules that do without the history."""


# -- lists that may be long -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Few:
    """The first ones of a list, and how many more there are."""

    first: Sequence[object]
    more: int


def few(things: Sequence[object], most: int = LISTED) -> Few:
    """The first ones of many."""
    return Few(things[:most], max(len(things) - most, 0))


def _clipped(text: str) -> str:
    return text if len(text) <= TEXT else f"{text[:TEXT]}\u2026"


# -- figures ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Plot:
    """A share on a line from 0 to 100, with what is known around it."""

    value: float
    low: float | None
    high: float | None
    limit: float | None


@dataclass(frozen=True, slots=True)
class Figure:
    """A measure in words."""

    name: str
    value: str
    limit: str
    interval: str
    n: str
    plot: Plot | None


def _figure(measure: Measure) -> Figure:
    return Figure(
        name=_clipped(measure.name),
        value=number(measure.value),
        limit="" if measure.threshold is None else number(measure.threshold),
        interval=f"{number(measure.low)} to {number(measure.high)}" if measure.low is not None else "",
        n=f"{measure.n:,}" if measure.n else "",
        plot=_plot(measure),
    )


def _plot(measure: Measure) -> Plot | None:
    """None where the figure is no share."""
    ends = (measure.value, measure.threshold, measure.low, measure.high)
    if measure.value is None or not all(end is None or 0 <= end <= 1 for end in ends):
        return None
    value, limit, low, high = (None if end is None else round(100 * end, 2) for end in ends)
    return Plot(value or 0.0, low, high, limit)


def number(value: float | None) -> str:
    """A count with separators, a fraction with four digits."""
    if value is None:
        return "not measured"
    return f"{value:,}" if isinstance(value, int) else f"{value:.4g}"


def _percent(share: float | None) -> str:
    if share is None:
        return "\u2013"
    return f"{round(100 * share, 1):g} %"


# -- gates ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Check:
    """A line of a gate."""

    line: GateLine
    why: Few
    figures: Few
    findings: Few

    @property
    def plain(self) -> bool:
        """Whether there is nothing to tell but that it passed."""
        return self.line.status == "passed" and not (self.line.measures or self.line.findings or self.line.why)

    @property
    def head(self) -> Figure | None:
        """The figure that stands for all, where one bears the validator's own name."""
        same = [measure for measure in self.line.measures if measure.name == self.line.validator]
        return _figure(same[0]) if same else None


@dataclass(frozen=True, slots=True)
class Gate:
    """A gate with its checks."""

    name: str
    level: str
    failed: int
    plain: tuple[Check, ...]
    told: tuple[Check, ...]


def gate(name: str, lines: Sequence[GateLine]) -> Gate:
    """A gate of these lines."""
    checks = [
        Check(
            line,
            few([_clipped(why) for why in line.why], REASONS),
            few([_figure(measure) for measure in line.measures]),
            few([_finding(finding) for finding in line.findings], FINDINGS),
        )
        for line in lines
    ]
    return Gate(
        name=name,
        level=", ".join(dict.fromkeys(line.level for line in lines)),
        failed=sum(line.status == "failed" for line in lines),
        plain=tuple(check for check in checks if check.plain),
        told=tuple(check for check in checks if not check.plain),
    )


def _finding(finding: Finding) -> tuple[str, str]:
    return finding.code, _clipped(finding.message)


# -- shortcuts --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Rule:
    """What a rule without memory gets right of one kind of question."""

    name: str
    right: str
    ceiling: str
    over: bool
    interval: str
    plot: Plot | None


@dataclass(frozen=True, slots=True)
class Asked:
    """The rules that were tried on one kind of question."""

    name: str
    n: str
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class Battery:
    """The rules of one validator: those with a ceiling, and those that are measured only."""

    line: GateLine
    why: str
    over: int
    judged: tuple[Asked, ...]
    measured: tuple[Asked, ...]


def battery(line: GateLine) -> Battery:
    """The rules that a validator tried."""
    judged = [measure for measure in line.measures if measure.threshold is not None]
    measured = [measure for measure in line.measures if measure.threshold is None]
    return Battery(
        line=line,
        why=_clipped("; ".join(line.why)),
        over=sum(_over(measure) for measure in judged),
        judged=tuple(_asked(judged[:LISTED])),
        measured=tuple(_asked(measured[:LISTED])),
    )


def _asked(measures: Sequence[Measure]) -> Iterator[Asked]:
    members: dict[str, list[Measure]] = {}
    for measure in measures:
        members.setdefault(measure.name.partition(" by ")[0], []).append(measure)
    for name, found in members.items():
        sizes = sorted({measure.n for measure in found})
        yield Asked(_clipped(name), " or ".join(map(number, sizes)), tuple(_rule(measure) for measure in found))


def _rule(measure: Measure) -> Rule:
    interval = f"{_percent(measure.low)} to {_percent(measure.high)}" if measure.low is not None else ""
    return Rule(
        name=_clipped(measure.name.partition(" by ")[2] or measure.name),
        right=_percent(measure.value),
        ceiling="" if measure.threshold is None else _percent(measure.threshold),
        over=_over(measure),
        interval=interval,
        plot=_plot(measure),
    )


def _over(measure: Measure) -> bool:
    return measure.value is not None and measure.threshold is not None and measure.value > measure.threshold


# -- design and failures ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Bar:
    """A part of a whole, with its share from 0 to 100."""

    name: str
    count: int
    share: float


@dataclass(frozen=True, slots=True)
class Balance:
    """How the design is spread."""

    domains: tuple[str, ...]
    lines: tuple[tuple[str, tuple[Line, ...]], ...]
    """Lines of the table by paradigm."""
    totals: Line
    behaviors: tuple[Bar, ...]
    probes: tuple[Bar, ...]
    tenths: tuple[Bar, ...]


def balance(manifest: Manifest, stats: SuiteStats) -> Balance:
    """How the design came out."""
    lines = composition(manifest.blocks)
    domains = tuple(sorted({block.domain for block in manifest.blocks}))
    totals = Line(
        "",
        "",
        "",
        domains=tuple(sum(line.domains[column] for line in lines) for column in range(len(domains))),
        split=sum(line.split for line in lines),
        episodes=sum(line.episodes for line in lines),
        probes=sum(line.probes for line in lines),
    )
    tenths = [(f"{10 * number} to {10 * number + 10} %", count) for number, count in enumerate(stats.evidence_position)]
    return Balance(
        domains=domains,
        lines=tuple((name, tuple(members)) for name, members in groupby(lines, lambda line: line.paradigm)),
        totals=totals,
        behaviors=_bars(stats.behaviors.items(), sum),
        probes=_bars(manifest.counts.probes_by_type.items(), sum),
        tenths=_bars(tenths, max),
    )


def _bars(pairs: Iterable[tuple[str, int]], whole: Callable[[list[int]], int]) -> tuple[Bar, ...]:
    """Bars against the sum or the greatest of the counts."""
    found = list(pairs)
    of = whole([count for _, count in found]) if found else 0
    return tuple(Bar(name, count, round(100 * count / of, 2) if of else 0.0) for name, count in found)


@dataclass(frozen=True, slots=True)
class Code:
    """Where a finding came up."""

    code: str
    rejected: int
    """Attempts that were written again."""
    missing: int
    """Cases that the suite does not hold."""
    episodes: int
    """Episodes in the suite in which it stands."""
    suite: int
    """Findings of the suite as a whole."""


def codes(manifest: Manifest, standing: Counter[str]) -> tuple[Code, ...]:
    """Findings by code, the most frequent first.

    Args:
        manifest: tells of attempts, missing cases and gates of the suite.
        standing: episodes by the code of a finding in them.
    """
    rejected = Counter(manifest.yields.rejected)
    missing = Counter(code for case in manifest.missing for code in case.codes)
    suite = Counter(finding.code for line in manifest.gates for finding in line.findings)
    every = rejected + missing + standing + suite
    return tuple(
        Code(code, rejected[code], missing[code], standing[code], suite[code])
        for code, _ in sorted(every.items(), key=lambda pair: (-pair[1], pair[0]))
    )
