"""The closed vocabularies of the field: one word per concept."""

from __future__ import annotations

from typing import Literal

Op = Literal[
    "remember",
    "update",
    "correct",
    "forget",
    "restore",
    "reinforce",
    "reactivate",
    "challenge",
    "mention",
    "clue",
    "reflect",
]
"""What an event does. Only remember, reinforce, update, correct, restore and forget can move a state."""

Speaker = Literal["user", "assistant", "tool"]
"""The role of the turn in which an event is said."""

Source = Literal["user", "assistant", "tool", "document", "third_party"]
"""Who told it: part of the gold."""

Strength = Literal["strong", "weak"]

Facet = Literal["act", "value", "old", "trigger", "reason", "source", "date", "rejection"]
"""A piece of an event that its text states."""

Status = Literal[
    "accepted",
    "past",
    "other_entity",
    "retracted",
    "disputed",
    "stale",
    "hypothetical",
    "unreliable",
    "not_accepted",
    "never_said",
]
"""How a value stands at a prefix of the history; computed, the first that fits."""

Behavior = Literal["update", "preserve", "uncertain"]
"""Expected behaviour of a memory under a condition."""

ValueKind = Literal["name", "choice", "time", "date", "number", "quantity", "identifier", "text"]
Mutability = Literal["static", "dynamic", "preference"]
PhaseName = Literal["encoding", "filler", "perturbation", "post_perturbation"]
SessionKind = Literal["event", "background", "near_miss", "confusable", "decoy", "stale_reference", "distractor"]
"""``event``: holds an event of the condition; the others are fillers, all but ``background`` planned."""

ProbeType = Literal[
    "current",
    "previous",
    "original",
    "trajectory",
    "as_of",
    "change",
    "changes",
    "source",
    "conflict",
    "status",
    "temporal",
    "trigger",
    "reason",
    "direction",
    "premise",
    "original_premise",
]

Level = Literal["file", "spec", "session", "episode", "suite"]
Severity = Literal["error", "warning"]

PREMISES: tuple[ProbeType, ...] = ("premise", "original_premise")
"""Probe types whose question takes something for granted."""
STATUSES: tuple[Status, ...] = (
    "accepted",
    "past",
    "other_entity",
    "retracted",
    "disputed",
    "stale",
    "hypothetical",
    "unreliable",
    "not_accepted",
    "never_said",
)
SOURCES: tuple[str, ...] = ("user", "assistant", "tool", "stale_tool", "document", "third_party", "none")
"""What a source field may hold; ``none`` when no such event exists."""
