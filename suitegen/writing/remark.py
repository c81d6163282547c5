"""Remarks: what a session says that says nothing of the cast, in the lines by which the user states facts.

So neither that something is stated, nor how, tells where facts are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from suitegen.errors import DesignError
from suitegen.library.templates import compile_line, variables
from suitegen.model.latent import LatentSpec, SessionPlan
from suitegen.model.surface import Aside, Surfaces
from suitegen.model.words import Op
from suitegen.writing.deal import Place
from suitegen.writing.topic import Topic

MANNERS: tuple[Op, ...] = ("remember", "reinforce", "update")
"""Ops in whose manner a remark can be made."""
NEARBY = 0.7
"""Share of the scenes without fact whose remark is about their attribute's surroundings."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A small fact as text, with the op in whose manner it is told."""

    text: str
    op: Op
    topic: Topic
    surfaces: Surfaces
    place: Place


def remark(spec: LatentSpec, plan: SessionPlan, topic: Topic, surfaces: Surfaces, place: Place) -> Remark:
    """A remark on the topic's surroundings, or about nothing in particular, as the spec's own facts are told.

    Raises:
        DesignError: the surfaces have no line for it.
    """
    near = topic.fact_type.surroundings if _is_near(plan, place) else ()
    said = _nearby(near, topic, place) if near else place.deal(surfaces.asides, "aside")
    op = _manner(spec, place, said)
    return Remark(_told(said, op, surfaces, place), op, topic, surfaces, place)


def _is_near(plan: SessionPlan, place: Place) -> bool:
    """Whether it is about the surroundings: in a scene mostly; in a background dialogue if that is all that is near."""
    if plan.frame == "host":
        return plan.kind != "background"
    return place.random("remark").random() < NEARBY


def _nearby(clauses: Sequence[str], topic: Topic, place: Place) -> Aside:
    line = place.deal(clauses, "surroundings", topic.fact_type.id)
    where = f"fact type {topic.fact_type.id}, surroundings"
    return Aside(state=compile_line(line, where).render(topic.names("user")))


def _manner(spec: LatentSpec, place: Place, said: Aside) -> Op:
    """The op of one of the spec's own facts that the user told; only what tells of a change is said as one."""
    planned = {plan.index for plan in spec.sessions if plan.kind == "event"}
    told = [e.op for e in spec.events if e.session in planned and e.source == "user" and e.strength == "strong"]
    fitting = [op for op in told if op in MANNERS and (op != "update" or said.state_new is not None)]
    return place.random("manner").choice(fitting) if fitting else "remember"


def _told(said: Aside, op: Op, surfaces: Surfaces, place: Place) -> str:
    """The remark in a line that tells as much of it as may be."""
    parts = {name: text for name, text in said if text is not None}
    parts = {name: text for name, text in parts.items() if (name == "state") == (op != "update")}
    where = f"surfaces {surfaces.language}"
    named = {line: variables(line, where) for line in _lines(op, surfaces)}
    usable = {line: names for line, names in named.items() if names & {"state", "state_new"} and names <= parts.keys()}
    if not usable:
        raise DesignError(f"no phrase by which the user tells a small fact ({op})", where=where, hint="add one")
    most = max(map(len, usable.values()))
    pool = tuple(line for line, names in usable.items() if len(names) == most)
    facets = ("act", "value", *sorted(usable[pool[0]] - {"state", "state_new"}, reverse=True))
    return compile_line(place.deal(pool, "phrase", op, "user", "user", *facets), where).render(parts)


def _lines(op: Op, surfaces: Surfaces) -> Iterator[str]:
    """The lines by which the user tells a fact of their own."""
    for phrase in surfaces.phrases:
        own = "user" in phrase.speaker and "user" in (phrase.source or ("user",)) and "strong" in phrase.strength
        if op in phrase.op and own and phrase.act and not phrase.other and phrase.scope is None:
            yield from phrase.lines
