"""All tables as CSV or JSON Lines, one file a config."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from suitegen.publish.formats.frame import Losses, Source
from suitegen.publish.parquet import Shards
from suitegen.publish.tables import COLUMNS, CONFIGS, Config, Row

Writer = Callable[[Path, Config, Iterable[Row], Losses], None]
"""Writes the rows of a config into a folder."""
_CELL = 32_767
"""Characters that a cell of a spreadsheet can hold."""


def as_csv(source: Source, folder: Path, losses: Losses) -> None:
    """Every config as a CSV file in UTF-8; lists are JSON text."""
    _all(source, folder, losses, write_csv)


def as_jsonl(source: Source, folder: Path, losses: Losses) -> None:
    """Every config as JSON Lines, with all columns in every row; nothing is lost."""
    _all(source, folder, losses, write_jsonl)


def rows_of(source: Source, config: Config) -> Iterator[Row]:
    """The rows of a config, an episode at a time."""
    shards = Shards(source.out, config)
    for episode in shards.episodes:
        yield from shards.rows(episode)


def write_csv(folder: Path, config: Config, rows: Iterable[Row], losses: Losses) -> None:
    """Rows as ``CONFIG.csv``: no value is an empty cell, flags are true and false."""
    # The csv module ends lines itself; another line end inside a text stays as it is.
    with (folder / f"{config}.csv").open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(COLUMNS[config])
        for row in rows:
            cells = [_cell(row[name]) for name in COLUMNS[config]]
            losses.add("an empty text cannot be told from no value", sum(row[name] == "" for name in COLUMNS[config]))
            losses.add(f"a cell is longer than a spreadsheet holds ({_CELL:,} characters)", _long(cells))
            writer.writerow(cells)


def write_jsonl(folder: Path, config: Config, rows: Iterable[Row], _losses: Losses) -> None:
    """Rows as ``CONFIG.jsonl``, in ASCII, so that no reader takes a character of a text for the end of a line."""
    with (folder / f"{config}.jsonl").open("w", encoding="ascii", newline="\n") as file:
        file.writelines(f"{json.dumps(_ordered(row, config))}\n" for row in rows)


def _all(source: Source, folder: Path, losses: Losses, write: Writer) -> None:
    for config in CONFIGS:
        write(folder, config, rows_of(source, config), losses)


def _ordered(row: Row, config: Config) -> Mapping[str, object]:
    return {name: row[name] for name in COLUMNS[config]}


def _cell(value: object) -> str:
    match value:
        case None:
            return ""
        case bool():
            return str(value).lower()
        case list():
            return json.dumps(value, ensure_ascii=False)
        case _:
            return str(value)


def _long(cells: Iterable[str]) -> int:
    return sum(len(cell) > _CELL for cell in cells)
