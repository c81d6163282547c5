"""``suitegen validate``."""

from __future__ import annotations

from pathlib import Path

import click

from suitegen.cli import params
from suitegen.cli.console import emit, emit_json
from suitegen.cli.face import app
from suitegen.cli.project import ProjectCommand
from suitegen.cli.talk import say
from suitegen.cli.verdicts import counts, shown


@click.command("validate", cls=ProjectCommand)
@params.out
@params.as_json
def command(out: Path, as_json: bool) -> int:
    """Run all gates again on the files in OUT as they are.

    Exits with 1 when a validator failed. One that could not run is shown as not run, never as passed.
    """
    verdicts = app().validate(out)
    if as_json:
        emit_json({"verdicts": verdicts})
    else:
        emit(shown(verdicts))
        say(counts(verdicts))
    return int(any(verdict.status == "failed" for verdict in verdicts))
