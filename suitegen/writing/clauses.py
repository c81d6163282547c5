"""Clauses: how a fact type says that its attribute has, had or gets a value."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from suitegen.library.templates import cap, compile_line, variables
from suitegen.model.fact_type import Phrasings
from suitegen.model.surface import ClauseName, Surfaces
from suitegen.model.words import Facet, Source, Speaker
from suitegen.writing.topic import Topic

CLAUSES: Mapping[str, ClauseName] = {
    "state": "state", "known": "state", "state_new": "state_new", "considering": "considering", "was": "was",
}  # fmt: skip
"""Clause variables of a line, and what each says."""
FACETS: Mapping[str, Facet] = {
    "value": "value", "old": "old", "origin": "source", "trigger": "trigger", "reason": "reason", "date": "date",
    "effective": "date", "rejected": "rejection",
}  # fmt: skip
"""Variables, and the facet that each states."""

_FIELDS: Mapping[ClauseName, str] = {"state": "remember", "state_new": "update", "considering": "weigh", "was": "was"}
_OPENING = re.compile(r"\{\{[-+]?\s*(value|old)\s*\}\}")


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause that may stand for a variable of a line."""

    variable: str
    line: str
    where: str

    @property
    def needs(self) -> frozenset[str]:
        """Variables of the line it takes."""
        return self._renamed(variables(self.line, self.where))

    @property
    def facets(self) -> frozenset[Facet]:
        """What it states."""
        return frozenset(FACETS[name] for name in self.needs if name in FACETS)

    def _renamed(self, names: frozenset[str]) -> frozenset[str]:
        # What is known is said as what holds, of the old value.
        return names - {"value"} | {"old"} if self.variable == "known" and "value" in names else names

    def render(self, facts: Mapping[str, str]) -> str:
        """The clause with its values."""
        given = {**facts, "value": facts["old"]} if self.variable == "known" else facts
        return compile_line(self.line, self.where).render(given)

    def bends(self, facts: Mapping[str, str]) -> bool:
        """Whether a capital at its start would change a value that stands there: values stay as they are written."""
        opening = _OPENING.match(self.line)
        if opening is None:
            return False
        value = facts["old" if self.variable == "known" else opening[1]]
        return cap(value) != value


def clauses(
    variable: str, topic: Topic, surfaces: Surfaces, speaker: Speaker, source: Source, says: frozenset[Facet],
    facts: Mapping[str, str],
) -> tuple[Clause, ...]:  # fmt: skip
    """The clauses that may stand for a variable: of the first voice that has any, else made of the noun.

    Args:
        variable: ``state``, ``known``, ``state_new``, ``considering`` or ``was``.
        topic: what it is about.
        surfaces: for what the fact type leaves out.
        speaker: in whose turn it is said.
        source: on whose word.
        says: the facets that it may state.
        facts: the variables that there are.
    """
    bent: tuple[Clause, ...] = ()
    for lines, where in _lines(variable, topic, surfaces, speaker, source):
        found = [Clause(variable, line, where) for line in lines]
        fitting = [c for c in found if c.facets <= says and c.needs <= facts.keys()]
        steady = tuple(c for c in fitting if not c.bends(facts))
        if steady:
            return steady
        bent = bent or tuple(fitting)
    return bent


def _lines(
    variable: str, topic: Topic, surfaces: Surfaces, speaker: Speaker, source: Source
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Lists of lines, the best first."""
    name = CLAUSES[variable]
    where = f"fact type {topic.fact_type.id}"
    if topic.confusable is not None and speaker == "user" and name == "state":
        yield topic.confusable.says, f"{where}, confusable {topic.confusable.id}"
    if topic.confusable is None:
        for voice in topic.voices(speaker, source):
            phrasings = topic.fact_type.phrasings.get(voice, Phrasings())
            yield getattr(phrasings, _FIELDS[name]), f"{where}, {voice}"
    recorded = speaker == "tool" and source != "document"
    yield (surfaces.records.clauses if recorded else surfaces.clauses)[name], f"surfaces {surfaces.language}"
