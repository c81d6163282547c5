"""``suitegen explain``."""

from __future__ import annotations

from pathlib import Path

import click

from suitegen.cli import params
from suitegen.cli.console import emit, emit_json
from suitegen.cli.face import app
from suitegen.cli.talk import clean


@click.command("explain")
@click.argument("what", metavar="CODE | OUT PROBE")
@click.argument("probe", required=False, metavar="")
@params.as_json
def command(what: str, probe: str | None, as_json: bool) -> int:
    """Say what a finding's CODE means, or how the gold answer of a PROBE in OUT follows from its timeline."""
    text = app().explain_code(what) if probe is None else app().explain_probe(Path(what), probe)
    if as_json:
        emit_json({"code": what, "text": text} if probe is None else {"out": what, "probe": probe, "text": text})
    else:
        emit(clean(text))
    return 0
