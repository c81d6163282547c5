"""Evidence: the minimal sets of stated facets that carry a gold, from the replay's own provenance.

A formula is a set of clauses in conjunctive form; each clause is a set of atoms of which one
must stay. So a clause is a minimal set whose removal changes the gold. An empty formula
belongs to a negative gold, which nothing in particular proves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from itertools import combinations, takewhile

from suitegen.latent.gold import (
    Facts,
    current,
    gold,
    has_ended,
    holds_elsewhere,
    last_rival,
    last_step,
    prefix,
    previous_index,
    status,
)
from suitegen.latent.ledger import Interval, Ledger, Rival, Step, Track, replay
from suitegen.model.gold import Atom, FieldEvidence, Gold, Group
from suitegen.model.latent import Event, LatentSpec, Probe

Clause = frozenset[Atom]
Formula = frozenset[Clause]

ALWAYS: Formula = frozenset()
NEVER: Formula = frozenset({frozenset()})


def any_of(*formulas: Formula) -> Formula:
    """One of the formulas suffices."""
    result = NEVER
    for formula in formulas:
        result = _minimal(left | right for left in result for right in formula)
    return result


def all_of(*formulas: Formula) -> Formula:
    """All formulas are needed."""
    return _minimal(clause for formula in formulas for clause in formula)


def one(atoms: Iterable[Atom]) -> Formula:
    """One of the atoms suffices; without atoms nothing can."""
    return frozenset({frozenset(atoms)})


def _minimal(clauses: Iterable[Clause]) -> Formula:
    """The clauses that contain no other one."""
    unique = sorted(set(clauses), key=len)
    kept: list[Clause] = []
    for clause in unique:
        if not any(other <= clause for other in kept):
            kept.append(clause)
    return frozenset(kept)


# -- what a track rests on --------------------------------------------------------------------------------------


def _holding(track: Track, index: int) -> Formula:
    """The interval's value is known as the one that holds."""
    interval = track.intervals[index]
    said = one(interval.holding)
    if interval.restored is None:
        return said
    step = next((step for step in track.steps if step.after == index), None)
    acts = [atom for atom in step.said if atom.facet == "act"] if step else []
    return any_of(said, all_of(one(acts), _known(track.intervals[interval.restored])))


def _known(interval: Interval) -> Formula:
    """The interval's value is known as one that held at some time."""
    return one(interval.known())


def _left(ledger: Ledger, track: Track, index: int) -> Formula:
    """It is known that the interval ended: something later is, or its cause changed."""
    atoms = [atom for step in track.steps if step.before is not None and step.before >= index for atom in step.said]
    atoms += [atom for interval in track.intervals[index + 1 :] for atom in interval.known()]
    doubts = [_step_known(ledger.track(cause), step) for cause, step in track.intervals[index].doubted]
    return any_of(one(atoms), *doubts)


def _step_known(track: Track, step: Step) -> Formula:
    """The change is known: it is said, or both values are."""
    return any_of(one(step.said), _shown_by_values(track, step, step.value))


def _apart(track: Track, step: Step) -> Formula:
    """The change is known as one of its own: a plain value would else complete an open change before it."""
    before = _said_before(track, step)
    if before is None:
        return _step_known(track, step)
    return any_of(one(step.said), all_of(_shown_by_values(track, step, step.value), one(before.value)))


def _said_before(track: Track, step: Step) -> Step | None:
    """The change before this one, if it is said and not only shown by its value."""
    index = next(i for i, other in enumerate(track.opened) if other is step)
    before = track.opened[index - 1] if index else None
    return before if before is not None and before.said and before.value else None


def _shown_by_values(track: Track, step: Step, values: Iterable[Atom]) -> Formula:
    """The new value is known, and one that held earlier and differs."""
    if step.before is None or step.after is None:
        return NEVER
    new = track.intervals[step.after].value
    earlier = [i for i in track.intervals[: step.before + 1] if i.value != new]
    return all_of(one(values), one(atom for interval in earlier for atom in interval.known()))


def _undisputed(track: Track) -> Formula:
    """Every strong challenge is known to be settled, or to come from a source without the standing."""
    settled = [one(rival.resolvers) for rival in track.rivals if rival.disputes and rival.resolvers]
    shields = [one([r.source_atom]) for r in track.rivals if r.shielded and r.source_atom and not r.resolvers]
    return all_of(*settled, *shields)


def _unsettled(ledger: Ledger, track: Track) -> Formula:
    """Why no current value is known."""
    if track.state == "disputed":
        return all_of(_holding(track, len(track.intervals) - 1), *(one([r.said]) for r in track.disputes))
    if track.state == "invalidated":
        return any_of(*(_step_known(ledger.track(cause), step) for cause, step in track.intervals[-1].doubted))
    return one(track.unsettled)


def _unsettled_for_sure(ledger: Ledger, track: Track) -> Formula:
    """The same, where an answer for a value that was never said would differ."""
    if track.state == "invalidated":
        return all_of(_unsettled(ledger, track), _known(track.intervals[-1]))
    return _unsettled(ledger, track)


def _two_values(track: Track) -> Formula:
    """At least two of the values that the target held are known."""
    by_value: dict[str, list[Atom]] = {}
    for interval in track.intervals:
        by_value.setdefault(interval.value, []).extend(interval.known())
    values = list(by_value.values())
    if len(values) < 2:
        return NEVER
    clauses = [
        frozenset(atom for atoms in kept for atom in atoms) for kept in combinations(values, len(values) - 1)
    ]
    return _minimal(clauses)


def _any_change(track: Track) -> Formula:
    """It is known that the target changed at all."""
    said = one(atom for step in track.steps for atom in step.said)
    ended = [all_of(one([atom]), one(_olds(interval, atom))) for interval in track.intervals for atom in interval.ended]
    return any_of(said, *ended, _two_values(track))


def _olds(interval: Interval, ended: Atom) -> list[Atom]:
    """The former value that the same event names."""
    return [atom for atom in interval.past if atom.event == ended.event]


# -- fields -----------------------------------------------------------------------------------------------------


def _of_current(ledger: Ledger, track: Track, probe: Probe) -> Formula:
    if track.state == "active":
        return all_of(_holding(track, len(track.intervals) - 1), _undisputed(track))
    return ALWAYS if track.state == "never" else _unsettled(ledger, track)


def _corrections(track: Track) -> Formula:
    return all_of(*(one(acts) for _, acts in track.retracted))


def _of_previous(ledger: Ledger, track: Track, probe: Probe) -> Formula:
    index = previous_index(track)
    if track.state == "forgotten":
        return one(track.unsettled) if index is not None else ALWAYS
    if index is None:
        return _corrections(track)
    left = _unsettled(ledger, track) if track.state == "pending" else _left(ledger, track, index)
    return all_of(_known(track.intervals[index]), left)


def _of_original(ledger: Ledger, track: Track, probe: Probe) -> Formula:
    if track.state == "forgotten":
        return one(track.unsettled)
    return all_of(_known(track.intervals[0]), _corrections(track)) if track.intervals else ALWAYS


def _of_trajectory(ledger: Ledger, track: Track, probe: Probe) -> Formula:
    if track.state == "forgotten":
        return one(track.unsettled)
    parts = [_known(interval) if interval.restored is None else _holding(track, i) for i, interval in enumerate(track.intervals)]
    return all_of(*parts, _corrections(track))


def _of_change(ledger: Ledger, track: Track, probe: Probe) -> Formula:
    if track.state in ("invalidated", "disputed", "forgotten"):
        return _unsettled_for_sure(ledger, track)
    if track.steps or has_ended(track) or len(track.intervals) > 1:
        return all_of(_any_change(track), _undisputed(track))
    return all_of(_corrections(track), _undisputed(track))


def _of_changes(ledger: Ledger, track: Track, probe: Probe) -> Formula:
    return all_of(*(_apart(track, step) for step in track.steps), _corrections(track))


def _told(step: Step, known: Formula) -> Formula:
    """The change is known as told by its source."""
    if step.value_source not in (None, step.source):
        known = all_of(known, one(step.said))
    return known if step.source_atom is None else all_of(known, one([step.source_atom]))


def _of_last_source(track: Track) -> Formula:
    """One of the latest changes that share their source is known."""
    latest = list(takewhile(lambda step: step.source == track.steps[-1].source, reversed(track.steps)))
    if not latest:
        return _corrections(track)
    first = _told(latest[-1], _apart(track, latest[-1]))
    return any_of(first, *(_told(step, _step_known(track, step)) for step in latest[:-1]))


def _rival_told(rival: Rival) -> Formula:
    parts = [one([rival.said])]
    if rival.source_atom is not None:
        parts.append(one([rival.source_atom]))
    if rival.source == "stale_tool":
        parts.append(one(rival.resolvers))
    return all_of(*parts)


def _of_rival_source(ledger: Ledger, track: Track, probe: Probe) -> Formula:
    """One of the latest tellings that share their source is known."""
    value = probe.rival or ""
    told: list[tuple[str, Formula]] = []
    rivals = [rival for rival in reversed(track.rivals) if rival.value == value]
    told += [(rival.source, _rival_told(rival)) for rival in rivals]
    indexes = [i for i in range(len(track.intervals) - 1, -1, -1) if track.intervals[i].value == value]
    told += [(track.intervals[i].source, _interval_told(track, i)) for i in indexes]
    told += [(interval.source, _known(interval)) for interval, _ in track.retracted if interval.value == value]
    if not told:
        return _said_elsewhere(ledger, holds_elsewhere(ledger, probe.about, value), value)
    return any_of(*(formula for _, formula in takewhile(lambda pair: pair[0] == told[0][0], told)))


def _interval_told(track: Track, index: int) -> Formula:
    step = next((step for step in track.steps if step.after == index), None)
    known = _known(track.intervals[index]) if track.intervals[index].restored is None else _holding(track, index)
    return known if step is None else _told(step, known)


def _said_elsewhere(ledger: Ledger, names: Iterable[str], value: str) -> Formula:
    atoms: list[Atom] = []
    names = tuple(names)
    if not names:
        return ALWAYS
    for name in names:
        track = ledger.track(name)
        atoms += [atom for interval in track.intervals if interval.value == value for atom in interval.known()]
        atoms += [rival.said for rival in track.rivals if rival.value == value]
    return one(atoms)


def _of_source(ledger: Ledger, track: Track, probe: Probe) -> Formula:
    return _of_rival_source(ledger, track, probe) if probe.rival is not None else _of_last_source(track)


def _of_status(ledger: Ledger, track: Track, probe: Probe) -> Formula:
    value = probe.rival or ""
    stands = status(ledger, probe.about, value)
    if stands == "accepted":
        return _of_current(ledger, track, probe)
    if stands == "past":
        return _past(ledger, track, max(i for i, interval in enumerate(track.intervals) if interval.value == value))
    if stands == "other_entity":
        return _said_elsewhere(ledger, holds_elsewhere(ledger, probe.about, value), value)
    if stands == "retracted":
        return all_of(*(all_of(_known(i), one(acts)) for i, acts in track.retracted if i.value == value))
    rival = last_rival(track, value)
    if rival is None:
        return _unsettled(ledger, track) if stands == "disputed" else ALWAYS
    return _of_rival_status(track, rival)


def _past(ledger: Ledger, track: Track, index: int) -> Formula:
    """The interval's value is known, and that it holds no more."""
    interval = track.intervals[index]
    if not interval.holding:
        return _known(interval)
    return all_of(_known(interval), _no_longer(ledger, track, index))


def _no_longer(ledger: Ledger, track: Track, index: int) -> Formula:
    """The interval's value is known not to be the current one."""
    settled = track.state in ("active", "never")
    return _left(ledger, track, index) if settled else any_of(_left(ledger, track, index), _unsettled(ledger, track))


def _of_rival_status(track: Track, rival: Rival) -> Formula:
    parts = [one([rival.said])]
    if rival.resolvers:
        parts.append(one(rival.resolvers))
    elif rival.disputes:
        parts.append(_holding(track, len(track.intervals) - 1))
    elif rival.source_atom is not None and (rival.shielded or rival.status == "unreliable"):
        parts.append(one([rival.source_atom]))
    return all_of(*parts)


def _of_applies(ledger: Ledger, track: Track, probe: Probe) -> Formula:
    value = probe.rival or ""
    if status(ledger, probe.about, value) in ("other_entity", "never_said"):
        return ALWAYS
    atoms = [atom for interval in track.intervals if interval.value == value for atom in interval.known()]
    atoms += [atom for interval, _ in track.retracted if interval.value == value for atom in interval.known()]
    atoms += [rival.said for rival in track.rivals if rival.value == value]
    return one(atoms)


def _of_direction(ledger: Ledger, track: Track, probe: Probe) -> Formula:
    if track.state != "active":
        settled = [step for step in track.steps if step.after is not None]
        return _unsettled(ledger, track) if settled else ALWAYS
    if not track.steps:
        return _corrections(track)
    known = any_of(*(_step_known(track, step) for step in track.steps))
    return all_of(_settled(track), known, _undisputed(track))


def _settled(track: Track) -> Formula:
    """Some new value is known to hold: the last one, or where that one is only brought back, the one before."""
    last = len(track.intervals) - 1
    restored = track.intervals[last].restored
    if restored is None or track.intervals[last].holding:
        return _holding(track, last)
    return all_of(_known(track.intervals[restored]), any_of(_holding(track, last), _holding(track, last - 1)))


def _of_why(name: str) -> Callable[[Ledger, Track, Probe], Formula]:
    def formula(ledger: Ledger, track: Track, probe: Probe) -> Formula:
        step = last_step(track)
        if step is None:
            return ALWAYS
        why = step.trigger if name == "trigger" else step.reason
        if why is not None:
            return all_of(one([why[2]]), _step_opened(track, step))
        silent = list(takewhile(lambda s: (s.trigger if name == "trigger" else s.reason) is None, reversed(track.steps)))
        # Were all the silent changes unknown, an earlier one's reason would be the answer.
        return ALWAYS if len(silent) == len(track.steps) else any_of(*(_apart(track, s) for s in silent))

    return formula


def _step_opened(track: Track, step: Step) -> Formula:
    """The event that opened the change is known as one: what its trigger and reason hang on."""
    opening = step.said[0].event if step.said else step.value[0].event if step.value else ""
    values = [atom for atom in step.value if atom.event == opening]
    before = _said_before(track, step)
    shown = [_shown_by_values(track, step, values)]
    if before is not None and values:
        shown.append(all_of(one(values), one(before.said)))
    return any_of(one(step.said), *shown)


def _if_moved(formula: Callable[[Ledger, Track, Probe], Formula]) -> Callable[[Ledger, Track, Probe], Formula]:
    """Old and new of a temporal probe are none unless a change is confirmed."""

    def moved(ledger: Ledger, track: Track, probe: Probe) -> Formula:
        if track.state == "active" and track.steps:
            return all_of(formula(ledger, track, probe), _of_direction(ledger, track, probe))
        return _corrections(track)

    return moved


def _of_holds(ledger: Ledger, track: Track, probe: Probe) -> Formula:
    """A premise holds by the current value; it fails by what ended, retracted or unsettled it, if it was ever said."""
    if current(track) == probe.premise:
        return _of_current(ledger, track, probe)
    for interval, acts in track.retracted:
        if interval.value == probe.premise:
            return one([*acts, *(atom for i in track.intervals for atom in i.holding)])
    indexes = [i for i, interval in enumerate(track.intervals) if interval.value == probe.premise and interval.holding]
    if not indexes:
        return ALWAYS
    if track.state == "disputed" and indexes[-1] == len(track.intervals) - 1:
        return all_of(*(one([rival.said]) for rival in track.disputes))
    return _no_longer(ledger, track, indexes[-1])


_FORMULAS: Mapping[tuple[str, str], Callable[[Ledger, Track, Probe], Formula]] = {
    ("current", "value"): _of_current,
    ("as_of", "value"): _of_current,
    ("premise", "value"): _of_current,
    ("premise", "holds"): _of_holds,
    ("previous", "value"): _of_previous,
    ("original", "value"): _of_original,
    ("trajectory", "values"): _of_trajectory,
    ("change", "changed"): _of_change,
    ("changes", "count"): _of_changes,
    ("source", "source"): _of_source,
    ("status", "status"): _of_status,
    ("conflict", "source"): _of_source,
    ("conflict", "status"): _of_status,
    ("conflict", "applies"): _of_applies,
    ("temporal", "direction"): _of_direction,
    ("temporal", "old"): _if_moved(_of_previous),
    ("temporal", "new"): _if_moved(_of_current),
    ("temporal", "trigger"): _of_why("trigger"),
    ("temporal", "reason"): _of_why("reason"),
    ("trigger", "trigger"): _of_why("trigger"),
    ("reason", "reason"): _of_why("reason"),
    ("direction", "direction"): _of_direction,
}


def evidence(events: Iterable[Event], spec: LatentSpec, probe: Probe, answer: Gold) -> tuple[FieldEvidence, ...]:
    """The groups of each field of a probe's gold over a prefix of events."""
    ledger = replay(events, spec.cast)
    track = ledger.track(probe.about)
    found = []
    for field in answer.fields:
        formula = _FORMULAS[probe.type, field.name](ledger, track, probe)
        found.append(FieldEvidence(field=field.name, groups=_groups(formula)))
    return tuple(found)


def evidence_of(spec: LatentSpec, probe: Probe, facts: Facts) -> tuple[FieldEvidence, ...]:
    """The evidence of a probe of a latent spec."""
    events = prefix(spec, probe)
    return evidence(events, spec, probe, gold(events, spec.cast, probe, facts))


def _groups(formula: Formula) -> tuple[Group, ...]:
    groups = [Group(need=1, of=tuple(sorted(clause, key=_order))) for clause in formula if clause]
    return tuple(sorted(groups, key=lambda group: [_order(atom) for atom in group.of]))


def _order(atom: Atom) -> tuple[str, str]:
    return atom.event, atom.facet
