"""Outlines: what of a timeline bears on a probe, without the names of things.

Evidence depends on which values, members, changes and events are the same, not on what they are
called. So timelines with one outline have the same evidence, and it is worked out once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from suitegen.latent.ledger import act_counts
from suitegen.model.latent import Event, Member, Probe
from suitegen.model.words import Facet, Op, ProbeType, Source, Speaker, Strength

_Names: TypeAlias = Callable[[str], str]

ASK_WHY: tuple[ProbeType, ...] = ("temporal", "trigger", "reason")
"""Probe types that a change's trigger or reason can answer."""


# -- what bears on a probe --------------------------------------------------------------------------------------


def bearing(events: Sequence[Event], cast: Sequence[Member], probe: Probe) -> tuple[Event, ...]:
    """The events on which a probe's gold can depend."""
    names = _members(events, cast, probe)
    kept = _concerning(events, cast, names)
    own = {event.id for event in events if event.target in names}
    return tuple(
        event
        for event in kept
        if event.refs.get("resolves") in own or event.target not in names or not _idle(event, probe)
    )


def concerning(
    events: Sequence[Event], cast: Sequence[Member], probe: Probe
) -> tuple[tuple[Event, ...], tuple[Member, ...]]:
    """The events that speak of what a probe asks about, with those that only say a value; and whom they speak of.

    Of a history that many threads share these are few, and what they lead to is all that a gold is made of.
    """
    names = _members(events, cast, probe)
    kept = _concerning(events, cast, names)
    spoken = names.union(event.target for event in kept)
    return kept, tuple(member for member in cast if member.name in spoken)


def _concerning(events: Sequence[Event], cast: Sequence[Member], names: frozenset[str]) -> tuple[Event, ...]:
    """The events that speak of some members, settle what was said of them, or have all of an entity forgotten."""
    entities = {member.name: member.entity for member in cast}
    near = {entities[name] for name in names}
    own = {event.id for event in events if event.target in names}
    return tuple(
        event
        for event in events
        if event.target in names
        or event.refs.get("resolves") in own
        or (event.op == "forget" and event.scope == "entity" and entities[event.target] in near)
    )


def _members(events: Sequence[Event], cast: Sequence[Member], probe: Probe) -> frozenset[str]:
    """The probe's member, what it depends on, and others of whom the value is said that the probe names."""
    members = {member.name: member for member in cast}
    names = [probe.about]
    while (cause := members[names[-1]].depends_on) is not None and cause in members and cause not in names:
        names.append(cause)
    rival = {event.target for event in events if probe.rival is not None and probe.rival in (event.value, event.old)}
    about = members[probe.about]
    others = [m.name for m in cast if m.name in rival and m.attribute == about.attribute and m.entity != about.entity]
    return frozenset((*names, *others))


def _idle(event: Event, probe: Probe) -> bool:
    """Whether the event only says a value that neither counts nor is asked about."""
    counts = event.op != "mention" and not (event.op == "challenge" and event.strength == "weak")
    return not counts and event.value != probe.rival and not event.states("old") and "resolves" not in event.refs


def weighed(event: Event, probe: Probe) -> tuple[Facet, ...]:
    """The facets of an event on which a probe's gold can depend."""

    def matters(facet: Facet) -> bool:
        match facet:
            case "act":
                return act_counts(event) and (event.op != "mention" or probe.type == "change")
            case "value" | "old":
                return getattr(event, facet) is not None
            case "reason":
                return probe.type in ASK_WHY
            case "source":
                return event.source != event.speaker
            case "date":
                return event.effective is not None and probe.type == "as_of"
            case "rejection":
                return "resolves" in event.refs
        return True

    return tuple(facet for facet in event.says if matters(facet))


# -- without names ----------------------------------------------------------------------------------------------


class Part(NamedTuple):
    """A cast member without its name."""

    name: str
    entity: str
    attribute: str
    depends_on: str | None


class Telling(NamedTuple):
    """An event without the names of what it speaks of; it says only what matters."""

    id: str
    op: Op
    target: str
    value: str | None
    old: str | None
    speaker: Speaker
    source: Source
    strength: Strength
    says: tuple[Facet, ...]
    refs: tuple[tuple[str, str], ...]
    change_id: str | None
    trigger: str | None
    reason: str | None
    scope: str | None
    effective: str | None


class Asked(NamedTuple):
    """A probe without the names of what it asks about."""

    type: ProbeType
    about: str
    rival: str | None
    premise: str | None
    as_of: int | None


class Outline(NamedTuple):
    """What bears on a probe; names are numbers in the order of their first use."""

    cast: tuple[Part, ...]
    events: tuple[Telling, ...]
    probe: Asked


_REPEATED: tuple[Op, ...] = ("remember", "reinforce", "reactivate", "mention")
"""Ops of which a repetition adds nothing."""


def _numbers(prefix: str) -> _Names:
    """A function that gives each name a number at its first use."""
    known: dict[str, str] = {}
    return lambda name: known.setdefault(name, f"{prefix}{len(known)}")


def outline(events: Sequence[Event], cast: Sequence[Member], probe: Probe) -> tuple[Outline, list[list[Event]]]:
    """The outline of events that bear on a probe, and the events that each of its events stands for.

    Events that repeat one facet stand as one: a smallest cut takes all of them or none.
    """
    member, entity, attribute, value = (_numbers(prefix) for prefix in ("m", "e", "a", "v"))
    told = {probe.about, *(event.target for event in events)}
    parts = tuple(
        Part(
            member(each.name), entity(each.entity), attribute(each.attribute),
            member(each.depends_on) if each.depends_on in told else None,
        )
        for each in cast if each.name in told
    )  # fmt: skip
    rows: list[Telling] = []
    runs: list[list[Event]] = []
    for event, row in zip(events, _nameless(events, probe, member, value), strict=True):
        if rows and rows[-1] == row and row.op in _REPEATED and len(row.says) == 1 and probe.type != "as_of":
            runs[-1].append(event)
        else:
            rows.append(row)
            runs.append([event])
    rival, premise = (None if name is None else value(name) for name in (probe.rival, probe.premise))
    return Outline(parts, tuple(rows), Asked(probe.type, member(probe.about), rival, premise, probe.as_of)), runs


def _nameless(events: Sequence[Event], probe: Probe, member: _Names, value: _Names) -> Iterator[Telling]:
    """The events without names.

    Nothing refers to most events: their ids are empty, so that those that say the same are the
    same. The texts of changes are left out unless the probe asks for them.
    """
    why, asks = _numbers("c"), probe.type in ASK_WHY
    sought = {event.refs[kind] for event in events for kind in ("completes", "resolves") if kind in event.refs}
    ids = {event.id: str(number) if event.id in sought else "" for number, event in enumerate(events)}
    for event in events:
        yield Telling(
            id=ids[event.id], op=event.op, target=member(event.target),
            value=None if event.value is None else value(event.value),
            old=None if event.old is None else value(event.old),
            speaker=event.speaker, source=event.source, strength=event.strength, says=weighed(event, probe),
            refs=tuple((kind, ids.get(ref) or "none") for kind, ref in event.refs.items()),
            change_id=why(event.change_id) if asks and event.change_id is not None else None,
            trigger=why(event.trigger) if asks and event.trigger is not None else None,
            reason=why(event.reason) if asks and event.reason is not None else None,
            scope=event.scope, effective=event.effective if probe.type == "as_of" else None,
        )  # fmt: skip


def drawn(shape: Outline) -> tuple[tuple[Member, ...], tuple[Event, ...], Probe]:
    """The cast, events and probe of an outline."""
    told = [{**telling._asdict(), "refs": dict(telling.refs)} for telling in shape.events]
    return (
        tuple(Member.model_validate({**part._asdict(), "fact_type": "", "values": {}}) for part in shape.cast),
        tuple(Event.model_validate({**each, "thread": "", "session": 0}) for each in told),
        Probe.model_validate({**shape.probe._asdict(), "id": "", "thread": "", "asked_after": 0}),
    )
