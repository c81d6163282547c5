"""Spec checks: a timeline that says nonsense, or a gold that its own evidence does not carry, is refused."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import accumulate, combinations
from typing import NamedTuple

from suitegen.latent.draw import TARGET
from suitegen.latent.evidence import evidence, without
from suitegen.latent.gold import UNCERTAIN, Facts, answered, dates_of, gold, prefix, same_answer
from suitegen.latent.ledger import Ledger, Track, blank, tell
from suitegen.latent.outline import concerning
from suitegen.model.gold import REFUSALS, Atom, Gold, GoldField
from suitegen.model.latent import Event, LatentSpec, Member, Probe
from suitegen.model.words import PREMISES, Op, ProbeType
from suitegen.values.kinds import same

ACCEPTED: tuple[Op, ...] = ("remember", "update", "correct", "restore")
"""Ops whose value is the one that holds from then on."""
MOVES: tuple[Op, ...] = ("update", "restore", "correct")
"""Ops that put another value in the place of the one that holds."""
HISTORY: tuple[ProbeType, ...] = (
    "previous", "original", "as_of", "trajectory", "change", "changes", "temporal", "trigger", "reason", "direction",
    "original_premise",
)  # fmt: skip
"""Probe types that ask for more than how things stand."""


def problems(spec: LatentSpec, facts: Facts | Mapping[str, Facts]) -> tuple[str, ...]:
    """Everything that is incoherent in a latent spec, in words; empty when it is sound.

    Args:
        spec: what is looked at.
        facts: those of the target's fact type, or by fact type those of each thread's.
    """
    by_type = facts if isinstance(facts, Mapping) else {spec.member(TARGET).fact_type: facts}
    found = [*_timeline(spec), *_values(spec, by_type), *_questions(spec)]
    # Where events or questions make no sense, there is nothing to prove.
    return tuple(found or _proofs(spec))


def _stages(events: Iterable[Event], cast: Sequence[Member]) -> tuple[Ledger, ...]:
    """The ledger before each event, and after the last one."""
    return tuple(accumulate(events, _next, initial=blank(cast)))


def _next(ledger: Ledger, event: Event) -> Ledger:
    return tell(ledger, event, event.says)


# -- events -----------------------------------------------------------------------------------------------------


def _timeline(spec: LatentSpec) -> Iterator[str]:
    """What is wrong with the events, each as it is said after those before it."""
    seen: dict[str, Event] = {}
    dates = dates_of(spec)
    for event, ledger in zip(spec.events, _stages(spec.events, spec.cast), strict=False):
        found = [*_form(event, seen), *_refs(spec, event, seen, ledger), *_sense(event, ledger)]
        found += _dates(event, seen, dates)
        yield from (f"{event.id}: {problem}" for problem in found)
        seen[event.id] = event
    completed = {event.refs["completes"] for event in spec.events if "completes" in event.refs}
    for event in spec.events:
        opens = event.op in ("update", "restore") and not event.states("value") and "restores" not in event.refs
        if spec.thread(event.thread).split and opens and event.id not in completed:
            yield f"{event.id}: a split with one part"


def _form(event: Event, seen: Mapping[str, Event]) -> Iterator[str]:
    """What can be told from the event alone."""
    if event.id in seen:
        yield "its id stands twice"
    if event.source != event.speaker and not event.states("source"):
        yield f"its source is {event.source}, said by {event.speaker}, so it must say the source"
    if event.strength == "weak" and event.op in ACCEPTED:
        yield f"a weak {event.op} would be accepted"
    if event.states("value") and event.value is None:
        yield "it says a value and has none"
    if event.states("old") and event.old is None:
        yield "it says a former value and there is none"
    if (event.states("trigger") and event.trigger is None) or (event.states("reason") and event.reason is None):
        yield "it says why something changed and has no change"
    if event.effective is not None and not event.states("date"):
        yield f"it takes effect on {event.effective}, so it must say the date"
    if event.states("rejection") and "resolves" not in event.refs:
        yield "it rejects something and does not say what"


def _refs(spec: LatentSpec, event: Event, seen: Mapping[str, Event], ledger: Ledger) -> Iterator[str]:
    """What is wrong with the events that it refers to."""
    for kind, ref in event.refs.items():
        if ref not in seen:
            yield f"{kind} names {ref!r}, which was not said before"
            continue
        earlier = seen[ref]
        opened = ledger.track(event.target).opened
        if kind == "completes" and not (opened and opened[-1].open and opened[-1].event == ref):
            yield f"it completes {ref!r}, which is no change that still lacks its value"
        if kind == "restores" and (earlier.target, earlier.value) != (event.target, event.value):
            yield f"it restores {ref!r}, which said another value"
        if kind == "resolves" and not (earlier.op in ("challenge", "mention") and earlier.states("value")):
            yield f"it resolves {ref!r}, which brought nothing up"
        disputes = ledger.track(earlier.target).disputes
        if kind == "resolves" and any(each.value == earlier.value and each.event != ref for each in disputes):
            yield f"it resolves {ref!r}, and the same value stays disputed by another event"
        if kind == "cascades" and spec.member(event.target).depends_on != earlier.target:
            yield f"it follows from {ref!r}, and does not depend on {earlier.target}"


def _dates(event: Event, seen: Mapping[str, Event], dates: Mapping[int, str]) -> Iterator[str]:
    """What takes effect in another order than it is said."""
    since = event.effective or dates[event.session]
    before = [seen[ref] for ref in event.refs.values() if ref in seen]
    if event.op in ACCEPTED:
        before += [each for each in seen.values() if each.target == event.target and each.op in ACCEPTED]
    if any((each.effective or dates[each.session]) > since for each in before):
        yield f"it takes effect on {since}, before what was said earlier"


def _sense(event: Event, ledger: Ledger) -> Iterator[str]:
    """What makes no sense as things stand."""
    track = ledger.track(event.target)
    if event.states("value") and event.value is not None:
        yield from _new_value(event, event.value, track)
    elif event.op in MOVES and event.value is not None and track.holds(event.value):
        yield f"{event.op} to the value that already holds ({event.value})"
    if event.states("old") and event.old is not None:
        yield from _old_value(event, event.old, track)
    supports = event.op in ("remember", "reinforce") and event.states("value")
    if (supports or event.op in MOVES) and any(rival.event != event.refs.get("resolves") for rival in track.disputes):
        yield f"{event.op} of a disputed value, without settling the dispute"
    if event.op == "correct" and not track.intervals:
        yield "it corrects a value where none holds"
    if event.op == "forget":
        entity = ledger.members[event.target].entity
        names = [name for name, member in ledger.members.items() if event.scope == "entity" and member.entity == entity]
        if not any(ledger.track(name).intervals for name in (event.target, *names)):
            yield "it is to be forgotten, and nothing is known"


def _new_value(event: Event, value: str, track: Track) -> Iterator[str]:
    holds = track.holds(value)
    if event.op in MOVES and holds:
        yield f"{event.op} to the value that already holds ({value})"
    if event.op == "remember" and track.state not in ("never", "forgotten") and not holds:
        yield f"remember gives {event.target} a second value without a change"
    if event.op == "reinforce" and not (holds and track.state not in ("never", "forgotten")):
        yield "reinforces a value that does not hold"
    if event.op in ("remember", "reinforce", "correct") and track.state == "pending":
        yield f"{event.op} while the new value is still to be said"
    if event.op in ("challenge", "mention"):
        if holds and track.state in ("active", "disputed"):
            yield f"{event.op} of the value that holds"
        if event.op == "challenge" and event.strength == "strong" and track.state not in ("active", "disputed"):
            yield "it challenges a value where none holds"
        if any(interval.value == value for interval in track.gone):
            yield "it names a value that is forgotten"


def _old_value(event: Event, value: str, track: Track) -> Iterator[str]:
    holds, known = track.holds(value), [interval.value for interval in track.intervals]
    if any(interval.value == value for interval in track.gone) and value not in known:
        yield "it names a value that is forgotten"
    elif event.op in MOVES:
        if known and not holds:
            yield f"it says that {value} was before, where {known[-1] or 'another value'} was"
    elif event.op in ("reactivate", "reinforce"):
        if not holds:
            yield "it recalls a value that does not hold"
    elif track.state in ("never", "forgotten"):
        yield "it speaks of a former value where none holds"
    elif holds and track.state != "pending":
        yield f"it says that {value} is past, which holds"
    elif value not in known and len(known) > 1:
        yield f"it does not say when {value} was"


# -- values and questions ---------------------------------------------------------------------------------------


def _values(spec: LatentSpec, facts: Mapping[str, Facts]) -> Iterator[str]:
    """Values that cannot be told apart, and members that are the same."""
    for fact_type, known in facts.items():
        alike = {member.name for member in spec.cast if member.fact_type == fact_type}
        values = [value for member in spec.cast if member.name in alike for value in member.values.values()]
        values += [v for event in spec.events if event.target in alike for v in (event.value, event.old) if v]
        for one, other in combinations(dict.fromkeys(values), 2):
            if same(known.kind, one, other):
                yield f"{one} and {other} are the same after normalising"
        for value in dict.fromkeys(values):
            if value in REFUSALS or value == UNCERTAIN:
                yield f"the value {value} cannot be told from an answer that there is none"
    for first, second in combinations(spec.cast, 2):
        if (first.entity, first.attribute) == (second.entity, second.attribute):
            yield f"{first.name} and {second.name} are the same attribute of the same entity"


def _questions(spec: LatentSpec) -> Iterator[str]:
    """Probes to which two answers are right."""
    dates, stages = dates_of(spec), _stages(spec.events, spec.cast)
    for probe in spec.probes:
        if probe.asked_after not in dates:
            yield f"probe {probe.id}: it is asked outside of the history"
            continue
        events = prefix(spec, probe)
        own = [event for event in events if event.target == probe.about]
        later = [event.effective for event in own if event.effective and event.effective > dates[probe.asked_after]]
        found = list(_two_answers(probe, stages[len(events)].track(probe.about)))
        if probe.type != "as_of":
            found += [f"something takes effect on {day}, which may be after the question" for day in later]
        if probe.as_of is not None and probe.as_of > probe.asked_after:
            found.append("it asks for a day after all that it may use")
        if (probe.type in ("status", "conflict") and probe.rival is None) or (
            probe.type in PREMISES and probe.premise is None
        ):
            found.append("it names no value")
        yield from (f"probe {probe.id}: {problem}" for problem in found)


def _two_answers(probe: Probe, track: Track) -> Iterator[str]:
    """What the state of things leaves open."""
    values = [interval.value for interval in track.intervals]
    if probe.type == "change" and values and values[-1] in values[:-1]:
        yield "whether something changed, after a value went away and came back"
    if probe.type in HISTORY and track.gone and track.state != "forgotten":
        yield "the history of what was forgotten and told anew"
    if probe.type == "changes" and track.state == "forgotten":
        yield "the number of changes of what is forgotten"
    rivals = [rival for rival in track.rivals if rival.value == probe.rival]
    accepted = any(interval.value == probe.rival for interval in (*track.intervals, *track.gone))
    if probe.type in ("source", "conflict") and not accepted and len({rival.source for rival in rivals}) > 1:
        yield f"the source of {probe.rival}, which several told"


# -- proofs -----------------------------------------------------------------------------------------------------


def _proofs(spec: LatentSpec) -> Iterator[str]:
    """Every gold follows from its evidence alone, and changes when one whole group is removed."""
    replayed = _Replayed(spec, _stages(spec.events, spec.cast), {event.id: n for n, event in enumerate(spec.events)})
    for probe in spec.probes:
        whole = replayed.left(probe, ())
        cuts: dict[tuple[Atom, ...], list[GoldField]] = {}
        alone: dict[frozenset[str], list[GoldField]] = {}
        for found in evidence(prefix(spec, probe), spec, probe, whole):
            field = whole.field(found.field)
            for group in found.groups:
                cuts.setdefault(group.of, []).append(field)
            if found.groups:
                alone.setdefault(frozenset(atom.event for group in found.groups for atom in group.of), []).append(field)
        for atoms, fields in cuts.items():
            problems = _unneeded(atoms, fields, replayed.left(probe, atoms))
            yield from (f"probe {probe.id}: {problem}" for problem in problems)
        for ids, fields in alone.items():
            yield from (f"probe {probe.id}: {problem}" for problem in _unproved(fields, replayed.alone(probe, ids)))


class _Replayed(NamedTuple):
    """A spec with the ledgers of its replay, and where each event stands."""

    spec: LatentSpec
    stages: Sequence[Ledger]
    places: Mapping[str, int]

    def left(self, probe: Probe, atoms: Sequence[Atom]) -> Gold:
        """What a probe's events answer without some facets; those before the first cut are not replayed again."""
        events = prefix(self.spec, probe)
        dates = dates_of(self.spec) if probe.type == "as_of" else None
        if self.spec.shared:
            events, cast = concerning(events, self.spec.cast, probe)
            return gold(without(events, atoms), cast, probe, dates=dates)
        if dates is not None:
            return gold(without(events, atoms), self.spec.cast, probe, dates=dates)
        first = min((self.places[atom.event] for atom in atoms), default=len(events))
        return answered(reduce(_next, without(events[first:], atoms), self.stages[first]), probe)

    def alone(self, probe: Probe, ids: Collection[str]) -> Gold:
        """What some of a probe's events answer without the others."""
        events, cast = tuple(event for event in prefix(self.spec, probe) if event.id in ids), self.spec.cast
        if self.spec.shared:
            events, cast = concerning(events, cast, probe)
        return gold(events, cast, probe, dates=dates_of(self.spec) if probe.type == "as_of" else None)


def _unneeded(atoms: Iterable[Atom], fields: Iterable[GoldField], left: Gold) -> Iterator[str]:
    """Fields that stay as they are without a group."""
    for field in fields:
        if same_answer(left.field(field.name), field):
            names = ", ".join(f"{atom.event}.{atom.facet}" for atom in atoms)
            yield f"{field.name} stays {field.answer!r} without its evidence ({names})"


def _unproved(fields: Iterable[GoldField], left: Gold) -> Iterator[str]:
    """Fields that their evidence alone does not give."""
    for field in fields:
        found = left.field(field.name)
        if not same_answer(found, field):
            yield f"{field.name} is {field.answer!r}, but {found.answer!r} from its evidence alone"
