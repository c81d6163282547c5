"""``suitegen score``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import BinaryIO

import click

from suitegen.cli import params
from suitegen.cli.console import columns, emit, emit_json
from suitegen.cli.face import app
from suitegen.cli.project import ProjectCommand
from suitegen.cli.talk import say
from suitegen.reading.profile import RESAMPLES, Profile, Rate, Scored

_SHOWN = 5
"""Unknown ids that are named."""


@click.command("score", cls=ProjectCommand)
@params.out
@click.argument("answers", type=click.File("rb"), metavar="ANSWERS.jsonl")
@params.as_json
def command(out: Path, answers: BinaryIO, as_json: bool) -> int:
    """Score the answers in ANSWERS.jsonl (- for standard input) to the questions of the suite in OUT.

    A line is {"probe_id": "...", "answer": ...}: an object with the fields of the question's
    answer_format, or plain text where it has one field.
    """
    found, rows = app().score(out, answers.read(), getattr(answers, "name", "-"))
    if as_json:
        emit_json({"score": asdict(found), "probes": [_row(row) for row in rows]})
    else:
        emit("\n\n".join(_pages(found)))
    for note in _notes(found):
        say(note)
    return 0


def _row(row: Scored) -> dict[str, object]:
    return {
        "probe_id": row.key.probe_id,
        "episode_id": row.key.episode_id,
        "outcome": row.outcome,
        "points": row.points,
        "fields": dict(row.fields),
    }


def _pages(found: Profile) -> Iterator[str]:
    yield _table("profile", found.headline)
    yield columns(("answers", "n", "in the score"), tuple(_counts(found)))
    for name, rates in found.breakdowns.items():
        yield _table(name, rates)


def _counts(found: Profile) -> Iterator[tuple[str, int, str]]:
    yield "scored", found.scored, "by their points"
    yield "missing", found.missing, "as wrong"
    yield "unparsable", found.unparsable, "left out: no field of the format could be read"
    yield "to no probe of the suite", len(found.unknown), "left out"


def _table(name: str, rates: Sequence[Rate]) -> str:
    rows = [(rate.name, _share(rate.value), _interval(rate), rate.n) for rate in rates]
    return columns((name, "score", "95 % interval", "n"), rows)


def _share(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f}"


def _interval(rate: Rate) -> str:
    return "" if rate.low is None else f"{_share(rate.low)} to {_share(rate.high)}"


def _notes(found: Profile) -> Iterator[str]:
    yield f"intervals: {RESAMPLES} resamples of episodes, matched ones together; none over a single one"
    if found.unknown:
        named = ", ".join(found.unknown[:_SHOWN])
        more = f" and {len(found.unknown) - _SHOWN} more" if len(found.unknown) > _SHOWN else ""
        yield f"{len(found.unknown)} answers are to no probe of this suite: {named}{more}"
