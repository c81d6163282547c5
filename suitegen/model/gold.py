"""Gold answers and the evidence that proves them."""

from __future__ import annotations

from typing import Literal

from suitegen.model.base import Noun
from suitegen.model.words import Facet, ProbeType, ValueKind

Form = Literal["value", "values", "enum", "change", "count"]
"""How a field is matched: a typed value, a list of them in order, a word of a closed list,
a change's trigger or reason, a number."""

REFUSALS = frozenset({"absent", "forgotten", "unknown", "none"})
"""Value answers that mean 'there is no value to give'; they accept the same replies."""


class GoldField(Noun):
    """One field of an answer: what is right, and what may not be given in its place."""

    name: str
    form: Form
    answer: str
    """The right answer; for ``values`` the joined text."""
    accepts: tuple[str, ...] = ()
    """Spellings of the answer: the value and its aliases; for ``change`` the phrases of which one suffices."""
    answers: tuple[tuple[str, ...], ...] = ()
    """For ``values`` the spellings of each in order; for a disputed ``value`` those of each that must be named."""
    rivals: tuple[tuple[str, ...], ...] = ()
    """Spellings of each answer that must not stand in place of the right one."""
    kind: ValueKind = "text"
    """How values are compared."""

    @property
    def refusal(self) -> bool:
        """Whether the right answer is that there is no value to give."""
        return self.form == "value" and self.answer in REFUSALS


class Gold(Noun):
    """The right answer of a probe, by field; computed by replay, never typed."""

    type: ProbeType
    fields: tuple[GoldField, ...]

    def field(self, name: str) -> GoldField:
        """The field of that name.

        Raises:
            KeyError: there is none.
        """
        for field in self.fields:
            if field.name == name:
                return field
        raise KeyError(name)


class Atom(Noun):
    """One stated facet of one event."""

    event: str
    facet: Facet


class Group(Noun):
    """Stated facets of which ``need`` must stay for the gold to follow."""

    need: int
    of: tuple[Atom, ...]


class FieldEvidence(Noun):
    """The groups of one gold field: each must hold."""

    field: str
    groups: tuple[Group, ...]
