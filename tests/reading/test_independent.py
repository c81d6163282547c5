"""Dialogues written without a look at the reader or the templates: their shape, and that their golds can be scored."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from suitegen.model.gold import Gold
from suitegen.model.history import Question, Session, Turn
from suitegen.reading.lexical import LexicalReader
from suitegen.reading.scoring import score

FOLDER = Path(__file__).parent / "independent"
FILES = sorted(FOLDER.glob("*.jsonl"))
LAST = 10_000


def dialogues(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def history(dialogue: dict[str, Any]) -> tuple[Session, ...]:
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
    return Question(
        probe_id="p",
        episode_id="e",
        asked_at="2026-12-01T09:00:00+00:00",
        visible_until=LAST,
        question=row["question"],
        answer_format=row["answer_format"],
    )


def gold(row: dict[str, Any]) -> Gold:
    return Gold.model_validate_json(json.dumps(row["gold"]))


def wrong(row: dict[str, Any]) -> dict[str, str]:
    """An answer of the format that is not the gold."""
    (field,) = gold(row).fields
    if field.form == "value":
        return {field.name: field.rivals[0][0] if field.rivals else "something else"}
    words = json.loads(row["answer_format"])["properties"][field.name]["enum"]
    return {field.name: next(word for word in words if word != field.answer)}


def read_all(path: Path) -> list[tuple[str, dict[str, Any], dict[str, str], float | None]]:
    """Every question of a file with the reader's answer in full context, and its points."""
    reader = LexicalReader()
    read = []
    for dialogue in dialogues(path):
        sessions = history(dialogue)
        for row in dialogue["questions"]:
            answer = dict(reader.read(sessions, question(row)))
            read.append((dialogue["id"], row, answer, score(answer, gold(row)).points))
    return read


def test_first_has_forty_dialogues_of_three_questions() -> None:
    told = dialogues(FOLDER / "first.jsonl")
    types = Counter(row["question_type"] for dialogue in told for row in dialogue["questions"])
    assert len({dialogue["id"] for dialogue in told}) == len(told) == 40
    assert types == {"current": 40, "change": 40, "source": 40}


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_dialogues_are_dated_in_order_and_questions_name_their_gold_fields(path: Path) -> None:
    for dialogue in dialogues(path):
        dates = [session.timestamp for session in history(dialogue)]
        assert 2 <= len(dates) <= 6, dialogue["id"]
        assert dates == sorted(set(dates)), dialogue["id"]
        for row in dialogue["questions"]:
            right = gold(row)
            assert right.type == row["question_type"], dialogue["id"]
            assert json.loads(row["answer_format"])["required"] == [field.name for field in right.fields]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_gold_scores_full_and_a_wrong_answer_nothing(path: Path) -> None:
    for dialogue in dialogues(path):
        for row in dialogue["questions"]:
            right = {field.name: field.answer for field in gold(row).fields}
            assert score(right, gold(row)).points == 1.0, (dialogue["id"], right)
            assert score(wrong(row), gold(row)).points == 0.0, (dialogue["id"], wrong(row))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_answer_of_the_reader_can_be_scored(path: Path) -> None:
    unread = [(name, row["question"], answer) for name, row, answer, points in read_all(path) if points is None]
    assert not unread


@pytest.mark.parametrize("question_type", ["current", "change", "source"])
def test_four_of_five_questions_of_a_type_are_answered(question_type: str) -> None:
    points = [points for _, row, _, points in read_all(FOLDER / "first.jsonl") if row["question_type"] == question_type]
    assert points.count(1.0) >= 0.8 * len(points)
