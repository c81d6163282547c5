"""Verdicts as a table, as remarks on a build, and as counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from suitegen.cli.console import columns
from suitegen.cli.talk import line
from suitegen.model.finding import Measure, Verdict

_WORDS = {"passed": "passed", "failed": "FAILED", "not_run": "not run"}


def table(verdicts: Sequence[Verdict]) -> str:
    """One row for each verdict, in order, with why it did not pass or what was measured."""
    head = ("gate", "level", "validator", "verdict", "")
    return columns(head, [(v.gate, v.level, v.validator, _WORDS[v.status], _detail(v)) for v in verdicts])


def _detail(verdict: Verdict) -> str:
    measures = "; ".join(_measured(measure) for measure in verdict.measures)
    return "; ".join(part for part in (verdict.why, measures) if part)


def _measured(measure: Measure) -> str:
    value = "nothing to measure" if measure.value is None else f"{measure.value:.3g}"
    interval = "" if measure.low is None or measure.high is None else f" [{measure.low:.3g}, {measure.high:.3g}]"
    against = "" if measure.threshold is None else f" against {measure.threshold:.3g}"
    return f"{measure.name} {value}{interval}{against}"


def remarks(verdicts: Sequence[Verdict]) -> Iterator[str]:
    """What has to be said of a build's verdicts: all that did not pass."""
    for verdict in verdicts:
        if verdict.status != "passed":
            why = f": {line(verdict.why)}" if verdict.why else ""
            yield f"{_WORDS[verdict.status]} {line(verdict.gate)}/{line(verdict.validator)}{why}"


def counts(verdicts: Sequence[Verdict]) -> str:
    """How many of each."""
    by_status = Counter(verdict.status for verdict in verdicts)
    return f"{by_status['passed']} passed, {by_status['failed']} failed, {by_status['not_run']} not run"
