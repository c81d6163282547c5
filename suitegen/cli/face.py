"""What the commands ask of the application, and how they come by it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Protocol, cast

import click

from suitegen.library.problem import Problem
from suitegen.llm.account import Tally
from suitegen.model.episode import Episode
from suitegen.model.finding import Verdict
from suitegen.pipeline.view import (
    BuildResult,
    FailureView,
    PlanView,
    ProgressEvent,
    RunOptions,
    StatusView,
    WriterOptions,
)
from suitegen.publish.diff import Diff
from suitegen.publish.formats.frame import Export
from suitegen.publish.hub import Publication
from suitegen.publish.stats import SuiteStats
from suitegen.publish.target import Target
from suitegen.reading.profile import Profile, Scored
from suitegen.reading.readings import Reading


class App(Protocol):
    """The functions of ``suitegen.app`` that commands call; tests put a fake in its place.

    A ``suite`` of None means the project's only one. What goes wrong is a SuitegenError.
    """

    @property
    def SCHEMA_KINDS(self) -> Sequence[str]:
        """The kinds of files that have a schema."""

    def init(self, dir: Path) -> Sequence[Path]:
        """Lay down a project; returns the new files."""

    def add_fact_type(self, project: Path, name: str, domain: str) -> Path:
        """Write a fact type to start from; returns its file."""

    def lint(self, project: Path, paths: Sequence[Path]) -> Sequence[Problem]:
        """Every mistake of the files, or of the whole project where no path is given."""

    def explain_code(self, code: str) -> str:
        """What a finding means."""

    def explain_probe(self, out: Path, probe_id: str) -> str:
        """How a probe's gold follows from the timeline."""

    def schema(self, kind: str) -> str:
        """The JSON Schema of a kind, as text."""

    def plan(self, project: Path, suite: str | None, writer: WriterOptions | None, out: Path | None) -> PlanView:
        """The design of a suite, with the calls of a writer."""

    def preview(
        self, project: Path, suite: str | None, n: int, select: str | None, options: RunOptions, out: Path | None
    ) -> Iterator[Episode]:
        """The first ``n`` episodes, written but not kept; paid replies are kept in ``out``."""

    def build(
        self,
        project: Path,
        suite: str | None,
        out: Path,
        options: RunOptions,
        on_event: Callable[[ProgressEvent], None],
    ) -> BuildResult:
        """Build, or go on with a build. ``on_event`` may raise KeyboardInterrupt between cases."""

    def read_by(
        self, project: Path, out: Path, options: RunOptions, on_event: Callable[[ProgressEvent], None]
    ) -> tuple[tuple[Reading, ...], Tally]:
        """What models reach on a built suite, and what their calls used."""

    def status(self, out: Path) -> StatusView:
        """How far a build is."""

    def failures(self, out: Path, case_id: str | None) -> Sequence[FailureView]:
        """The cases with rejected attempts, or the one that is named."""

    def validate(self, out: Path) -> Sequence[Verdict]:
        """The verdicts of all gates on the files as they are."""

    def view(self, out: Path) -> Path:
        """The report's file."""

    def stats(self, out: Path) -> SuiteStats:
        """The figures of a suite."""

    def export(self, out: Path, name: str, folder: Path, *, blind: bool) -> Export:
        """Write a suite in another format into a new folder."""

    def diff(self, before: str, after: str) -> Diff:
        """What changed from one suite to another; folders, or names on the Hub."""

    def publish(self, out: Path, target: Target, *, dry: bool, say: Callable[[str], None]) -> Publication:
        """Publish a suite on the Hub, or with ``dry`` say what that would change."""

    def score(self, out: Path, answers: bytes, name: str) -> tuple[Profile, Sequence[Scored]]:
        """The profile of an answers file, and what each answer is worth."""


def app() -> App:
    """The application of the running command: the context's object, else the real one."""
    root = click.get_current_context().find_root()
    if root.obj is None:
        root.obj = _real()
    return cast(App, root.obj)


def _real() -> App:
    # The application draws in everything else; a usage error needs none of it.
    from suitegen import app as real

    return real
