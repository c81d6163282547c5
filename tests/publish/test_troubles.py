"""Troubles that others had with published datasets: names, nulls, odd line ends, missing columns."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from pydantic import ValidationError

from suitegen.model.suite import SuiteSpec
from suitegen.publish.manifest import license_lines
from suitegen.publish.package import read, write
from suitegen.publish.parquet import read_shards, schema
from suitegen.publish.tables import COLUMNS, CONFIGS

ODD = "line\u2028sep\u2029par\x85nel\x0bvt\x0cff\r\nend"


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_shards_of_one_row_load_although_a_column_has_only_nulls(make_suite, tmp_path):
    datasets = pytest.importorskip("datasets")
    out = tmp_path / "out"
    write(out, make_suite(3), rows_per_shard=1)
    rows = read_shards(out, "episodes")
    assert {row["group_id"] for row in rows} == {None}
    for config in CONFIGS:
        files = sorted((out / config).glob("*.parquet"))
        assert len({pq.read_schema(file) for file in files}) == 1
        loaded = datasets.load_dataset(str(out), config, split="test", cache_dir=str(tmp_path / "cache"))
        assert loaded.to_list() == read_shards(out, config)
    types = {field.name: str(field.type) for field in schema("episodes")}
    assert types["group_id"] == "string"


def test_characters_that_some_take_for_line_ends_stay_inside_their_record(make_suite, wording, tmp_path):
    write(tmp_path, make_suite(2, wording(filler=ODD, question=ODD)))
    turns = [turn["content"] for row in read_shards(tmp_path, "sessions") for turn in row["turns"]]
    assert turns.count(ODD) == 2
    assert {probe.question.question for e in read(tmp_path).episodes for probe in e.probes} >= {ODD}


def test_every_row_has_every_column_in_one_order(make_suite, tmp_path):
    write(tmp_path, make_suite(3))
    for config in CONFIGS:
        for row in read_shards(tmp_path, config):
            assert list(row) == list(COLUMNS[config])


def test_names_of_configs_and_the_split_can_be_pushed_and_loaded():
    for name in (*CONFIGS, "test"):
        assert re.fullmatch(r"\w+(\.\w+)*", name, re.ASCII)
    assert len({name.casefold() for name in CONFIGS}) == len(CONFIGS)


@pytest.mark.parametrize("name", ["", "my suite", "random_10k [2m]", "données", "a/b", "x" * 300])
def test_a_suites_name_is_checked_when_its_file_is_read(name):
    with pytest.raises(ValidationError):
        SuiteSpec.model_validate(
            {
                "id": name,
                "title": "A suite",
                "fact_types": ["gym"],
                "cells": [{"paradigm": "interference", "condition": "decoy_no_update", "count": 1}],
            }
        )


def test_no_id_or_model_name_becomes_a_path(make_suite, tmp_path):
    suite = make_suite(2)
    odd = "files:v1/../../x: con. nul 21:20:22 \U0001f389" + "y" * 300
    episodes = tuple(
        episode.model_copy(
            update={"placements": tuple(p.model_copy(update={"origin": odd}) for p in episode.placements)}
        )
        for episode in suite.episodes
    )
    models = {"writer": "openai:org/model:free", "judge": "../../judge"}
    manifest = suite.manifest.model_copy(update={"models": models, "licenses": license_lines(episodes)})
    out = tmp_path / "deep" / "out"
    out.mkdir(parents=True)
    write(out, replace(suite, manifest=manifest, episodes=episodes))
    assert [path.name for path in tmp_path.iterdir()] == ["deep"]
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["out"]
    names = {path.relative_to(out) for path in out.rglob("*") if path.is_file()}
    loaded = (*CONFIGS, "full_context", "multiple_choice")
    shards = {Path(config) / "test-00000-of-00001.parquet" for config in loaded}
    assert {name for name in names if len(name.parts) > 1} == shards
    assert read(out).manifest.models == models
    assert {p.origin for e in read(out).episodes for p in e.placements} == {odd}
