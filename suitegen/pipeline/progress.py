"""What an output folder tells of its build: how far it is, and what was rejected and why."""

from __future__ import annotations

import platform
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from datetime import datetime
from decimal import Decimal
from pathlib import Path

import suitegen
from suitegen.errors import SuiteError
from suitegen.llm.account import Slot, Tally
from suitegen.model.episode import CaseRecord
from suitegen.pipeline.harvest import finished
from suitegen.pipeline.journal import FOLDER, JOURNAL, Journal
from suitegen.pipeline.view import FailureView, Reason, StatusView
from suitegen.publish.canonical import document

PLAN = "plan.tsv"
"""The keys and fingerprints of the planned cases of the last build."""


def write_plan(out: Path, suite: str, fingerprints: dict[str, str]) -> None:
    """Keep what is planned, so that status can tell what is waiting."""
    lines = [suite, *(f"{key}\t{value}" for key, value in fingerprints.items())]
    path = out / FOLDER / PLAN
    partial = path.with_suffix(".part")
    partial.write_text("\n".join(lines) + "\n", encoding="utf-8")
    partial.replace(path)


def _read_plan(out: Path) -> tuple[str, dict[str, str]]:
    path = out / FOLDER / PLAN
    if not path.is_file():
        raise SuiteError(
            "no build was started in this folder", where=str(out), hint="suitegen build -o FOLDER starts one"
        )
    suite, *lines = path.read_text(encoding="utf-8").splitlines()
    return suite, {key: value for key, _, value in (line.partition("\t") for line in lines)}


def _finished(out: Path, planned: dict[str, str]) -> Iterator[CaseRecord]:
    return finished(Journal(out / FOLDER / JOURNAL), planned)


def status(out: Path) -> StatusView:
    """How far the build in a folder is.

    Raises:
        SuiteError: none was started there, or its journal is damaged.
    """
    suite, planned = _read_plan(out)
    reasons: Counter[str] = Counter()
    accepted = failed = 0
    for record in _finished(out, planned):
        accepted += record.status == "accepted"
        failed += record.status != "accepted"
        for attempt in record.attempts:
            reasons.update({finding.code for finding in attempt.findings if finding.severity == "error"})
    return StatusView(
        out=out, suite=suite, planned=len(planned), accepted=accepted, failed=failed,
        waiting=len(planned) - accepted - failed, packaged=(out / "checksums.sha256").is_file(),
        reasons=tuple(Reason(code, count) for code, count in sorted(reasons.items(), key=lambda r: (-r[1], r[0]))),
    )  # fmt: skip


def failures(out: Path, case_id: str | None) -> tuple[FailureView, ...]:
    """The cases in which something was rejected, or the one that is named.

    Raises:
        SuiteError: no build was started there, or it has no such case.
    """
    _, planned = _read_plan(out)
    if case_id is not None and case_id not in planned:
        raise SuiteError(f"there is no case {case_id!r}", where=str(out), hint="`suitegen failures` lists the cases")
    return tuple(
        FailureView(record.case, record.status, record.attempts, record.error)
        for record in _finished(out, planned)
        if (record.case == case_id if case_id is not None else record.attempts or record.status != "accepted")
    )


def write_run(
    out: Path,
    workers: int,
    started: datetime,
    ended: datetime,
    accepted: int,
    missing: int,
    used: Mapping[Slot, Tally],
) -> None:
    """Keep when, on what and for how much the suite was last built: the one file that no hash covers.

    Args:
        out: the suite's folder.
        workers: how many worked.
        started: when the build began.
        ended: when it ended.
        accepted: accepted cases.
        missing: missing cases.
        used: what calls to models used in this build.
    """
    told = {
        "started": started.isoformat(timespec="seconds"),
        "ended": ended.isoformat(timespec="seconds"),
        "seconds": round((ended - started).total_seconds(), 1),
        "workers": workers,
        "cases_accepted": accepted,
        "cases_missing": missing,
        "cost": str(sum((tally.cost for tally in used.values()), Decimal(0))),
        "unpriced": sum(tally.unpriced for tally in used.values()),
        "calls": [_told(slot, tally) for slot, tally in used.items()],
        "suitegen": suitegen.__version__,
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}",
    }
    partial = out / FOLDER / "run.part"
    partial.write_text(document(told), encoding="utf-8")
    partial.replace(out / "run.json")


def _told(slot: Slot, tally: Tally) -> dict[str, object]:
    """What one model used, without the address of its server."""
    model = slot.model.partition("@http")[0]
    return {**slot._asdict(), "model": model, **asdict(tally), "cost": str(tally.cost)}
