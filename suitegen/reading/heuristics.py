"""Shortcuts: rules that answer probes without understanding what was said.

MemProbe (section 3.4 and appendix E) uses such rules to show that a suite cannot be solved
by recency or by a fixed policy. These look at the text alone: where values of the asked
attribute stand, of whatever entity. What a policy needs to know beside it, the values that
the probe can have, comes from the trace.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from suitegen.model.history import Question, Session
from suitegen.model.words import ProbeType
from suitegen.reading.protocol import visible
from suitegen.values.vocabulary import Vocabulary

VALUE_TYPES: frozenset[ProbeType] = frozenset({"current", "previous", "original", "as_of"})
"""Probe types that ask for one value."""
_CHANGE_TYPES: frozenset[ProbeType] = VALUE_TYPES | {"change", "changes", "temporal", "direction", "status"}
UNKNOWN = "unknown"
NONE = "none"


@dataclass(frozen=True, slots=True)
class Task:
    """A probe as a shortcut sees it."""

    sessions: tuple[Session, ...]
    question: Question
    type: ProbeType
    vocabulary: Vocabulary
    """Values of the asked attribute."""
    held: str | None = None
    """From the trace: the value that stood before the perturbation."""
    offered: str | None = None
    """From the trace: the value that the perturbation brings up."""


@dataclass(frozen=True, slots=True)
class Shortcut:
    """A rule with the probe types it can answer."""

    name: str
    types: frozenset[ProbeType]
    rule: Callable[[Task], Mapping[str, str]]

    def applies(self, probe: ProbeType) -> bool:
        """Whether the rule can answer probes of the type."""
        return probe in self.types

    def answer(self, task: Task) -> Mapping[str, str]:
        """The answer by field; a field that the rule has nothing for is left out."""
        return self.rule(task)


def shortcuts() -> tuple[Shortcut, ...]:
    """All rules but the constants, which depend on the answer format."""
    return (
        Shortcut("latest_value", VALUE_TYPES, lambda task: _value(_last(mentions(task)))),
        Shortcut("first_value", VALUE_TYPES, lambda task: _value(_first(mentions(task)))),
        Shortcut("most_frequent", VALUE_TYPES, lambda task: _value(_commonest(mentions(task)))),
        Shortcut("last_user_value", VALUE_TYPES, lambda task: _value(_last(mentions(task, role="user")))),
        Shortcut("always_update", _CHANGE_TYPES, _update),
        Shortcut("always_preserve", _CHANGE_TYPES, _preserve),
        Shortcut("always_refuse", VALUE_TYPES, lambda _: {"value": UNKNOWN}),
    )


def constants(question: Question, probe: ProbeType) -> tuple[Shortcut, ...]:
    """A rule for each word of each closed list of the answer format: it gives that word and nothing else.

    Raises:
        ValueError: the answer format is not JSON.
    """
    properties: Mapping[str, Mapping[str, Sequence[str]]] = json.loads(question.answer_format).get("properties", {})
    return tuple(
        Shortcut(f"always_{field}_{word}", frozenset({probe}), _constant(field, word))
        for field, body in properties.items()
        for word in body.get("enum", ())
    )


def mentions(task: Task, role: str | None = None) -> tuple[str, ...]:
    """Every mention of a value of the attribute that the question may use, in order."""
    return tuple(
        mention.value
        for session in visible(task.sessions, task.question)
        for turn in session.turns
        if role in (None, turn.role)
        for mention in task.vocabulary.mentions(turn.content)
    )


def _last(values: Sequence[str]) -> str | None:
    return values[-1] if values else None


def _first(values: Sequence[str]) -> str | None:
    return values[0] if values else None


def _commonest(values: Sequence[str]) -> str | None:
    """The value mentioned most often; of equally frequent ones the latest."""
    counts = Counter(values)
    latest = {value: place for place, value in enumerate(values)}
    return max(counts, key=lambda value: (counts[value], latest[value]), default=None)


def _value(value: str | None) -> dict[str, str]:
    return {"value": UNKNOWN if value is None else value}


def _update(task: Task) -> dict[str, str]:
    """Takes over whatever is brought up."""
    held, offered = task.held or UNKNOWN, task.offered or UNKNOWN
    values = {"previous": held, "original": held}
    return {
        "value": values.get(task.type, offered),
        "changed": "yes",
        "count": "1",
        "direction": "old_to_new",
        "old": held,
        "new": offered,
        "status": "accepted",
    }


def _preserve(task: Task) -> dict[str, str]:
    """Takes nothing over."""
    held = task.held or UNKNOWN
    return {
        "value": NONE if task.type == "previous" else held,
        "changed": "no",
        "count": "0",
        "direction": "no_confirmed_change",
        "old": NONE,
        "new": NONE,
        "trigger": NONE,
        "reason": NONE,
        "status": "not_accepted",
    }


def _constant(field: str, word: str) -> Callable[[Task], Mapping[str, str]]:
    return lambda _: {field: word}
