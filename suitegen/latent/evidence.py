"""Evidence: the minimal sets of stated facets whose removal changes a gold, from the replay's own provenance.

Each set is a group of which one facet must stay. A gold that no cut changes has no group: it is a
negative one, which nothing in particular proves.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, count

from suitegen.latent.gold import Facts, dates_of, in_force, prefix
from suitegen.latent.outline import Outline, bearing, drawn, outline
from suitegen.latent.readings import Cut, Cuttable, FieldCuts, Row, smallest_cuts
from suitegen.model.gold import Atom, FieldEvidence, Gold, Group
from suitegen.model.latent import Event, LatentSpec, Probe


def evidence(events: Iterable[Event], spec: LatentSpec, probe: Probe, answer: Gold) -> tuple[FieldEvidence, ...]:
    """The groups of each field of a probe's gold over a prefix of events."""
    found = {each.field: each for each in _evidence(tuple(events), spec, probe)}
    return tuple(found[field.name] for field in answer.fields)


def evidence_of(spec: LatentSpec, probe: Probe, facts: Facts) -> tuple[FieldEvidence, ...]:
    """The evidence of a probe of a latent spec.

    It is a matter of what is the same and what is not: ``facts``, by which values are spelled, do not enter.
    """
    return _evidence(prefix(spec, probe), spec, probe)


def _evidence(events: Sequence[Event], spec: LatentSpec, probe: Probe) -> tuple[FieldEvidence, ...]:
    kept = bearing(events, spec.cast, probe)
    if probe.as_of is not None and not any(event.effective and event.states("date") for event in kept):
        # Where no text says since when, the day only says which sessions count.
        kept = tuple(event for event in kept if event.session <= probe.as_of)
        probe = probe.model_copy(update={"type": "current", "as_of": None})
    shape, runs = outline(kept, spec.cast, probe)
    found = _cuts_on_day(kept, shape, dates_of(spec)) if probe.type == "as_of" else _cuts(shape)
    atoms = [
        [Atom(event=event.id, facet=facet) for event in run]
        for run, telling in zip(runs, shape.events, strict=True)
        for facet in telling.says
    ]
    return tuple(FieldEvidence(field=field, groups=_groups(cuts, atoms)) for field, cuts in found)


def without(events: Iterable[Event], atoms: Iterable[Atom]) -> tuple[Event, ...]:
    """The events with the atoms' facets cut from what they say."""
    cut: dict[str, set[str]] = {}
    for atom in atoms:
        cut.setdefault(atom.event, set()).add(atom.facet)
    return tuple(
        event.model_copy(update={"says": tuple(f for f in event.says if f not in cut[event.id])})
        if event.id in cut
        else event
        for event in events
    )


def _cuttable(events: Iterable[Event]) -> tuple[Cuttable, ...]:
    bits = count()
    return tuple(Cuttable(event, tuple((facet, 1 << next(bits)) for facet in event.says)) for event in events)


@lru_cache(maxsize=4096)
def _cuts(shape: Outline) -> tuple[FieldCuts, ...]:
    """By field the smallest cuts for every timeline of an outline; most timelines share theirs with others."""
    cast, events, probe = drawn(shape)
    return smallest_cuts([Row(0, _cuttable(events))], cast, probe)


def _cuts_on_day(events: Sequence[Event], shape: Outline, dates: Mapping[int, str]) -> tuple[FieldCuts, ...]:
    """The same where a day is asked for: a date that is cut moves its event to the day on which it was said."""
    cast, nameless, probe = drawn(shape)
    tellings = _cuttable(nameless)
    dated = [(at, bit) for at, telling in enumerate(tellings) for facet, bit in telling.facets if facet == "date"]
    rows = []
    for cut in (cut for size in range(len(dated) + 1) for cut in combinations(dated, size)):
        undated = without(events, [Atom(event=events[at].id, facet="date") for at, _ in cut])
        places = {event.id: at for at, event in enumerate(undated)}
        row = [tellings[places[event.id]] for event in in_force(undated, probe, dates)]
        rows.append(Row(sum(bit for _, bit in cut), tuple(telling.dateless() for telling in row)))
    return smallest_cuts(rows, cast, probe)


def _groups(cuts: Iterable[Cut], atoms: Sequence[Sequence[Atom]]) -> tuple[Group, ...]:
    sets = [[atom for bit, each in enumerate(atoms) if cut >> bit & 1 for atom in each] for cut in cuts]
    groups = [Group(need=1, of=tuple(sorted(atoms, key=_order))) for atoms in sets]
    return tuple(sorted(groups, key=lambda group: [_order(atom) for atom in group.of]))


def _order(atom: Atom) -> tuple[str, str]:
    return atom.event, atom.facet
