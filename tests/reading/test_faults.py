"""Faults in dialogues that are read right when whole: a sample of what the script puts in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from types import ModuleType

import pytest

from suitegen.library.catalog import load
from suitegen.library.shelves import shelves
from suitegen.model.history import Session

FAULTS = 90
NOTICED = 0.95
FACT_TYPES = ("cello_teacher", "language_class", "log_level", "swim_slot", "project_owner", "gym", "standup_time")


@pytest.fixture(scope="module")
def found(halves: ModuleType, faults: ModuleType) -> list[object]:
    catalog = load(shelves(None)).catalog
    some = replace(catalog, fact_types={name: catalog.fact_types[name] for name in FACT_TYPES})
    return faults.faults(halves.Draws.of(some), FAULTS)


def test_faults_are_noticed(found: list[object]) -> None:
    noticed = [fault.noticed for fault in found]
    assert sum(noticed) >= NOTICED * len(noticed), [fault for fault in found if not fault.noticed]


def test_every_kind_of_fault_was_put_in(faults: ModuleType, found: list[object]) -> None:
    counts = {kind: sum(fault.kind == kind for fault in found) for kind in faults.KINDS}
    assert len(counts) == 6
    assert all(counts.values()), counts
    assert len(found) >= 0.8 * FAULTS, counts


def test_a_fault_changes_what_is_said_and_only_that(halves: ModuleType, faults: ModuleType) -> None:
    draws = halves.Draws.of(load(shelves(None)).catalog)
    episode = next(draws.episodes("swim_slot", 1))
    asked = next(asked for asked in episode.probes if asked.probe.type == "current")
    hurt = faults.swapped(faults.Scene(draws, episode, asked))
    changed = [
        (old.index, place)
        for old, new in zip(episode.sessions, hurt, strict=True)
        for place, (one, other) in enumerate(zip(old.turns, new.turns, strict=True))
        if one != other
    ]
    answer = asked.gold.fields[0].answer
    held = {event.id for event in episode.spec.events if event.value == answer}
    told = {(span.session, span.turn) for span in episode.spans if span.event in held}
    assert changed
    assert {*changed} <= told | {(session, turn + 1) for session, turn in told}
    assert not any(draws.lexicon.values_of("swim_slot").mentions_value(content(hurt, *at), answer) for at in told)


def content(sessions: Sequence[Session], session: int, turn: int) -> str:
    return sessions[session].turns[turn].content
