"""Gold answers: a function of the ledger at a prefix and the probe; never typed by hand.

The probe types are those of MemProbe, appendix C, and those the other families need.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from suitegen.latent.ledger import Interval, Ledger, Rival, Step, Track, replay
from suitegen.latent.outline import concerning
from suitegen.model.gold import REFUSALS, Gold, GoldField
from suitegen.model.latent import Event, LatentSpec, Member, Probe
from suitegen.model.words import STATUSES, ProbeType, Status, ValueKind

UNCERTAIN = "uncertain"


@dataclass(frozen=True, slots=True)
class Facts:
    """What a gold needs to know of the values beside the ledger.

    ``spellings`` maps a value to the value and its aliases; ``keys`` a change id to the
    phrases that match its trigger and its reason.
    """

    kind: ValueKind
    spellings: Mapping[str, tuple[str, ...]]
    triggers: Mapping[str, tuple[str, ...]]
    reasons: Mapping[str, tuple[str, ...]]

    def spell(self, value: str) -> tuple[str, ...]:
        """The spellings of a value; a value without entry is spelled as it is."""
        return self.spellings.get(value, (value,))


PLAIN = Facts("text", {}, {}, {})
"""Facts of bare timelines, where every value is spelled as it is."""


def prefix(spec: LatentSpec, probe: Probe) -> tuple[Event, ...]:
    """The events that a probe may use."""
    return tuple(event for event in spec.events if event.session <= probe.asked_after)


def gold_of(spec: LatentSpec, probe: Probe, facts: Facts) -> Gold:
    """The gold of a probe of a latent spec."""
    dates = dates_of(spec) if probe.type == "as_of" else None
    events, cast = prefix(spec, probe), spec.cast
    if spec.shared:
        events, cast = concerning(events, cast, probe)
    return gold(events, cast, probe, facts, dates)


def dates_of(spec: LatentSpec) -> dict[int, str]:
    """ISO date by session index."""
    return {plan.index: plan.timestamp[:10] for plan in spec.sessions}


def gold(
    events: Iterable[Event],
    cast: Sequence[Member],
    probe: Probe,
    facts: Facts = PLAIN,
    dates: Mapping[int, str] | None = None,
) -> Gold:
    """The gold of a probe over a prefix of events.

    Args:
        events: the prefix, in order.
        cast: the members that the events and the probe speak of.
        probe: what is asked.
        facts: spellings and keys, for the fields' lists of accepted answers.
        dates: ISO date by session index, for as-of questions and effective dates.
    """
    return answered(replay(in_force(tuple(events), probe, dates or {}), cast), probe, facts)


def answered(ledger: Ledger, probe: Probe, facts: Facts = PLAIN) -> Gold:
    """What a ledger answers to a probe."""
    return Gold(type=probe.type, fields=tuple(_FIELDS[probe.type](ledger, ledger.track(probe.about), probe, facts)))


def in_force(events: tuple[Event, ...], probe: Probe, dates: Mapping[int, str]) -> tuple[Event, ...]:
    """The events that count for a probe: where it asks for a day, those whose value holds on it, by their dates."""
    session = probe.as_of
    if probe.type != "as_of" or session is None:
        return events
    day = dates.get(session, "")

    def holds(event: Event) -> bool:
        since = _since(event)
        return event.session <= session if since is None else since <= day

    return tuple(sorted((e for e in events if holds(e)), key=lambda e: _since(e) or dates.get(e.session, "")))


def _since(event: Event) -> str | None:
    """The date that the text gives for the value's beginning, where it is not the day it was said."""
    return event.effective if event.states("date") else None


# -- what a track says ------------------------------------------------------------------------------------------


def current(track: Track) -> str:
    """The accepted value, or unknown, uncertain, forgotten, absent."""
    if track.state == "active":
        return _said(track.intervals[-1])
    return {"disputed": UNCERTAIN, "pending": "unknown", "invalidated": "unknown", "forgotten": "forgotten"}.get(
        track.state, "absent"
    )


def previous_index(track: Track) -> int | None:
    """Index of the interval before the current one; of the last one while no current value is known."""
    index = len(track.intervals) - (1 if track.state in ("pending", "invalidated") else 2)
    return index if index >= 0 else None


def previous(track: Track) -> str:
    """The value before the current one, or none, forgotten, absent."""
    if track.state in ("forgotten", "never"):
        return "forgotten" if track.state == "forgotten" else "absent"
    index = previous_index(track)
    return "none" if index is None else _said(track.intervals[index])


def original(track: Track) -> str:
    """The first value, or forgotten, absent."""
    if track.state == "forgotten":
        return "forgotten"
    return _said(track.intervals[0]) if track.intervals else "absent"


def _said(interval: Interval) -> str:
    """The value of an interval, or unknown."""
    return "unknown" if interval.value is None else interval.value


def changed(track: Track) -> str:
    """yes, no, or unknown while invalidated or disputed, and once forgotten."""
    if track.state in ("invalidated", "disputed", "forgotten"):
        return "unknown"
    return "yes" if change_count(track) or any(interval.ended for interval in track.intervals) else "no"


def change_count(track: Track) -> int:
    """How many changes the text shows."""
    return max(len(track.steps), len(track.intervals) - 1, 0)


def last_step(track: Track) -> Step | None:
    """The last change that the text shows, when its new value is settled or still open."""
    return track.steps[-1] if track.steps else None


def held(track: Track) -> tuple[Interval, ...]:
    """All intervals of a target, the forgotten ones too."""
    return (*track.gone, *track.intervals)


def rivals_of(track: Track, value: str) -> tuple[Rival, ...]:
    """The times that a value was said of the target without being accepted."""
    return tuple(rival for rival in track.rivals if rival.value == value)


def holds_elsewhere(ledger: Ledger, about: str, value: str) -> list[str]:
    """Members with the same attribute and another entity of whom the value was said."""
    target = ledger.members[about]
    found = []
    for name, member in ledger.members.items():
        if name == about or member.attribute != target.attribute or member.entity == target.entity:
            continue
        track = ledger.track(name)
        if any(interval.value == value for interval in held(track)) or rivals_of(track, value):
            found.append(name)
    return found


def status(ledger: Ledger, about: str, value: str) -> Status:
    """How a value stands; the first status of the list that fits."""
    track = ledger.track(about)
    if current(track) == value:
        return "accepted"
    if track.state == "disputed" and track.holds(value):
        return "disputed"
    if any(interval.value == value for interval in held(track)):
        return "past"
    if holds_elsewhere(ledger, about, value):
        return "other_entity"
    if any(interval.value == value for interval in track.retracted):
        return "retracted"
    stands = [rival.status for rival in rivals_of(track, value)]
    return min(stands, key=STATUSES.index, default="never_said")


def source_of_value(ledger: Ledger, about: str, value: str) -> str:
    """Who told a value: of the target if it was said of it, else of another entity; none if it never was."""
    for name in (about, *holds_elsewhere(ledger, about, value)):
        track = ledger.track(name)
        # What was accepted counts before what was not, and the later before the earlier.
        for interval in reversed(held(track)):
            if interval.value == value:
                return interval.source
        for rival in reversed(rivals_of(track, value)):
            return rival.source
        for retracted in reversed(track.retracted):
            if retracted.value == value:
                return retracted.source
    return "none"


# -- fields -----------------------------------------------------------------------------------------------------


def _value_field(name: str, answer: str, track: Track, facts: Facts, probe: Probe) -> GoldField:
    """A value field; every other value that was said of the target is a rival."""
    values = [interval.value for interval in track.intervals] + [rival.value for rival in track.rivals]
    values += [interval.value for interval in (*track.retracted, *track.gone)]
    said = [value for value in values if value is not None]
    if probe.rival:
        said.append(probe.rival)
    must: tuple[tuple[str, ...], ...] = ()
    if answer == UNCERTAIN:
        both = sorted({_said(track.intervals[-1]), *(rival.value for rival in track.disputes)})
        must = tuple(facts.spell(value) for value in both)
    named = {spelled[0] for spelled in must}
    rivals = tuple(facts.spell(v) for v in dict.fromkeys(said) if v != answer and v not in named)
    accepts = () if answer in REFUSALS or answer == UNCERTAIN else facts.spell(answer)
    return GoldField(
        name=name, form="value", answer=answer, accepts=accepts, answers=must, rivals=rivals, kind=facts.kind
    )


def _enum(name: str, answer: str) -> GoldField:
    return GoldField(name=name, form="enum", answer=answer)


def _why_field(name: str, track: Track, facts: Facts, *, told: bool = True) -> GoldField:
    """The trigger or reason of the last change; none where there is no such change, or it is not to be told."""
    step = last_step(track) if told else None
    why = (step.trigger if name == "trigger" else step.reason) if step else None
    keys = facts.triggers if name == "trigger" else facts.reasons
    if why is None:
        others = tuple(keys[change] for change in sorted(keys))
        return GoldField(name=name, form="change", answer="none", rivals=others)
    rivals = tuple(keys[change] for change in sorted(keys) if change != why.change)
    accepts = keys.get(why.change, (why.text,))
    return GoldField(name=name, form="change", answer=why.text, accepts=accepts, rivals=rivals)


def direction(track: Track) -> str:
    """old_to_new once a change is confirmed and the new value is known."""
    return "old_to_new" if track.state == "active" and change_count(track) else "no_confirmed_change"


def _current(ledger: Ledger, track: Track, probe: Probe, facts: Facts) -> list[GoldField]:
    return [_value_field("value", current(track), track, facts, probe)]


def _previous(ledger: Ledger, track: Track, probe: Probe, facts: Facts) -> list[GoldField]:
    return [_value_field("value", previous(track), track, facts, probe)]


def _original(ledger: Ledger, track: Track, probe: Probe, facts: Facts) -> list[GoldField]:
    return [_value_field("value", original(track), track, facts, probe)]


def _trajectory(ledger: Ledger, track: Track, probe: Probe, facts: Facts) -> list[GoldField]:
    if track.state == "forgotten" or not track.intervals:
        return [_value_field("values", "forgotten" if track.state == "forgotten" else "absent", track, facts, probe)]
    values = [interval.value for interval in track.intervals if interval.value is not None]
    if len(values) < len(track.intervals):
        return [_value_field("values", "unknown", track, facts, probe)]
    spelled = tuple(facts.spell(value) for value in values)
    return [GoldField(name="values", form="values", answer=" -> ".join(values), answers=spelled, kind=facts.kind)]


def _change(ledger: Ledger, track: Track, probe: Probe, facts: Facts) -> list[GoldField]:
    return [_enum("changed", changed(track))]


def _changes(ledger: Ledger, track: Track, probe: Probe, facts: Facts) -> list[GoldField]:
    return [GoldField(name="count", form="count", answer=str(change_count(track)), kind="number")]


def _source_answer(ledger: Ledger, track: Track, probe: Probe) -> str:
    if probe.rival is not None:
        return source_of_value(ledger, probe.about, probe.rival)
    step = last_step(track)
    return step.source if step else "none"


def _source(ledger: Ledger, track: Track, probe: Probe, facts: Facts) -> list[GoldField]:
    return [_enum("source", _source_answer(ledger, track, probe))]


def _status(ledger: Ledger, track: Track, probe: Probe, facts: Facts) -> list[GoldField]:
    return [_enum("status", status(ledger, probe.about, probe.rival or ""))]


def _conflict(ledger: Ledger, track: Track, probe: Probe, facts: Facts) -> list[GoldField]:
    stands = status(ledger, probe.about, probe.rival or "")
    applies = "no" if stands in ("other_entity", "never_said") else "yes"
    return [_enum("source", _source_answer(ledger, track, probe)), _enum("status", stands), _enum("applies", applies)]


def _temporal(ledger: Ledger, track: Track, probe: Probe, facts: Facts) -> list[GoldField]:
    went = direction(track)
    moved = went == "old_to_new"
    old, new = (previous(track), current(track)) if moved else ("none", "none")
    return [
        _enum("direction", went),
        _value_field("old", old, track, facts, probe),
        _value_field("new", new, track, facts, probe),
        _why_field("trigger", track, facts, told=moved),
        _why_field("reason", track, facts, told=moved),
    ]


def _why(name: str) -> Callable[[Ledger, Track, Probe, Facts], list[GoldField]]:
    def fields(ledger: Ledger, track: Track, probe: Probe, facts: Facts) -> list[GoldField]:
        return [_why_field(name, track, facts)]

    return fields


def _direction(ledger: Ledger, track: Track, probe: Probe, facts: Facts) -> list[GoldField]:
    return [_enum("direction", direction(track))]


def _premise(told: Callable[[Track], str]) -> Callable[[Ledger, Track, Probe, Facts], list[GoldField]]:
    """Whether what the question takes for granted is so, and what is: the correction, where it is not."""

    def fields(ledger: Ledger, track: Track, probe: Probe, facts: Facts) -> list[GoldField]:
        so = told(track)
        return [_enum("holds", "yes" if so == probe.premise else "no"), _value_field("value", so, track, facts, probe)]

    return fields


_FIELDS: Mapping[ProbeType, Callable[[Ledger, Track, Probe, Facts], list[GoldField]]] = {
    "current": _current,
    "previous": _previous,
    "original": _original,
    "as_of": _current,
    "trajectory": _trajectory,
    "change": _change,
    "changes": _changes,
    "source": _source,
    "status": _status,
    "conflict": _conflict,
    "temporal": _temporal,
    "trigger": _why("trigger"),
    "reason": _why("reason"),
    "direction": _direction,
    "premise": _premise(current),
    "original_premise": _premise(original),
}


def same_answer(left: GoldField, right: GoldField) -> bool:
    """Whether two golds accept the same answers; refusals are one answer."""
    if left.refusal and right.refusal:
        return True
    return (left.answer, left.answers) == (right.answer, right.answers)
