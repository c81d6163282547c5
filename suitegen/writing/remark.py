"""Remarks: what a session says that says nothing of the cast, in the lines by which the user states facts.

So neither that something is stated, nor how, tells where facts are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from suitegen.errors import DesignError
from suitegen.library.templates import compile_line, variables
from suitegen.model.latent import LatentSpec, SessionPlan
from suitegen.model.surface import Aside, Surfaces
from suitegen.model.words import Op, Source, Speaker, Strength
from suitegen.writing.deal import Place
from suitegen.writing.statement import Statement, is_bare, opened
from suitegen.writing.topic import Topic

NEARBY = 0.15
"""Share of the scenes without fact whose remark is about their attribute's surroundings; the others are put like facts,
which surroundings are not."""
MOVES: frozenset[Op] = frozenset({"update", "correct", "restore"})
"""Ops whose lines say that something changed, or was wrong."""


class Manner(NamedTuple):
    """How something is told."""

    op: Op
    speaker: Speaker
    source: Source
    strength: Strength


PLAIN = Manner("remember", "user", "user", "strong")
"""As the user tells what holds."""


@dataclass(frozen=True, slots=True)
class Remark:
    """A small fact as text, with the manner in which it is told."""

    said: Statement
    echo: str | None
    """The fact as the assistant repeats it."""
    draft: str | None
    """The fact as the assistant writes it in the user's name."""
    manner: Manner
    topic: Topic
    surfaces: Surfaces
    place: Place
    apart: bool
    """Whether it is no part of a scene: so is a change that has nothing to do with one."""


def remark(spec: LatentSpec, plan: SessionPlan, topic: Topic, surfaces: Surfaces, place: Place) -> Remark:
    """A remark on the topic's surroundings, or about nothing in particular, as one of the spec's own facts is told.

    Where a tool or a document told it, it is a look-up that shows nothing.

    Raises:
        DesignError: the surfaces have no line for it.
    """
    said = _aside(topic, surfaces, place)
    near = _nearby(topic, place) if _is_near(plan, place) and topic.fact_type.surroundings else None
    by_itself = plan.frame == "scene" or place.random("near").random() < 0.5
    for manner in (*manners(spec, plan, place), PLAIN):
        apart = plan.frame != "scene" or (near is None and manner.op in MOVES)
        if manner.speaker == "tool":
            blank = surfaces.records.blank.get(manner.source)
            if blank:
                shown = Statement(place.deal(blank, "blank", manner.source), opened=False)
                return Remark(shown, None, None, manner, topic, surfaces, place, True)
            continue
        # Surroundings tell of no change, and are the user's to speak of: elsewhere they are added to another fact. So
        # they are now and then outside of a scene, where facts are repeated by the assistant, and they are not.
        fits = near is not None and by_itself and manner.speaker == "user" and manner.op not in MOVES
        told = _told(Aside(state=near) if near and fits else said, manner, topic, surfaces, place, apart)
        if told is None:
            continue
        if near is not None and not fits and manner.speaker == "user":
            more = _told(Aside(state=near), PLAIN, topic, surfaces, place, apart)
            told = Statement(f"{told.text} {more.text}", told.opened) if more else told
        echo, draft = (None, near) if fits else (said.you, said.state)
        return Remark(told, echo, draft, manner, topic, surfaces, place, apart)
    where = f"surfaces {surfaces.language}"
    raise DesignError("no phrase by which the user tells a small fact", where=where, hint="add one for op remember")


def _is_near(plan: SessionPlan, place: Place) -> bool:
    """Whether it is about the surroundings: in a scene now and then; in another dialogue if nothing else is near."""
    if plan.frame != "scene":
        return plan.kind != "background"
    return place.random("remark").random() < NEARBY


def _nearby(topic: Topic, place: Place) -> str:
    line = place.deal(topic.fact_type.surroundings, "surroundings", topic.fact_type.id)
    where = f"fact type {topic.fact_type.id}, surroundings"
    return compile_line(line, where).render(topic.names("user"))


def _aside(topic: Topic, surfaces: Surfaces, place: Place) -> Aside:
    """One about the user where the topic is the user's own; else about something else, if there is any."""
    mine = topic.fact_type.subject.is_self
    fitting = [aside for aside in surfaces.asides if aside.mine == mine]
    return place.deal(fitting or surfaces.asides, "aside", int(bool(fitting) and mine))


def manners(spec: LatentSpec, plan: SessionPlan, place: Place) -> Sequence[Manner]:
    """The manners of the spec's own facts, in a drawn order."""
    planned = {each.index for each in spec.sessions if each.kind == "event"}
    # In a background dialogue nothing is looked up: that would name what the episode is about.
    quiet = plan.kind == "background" and plan.frame != "scene"
    told = [
        Manner(event.op, event.speaker, event.source, event.strength)
        for event in spec.events
        if event.session in planned and not (quiet and event.speaker == "tool")
    ]
    place.random("manner").shuffle(told)
    return told


def _told(said: Aside, manner: Manner, topic: Topic, surfaces: Surfaces, place: Place, apart: bool) -> Statement | None:
    """The remark in a line that tells as much of it as may be; None where no line can tell it so."""
    parts = _parts(said, manner, topic, surfaces, place)
    where = f"surfaces {surfaces.language}"
    usable = {}
    for line, weight in _lines(manner, surfaces):
        names = variables(line, where)
        if names & {"state", "state_new"} and names <= parts.keys():
            usable[line] = names, weight
    if not usable:
        return None
    most = max(len(names) for names, _ in usable.values())
    pool = {line: weight for line, (names, weight) in usable.items() if len(names) == most}
    if apart:
        pool = {line: weight for line, weight in pool.items() if is_bare(line)} or pool
    facets = ("act", "value", *sorted(usable[next(iter(pool))][0] - {"state", "state_new", "origin"}, reverse=True))
    line, _ = place.pick(pool, "phrase", manner.op, manner.speaker, manner.source, *facets)
    return Statement(compile_line(line, where).render(parts), opened(line))


def _parts(said: Aside, manner: Manner, topic: Topic, surfaces: Surfaces, place: Place) -> dict[str, str]:
    """What a line can draw on."""
    if manner.op == "update":
        found = {"state_new": said.state_new, "trigger": said.trigger, "reason": said.reason}
    else:
        found = {"state": said.you if manner.speaker == "assistant" else said.state}
    if manner.source != manner.speaker:
        people = {"third_party": topic.fact_type.people, "document": topic.fact_type.documents}
        names = people.get(manner.source) or surfaces.words.origins.get(manner.source, ())
        found["origin"] = place.random("origin").choice(names) if names else None
    return {name: text for name, text in found.items() if text is not None}


def _lines(manner: Manner, surfaces: Surfaces) -> Iterator[tuple[str, int]]:
    """The lines by which a fact of one's own is told in that manner, with their weights."""
    for phrase in surfaces.phrases:
        if (
            manner.op in phrase.op
            and manner.speaker in phrase.speaker
            and manner.source in (phrase.source or (manner.speaker,))
            and manner.strength in phrase.strength
            and phrase.act
            and not phrase.other
            and phrase.scope is None
        ):
            yield from ((line, phrase.weight) for line in phrase.lines)
