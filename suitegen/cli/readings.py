"""What readers reached, for people; and which models are kin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from suitegen.cli.console import columns
from suitegen.cli.talk import line
from suitegen.pipeline.view import RunOptions
from suitegen.reading.readings import Reading, sheets


def read_as(readings: Sequence[Reading]) -> str:
    """A table for each reader."""
    return "\n\n".join(columns((sheet.reader, *sheet.head[1:]), sheet.rows) for sheet in sheets(readings))


def kin(options: RunOptions) -> Iterator[str]:
    """A note for every two of writer, judge and readers that are one family."""
    named = [("writer", options.writer), ("judge", options.judge), *(("reader", each) for each in options.readers)]
    models = [(role, model) for role, model in named if model]
    for at, (role, model) in enumerate(models):
        for other, second in models[at + 1 :]:
            if role != other and model.family == second.family:
                yield (
                    f"note: {role} and {other} are one family ({line(model.family)}); "
                    f"a {other} is lenient with what its kin made"
                )
