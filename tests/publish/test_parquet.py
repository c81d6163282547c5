from __future__ import annotations

import shutil
from dataclasses import replace

import datasets
import pyarrow.parquet as pq
import pytest

from suitegen.errors import SuiteError
from suitegen.publish.manifest import assemble
from suitegen.publish.package import read, write
from suitegen.publish.parquet import Shards, ShardWriter, read_shards, schema
from suitegen.publish.tables import COLUMNS, CONFIGS, rows


def load(out, config, tmp_path):
    cache = tmp_path / f"cache-{config}-{len(list(tmp_path.iterdir()))}"
    return datasets.load_dataset(str(out), config, split="test", cache_dir=str(cache))


@pytest.fixture(autouse=True)
def quiet():
    datasets.disable_progress_bars()


def test_the_datasets_library_loads_every_config(make_suite, tmp_path):
    out = tmp_path / "suite"
    suite = make_suite(3)
    write(out, suite)
    for config in CONFIGS:
        table = load(out, config, tmp_path)
        assert table.column_names == list(COLUMNS[config])
        assert table.to_list() == read_shards(out, config)
    sessions = load(out, "sessions", tmp_path)
    assert sessions.filter(lambda row: row["episode_id"] == "ep-0001")["index"] == [0, 1, 2, 3]


def test_probes_are_the_default_config(make_suite, tmp_path):
    out = tmp_path / "suite"
    write(out, make_suite(2))
    table = datasets.load_dataset(str(out), cache_dir=str(tmp_path / "cache"))
    assert list(table) == ["test"]
    assert table["test"].column_names == list(COLUMNS["probes"])


def test_a_suite_in_shards_of_one_row_loads_as_a_whole(make_suite, tmp_path):
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    suite = make_suite(3)
    write(whole, suite)
    write(cut, suite, rows_per_shard=1)
    assert len(list((cut / "sessions").iterdir())) == 12
    assert (cut / "sessions" / "test-00011-of-00012.parquet").is_file()
    assert read(cut) == suite
    for config in CONFIGS:
        assert load(cut, config, tmp_path).to_list() == load(whole, config, tmp_path).to_list()
        files = (pq.read_schema(path) for path in (cut / config).iterdir())
        assert all(found.equals(schema(config)) for found in files)


def test_a_column_without_a_value_keeps_its_type(make_suite, tmp_path):
    out = tmp_path / "suite"
    write(out, make_suite(2))
    table = load(out, "episodes", tmp_path)
    assert table["group_id"] == [None, None]
    assert table.features["group_id"].dtype == "string"
    assert load(out, "trace", tmp_path).features["effective"].dtype == "string"


def test_a_suite_without_episodes_is_still_one(make_build, tmp_path):
    out = tmp_path / "suite"
    write(out, assemble(replace(make_build(2), cases=[], episodes=())))
    assert read(out).episodes == ()
    # The datasets library refuses to prepare an empty split, but streams it.
    rows = datasets.load_dataset(str(out), "probes", split="test", streaming=True, cache_dir=str(tmp_path / "cache"))
    assert list(rows) == []


def test_files_suit_the_viewer(make_suite, tmp_path):
    out = tmp_path / "suite"
    write(out, make_suite(60))
    with pq.ParquetFile(out / "sessions" / "test-00000-of-00001.parquet") as file:
        meta = file.metadata
        assert [meta.row_group(i).num_rows for i in range(meta.num_row_groups)] == [100, 100, 40]
        column = meta.row_group(0).column(0)
        assert column.compression == "ZSTD"
        assert column.has_offset_index
        assert b"huggingface" not in (file.schema_arrow.metadata or {})


def test_a_row_that_is_too_large_is_named(tmp_path):
    row = {"episode_id": "ep-1", "session_id": "s-7", "index": 0, "timestamp": "t", "turns": []}
    huge = row | {"turns": [{"role": "user", "name": None, "content": "x" * 2_000_001}]}
    with pytest.raises(SuiteError, match="sessions: ep-1 s-7: the row has 2,000,"):
        ShardWriter(tmp_path, "sessions").add([row, huge])


def test_missing_shards_are_named(make_suite, tmp_path):
    write(tmp_path, make_suite(2), rows_per_shard=3)
    (tmp_path / "probes" / "test-00000-of-00002.parquet").unlink()
    with pytest.raises(SuiteError, match=r"probes: shards are missing or too many: test-00001-of-00002.parquet"):
        read(tmp_path)
    (tmp_path / "probes" / "test-00001-of-00002.parquet").unlink()
    with pytest.raises(SuiteError, match="there is none"):
        read(tmp_path)


def test_a_damaged_shard_is_named(make_suite, tmp_path):
    write(tmp_path, make_suite(2))
    path = tmp_path / "trace" / "test-00000-of-00001.parquet"
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(SuiteError, match=r"test-00000-of-00001.parquet: it cannot be read"):
        read(tmp_path)


def test_other_columns_are_named_and_further_ones_left_out(make_suite, tmp_path):
    write(tmp_path, make_suite(2))
    path = tmp_path / "questions" / "test-00000-of-00001.parquet"
    table = pq.read_table(path)
    pq.write_table(table.append_column("extra", table["asked_at"]), path)
    assert read(tmp_path).manifest.counts.probes == 4
    pq.write_table(table.drop_columns("asked_at"), path)
    with pytest.raises(SuiteError, match="column 'asked_at' should be string, is missing"):
        read(tmp_path)


def test_rows_of_no_episode_are_named(make_suite, tmp_path):
    suite, out = make_suite(2), tmp_path / "out"
    write(out, suite)
    shutil.rmtree(out / "episodes")
    first = next(iter(suite.episodes))
    writer = ShardWriter(out, "episodes")
    writer.add(rows(first, suite.manifest.stamp)["episodes"])
    writer.close()
    with pytest.raises(SuiteError, match="probes: ep-0001: a row belongs to no episode"):
        read(out)


def test_rows_are_found_by_episode_in_any_order(make_suite, tmp_path):
    suite = make_suite(3)
    made = [rows(episode, suite.manifest.stamp)["sessions"] for episode in suite.episodes]
    writer = ShardWriter(tmp_path, "sessions", 5)
    for row in (row for same in zip(*reversed(made), strict=True) for row in same):
        writer.add([row])
    writer.close()
    shards = Shards(tmp_path, "sessions")
    assert shards.episodes == ("ep-0002", "ep-0001", "ep-0000")
    assert [shards.rows(f"ep-000{number}") for number in range(3)] == [list(same) for same in made]
    assert shards.rows("ep-0009") == []
