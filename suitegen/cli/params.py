"""Parameters that several commands share, each with one meaning."""

from __future__ import annotations

from pathlib import Path

import click

suite = click.argument("suite", required=False, envvar="SUITEGEN_SUITE")
"""A shipped suite's name, a path, or nothing for the project's only suite."""

out = click.argument(
    "out", envvar="SUITEGEN_OUT", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="OUT"
)
"""The folder of a built suite."""

select = click.option(
    "--select",
    metavar="WHICH",
    help="Only some cases: part of a key, or labels such as 'paradigm:interference,domain:work'.",
)

as_json = click.option("--json", "as_json", is_flag=True, allow_from_autoenv=False, help="Print one JSON document.")
