"""Tables as Parquet shards: one schema a config, written for the Hub's viewer and for exact rebuilds."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
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


class ShardWriter:
    """Writes the rows of a config into its folder as they come; without rows there is one empty shard.

    Args:
        folder: the suite's; the config's own is made in it.
        config: whose rows.
        rows_per_shard: after so many a new shard is begun; None for one shard.

    Raises:
        SuiteError: a row is too large for the Hub's viewer.
    """

    def __init__(self, folder: Path, config: Config, rows_per_shard: int | None = None) -> None:
        self._folder = folder / config
        self._folder.mkdir(parents=True)
        self._config = config
        self._schema = schema(config)
        self._limit = rows_per_shard
        self._waiting: list[Row] = []
        self._shards = 0
        self._in_shard = 0
        self._file: Any = None

    def add(self, rows: Iterable[Row]) -> None:
        """Write rows after those before."""
        for row in rows:
            _weigh(self._config, row)
            self._waiting.append(row)
            full = self._limit is not None and self._in_shard + len(self._waiting) == self._limit
            if full or len(self._waiting) == ROW_GROUP:
                self._flush()
            if full:
                self._end_shard()

    def close(self) -> None:
        """End the last shard and give all of them their names, which tell how many there are."""
        self._flush()
        if self._file is not None or not self._shards:
            self._end_shard()
        for number in range(self._shards):
            self._partial(number).rename(self._folder / shard_name(number, self._shards))

    def _partial(self, number: int) -> Path:
        return self._folder / f"{number}.part"

    def _open(self) -> Any:
        import pyarrow.parquet as pq

        if self._file is None:
            options = {"compression": "zstd", "write_page_index": True, "use_content_defined_chunking": True}
            self._file = pq.ParquetWriter(self._partial(self._shards), self._schema, **options)
        return self._file

    def _flush(self) -> None:
        import pyarrow as pa

        # A file without rows gets no row group: the datasets library cannot load an empty one.
        if self._waiting:
            table = pa.Table.from_pylist(self._waiting, schema=self._schema)
            self._open().write_table(table, row_group_size=ROW_GROUP)
            self._in_shard += len(self._waiting)
            self._waiting = []

    def _end_shard(self) -> None:
        self._open().close()
        self._file = None
        self._shards += 1
        self._in_shard = 0


class Shards:
    """The rows of a config's folder, read by the episode that they belong to.

    Columns that this version does not know are left out.

    Args:
        folder: the suite's.
        config: whose rows.

    Raises:
        SuiteError: a shard is missing, cannot be read, or has other columns.
    """

    def __init__(self, folder: Path, config: Config) -> None:
        self._config = config
        self._groups: list[tuple[Path, Any, int]] = []
        """The row groups: the file, open, and which of its groups they are."""
        self._places: dict[str | None, list[tuple[int, int]]] = {}
        """For each episode the row group and the row in it of all its rows, in order."""
        for path in _paths(folder, config):
            self._scan(path)
        self._rows = lru_cache(maxsize=2)(self._group)

    @property
    def episodes(self) -> tuple[str | None, ...]:
        """The episodes that have rows, in the order in which they first come up."""
        return tuple(self._places)

    def __len__(self) -> int:
        return sum(map(len, self._places.values()))

    def rows(self, episode: str | None) -> list[Row]:
        """The rows of an episode."""
        return [self._rows(group)[row] for group, row in self._places.get(episode, ())]

    def _scan(self, path: Path) -> None:
        file = _open(path, self._config)
        for number in range(file.num_row_groups):
            with _reading(path):
                names = file.read_row_group(number, columns=["episode_id"]).column("episode_id").to_pylist()
            for row, name in enumerate(names):
                self._places.setdefault(name, []).append((len(self._groups), row))
            self._groups.append((path, file, number))

    def _group(self, number: int) -> list[Row]:
        path, file, group = self._groups[number]
        with _reading(path):
            rows: list[Row] = file.read_row_group(group, columns=list(COLUMNS[self._config])).to_pylist()
        return rows


def read_shards(folder: Path, config: Config) -> list[Row]:
    """All rows of a config's folder, shard after shard. Columns that this version does not know are left out.

    Raises:
        SuiteError: a shard is missing, cannot be read, or has other columns.
    """
    rows: list[Row] = []
    for path in _paths(folder, config):
        file = _open(path, config)
        with _reading(path):
            rows += file.read(columns=list(COLUMNS[config])).to_pylist()
    return rows


def _paths(folder: Path, config: Config) -> list[Path]:
    paths = sorted((folder / config).glob("test-*.parquet"))
    expected = [shard_name(number, len(paths)) for number in range(len(paths))]
    if not paths or [path.name for path in paths] != expected:
        raise SuiteError(
            f"shards are missing or too many: {', '.join(path.name for path in paths) or 'there is none'}",
            where=str(folder / config),
            hint="fetch or build the suite again",
        )
    return paths


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


def _open(path: Path, config: Config) -> Any:
    """A shard whose columns are those of its config."""
    import pyarrow.parquet as pq

    with _reading(path):
        # ParquetFile, since read_table would take folder names such as a=b for columns.
        file = pq.ParquetFile(path)
    for field in schema(config):
        found = file.schema_arrow.field(field.name).type if field.name in file.schema_arrow.names else None
        if found != field.type:
            raise SuiteError(f"column {field.name!r} should be {field.type}, is {found or 'missing'}", where=str(path))
    return file


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    import pyarrow as pa

    try:
        yield
    except (pa.ArrowException, OSError) as exc:
        raise SuiteError(f"it cannot be read: {exc}", where=str(path), hint="fetch or build the suite again") from exc
