"""The replay of a timeline told step by step: what each event leaves of that which a probe asks about."""

from __future__ import annotations

from typing import NamedTuple

from suitegen.latent.gold import current, dates_of, in_force, prefix, previous
from suitegen.latent.ledger import State, blank, tell
from suitegen.latent.outline import bearing
from suitegen.model.latent import Event, LatentSpec, Probe


class Step(NamedTuple):
    """An event, and how the target stands once it is said."""

    event: Event
    state: State
    current: str
    """The accepted value, or the word for there being none to give."""
    previous: str


def replayed(spec: LatentSpec, probe: Probe) -> tuple[Step, ...]:
    """The events that a probe may use, in the order in which they count, each with the state it leaves."""
    steps: list[Step] = []
    ledger = blank(spec.cast)
    events = prefix(spec, probe)
    if spec.shared:
        # Of the other threads in the history nothing bears on it.
        events = bearing(events, spec.cast, probe)
    for event in in_force(events, probe, dates_of(spec)):
        ledger = tell(ledger, event, event.says)
        track = ledger.track(probe.about)
        steps.append(Step(event, track.state, current(track), previous(track)))
    return tuple(steps)
