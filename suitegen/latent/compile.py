"""Compile the conditions of a case to latent specs: the truth of each episode, before any text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from suitegen.errors import DesignError
from suitegen.latent.calendar import days_after, first_day, timestamps
from suitegen.latent.draw import TARGET, Cast, cast, entity_of, events_in, people, value_pairs
from suitegen.latent.frames import apart, elsewhere, frame
from suitegen.latent.layout import (
    Lengths,
    Place,
    align,
    deal_kinds,
    deal_shared,
    flatten,
    is_second_part,
    lengths,
    second_part,
    shared_row,
    shared_slots,
    split_event,
    stretches,
)
from suitegen.latent.ledger import Ledger, tell
from suitegen.latent.seeds import derive
from suitegen.model.catalog import Catalog
from suitegen.model.fact_type import Confusable
from suitegen.model.latent import Event, LatentSpec, Member, Probe, SessionPlan, Thread
from suitegen.model.paradigm import EACH_MARK, MARK_BEFORE, Condition, EventSpec, ProbeSpec, SessionSpec, Slot
from suitegen.model.suite import SuiteSpec
from suitegen.model.words import Facet, PhaseName, ProbeType, SessionKind
from suitegen.values.kinds import same

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
    """A cell of the design with its counterbalanced draw: one episode, or a matched group.

    Where several threads share one history, each of them is a case of its own, and the case of the history has
    neither paradigm nor fact type.
    """

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
    threads: tuple[Case, ...] = ()
    """The threads that share the history; their keys are the threads' ids."""
    sessions: int = 0
    """Sessions of a history that threads share."""
    share: int = 1
    """Most threads that one session speaks of."""
    mix: tuple[tuple[SessionKind, int], ...] = ()
    """Kinds of filler in a history that threads share."""
    stands: tuple[tuple[PhaseName, str], ...] = ()
    """Of a thread: the marks before which the sessions of its phases stand."""
    control: str | None = None
    """Of a thread: the key of its paired control."""
    withheld: tuple[str, ...] = ()
    """Ids of probes that the design leaves out."""

    @property
    def strands(self) -> tuple[Case, ...]:
        """The threads of its history: those that share it, or the case itself."""
        return self.threads or (self,)


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


def compile_case(
    suite: SuiteSpec, catalog: Catalog, case: Case, draw: int, redrawn: Mapping[str, int] | None = None
) -> tuple[LatentSpec, ...]:
    """The latent specs of a case's members at a draw.

    Args:
        suite: the design.
        catalog: what it draws on.
        case: one of its cases.
        draw: 0 for the first, k for reserve k.
        redrawn: of threads that were drawn anew by themselves, by id, how often; the others stay as they are.

    Raises:
        DesignError: the fact type cannot give what the conditions need; ``where`` is the case's key.
    """
    laid = _laid(suite, catalog, case, draw, redrawn or {})
    scenes = _scenes(laid.places)
    return tuple(
        _spec(suite, case, member, laid.strands, places, scenes, laid.seed, draw)
        for member, places in enumerate(laid.places)
    )


def check_case(suite: SuiteSpec, catalog: Catalog, case: Case) -> None:
    """Refuse a case that cannot be compiled, without compiling it.

    Raises:
        DesignError: as ``compile_case`` does.
    """
    _laid(suite, catalog, case, 0, {})


@dataclass(frozen=True, slots=True)
class _Strand:
    """One thread before its specs: in each member of the case its condition, and their cast.

    Where several threads share a history, names of members, events and probes are those of its condition behind the
    thread's id, so that everything that goes by names works on all of them together.
    """

    case: Case
    conditions: Sequence[Condition]
    drawn: Cast
    id: str
    alone: bool = True
    redraw: int = 0

    def name(self, local: str) -> str:
        """The name in the history of what the condition calls so."""
        return local if self.alone else f"{self.id}.{local}"

    def members(self) -> Iterator[Member]:
        """The cast, named as in the history."""
        for member in self.drawn.members.values():
            cause = None if member.depends_on is None else self.name(member.depends_on)
            yield member.model_copy(update={"name": self.name(member.name), "depends_on": cause})


@dataclass(frozen=True, slots=True)
class _Laid:
    """A case before its specs: its threads, and the places of the history of each member."""

    strands: Sequence[_Strand]
    places: Sequence[tuple[Place, ...]]
    seed: int


def _laid(suite: SuiteSpec, catalog: Catalog, case: Case, draw: int, redrawn: Mapping[str, int]) -> _Laid:
    try:
        first_day(suite.start)
        return _lay_shared(suite, catalog, case, draw, redrawn) if case.threads else _lay(suite, catalog, case, draw)
    except DesignError as error:
        raise DesignError(error.message, where=error.where or case.key, hint=error.hint) from error


def _lay(suite: SuiteSpec, catalog: Catalog, case: Case, draw: int) -> _Laid:
    """A case of one thread: a history for each member, aligned over the group."""
    seed = seed_of(suite, case, draw)
    conditions = [condition_of(catalog, case, variant) for variant in case.variants]
    drawn = _cast(suite, catalog, case, conditions, case.entity_number + draw, seed)
    _check_premises(conditions, drawn)
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
    return _Laid([_Strand(case, conditions, drawn, THREAD)], placed, seed)


def _lay_shared(suite: SuiteSpec, catalog: Catalog, case: Case, draw: int, redrawn: Mapping[str, int]) -> _Laid:
    """Several threads on one history: where they stand is the history's draw, what they say is their own."""
    seed = seed_of(suite, case, draw)
    used = {thread.fact_type: set[str]() for thread in case.threads}
    for thread in case.threads:
        used[thread.fact_type].add(entity_of(catalog.fact_types[thread.fact_type], thread.entity_number))
    strands = []
    for thread in case.threads:
        redraw = redrawn.get(thread.key, 0)
        own = derive(seed, "thread", thread.key, *((redraw,) if redraw else ()))
        conditions = [condition_of(catalog, thread, variant) for variant in thread.variants]
        taken = used[thread.fact_type]
        if redraw:
            # Whom it speaks of stays, so that no other thread is touched; what is said of them is new.
            thread = replace(thread, pair=value_pairs(catalog.fact_types[thread.fact_type], own)[0])
        try:
            drawn = _cast(suite, catalog, thread, conditions, thread.entity_number, own, taken)
            _check_premises(conditions, drawn)
        except DesignError as error:
            raise DesignError(error.message, where=f"{case.key}/{thread.key}", hint=error.hint) from error
        strands.append(_Strand(thread, conditions, drawn, thread.key, alone=False, redraw=redraw))
    rows = [(each.id, each.conditions[0], dict(each.case.stands), _encodings(suite, each.case)) for each in strands]
    places = shared_row(rows, suite.marks, case.sessions, case.share, seed, _same_day(suite, case.sessions, seed))
    places = deal_shared(places, dict(case.mix), range(len(strands)), seed)
    for place in places:
        for number in place.threads:
            _check_fillers(strands[number].drawn, {place.kind})
    return _Laid(strands, [places], seed)


def _encodings(suite: SuiteSpec, case: Case) -> int:
    """Sessions that a repeated encoding has."""
    return suite.tiers[case.variants[0].tier].encoding


def _same_day(suite: SuiteSpec, sessions: int, seed: int) -> frozenset[int]:
    """Sessions on the day of a mark's session and after it: nothing is said there, as questions may name that day."""
    stamps = timestamps(suite.start, shared_slots(sessions), seed)
    days = {stamps[mark - 1][:10]: mark for mark in suite.marks.values() if 0 < mark <= sessions}
    return frozenset(i for i, stamp in enumerate(stamps) if i >= days.get(stamp[:10], sessions))


def _check_premises(conditions: Sequence[Condition], drawn: Cast) -> None:
    """Whether what a question takes for granted holds by chance: another role was drawn the same value."""
    fact_type = drawn.fact_type
    for condition in conditions:
        for probe in (probe for probe in condition.probes if probe.premise):
            value = drawn.value(probe.premise or "")
            own = {e.value for e in events_in(condition) if e.value and e.target == probe.about}
            for role in sorted(own - {probe.premise, f"{probe.about}.{probe.premise}"}):
                if same(fact_type.kind, drawn.value(role), value):
                    raise DesignError(
                        f"the premise {probe.premise!r} was drawn as {value!r}, and so was {role!r}, which is said: "
                        "the question would have it right",
                        hint="take a role of the target itself for the premise: its roles never hold the same value",
                    )


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
    suite: SuiteSpec,
    catalog: Catalog,
    case: Case,
    conditions: Sequence[Condition],
    entity_number: int,
    seed: int,
    taken: Collection[str] = (),
) -> Cast:
    """The cast that the members and their counterfactual siblings share."""
    declared = catalog.paradigms[case.paradigm].conditions
    siblings = [declared[c.sibling] for c in conditions if c.sibling in declared]
    fact_type = catalog.fact_types[case.fact_type]
    dependents = [
        catalog.fact_types[name] for name in suite.fact_types if case.fact_type in catalog.fact_types[name].depends_on
    ]
    return cast([*conditions, *siblings], fact_type, case.pair, entity_number, dependents, seed, taken)


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

    strands: Sequence[_Strand]
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
    def of(cls, strands: Sequence[_Strand], stamps: tuple[str, ...], others: Sequence[Member] = ()) -> _Draft:
        """A draft of which nothing is said yet."""
        members = {member.name: member for strand in strands for member in strand.members()}
        members |= {member.name: member for member in others}
        return cls(strands, stamps, [], members, Ledger(members, {}))

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
    member: int,
    strands: Sequence[_Strand],
    places: Sequence[Place],
    scenes: Mapping[str, int],
    seed: int,
    draw: int,
) -> LatentSpec:
    stamps = timestamps(suite.start, [place.slot for place in places], seed)
    draft = _Draft.of(strands, stamps)
    others = elsewhere(suite, {strand.case.fact_type for strand in strands}, case.key)
    plans = tuple(_plans(draft, places, scenes, seed, bool(others)))
    probes = tuple(probe for strand in strands for probe in _probes(suite, strand, member, draft, len(plans)))
    variant = case.variants[member]
    shared = tuple(_thread(strand) for strand in strands if not strand.alone)
    labels: dict[str, object] = {"shared": shared}
    if not shared:
        (only,) = strands
        labels = {
            "paradigm": case.paradigm, "condition": variant.condition, "expects": only.conditions[member].expects,
            "domain": case.domain, "fact_type": case.fact_type,
        }  # fmt: skip
    return LatentSpec.model_validate({
        "suite": suite.id, "case": case.key, "variant": variant.name, "draw": draw, "seed": seed,
        "language": suite.language, **labels, "split": variant.split, "tier": variant.tier,
        "setting": "twin" if variant.twin else "", "cast": _members_used(draft, member), "elsewhere": others,
        "sessions": plans, "events": tuple(draft.events), "probes": probes,
    })  # fmt: skip


def _thread(strand: _Strand) -> Thread:
    """What a thread of a shared history is in the design."""
    case, variant = strand.case, strand.case.variants[0]
    return Thread(
        id=strand.id, target=strand.name(TARGET), paradigm=case.paradigm, condition=variant.condition,
        expects=strand.conditions[0].expects, domain=case.domain, fact_type=case.fact_type, split=variant.split,
        twin=case.control, draw=strand.redraw,
    )  # fmt: skip


def _plans(
    draft: _Draft, places: Sequence[Place], scenes: Mapping[str, int], seed: int, has_scenes: bool
) -> Iterator[SessionPlan]:
    """The sessions in order; what they say is added to the draft."""
    completed = {spec.refs["completes"] for place in places for spec in place.events if "completes" in spec.refs}
    completed = {strand.name(name) for strand in draft.strands for name in completed}
    for index, place in enumerate(places):
        begin = len(draft.events)
        kind = _say(draft, place, index)
        events = draft.events[begin:]
        said = tuple(event.id for event in events)
        # A scene of the attribute would name what the parts of a split only touch upon.
        parted = any(event.id in completed or "completes" in event.refs for event in events)
        yield SessionPlan(
            index=index,
            slot=place.slot,
            phase=place.phase,
            kind=kind,
            timestamp=draft.stamps[index],
            events=said,
            frame=apart(seed, place.slot) if parted else frame(kind, seed, place.slot, has_scenes),
            thread=_near(draft, place) if not said else None,
            scene=scenes[place.slot],
        )


def _near(draft: _Draft, place: Place) -> str | None:
    """The thread whose matter a filler without events is near, where several share the history."""
    near = [draft.strands[number] for number in place.threads]
    return near[0].id if near and not near[0].alone else None


def _members_used(draft: _Draft, member: int) -> tuple[Member, ...]:
    """Of every thread the target and every other member that is declared or that something is said of."""
    spoken = {event.target for event in draft.events}
    found: dict[str, Member] = {}
    for strand in draft.strands:
        own = {strand.name(name) for name in (TARGET, *strand.conditions[member].cast)}
        # Planned fillers speak of members that no cast declares.
        used = own | {name for name in spoken if strand.alone or name.startswith(strand.name(""))}
        target = strand.name(TARGET)
        for name in sorted(used, key=lambda name: (name != target, name)):
            found[name] = draft.members[name]
    return tuple(found.values())


def _say(draft: _Draft, place: Place, index: int) -> SessionKind:
    """Add the events of a place, the condition's or a planned filler's; a filler that has nothing to say is a scene."""
    for number, spec in enumerate(place.events):
        strand = draft.strands[place.threads[number] if place.threads else 0]
        draft.said[strand.name(spec.id or "")] = index
        draft.hear(_event(draft, strand, spec, place, index))
    if place.kind not in _PLANNED:
        return place.kind
    event = _PLANNED[place.kind](draft, draft.strands[place.threads[0] if place.threads else 0], index)
    if event is None:
        return "near_miss"
    draft.hear(event)
    return place.kind


def _event(draft: _Draft, strand: _Strand, spec: EventSpec, place: Place, index: int) -> Event:
    drawn = strand.drawn
    change = drawn.changes[spec.change] if spec.change else None
    value = drawn.value(spec.value) if spec.value else None
    says = set(spec.says) | (set() if is_second_part(spec) else {"act"})
    source = spec.source or spec.speaker
    old = _old(draft, strand, spec, value) if "old" in says else None
    if old is None:
        # What nobody spoke of before has no former value to go by.
        says.discard("old")
    effective = None if spec.effective_days is None else days_after(draft.stamps[index], spec.effective_days)
    return Event(
        id=draft.unique(strand.name(spec.id or "e")), thread=strand.id, op=spec.op, target=strand.name(spec.target),
        session=index, value=value,
        old=old, speaker=spec.speaker, source=source,
        origin=spec.origin or people(drawn.fact_type, source, drawn.seed, place.slot), strength=spec.strength,
        says=tuple(facet for facet in FACETS if facet in says),
        refs={kind: strand.name(ref) for kind, ref in spec.refs.items()},
        change_id=change.id if change else None, trigger=change.trigger if change else None,
        reason=change.reason if change else None, scope=spec.scope, effective=effective,
    )  # fmt: skip


def _old(draft: _Draft, strand: _Strand, spec: EventSpec, value: str | None) -> str | None:
    """The former value that is said: the named one; what is recalled; else the one that holds so far."""
    if spec.old:
        return strand.drawn.value(spec.old)
    if spec.op in ("reactivate", "mention", "reinforce") and value is not None and "value" not in spec.says:
        return value
    return draft.holds(strand.name(spec.target))


def _free_confusables(drawn: Cast) -> list[Confusable]:
    """Those that the condition does not speak of itself: what has its own value, no filler may contradict."""
    taken = {member.confusable for member in drawn.members.values()}
    return [confusable for confusable in drawn.fact_type.confusables if confusable.id not in taken]


def _confusable(draft: _Draft, strand: _Strand, index: int) -> Event | None:
    """A like value on another attribute of the same subject."""
    drawn, number = strand.drawn, draft.counts.get(strand.name("confusable"), 0)
    options = _free_confusables(drawn)
    chosen = options[number % len(options)]
    name = strand.name(f"confusable_{number % len(options) + 1}")
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
    return _filler_event(draft, strand, "confusable", name, index, value)


def _decoy(draft: _Draft, strand: _Strand, index: int) -> Event | None:
    """Another entity's value; every third one is a value of the target that is only considered."""
    drawn, number, target = strand.drawn, draft.counts.get(strand.name("decoy"), 0), strand.name(TARGET)
    # Of what was never said nothing is considered either: its absence is what may be asked about.
    known = draft.ledger.track(target).state != "never"
    if not known and not drawn.entities:
        return None
    if known and (number % 3 == 2 or not drawn.entities):
        event = _filler_event(draft, strand, "decoy", target, index, _spare(drawn, 0))
        return event.model_copy(update={"op": "mention", "strength": "weak"})
    which = (number - number // 3) % len(drawn.entities)
    entity, attribute = drawn.entities[which], drawn.fact_type.attribute
    # Whose value came up before, near another thread, has that one.
    other = next((m for m in draft.members.values() if (m.entity, m.attribute) == (entity, attribute)), None)
    if other is None:
        name, values = strand.name(f"other_{which + 1}"), {"value": _spare(drawn, which + 1)}
        other = Member(
            name=name, fact_type=drawn.fact_type.id, entity=entity, attribute=attribute, values=values
        )  # fmt: skip
        draft.members[name] = other
    return _filler_event(draft, strand, "decoy", other.name, index, other.values["value"])


def _stale_reference(draft: _Draft, strand: _Strand, index: int) -> Event | None:
    """The former value, as past."""
    former = draft.former(strand.name(TARGET))
    if former is None:
        return None
    event = _filler_event(draft, strand, "stale_reference", strand.name(TARGET), index, None)
    return event.model_copy(update={"op": "mention", "old": former, "says": ("act", "old")})


_PLANNED: Mapping[SessionKind, Callable[[_Draft, _Strand, int], Event | None]] = {
    "confusable": _confusable,
    "decoy": _decoy,
    "stale_reference": _stale_reference,
}


def _spare(drawn: Cast, number: int) -> str:
    """A value that no role has."""
    return drawn.spare[number % len(drawn.spare)]


def _filler_event(draft: _Draft, strand: _Strand, kind: str, target: str, index: int, value: str | None) -> Event:
    owner = next(each for each in draft.strands if each.alone or target.startswith(each.name("")))
    name = draft.unique(strand.name(kind))
    return Event(id=name, thread=owner.id, op="remember", target=target, session=index, value=value)


# -- probes -----------------------------------------------------------------------------------------------------


def _probes(suite: SuiteSpec, strand: _Strand, member: int, draft: _Draft, count: int) -> Iterator[Probe]:
    """The probes of a thread, each at its moment or at every mark that it may be asked at."""
    case = strand.case
    for number, spec in enumerate(strand.conditions[member].probes):
        unasked = case.probes and spec.type not in case.probes
        if unasked or (spec.when is not None and (spec.when == "split") != case.variants[member].split):
            continue
        name = strand.name(spec.id or f"p{number + 1}")
        if spec.asked_after != EACH_MARK:
            probe = _probe(suite, strand, spec, name, _moment(suite, strand, draft, spec.asked_after, count - 1), draft)
            yield probe
            continue
        for mark, at in _windows(suite, strand.name(spec.about.partition(".")[0]), draft, count):
            probe = _probe(suite, strand, spec, f"{name}.{mark}", at, draft, mark)
            if probe.id not in case.withheld:
                yield probe


def _windows(suite: SuiteSpec, about: str, draft: _Draft, count: int) -> Iterator[tuple[str, int]]:
    """The marks after which a member was spoken of, or all where it never is; each with its last session."""
    first = _first(draft, about)
    for mark, sessions in sorted(suite.marks.items(), key=lambda item: item[1]):
        if sessions <= count and (first is None or sessions > first):
            yield mark, sessions - 1


def _first(draft: _Draft, about: str) -> int | None:
    """The session in which a member is first spoken of."""
    return next((event.session for event in draft.events if event.target == about), None)


def _probe(
    suite: SuiteSpec, strand: _Strand, spec: ProbeSpec, name: str, at: int, draft: _Draft, window: str | None = None
) -> Probe:
    member, _, role = spec.about.partition(".")
    about = strand.name(member)
    as_of = None
    if spec.as_of == MARK_BEFORE:
        marks = [mark - 1 for mark in suite.marks.values() if mark - 1 < at]
        as_of = max((*marks, _first(draft, about) or 0))
    elif spec.as_of:
        as_of = _moment(suite, strand, draft, spec.as_of, len(draft.stamps) - 1)
    return Probe(
        id=name, thread=strand.id, type=spec.type, about=about, asked_after=at,
        rival=strand.drawn.members[member].values[role] if role else None,
        premise=strand.drawn.value(spec.premise) if spec.premise else None, as_of=as_of, window=window,
    )  # fmt: skip


def _moment(suite: SuiteSpec, strand: _Strand, draft: _Draft, name: str | None, last: int) -> int:
    """The session after which a name stands: a mark's, an event's (the last time or part of it), or the end."""
    if name is None:
        return last
    if name in suite.marks:
        return suite.marks[name] - 1
    stands = [draft.said[each] for each in map(strand.name, (name, second_part(name))) if each in draft.said]
    return max(stands, default=last)


# -- the counterfactual -----------------------------------------------------------------------------------------


def counterfactual(suite: SuiteSpec, catalog: Catalog, case: Case, spec: LatentSpec) -> LatentSpec | None:
    """The same history with the sibling condition's perturbation in place of the spec's own; None without sibling.

    A history that several threads share has none: there is no single perturbation to put another one in place of.

    Only events change: they stand in the places of the spec's own perturbation. Mentions of a
    former value, which the sibling may not have, give way to scenes without event.
    """
    if spec.shared:
        return None
    declared = catalog.paradigms[case.paradigm].conditions
    own = declared[spec.thread(THREAD).condition]
    if own.sibling is None or own.sibling not in declared or spec.setting:
        return None
    sibling = declared[own.sibling]
    conditions = [condition_of(catalog, case, v) for v in case.variants]
    drawn = _cast(suite, catalog, case, conditions, case.entity_number + spec.draw, spec.seed)
    strand = _Strand(case, [sibling], drawn, THREAD)
    groups = [
        session.events for phase in sibling.phases if phase.name == "perturbation" for session in _body(phase.body)
    ]
    places = [plan.index for plan in spec.sessions if plan.kind == "event" and plan.phase == "perturbation"]
    if not places or not groups:
        return None
    given = {index: list(events) for index, events in zip(places, groups, strict=False)}
    given[places[min(len(places), len(groups)) - 1]].extend(e for events in groups[len(places) :] for e in events)
    return _swapped(spec, strand, given, places)


def _body(body: tuple[SessionSpec, ...] | Slot | None) -> tuple[SessionSpec, ...]:
    return body if isinstance(body, tuple) else ()


def _swapped(
    spec: LatentSpec, strand: _Strand, given: Mapping[int, Sequence[EventSpec]], places: Sequence[int]
) -> LatentSpec:
    stamps = tuple(plan.timestamp for plan in spec.sessions)
    draft = _Draft.of([strand], stamps, spec.cast)
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
            "expects": strand.conditions[0].expects, "cast": _members_used(draft, 0),
            "sessions": tuple(plans), "events": tuple(draft.events), "split": False,
        }
    )  # fmt: skip
