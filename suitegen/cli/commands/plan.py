"""``suitegen plan``."""

from __future__ import annotations

import click

from suitegen.cli import params
from suitegen.cli.console import columns, emit, emit_json
from suitegen.cli.face import app
from suitegen.cli.project import ProjectCommand, project
from suitegen.cli.talk import clean, say
from suitegen.pipeline.view import PlanView


@click.command("plan", cls=ProjectCommand)
@params.suite
@params.as_json
def command(suite: str | None, as_json: bool) -> int:
    """Show the design table and the counts of SUITE; nothing is written.

    SUITE is the name of a suite of the project or of suitegen, a path, or nothing for the project's only suite.
    """
    view = app().plan(project(), suite)
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
    return f"{columns(head, rows)}\n\n{clean(total)}"
