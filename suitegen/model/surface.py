"""Surfaces: how the offline writer says things, shared by all fact types of a language."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, model_validator

from suitegen.model.base import Identifier, Language, Noun, Text
from suitegen.model.words import Facet, Op, ProbeType, Source, Speaker, Strength

ClauseName = Literal["state", "state_new", "considering", "was"]
"""What a clause says: the value as it stands, as newly changed, as merely considered; the former value."""

Lines = Annotated[tuple[Text, ...], Field(min_length=1)]
Part = Literal["open", "reply", "said", "follow", "answer"]
"""A part of a session: a turn of its scene, or what is said."""


def _listed(value: object) -> object:
    """A single word stands for a list of one."""
    return [value] if isinstance(value, str) else value


class Phrase(Noun):
    """Ways to state an operation; the facets that a line states follow from its variables.

    Clause variables (lower case, no full stop): ``state`` (the target holds the value),
    ``state_new`` (as newly changed), ``considering`` (a gerund phrase with the value),
    ``was`` (the former value), ``known`` (the former value as one that is known and holds).
    They state ``value`` (``was`` and ``known``: ``old``). Noun phrases: ``noun`` (the
    target, in the speaker's voice), ``subject``, ``attribute``, ``value``, ``old``,
    ``origin`` (states ``source``), ``trigger``, ``reason``, ``date`` (the day of a record)
    and ``effective`` (the day from which it holds; both state ``date``), ``rejected`` (who
    told what the event resolves; states ``rejection``). The filter ``cap`` puts the first
    letter in upper case. A line is used only for events that have all its variables.
    """

    op: Annotated[tuple[Op, ...], BeforeValidator(_listed), Field(min_length=1)]
    speaker: tuple[Speaker, ...] = ("user",)
    source: tuple[Source, ...] = ()
    """Empty: the same as the speaker."""
    strength: tuple[Strength, ...] = ("strong", "weak")
    other: bool | None = Field(
        default=None, description="Only for another entity (true) or only for the target itself (false)."
    )
    act: bool = Field(
        default=True, description="Whether the lines state the act; false for the second part of a split."
    )
    named: bool = Field(
        default=True,
        description="Whether the lines may name the target; false for the first part of a split, which speaks of it by "
        "{{ old }} alone. Where there are none of these, the others are used.",
    )
    scope: Literal["value", "attribute", "entity"] | None = Field(
        default=None, description="For events of this scope, which then are said by such phrases only."
    )
    weight: int = Field(
        default=1, ge=1, description="How often each of the lines is in the deck from which places are dealt."
    )
    lines: Lines = Field(description="Whole sentences.")


class Exchange(Noun):
    """How what is said sits in turns, from the first user turn to the assistant's last word.

    ``{{ said }}`` stands in exactly one turn; every other turn names no value, but that
    ``{{ echo }}``, the value as the assistant repeats it, and ``{{ draft }}``, the value as
    the assistant writes it in the user's name, may stand in a turn after it: such lines are
    used for accepted values that the user states only. A single turn of the user is part
    of what the user says in a scene, and needs no answer of its own.
    """

    speaker: Speaker
    source: tuple[Source, ...] = Field(default=(), description="Empty: every source.")
    op: tuple[Op, ...] = Field(default=(), description="Empty: every op.")
    strength: tuple[Strength, ...] = ("strong", "weak")
    asked: bool = Field(
        default=True,
        description="Whether the turns may name the target; false for a change that comes up unasked, as the first "
        "part of a split does. Where there are none of these, the others are used.",
    )
    weight: int = Field(default=1, ge=1, description="How often it is in the deck from which places are dealt.")
    turns: tuple[dict[Literal["user", "assistant", "tool"], tuple[Text, ...]], ...] = Field(min_length=1)

    @property
    def answered(self) -> bool:
        """Whether the assistant answers in it, so that it can stand by itself."""
        return "assistant" in self.turns[-1]


class Records(Noun):
    """How a tool's output puts things; its parts stand on lines of their own."""

    clauses: dict[ClauseName, Lines] = Field(description="As the clauses of the surfaces.")
    riders: dict[Facet, Lines] = Field(description="As the riders of the surfaces.")
    blank: dict[Source, Lines] = Field(
        default_factory=dict,
        description="For tool and for document: what comes back where there is something, and nothing of it is shown.",
    )


class SmallWords(Noun):
    """Small words and forms that the sentences of a language need."""

    me: dict[Speaker, Text] = Field(description="The user, as each speaker names them.")
    yours: dict[Text, Text] = Field(
        default_factory=dict, description="Words of the user that the assistant replaces in names: my by your."
    )
    owned: Text = Field(description="A noun phrase for the {{ attribute }} of {{ subject }}.")
    written: Text = Field(description="A noun phrase for the user's own {{ attribute }} in a document.")
    capitals: tuple[Text, ...] = Field(
        default=(),
        description="Words that have a capital wherever they stand, as people who type with care write them.",
    )
    origins: dict[Source, Lines] = Field(description="Who told something, where the event names nobody.")
    rejected: dict[Source, Lines] = Field(description="Who told what is rejected, where that event named nobody.")
    tools: dict[Source, Identifier] = Field(
        description="Names of tools: for tool where the fact type names none, and for document."
    )
    dates: Lines = Field(description="How people write a date: {{ day }}, {{ month }}, {{ year }}.")


class Aside(Noun):
    """A small fact about nothing in particular, in clauses of the user's voice; one text alone is its ``state``."""

    state: Text = Field(description="The fact as it stands: a finite clause that holds no value of a fact type.")
    you: Text | None = Field(default=None, description="The fact as the assistant repeats it to the user.")
    state_new: Text | None = Field(default=None, description="The fact as newly changed, with a word such as 'now'.")
    trigger: Text | None = Field(default=None, description="What set the change off: a finite clause.")
    reason: Text | None = Field(default=None, description="Why it is better so: a finite clause.")

    @property
    def mine(self) -> bool:
        """Whether it is about the user: in the assistant's voice it is put otherwise, or not at all."""
        return self.you != self.state

    @model_validator(mode="before")
    @classmethod
    def _alone(cls, data: object) -> object:
        return {"state": data} if isinstance(data, str) else data


class Layout(Noun):
    """Lines by which an assistant frames a longer answer; they say nothing of any attribute."""

    leads: Lines = Field(description="Before a list.")
    closes: Lines = Field(description="After an answer: an offer to go on.")


class Surfaces(Noun):
    """Everything the offline writer of one language needs beside the fact types."""

    language: Language
    phrases: tuple[Phrase, ...] = Field(min_length=1)
    riders: dict[Facet, tuple[Text, ...]] = Field(
        description="Sentences that state one facet each, added when no line states it; 'act' names the target."
    )
    exchanges: tuple[Exchange, ...] = Field(min_length=1)
    shapes: tuple[tuple[Part, ...], ...] = Field(
        min_length=1,
        description="Orders in which a scene and what is said make a session; one that is listed more than once "
        "comes up more often.",
    )
    clauses: dict[ClauseName, Lines] = Field(
        description="Clauses made of the {{ noun }}, for what a fact type leaves out."
    )
    records: Records
    words: SmallWords
    layout: Layout | None = Field(
        default=None,
        description="How part of a scene's answers are laid out, as lists or with an offer; without, none is.",
    )
    asides: tuple[Aside, ...] = Field(
        min_length=1,
        description="Small facts of no fact type. Where a session says nothing that matters, they are said as facts "
        "are, so that the manner of speaking does not tell where facts are.",
    )


class Questions(Noun):
    """Wordings of probes in one language; they presuppose nothing."""

    language: Language
    asks: dict[ProbeType, tuple[Text, ...]]
    about_rival: dict[ProbeType, tuple[Text, ...]] = Field(
        default_factory=dict, description="Wordings for probes that name {{ rival }}."
    )
    answer_fields: dict[str, Text] = Field(
        description="What an answer field holds, for the answer format: by 'probe type.field', else by 'field'."
    )
