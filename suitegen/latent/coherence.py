"""Spec checks: a timeline that says nonsense, or a gold that its own evidence does not carry, is refused."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate

from suitegen.latent.draw import TARGET
from suitegen.latent.evidence import evidence, without
from suitegen.latent.gold import Facts, answered, dates_of, in_force, prefix, same_answer
from suitegen.latent.ledger import Ledger, blank, replay, tell
from suitegen.model.gold import FieldEvidence, GoldField
from suitegen.model.latent import Event, LatentSpec, Probe
from suitegen.values.kinds import same


def problems(spec: LatentSpec, facts: Facts) -> tuple[str, ...]:
    """Everything that is incoherent in a latent spec, in words; empty when it is sound."""
    return tuple([*_timeline(spec), *_values(spec, facts), *_proofs(spec)])


def _timeline(spec: LatentSpec) -> Iterator[str]:
    holds: dict[str, str] = {}
    seen: dict[str, Event] = {}
    for event in spec.events:
        yield from _event(event, holds, seen)
        seen[event.id] = event
        if event.value is not None and event.op in ("remember", "update", "correct", "restore") and event.states("value"):
            holds[event.target] = event.value
    completed = {event.refs["completes"] for event in spec.events if "completes" in event.refs}
    for event in spec.events:
        opens = event.op in ("update", "restore") and not event.states("value") and "restores" not in event.refs
        if spec.split and opens and event.id not in completed:
            yield f"{event.id}: a split with one part"


def _event(event: Event, holds: dict[str, str], seen: dict[str, Event]) -> Iterator[str]:
    for kind, ref in event.refs.items():
        if ref not in seen:
            yield f"{event.id}: {kind} names {ref!r}, which was not said before"
    if event.source != event.speaker and not event.states("source"):
        yield f"{event.id}: its source is {event.source}, said by {event.speaker}, so it must say the source"
    if event.strength == "weak" and event.op in ("remember", "update", "correct", "restore"):
        yield f"{event.id}: a weak {event.op} would be accepted"
    if event.states("value") and event.value is None:
        yield f"{event.id}: it says a value and has none"
    if event.states("old") and event.old is None:
        yield f"{event.id}: it says a former value and there is none"
    changes = event.op in ("update", "restore", "correct") and event.value is not None
    if changes and holds.get(event.target) == event.value:
        yield f"{event.id}: {event.op} to the value that already holds ({event.value})"
    if event.op == "remember" and holds.get(event.target, event.value) != event.value:
        yield f"{event.id}: remember gives {event.target} a second value without a change"
    if event.op == "reinforce" and event.states("value") and holds.get(event.target) != event.value:
        yield f"{event.id}: reinforces a value that does not hold"


def _values(spec: LatentSpec, facts: Facts) -> Iterator[str]:
    values = list(spec.member(TARGET).values.items())
    for index, (role, value) in enumerate(values):
        for other_role, other in values[index + 1 :]:
            if role != other_role and value != other and same(facts.kind, value, other):
                yield f"{role} ({value}) and {other_role} ({other}) are the same after normalising"


def _proofs(spec: LatentSpec) -> Iterator[str]:
    """Every gold follows from its evidence alone, and changes when one whole group is removed."""
    for probe in spec.probes:
        events = in_force(prefix(spec, probe), probe, dates_of(spec))
        stages = list(accumulate(events, lambda ledger, event: tell(ledger, event, event.says), initial=blank(spec.cast)))
        whole = answered(stages[-1], probe)
        for found in evidence(prefix(spec, probe), spec, probe, whole):
            yield from _proof(spec, probe, events, stages, whole.field(found.field), found)


def _proof(
    spec: LatentSpec,
    probe: Probe,
    events: tuple[Event, ...],
    stages: Sequence[Ledger],
    whole: GoldField,
    found: FieldEvidence,
) -> Iterator[str]:
    for group in found.groups:
        names = {atom.event for atom in group.of}
        first = next(number for number, event in enumerate(events) if event.id in names)
        ledger = stages[first]
        for event in without(events[first:], group.of):
            ledger = tell(ledger, event, event.says)
        if same_answer(answered(ledger, probe).field(found.field), whole):
            names = ", ".join(f"{atom.event}.{atom.facet}" for atom in group.of)
            yield f"probe {probe.id}: {found.field} stays {whole.answer!r} without its evidence ({names})"
    if not found.groups:
        return
    needed = {atom.event for group in found.groups for atom in group.of}
    kept = tuple(event for event in events if event.id in needed)
    alone = answered(replay(kept, spec.cast), probe).field(found.field)
    if not same_answer(alone, whole):
        yield f"probe {probe.id}: {found.field} is {whole.answer!r}, but {alone.answer!r} from its evidence alone"
