"""Background scripts: value-free small dialogues that fill a history."""

from __future__ import annotations

from itertools import groupby, pairwise

from pydantic import Field, model_validator

from suitegen.model.base import Identifier, Language, Noun, Text
from suitegen.model.history import Role

_FOLLOWS = frozenset({
    ("user", "assistant"), ("user", "tool"), ("assistant", "user"), ("assistant", "tool"), ("tool", "assistant"),
})  # fmt: skip
"""Which role may follow which."""


class ScriptTurn(Noun):
    """One turn with its alternatives; exactly one role is set. Each alternative is a Jinja line over the slots."""

    user: tuple[Text, ...] = ()
    assistant: tuple[Text, ...] = ()
    tool: tuple[Text, ...] = ()
    name: Identifier | None = Field(default=None, description="The tool's name, in a tool turn.")

    @model_validator(mode="after")
    def _one_role(self) -> ScriptTurn:
        if sum(bool(lines) for lines in (self.user, self.assistant, self.tool)) != 1:
            raise ValueError("a turn has alternatives for exactly one of user, assistant and tool")
        if bool(self.tool) != (self.name is not None):
            raise ValueError("a tool turn has a name, and no other turn has one")
        return self

    @property
    def role(self) -> Role:
        """Who speaks."""
        return "user" if self.user else "assistant" if self.assistant else "tool"

    @property
    def lines(self) -> tuple[str, ...]:
        """The alternatives."""
        return self.user or self.assistant or self.tool


class Script(Noun):
    """A topic written as a short script: alternatives for every turn, and slots that vary the matter."""

    id: Identifier
    language: Language = "en"
    license: Text = "CC0-1.0"
    slots: dict[str, tuple[Text, ...]] = Field(
        default_factory=dict,
        description="Alternatives; slots that share the part of their name before '_' are drawn together, by index.",
    )
    turns: tuple[ScriptTurn, ...] = Field(min_length=4, max_length=12)
    optional: tuple[int, ...] = Field(
        default=(), description="Indexes of user turns that, with their replies, may be left out."
    )

    @model_validator(mode="after")
    def _coherent(self) -> Script:
        roles = [turn.role for turn in self.turns]
        if roles[0] != "user" or roles[-1] != "assistant":
            raise ValueError("a script starts with a user turn and ends with an assistant turn")
        for index, (before, after) in enumerate(pairwise(roles), 1):
            if (before, after) not in _FOLLOWS:
                raise ValueError(f"turn {index}: {after} cannot follow {before}")
        for index in self.optional:
            if not 0 < index < len(roles) or roles[index] != "user":
                raise ValueError(f"optional: {index} is not the index of a user turn after the first")
        for group, names in self.groups().items():
            if len({len(self.slots[name]) for name in names}) != 1:
                raise ValueError(f"slots of the group {group!r} are drawn together and need equally many alternatives")
        return self

    def groups(self) -> dict[str, tuple[str, ...]]:
        """Slots that are drawn together, by the part of their name before ``_``."""
        ordered = sorted(self.slots, key=slot_group)
        return {group: tuple(names) for group, names in groupby(ordered, key=slot_group)}


def slot_group(slot: str) -> str:
    """The group in which a slot is drawn."""
    return slot.partition("_")[0]


class ScriptFile(Noun):
    """One file of scripts."""

    scripts: tuple[Script, ...] = Field(min_length=1)
