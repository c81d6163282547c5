"""``suitegen lint``."""

from __future__ import annotations

from pathlib import Path

import click

from suitegen.cli.console import emit
from suitegen.cli.face import app
from suitegen.cli.problems import FORMATS, count
from suitegen.cli.project import ProjectCommand, project
from suitegen.cli.talk import say


@click.command("lint", cls=ProjectCommand)
@click.argument("paths", nargs=-1, type=click.Path(exists=True, path_type=Path))
@click.option(
    "--format", "style", type=click.Choice(list(FORMATS)), default="text", show_default=True, help="How to print."
)
@click.option("--json", "as_json", is_flag=True, allow_from_autoenv=False, help="The same as --format json.")
def command(paths: tuple[Path, ...], style: str, as_json: bool) -> int:
    """Check the files under PATHS, or all of the project, and show every mistake.

    Exits with 1 when there is an error; warnings alone are fine.
    """
    found = app().lint(project(), paths)
    text = FORMATS["json" if as_json else style](found)
    if text:
        emit(text)
    say(count(found))
    return int(any(problem.severity == "error" for problem in found))
