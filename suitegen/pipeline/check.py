"""Gates over finished episodes: those of the suite level, and all of them again on files as they are."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence

from suitegen.model.episode import Episode
from suitegen.model.finding import Measure, Verdict
from suitegen.model.gate import GateSpec
from suitegen.model.words import Level
from suitegen.validation.gate import run
from suitegen.validation.protocol import AnyValidator, EpisodeText, Kit, SuiteText, session_text


def check_suite(
    kit: Kit,
    gates: Sequence[GateSpec],
    validators: Mapping[str, AnyValidator],
    episodes: Collection[Episode],
    missing: int,
) -> tuple[Verdict, ...]:
    """The verdicts of the suite-level gates."""
    subject = SuiteText(kit, episodes, missing)
    return tuple(verdict for gate in _of(gates, "suite") for verdict in run(gate, validators, subject))


def check_episode(
    kit: Kit, gates: Sequence[GateSpec], validators: Mapping[str, AnyValidator], episode: Episode
) -> tuple[Verdict, ...]:
    """The verdicts of the session and episode gates on an episode as it stands."""
    verdicts = [
        verdict
        for gate in _of(gates, "session")
        for index in range(len(episode.sessions))
        for verdict in run(gate, validators, session_text(kit, episode, index))
    ]
    subject = EpisodeText(kit, episode)
    return summed(verdicts) + tuple(v for gate in _of(gates, "episode") for v in run(gate, validators, subject))


def summed(verdicts: Sequence[Verdict]) -> tuple[Verdict, ...]:
    """One verdict for each validator over an episode's sessions: failed if any is, not run only if none ran."""
    by_validator: dict[tuple[str, str], list[Verdict]] = {}
    for verdict in verdicts:
        by_validator.setdefault((verdict.gate, verdict.validator), []).append(verdict)
    return tuple(_sum(same) for same in by_validator.values())


def _sum(verdicts: Sequence[Verdict]) -> Verdict:
    ran = [verdict for verdict in verdicts if verdict.status != "not_run"]
    failed = [verdict for verdict in ran if verdict.status == "failed"]
    findings = tuple(finding for verdict in verdicts for finding in verdict.findings)
    update = {"findings": findings, "measures": _means(m for verdict in verdicts for m in verdict.measures)}
    return (failed or ran or list(verdicts))[0].model_copy(update=update)


def _means(measures: Iterable[Measure]) -> tuple[Measure, ...]:
    """One measure for each name: the mean by n."""
    same: dict[str, list[Measure]] = {}
    for measure in measures:
        if measure.value is not None and measure.n:
            same.setdefault(measure.name, []).append(measure)
    return tuple(
        Measure(name=name, value=math.fsum((m.value or 0.0) * m.n for m in found) / n, n=n)
        for name, found in same.items()
        if (n := sum(measure.n for measure in found))
    )


def _of(gates: Sequence[GateSpec], level: Level) -> tuple[GateSpec, ...]:
    return tuple(gate for gate in gates if gate.level == level)
