"""``suitegen export``."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from suitegen.cli import params
from suitegen.cli.console import columns, emit, emit_json
from suitegen.cli.face import app
from suitegen.cli.project import ProjectCommand
from suitegen.cli.talk import line, say


@click.command("export", cls=ProjectCommand)
@params.out
@click.option("--to", "name", required=True, metavar="FORMAT", help="csv, jsonl, longmemeval, locomo, or a plug-in's.")
@click.option(
    "-o", "--output", "folder", type=click.Path(path_type=Path), metavar="FOLDER",
    help="A new folder; else one beside OUT, named after the format.",
)  # fmt: skip
@click.option(
    "--blind", is_flag=True, allow_from_autoenv=False, help="Only sessions and questions, under new ids; csv or jsonl."
)
@params.as_json
def command(out: Path, name: str, folder: Path | None, blind: bool, as_json: bool) -> int:
    """Write the suite in OUT in another format, and report what that format cannot hold.

    With --blind the file FOLDER.key.jsonl, beside the folder, tells which row is which.
    """
    done = app().export(out, name, folder or out.with_name(f"{out.resolve().name}-{name}"), blind=blind)
    if as_json:
        emit_json({"export": asdict(done)})
    else:
        emit("\n".join(line(str(done.folder / file)) for file in done.files))
    if done.losses and not as_json:
        say(columns(("times", "not held by the format"), [(loss.times, loss.what) for loss in done.losses]))
    if done.key:
        say(f"the key to the ids: {line(str(done.key))}")
    return 0
