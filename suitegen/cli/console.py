"""What is printed: data on stdout, talk on stderr, nothing that could steer a terminal."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import click
from pydantic_core import to_jsonable_python

from suitegen.cli.talk import line

SCHEMA = 1
"""Version of what ``--json`` prints; raised when a key changes its meaning or goes."""


def emit(text: str) -> None:
    """Print data."""
    click.echo(text)


def emit_json(payload: Mapping[str, object]) -> None:
    """Print one JSON document that names its version. ASCII only, so no text in it can steer a terminal."""
    document = {"schema": SCHEMA, **payload}
    click.echo(json.dumps(to_jsonable_python(document), indent=2))


def columns(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Rows under a head, in columns as wide as their widest cell; numbers stand to the right."""
    cells = [[line(str(cell)) for cell in row] for row in (head, *rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(head))]
    right = [bool(rows) and all(isinstance(row[i], int | float) for row in rows) for i in range(len(head))]
    return "\n".join(_laid(row, widths, right) for row in cells)


def _laid(row: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    laid = (c.rjust(w) if r else c.ljust(w) for c, w, r in zip(row, widths, right, strict=True))
    return "  ".join(laid).rstrip()
