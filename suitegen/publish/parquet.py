"""Tables as Parquet shards: one schema a config, written for the Hub's viewer and for exact rebuilds."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from suitegen.errors import SuiteError
from suitegen.publish.tables import COLUMNS, Column, Config, Row

ROW_LIMIT = 2_000_000
"""Bytes a row may have: the dataset viewer shows no larger ones."""
ROW_GROUP = 100
"""Rows of a row group, so that a reader can skip and a viewer page."""


def schema(config: Config) -> Any:
    """The Arrow schema of a config; the same for every shard, whatever its rows hold."""
    import pyarrow as pa

    return pa.schema([pa.field(name, _type(column)) for name, column in COLUMNS[config].items()])


def shard_name(index: int, of: int) -> str:
    """File name of a shard, as the Hub expects it."""
    return f"test-{index:05d}-of-{of:05d}.parquet"


def write_shards(folder: Path, config: Config, rows: Sequence[Row], rows_per_shard: int | None = None) -> list[Path]:
    """Writes the rows of a config into its folder; without rows there is one empty shard.

    Raises:
        SuiteError: a row is too large for the Hub's viewer.
    """
    for row in rows:
        _weigh(config, row)
    step = rows_per_shard or max(len(rows), 1)
    starts = range(0, max(len(rows), 1), step)
    target = folder / config
    target.mkdir(parents=True)
    paths = [target / shard_name(number, len(starts)) for number in range(len(starts))]
    for path, start in zip(paths, starts, strict=True):
        _write(path, config, rows[start : start + step])
    return paths


def read_shards(folder: Path, config: Config) -> list[Row]:
    """The rows of a config's folder, shard after shard. Columns that this version does not know are left out.

    Raises:
        SuiteError: a shard is missing, cannot be read, or has other columns.
    """
    paths = sorted((folder / config).glob("test-*.parquet"))
    expected = [shard_name(number, len(paths)) for number in range(len(paths))]
    if not paths or [path.name for path in paths] != expected:
        raise SuiteError(
            f"shards are missing or too many: {', '.join(path.name for path in paths) or 'there is none'}",
            where=str(folder / config),
            hint="fetch or build the suite again",
        )
    return [row for path in paths for row in _read(path, config)]


def _type(column: Column) -> Any:
    import pyarrow as pa

    match column:
        case "text":
            return pa.string()
        case "int":
            return pa.int32()
        case "flag":
            return pa.bool_()
        case "texts":
            return pa.list_(pa.string())
        case "turns":
            return pa.list_(pa.struct([("role", pa.string()), ("name", pa.string()), ("content", pa.string())]))


def _weigh(config: Config, row: Row) -> None:
    weight = len(json.dumps(row, ensure_ascii=False).encode())
    if weight > ROW_LIMIT:
        name = " ".join(str(row[key]) for key in ("episode_id", "session_id", "probe_id", "event_id") if row.get(key))
        raise SuiteError(
            f"the row has {weight:,} bytes; more than {ROW_LIMIT:,} cannot be shown by the dataset viewer",
            where=f"{config}: {name}",
            hint="shorten the session, or split it into several",
        )


def _write(path: Path, config: Config, rows: Sequence[Row]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    columns = schema(config)
    options = {"compression": "zstd", "write_page_index": True, "use_content_defined_chunking": True}
    with pq.ParquetWriter(path, columns, **options) as writer:
        # A file without rows gets no row group: the datasets library cannot load an empty one.
        if rows:
            writer.write_table(pa.Table.from_pylist(list(rows), schema=columns), row_group_size=ROW_GROUP)


def _read(path: Path, config: Config) -> list[Row]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        # ParquetFile, since read_table would take folder names such as a=b for columns.
        with pq.ParquetFile(path) as file:
            table = file.read()
    except (pa.ArrowException, OSError) as exc:
        raise SuiteError(f"it cannot be read: {exc}", where=str(path), hint="fetch or build the suite again") from exc
    for field in schema(config):
        found = table.schema.field(field.name).type if field.name in table.schema.names else None
        if found != field.type:
            raise SuiteError(
                f"column {field.name!r} should be {field.type}, is {found or 'missing'}",
                where=str(path),
            )
    rows: list[Row] = table.select(list(COLUMNS[config])).to_pylist()
    return rows
