"""``suitegen build``."""

from __future__ import annotations

import shlex
from decimal import Decimal
from pathlib import Path

import click

from suitegen.cli import params
from suitegen.cli.console import emit
from suitegen.cli.face import app
from suitegen.cli.interrupt import stoppable
from suitegen.cli.progress import reporter, spent
from suitegen.cli.project import ProjectCommand, arguments, judges, project
from suitegen.cli.project import embedder as named_embedder
from suitegen.cli.project import readers as named_readers
from suitegen.cli.project import writer as named_writer
from suitegen.cli.readings import kin, read_as
from suitegen.cli.talk import INTERRUPTED, line, say
from suitegen.cli.verdicts import remarks
from suitegen.llm.account import Budget
from suitegen.pipeline.view import BuildResult, RunOptions

_DEFAULTS = RunOptions()


@click.command("build", cls=ProjectCommand)
@params.suite
@click.option(
    "-o", "--out", required=True, type=click.Path(file_okay=False, path_type=Path), help="Folder of the suite."
)
@click.option(
    "-j", "--workers", type=click.IntRange(min=1), default=_DEFAULTS.workers, show_default=True, help="Cases at a time."
)
@params.select
@click.option("--retry-failed", is_flag=True, help="Try again the cases that failed before.")
@click.option(
    "--max-failures",
    type=click.IntRange(min=0),
    default=_DEFAULTS.max_failures,
    show_default=True,
    help="Package the suite even with so many cases missing.",
)
@params.writer
@params.judges
@params.readers
@params.budget
def command(
    suite: str | None,
    out: Path,
    workers: int,
    select: str | None,
    retry_failed: bool,
    max_failures: int,
    writer: str | None,
    judge: str | None,
    second_judge: str | None,
    readers: tuple[str, ...],
    embedder: str | None,
    max_cost: Decimal | None,
    max_calls: int | None,
    max_tokens: int | None,
) -> int:
    """Build SUITE in OUT: plan, write, weave, validate, repair, package. Run again to go on.

    SUITE is the name of a suite of the project or of suitegen, a path, or nothing for the project's
    only suite. Prints OUT once the suite is packaged. Ctrl-C stops after the cases in work, and a
    second one at once; what was finished is kept either way.

    With --writer a model writes the dialogues. Its key stands in OPENAI_API_KEY or ANTHROPIC_API_KEY, in the
    environment or in .env; every reply is kept in OUT/.suitegen and never paid for twice. A spent budget ends
    the build with exit code 4; build again with more to go on.

    With --reader a model reads the finished suite: in full, from the evidence alone, from nothing, without each
    part of the evidence, and from what retrieval finds.
    """
    first, second = judges(judge, second_judge)
    options = RunOptions(
        workers=workers, select=select, retry_failed=retry_failed, max_failures=max_failures,
        writer=named_writer(writer), judge=first, second_judge=second,
        readers=named_readers(readers), embedder=named_embedder(embedder),
        budget=Budget(max_cost, max_calls, max_tokens),
    )  # fmt: skip
    application, root = app(), project()
    for note in kin(options):
        say(note)
    with reporter() as report, stoppable(report) as watched:
        try:
            result = application.build(root, suite, out, options, watched)
        except KeyboardInterrupt:
            result = None
    if result is None or result.interrupted:
        return _stopped(result)
    return _ended(result, max_failures)


def _stopped(result: BuildResult | None) -> int:
    if result and result.used:
        say(spent(result.used))
    kept = (
        f"{result.accepted} of {result.planned} cases are finished and kept" if result else "what was finished is kept"
    )
    say(f"stopped: {kept}")
    say(f"resume with: {shlex.join(['suitegen', 'build', *arguments()])}")
    return INTERRUPTED


def _ended(result: BuildResult, max_failures: int) -> int:
    out = line(str(result.out))
    if result.used:
        say(spent(result.used))
    say(f"{result.accepted} of {result.planned} cases accepted, {result.missing} missing")
    for remark in remarks(result.verdicts):
        say(remark)
    if result.readings:
        say(read_as(result.readings))
    if result.missing:
        say(f"see: suitegen failures {shlex.quote(out)}")
    if result.missing > max_failures:
        say(f"not packaged; --max-failures {result.missing} takes the suite without them")
    if result.packaged:
        emit(out)
    failed = any(verdict.status == "failed" for verdict in result.verdicts)
    return int(failed or result.missing > max_failures or not result.packaged)
