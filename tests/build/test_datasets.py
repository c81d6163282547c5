"""The result loads with `datasets`, whole and cut into one-row shards, and its inputs hold no key."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from suitegen.model.words import SOURCES, STATUSES
from suitegen.publish.package import read, write
from suitegen.publish.tables import CONFIGS
from tests.build.conftest import Run

datasets = pytest.importorskip("datasets")


@pytest.fixture
def built(run: Run, tmp_path: Path) -> Path:
    done = run("build", "small", "-o", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    return tmp_path / "out"


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_every_config_loads_whole_and_in_one_row_shards(built: Path, tmp_path: Path) -> None:
    cut = tmp_path / "cut"
    write(cut, read(built), rows_per_shard=1)
    for config in CONFIGS:
        whole = datasets.load_dataset(str(built), config, split="test", cache_dir=str(tmp_path / "cache"))
        pieces = datasets.load_dataset(str(cut), config, split="test", cache_dir=str(tmp_path / "cache"))
        assert len(whole) > 0
        assert whole.to_list() == pieces.to_list()
        assert len(list((cut / config).glob("*.parquet"))) == len(whole)


def strings(value: object) -> Iterator[str]:
    """Every string in a cell."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)


def test_no_cell_of_the_inputs_holds_a_key(built: Path) -> None:
    import pyarrow.parquet as pq

    suite = read(built)
    specs = [episode.spec for episode in suite.episodes]
    labels = {name for spec in specs for name in (spec.paradigm, spec.condition, spec.case, spec.tier, spec.fact_type)}
    names = {label for label in labels if "_" in label or "." in label}
    names |= {"near_miss", "stale_reference", "post_perturbation", "perturbation", "confusable", "encoding"}
    words = re.compile(r"[A-Za-z_+.]+")
    for config in ("sessions", "questions"):
        for row in pq.read_table(built / config).to_pylist():
            shown = {k: v for k, v in row.items() if k != "answer_format"}
            for text in strings(shown):
                assert not names & set(words.findall(text)), text
    for row in pq.read_table(built / "questions").to_pylist():
        for name, field in json.loads(row["answer_format"])["properties"].items():
            options = field.get("enum")
            assert options is None or len(options) >= 2
            if name == "source":
                assert set(options) == set(SOURCES)
            if name == "status":
                assert set(options) == set(STATUSES)


def test_columns_of_the_inputs_are_the_declared_ones(built: Path) -> None:
    import pyarrow.parquet as pq

    assert pq.read_table(built / "sessions").column_names == ["episode_id", "session_id", "index", "timestamp", "turns"]
    assert pq.read_table(built / "questions").column_names == [
        "probe_id", "episode_id", "asked_at", "visible_until", "question", "answer_format",
    ]  # fmt: skip


def test_questions_do_not_hold_their_own_gold(built: Path) -> None:
    for episode in read(built).episodes:
        for asked in episode.probes:
            for field in asked.gold.fields:
                if field.form == "value" and field.accepts:
                    found = re.search(rf"(?<!\w){re.escape(field.answer)}(?!\w)", asked.question.question)
                    assert not found, (asked.question.question, field.answer)
