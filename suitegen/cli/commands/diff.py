"""``suitegen diff``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict

import click

from suitegen.cli import params
from suitegen.cli.console import columns, emit, emit_json
from suitegen.cli.face import app
from suitegen.cli.project import ProjectCommand
from suitegen.cli.talk import line, say
from suitegen.publish.diff import Diff, Shift
from suitegen.publish.pages import markdown

Table = tuple[str, Sequence[str], Sequence[Sequence[object]]]
"""Title, head, rows."""


@click.command("diff", cls=ProjectCommand)
@click.argument("before", metavar="BEFORE")
@click.argument("after", metavar="AFTER")
@click.option("--md", "as_markdown", is_flag=True, allow_from_autoenv=False, help="Print Markdown.")
@params.as_json
def command(before: str, after: str, as_markdown: bool, as_json: bool) -> int:
    """Show what changed from one suite to another: gold first, then episodes, composition and validators.

    BEFORE and AFTER are folders of built suites, or ORG/NAME or ORG/NAME@REVISION of the Hugging Face Hub. It warns
    where gold or dialogues changed and the version does not say so.
    """
    found = app().diff(before, after)
    if as_json:
        emit_json({"diff": {**asdict(found), "same": found.same}})
    elif as_markdown:
        emit("\n\n".join(_markdown(found)))
    else:
        emit("\n\n".join(_text(found)))
    for warning in found.warnings:
        say(f"warning: {line(warning)}")
    return 0


def _tables(found: Diff) -> Iterator[Table]:
    gold = [(each.probe_id, each.question, each.before, each.after) for each in found.gold]
    yield "gold", ("probe", "question", "before", "after"), gold
    episodes = [
        *(("removed", name, "") for name in found.removed),
        *(("changed", name, ", ".join(configs)) for name, configs in found.changed),
        *(("added", name, "") for name in found.added),
    ]
    yield "episodes", ("", "episode", "differs in"), episodes
    yield "composition", ("episodes", "before", "after"), _shown(found.composition)
    yield "validators", ("validator", "before", "after"), _shown(found.scores)


def _shown(shifts: Sequence[Shift]) -> list[tuple[str, str, str]]:
    return [(shift.name, _figure(shift.before), _figure(shift.after)) for shift in shifts]


def _figure(value: float | str | None) -> str:
    if value is None:
        return "-"
    return value if isinstance(value, str) else f"{value:.4g}"


def _head(found: Diff) -> str:
    return f"{found.before} to {found.after}: {'nothing changed' if found.same else f'a {found.change} change'}"


def _text(found: Diff) -> Iterator[str]:
    yield line(_head(found))
    for title, head, rows in _tables(found):
        yield f"{title}: {len(rows)} changed" if rows else f"{title}: the same"
        if rows:
            yield columns(head, rows)


def _markdown(found: Diff) -> Iterator[str]:
    yield f"# {markdown(_head(found))}"
    for warning in found.warnings:
        yield f"**Warning:** {markdown(warning)}"
    for title, head, rows in _tables(found):
        yield f"## {title.capitalize()}"
        yield _markdown_table(head, rows) if rows else "The same."


def _markdown_table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    cells = [[markdown(str(cell)) for cell in row] for row in (head, *rows)]
    lines = [f"| {' | '.join(row)} |" for row in cells]
    return "\n".join([lines[0], f"|{'---|' * len(head)}", *lines[1:]])
