"""``suitegen preview``."""

from __future__ import annotations

import click

from suitegen.cli import params
from suitegen.cli.console import emit, emit_json
from suitegen.cli.episodes import shown
from suitegen.cli.face import app
from suitegen.cli.project import ProjectCommand, project


@click.command("preview", cls=ProjectCommand)
@params.suite
@click.option("-n", "--count", type=click.IntRange(min=1), default=3, show_default=True, help="How many episodes.")
@params.select
@params.as_json
def command(suite: str | None, count: int, select: str | None, as_json: bool) -> int:
    """Show whole episodes of SUITE: phases marked, turns with evidence starred, gold shown."""
    episodes = app().preview(project(), suite, count, select)
    if as_json:
        emit_json({"episodes": list(episodes)})
        return 0
    for episode in episodes:
        emit(shown(episode))
    return 0
