"""Sessions that are right, by what they say, from ``scenes.yaml``."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from suitegen.validation.protocol import SessionText
from tests.catalog import tree
from tests.validation.world import event, session

HERE = Path(__file__).parent


@lru_cache(maxsize=1)
def scenes() -> Any:
    """Events, kind, cast and text of every scene."""
    return tree(HERE / "scenes.yaml")


def scene(name: str, *changes: tuple[str, str]) -> SessionText:
    """A scene's session, after replacing some of its text; what is replaced must be there."""
    found = scenes()[name]
    text = found["text"]
    for before, after in changes:
        assert before in text, f"{name} does not hold {before!r}"
        text = text.replace(before, after)
    events = [event(**each) for each in found.get("events", ())]
    if "completed" in found:
        events.append(event("rest", "update", "10:00", "value", session=1, refs={"completes": found["completed"]}))
    return session(events, text, found.get("kind", "event"), found.get("cast", ("target",)))
