"""What readers reach on a suite: by setting, probe type, split and reader, as in MemProbe's tables 11 to 15."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple, get_args

from suitegen.model.base import Noun
from suitegen.reading.profile import Chosen, Key, Mean, Rate, Scored, Table, less

Setting = Literal["full_context", "oracle", "closed_book", "leave_one_group_out", "bm25", "dense"]
"""What a reader is shown of a history: all of it; the sessions with evidence; nothing; all but the turns of one group
of evidence; the five sessions that BM25, or the nearest vectors, give for the question."""
SETTINGS: tuple[Setting, ...] = get_args(Setting)
RETRIEVED: tuple[Setting, ...] = ("bm25", "dense")


class Reading(Noun):
    """What one reader reached under one setting.

    Under ``leave_one_group_out`` the points are for answers that are lost once any one group of their evidence is cut
    out, over the probes that the reader answers right from the whole history. A gap (``full_context less bm25``) is the
    difference over the probes that were read under both.
    """

    reader: str
    setting: str
    unparsable: int
    """Probes whose answer could not be read: they count for no rate."""
    overall: Rate
    types: tuple[Rate, ...]
    """By probe type."""
    splits: tuple[Rate, ...]
    """Of split and of whole episodes."""


Rows = Mapping[Setting, Sequence[Scored]]
"""Scored probes by setting; a setting holds those to which it applies."""


def summed(reader: str, rows: Rows) -> tuple[Reading, ...]:
    """The readings of one reader, and its gaps."""
    tables = {setting: Table(rows[setting]) for setting in SETTINGS if rows.get(setting)}
    found = [_reading(reader, setting, table, _unparsable(rows[setting])) for setting, table in tables.items()]
    return (*found, *_gaps(reader, rows))


def _unparsable(rows: Iterable[Scored]) -> int:
    return sum(row.outcome == "unparsable" for row in rows)


def _reading(reader: str, setting: str, table: Table, unparsable: int) -> Reading:
    kinds = sorted({row.key.probe_type for row in table.rows})
    return Reading(
        reader=reader, setting=setting, unparsable=unparsable, overall=table.mean(None).rate("overall"),
        types=tuple(table.mean(_of(kind)).rate(kind) for kind in kinds),
        splits=tuple(table.mean(chosen).rate(name) for name, chosen in _SPLITS.items()),
    )  # fmt: skip


def _of(kind: str) -> Chosen:
    return lambda key: key.probe_type == kind


def _is_split(key: Key) -> bool:
    return key.split


def _is_whole(key: Key) -> bool:
    return not key.split


_SPLITS: Mapping[str, Chosen] = {"split": _is_split, "whole": _is_whole}


def _gaps(reader: str, rows: Rows) -> Iterator[Reading]:
    """Full context less each retrieval, over the same probes."""
    for setting in RETRIEVED:
        if not (rows.get("full_context") and rows.get(setting)):
            continue
        read = [
            {row.key.probe_id: row for row in rows[each] if row.points is not None}
            for each in ("full_context", setting)
        ]  # fmt: skip
        both = read[0].keys() & read[1].keys()
        whole, found = (Table([row for name, row in each.items() if name in both]) for each in read)
        kinds = sorted({row.key.probe_type for row in whole.rows})
        yield Reading(
            reader=reader, setting=f"full_context less {setting}", unparsable=0,
            overall=_gap(whole, found, None).rate("overall"),
            types=tuple(_gap(whole, found, _of(kind)).rate(kind) for kind in kinds),
            splits=tuple(_gap(whole, found, chosen).rate(name) for name, chosen in _SPLITS.items()),
        )  # fmt: skip


def _gap(one: Table, other: Table, chosen: Chosen | None) -> Mean:
    left, right = one.mean(chosen), other.mean(chosen)
    draws = [less(a, b) for a, b in zip(left.draws, right.draws, strict=True)]
    return Mean(less(left.value, right.value), left.n, draws)


# -- shown ------------------------------------------------------------------------------------------------------


class Sheet(NamedTuple):
    """The readings of one reader as a table of text, in percent."""

    reader: str
    head: tuple[str, ...]
    rows: tuple[tuple[str | int, ...], ...]


def sheets(readings: Iterable[Reading]) -> tuple[Sheet, ...]:
    """One table for each reader: settings down; overall, split, whole and every probe type across."""
    by_reader: dict[str, list[Reading]] = {}
    for reading in readings:
        by_reader.setdefault(reading.reader, []).append(reading)
    return tuple(_sheet(reader, own) for reader, own in by_reader.items())


def _sheet(reader: str, own: Sequence[Reading]) -> Sheet:
    names = ("split", "whole", *sorted({rate.name for reading in own for rate in reading.types}))
    head = ("setting", "overall", "95 % interval", "n", *names, "unparsable")
    return Sheet(reader, head, tuple(_row(reading, names) for reading in own))


def _row(reading: Reading, names: Sequence[str]) -> tuple[str | int, ...]:
    rates = {rate.name: rate for rate in (*reading.splits, *reading.types)}
    overall = reading.overall
    interval = f"{_percent(overall.low)} to {_percent(overall.high)}" if overall.low is not None else ""
    cells = (_percent(rates[name].value) if name in rates else "" for name in names)
    setting = reading.setting.replace("_", " ")
    return (setting, _percent(overall.value), interval, overall.n, *cells, reading.unparsable)


def _percent(share: float | None) -> str:
    return "" if share is None else f"{100 * share:.1f}"
