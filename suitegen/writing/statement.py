"""One event as text: a line that states as much of it as may be, and a sentence for each facet left."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from suitegen.errors import DesignError
from suitegen.library.templates import compile_line, variables
from suitegen.model.surface import Phrase
from suitegen.model.words import Facet, Op, Source
from suitegen.writing.clauses import CLAUSES, FACETS, Clause, clauses
from suitegen.writing.facts import Matter

RIDERS: tuple[Facet, ...] = ("act", "value", "old", "trigger", "reason", "source", "date", "rejection")
"""The order in which what a line leaves open is added."""
CORE: frozenset[Facet] = frozenset({"old", "source", "rejection"})
"""Facets that read badly as an afterthought, beside the value."""
ENOUGH = 4
"""Lines of the best coverage that are enough; with fewer, those of the next best are dealt too."""

_VARIABLE = re.compile(r"\{\{.*?\}\}")


@dataclass(frozen=True, slots=True)
class Wording:
    """A line with a clause for each of its clause variables."""

    line: str
    clauses: tuple[Clause, ...]
    facets: frozenset[Facet]
    weight: int = 1
    """How often the line is in the deck."""

    def render(self, facts: Mapping[str, str], where: str) -> str:
        """The line with everything put in."""
        said = {clause.variable: clause.render(facts) for clause in self.clauses}
        return compile_line(self.line, where).render({**facts, **said})


@dataclass(frozen=True, slots=True)
class Statement:
    """What is said: its text, and whether that opens with words of its own, such as "By the way"."""

    text: str
    opened: bool


def opened(line: str) -> bool:
    """Whether a line opens with words of its own and not with what it states."""
    return not line.startswith("{{")


def is_bare(line: str) -> bool:
    """Whether a line has no words but those that are put in."""
    return not any(map(str.isalnum, _VARIABLE.sub("", line)))


def statement(matter: Matter) -> Statement:
    """The event's text: it states what the event says, and nothing else.

    Raises:
        DesignError: the surfaces have no line for such an event.
    """
    event = matter.event
    wording = _phrase(matter)
    if wording is None and (event.states("act") or event.strength == "weak"):
        told = "" if event.source == event.speaker else f" on the word of {event.source}"
        raise DesignError(
            f"no phrase for a {event.strength} {event.op} by {event.speaker}{told}",
            where=f"surfaces {matter.surfaces.language}",
            hint="add a phrase for that op and speaker",
        )
    parts = [] if wording is None else [wording.render(matter.facts, f"surfaces {matter.surfaces.language}")]
    stated = frozenset[Facet]() if wording is None else wording.facets
    parts += [_rider(matter, facet) for facet in RIDERS if event.states(facet) and facet not in stated]
    text = ("\n" if event.speaker == "tool" else " ").join(parts)
    return Statement(text, opened=wording is not None and opened(wording.line))


def _phrase(matter: Matter) -> Wording | None:
    event = matter.event
    for source in dict.fromkeys((event.source, event.speaker)):
        base: frozenset[Facet] = frozenset({"act"} if event.states("act") else ())
        lines = {line: phrase.weight for phrase in _matching(matter, source) for line in phrase.lines}
        found = list(_wordings(matter, lines, base, frozenset(event.says)))
        if event.strength == "weak" and event.states("value"):
            # A value left to a sentence of its own would stand there without a hedge.
            found = [wording for wording in found if "value" in wording.facets]
        if found:
            best = _best(found)
            # What is said by itself comes with the words of its exchange, and needs none of its own.
            bare = [wording for wording in best if is_bare(wording.line)] if matter.apart else []
            return _dealt(matter, bare or best, "phrase", _manner(matter), event.speaker, source, *event.says)
    return None


def _manner(matter: Matter) -> Op:
    """The op whose phrases are used: another attribute's value in passing is said like any fact."""
    mentioned = matter.event.op == "mention" and matter.event.states("value")
    return "remember" if matter.topic.confusable and mentioned else matter.event.op


def _matching(matter: Matter, source: Source) -> list[Phrase]:
    """The phrases for such events; those for the event's scope, or that leave its target unnamed, if there are any."""
    event, op = matter.event, _manner(matter)
    found = [
        phrase
        for phrase in matter.surfaces.phrases
        if op in phrase.op
        and event.speaker in phrase.speaker
        and source in (phrase.source or (event.speaker,))
        and event.strength in phrase.strength
        and phrase.other in (None, matter.topic.other)
        and phrase.act == event.states("act")
    ]
    unnamed = [phrase for phrase in found if not phrase.named] if matter.by_value else []
    found = unnamed or [phrase for phrase in found if phrase.named]
    scoped = [phrase for phrase in found if phrase.scope is not None and phrase.scope == event.scope]
    return scoped or [phrase for phrase in found if phrase.scope is None]


def _rider(matter: Matter, facet: Facet) -> str:
    event, surfaces = matter.event, matter.surfaces
    recorded = event.speaker == "tool" and event.source != "document"
    lines = (surfaces.records.riders if recorded else surfaces.riders).get(facet, ())
    found = list(_wordings(matter, dict.fromkeys(lines, 1), frozenset({facet}), frozenset({facet})))
    if not found:
        where = f"surfaces {surfaces.language}"
        raise DesignError(f"no sentence that adds {facet!r}", where=where, hint="add one to riders")
    name = ("rider", facet, "record" if recorded else "prose")
    return _dealt(matter, found, *name).render(matter.facts, f"surfaces {surfaces.language}")


# -- which wordings there are -----------------------------------------------------------------------------------


def _wordings(
    matter: Matter, lines: Mapping[str, int], base: frozenset[Facet], allowed: frozenset[Facet]
) -> Iterator[Wording]:
    """Every line with every choice of clauses that states nothing beyond what is allowed, and nothing twice.

    Args:
        matter: the event with its facts.
        lines: the lines to choose from, with their weights.
        base: what the lines state by what they are, whatever their variables.
        allowed: the facets that may be stated.
    """
    options: dict[str, tuple[Clause, ...]] = {}
    for line, weight in lines.items():
        names = variables(line, f"surfaces {matter.surfaces.language}")
        own = frozenset(FACETS[name] for name in names if name in FACETS)
        if not (base | own <= allowed and names - CLAUSES.keys() <= matter.facts.keys()):
            continue
        spoken = sorted(name for name in names if name in CLAUSES)
        for name in spoken:
            if name not in options:
                options[name] = _clauses(matter, name, allowed)
        for chosen in product(*(options[name] for name in spoken)):
            stated = [own, *(clause.facets for clause in chosen)]
            union = own.union(*stated)
            if sum(map(len, stated)) == len(union):
                yield Wording(line, chosen, base | union, weight)


def _clauses(matter: Matter, variable: str, allowed: frozenset[Facet]) -> tuple[Clause, ...]:
    event = matter.event
    return clauses(variable, matter.topic, matter.surfaces, event.speaker, event.source, allowed, matter.facts)


# -- which one is used ------------------------------------------------------------------------------------------


def _best(found: Sequence[Wording]) -> list[Wording]:
    """Those that state the value and the other core facets; of these the ones that state most."""
    top = max(_core(wording) for wording in found)
    kept = [wording for wording in found if _core(wording) == top]
    best: list[Wording] = []
    for count in sorted({len(wording.facets) for wording in kept}, reverse=True):
        best += [wording for wording in kept if len(wording.facets) == count]
        if len({wording.line for wording in best}) >= ENOUGH:
            break
    return best


def _core(wording: Wording) -> tuple[bool, int]:
    return "value" in wording.facets, len(wording.facets & CORE)


def _dealt(matter: Matter, pool: Sequence[Wording], *name: str) -> Wording:
    """The place's line, with other clauses each time that the line comes up."""
    place = matter.place
    weights = {wording.line: wording.weight for wording in pool}
    line, copy = place.pick(weights, *name, ahead=matter.nth * max(1, sum(weights.values()) // 2))
    choices = place.order(tuple(dict.fromkeys(wording.clauses for wording in pool)), "clauses", *name)
    mine = sorted((w for w in pool if w.line == line), key=lambda wording: choices.index(wording.clauses))
    return mine[(list(weights).index(line) + copy) % len(mine)]
