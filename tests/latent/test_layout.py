"""Layout: exact counts by largest remainder, and the same places for the members of a group."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from suitegen.latent import layout
from suitegen.latent.layout import Lengths, Place, Stretch, align, deal_kinds, flatten, stretches
from suitegen.model.paradigm import Condition, EventSpec, Phase, ProbeSpec, SessionSpec
from suitegen.model.suite import Mix, SuiteSpec
from suitegen.model.words import SessionKind

FILLERS: tuple[SessionKind, ...] = ("background", "near_miss", "confusable", "decoy", "stale_reference", "distractor")
MIXES = st.dictionaries(st.sampled_from(FILLERS), st.integers(0, 60))


def suite(mix: Mix, after: Mix) -> SuiteSpec:
    cell = {"paradigm": "p", "condition": "c", "count": 1}
    fields = {"id": "t", "title": "T", "fact_types": ["f"], "cells": [cell], "mix": mix, "mix_after": after}
    return SuiteSpec.model_validate(fields)


def condition(support: int, moves: int) -> Condition:
    """So many encodings, then so many changes."""
    told = SessionSpec(events=(EventSpec(op="remember", value="initial"),), repeat=support)
    moved = tuple(SessionSpec(events=(EventSpec(op="update", value=f"v{n}"),), gap=n % 2) for n in range(moves))
    phases = [Phase(encoding=(told,)), Phase(filler="before"), Phase(post_perturbation="after")]
    if moved:
        phases.insert(2, Phase(perturbation=moved))
    return Condition(expects="update", phases=tuple(phases), probes=(ProbeSpec(type="current"),))


def by_largest_remainder(dealt: Counter[str], mix: Mix, count: int) -> bool:
    """Whether the counts are the shares rounded down or up, and up where more is lost than where down."""
    total = sum(mix.values())
    if total == 0:
        return dealt == Counter({"background": count} if count else {})
    exact = {kind: Fraction(share * count, total) for kind, share in mix.items()}
    up = [exact[kind] - int(exact[kind]) for kind in mix if dealt[kind] == int(exact[kind]) + 1]
    down = [exact[kind] - int(exact[kind]) for kind in mix if dealt[kind] == int(exact[kind])]
    return len(up) + len(down) == len(mix) and dealt.total() == count and min(up, default=1) >= max(down, default=0)


@given(mix=MIXES, count=st.integers(0, 200), seed=st.integers(0, 10**6))
def test_kinds_are_apportioned_by_largest_remainder(mix: Mix, count: int, seed: int) -> None:
    dealt = layout._apportion(mix, count, seed, "before")
    assert len(dealt) == count
    assert by_largest_remainder(Counter(dealt), mix, count)


@given(
    mix=MIXES,
    after=MIXES,
    lengths=st.builds(Lengths, st.just(2), st.integers(0, 30), st.integers(0, 12)),
    support=st.integers(1, 4),
    moves=st.integers(0, 3),
    former=st.booleans(),
    mention=st.booleans(),
    seed=st.integers(0, 10**6),
)
def test_only_fillers_are_dealt_and_in_the_shares_of_the_mixes(
    mix: Mix, after: Mix, lengths: Lengths, support: int, moves: int, former: bool, mention: bool, seed: int
) -> None:
    places = flatten(stretches(condition(support, moves), lengths), {}, [])
    dealt = deal_kinds(places, suite(mix, after), former, mention, seed)
    assert [place._replace(kind=dealt[number].kind) for number, place in enumerate(places)] == list(dealt)
    assert all(new.kind == "event" for new, old in zip(dealt, places, strict=True) if old.kind == "event")
    last = max(number for number, place in enumerate(places) if place.kind == "event")
    before = Counter(place.kind for place in dealt if place.slot.startswith("filler"))
    late = Counter(place.kind for place in dealt[last + 1 :])
    if not moves:
        # Where nothing moves, all fillers come before.
        assert by_largest_remainder(late, mix, lengths.before + lengths.after)
        return
    assert by_largest_remainder(before, mix, lengths.before)
    assert former or not late["stale_reference"]
    assert mention or not late["stale_reference"] + late["decoy"]
    if mention and lengths.after and any(after.get(kind) for kind in ("stale_reference", "decoy")):
        assert late["stale_reference"] + late["decoy"] >= 1


@given(
    supports=st.lists(st.tuples(st.integers(1, 4), st.integers(0, 2)), min_size=1, max_size=4),
    before=st.integers(0, 6),
    seed=st.integers(0, 10**6),
)
def test_members_of_a_group_stand_in_the_same_places(supports: list[tuple[int, int]], before: int, seed: int) -> None:
    members = [stretches(condition(support, moves), Lengths(2, before, 3)) for support, moves in supports]
    aligned = align(members, seed)
    lengths: dict[str, set[int]] = {}
    for member, row in zip(members, aligned, strict=True):
        assert [stretch.key for stretch in row] == [stretch.key for stretch in member]
        for own, stretch in zip(member, row, strict=True):
            lengths.setdefault(stretch.key, set()).add(len(stretch.places))
            assert said(stretch) == said(own)
            assert [place.slot for place in stretch.places] == [f"{own.key}.{n}" for n in range(len(stretch.places))]
    assert all(len(found) == 1 for found in lengths.values())


def said(stretch: Stretch) -> list[tuple[EventSpec, ...]]:
    """What the places of a stretch say, in order."""
    return [place.events for place in stretch.places if place.events]


def test_a_lower_support_stands_among_the_higher() -> None:
    high, low = align([stretches(condition(n, 1), Lengths(2, 3, 2)) for n in (4, 1)], seed=7)
    taken = {place.slot for place in high[0].places}
    assert {place.slot for place in low[0].places if place.events} < taken
    assert Counter(place.kind for place in low[0].places) == {"event": 1, "background": 3}


def test_one_member_alone_keeps_its_places() -> None:
    row = stretches(condition(2, 2), Lengths(2, 4, 1))
    assert align([row], seed=1) == (row,)
    assert isinstance(row[0].places[0], Place)
