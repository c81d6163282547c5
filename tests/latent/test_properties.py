"""What holds for every coherent timeline: evidence is exact, fillers are harmless, names do not matter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hypothesis import HealthCheck, assume, given, reject, settings
from hypothesis import strategies as st

from suitegen.errors import DesignError
from suitegen.latent import coherence
from suitegen.latent.evidence import evidence, without
from suitegen.latent.gold import dates_of, gold, gold_of, same_answer
from suitegen.latent.outline import bearing
from suitegen.model.gold import FieldEvidence, Gold, GoldField
from suitegen.model.latent import Event, LatentSpec, Probe
from suitegen.model.paradigm import Condition
from tests.latent.brute import all_minimal_cuts
from tests.latent.random_conditions import compiled, conditions, facts, probes

BRUTE = 3
"""The largest cuts that are searched for by brute force."""
quick = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def specs(draw: st.DrawFn, most: int = 5) -> LatentSpec:
    """Coherent specs without fillers."""
    spec = fitting(draw(conditions(most)), draw(st.booleans()), draw(st.integers(0, 10**6)))
    assume(not sound(spec))
    return spec


def fitting(condition: Condition, split: bool, seed: int, before: int = 0, after: int = 0) -> LatentSpec:
    """The condition's spec; a condition that needs more values than there are is no example."""
    try:
        return compiled(condition, split, seed, before, after)
    except DesignError:
        reject()


def sound(spec: LatentSpec) -> list[str]:
    """What is wrong with the events and values of a spec."""
    return [*coherence._timeline(spec), *coherence._values(spec, {spec.cast[0].fact_type: facts(spec)})]


def asked(draw: st.DrawFn, spec: LatentSpec) -> list[Probe]:
    """Every probe about some member at some time, of two of its values and of one that nobody said."""
    member = draw(st.sampled_from(spec.cast))
    values = draw(st.permutations(sorted(set(member.values.values()))))[:2]
    last = len(spec.sessions) - 1
    after = draw(st.integers(0, last)) if draw(st.booleans()) else last
    return list(probes(spec, member.name, after, [*values, "never said"]))


def said(spec: LatentSpec, probe: Probe) -> tuple[Event, ...]:
    return tuple(event for event in spec.events if event.session <= probe.asked_after)


def answer(spec: LatentSpec, probe: Probe, events: Sequence[Event]) -> Gold:
    return gold(events, spec.cast, probe, dates=dates_of(spec))


def proofs(spec: LatentSpec, probe: Probe) -> Iterator[tuple[GoldField, FieldEvidence]]:
    """Each field of a probe's gold with its evidence."""
    events = said(spec, probe)
    whole = answer(spec, probe, events)
    for found in evidence(events, spec, probe, whole):
        yield whole.field(found.field), found


# -- evidence ---------------------------------------------------------------------------------------------------


@settings(quick, max_examples=100)
@given(data=st.data(), spec=specs())
def test_evidence_is_what_a_search_over_subsets_finds(data: st.DataObject, spec: LatentSpec) -> None:
    found = asked(data.draw, spec)
    events = said(spec, found[0])
    assume(sum(len(event.says) for event in events) <= 18)
    cuts = all_minimal_cuts(events, spec.cast, found, BRUTE, dates_of(spec))
    for probe in found:
        for field, proof in proofs(spec, probe):
            groups = {frozenset((atom.event, atom.facet) for atom in group.of) for group in proof.groups}
            assert {group for group in groups if len(group) <= BRUTE} == cuts[probe.id, field.name], (probe, field)


@quick
@given(data=st.data(), spec=specs())
def test_a_group_is_needed_and_no_part_of_it_suffices(data: st.DataObject, spec: LatentSpec) -> None:
    for probe in asked(data.draw, spec):
        events = said(spec, probe)
        for field, proof in proofs(spec, probe):
            for group in proof.groups:
                assert not same_answer(answer(spec, probe, without(events, group.of)).field(field.name), field)
                for kept in group.of:
                    part = [atom for atom in group.of if atom != kept]
                    assert same_answer(answer(spec, probe, without(events, part)).field(field.name), field)


@quick
@given(data=st.data(), spec=specs())
def test_one_facet_of_every_group_is_enough(data: st.DataObject, spec: LatentSpec) -> None:
    for probe in asked(data.draw, spec):
        events = said(spec, probe)
        for field, proof in proofs(spec, probe):
            for pick in (0, -1):
                kept = {(group.of[pick].event, group.of[pick].facet) for group in proof.groups}
                left = [e.model_copy(update={"says": tuple(f for f in e.says if (e.id, f) in kept)}) for e in events]
                assert same_answer(answer(spec, probe, left).field(field.name), field), (probe, field)


@quick
@given(data=st.data(), spec=specs())
def test_what_makes_sense_is_proved(data: st.DataObject, spec: LatentSpec) -> None:
    sensible = [
        probe
        for probe in asked(data.draw, spec)
        if not list(coherence._questions(spec.model_copy(update={"probes": (probe,)})))
    ]
    assert coherence.problems(spec.model_copy(update={"probes": tuple(sensible)}), facts(spec)) == ()


@quick
@given(data=st.data(), spec=specs())
def test_evidence_and_gold_are_the_same_again(data: st.DataObject, spec: LatentSpec) -> None:
    again = LatentSpec.model_validate_json(spec.model_dump_json())
    for probe in asked(data.draw, spec):
        assert list(proofs(spec, probe)) == list(proofs(again, probe))


# -- replay -----------------------------------------------------------------------------------------------------


@quick
@given(data=st.data(), spec=specs())
def test_what_comes_later_changes_nothing_before_it(data: st.DataObject, spec: LatentSpec) -> None:
    for probe in asked(data.draw, spec):
        asked_then = spec.model_copy(update={"events": said(spec, probe)})
        assert gold_of(spec, probe, facts(spec)) == gold_of(asked_then, probe, facts(spec))


@quick
@given(data=st.data(), spec=specs())
def test_what_is_said_of_others_changes_nothing(data: st.DataObject, spec: LatentSpec) -> None:
    for probe in asked(data.draw, spec):
        events = said(spec, probe)
        near = bearing(events, spec.cast, probe)
        for field in answer(spec, probe, events).fields:
            assert same_answer(answer(spec, probe, near).field(field.name), field)
        for event in events:
            if event.target != probe.about and event.refs == {} and event.op in ("remember", "challenge", "mention"):
                strange = probe.rival not in (event.value, event.old)
                left = tuple(each for each in events if each is not event)
                assert not strange or answer(spec, probe, left) == answer(spec, probe, events)


@quick
@given(data=st.data(), spec=specs())
def test_renamed_values_give_the_renamed_gold(data: st.DataObject, spec: LatentSpec) -> None:
    values = sorted({value for member in spec.cast for value in member.values.values()})
    names = dict(zip(values, data.draw(st.permutations(values)), strict=True))
    other = renamed(spec, names)
    for probe in asked(data.draw, spec):
        changes = {
            "rival": names.get(probe.rival or "", probe.rival),
            "premise": names.get(probe.premise or "", probe.premise),
        }
        counterpart = probe.model_copy(update=changes)
        for (field, proof), (twin, same) in zip(proofs(spec, probe), proofs(other, counterpart), strict=True):
            assert proof == same
            parts = field.answer.split(" -> ") if field.form in ("value", "values") else []
            # A count or a word stays as it is, also where some value is spelled like it.
            assert (" -> ".join(names.get(each, each) for each in parts) or field.answer) == twin.answer
            assert {tuple(names[each] for each in spelled) for spelled in field.answers} == set(twin.answers)


def renamed(spec: LatentSpec, names: dict[str, str]) -> LatentSpec:
    """The spec with other values in the place of its own."""

    def moved(event: Event) -> Event:
        return event.model_copy(
            update={field: names.get(value, value) for field in ("value", "old") if (value := getattr(event, field))}
        )

    return spec.model_copy(update={"events": tuple(moved(event) for event in spec.events)})


# -- fillers ----------------------------------------------------------------------------------------------------


@quick
@given(data=st.data(), condition=conditions(), split=st.booleans(), seed=st.integers(0, 10**6))
def test_fillers_change_no_gold(data: st.DataObject, condition: Condition, split: bool, seed: int) -> None:
    bare = fitting(condition, split, seed)
    full = fitting(condition, split, seed, before=data.draw(st.integers(0, 20)), after=data.draw(st.integers(0, 8)))
    assume(not sound(bare))
    assert not sound(full)
    told = {event.id for event in bare.events}
    for probe, (later, proof) in ((p, pair) for p in asked_at_end(data.draw, bare) for pair in at_end(full, p)):
        assert same_answer(answer(bare, probe, bare.events).field(later.name), later), probe
        fillers = {atom.event for group in proof.groups for atom in group.of} - told
        assert all(name.startswith("stale_reference") for name in fillers), fillers


def asked_at_end(draw: st.DrawFn, spec: LatentSpec) -> list[Probe]:
    """Probes at the end that name no day."""
    last = len(spec.sessions) - 1
    return [probe.model_copy(update={"asked_after": last}) for probe in asked(draw, spec) if probe.type != "as_of"]


def at_end(spec: LatentSpec, probe: Probe) -> Iterator[tuple[GoldField, FieldEvidence]]:
    return proofs(spec, probe.model_copy(update={"asked_after": len(spec.sessions) - 1}))
