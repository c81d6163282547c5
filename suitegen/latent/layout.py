"""Where things stand: a condition's phases as a row of places, aligned over a matched group."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import cycle
from typing import NamedTuple

from suitegen.errors import DesignError
from suitegen.latent.seeds import rng, shuffled
from suitegen.model.paradigm import Condition, EventSpec, SessionSpec
from suitegen.model.suite import SuiteSpec, Tier
from suitegen.model.words import PhaseName, SessionKind


class Place(NamedTuple):
    """A session's place before it has a number: its slot, phase, kind and the events it says."""

    slot: str
    phase: PhaseName
    kind: SessionKind
    events: tuple[EventSpec, ...] = ()
    mark: str | None = None
    threads: tuple[int, ...] = ()
    """Of each event the number of its thread, where several share the history; of a planned filler the one it is near.
    """


@dataclass(frozen=True, slots=True)
class Stretch:
    """The places of one phase."""

    key: str
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Lengths:
    """How many sessions the drawn stretches of a history have."""

    encoding: int
    before: int
    after: int


def lengths(tier: Tier, seed: int) -> Lengths:
    """A tier's lengths with the number of sessions after the perturbation drawn."""
    return Lengths(tier.encoding, tier.before, rng(seed, "after").randint(*tier.after))


def split_event(condition: Condition) -> Condition:
    """The condition with its declared update in two parts: what sets it off, and later the value.

    Part 1 states everything but the value, and where the user tells it, the value that ends; part 2 states
    the value and no act.
    """
    split = condition.split
    if split is None:
        raise DesignError("this condition declares no split", hint="add `split: {event: ID, gap: 2}` to it")
    phases = []
    for phase in condition.phases:
        if not isinstance(phase.body, tuple):
            phases.append(phase)
            continue
        sessions: list[SessionSpec] = []
        for session in phase.body:
            sessions.extend(_split_session(session, split.event, split.gap))
        phases.append(phase.model_copy(update={phase.name: tuple(sessions)}))
    return condition.model_copy(update={"phases": tuple(phases)})


def _split_session(session: SessionSpec, event_id: str, gap: int) -> list[SessionSpec]:
    index = next((i for i, event in enumerate(session.events) if event.id == event_id), None)
    if index is None:
        return [session]
    event = session.events[index]
    said = tuple(facet for facet in event.says if facet != "value")
    if event.speaker == "user" and event.source in (None, "user") and "old" not in said:
        # The user can speak of it by the value it has, so that the question's words do not lead there.
        # Who else told it must show from this part alone, which then has to name what it is about.
        said = (*said, "old")
    # That it goes back to an earlier value would give the value away: only part 2 restores.
    refs = {kind: ref for kind, ref in event.refs.items() if kind != "restores"}
    first = event.model_copy(update={"says": said, "op": "update", "refs": refs})
    back = {kind: ref for kind, ref in event.refs.items() if kind == "restores"}
    second = EventSpec(
        id=second_part(event_id), op=event.op, target=event.target, value=event.value, says=("value",),
        refs={"completes": event_id, **back}, change=event.change,
    )  # fmt: skip
    before = session.model_copy(update={"events": (*session.events[:index], first)})
    after = SessionSpec(events=(second, *session.events[index + 1 :]), gap=gap)
    return [before, after]


def second_part(event_id: str) -> str:
    """The id of a split event's second part."""
    return f"{event_id}_2"


def is_second_part(event: EventSpec) -> bool:
    """Whether the event only completes another one, and so states no act."""
    return "completes" in event.refs


def stretches(condition: Condition, drawn: Lengths) -> tuple[Stretch, ...]:
    """A condition's phases as stretches of places; filler places have no kind of their own yet."""
    found, counts = [], dict[str, int]()
    for phase in condition.phases:
        ordinal = counts[phase.name] = counts.get(phase.name, -1) + 1
        key = f"{phase.name}{ordinal or ''}"
        found.append(Stretch(key, tuple(_number(key, _places(phase.name, phase.body, drawn)))))
    return tuple(found)


def _places(name: PhaseName, body: object, drawn: Lengths) -> list[Place]:
    if not isinstance(body, tuple):
        count = drawn.before if body == "before" else drawn.after
        return [Place("", name, "background")] * count
    places: list[Place] = []
    for session in body:
        places.extend([Place("", "filler", "background")] * session.gap)
        count = drawn.encoding if session.repeat == "tier" else int(session.repeat)
        places.extend([Place("", name, "event", session.events, session.at)] * count)
    return places


def _number(key: str, places: Sequence[Place]) -> list[Place]:
    return [place._replace(slot=f"{key}.{number}") for number, place in enumerate(places)]


def align(members: Sequence[tuple[Stretch, ...]], seed: int) -> tuple[tuple[Stretch, ...], ...]:
    """Give the members of a matched group the same places; what one has less is background.

    Where a member repeats an event less often than another, its places are drawn among the other's.
    """
    longest: dict[str, int] = {}
    for member in members:
        for stretch in member:
            longest[stretch.key] = max(longest.get(stretch.key, 0), len(stretch.places))
    return tuple(tuple(_fill(stretch, longest[stretch.key], seed) for stretch in member) for member in members)


def _fill(stretch: Stretch, count: int, seed: int) -> Stretch:
    free = count - len(stretch.places)
    if free == 0:
        return stretch
    repeated = len(stretch.places) > 0 and all(place.events == stretch.places[0].events for place in stretch.places)
    # Repeats may stand anywhere among the others' repeats; a sequence keeps its front.
    order = shuffled(range(count), seed, "support", stretch.key) if repeated else tuple(range(count))
    taken = sorted(order[: len(stretch.places)])
    places = [Place("", "filler", "background")] * count
    for place, index in zip(stretch.places, taken, strict=True):
        places[index] = place
    return Stretch(stretch.key, tuple(_number(stretch.key, places)))


def flatten(row: Sequence[Stretch], marks: Mapping[str, int], asked: Sequence[str]) -> tuple[Place, ...]:
    """All places in order, with background up to each mark that a session or a probe stands at.

    Raises:
        DesignError: a session is to stand before a mark that has passed.
    """
    places: list[Place] = []
    for stretch in row:
        for place in stretch.places:
            if place.mark is not None:
                _pad(places, _mark(marks, place.mark) - 1, place.mark)
            places.append(place)
    last = max((_mark(marks, name) for name in asked if name in marks), default=0)
    if last > len(places):
        _pad(places, last, "the last mark")
    return tuple(places)


def _mark(marks: Mapping[str, int], name: str) -> int:
    if name not in marks:
        raise DesignError(f"the suite declares no mark {name!r}", hint=f"add `marks: {{{name}: N}}` to the suite")
    return marks[name]


def _pad(places: list[Place], count: int, name: str) -> None:
    if count < len(places):
        raise DesignError(f"{name} stands at session {count + 1}, but {len(places)} sessions come before it")
    start = len(places)
    places.extend(Place(f"pad.{start + i}", "filler", "background") for i in range(count - start))


# -- a history that threads share -------------------------------------------------------------------------------


class Row(NamedTuple):
    """One thread as it asks for places: its id, condition, marks by phase, and sessions of a repeated encoding."""

    id: str
    condition: Condition
    stands: Mapping[PhaseName, str]
    encodings: int


class _Wish(NamedTuple):
    """A session that a thread needs: its phase, its events, and the first and last index at which it may stand."""

    phase: PhaseName
    events: tuple[EventSpec, ...]
    first: int
    last: int
    gap: int
    mark: str


def shared_slots(sessions: int) -> tuple[str, ...]:
    """The slots of a history that threads share."""
    return tuple(f"history.{number}" for number in range(sessions))


def shared_row(
    rows: Sequence[tuple[str, Condition, Mapping[PhaseName, str], int]],
    marks: Mapping[str, int],
    sessions: int,
    share: int,
    seed: int,
    closed: Collection[int] = (),
) -> tuple[Place, ...]:
    """The places of a history that threads share; where no thread stands is background.

    Args:
        rows: the threads, as ``Row``.
        marks: the suite's, by name the number of sessions before it.
        sessions: how many the history has.
        share: most threads in one session.
        seed: the draw's; where a thread stands does not depend on what it says.
        closed: sessions in which nothing may be said.

    Raises:
        DesignError: a mark is unknown or comes too late, or there are fewer places than the threads need.
    """
    threads = [Row(*row) for row in rows]
    wishes = [_wishes(row, marks, sessions) for row in threads]
    taken: dict[int, list[tuple[int, _Wish]]] = {}
    # Those with the least room choose first.
    room = [min((wish.last - wish.first for wish in own), default=sessions) for own in wishes]
    for number in sorted(range(len(threads)), key=lambda at: (room[at], at)):
        before = -1
        for nth, wish in enumerate(wishes[number]):
            first = max(wish.first, before + 1 + (wish.gap if before >= 0 else 0))
            # Later sessions of the thread before the same mark need room as well.
            behind = sum(1 + later.gap for later in wishes[number][nth + 1 :] if later.last == wish.last)
            free = [
                i for i in range(first, wish.last + 1 - behind) if i not in closed and len(taken.get(i, ())) < share
            ]
            if not free:
                raise _no_room(threads[number], wish, sum(w.mark == wish.mark for own in wishes for w in own), share)
            least = min(len(taken.get(i, ())) for i in free)
            emptiest = [i for i in free if len(taken.get(i, ())) == least]
            before = rng(seed, "place", threads[number].id, nth).choice(emptiest)
            taken.setdefault(before, []).append((number, wish))
    return tuple(_shared_place(slot, taken.get(index, ())) for index, slot in enumerate(shared_slots(sessions)))


def deal_shared(
    places: Sequence[Place], mix: Mapping[SessionKind, int], threads: Sequence[int], seed: int
) -> tuple[Place, ...]:
    """Give the background places of a shared history their kinds, and each that is more than background a thread.

    Args:
        places: all places, in order.
        mix: kinds in parts.
        threads: numbers of the threads, so often as each may have fillers; dealt in a drawn order.
        seed: the draw's.
    """
    free = [index for index, place in enumerate(places) if place.kind == "background"]
    kinds = _apportion(mix, len(free), seed, "between")
    turns = cycle(shuffled(threads, seed, "fillers"))
    dealt = list(places)
    for index, kind in zip(free, kinds, strict=True):
        if kind != "background":
            dealt[index] = dealt[index]._replace(kind=kind, threads=(next(turns),))
    return tuple(dealt)


def _shared_place(slot: str, wishes: Sequence[tuple[int, _Wish]]) -> Place:
    if not wishes:
        return Place(slot, "filler", "background")
    told = [(number, event) for number, wish in sorted(wishes, key=lambda pair: pair[0]) for event in wish.events]
    return Place(
        slot, wishes[0][1].phase, "event", tuple(event for _, event in told), None, tuple(number for number, _ in told)
    )


def _wishes(row: Row, marks: Mapping[str, int], sessions: int) -> list[_Wish]:
    found = []
    for phase in row.condition.phases:
        for session in phase.body if isinstance(phase.body, tuple) else ():
            first, last = 0, sessions - 1
            mark = session.at or row.stands.get(phase.name, "")
            if mark:
                last = _mark(marks, mark) - 1
                earlier = [at for at in marks.values() if at <= last]
                first = last if session.at else max(earlier, default=0)
            if last >= sessions:
                raise DesignError(
                    f"the mark {mark!r} stands after {last + 1} sessions, and the history has {sessions}",
                    hint="make the history longer, or the mark earlier",
                )
            count = row.encodings if session.repeat == "tier" else int(session.repeat)
            found += [_Wish(phase.name, session.events, first, last, session.gap, mark)] * count
    return found


def _no_room(row: Row, wish: _Wish, wanted: int, share: int) -> DesignError:
    size = wish.last - wish.first + 1
    before = f" before {wish.mark!r}" if wish.mark else ""
    return DesignError(
        f"{wanted} sessions with something to say are to stand in the {size} sessions{before}, {share} in one at most",
        where=row.id, hint="make that stretch longer, let more threads share a session, or ask for fewer",
    )  # fmt: skip


# -- fillers ----------------------------------------------------------------------------------------------------


def deal_kinds(
    places: Sequence[Place], suite: SuiteSpec, has_former: bool, mention_after: bool, seed: int
) -> tuple[Place, ...]:
    """Give the filler places their kinds: the suite's mixes, by largest remainder, in a drawn order.

    Args:
        places: all places of a history, in order.
        suite: whose ``mix`` (before the perturbation) and ``mix_after`` hold.
        has_former: whether a former value exists that could be mentioned after the perturbation.
        mention_after: whether some value is to be mentioned after the perturbation at all.
        seed: the draw's.
    """
    dealt = list(places)
    encoded = [i for i, place in enumerate(places) if place.kind == "event" and place.phase == "encoding"]
    moved = [i for i, place in enumerate(places) if place.kind == "event" and place.phase != "encoding"]
    # Between events nothing is dealt; where nothing moves, everything comes before.
    begin, end = (encoded[-1] + 1 if encoded else 0), (moved[0] if moved else len(places))
    before = [i for i in range(begin, end) if places[i].kind == "background"]
    after = [i for i in range(moved[-1] + 1 if moved else len(places), len(places)) if places[i].kind == "background"]
    for index, kind in zip(before, _apportion(suite.mix, len(before), seed, "before"), strict=True):
        dealt[index] = dealt[index]._replace(kind=kind)
    kinds = _after_kinds(suite, len(after), has_former, mention_after, seed)
    for index, kind in zip(after, kinds, strict=True):
        dealt[index] = dealt[index]._replace(kind=kind)
    return tuple(dealt)


def _after_kinds(
    suite: SuiteSpec, count: int, has_former: bool, mention_after: bool, seed: int
) -> tuple[SessionKind, ...]:
    mix = dict(suite.mix_after)
    mentions: tuple[SessionKind, ...] = ("stale_reference", "decoy")
    if not has_former and "stale_reference" in mix:
        mix["decoy"] = mix.get("decoy", 0) + mix.pop("stale_reference")
    if not mention_after:
        mix = {kind: share for kind, share in mix.items() if kind not in mentions}
    kinds = list(_apportion(mix, count, seed, "after"))
    wanted = [kind for kind in mentions if mix.get(kind)]
    if mention_after and kinds and wanted and not any(kind in mentions for kind in kinds):
        kinds[rng(seed, "mention").randrange(len(kinds))] = rng(seed, "which").choice(wanted)
    return tuple(kinds)


def _apportion(mix: Mapping[SessionKind, int], count: int, seed: int, name: str) -> tuple[SessionKind, ...]:
    """So many kinds in the mix's shares (largest remainder), in a drawn order; all background for an empty mix."""
    total = sum(mix.values())
    if total == 0:
        kinds: list[SessionKind] = ["background"] * count
        return tuple(kinds)
    exact = {kind: Fraction(share * count, total) for kind, share in mix.items()}
    counts = {kind: int(value) for kind, value in exact.items()}
    # Ties are broken by the seed, so that small counts do not always favour the same kind.
    order = shuffled(sorted(mix), seed, name, "ties")
    rest = sorted(order, key=lambda kind: counts[kind] - exact[kind])
    for kind in rest[: count - sum(counts.values())]:
        counts[kind] += 1
    return shuffled([kind for kind in sorted(counts) for _ in range(counts[kind])], seed, name)
