"""The reader on the half of fact types and lines that it was not tuned on: a sample of what the script reads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from types import ModuleType

import pytest

from suitegen.library.catalog import load
from suitegen.library.shelves import shelves
from suitegen.model.catalog import Catalog

EPISODES = 72
FULL, EVIDENCE = 0.9, 0.88
"""Floors for what nothing has looked at yet; tests/build holds built suites to more."""


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load(shelves(None)).catalog


def test_the_halves_share_no_fact_type_and_no_phrase(halves: ModuleType, catalog: Catalog) -> None:
    tuning, held = (halves.halved(catalog, half) for half in halves.HALVES)
    assert {*tuning.fact_types, *held.fact_types} == {*catalog.fact_types}
    assert not tuning.fact_types.keys() & held.fact_types.keys()
    lines = [{line for phrase in each.surfaces["en"].phrases for line in phrase.lines} for each in (tuning, held)]
    assert not lines[0] & lines[1]
    assert min(map(len, lines)) > 20


def test_an_episode_of_a_half_is_made_of_that_half_alone(halves: ModuleType, catalog: Catalog) -> None:
    held = halves.halved(catalog, "held-out")
    name = halves.Draws.of(held).dynamic[0]
    episode = next(halves.Draws.of(held).episodes(name, 1))
    assert {halves.half_of(member.fact_type) for member in episode.spec.cast} == {"held-out"}


@pytest.fixture(scope="module")
def rows(halves: ModuleType, catalog: Catalog) -> dict[str, tuple[float, float]]:
    drawn: Iterator[object] = islice(halves.Draws.of(halves.halved(catalog, "held-out")).mixed(1), EPISODES)
    found = halves.rows("held-out", halves.reads(drawn))
    return {row.probe_type: row.shares for row in found if row.fact_type == halves.ALL}


@pytest.mark.parametrize("probe_type", ["current", "previous", "change"])
def test_most_of_the_held_out_half_is_read_as_it_is_first_written(
    rows: dict[str, tuple[float, float]], probe_type: str
) -> None:
    full, evidence = rows[probe_type]
    assert full >= FULL
    assert evidence >= EVIDENCE


def test_a_reader_that_is_wrong_is_seen(halves: ModuleType, catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = halves.Draws.of(replace(catalog)).episodes("swim_slot", 1)
    monkeypatch.setattr(halves, "READER", Wrong())
    rows = halves.rows("tuning", halves.reads(islice(drawn, 3)))
    assert {row.full for row in rows if row.probe_type == "current"} == {0.0}


class Wrong:
    name = "wrong"

    def read(self, sessions: object, question: object) -> dict[str, str]:
        return {"value": "something else"}
