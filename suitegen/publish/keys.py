"""The keys of a built suite: every probe with its gold and its place in the design, from the files alone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from suitegen.errors import SuiteError
from suitegen.model.gold import Gold
from suitegen.publish.package import read_manifest
from suitegen.publish.parquet import read_shards
from suitegen.publish.tables import Row
from suitegen.reading.profile import Key


@dataclass(frozen=True, slots=True)
class Keys:
    """All probes of a suite with their golds, and the windows at which it asks."""

    probes: tuple[Key, ...]
    windows: tuple[str, ...]
    """Names in their order; none where the suite asks at no window."""


def read_keys(out: Path) -> Keys:
    """The keys in the order of the files; histories are not read.

    Raises:
        SuiteError: a file is missing, cannot be read, or does not agree with the others.
    """
    language = read_manifest(out).language
    groups = {str(row["episode_id"]): row["group_id"] for row in read_shards(out, "episodes")}
    rows = tuple(read_shards(out, "probes"))
    windows = _windows(rows)
    keys = tuple(_key(row, groups, language, windows) for row in rows)
    _distinct(keys)
    return Keys(keys, windows)


def _windows(rows: Iterable[Row]) -> tuple[str, ...]:
    """The windows by the last session that they show."""
    ends: dict[str, int] = {}
    for row in rows:
        if row.get("window") is not None:
            ends.setdefault(str(row["window"]), int(json.loads(str(row["asks"]))["asked_after"]))
    return tuple(sorted(ends, key=lambda name: ends[name]))


def _key(row: Row, groups: dict[str, object], language: str, windows: Sequence[str]) -> Key:
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
        window=windows.index(str(row["window"])) if row.get("window") is not None else None,
    )


def _distinct(keys: Iterable[Key]) -> None:
    seen: set[str] = set()
    for key in keys:
        if key.probe_id in seen:
            raise SuiteError("the probe id is used twice", where=f"probes: {key.probe_id}")
        seen.add(key.probe_id)
