"""``suitegen preview``."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import click

from suitegen.cli import params
from suitegen.cli.console import emit, emit_json
from suitegen.cli.episodes import shown
from suitegen.cli.face import app
from suitegen.cli.project import ProjectCommand, project
from suitegen.cli.project import writer as named_writer
from suitegen.llm.account import Budget
from suitegen.pipeline.view import RunOptions


@click.command("preview", cls=ProjectCommand)
@params.suite
@click.option("-n", "--count", type=click.IntRange(min=1), default=3, show_default=True, help="How many episodes.")
@params.select
@params.writer
@params.budget
@click.option("-o", "--out", type=click.Path(file_okay=False, path_type=Path), help="Folder that keeps paid replies.")
@params.as_json
def command(
    suite: str | None,
    count: int,
    select: str | None,
    writer: str | None,
    max_cost: Decimal | None,
    max_calls: int | None,
    max_tokens: int | None,
    out: Path | None,
    as_json: bool,
) -> int:
    """Show whole episodes of SUITE: phases marked, turns with evidence starred, gold shown.

    With --writer a model writes them; its replies are kept in OUT, where a build finds them.
    """
    options = RunOptions(writer=named_writer(writer), budget=Budget(max_cost, max_calls, max_tokens))
    episodes = app().preview(project(), suite, count, select, options, out)
    if as_json:
        emit_json({"episodes": list(episodes)})
        return 0
    for episode in episodes:
        emit(shown(episode))
    return 0
