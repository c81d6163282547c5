from __future__ import annotations

import json
from collections.abc import Callable, Sequence

import pytest

from suitegen.model.history import Question


@pytest.fixture
def make_question() -> Callable[[str, Sequence[str]], Question]:
    """A question that asks for the fields."""

    def make(text: str, fields: Sequence[str]) -> Question:
        return Question(
            probe_id="p",
            episode_id="e",
            asked_at="2027-01-01T00:00:00+00:00",
            visible_until=99,
            question=text,
            answer_format=json.dumps({"type": "object", "properties": {name: {} for name in fields}}),
        )

    return make
