"""``suitegen validate``."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import click

from suitegen.cli import params
from suitegen.cli.console import emit, emit_json
from suitegen.cli.face import app
from suitegen.cli.progress import reporter, spent
from suitegen.cli.project import ProjectCommand, project
from suitegen.cli.project import embedder as named_embedder
from suitegen.cli.project import readers as named_readers
from suitegen.cli.readings import kin, read_as
from suitegen.cli.talk import say
from suitegen.cli.verdicts import counts, shown
from suitegen.llm.account import Budget
from suitegen.pipeline.view import RunOptions
from suitegen.reading.readings import Reading


@click.command("validate", cls=ProjectCommand)
@params.out
@params.readers
@params.budget
@params.as_json
def command(
    out: Path,
    readers: tuple[str, ...],
    embedder: str | None,
    max_cost: Decimal | None,
    max_calls: int | None,
    max_tokens: int | None,
    as_json: bool,
) -> int:
    """Run all gates again on the files in OUT as they are.

    Exits with 1 when a validator failed. One that could not run is shown as not run, never as passed.

    With --reader a model reads the suite as well, and what it reaches is shown; its replies are kept in
    OUT/.suitegen, and the suite stays as it is.
    """
    verdicts = app().validate(out)
    options = RunOptions(
        readers=named_readers(readers), embedder=named_embedder(embedder),
        budget=Budget(max_cost, max_calls, max_tokens),
    )  # fmt: skip
    readings = _read(out, options) if options.readers else ()
    if as_json:
        emit_json({"verdicts": verdicts, "readings": readings})
    else:
        emit(shown(verdicts))
        if readings:
            emit(f"\n{read_as(readings)}")
        say(counts(verdicts))
    return int(any(verdict.status == "failed" for verdict in verdicts))


def _read(out: Path, options: RunOptions) -> tuple[Reading, ...]:
    for note in kin(options):
        say(note)
    with reporter() as report:
        readings, used = app().read_by(project(), out, options, report)
    say(spent(used))
    return readings
