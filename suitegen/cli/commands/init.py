"""``suitegen init``."""

from __future__ import annotations

from pathlib import Path

import click

from suitegen.cli.console import emit
from suitegen.cli.face import app
from suitegen.cli.talk import line, say


@click.command("init")
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@click.option("--force", is_flag=True, help="Also in a folder that holds files; none of them is changed.")
def command(folder: Path, force: bool) -> int:
    """Make a new project in DIR that lints and builds as it stands.

    It gets a starter suite with its files in the four folders: specs, templates,
    fact_types and validators. Prints the paths of the new files.
    """
    if not force and folder.is_dir() and any(folder.iterdir()):
        raise click.UsageError(f"{str(folder)!r} is not empty; --force adds what is missing and changes no file")
    for path in app().init(folder):
        emit(line(str(path)))
    say(f"next: cd {line(str(folder))} && suitegen lint && suitegen build")
    return 0
