"""``suitegen plan``."""

from __future__ import annotations

from pathlib import Path

import click

from suitegen.cli import params
from suitegen.cli.console import columns, emit, emit_json
from suitegen.cli.face import app
from suitegen.cli.project import ProjectCommand, project
from suitegen.cli.project import writer as named_writer
from suitegen.cli.talk import clean, say
from suitegen.llm.forecast import Forecast
from suitegen.pipeline.view import PlanView


@click.command("plan", cls=ProjectCommand)
@params.suite
@params.writer
@click.option("-o", "--out", type=click.Path(file_okay=False, path_type=Path), help="Folder of the build, if any.")
@params.as_json
def command(suite: str | None, writer: str | None, out: Path | None, as_json: bool) -> int:
    """Show the design table and the counts of SUITE; nothing is written.

    With --writer, the range of calls, tokens and cost too: each session written once, up to as often as it may be
    tried, by the tokens that replies in OUT have taken, or by a guess.

    SUITE is the name of a suite of the project or of suitegen, a path, or nothing for the project's only suite.
    """
    view = app().plan(project(), suite, named_writer(writer), out)
    if as_json:
        emit_json({"plan": view})
        return 0
    emit(_table(view))
    for note in view.notes:
        say(f"note: {clean(note)}")
    return 0


def _table(view: PlanView) -> str:
    head = ("paradigm", "condition", "expects", "domain", "split", "tier", "episodes", "probes", "sessions")
    rows = [
        (
            r.paradigm,
            r.condition,
            r.expects,
            r.domain,
            "yes" if r.split else "",
            r.tier,
            r.episodes,
            r.probes,
            r.sessions,
        )
        for r in view.rows
    ]
    total = (
        f"{view.suite}: {view.cases} cases, {view.episodes} episodes, {view.sessions} sessions, "
        f"{view.probes} probes, about {view.tokens:,} tokens"
    )
    lines = [columns(head, rows), "", clean(total), *([_calls(view.calls)] if view.calls else [])]
    return "\n".join(lines)


def _calls(calls: Forecast) -> str:
    """What models are to write, on one line."""
    cost = f"{calls.cost[0]:.2f} to {calls.cost[1]:.2f} US dollars"
    if calls.unpriced:
        cost = f"unpriced: {', '.join(calls.unpriced)}"
    known = "as measured" if calls.measured else "estimated"
    return clean(
        f"models: {calls.calls[0]:,} to {calls.calls[1]:,} calls, "
        f"{calls.tokens[0]:,} to {calls.tokens[1]:,} tokens ({known}), {cost}"
    )
