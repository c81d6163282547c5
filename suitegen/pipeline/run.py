"""The one bounded map over cases: what is journalled is kept, the rest is made, in any order, to the same end."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from suitegen.errors import BudgetError, DesignError, ModelError, SuitegenError
from suitegen.latent.compile import Case, compile_case
from suitegen.model.latent import HOSTS
from suitegen.model.suite import SuiteSpec
from suitegen.pipeline.journal import Journal
from suitegen.pipeline.kit import Workshop
from suitegen.pipeline.view import ProgressEvent, RunOptions
from suitegen.pipeline.workers import Workers

Listener = Callable[[ProgressEvent], None]


@dataclass(slots=True)
class _Tally:
    """How far the run is."""

    total: int
    done: int = 0
    accepted: int = 0
    failed: int = 0
    stopped: bool = False
    why: SuitegenError | None = None
    """What stopped it, where no model can be asked any more."""

    def count(self, accepted: bool) -> None:
        """Add a finished case."""
        self.done += 1
        self.accepted += accepted
        self.failed += not accepted

    def event(self, note: str = "") -> ProgressEvent:
        """The state as news."""
        return ProgressEvent("build", self.done, self.total, self.accepted, self.failed, note)


def selected(cases: Sequence[Case], select: str | None) -> tuple[Case, ...]:
    """The cases that a selection names: by part of the key, or ``label:text`` pairs joined by commas.

    Raises:
        DesignError: nothing is selected.
    """
    if not select:
        return tuple(cases)
    wanted = [part.strip() for part in select.split(",") if part.strip()]
    chosen = tuple(case for case in cases if all(_fits(case, part) for part in wanted))
    if not chosen:
        raise DesignError(f"{select!r} selects no case", hint="`suitegen plan` shows the cases' keys and labels")
    return chosen


def _fits(case: Case, part: str) -> bool:
    label, colon, text = part.partition(":")
    if not colon:
        return part in case.key
    labels = {
        "paradigm": tuple(each.paradigm for each in case.strands),
        "domain": tuple(each.domain for each in case.strands),
        "fact_type": tuple(each.fact_type for each in case.strands),
        "condition": tuple(variant.condition for each in case.strands for variant in each.variants),
        "case": (case.key,),
    }
    if label not in labels:
        raise DesignError(f"unknown label {label!r} in the selection", hint=f"labels: {', '.join(sorted(labels))}")
    return text in labels[label]


def check_supply(suite: SuiteSpec, workshop: Workshop, cases: Sequence[Case]) -> None:
    """Refuse, before any work, a design whose histories need more background than there is.

    Raises:
        DesignError: with both numbers.
    """
    have = sum(sum(source.counts) for source in workshop.sources)
    for case in cases:
        for spec in compile_case(suite, workshop.kit.catalog, case, 0):
            need = sum(plan.frame in HOSTS for plan in spec.sessions)
            if need > have:
                raise DesignError(
                    f"a history needs {need} background dialogues, and the suite's fillers have {have}",
                    where=case.key, hint="add fillers, or make the histories shorter",
                )  # fmt: skip


def run(
    workshop: Workshop,
    cases: Sequence[Case],
    fingerprints: Mapping[str, str],
    journal: Journal,
    options: RunOptions,
    listener: Listener,
) -> bool:
    """Make every case that is not in the journal under its fingerprint; True when it was stopped early.

    A KeyboardInterrupt from the listener stops it: cases in work are finished and kept.

    Raises:
        ModelError: a model cannot be asked; the cases in work that needed no more calls were finished and kept.
        BudgetError: the budget is spent; likewise.
    """
    tally = _Tally(len(cases))
    waiting = []
    for case in cases:
        record = journal.read(case.key) if journal.fingerprint(case.key) == fingerprints[case.key] else None
        if record is None or (options.retry_failed and record.status != "accepted"):
            waiting.append(case)
        else:
            tally.count(record.status == "accepted")
    _tell(tally, listener, f"{tally.done} cases kept" if tally.done else "")
    try:
        asyncio.run(_map(workshop, waiting, fingerprints, journal, options.workers, tally, listener))
    except ExceptionGroup as group:
        # Whatever ended the group, what the user can act on comes first.
        known = group.subgroup(SuitegenError)
        raise (known or group).exceptions[0] from None
    if tally.why:
        raise tally.why
    return tally.stopped


def _tell(tally: _Tally, listener: Listener, note: str = "") -> None:
    try:
        listener(tally.event(note))
    except KeyboardInterrupt:
        tally.stopped = True


async def _map(
    workshop: Workshop,
    cases: Sequence[Case],
    fingerprints: Mapping[str, str],
    journal: Journal,
    workers: int,
    tally: _Tally,
    listener: Listener,
) -> None:
    queue = iter(cases)

    async def work(crew: Workers) -> None:
        for case in queue:
            if tally.stopped:
                return
            try:
                made = await crew.make(case)
            except (ModelError, BudgetError) as error:
                tally.stopped, tally.why = True, tally.why or error
                return
            journal.add(made.key, made.body, fingerprints[case.key])
            tally.count(made.accepted)
            _tell(tally, listener, made.note)

    with Workers(workshop, max(1, min(workers, len(cases)))) as crew:
        async with asyncio.TaskGroup() as group:
            for _ in range(crew.count):
                group.create_task(work(crew))
