"""Remarks: what a session says that says nothing of the cast, in the lines by which the user states facts.

So neither that something is stated, nor how, tells where facts are.
"""

from __future__ import annotations

from collections.abc import Iterator
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
NEARBY = 0.1
"""Share of the scenes without fact whose remark is about their attribute's surroundings."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A small fact as text, with the op in whose manner it is told."""

    text: str
    echo: str | None
    """The fact as the assistant repeats it."""
    op: Op
    topic: Topic
    surfaces: Surfaces
    place: Place


def remark(spec: LatentSpec, plan: SessionPlan, topic: Topic, surfaces: Surfaces, place: Place) -> Remark:
    """A remark on the topic's surroundings, or about nothing in particular, as the spec's own facts are told.

    Raises:
        DesignError: the surfaces have no line for it.
    """
    op, said = _manner(spec, place), _aside(topic, surfaces, place)
    if op == "update" and said.state_new is None:
        op = "remember"
    near = _nearby(topic, place) if _is_near(plan, place) and topic.fact_type.surroundings else None
    if near is None:
        text, echo = _told(said, op, surfaces, place), said.you
    elif op == "update":
        # Surroundings tell of no change: they are added to what does.
        text, echo = f"{_told(said, op, surfaces, place)} {_added(near, surfaces, place)}", None
    else:
        text, echo = _told(Aside(state=near), op, surfaces, place), None
    return Remark(text, echo, op, topic, surfaces, place)


def _is_near(plan: SessionPlan, place: Place) -> bool:
    """Whether it is about the surroundings: in a scene mostly; in a background dialogue if that is all that is near."""
    if plan.frame == "host":
        return plan.kind != "background"
    return place.random("remark").random() < NEARBY


def _nearby(topic: Topic, place: Place) -> str:
    line = place.deal(topic.fact_type.surroundings, "surroundings", topic.fact_type.id)
    where = f"fact type {topic.fact_type.id}, surroundings"
    return compile_line(line, where).render(topic.names("user"))


def _added(state: str, surfaces: Surfaces, place: Place) -> str:
    """A clause as a sentence of its own."""
    where = f"surfaces {surfaces.language}"
    lines = [line for line in surfaces.riders.get("value", ()) if variables(line, where) == {"state"}]
    if not lines:
        raise DesignError("no sentence that adds a clause", where=where, hint="add one to riders.value")
    return compile_line(place.deal(lines, "added"), where).render(state=state)


def _aside(topic: Topic, surfaces: Surfaces, place: Place) -> Aside:
    """One about the user where the topic is the user's own; else about something else, if there is any."""
    mine = topic.fact_type.subject.is_self
    fitting = [aside for aside in surfaces.asides if aside.mine == mine]
    return place.deal(fitting or surfaces.asides, "aside", int(bool(fitting) and mine))


def _manner(spec: LatentSpec, place: Place) -> Op:
    """The op of one of the spec's own facts that the user told."""
    planned = {plan.index for plan in spec.sessions if plan.kind == "event"}
    told = [e.op for e in spec.events if e.session in planned and e.source == "user" and e.strength == "strong"]
    return place.random("manner").choice([op for op in told if op in MANNERS] or ["remember"])


def _told(said: Aside, op: Op, surfaces: Surfaces, place: Place) -> str:
    """The remark in a line that tells as much of it as may be."""
    names = ("state_new", "trigger", "reason") if op == "update" else ("state",)
    parts = {name: text for name in names if (text := getattr(said, name)) is not None}
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
