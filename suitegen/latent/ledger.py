"""The ledger: the state of every target after replaying a prefix of the timeline.

Only what the text *states* is replayed: an event without the facet ``value`` gives no
value, one without ``act`` does not say that it is a change. So the ledger of a timeline
from which facets were taken is the ledger of the text from which they were cut.
Everything the ledger keeps comes with the atoms (stated facets) it rests on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from suitegen.model.gold import Atom
from suitegen.model.latent import Event, Member
from suitegen.model.words import Facet, Status

State = Literal["never", "active", "pending", "invalidated", "disputed", "forgotten"]

_SAY_CHANGE: tuple[Facet, ...] = ("act", "trigger")
_SAY_RESOLVED: tuple[Facet, ...] = ("act", "rejection")

STANDING: Mapping[str, int] = {"user": 3, "tool": 3, "document": 2, "third_party": 1, "assistant": 0}
"""Whose word counts more. A strong challenge needs at least the standing of the current value's source."""


@dataclass(slots=True)
class Step:
    """A change of a target, said or implied by two values."""

    source: str
    source_atom: Atom | None
    """The atom that names the source, where it is not the speaker."""
    said: list[Atom] = field(default_factory=list)
    """Atoms (act, trigger) that say by themselves that something changed."""
    value: list[Atom] = field(default_factory=list)
    """Atoms that state the new value."""
    value_source: str | None = None
    """Who told the new value, where another event opened the change."""
    before: int | None = None
    after: int | None = None
    """Indexes of the intervals it leads from and to."""
    trigger: tuple[str, str, Atom] | None = None
    """Change id, text and atom."""
    reason: tuple[str, str, Atom] | None = None

    @property
    def shown(self) -> bool:
        """Whether the text shows the change: it is said, or both values are."""
        return bool(self.said) or (self.before is not None and bool(self.value))


@dataclass(slots=True)
class Interval:
    """A stretch of time in which a target held a value."""

    value: str
    source: str
    effective: str | None = None
    holding: list[Atom] = field(default_factory=list)
    """Atoms that state the value as the one that holds."""
    past: list[Atom] = field(default_factory=list)
    """Atoms that state it as one that held before."""
    ended: list[Atom] = field(default_factory=list)
    """Atoms of mentions that say it has ended."""
    restored: int | None = None
    """Index of the interval it brings back, where an act without the value suffices."""
    doubted: list[tuple[str, Step]] = field(default_factory=list)
    """Changes of the member it depends on that left it unsure: the member and its step."""

    def known(self) -> list[Atom]:
        """All atoms that state the value."""
        return [*self.holding, *self.past]


@dataclass(slots=True)
class Rival:
    """A value that was said of a target and not accepted."""

    value: str
    event: str
    source: str
    source_atom: Atom | None
    said: Atom
    status: Status
    resolvers: list[Atom] = field(default_factory=list)
    """Atoms of the event that resolved it."""
    disputes: bool = False
    """Whether it was strong enough to make the target disputed."""
    shielded: bool = False
    """Whether it would be, were its source not named."""


@dataclass(slots=True)
class Track:
    """One target's state with all that led to it."""

    state: State = "never"
    intervals: list[Interval] = field(default_factory=list)
    opened: list[Step] = field(default_factory=list)
    """Changes, whether shown or not."""
    rivals: list[Rival] = field(default_factory=list)
    retracted: list[tuple[Interval, list[Atom]]] = field(default_factory=list)
    """Corrected values with the atoms that retracted them."""
    unsettled: list[Atom] = field(default_factory=list)
    """Atoms that made it pending or forgotten."""

    @property
    def steps(self) -> list[Step]:
        """The changes that the text shows."""
        return [step for step in self.opened if step.shown]

    @property
    def disputes(self) -> list[Rival]:
        """Rivals that still dispute the current value."""
        return [rival for rival in self.rivals if rival.disputes and not rival.resolvers]


@dataclass(slots=True)
class Ledger:
    """Tracks by cast member."""

    members: Mapping[str, Member]
    tracks: dict[str, Track]

    def track(self, name: str) -> Track:
        """A member's track; a never-said one when nothing was said of it."""
        return self.tracks.get(name) or Track()


def replay(events: Iterable[Event], cast: Sequence[Member]) -> Ledger:
    """Replay the events in order.

    Args:
        events: a prefix of a timeline, in the order in which it is said.
        cast: the members that the events speak of.
    """
    ledger = Ledger({member.name: member for member in cast}, {})
    seen: dict[str, Event] = {}
    for event in events:
        if not event.says:
            continue
        track = ledger.tracks.setdefault(event.target, Track())
        _apply_old(track, event)
        _apply_resolution(ledger, seen, event)
        _OPS[event.op](ledger, track, seen, event)
        seen[event.id] = event
    return ledger


def _atom(event: Event, facet: Facet) -> Atom:
    return Atom(event=event.id, facet=facet)


def _source_atom(event: Event) -> Atom | None:
    return _atom(event, "source") if event.source != event.speaker and event.states("source") else None


def _told(event: Event) -> str:
    """The source as the text shows it: the speaker, unless another one is named."""
    return event.source if event.source == event.speaker or event.states("source") else event.speaker


def _find(track: Track, value: str) -> int | None:
    """Index of the latest interval with the value."""
    for index in range(len(track.intervals) - 1, -1, -1):
        if track.intervals[index].value == value:
            return index
    return None


def _apply_old(track: Track, event: Event) -> None:
    """A former value that is said was held before, whatever the event does."""
    if not event.states("old") or event.old is None:
        return
    index = _find(track, event.old)
    if index is None:
        # An update's old value stood right before it; any other one is only known to be earlier.
        index = len(track.intervals) if event.op in ("update", "restore") else 0
        track.intervals.insert(index, Interval(event.old, _told(event)))
        _shift(track, index)
    interval = track.intervals[index]
    if event.op in ("reactivate", "reinforce"):
        interval.holding.append(_atom(event, "old"))
        if track.state == "never":
            track.state = "active"
        return
    interval.past.append(_atom(event, "old"))
    if event.op == "mention" and event.states("act"):
        interval.ended.append(_atom(event, "act"))


def _shift(track: Track, index: int) -> None:
    """Keep the steps' interval indexes right after an insertion."""
    for step in track.opened:
        if step.before is not None and step.before >= index:
            step.before += 1
        if step.after is not None and step.after >= index:
            step.after += 1
            step.before = step.after - 1 if step.before is None else step.before
    for interval in track.intervals:
        if interval.restored is not None and interval.restored >= index:
            interval.restored += 1


def _apply_resolution(ledger: Ledger, seen: Mapping[str, Event], event: Event) -> None:
    """An event that resolves an earlier one settles the rival that it brought up."""
    earlier = seen.get(event.refs.get("resolves", ""))
    atoms = [_atom(event, facet) for facet in _SAY_RESOLVED if event.states(facet)]
    if earlier is None or not atoms:
        return
    track = ledger.track(earlier.target)
    for rival in track.rivals:
        if rival.event == earlier.id:
            rival.resolvers.extend(atoms)
            rival.status = "stale" if rival.source in ("tool", "stale_tool") else "not_accepted"
            if rival.source == "tool":
                rival.source = "stale_tool"
    if track.state == "disputed" and not track.disputes:
        track.state = "active"


def _assert(ledger: Ledger, track: Track, seen: Mapping[str, Event], event: Event) -> None:
    """remember, reinforce: the value as it stands."""
    if not event.states("value") or event.value is None:
        return
    atom = _atom(event, "value")
    current = track.intervals[-1] if track.intervals else None
    if current is not None and current.value == event.value and track.state != "forgotten":
        current.holding.append(atom)
        if track.state == "never":
            track.state = "active"
    elif current is None or track.state == "forgotten":
        track.intervals.append(Interval(event.value, _told(event), event.effective, [atom]))
        track.state = "active"


def _change(ledger: Ledger, track: Track, seen: Mapping[str, Event], event: Event) -> None:
    """update, restore: was true until now; the old value becomes the previous one."""
    said = [_atom(event, facet) for facet in _SAY_CHANGE if event.states(facet)]
    value = event.value if event.states("value") else None
    goes_back = event.op == "restore" and "restores" in event.refs and event.states("act")
    restored = _find(track, event.value) if goes_back and event.value else None
    if value is None and not said:
        return
    step = _open_step(track, seen, event, said)
    step.said.extend(said)
    _keep_why(step, event)
    if value is not None:
        atom = _atom(event, "value")
        step.value.append(atom)
        step.value_source = _told(event)
        _enter(track, step, Interval(value, step.source, event.effective, [atom], restored=restored))
    elif restored is not None:
        _enter(track, step, Interval(track.intervals[restored].value, step.source, event.effective, restored=restored))
    else:
        track.state, track.unsettled = "pending", list(step.said)
    if step.shown:
        _doubt_dependents(ledger, event.target, step)


def _open_step(track: Track, seen: Mapping[str, Event], event: Event, said: Sequence[Atom]) -> Step:
    """The change whose new value is still to be said, when this event completes it; else a new one."""
    completes = event.refs.get("completes", "") in seen or (track.state == "pending" and not said)
    if completes and track.opened and track.opened[-1].after is None:
        return track.opened[-1]
    before = len(track.intervals) - 1 if track.intervals else None
    step = Step(_told(event), _source_atom(event), before=before)
    track.opened.append(step)
    return step


def _keep_why(step: Step, event: Event) -> None:
    if event.states("trigger") and event.trigger and event.change_id:
        step.trigger = (event.change_id, event.trigger, _atom(event, "trigger"))
    if event.states("reason") and event.reason and event.change_id:
        step.reason = (event.change_id, event.reason, _atom(event, "reason"))


def _enter(track: Track, step: Step, interval: Interval) -> None:
    """Close the current interval and open the next; a value that already holds is only confirmed."""
    if track.intervals and track.intervals[-1].value == interval.value:
        track.intervals[-1].holding.extend(interval.holding)
        if not step.said:
            track.opened.remove(step)
    else:
        track.intervals.append(interval)
    step.after = len(track.intervals) - 1
    track.state, track.unsettled = "active", []


def _doubt_dependents(ledger: Ledger, cause: str, step: Step) -> None:
    """A changed cause leaves the value that depends on it unsure."""
    for name, member in ledger.members.items():
        track = ledger.track(name)
        if member.depends_on == cause and track.state in ("active", "invalidated"):
            track.state = "invalidated"
            track.intervals[-1].doubted.append((cause, step))


def _correct(ledger: Ledger, track: Track, seen: Mapping[str, Event], event: Event) -> None:
    """correct: the value never was true; after it nothing has changed."""
    if not event.states("act"):
        _change(ledger, track, seen, event)
        return
    act = [_atom(event, "act")]
    wrong = track.intervals.pop() if track.intervals else None
    if wrong is not None:
        track.retracted.append((wrong, act))
    if event.states("value") and event.value is not None:
        track.intervals.append(Interval(event.value, _told(event), event.effective, [_atom(event, "value")]))
        track.state = "active"
    else:
        track.state = "never" if not track.intervals else "pending"
        track.unsettled = act


def _forget(ledger: Ledger, track: Track, seen: Mapping[str, Event], event: Event) -> None:
    """forget: the scope is to be forgotten until it is remembered anew."""
    if not event.states("act"):
        return
    entity = ledger.members[event.target].entity
    names = [event.target]
    if event.scope == "entity":
        names = [name for name, member in ledger.members.items() if member.entity == entity]
    for name in names:
        track = ledger.tracks.setdefault(name, Track())
        track.state, track.unsettled = "forgotten", [_atom(event, "act")]


def _challenge(ledger: Ledger, track: Track, seen: Mapping[str, Event], event: Event) -> None:
    """challenge, mention: never accepted; a strong challenge of enough standing disputes."""
    if not event.states("value") or event.value is None:
        return
    if track.state == "active" and track.intervals[-1].value == event.value:
        return
    source = _told(event)
    current = track.intervals[-1] if track.intervals else None
    strong = event.op == "challenge" and event.strength == "strong" and track.state in ("active", "disputed")
    needed = STANDING[current.source] if strong and current is not None else max(STANDING.values()) + 1
    disputes = STANDING[source] >= needed
    status = _status_of(event, source, disputes)
    rival = Rival(event.value, event.id, source, _source_atom(event), _atom(event, "value"), status, disputes=disputes)
    rival.shielded = rival.source_atom is not None and not disputes and STANDING[event.speaker] >= needed
    track.rivals.append(rival)
    if disputes:
        track.state = "disputed"


def _status_of(event: Event, source: str, disputes: bool) -> Status:
    if disputes:
        return "disputed"
    if event.strength == "strong" and event.op == "challenge":
        return "not_accepted"
    return "hypothetical" if source == "user" else "unreliable"


def _nothing(ledger: Ledger, track: Track, seen: Mapping[str, Event], event: Event) -> None:
    """reactivate, clue, reflect: recall and hints never move the state (what is recalled was kept above)."""


_Handler = Callable[[Ledger, Track, Mapping[str, Event], Event], None]

_OPS: Mapping[str, _Handler] = {
    "remember": _assert,
    "reinforce": _assert,
    "update": _change,
    "restore": _change,
    "correct": _correct,
    "forget": _forget,
    "challenge": _challenge,
    "mention": _challenge,
    "reactivate": _nothing,
    "clue": _nothing,
    "reflect": _nothing,
}
