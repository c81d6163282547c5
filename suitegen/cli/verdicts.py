"""Verdicts for people: by validator, as remarks on a build, and as counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from suitegen.cli.talk import line
from suitegen.model.finding import Measure, Verdict

Status = Literal["passed", "failed", "not_run"]
_WORDS: Mapping[Status, str] = {"passed": "passed", "failed": "FAILED", "not_run": "not run"}


def shown(verdicts: Sequence[Verdict]) -> str:
    """One block for each validator of each gate: what it said how often, what it found, what it measured.

    Measures are shown where a validator gave one verdict; those of each episode are in the JSON.
    """
    groups: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        groups.setdefault(_name(verdict), []).append(verdict)
    width = max(map(len, groups), default=0)
    return "\n".join(row for name, group in groups.items() for row in _block(name.ljust(width), group))


def _block(name: str, group: Sequence[Verdict]) -> Iterator[str]:
    times = Counter(verdict.status for verdict in group)
    said = (f"{times[status]} {word}" if len(group) > 1 else word for status, word in _WORDS.items() if times[status])
    yield f"{name}  {', '.join(said)}"
    yield from dict.fromkeys(reason for verdict in group for reason in _reasons(verdict))
    if len(group) == 1:
        yield from (f"    {line(_measured(measure))}" for measure in group[0].measures)


def _reasons(verdict: Verdict) -> Iterator[str]:
    """Why a verdict is not passed, and what was found."""
    if verdict.status == "passed":
        return
    if verdict.why:
        yield f"    {line(verdict.why)}"
    for finding in verdict.findings:
        place = f"{finding.episode}: " if finding.episode else ""
        yield f"    {finding.severity}[{line(finding.code)}] {line(place + finding.message)}"


def _name(verdict: Verdict) -> str:
    return line(f"{verdict.gate}/{verdict.validator}")


def _measured(measure: Measure) -> str:
    value = "nothing to measure" if measure.value is None else f"{measure.value:.3g}"
    interval = "" if measure.low is None or measure.high is None else f" [{measure.low:.3g}, {measure.high:.3g}]"
    against = "" if measure.threshold is None else f" against {measure.threshold:.3g}"
    return f"{measure.name}: {value}{interval}{against}"


def remarks(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """What has to be said of a build's verdicts: all that did not pass, and why; what did not run by the reason."""
    for verdict in verdicts:
        if verdict.status == "failed":
            yield f"{_WORDS[verdict.status]} {_name(verdict)}"
            yield from _reasons(verdict)
    idle: dict[str, dict[str, None]] = {}
    for verdict in verdicts:
        if verdict.status == "not_run":
            idle.setdefault(verdict.why, {})[_name(verdict)] = None
    for why, names in idle.items():
        yield f"{_WORDS['not_run']} {', '.join(names)}"
        yield f"    {line(why)}"


def counts(verdicts: Sequence[Verdict]) -> str:
    """How many of each."""
    by_status = Counter(verdict.status for verdict in verdicts)
    return f"{by_status['passed']} passed, {by_status['failed']} failed, {by_status['not_run']} not run"
