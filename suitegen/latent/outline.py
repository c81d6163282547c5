"""Outlines: what of a timeline bears on a probe, without the names of things.

Evidence depends on which values, members, changes and events are the same, not on what they are
called. So timelines with one outline have the same evidence, and it is worked out once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from suitegen.latent.ledger import act_counts
from suitegen.model.latent import Event, Member, Probe
from suitegen.model.words import Facet, Op, ProbeType

_Names: TypeAlias = Callable[[str | None], str | None]

ASK_WHY: tuple[ProbeType, ...] = ("temporal", "trigger", "reason")
"""Probe types that a change's trigger or reason can answer."""


# -- what bears on a probe --------------------------------------------------------------------------------------


def bearing(events: Sequence[Event], cast: Sequence[Member], probe: Probe) -> tuple[Event, ...]:
    """The events on which a probe's gold can depend."""
    names = _members(events, cast, probe)
    entities = {member.name: member.entity for member in cast}
    near = {entities[name] for name in names}
    own = {event.id for event in events if event.target in names}

    def bears(event: Event) -> bool:
        if event.refs.get("resolves") in own:
            return True
        if event.target in names:
            return not _idle(event, probe)
        return event.op == "forget" and event.scope == "entity" and entities[event.target] in near

    return tuple(event for event in events if bears(event))


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
    matters: dict[Facet, bool] = {
        "act": act_counts(event) and (event.op != "mention" or probe.type == "change"),
        "value": event.value is not None,
        "old": event.old is not None,
        "reason": probe.type in ASK_WHY,
        "source": event.source != event.speaker,
        "date": event.effective is not None and probe.type == "as_of",
        "rejection": "resolves" in event.refs,
    }
    return tuple(facet for facet in event.says if matters.get(facet, True))


# -- without names ----------------------------------------------------------------------------------------------


class Outline(NamedTuple):
    """The cast, the events and the probe of a timeline; names are numbers in the order of their first use."""

    cast: tuple[tuple[object, ...], ...]
    events: tuple[tuple[object, ...], ...]
    probe: tuple[object, ...]


_CAST = ("name", "entity", "attribute", "depends_on")
_EVENT = (
    "id", "target", "value", "old", "change_id", "trigger", "reason", "effective", "refs",
    "op", "speaker", "source", "strength", "scope", "says",
)  # fmt: skip
_PROBE = ("about", "rival", "premise", "type", "as_of")
_REPEATED: tuple[Op, ...] = ("remember", "reinforce", "reactivate", "mention")
"""Ops of which a repetition adds nothing."""


def _numbers(prefix: str) -> _Names:
    """A function that gives each name a number at its first use, and None to None."""
    known: dict[str, str] = {}
    return lambda name: None if name is None else known.setdefault(name, f"{prefix}{len(known)}")


def outline(events: Sequence[Event], cast: Sequence[Member], probe: Probe) -> tuple[Outline, list[list[Event]]]:
    """The outline of events that bear on a probe, and the events that each of its events stands for.

    Nothing refers to most events: their ids are empty, so that those that say the same are the
    same. Events that repeat one facet stand as one: a smallest cut takes all of them or none.
    """
    member, entity, attribute = (_numbers(prefix) for prefix in ("m", "e", "a"))
    told = {probe.about, *(event.target for event in events)}
    members = tuple(
        (
            member(each.name), entity(each.entity), attribute(each.attribute),
            member(each.depends_on) if each.depends_on in told else None,
        )
        for each in cast if each.name in told
    )  # fmt: skip
    value = _numbers("v")
    rows: list[tuple[object, ...]] = []
    runs: list[list[Event]] = []
    for event, row in zip(events, _nameless(events, probe, member, value), strict=True):
        repeats = event.op in _REPEATED and len(weighed(event, probe)) == 1 and probe.type != "as_of"
        if repeats and rows and rows[-1] == row:
            runs[-1].append(event)
        else:
            rows.append(row)
            runs.append([event])
    asked = (member(probe.about), value(probe.rival), value(probe.premise), probe.type, probe.as_of)
    return Outline(members, tuple(rows), asked), runs


def _nameless(events: Sequence[Event], probe: Probe, member: _Names, value: _Names) -> Iterator[tuple[object, ...]]:
    why: _Names = _numbers("c") if probe.type in ASK_WHY else lambda _: None
    sought = {event.refs[kind] for event in events for kind in ("completes", "resolves") if kind in event.refs}
    ids = {event.id: str(number) if event.id in sought else "" for number, event in enumerate(events)}
    for event in events:
        yield (
            ids[event.id], member(event.target), value(event.value), value(event.old), why(event.change_id),
            why(event.trigger), why(event.reason), event.effective if probe.type == "as_of" else None,
            tuple((kind, ids.get(ref) or "none") for kind, ref in event.refs.items()),
            event.op, event.speaker, event.source, event.strength, event.scope, weighed(event, probe),
        )  # fmt: skip


def drawn(shape: Outline) -> tuple[tuple[Member, ...], tuple[Event, ...], Probe]:
    """The cast, events and probe of an outline."""
    cast = [dict(zip(_CAST, each, strict=True)) for each in shape.cast]
    told = [dict(zip(_EVENT, each, strict=True)) for each in shape.events]
    asked = dict(zip(_PROBE, shape.probe, strict=True))
    return (
        tuple(Member.model_validate({**each, "fact_type": "", "values": {}}) for each in cast),
        tuple(Event.model_validate({**each, "refs": dict(each["refs"]), "thread": "", "session": 0}) for each in told),
        Probe.model_validate({**asked, "id": "", "thread": "", "asked_after": 0}),
    )
