"""``suitegen add``."""

from __future__ import annotations

import click

from suitegen.cli.console import emit
from suitegen.cli.face import app
from suitegen.cli.project import ProjectCommand, project
from suitegen.cli.talk import line, say


@click.group("add")
def command() -> None:
    """Add a file to the project."""


@command.command("fact-type", cls=ProjectCommand)
@click.argument("name")
@click.option("--domain", default="general", show_default=True, help="The folder under fact_types that it belongs to.")
def fact_type(name: str, domain: str) -> int:
    """Add a complete fact type called NAME, to be filled with your own words.

    It lints and builds as it stands. Prints the new file's path.
    """
    path = app().add_fact_type(project(), name, domain)
    emit(line(str(path)))
    say(f"next: edit it, name {name!r} under fact_types in a suite, and run suitegen lint")
    return 0
