"""The design table of a suite: what would be built, counted, with nothing written."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from suitegen.latent.compile import Case, compile_case
from suitegen.model.catalog import Catalog
from suitegen.model.latent import LatentSpec, Thread
from suitegen.model.suite import SuiteSpec
from suitegen.pipeline.floors import unmet
from suitegen.pipeline.view import PlanRow, PlanView


@dataclass(frozen=True, slots=True)
class _Line:
    paradigm: str
    condition: str
    expects: str
    domain: str
    split: bool
    tier: str


def design(
    suite: SuiteSpec, catalog: Catalog, cases: Sequence[Case], mean_tokens: float, notes: tuple[str, ...] = ()
) -> PlanView:
    """The design table of planned cases.

    Args:
        suite: the design.
        catalog: what it draws on.
        cases: the planned cases.
        mean_tokens: mean tokens of a session, for the estimate of the whole.
        notes: what else is worth saying, for instance what a build would redo and why.
    """
    specs = [spec for case in cases for spec in compile_case(suite, catalog, case, 0)]
    episodes, probes, sessions = Counter[_Line](), Counter[_Line](), Counter[_Line]()
    for spec in specs:
        asked = Counter(probe.thread for probe in spec.probes)
        for thread in spec.threads:
            line = _line(spec, thread)
            episodes[line] += 1
            probes[line] += asked[thread.id]
            sessions[line] += len(spec.sessions)
    total = sum(len(spec.sessions) for spec in specs)
    rows = tuple(
        PlanRow(
            paradigm=line.paradigm,
            condition=line.condition,
            expects=line.expects,
            domain=line.domain,
            split=line.split,
            tier=line.tier,
            episodes=episodes[line],
            probes=probes[line],
            sessions=sessions[line],
        )
        for line in episodes
    )
    return PlanView(
        suite=suite.id, rows=rows, cases=len(cases), episodes=len(specs), probes=probes.total(),
        sessions=total, tokens=round(total * mean_tokens),
        notes=(*notes, *unmet(suite, catalog, cases, specs)),
    )  # fmt: skip


def _line(spec: LatentSpec, thread: Thread) -> _Line:
    return _Line(thread.paradigm, thread.condition, thread.expects or "", thread.domain, thread.split, spec.tier)
