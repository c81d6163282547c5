"""Compile the conditions of a case to latent specs: the truth of each episode, before any text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from suitegen.errors import DesignError
from suitegen.latent.calendar import days_after, first_day, timestamps
from suitegen.latent.draw import TARGET, Cast, cast, events_in, people
from suitegen.latent.frames import apart, elsewhere, frame
from suitegen.latent.layout import (
    Lengths,
    Place,
    align,
    deal_kinds,
    flatten,
    is_second_part,
    lengths,
    second_part,
    split_event,
    stretches,
)
from suitegen.latent.ledger import Ledger, tell
from suitegen.latent.seeds import derive
from suitegen.model.catalog import Catalog
from suitegen.model.fact_type import Confusable
from suitegen.model.latent import Event, LatentSpec, Member, Probe, SessionPlan
from suitegen.model.paradigm import Condition, EventSpec, ProbeSpec, SessionSpec, Slot
from suitegen.model.suite import SuiteSpec
from suitegen.model.words import Facet, ProbeType, SessionKind

THREAD = "t1"
Spec = TypeVar("Spec", EventSpec, ProbeSpec)
FACETS: tuple[Facet, ...] = ("act", "value", "old", "trigger", "reason", "source", "date", "rejection")


@dataclass(frozen=True, slots=True)
class Variant:
    """One member of a case: which condition, split or whole, in which tier, or its twin."""

    name: str
    condition: str
    split: bool
    tier: str
    twin: bool = False


@dataclass(frozen=True, slots=True)
class Case:
    """A cell of the design with its counterbalanced draw: one episode, or a matched group."""

    key: str
    number: int
    paradigm: str
    domain: str
    fact_type: str
    pair: tuple[str, str]
    entity_number: int
    variants: tuple[Variant, ...]
    before: int | None = None
    """Sessions before the perturbation, where the cell sets the length itself."""
    after: int | None = None
    """Sessions after it, where the cell does."""
    probes: tuple[ProbeType, ...] = ()
    """Types of probes that are asked; empty for all that the conditions ask."""
    turn: int = 0
    """Which series of draws the plan has chosen."""


def seed_of(suite: SuiteSpec, case: Case, draw: int) -> int:
    """The seed of a draw: a hash of the suite's seed, the case's key, the draw's number and its series."""
    series = ("turn", case.turn) if case.turn else ()
    return derive(suite.seed, suite.id, case.key, "draw", draw, *series)


def condition_of(catalog: Catalog, case: Case, variant: Variant) -> Condition:
    """The condition a variant compiles: whole or split, itself or its twin."""
    condition = catalog.paradigms[case.paradigm].conditions[variant.condition]
    if variant.twin:
        condition = twin_of(condition)
    return split_event(condition) if variant.split else condition


def twin_of(condition: Condition) -> Condition:
    """The paired control: the condition with the twin's replacement made."""
    twin = condition.twin
    if twin is None:
        raise DesignError("this condition declares no twin", hint="add `twin: {event: ID, as: {...}}` to it")
    if twin.probe is not None:
        probes = tuple(_replaced(p, twin.replacement) if p.id == twin.probe else p for p in condition.probes)
        return condition.model_copy(update={"probes": probes})
    phases = []
    for phase in condition.phases:
        if isinstance(phase.body, tuple):
            sessions = tuple(
                s.model_copy(
                    update={
                        "events": tuple(_replaced(e, twin.replacement) if e.id == twin.event else e for e in s.events)
                    }
                )
                for s in phase.body
            )
            phase = phase.model_copy(update={phase.name: sessions})
        phases.append(phase)
    return condition.model_copy(update={"phases": tuple(phases)})


def _replaced(spec: Spec, replacement: Mapping[str, object]) -> Spec:
    return type(spec).model_validate({**spec.model_dump(exclude_unset=True), **replacement})


def compile_case(suite: SuiteSpec, catalog: Catalog, case: Case, draw: int) -> tuple[LatentSpec, ...]:
    """The latent specs of a case's members at a draw.

    Raises:
        DesignError: the fact type cannot give what the conditions need; ``where`` is the case's key.
    """
    laid = _laid(suite, catalog, case, draw)
    scenes = _scenes(laid.places)
    return tuple(
        _spec(suite, case, variant, condition, laid.drawn, places, scenes, draw)
        for variant, condition, places in zip(case.variants, laid.conditions, laid.places, strict=True)
    )


def check_case(suite: SuiteSpec, catalog: Catalog, case: Case) -> None:
    """Refuse a case that cannot be compiled, without compiling it.

    Raises:
        DesignError: as ``compile_case`` does.
    """
    _laid(suite, catalog, case, 0)


@dataclass(frozen=True, slots=True)
class _Laid:
    """A case before its specs: the members' conditions, their cast, and the places of their histories."""

    conditions: Sequence[Condition]
    drawn: Cast
    places: Sequence[tuple[Place, ...]]


def _laid(suite: SuiteSpec, catalog: Catalog, case: Case, draw: int) -> _Laid:
    try:
        return _lay(suite, catalog, case, draw)
    except DesignError as error:
        raise DesignError(error.message, where=error.where or case.key, hint=error.hint) from error


def _lay(suite: SuiteSpec, catalog: Catalog, case: Case, draw: int) -> _Laid:
    first_day(suite.start)
    seed = seed_of(suite, case, draw)
    conditions = [condition_of(catalog, case, variant) for variant in case.variants]
    drawn = _cast(suite, catalog, case, conditions, draw, seed)
    drawn_lengths = [_lengths(suite, case, variant, seed) for variant in case.variants]
    rows = align([stretches(c, n) for c, n in zip(conditions, drawn_lengths, strict=True)], seed)
    flat = [
        flatten(row, suite.marks, [p.asked_after for p in c.probes if p.asked_after])
        for row, c in zip(rows, conditions, strict=True)
    ]
    # Of a change in two parts nothing else tells: a mention of the former value as past would.
    former = all(_has_former(condition) and not _is_parted(condition) for condition in conditions)
    mention = case.number % 4 != 0
    placed = [deal_kinds(places, suite, former, mention, seed) for places in flat]
    _check_fillers(drawn, {place.kind for places in placed for place in places})
    return _Laid(conditions, drawn, placed)


def _check_fillers(drawn: Cast, kinds: Collection[SessionKind]) -> None:
    """Whether the planned fillers have something to speak of."""
    fact_type = drawn.fact_type
    if "confusable" in kinds and not _free_confusables(drawn):
        raise DesignError(
            f"fact type {fact_type.id!r} declares no confusable for a filler", hint="add one, or drop them from mix"
        )
    if not drawn.spare and not {"confusable", "decoy"}.isdisjoint(kinds):
        raise DesignError(
            f"fact type {fact_type.id!r} has {len(fact_type.values)} values, all of them in a role; "
            "planned fillers need one more",
            hint="add values to the fact type",
        )


def _cast(
    suite: SuiteSpec, catalog: Catalog, case: Case, conditions: Sequence[Condition], draw: int, seed: int
) -> Cast:
    """The cast that the members and their counterfactual siblings share."""
    declared = catalog.paradigms[case.paradigm].conditions
    siblings = [declared[c.sibling] for c in conditions if c.sibling in declared]
    fact_type = catalog.fact_types[case.fact_type]
    dependents = [
        catalog.fact_types[name] for name in suite.fact_types if case.fact_type in catalog.fact_types[name].depends_on
    ]
    return cast([*conditions, *siblings], fact_type, case.pair, case.entity_number + draw, dependents, seed)


def _lengths(suite: SuiteSpec, case: Case, variant: Variant, seed: int) -> Lengths:
    found = lengths(suite.tiers[variant.tier], seed)
    before = found.before if case.before is None else case.before
    return Lengths(found.encoding, before, found.after if case.after is None else case.after)


def _has_former(condition: Condition) -> bool:
    """Whether the target has a former value once everything was said."""
    return any(event.op in ("update", "restore") and event.target == TARGET for event in events_in(condition))


def _is_parted(condition: Condition) -> bool:
    """Whether a change comes in two parts."""
    return any(is_second_part(event) for event in events_in(condition))


def _scenes(placed: Sequence[Sequence[Place]]) -> dict[str, int]:
    """Running numbers of the slots: those that are more than background in any member of the group, then the others."""
    slots = [place.slot for places in placed for place in places if place.kind != "background"]
    others = [place.slot for places in placed for place in places]
    return {slot: number for number, slot in enumerate(dict.fromkeys([*slots, *others]))}


# -- one spec ---------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Draft:
    """What a spec gathers while its places are walked."""

    drawn: Cast
    stamps: tuple[str, ...]
    events: list[Event]
    members: dict[str, Member]
    ledger: Ledger
    """How things stand, so far."""
    counts: dict[str, int] = field(default_factory=dict)
    """How often each name of an event was used."""
    said: dict[str, int] = field(default_factory=dict)
    """The last session that says an event of the condition, by the event's name."""

    @classmethod
    def of(cls, drawn: Cast, stamps: tuple[str, ...], members: dict[str, Member]) -> _Draft:
        """A draft of which nothing is said yet."""
        return cls(drawn, stamps, [], members, Ledger(members, {}))

    def hear(self, event: Event) -> None:
        """Add an event."""
        self.events.append(event)
        self.ledger = tell(self.ledger, event, event.says)

    def holds(self, name: str) -> str | None:
        """The last value that a member is known to have held."""
        intervals = self.ledger.track(name).intervals
        return intervals[-1].value if intervals else None

    def former(self, name: str) -> str | None:
        """The value that a member had before it; one that was corrected or is forgotten is none."""
        track = self.ledger.track(name)
        closed = track.intervals if track.state == "pending" else track.intervals[:-1]
        return next((each.value for each in reversed(closed) if each.value not in (None, self.holds(name))), None)

    def unique(self, name: str) -> str:
        """The name, numbered from its second use on."""
        while True:
            self.counts[name] = self.counts.get(name, 0) + 1
            found = name if self.counts[name] == 1 else f"{name}_{self.counts[name]}"
            if all(event.id != found for event in self.events):
                return found


def _spec(
    suite: SuiteSpec,
    case: Case,
    variant: Variant,
    condition: Condition,
    drawn: Cast,
    places: Sequence[Place],
    scenes: Mapping[str, int],
    draw: int,
) -> LatentSpec:
    stamps = timestamps(suite.start, [place.slot for place in places], drawn.seed)
    draft = _Draft.of(drawn, stamps, dict(drawn.members))
    others = elsewhere(suite, case.fact_type, case.key)
    completed = {spec.refs["completes"] for place in places for spec in place.events if "completes" in spec.refs}
    plans = []
    for index, place in enumerate(places):
        begin = len(draft.events)
        kind = _say(draft, place, index)
        events = draft.events[begin:]
        said = tuple(event.id for event in events)
        # A scene of the attribute would name what the parts of a split only touch upon.
        parted = any(event.id in completed or "completes" in event.refs for event in events)
        plans.append(
            SessionPlan(
                index=index,
                slot=place.slot,
                phase=place.phase,
                kind=kind,
                timestamp=stamps[index],
                events=said,
                frame=apart(drawn.seed, place.slot) if parted else frame(kind, drawn.seed, place.slot, bool(others)),
                scene=scenes[place.slot],
            )
        )
    probes = tuple(_probes(suite, condition, case.probes, draft, len(plans), variant.split))
    return LatentSpec(
        suite=suite.id, case=case.key, variant=variant.name, draw=draw, seed=drawn.seed, language=suite.language,
        paradigm=case.paradigm, condition=variant.condition, expects=condition.expects, domain=case.domain,
        fact_type=case.fact_type, split=variant.split, tier=variant.tier, setting="twin" if variant.twin else "",
        cast=_members_used(draft, condition), elsewhere=others, sessions=tuple(plans),
        events=tuple(draft.events), probes=probes,
    )  # fmt: skip


def _members_used(draft: _Draft, condition: Condition) -> tuple[Member, ...]:
    """The target and every other member that is declared or that something is said of."""
    used = {TARGET, *condition.cast, *(event.target for event in draft.events)}
    return tuple(draft.members[name] for name in sorted(used, key=lambda name: (name != TARGET, name)))


def _say(draft: _Draft, place: Place, index: int) -> SessionKind:
    """Add the events of a place, the condition's or a planned filler's; a filler that has nothing to say is a scene."""
    for spec in place.events:
        draft.said[spec.id or ""] = index
        draft.hear(_event(draft, spec, place, index))
    if place.kind not in _PLANNED:
        return place.kind
    event = _PLANNED[place.kind](draft, index)
    if event is None:
        return "near_miss"
    draft.hear(event)
    return place.kind


def _event(draft: _Draft, spec: EventSpec, place: Place, index: int) -> Event:
    drawn = draft.drawn
    change = drawn.changes[spec.change] if spec.change else None
    value = drawn.value(spec.value) if spec.value else None
    says = set(spec.says) | (set() if is_second_part(spec) else {"act"})
    source = spec.source or spec.speaker
    old = _old(draft, spec, value) if "old" in says else None
    if old is None:
        # What nobody spoke of before has no former value to go by.
        says.discard("old")
    effective = None if spec.effective_days is None else days_after(draft.stamps[index], spec.effective_days)
    return Event(
        id=draft.unique(spec.id or "e"), thread=THREAD, op=spec.op, target=spec.target, session=index, value=value,
        old=old, speaker=spec.speaker, source=source,
        origin=spec.origin or people(drawn.fact_type, source, drawn.seed, place.slot), strength=spec.strength,
        says=tuple(facet for facet in FACETS if facet in says), refs=dict(spec.refs),
        change_id=change.id if change else None, trigger=change.trigger if change else None,
        reason=change.reason if change else None, scope=spec.scope, effective=effective,
    )  # fmt: skip


def _old(draft: _Draft, spec: EventSpec, value: str | None) -> str | None:
    """The former value that is said: the named one; what is recalled; else the one that holds so far."""
    if spec.old:
        return draft.drawn.value(spec.old)
    if spec.op in ("reactivate", "mention", "reinforce") and value is not None and "value" not in spec.says:
        return value
    return draft.holds(spec.target)


def _free_confusables(drawn: Cast) -> list[Confusable]:
    """Those that the condition does not speak of itself: what has its own value, no filler may contradict."""
    taken = {member.confusable for member in drawn.members.values()}
    return [confusable for confusable in drawn.fact_type.confusables if confusable.id not in taken]


def _confusable(draft: _Draft, index: int) -> Event | None:
    """A like value on another attribute of the same subject."""
    drawn, number = draft.drawn, draft.counts.get("confusable", 0)
    options = _free_confusables(drawn)
    chosen = options[number % len(options)]
    name = f"confusable_{number % len(options) + 1}"
    value = _spare(drawn, number % len(options) + 1)
    draft.members.setdefault(
        name,
        Member(
            name=name,
            fact_type=drawn.fact_type.id,
            entity=drawn.members[TARGET].entity,
            attribute=chosen.attribute,
            values={"value": value},
            confusable=chosen.id,
        ),
    )
    return _filler_event(draft, "confusable", name, index, value)


def _decoy(draft: _Draft, index: int) -> Event | None:
    """Another entity's value; every third one is a value of the target that is only considered."""
    drawn, number = draft.drawn, draft.counts.get("decoy", 0)
    # Of what was never said nothing is considered either: its absence is what may be asked about.
    known = draft.ledger.track(TARGET).state != "never"
    if not known and not drawn.entities:
        return None
    if known and (number % 3 == 2 or not drawn.entities):
        event = _filler_event(draft, "decoy", TARGET, index, _spare(drawn, 0))
        return event.model_copy(update={"op": "mention", "strength": "weak"})
    which = (number - number // 3) % len(drawn.entities)
    name, value = f"other_{which + 1}", _spare(drawn, which + 1)
    draft.members.setdefault(
        name,
        Member(
            name=name,
            fact_type=drawn.fact_type.id,
            entity=drawn.entities[which],
            attribute=drawn.fact_type.attribute,
            values={"value": value},
        ),
    )
    return _filler_event(draft, "decoy", name, index, value)


def _stale_reference(draft: _Draft, index: int) -> Event | None:
    """The former value, as past."""
    former = draft.former(TARGET)
    if former is None:
        return None
    event = _filler_event(draft, "stale_reference", TARGET, index, None)
    return event.model_copy(update={"op": "mention", "old": former, "says": ("act", "old")})


_PLANNED: Mapping[SessionKind, Callable[[_Draft, int], Event | None]] = {
    "confusable": _confusable,
    "decoy": _decoy,
    "stale_reference": _stale_reference,
}


def _spare(drawn: Cast, number: int) -> str:
    """A value that no role has."""
    return drawn.spare[number % len(drawn.spare)]


def _filler_event(draft: _Draft, kind: str, target: str, index: int, value: str | None) -> Event:
    return Event(id=draft.unique(kind), thread=THREAD, op="remember", target=target, session=index, value=value)


# -- probes -----------------------------------------------------------------------------------------------------


def _probes(
    suite: SuiteSpec, condition: Condition, types: Sequence[ProbeType], draft: _Draft, count: int, split: bool
) -> list[Probe]:
    drawn, said, found = draft.drawn, draft.said, []
    for number, spec in enumerate(condition.probes):
        unasked = types and spec.type not in types
        if unasked or (spec.when is not None and (spec.when == "split") != split):
            continue
        member, _, role = spec.about.partition(".")
        found.append(
            Probe(
                id=spec.id or f"p{number + 1}",
                thread=THREAD,
                type=spec.type,
                about=member,
                asked_after=_moment(suite, said, spec.asked_after, count - 1),
                rival=drawn.members[member].values[role] if role else None,
                premise=drawn.value(spec.premise) if spec.premise else None,
                as_of=_moment(suite, said, spec.as_of, count - 1) if spec.as_of else None,
            )
        )
    return found


def _moment(suite: SuiteSpec, said: Mapping[str, int], name: str | None, last: int) -> int:
    """The session after which a name stands: a mark's, an event's (the last time or part of it), or the end."""
    if name is None:
        return last
    if name in suite.marks:
        return suite.marks[name] - 1
    stands = [said[each] for each in (name, second_part(name)) if each in said]
    return max(stands, default=last)


# -- the counterfactual -----------------------------------------------------------------------------------------


def counterfactual(suite: SuiteSpec, catalog: Catalog, case: Case, spec: LatentSpec) -> LatentSpec | None:
    """The same history with the sibling condition's perturbation in place of the spec's own; None without sibling.

    Only events change: they stand in the places of the spec's own perturbation. Mentions of a
    former value, which the sibling may not have, give way to scenes without event.
    """
    declared = catalog.paradigms[spec.paradigm].conditions
    own = declared[spec.condition]
    if own.sibling is None or own.sibling not in declared or spec.setting:
        return None
    sibling = declared[own.sibling]
    drawn = _cast(suite, catalog, case, [condition_of(catalog, case, v) for v in case.variants], spec.draw, spec.seed)
    groups = [
        session.events for phase in sibling.phases if phase.name == "perturbation" for session in _body(phase.body)
    ]
    places = [plan.index for plan in spec.sessions if plan.kind == "event" and plan.phase == "perturbation"]
    if not places or not groups:
        return None
    given = {index: list(events) for index, events in zip(places, groups, strict=False)}
    given[places[min(len(places), len(groups)) - 1]].extend(e for events in groups[len(places) :] for e in events)
    return _swapped(spec, drawn, sibling, given, places)


def _body(body: tuple[SessionSpec, ...] | Slot | None) -> tuple[SessionSpec, ...]:
    return body if isinstance(body, tuple) else ()


def _swapped(
    spec: LatentSpec, drawn: Cast, sibling: Condition, given: Mapping[int, Sequence[EventSpec]], places: Sequence[int]
) -> LatentSpec:
    stamps = tuple(plan.timestamp for plan in spec.sessions)
    draft = _Draft.of(drawn, stamps, {**drawn.members, **{member.name: member for member in spec.cast}})
    plans = []
    for plan in spec.sessions:
        kind, begin = plan.kind, len(draft.events)
        if plan.index in places:
            specs = tuple(given.get(plan.index, ()))
            kind = _say(draft, Place(plan.slot, plan.phase, "event" if specs else "near_miss", specs), plan.index)
        elif plan.kind == "stale_reference":
            kind = "near_miss"
        else:
            for event in spec.events_of(plan):
                draft.hear(event)
        said = tuple(event.id for event in draft.events[begin:])
        plans.append(plan.model_copy(update={"kind": kind, "events": said}))
    return spec.model_copy(
        update={
            "expects": sibling.expects, "cast": _members_used(draft, sibling),
            "sessions": tuple(plans), "events": tuple(draft.events), "split": False,
        }
    )  # fmt: skip
