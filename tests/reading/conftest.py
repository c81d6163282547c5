from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType

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


@pytest.fixture(scope="session")
def halves() -> ModuleType:
    """The script that reads raw draws of either half."""
    return _script("reader_halves")


@pytest.fixture(scope="session")
def faults(halves: ModuleType) -> ModuleType:
    """The script that puts faults into what is read."""
    return _script("reader_faults")


@pytest.fixture(scope="session")
def independent() -> ModuleType:
    """The script that reads the independent dialogues."""
    return _script("reader_independent")


def _script(name: str) -> ModuleType:
    path = Path(__file__).parents[2] / "scripts" / f"{name}.py"
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
