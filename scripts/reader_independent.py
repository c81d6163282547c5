#!/usr/bin/env python3
"""What the lexical reader answers right in dialogues that were written without a look at it or at the templates.

    scripts/reader_independent.py [--json] [FILE ...]

A file holds a dialogue a line, as those of tests/reading/independent/, which are read where no file is named. Printed
are, by file and question type, how many of the questions are answered right in full context.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from suitegen.model.gold import Gold
from suitegen.model.history import Question, Session, Turn
from suitegen.reading.lexical import LexicalReader
from suitegen.reading.scoring import score

FOLDER = Path(__file__).parents[1] / "tests" / "reading" / "independent"
LAST = 10_000


@dataclass(frozen=True, slots=True)
class Answered:
    """One question of a dialogue, with the reader's answer in full context."""

    dialogue: str
    row: dict[str, Any]
    answer: dict[str, str]
    points: float | None
    """None where the answer cannot be scored."""


@dataclass(frozen=True, slots=True)
class Figure:
    """How many questions of a type are answered right in a file."""

    file: str
    question_type: str
    right: int
    n: int


def dialogues(path: Path) -> list[dict[str, Any]]:
    """The dialogues of a file.

    Raises:
        OSError: there is no such file.
        ValueError: a line is not JSON.
    """
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def history(dialogue: dict[str, Any]) -> tuple[Session, ...]:
    """The sessions of a dialogue."""
    return tuple(
        Session(
            session_id=told.get("session_id", f"s{index}"),
            index=index,
            timestamp=f"{told['date']}T09:00:00+00:00",
            turns=tuple(Turn(**turn) for turn in told["turns"]),
        )
        for index, told in enumerate(dialogue["sessions"])
    )


def question(row: dict[str, Any]) -> Question:
    """A question of a dialogue, asked after all of it."""
    return Question(
        probe_id="p",
        episode_id="e",
        asked_at="2026-12-01T09:00:00+00:00",
        visible_until=LAST,
        question=row["question"],
        answer_format=row["answer_format"],
    )


def gold(row: dict[str, Any]) -> Gold:
    """What is right for a question."""
    return Gold.model_validate_json(json.dumps(row["gold"]))


def read_all(path: Path) -> Iterator[Answered]:
    """Every question of a file, answered."""
    reader = LexicalReader()
    for dialogue in dialogues(path):
        sessions = history(dialogue)
        for row in dialogue["questions"]:
            answer = dict(reader.read(sessions, question(row)))
            yield Answered(dialogue["id"], row, answer, score(answer, gold(row)).points)


def figures(path: Path) -> list[Figure]:
    """How many questions are answered right, by type."""
    read = list(read_all(path))
    types = sorted({each.row["question_type"] for each in read})
    points = {kind: [each.points for each in read if each.row["question_type"] == kind] for kind in types}
    return [Figure(path.stem, kind, points[kind].count(1.0), len(points[kind])) for kind in types]


def files(named: Sequence[Path] = ()) -> list[Path]:
    """The files that are named, else all of the folder."""
    return list(named) or sorted(FOLDER.glob("*.jsonl"))


def main() -> None:
    """Read, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="files of dialogues")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    found = [figure for path in files(given.files) for figure in figures(path)]
    if given.json:
        print(json.dumps([asdict(figure) for figure in found], indent=1))
        return
    for figure in found:
        print(f"{figure.file:10} {figure.question_type:10} {figure.right:3} of {figure.n:3}")


if __name__ == "__main__":
    main()
