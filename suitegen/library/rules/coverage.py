"""Which events the surfaces can say: a phrase whose facets are among the event's, and riders for the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from suitegen.library.rules.base import states
from suitegen.library.rules.scenes import Said, Scene
from suitegen.model.paradigm import Condition
from suitegen.model.surface import Phrase, Surfaces
from suitegen.model.words import Facet, Op, SessionKind, Source, Speaker, Strength

CLAUSES: Mapping[str, Facet] = {
    "state": "value",
    "state_new": "value",
    "considering": "value",
    "was": "old",
    "known": "old",
}
"""Clause variables, and the facet that each states at least."""
FACETS: Mapping[str, Facet] = {
    "value": "value", "old": "old", "origin": "source", "trigger": "trigger", "reason": "reason", "date": "date",
    "effective": "date", "rejected": "rejection",
}  # fmt: skip
"""Variables of a line, and the facet that each states."""


@dataclass(frozen=True, slots=True)
class Signature:
    """What the choice of a phrase depends on."""

    op: Op
    speaker: Speaker
    source: Source
    strength: Strength
    says: frozenset[Facet]
    other: bool = False
    scope: str | None = None
    effective: bool = False
    resolves: bool = False
    opens: bool = False

    @property
    def words(self) -> str:
        """The kind of event, for messages."""
        told = f" on the word of {self.source}" if self.source != self.speaker else ""
        about = " about another entity" if self.other else ""
        second = "" if "act" in self.says else " without its act"
        facets = ", ".join(sorted(self.says))
        return f"a {self.strength} {self.op} by {self.speaker}{told}{about}{second} that says {facets}"


def signatures(condition: Condition, split: bool, mix: Mapping[SessionKind, int]) -> Iterator[Signature]:
    """The kinds of events that episodes of a condition have: its own, those of a split, and planned fillers."""
    scene = Scene(condition)
    for said in scene.events:
        yield _signature(condition, said)
        if split and condition.split is not None and said.spec.id == condition.split.event:
            yield from _parts(condition, said)
    told: frozenset[Facet] = frozenset({"act", "value"})
    if mix.get("confusable"):
        yield Signature("remember", "user", "user", "strong", told)
    if mix.get("decoy"):
        yield Signature("remember", "user", "user", "strong", told, other=True)
        yield Signature("mention", "user", "user", "weak", told)
    if mix.get("stale_reference") and any(said.spec.op in ("update", "restore") for said in scene.events):
        yield Signature("mention", "user", "user", "strong", frozenset({"act", "old"}))


def _signature(condition: Condition, said: Said) -> Signature:
    spec = said.spec
    member = condition.cast.get(spec.target)
    act: frozenset[Facet] = frozenset() if "completes" in spec.refs else frozenset({"act"})
    return Signature(
        op=spec.op,
        speaker=spec.speaker,
        source=said.source,
        strength=spec.strength,
        says=frozenset(spec.says) | act,
        other=member is not None and member.entity == "other",
        scope=spec.scope,
        effective=spec.effective_days is not None,
        resolves="resolves" in spec.refs,
    )


def _parts(condition: Condition, said: Said) -> Iterator[Signature]:
    """A split event's two parts: what sets it off without the value, and later the value without the act."""
    whole = _signature(condition, said)
    former: frozenset[Facet] = frozenset({"old"} if whole.speaker == whole.source == "user" else ())
    says = whole.says - {"value"} | former
    yield Signature("update", whole.speaker, whole.source, "strong", says, opens=True)
    yield Signature(whole.op, "user", "user", "strong", frozenset({"value"}))


def missing_phrase(surfaces: Surfaces, event: Signature) -> str:
    """What the surfaces lack to state such an event; empty when they lack nothing."""
    best: list[frozenset[Facet]] = []
    for source in dict.fromkeys((event.source, event.speaker)):
        best = [stated for phrase in _matching(surfaces, event, source) for stated in _stated(phrase, event)]
        if best:
            break
    if not best and ("act" in event.says or event.strength == "weak"):
        return "no phrase says"
    riders = surfaces.records.riders if event.speaker == "tool" and event.source != "document" else surfaces.riders
    for stated in best or [frozenset[Facet]()]:
        left = event.says - stated
        if all(any(_usable(line, event, frozenset({facet})) for line in riders.get(facet, ())) for facet in left):
            return ""
    return "no phrase and riders together say"


def _matching(surfaces: Surfaces, event: Signature, source: Source) -> list[Phrase]:
    found = [
        phrase
        for phrase in surfaces.phrases
        if event.op in phrase.op
        and event.speaker in phrase.speaker
        and source in (phrase.source or (event.speaker,))
        and event.strength in phrase.strength
        and phrase.other in (None, event.other)
        and phrase.act == ("act" in event.says)
    ]
    unnamed = [phrase for phrase in found if not phrase.named] if event.opens and "old" in event.says else []
    found = unnamed or [phrase for phrase in found if phrase.named]
    scoped = [phrase for phrase in found if phrase.scope is not None and phrase.scope == event.scope]
    return scoped or [phrase for phrase in found if phrase.scope is None]


def _stated(phrase: Phrase, event: Signature) -> Iterator[frozenset[Facet]]:
    """What each usable line of a phrase states; a weak value must stand in the line itself."""
    act: frozenset[Facet] = frozenset({"act"}) if "act" in event.says else frozenset()
    for line in phrase.lines:
        if _usable(line, event, event.says):
            stated = _facets(line) | act
            if event.strength == "strong" or "value" not in event.says or "value" in stated:
                yield stated


def _usable(line: str, event: Signature, allowed: frozenset[Facet]) -> bool:
    """Whether a line states nothing beyond what is allowed, nothing twice, and nothing that the event has not."""
    names = states(line)
    each = [FACETS[name] for name in names if name in FACETS] + [CLAUSES[name] for name in names if name in CLAUSES]
    if ("date" in names and event.effective) or ("effective" in names and not event.effective):
        return False
    if "rejected" in names and not event.resolves:
        return False
    return set(each) <= allowed and len(each) == len(set(each))


def _facets(line: str) -> frozenset[Facet]:
    names = states(line)
    return frozenset({FACETS.get(name) or CLAUSES[name] for name in names if name in FACETS or name in CLAUSES})


def missing_exchange(surfaces: Surfaces, event: Signature) -> str:
    """What the surfaces lack to put such an event into turns; empty when they lack nothing."""
    for exchange in surfaces.exchanges:
        fits = (
            exchange.speaker == event.speaker
            and (not exchange.source or event.source in exchange.source)
            and (not exchange.op or event.op in exchange.op)
            and event.strength in exchange.strength
            and (exchange.asked or event.opens)
            and exchange.answered
        )
        if fits:
            return ""
    return "no exchange holds"
