"""The ledger: the state of every target after replaying a prefix of the timeline.

Only what the text *states* is replayed: an event without the facet ``value`` gives no
value, one without ``act`` does not say that it is a change. So the ledger of a timeline
from which facets were taken is the ledger of the text from which they were cut.
States are values: equal ones answer every question alike, whatever led to them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from suitegen.model.latent import Event, Member
from suitegen.model.words import Facet, Status

State = Literal["never", "active", "pending", "invalidated", "disputed", "forgotten"]
Says = Collection[Facet]
"""The facets that the text states of an event."""

STANDING: Mapping[str, int] = {"user": 3, "tool": 3, "document": 2, "third_party": 1, "assistant": 0}
"""Whose word counts more. A strong challenge needs at least the standing of the current value's source."""


class Why(NamedTuple):
    """The trigger or the reason of a change: the change's id and the text."""

    change: str
    text: str


class Step(NamedTuple):
    """A change of a target, said or implied by two values."""

    event: str
    """The event that opened it."""
    source: str
    said: bool = False
    """Whether an act or a trigger says by itself that something changed."""
    valued: bool = False
    """Whether the new value is stated."""
    follows: bool = False
    """Whether a value is known that held before it."""
    open: bool = True
    """Whether the new value is still to be said."""
    trigger: Why | None = None
    reason: Why | None = None

    @property
    def shown(self) -> bool:
        """Whether the text shows the change: it is said, or both values are."""
        return self.said or (self.follows and self.valued)


class Interval(NamedTuple):
    """A stretch of time in which a target held a value."""

    value: str | None
    """None where the text shows that there was another value, and does not say which."""
    source: str
    ended: bool = False
    """Whether a mention says that it has ended."""
    changed: bool = False
    """Whether a change led to it."""


class Rival(NamedTuple):
    """A value that was said of a target and not accepted."""

    value: str
    event: str
    source: str
    status: Status
    disputes: bool = False
    """Whether it makes the target disputed, until something settles it."""


class Track(NamedTuple):
    """One target's state."""

    state: State = "never"
    intervals: tuple[Interval, ...] = ()
    opened: tuple[Step, ...] = ()
    """Changes, whether shown or not."""
    rivals: tuple[Rival, ...] = ()
    retracted: tuple[Interval, ...] = ()
    """Corrected values."""
    gone: tuple[Interval, ...] = ()
    """Forgotten values."""

    @property
    def steps(self) -> tuple[Step, ...]:
        """The changes that the text shows."""
        return tuple(step for step in self.opened if step.shown)

    @property
    def disputes(self) -> tuple[Rival, ...]:
        """Rivals that dispute the current value."""
        return tuple(rival for rival in self.rivals if rival.disputes)

    def holds(self, value: str) -> bool:
        """Whether the value is that of the last interval."""
        return bool(self.intervals) and self.intervals[-1].value == value


NOTHING = Track()


class Ledger(NamedTuple):
    """Tracks by cast member."""

    members: Mapping[str, Member]
    tracks: Mapping[str, Track]

    def track(self, name: str) -> Track:
        """A member's track; a never-said one when nothing was said of it."""
        return self.tracks.get(name, NOTHING)


def blank(cast: Sequence[Member]) -> Ledger:
    """The ledger before anything is said."""
    return Ledger({member.name: member for member in cast}, {})


def replay(events: Iterable[Event], cast: Sequence[Member]) -> Ledger:
    """Replay the events in order.

    Args:
        events: a prefix of a timeline, in the order in which it is said.
        cast: the members that the events speak of.
    """
    ledger = blank(cast)
    for event in events:
        ledger = tell(ledger, event, event.says)
    return ledger


def tell(ledger: Ledger, event: Event, says: Says) -> Ledger:
    """The ledger after an event of which the text states these facets."""
    if not says:
        return ledger
    if "resolves" in event.refs and ("act" in says or "rejection" in says):
        ledger = _settled(ledger, event.refs["resolves"])
    before = ledger.track(event.target)
    recalled = _recalled(before, event, says)
    after = _OPS[event.op](recalled, event, says)
    if after is before:
        return ledger
    ledger = Ledger(ledger.members, {**ledger.tracks, event.target: after})
    if event.op == "forget" and event.scope == "entity" and "act" in says:
        return _all_forgotten(ledger, event.target)
    if after.opened is not recalled.opened and len(after.steps) > len(recalled.steps):
        return _doubted(ledger, event.target)
    return ledger


def _told(event: Event, says: Says) -> str:
    """The source as the text shows it: the speaker, unless another one is named."""
    return event.source if event.source == event.speaker or "source" in says else event.speaker


def act_counts(event: Event) -> bool:
    """Whether it can matter that the text states the event's act."""
    ends = event.op == "mention" and "old" in event.says
    return event.op in ("update", "restore", "correct", "forget") or ends or "resolves" in event.refs


# -- what is said of other events and other members ---------------------------------------------------------------


def _settled(ledger: Ledger, resolved: str) -> Ledger:
    """The rival is settled that the resolved event brought up."""
    tracks = {}
    for name, track in ledger.tracks.items():
        if any(rival.event == resolved for rival in track.rivals):
            rivals = tuple(_rejected(rival) if rival.event == resolved else rival for rival in track.rivals)
            settled = track._replace(rivals=rivals)
            ends = track.state == "disputed" and not settled.disputes
            tracks[name] = settled._replace(state="active") if ends else settled
    return Ledger(ledger.members, {**ledger.tracks, **tracks})


def _rejected(rival: Rival) -> Rival:
    if rival.source in ("tool", "stale_tool"):
        return rival._replace(source="stale_tool", status="stale", disputes=False)
    return _overruled(rival)


def _overruled(rival: Rival) -> Rival:
    """The rival once it disputes nothing any more."""
    return rival._replace(status="not_accepted", disputes=False) if rival.status == "disputed" else rival


def _undisputed(track: Track) -> Track:
    """The track once something was accepted, after which older disputes are beside the point."""
    if not track.disputes:
        return track
    return track._replace(rivals=tuple(_overruled(rival) for rival in track.rivals))


def _doubted(ledger: Ledger, cause: str) -> Ledger:
    """A changed cause leaves the values that depend on it unsure."""
    names = [name for name, member in ledger.members.items() if member.depends_on == cause]
    sure = {name: track for name in names if (track := ledger.track(name)).state == "active"}
    if not sure:
        return ledger
    return Ledger(
        ledger.members, {**ledger.tracks, **{name: track._replace(state="invalidated") for name, track in sure.items()}}
    )


def _all_forgotten(ledger: Ledger, about: str) -> Ledger:
    """All attributes of a member's entity are forgotten; the member itself is already."""
    entity = ledger.members[about].entity
    names = [name for name, member in ledger.members.items() if member.entity == entity and name != about]
    return Ledger(ledger.members, {**ledger.tracks, **{name: _forgotten(ledger.track(name)) for name in names}})


def _recalled(track: Track, event: Event, says: Says) -> Track:
    """A former value that is said was held before, whatever the event does."""
    if "old" not in says or event.old is None:
        return track
    at = _last(track, event.old)
    if at is None:
        track, at = _placed(track, Interval(event.old, _told(event, says)), event, says)
    if event.op in ("reactivate", "reinforce"):
        return track._replace(state="active") if track.state == "never" else track
    if event.op == "mention" and "act" in says:
        ended = track.intervals[at]._replace(ended=True)
        return track._replace(intervals=(*track.intervals[:at], ended, *track.intervals[at + 1 :]))
    return track


def _placed(track: Track, interval: Interval, event: Event, says: Says) -> tuple[Track, int]:
    """The track with a former value that was not said so far, and where it stands."""
    if event.op in ("update", "restore", "correct"):
        # The old value of a change stood right before it; so it is that of a change without value before it.
        if track.opened and track.opened[-1].open and not _completes(track, event, says):
            track = track._replace(opened=(*track.opened[:-1], _closed(track.opened[-1])))
        return track._replace(intervals=(*track.intervals, interval)), len(track.intervals)
    at = _last(track, None)
    if at is not None:
        filled = interval._replace(changed=True)
        return track._replace(intervals=(*track.intervals[:at], filled, *track.intervals[at + 1 :])), at
    # Any other one is only known to be earlier.
    opened = tuple(step._replace(follows=True) for step in track.opened)
    return track._replace(intervals=(interval, *track.intervals), opened=opened), 0


def _last(track: Track, value: str | None) -> int | None:
    """Index of the latest interval with the value."""
    return next((at for at in range(len(track.intervals) - 1, -1, -1) if track.intervals[at].value == value), None)


# -- ops --------------------------------------------------------------------------------------------------------


def _assert(track: Track, event: Event, says: Says) -> Track:
    """remember, reinforce: the value as it stands."""
    if "value" not in says or event.value is None:
        return track
    if track.state not in ("never", "forgotten"):
        valid = track.state != "invalidated" or not track.holds(event.value)
        return track if valid else track._replace(state="active")
    interval = () if track.holds(event.value) else (Interval(event.value, _told(event, says)),)
    gone = tuple(each for each in track.gone if each.value != event.value)
    return track._replace(state="active", intervals=(*track.intervals, *interval), gone=gone)


def _change(track: Track, event: Event, says: Says) -> Track:
    """update, restore: was true until now; the old value becomes the previous one."""
    said = "act" in says or "trigger" in says
    valued = "value" in says and event.value is not None
    if not valued and not said:
        return track
    value = event.value if valued or _goes_back(track, event, says) else None
    track = _undisputed(track)
    if _completes(track, event, says):
        opened, step = track.opened[:-1], track.opened[-1]
    else:
        track = _overtaken(track)
        opened, step = track.opened, Step(event.id, _told(event, says), follows=bool(track.intervals))
    step = Step(
        event=step.event if value is None else "",
        source=step.source,
        said=step.said or said,
        valued=step.valued or valued,
        follows=step.follows,
        open=value is None,
        trigger=_why(event, event.trigger) if "trigger" in says else step.trigger,
        reason=_why(event, event.reason) if "reason" in says else step.reason,
    )
    if value is None:
        return track._replace(state="pending", opened=(*opened, step))
    intervals = (*track.intervals, Interval(value, step.source, changed=True))
    if track.holds(value):
        if not step.said:
            # A value that already holds is only confirmed.
            return track._replace(state="active", opened=opened)
        # Who comes back to a value was away from it.
        intervals = (*track.intervals, Interval(None, step.source, changed=True), intervals[-1])
    return track._replace(state="active", opened=(*opened, step), intervals=intervals)


def _overtaken(track: Track) -> Track:
    """The track once another change comes: a value that was still to be said is none that will be said."""
    if not track.opened or not track.opened[-1].open:
        return track
    step = track.opened[-1]
    intervals = (*track.intervals, Interval(None, step.source, changed=True))
    return track._replace(opened=(*track.opened[:-1], _closed(step)), intervals=intervals)


def _closed(step: Step) -> Step:
    """The step once nothing can complete it: which event opened it is beside the point from then on."""
    return step._replace(open=False, event="")


def _goes_back(track: Track, event: Event, says: Says) -> bool:
    """Whether the text says, without the value, that a known one is back."""
    back = event.op == "restore" and "restores" in event.refs and "act" in says
    return back and any(interval.value == event.value for interval in track.intervals)


def _completes(track: Track, event: Event, says: Says) -> bool:
    """Whether the event says the value that the last change still lacks."""
    if not track.opened or not track.opened[-1].open:
        return False
    said = "act" in says or "trigger" in says
    return event.refs.get("completes") == track.opened[-1].event or (track.state == "pending" and not said)


def _why(event: Event, text: str | None) -> Why | None:
    return Why(event.change_id, text) if event.change_id is not None and text is not None else None


def _correct(track: Track, event: Event, says: Says) -> Track:
    """correct: the value never was true; after it nothing has changed."""
    if "act" not in says:
        return _change(track, event, says)
    track = _undisputed(track)
    value = event.value if "value" in says else None
    if track.state == "pending" and track.opened and track.opened[-1].open:
        return _corrected_unseen(track, value, _told(event, says))
    wrong = track.intervals[-1:]
    track = track._replace(intervals=track.intervals[:-1], retracted=(*track.retracted, *wrong))
    if value is None:
        return track._replace(state="pending" if track.intervals else "never")
    changed = any(interval.changed for interval in wrong)
    if track.holds(value):
        # The change away from the right value never was.
        return track._replace(state="active", opened=track.opened[:-1] if changed else track.opened)
    interval = Interval(value, _told(event, says), changed=changed)
    return track._replace(state="active", intervals=(*track.intervals, interval))


def _corrected_unseen(track: Track, value: str | None, source: str) -> Track:
    """What was wrong is the new value of the last change, which was not said."""
    if value is None:
        return track
    if track.holds(value):
        return track._replace(state="active", opened=track.opened[:-1])
    step = _closed(track.opened[-1])
    intervals = (*track.intervals, Interval(value, source, changed=True))
    return track._replace(state="active", opened=(*track.opened[:-1], step), intervals=intervals)


def _forget(track: Track, event: Event, says: Says) -> Track:
    """forget: the scope is to be forgotten until it is remembered anew."""
    return _forgotten(track) if "act" in says else track


def _forgotten(track: Track) -> Track:
    gone = (*track.gone, *track.intervals)
    return _undisputed(track)._replace(state="forgotten", intervals=(), opened=(), gone=gone)


def _challenge(track: Track, event: Event, says: Says) -> Track:
    """challenge, mention: never accepted; a strong challenge of enough standing disputes."""
    if "value" not in says or event.value is None:
        return track
    contested = track.state in ("active", "disputed")
    if contested and track.holds(event.value):
        return track
    source = _told(event, says)
    strong = event.op == "challenge" and event.strength == "strong"
    disputes = strong and contested and STANDING[source] >= STANDING[track.intervals[-1].source]
    rival = Rival(event.value, event.id, source, _status(source, strong, disputes), disputes)
    return track._replace(state="disputed" if disputes else track.state, rivals=(*track.rivals, rival))


def _status(source: str, strong: bool, disputes: bool) -> Status:
    if disputes:
        return "disputed"
    if strong:
        return "not_accepted"
    return "hypothetical" if source == "user" else "unreliable"


def _nothing(track: Track, event: Event, says: Says) -> Track:
    """reactivate, clue, reflect: recall and hints never move the state (what is recalled was kept before)."""
    return track


_OPS: Mapping[str, Callable[[Track, Event, Says], Track]] = {
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
