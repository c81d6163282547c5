"""``suitegen stats``."""

from __future__ import annotations

from pathlib import Path

import click

from suitegen.cli import params
from suitegen.cli.console import columns, emit, emit_json
from suitegen.cli.face import app
from suitegen.cli.project import ProjectCommand


@click.command("stats", cls=ProjectCommand)
@params.out
@params.as_json
def command(out: Path, as_json: bool) -> int:
    """Show counts, balance, lengths, evidence position and diversity of the suite in OUT."""
    stats = app().stats(out)
    if as_json:
        emit_json({"stats": stats})
    else:
        emit(columns(("figure", "value"), stats.rows()))
    return 0
