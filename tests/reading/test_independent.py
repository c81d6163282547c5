"""Dialogues written without a look at the reader or the templates: their shape, and that their golds can be scored."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

FOLDER = Path(__file__).parent / "independent"
FILES = sorted(FOLDER.glob("*.jsonl"))
"""Every set there is; a set that is laid beside the first is held to the same shape."""
FIRST = {"change": 37, "current": 38, "source": 32}
"""Of forty each: what was reached with the first set in view must not be lost."""

every_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


def wrong(independent: ModuleType, row: dict[str, Any]) -> dict[str, str]:
    """An answer of the format that is not the gold."""
    (field,) = independent.gold(row).fields
    if field.form == "value":
        return {field.name: field.rivals[0][0] if field.rivals else "something else"}
    words = json.loads(row["answer_format"])["properties"][field.name]["enum"]
    return {field.name: next(word for word in words if word != field.answer)}


@every_file
def test_a_set_has_forty_dialogues_of_three_questions(independent: ModuleType, path: Path) -> None:
    told = independent.dialogues(path)
    types = Counter(row["question_type"] for dialogue in told for row in dialogue["questions"])
    assert len({dialogue["id"] for dialogue in told}) == len(told) == 40
    assert types == {"current": 40, "change": 40, "source": 40}


@every_file
def test_dialogues_are_dated_in_order_and_questions_name_their_gold_fields(independent: ModuleType, path: Path) -> None:
    for dialogue in independent.dialogues(path):
        dates = [session.timestamp for session in independent.history(dialogue)]
        assert 2 <= len(dates) <= 6, dialogue["id"]
        assert dates == sorted(set(dates)), dialogue["id"]
        for row in dialogue["questions"]:
            right = independent.gold(row)
            assert right.type == row["question_type"], dialogue["id"]
            assert json.loads(row["answer_format"])["required"] == [field.name for field in right.fields]


@every_file
def test_the_gold_scores_full_and_a_wrong_answer_nothing(independent: ModuleType, path: Path) -> None:
    for dialogue in independent.dialogues(path):
        for row in dialogue["questions"]:
            gold = independent.gold(row)
            right = {field.name: field.answer for field in gold.fields}
            assert independent.score(right, gold).points == 1.0, (dialogue["id"], right)
            assert independent.score(wrong(independent, row), gold).points == 0.0, dialogue["id"]


@every_file
def test_every_answer_of_the_reader_can_be_scored(independent: ModuleType, path: Path) -> None:
    read = independent.read_all(path)
    assert not [(each.dialogue, each.row["question"], each.answer) for each in read if each.points is None]


def test_of_the_first_set_as_many_are_answered_as_ever(independent: ModuleType) -> None:
    found = {figure.question_type: figure.right for figure in independent.figures(FOLDER / "first.jsonl")}
    assert found.keys() == FIRST.keys()
    assert all(found[kind] >= least for kind, least in FIRST.items()), found


def test_a_set_that_is_named_is_read_alone(independent: ModuleType, tmp_path: Path) -> None:
    named = tmp_path / "second.jsonl"
    named.write_text((FOLDER / "first.jsonl").read_text(encoding="utf-8").splitlines()[0] + "\n", encoding="utf-8")
    assert independent.files([named]) == [named]
    assert {(figure.file, figure.n) for figure in independent.figures(named)} == {("second", 1)}
