"""``suitegen schema``."""

from __future__ import annotations

import click
from click.shell_completion import CompletionItem

from suitegen.cli.console import emit
from suitegen.cli.face import app
from suitegen.library.nearest import did_you_mean


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:  # noqa: ARG001
    return [CompletionItem(kind) for kind in app().SCHEMA_KINDS if kind.startswith(incomplete)]


@click.command("schema")
@click.argument("kind", shell_complete=_complete)
def command(kind: str) -> int:
    """Print the JSON Schema of a KIND of file, for editors."""
    kinds = app().SCHEMA_KINDS
    if kind not in kinds:
        raise click.UsageError(f"there is no kind {kind!r}; {did_you_mean(kind, kinds)}")
    emit(app().schema(kind))
    return 0
