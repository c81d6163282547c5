#!/usr/bin/env python3
"""How often the lexical reader is right on either half of the fact types and lines, as the offline writer first writes.

    scripts/reader_halves.py [--half tuning|held-out] [--each N] [--suite OUT] [--json]

Every fact type and every line of the surfaces belongs to one of two halves, by the SHA-256 of its id or text. Episodes
are drawn over every condition of the shipped paradigms, split and whole, from one half's fact types and lines alone.
No gate has seen them and nothing was written again. They are read in full and from their evidence sessions alone;
printed is the share of probes that are read right, by half, probe type and fact type. The reader was tuned on the
tuning half. With --suite the episodes are those of a built suite, by the half of their fact type: the gates have seen
them, and what was misread was written again.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

from suitegen.filler.library import Library
from suitegen.latent.compile import compile_case
from suitegen.latent.plan import plan
from suitegen.latent.seeds import shuffled
from suitegen.library.catalog import load
from suitegen.library.shelves import shelves
from suitegen.model.catalog import Catalog
from suitegen.model.episode import AskedProbe, Episode
from suitegen.model.suite import SuiteSpec
from suitegen.model.surface import Exchange, Phrase, Surfaces
from suitegen.pipeline.assemble import Attempts, assemble, write
from suitegen.pipeline.drafts import Drafts
from suitegen.pipeline.kit import Workshop
from suitegen.publish.package import read
from suitegen.reading.lexical import LexicalReader
from suitegen.validation.protocol import Kit
from suitegen.validation.reading_rules import evidence_sessions, right
from suitegen.values.lexicon import Lexicon
from suitegen.writing.offline import OfflineWriter

HALVES = ("tuning", "held-out")
GATED = ("current", "previous", "change")
ALL = "all fact types"
READER = LexicalReader()

K = TypeVar("K")


@dataclass(frozen=True, slots=True)
class Row:
    """How many probes of a type were read right, of how many."""

    half: str
    fact_type: str
    probe_type: str
    full: float
    n: int
    oracle: float
    """From the evidence sessions alone."""
    n_oracle: int
    """Probes that have evidence."""

    @property
    def shares(self) -> tuple[float | None, float | None]:
        """Right in full context, and from the evidence."""
        return _share(self.full, self.n), _share(self.oracle, self.n_oracle)


@dataclass(frozen=True, slots=True)
class Read:
    """One probe, read."""

    episode: Episode
    asked: AskedProbe
    full: float
    oracle: float | None
    """None where there is no evidence."""


def _share(points: float, n: int) -> float | None:
    return points / n if n else None


# -- one half -------------------------------------------------------------------------------------------------------


def half_of(text: str) -> str:
    """The half of a fact type's id or of a line."""
    return HALVES[int(sha256(text.encode()).hexdigest(), 16) % 2]


def halved(catalog: Catalog, half: str) -> Catalog:
    """The catalogue with one half's fact types and lines.

    An exchange of the other half stays where no other serves its speaker, source, op and strength, and so do
    riders and clauses that would be without any line: without them nothing could be written.
    """
    surfaces = {language: _half_surfaces(each, half) for language, each in catalog.surfaces.items()}
    fact_types = {name: each for name, each in catalog.fact_types.items() if half_of(name) == half}
    return replace(catalog, surfaces=surfaces, fact_types=fact_types)


def _half_surfaces(surfaces: Surfaces, half: str) -> Surfaces:
    riders = {facet: _kept(lines, half) or lines for facet, lines in surfaces.riders.items()}
    clauses = {name: _kept(lines, half) or lines for name, lines in surfaces.clauses.items()}
    return surfaces.model_copy(
        update={
            "phrases": _half_phrases(surfaces.phrases, half),
            "exchanges": _half_exchanges(surfaces.exchanges, half),
            "riders": riders,
            "clauses": clauses,
        }
    )


def _kept(lines: Sequence[str], half: str) -> tuple[str, ...]:
    return tuple(line for line in lines if half_of(line) == half)


def _half_phrases(phrases: Sequence[Phrase], half: str) -> tuple[Phrase, ...]:
    kept = ((phrase, _kept(phrase.lines, half)) for phrase in phrases)
    return tuple(phrase.model_copy(update={"lines": lines}) for phrase, lines in kept if lines)


def _half_exchanges(exchanges: Sequence[Exchange], half: str) -> tuple[Exchange, ...]:
    own = [each for each in exchanges if half_of(each.model_dump_json()) == half]
    served = {(each.speaker, each.source, each.op, each.strength) for each in own}
    return tuple(
        each for each in exchanges if each in own or (each.speaker, each.source, each.op, each.strength) not in served
    )


# -- draws ----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Draws:
    """What raw episodes are drawn from."""

    catalog: Catalog
    writer: OfflineWriter
    lexicon: Lexicon
    sources: tuple[Library, ...]

    @classmethod
    def of(cls, catalog: Catalog) -> Draws:
        """Draws from a catalogue, with the filler library."""
        library = Library(list(catalog.scripts.values()))
        return cls(catalog, OfflineWriter(catalog), Lexicon(catalog.fact_types), (library,))

    @property
    def dynamic(self) -> list[str]:
        """The fact types that change."""
        return sorted(name for name, declared in self.catalog.fact_types.items() if declared.changes)

    def episodes(self, fact_type: str, each: int) -> Iterator[Episode]:
        """Episodes of a fact type over every condition, split and whole, ``each`` of every combination."""
        suite = _suite(self.catalog, fact_type, self.dynamic, each)
        workshop = Workshop(Kit(self.catalog, suite, self.lexicon), self.writer, self.sources, (), {})
        for case in shuffled(plan(suite, self.catalog), suite.id):
            group = compile_case(suite, self.catalog, case, 0)
            for spec in group:
                text = write(workshop, spec, group, Attempts(), Drafts())
                yield assemble(workshop, case, spec, text, Attempts())

    def mixed(self, each: int) -> Iterator[Episode]:
        """Episodes of all fact types that change, dealt in turn."""
        running = [self.episodes(name, each) for name in self.dynamic]
        while running:
            dealt = [(drawn, next(drawn, None)) for drawn in running]
            yield from (episode for _, episode in dealt if episode is not None)
            running = [drawn for drawn, episode in dealt if episode is not None]


def built(out: Path, half: str) -> Iterator[Episode]:
    """The episodes of a built suite whose fact type is in the half."""
    return (episode for episode in read(out).episodes if half_of(episode.spec.fact_type) == half)


def _suite(catalog: Catalog, fact_type: str, known: Sequence[str], each: int) -> SuiteSpec:
    """A suite of one fact type; the others lend neighbours and scenes."""
    cells = [
        {"paradigm": paradigm, "condition": name, "split": [False, True] if condition.split else [False]}
        for paradigm, declared in sorted(catalog.paradigms.items())
        for name, condition in declared.conditions.items()
    ]
    return SuiteSpec.model_validate(
        {
            "id": f"halves-{fact_type}",
            "title": "Raw draws",
            "fact_types": known,
            "leaky_probes": True,
            "cells": [{**cell, "fact_types": [fact_type], "each": each} for cell in cells],
        }
    )


def reads(drawn: Iterator[Episode]) -> Iterator[Read]:
    """Every probe of the episodes, read twice."""
    for episode in drawn:
        language = episode.spec.language
        for asked in episode.probes:
            evidence = [episode.sessions[index] for index in evidence_sessions(asked, episode)]
            oracle = right(READER, evidence, asked, language) or 0.0 if evidence else None
            yield Read(episode, asked, right(READER, episode.sessions, asked, language) or 0.0, oracle)


def rows(half: str, read: Iterator[Read]) -> list[Row]:
    """The counts by fact type and probe type, and those of all fact types."""
    kept: dict[tuple[str, str], list[tuple[float, float | None]]] = defaultdict(list)
    for each in read:
        for fact_type in (ALL, each.episode.spec.fact_type):
            kept[fact_type, each.asked.probe.type].append((each.full, each.oracle))
    return [_row(half, fact_type, kind, of) for (fact_type, kind), of in sorted(kept.items())]


def _row(half: str, fact_type: str, probe_type: str, of: Sequence[tuple[float, float | None]]) -> Row:
    oracle = [points for _, points in of if points is not None]
    return Row(half, fact_type, probe_type, sum(full for full, _ in of), len(of), sum(oracle), len(oracle))


# -- printing -------------------------------------------------------------------------------------------------------


def _shown(row: Row) -> str:
    full, oracle = (f"{share:.3f}" if share is not None else "  -  " for share in row.shares)
    return f"  {row.fact_type:22} {row.probe_type:9} full {full} (n {row.n:4})  evidence {oracle} (n {row.n_oracle:4})"


def _data(row: Row) -> dict[str, object]:
    full, oracle = row.shares
    return {
        "half": row.half, "fact_type": row.fact_type if row.fact_type != ALL else None, "probe_type": row.probe_type,
        "full_context": full, "n": row.n, "evidence": oracle, "n_evidence": row.n_oracle,
    }  # fmt: skip


def _episodes(given: argparse.Namespace, half: str) -> Iterator[Episode]:
    if given.suite:
        return built(given.suite, half)
    return Draws.of(halved(load(shelves(None)).catalog, half)).mixed(given.each)


def main() -> None:
    """Draw, read, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=HALVES, action="append", help="only this half")
    parser.add_argument("--each", type=int, default=1, help="episodes of every fact type, condition and split")
    parser.add_argument("--suite", type=Path, metavar="OUT", help="the episodes of a built suite instead of draws")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    found = [row for half in given.half or HALVES for row in rows(half, reads(_episodes(given, half)))]
    if given.json:
        print(json.dumps([_data(row) for row in found], indent=1))
        return
    for half in given.half or HALVES:
        print(half)
        for row in found:
            if row.half == half and (row.fact_type == ALL or row.probe_type in GATED):
                print(_shown(row))


if __name__ == "__main__":
    main()
