"""Ctrl-C during a build: the first stops it where nothing is lost, the second at once."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from suitegen.cli.progress import Reporter
from suitegen.cli.talk import INTERRUPTED, say
from suitegen.pipeline.view import ProgressEvent


@contextmanager
def stoppable(report: Reporter) -> Iterator[Callable[[ProgressEvent], None]]:
    """Yield a reporter that raises KeyboardInterrupt with the event after the first Ctrl-C.

    Events come between cases, when every finished one is on disk; so that is where a build
    stops. A second Ctrl-C ends the process without waiting for anything.
    """
    asked = threading.Event()
    owner = os.getpid()

    def stop(_number: int, _frame: FrameType | None) -> None:
        if os.getpid() != owner:  # a worker inherits the handler; only its parent decides
            return
        if asked.is_set():
            report.close()
            os._exit(INTERRUPTED)
        asked.set()
        say("\nstopping after the cases in work; Ctrl-C again stops at once")

    def watched(event: ProgressEvent) -> None:
        report(event)
        if asked.is_set():
            raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield watched
        return
    before = signal.signal(signal.SIGINT, stop)
    try:
        yield watched
    finally:
        signal.signal(signal.SIGINT, before)
