"""Progress on a terminal. Apart from the plain lines because rich takes long to import."""

from __future__ import annotations

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from suitegen.cli.talk import line
from suitegen.pipeline.view import ProgressEvent


class BarReporter:
    """One bar for each stage, with what was accepted and what failed."""

    def __init__(self, console: Console | None = None) -> None:
        self._progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[counts]}", markup=False),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            TextColumn("{task.fields[note]}", markup=False),
            console=console or Console(stderr=True),
        )
        self._tasks: dict[str, TaskID] = {}
        self._progress.start()

    def __call__(self, event: ProgressEvent) -> None:
        """Move the stage's bar."""
        if event.stage not in self._tasks:
            self._tasks[event.stage] = self._progress.add_task(line(event.stage), counts="", note="")
        self._progress.update(
            self._tasks[event.stage],
            completed=event.done,
            total=event.total,
            counts=f"{event.accepted} accepted, {event.failed} failed",
            note=line(event.note),
        )

    def close(self) -> None:
        """Draw the last state and show the cursor again."""
        self._progress.stop()
