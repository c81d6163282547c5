"""The keys of a built suite: every probe with its gold and its place in the design, from the files alone."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pydantic import ValidationError

from suitegen.errors import SuiteError
from suitegen.model.gold import Gold
from suitegen.publish.package import read_manifest
from suitegen.publish.parquet import read_shards
from suitegen.publish.tables import Row
from suitegen.reading.profile import Key


def read_keys(out: Path) -> tuple[Key, ...]:
    """The keys in the order of the files; histories are not read.

    Raises:
        SuiteError: a file is missing, cannot be read, or does not agree with the others.
    """
    language = read_manifest(out).language
    groups = {str(row["episode_id"]): row["group_id"] for row in read_shards(out, "episodes")}
    keys = tuple(_key(row, groups, language) for row in read_shards(out, "probes"))
    _distinct(keys)
    return keys


def _key(row: Row, groups: dict[str, object], language: str) -> Key:
    episode = str(row["episode_id"])
    where = f"probes: {row['probe_id']}"
    if episode not in groups:
        raise SuiteError("it belongs to no episode of the suite", where=where)
    try:
        gold = Gold.model_validate_json(str(row["gold"]))
    except ValidationError as error:
        raise SuiteError(f"its gold cannot be read: {error.errors()[0]['msg']}", where=where) from error
    return Key(
        probe_id=str(row["probe_id"]),
        episode_id=episode,
        cluster=str(groups[episode] or episode),
        paradigm=str(row["paradigm"]),
        condition=str(row["condition"]),
        expects=row["expected_behavior"],  # type: ignore[arg-type]  # the column holds behaviours
        domain=str(row["domain"]),
        fact_type=str(row["fact_type"]),
        probe_type=gold.type,
        split=bool(row["split_perturbation"]),
        language=language,
        gold=gold,
    )


def _distinct(keys: Iterable[Key]) -> None:
    seen: set[str] = set()
    for key in keys:
        if key.probe_id in seen:
            raise SuiteError("the probe id is used twice", where=f"probes: {key.probe_id}")
        seen.add(key.probe_id)
