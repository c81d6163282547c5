"""Where cases are made: in processes of their own where the system can fork, else in threads.

A case is a pure function of the workshop, which a forked process has as it stands; only the case goes in
and the finished record comes out, as the text that the journal keeps. Where a model is asked they are made in
threads: cases mostly wait for it then, and all of them share its limits and its budget.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
import time
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from types import TracebackType
from typing import NamedTuple

from suitegen.errors import BuildStopped
from suitegen.latent.compile import Case
from suitegen.model.episode import CaseRecord
from suitegen.pipeline.case import build_case
from suitegen.pipeline.journal import text_of
from suitegen.pipeline.kit import Workshop

FORK = "fork"
_LOOK = 1.0
"""Seconds between two looks whether the build that a process works for is still there."""
_workshop: Workshop
"""In a worker process: the workshop that it was forked with."""


class Made(NamedTuple):
    """A finished case."""

    key: str
    accepted: bool
    note: str
    """Why the case was rejected last, if it was."""
    body: bytes
    """The record as the journal keeps it."""


class Workers:
    """Makes cases, several at a time.

    Args:
        workshop: what they are made with.
        count: how many at a time; of processes never more than the machine has processors.
    """

    def __init__(self, workshop: Workshop, count: int) -> None:
        self._workshop = workshop
        processes = min(count, os.cpu_count() or 1)
        may_fork = not workshop.models and FORK in multiprocessing.get_all_start_methods()
        self._forked = processes > 1 and may_fork
        self.count = processes if self._forked else count
        self._executor = self._forking(processes) if self._forked else ThreadPoolExecutor(count)

    def _forking(self, processes: int) -> Executor:
        context = multiprocessing.get_context(FORK)
        return ProcessPoolExecutor(processes, context, initializer=_enter, initargs=(self._workshop, os.getpid()))

    async def make(self, case: Case) -> Made:
        """The finished case.

        Raises:
            BuildStopped: a worker process ended by itself.
            ModelError, BudgetError, SuiteError: see ``build_case``.
        """
        loop = asyncio.get_running_loop()
        try:
            if self._forked:
                return await loop.run_in_executor(self._executor, _make_here, case)
            return await loop.run_in_executor(self._executor, _make, self._workshop, case)
        except BrokenProcessPool as error:
            raise BuildStopped(
                "a worker process was ended from outside, most likely for want of memory",
                where=case.key,
                hint="build again with fewer workers (-j): finished cases are kept",
            ) from error

    def __enter__(self) -> Workers:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._executor.shutdown(cancel_futures=True)


def _make(workshop: Workshop, case: Case) -> Made:
    record = build_case(workshop, case)
    return Made(record.case, record.status == "accepted", _note(record), text_of(record))


def _note(record: CaseRecord) -> str:
    if record.status == "error":
        return f"{record.case}: {record.error.strip().splitlines()[-1]}"
    if record.status == "failed" and record.attempts:
        return f"{record.case}: {record.attempts[-1].findings[0].message}"
    return ""


# -- in a worker process ----------------------------------------------------------------------------------------


def _enter(workshop: Workshop, parent: int) -> None:
    global _workshop
    _workshop = workshop
    # Ctrl-C is for the build to handle: it lets cases in work end.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_leave_with, args=(parent,), daemon=True).start()


def _leave_with(parent: int) -> None:
    """End with the build, however it ended: nobody would take the work."""
    while os.getppid() == parent:
        time.sleep(_LOOK)
    os._exit(1)


def _make_here(case: Case) -> Made:
    return _make(_workshop, case)
