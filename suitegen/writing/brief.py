"""What a model is told of one session: what is to be said in it, by whom and how, and nothing of any other session."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from suitegen.latent.draw import facts_of
from suitegen.latent.seeds import derive
from suitegen.library.templates import compile_line
from suitegen.model.catalog import Catalog
from suitegen.model.latent import LatentSpec, SessionPlan
from suitegen.model.words import Facet
from suitegen.values.tables import table
from suitegen.values.tables.talk import talk
from suitegen.writing.deal import Place, place_of
from suitegen.writing.facts import Matter, matter
from suitegen.writing.remark import manners
from suitegen.writing.topic import Topic, topics

LENGTHS = {"scene": (2, 4), "host": (1, 2), "alone": (1, 2)}
"""Fewest and most exchanges by frame, one more where several things are said."""
SAMPLED = 6
"""Words of each kind that are shown, drawn for each session."""


@dataclass(frozen=True, slots=True)
class Item:
    """One statement of a session as it is put to a model; what the event does not state is None or empty."""

    name: str
    """How the model calls it: not the event's id, in which the design could be read."""
    event: str
    op: str
    speaker: str
    weak: bool
    act: bool
    noun: str
    attribute: str
    subject: str
    other: bool
    """Whether it is of another entity than the one that the episode is about."""
    named: bool
    """Whether the session must name whose it is."""
    scope: str | None
    value: str | None
    old: str | None
    trigger: str | None
    trigger_keys: tuple[str, ...]
    """Phrases of which one must stay as it is written."""
    reason: str | None
    reason_keys: tuple[str, ...]
    origin: str | None
    date: str | None
    effective: str | None
    rejection: bool
    rejected: str | None
    tool: str | None
    """The name of the tool that says it."""


@dataclass(frozen=True, slots=True)
class Brief:
    """A session as it is put to a model."""

    items: tuple[Item, ...]
    values: Mapping[str, object]
    """What the templates of the prompt can use."""
    shortest: int
    longest: int
    tool: str | None
    """The tool that is called, where one is: that of the first statement by a tool, or one that shows nothing."""

    @property
    def given(self) -> tuple[str, ...]:
        """Words that may be taken over as they stand."""
        found = [str(self.values[name]) for name in ("topic", "surroundings")]
        for item in self.items:
            found += [item.noun, item.attribute, item.subject]
            texts = (item.value, item.old, item.trigger, item.reason, item.origin, item.rejected, item.effective)
            found += [text for text in texts if text]
        return tuple(dict.fromkeys(filter(None, found)))


def brief(spec: LatentSpec, plan: SessionPlan, catalog: Catalog, start: int = 0) -> Brief:
    """The brief of a planned session; all members that share the session have the same.

    Args:
        spec: the episode's spec.
        plan: one of its sessions.
        catalog: the files that they draw on.
        start: 0 for the first, one more each time that it is written afresh: the same is said in another scene.

    Raises:
        DesignError: an event is to state something that it does not have.
        TemplateError: a line of a fact type cannot be rendered.
    """
    place, cast = place_of(spec, plan, start), topics(spec, catalog)
    events = spec.events_of(plan)
    topic = (cast[events[0].target] if events else cast[_main(spec, plan)]).own
    surfaces = catalog.surfaces[spec.language]
    matters = (matter(spec, plan, event, cast[event.target], surfaces, place) for event in events)
    items = tuple(_item(f"e{number}", each) for number, each in enumerate(matters, 1))
    fewest, most = LENGTHS[plan.frame]
    most += len(items) > 1
    tool = next((item.tool for item in items if item.tool), None) if items else _lookup(spec, plan, topic, place)
    values: dict[str, object] = {
        "language": spec.language,
        "domain": topic.fact_type.domain,
        "date": plan.timestamp[:10],
        "frame": plan.frame,
        "shortest": fewest,
        "longest": most,
        "topic": topic.names("user")["noun"],
        "opening": _opening(topic, place),
        "surroundings": "" if items else _surroundings(topic, place),
        "persona": derive(spec.seed, "persona") % 1000,
        "mood": derive(spec.seed, plan.slot, start, "mood") % 1000,
        "items": items,
        "tools": tool is not None,
        **_words(spec.language, place),
    }
    return Brief(items, values, fewest, most, tool)


def _lookup(spec: LatentSpec, plan: SessionPlan, topic: Topic, place: Place) -> str | None:
    """The tool that is called in a session without event, as facts of the episode come by tools too."""
    told = next(iter(manners(spec, plan, place)), None)
    return topic.tool(told.source) if told and told.speaker == "tool" else None


def _main(spec: LatentSpec, plan: SessionPlan) -> str:
    """The first cast member of the spec's own fact type, which a session without event is about; or its thread's."""
    if plan.thread is not None:
        return spec.thread(plan.thread).target
    own = (m.name for m in spec.cast if m.fact_type == spec.fact_type and m.confusable is None)
    return next(own, spec.cast[0].name)


def _words(language: str, place: Place) -> dict[str, object]:
    """Words of the language by which something is marked as changed, unsure or turned down."""
    speech, spoken = table(language), talk(language)
    kinds = {
        "guesses": spoken.wishes,
        "hearsay": spoken.hearsay,
        "rejections": speech.rejections,
        "takeovers": speech.takeovers,
    }
    return {name: tuple(place.random(name).sample(words, min(SAMPLED, len(words)))) for name, words in kinds.items()}


def _opening(topic: Topic, place: Place) -> str:
    """The first message of one of the fact type's scenes, which take turns over the episode."""
    kind = topic.fact_type
    chosen = place.deal(kind.contexts, "context", kind.id)
    where = f"fact type {kind.id}, context {chosen.id}"
    return compile_line(place.deal(chosen.open, "opening", chosen.id), where).render(topic.names("user"))


def _surroundings(topic: Topic, place: Place) -> str:
    kind = topic.fact_type
    if not kind.surroundings:
        return ""
    line = place.deal(kind.surroundings, "surroundings", kind.id)
    return compile_line(line, f"fact type {kind.id}, surroundings").render(topic.names("user"))


def _item(name: str, said: Matter) -> Item:
    event, topic, facts = said.event, said.topic, said.facts
    keys = facts_of(topic.fact_type)
    triggers, reasons = (found.get(event.change_id or "", ()) for found in (keys.triggers, keys.reasons))

    def stated(facet: Facet, name: str) -> str | None:
        return facts.get(name) if event.states(facet) else None

    return Item(
        name=name,
        event=event.id,
        op=event.op,
        speaker=event.speaker,
        weak=event.strength == "weak",
        act=event.states("act"),
        noun=facts["noun"],
        attribute=facts["attribute"],
        subject=facts["subject"],
        other=topic.other,
        named=topic.member.entity != "user",
        scope=event.scope,
        value=stated("value", "value"),
        old=stated("old", "old"),
        trigger=stated("trigger", "trigger"),
        trigger_keys=_short(triggers, event.trigger) if event.states("trigger") else (),
        reason=stated("reason", "reason"),
        reason_keys=_short(reasons, event.reason) if event.states("reason") else (),
        origin=stated("source", "origin"),
        date=stated("date", "date"),
        effective=stated("date", "effective"),
        rejection=event.states("rejection"),
        rejected=stated("rejection", "rejected"),
        tool=topic.tool(event.source) if event.speaker == "tool" else None,
    )


def _short(keys: tuple[str, ...], whole: str | None) -> tuple[str, ...]:
    """The phrases that are shorter than what they stand for, where there are any."""
    return tuple(key for key in keys if key != whole) or keys
