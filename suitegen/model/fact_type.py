"""Fact types: attributes that can be remembered, with all that is needed to talk about them."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from suitegen.model.base import Identifier, Language, Noun, Text
from suitegen.model.words import Mutability, ValueKind


class FactValue(Noun):
    """One exchangeable value. Roles (initial, new, rival) are drawn, never fixed here."""

    value: Text = Field(description="The value as people write it; kept exactly as written.", examples=["9:30"])
    aliases: tuple[Text, ...] = Field(default=(), description="Other spellings that mean the same value.")


class Change(Noun):
    """A coherent pair of trigger and reason that can move the attribute.

    Both are finite clauses without capital or full stop, so that they fit after
    "since", "because" or on their own: ``two colleagues joined from Lisbon``.
    """

    id: Identifier
    trigger: Text = Field(description="What set the change off: a finite clause.")
    reason: Text = Field(description="Why the new value is better: a finite clause.")
    keys: tuple[Text, ...] = Field(
        min_length=2,
        description="Short phrases by which an answer is matched to this change; "
        "at least one occurs in the trigger and one in the reason.",
    )
    direction: Literal["up", "down"] | None = Field(
        default=None, description="Only drawn for pairs that go this way; for ordered kinds."
    )


class Subject(Noun):
    """Whose attribute it is: one entity of ``pool``, or the user when there is no pool."""

    pool: tuple[Text, ...] = Field(
        default=(), description="Entities that can have the attribute; one is drawn as the target."
    )
    others: tuple[Text, ...] = Field(
        default=(),
        description="With no pool: people around the user who have a value of their own.",
        examples=[["my sister Ana"]],
    )

    @property
    def is_self(self) -> bool:
        """Whether the target is the user."""
        return not self.pool


class Context(Noun):
    """A scene in which the attribute comes up; no turn of it states a value of the attribute.

    A session is woven from it: open (user), reply (assistant), then what has to
    be said, then follow (user), answer (assistant). Without anything to say it is
    a near miss. Every list holds alternatives; one of each is drawn.
    """

    id: Identifier
    open: tuple[Text, ...] = Field(min_length=1, description="User turns that start the scene.")
    reply: tuple[Text, ...] = Field(min_length=1, description="Assistant turns that take it up and ask on.")
    follow: tuple[Text, ...] = Field(min_length=1, description="User turns that go on after the fact was said.")
    answer: tuple[Text, ...] = Field(min_length=1, description="Assistant turns that close the scene.")


class Confusable(Noun):
    """Another attribute of the same subject that takes like values."""

    id: Identifier
    attribute: Text
    noun: Text = Field(description="A definite noun phrase in the user's voice; may use {{ subject }}.")
    says: tuple[Text, ...] = Field(
        min_length=1, description="Clauses in the user's voice that state {{ value }} for this other attribute."
    )


class Phrasings(Noun):
    """Clauses by voice, each a Jinja line; which facets a clause states follows from its variables.

    A clause has no capital and no full stop of its own. ``remember`` clauses state
    ``{{ value }}``; optional ones may also use ``{{ old }}``, ``{{ trigger }}``,
    ``{{ reason }}``, ``{{ date }}``. What a fact type leaves out is said by the
    shared surfaces with its ``remember`` clauses and its noun.
    """

    remember: tuple[Text, ...] = Field(default=(), description="The value as it stands.")
    update: tuple[Text, ...] = Field(
        default=(), description="The value as newly changed; holds a change word such as 'now'."
    )
    weigh: tuple[Text, ...] = Field(
        default=(),
        description="The value as merely considered, after 'I wonder about': a gerund phrase, "
        "for instance 'moving it to {{ value }}'.",
    )
    was: tuple[Text, ...] = Field(default=(), description="{{ old }} as the former value.")


class FactType(Noun):
    """An attribute that can be remembered: subject, kind, values, changes, contexts, phrasings."""

    id: Identifier
    domain: Identifier
    language: Language = "en"
    attribute: Text = Field(description="What it is called, without its subject.", examples=["standup time"])
    noun: Text = Field(
        description="A definite noun phrase in the user's voice; may use {{ subject }}.",
        examples=["my gym", "the standup time of the {{ subject }}"],
    )
    noun_you: Text | None = Field(
        default=None, description="The same in the assistant's voice, where it differs.", examples=["your gym"]
    )
    noun_other: Text | None = Field(
        default=None,
        description="The same of another entity {{ subject }}, where it differs.",
        examples=["{{ subject }}'s gym"],
    )
    subject: Subject
    kind: ValueKind
    mutability: Mutability = "dynamic"
    values: tuple[FactValue, ...] = Field(min_length=1)
    cues: tuple[Text, ...] = Field(
        default=(),
        description="Words by which the attribute is recognised near a value; "
        "needed by every kind but name, identifier and text.",
    )
    changes: tuple[Change, ...] = ()
    depends_on: tuple[Identifier, ...] = Field(
        default=(), description="Fact types whose change makes this value unsure."
    )
    contexts: tuple[Context, ...] = Field(min_length=1)
    surroundings: tuple[Text, ...] = Field(
        default=(),
        description="Clauses in the user's voice about what surrounds the attribute: they name no value of it and "
        "tell of no change; a near miss states one as facts are stated.",
        examples=[["the showers at the gym are lukewarm"]],
    )
    confusables: tuple[Confusable, ...] = ()
    phrasings: dict[Literal["user", "assistant", "other", "tool", "document", "third_party"], Phrasings] = Field(
        description="user: the user of the target; assistant: the assistant to the user; "
        "other: anyone of another entity; tool and document: a record or passage; "
        "third_party: what somebody else said, after 'X says'."
    )
    tool_name: Identifier | None = Field(default=None, description="Name of the tool that reports this attribute.")
    documents: tuple[Text, ...] = Field(
        default=(), description="Documents that may state it.", examples=[["the team wiki"]]
    )
    people: tuple[Text, ...] = Field(
        default=(), description="Third parties who may talk about it.", examples=[["Tom from the other team"]]
    )
