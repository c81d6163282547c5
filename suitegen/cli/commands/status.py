"""``suitegen status``."""

from __future__ import annotations

from pathlib import Path

import click

from suitegen.cli import params
from suitegen.cli.console import columns, emit, emit_json
from suitegen.cli.face import app
from suitegen.cli.project import ProjectCommand
from suitegen.cli.talk import line
from suitegen.pipeline.view import StatusView


@click.command("status", cls=ProjectCommand)
@params.out
@params.as_json
def command(out: Path, as_json: bool) -> int:
    """Show how far the build in OUT is, and what most often kept cases back."""
    view = app().status(out)
    if as_json:
        emit_json({"status": view})
    else:
        emit(_shown(view))
    return 0


def _shown(view: StatusView) -> str:
    packaged = "packaged" if view.packaged else "not packaged"
    counts = (
        f"{line(view.suite)}: {view.accepted} of {view.planned} cases accepted, "
        f"{view.failed} failed, {view.waiting} waiting; {packaged}"
    )
    if not view.reasons:
        return counts
    reasons = columns(("reason", "times"), [(reason.code, reason.count) for reason in view.reasons])
    return f"{counts}\n\n{reasons}"
