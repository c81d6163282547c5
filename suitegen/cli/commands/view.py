"""``suitegen view``."""

from __future__ import annotations

from pathlib import Path

import click

from suitegen.cli import params
from suitegen.cli.console import emit, emit_json
from suitegen.cli.face import app
from suitegen.cli.project import ProjectCommand
from suitegen.cli.talk import line


@click.command("view", cls=ProjectCommand)
@params.out
@params.as_json
def command(out: Path, as_json: bool) -> int:
    """Print the path of the report of the suite in OUT, one HTML file for a browser."""
    path = app().view(out)
    if as_json:
        emit_json({"report": path})
    else:
        emit(line(str(path)))
    return 0
