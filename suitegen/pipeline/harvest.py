"""What a journal holds of a build: how its cases came out, and the episodes of those that were accepted."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from suitegen.model.episode import CaseRecord, Episode
from suitegen.model.episodes import stored
from suitegen.pipeline.journal import Journal
from suitegen.publish.manifest import CaseOutcome, outcome


@dataclass(frozen=True, slots=True)
class Harvest:
    """The finished cases of a build."""

    cases: tuple[CaseOutcome, ...]
    """In the order of the plan."""
    episodes: Collection[Episode]
    """Of the accepted cases, in the order of their ids."""


def finished(journal: Journal, fingerprints: Mapping[str, str]) -> Iterator[CaseRecord]:
    """The records of the planned cases that were finished under the fingerprints that they have now."""
    for key, fingerprint in fingerprints.items():
        if journal.fingerprint(key) == fingerprint:
            yield journal.read(key)


def harvest(journal: Journal, fingerprints: Mapping[str, str]) -> Harvest:
    """What was finished, read a record at a time."""
    cases: list[CaseOutcome] = []
    places: dict[str, tuple[str, int]] = {}
    for record in finished(journal, fingerprints):
        cases.append(outcome(record))
        if record.status == "accepted":
            places.update((ep.episode_id, (record.case, number)) for number, ep in enumerate(record.episodes))

    def read(name: str) -> Episode:
        case, number = places[name]
        return journal.read(case).episodes[number]

    return Harvest(tuple(cases), stored(sorted(places), read))
