"""How a build's progress is shown: a bar on a terminal, a plain line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol

from suitegen.cli.talk import line, say
from suitegen.llm.account import Tally
from suitegen.pipeline.view import ProgressEvent

EVERY = 5.0
"""Seconds between two plain lines."""


class Reporter(Protocol):
    """Shows events as they come."""

    def __call__(self, event: ProgressEvent) -> None:
        """Show where the build is."""

    def close(self) -> None:
        """Leave the terminal as it was."""


class PlainReporter:
    """A line when a stage begins, when it ends, and every few seconds between."""

    def __init__(self, write: Callable[[str], None], clock: Callable[[], float], every: float = EVERY) -> None:
        self._write = write
        self._clock = clock
        self._every = every
        self._stage = ""
        self._last = 0.0

    def __call__(self, event: ProgressEvent) -> None:
        """Write a line if it is time for one."""
        now = self._clock()
        if event.stage == self._stage and event.done < event.total and now - self._last < self._every:
            return
        self._stage, self._last = event.stage, now
        self._write(worded(event))

    def close(self) -> None:
        """Nothing is left to do."""


def worded(event: ProgressEvent) -> str:
    """An event on one line."""
    note = f" ({line(event.note)})" if event.note else ""
    return f"{line(event.stage)}: {event.done}/{event.total}, {event.accepted} accepted, {event.failed} failed{note}"


def spent(used: Tally) -> str:
    """What calls to models used, on one line."""
    cost = f"{used.cost:.4f} US dollars" if used.cost or not used.unpriced else "unpriced"
    partly = f" and {used.unpriced} unpriced replies" if used.cost and used.unpriced else ""
    return (
        f"models: {used.calls} calls, {used.served} replies served from before, {used.failed} failed, "
        f"{used.input + used.output:,} tokens, {cost}{partly}"
    )


@contextmanager
def reporter() -> Iterator[Reporter]:
    """The reporter that fits stderr; closed at the end."""
    made = _fitting()
    try:
        yield made
    finally:
        made.close()


def _fitting() -> Reporter:
    if not sys.stderr.isatty():
        return PlainReporter(say, time.monotonic)
    from suitegen.cli.bars import BarReporter

    return BarReporter()
