"""``suitegen failures``."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from pathlib import Path

import click

from suitegen.cli import params
from suitegen.cli.console import emit, emit_json
from suitegen.cli.face import app
from suitegen.cli.project import ProjectCommand
from suitegen.cli.talk import clean, line, say
from suitegen.model.episode import Attempt, Call
from suitegen.pipeline.view import FailureView


@click.command("failures", cls=ProjectCommand)
@params.out
@click.argument("case", required=False)
@params.as_json
def command(out: Path, case: str | None, as_json: bool) -> int:
    """Show what was rejected in OUT, and why.

    Without a CASE, every case with its findings; with one, its attempts with their text as well, and where a model
    wrote it, prompt (>) and reply (<).
    """
    found = app().failures(out, case)
    if as_json:
        emit_json({"failures": found})
        return 0
    for view in found:
        emit("\n".join(_lines(view, whole=case is not None)))
    if not found:
        say("nothing was rejected")
    return 0


def _lines(view: FailureView, *, whole: bool) -> Iterator[str]:
    yield click.style(f"{line(view.case)}: {view.status}", bold=True)
    for attempt in view.attempts:
        yield from _attempt(attempt, whole=whole)
    if view.error:
        yield textwrap.indent(clean(view.error.rstrip()), "    ")


def _attempt(attempt: Attempt, *, whole: bool) -> Iterator[str]:
    yield f"  draw {attempt.draw}, attempt {attempt.attempt}: {line(attempt.part)}"
    for finding in attempt.findings:
        yield f"    {finding.severity}[{line(finding.code)}] {line(finding.message)}"
    if not whole:
        return
    if attempt.text:
        yield textwrap.indent(clean(attempt.text.rstrip()), "      | ", lambda _: True)
    if attempt.call:
        yield from _call(attempt.call)


def _call(call: Call) -> Iterator[str]:
    tokens = f"{call.input if call.input is not None else '?'} + {call.output if call.output is not None else '?'}"
    cost = f"{call.cost} US dollars" if call.cost else "unpriced"
    yield f"    {line(call.model)}, call {call.attempt}: {line(call.outcome)}, {tokens} tokens, {cost}"
    yield textwrap.indent(clean(call.prompt.rstrip()), "      > ", lambda _: True)
    yield textwrap.indent(clean(call.reply.rstrip()), "      < ", lambda _: True)
