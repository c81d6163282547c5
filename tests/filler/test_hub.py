"""Dialogues from a dataset on a hub, by the real libraries, over the loopback interface."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from suitegen.model.suite import FillerSource
from suitegen.values.licenses import from_hub
from tests.filler.loopback import REVISION, hub

Read = Callable[..., list[Any]]
"""What came of each source, read into a project's folder."""


def chat(number: int, **more: object) -> dict[str, object]:
    said = [
        {"role": "user", "content": f"Tell me of part {number}, né à 東京 😀"},
        {"role": "assistant", "content": f"It is the part after {number - 1}."},
    ]
    return {"messages": said, **more}


def lines(*rows: object) -> bytes:
    return b"".join(json.dumps(row).encode() + b"\n" for row in rows)


def parquet(rows: Sequence[Mapping[str, object]]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    out = BytesIO()
    pq.write_table(pa.Table.from_pylist(list(rows)), out)
    return out.getvalue()


def card(head: str) -> bytes:
    return f"---\n{head}\n---\n# Talk\n".encode()


CONFIGS = """license: cc-by-sa-4.0
configs:
- config_name: plain
  default: true
  data_files:
  - {split: train, path: plain.jsonl}
  - {split: test, path: test.jsonl}
- config_name: licensed
  data_files: own.jsonl"""
SHARES = [
    {
        "id": f"s{n}",
        "when": datetime(2024, 5, n + 1),
        "picture": b"\x89PNG",
        "conversations": [{"from": "human", "value": f"Why {n}?"}, {"from": "gpt", "value": f"For {n} reasons."}],
    }
    for n in range(3)
]
REPOS = {
    "talk/several": {
        "README.md": card(CONFIGS),
        "plain.jsonl": lines(*(chat(n) for n in range(1, 9))),
        "test.jsonl": lines(chat(100)),
        "own.jsonl": lines(chat(200, license="MIT")),
    },
    "talk/shares": {"shares.parquet": parquet(SHARES)},
    "talk/mixed": {
        "README.md": card("license: [mit, apache-2.0]"),
        "data.jsonl": lines(chat(1), {"messages": [{"role": "user", "content": "alone"}]}, chat(2), chat(1), {"messages": [{"role": "narrator", "content": "Once"}]}),
    },
    "talk/bare": {"data.jsonl": lines(chat(1))},
    "talk/numbers": {"README.md": card("license: mit"), "data.csv": b"a,b\n1,2\n3,4\n"},
    "talk/cut": {"README.md": card("license: mit"), "data.jsonl": lines(chat(1), chat(2))[:-40]},
    "talk/odd_card": {"README.md": b"---\nlicense: [\n---\n", "data.jsonl": lines(chat(1))},
}  # fmt: skip


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[str, list[str]]]:
    with hub(REPOS) as (address, seen):
        yield address, seen


@pytest.fixture
def read(served: tuple[str, list[str]], tmp_path: Path) -> Read:
    def run(*sources: Mapping[str, object], offline: bool = False, at: str = served[0]) -> list[Any]:
        wanted = [json.dumps({"source": "hub", "revision": REVISION, **source}) for source in sources]
        env = {**os.environ, "HF_ENDPOINT": at, "HF_HOME": str(tmp_path / "home"), "HF_HUB_OFFLINE": str(int(offline))}
        env["PYTHONPATH"] = str(Path(__file__).parents[2])
        command = [sys.executable, "-m", "tests.filler.loopback", str(tmp_path), *wanted]
        done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return list(json.loads(done.stdout))

    return run


def said(result: Mapping[str, Any]) -> list[str]:
    return [written["turns"][0]["content"] for written in result["dialogues"]]


def test_rows_are_read_by_config_split_and_limit_with_the_cards_licence(read: Read) -> None:
    plain, some, test, own, shares = read(
        {"path": "talk/several"},
        {"path": "talk/several", "rows": 3},
        {"path": "talk/several", "config": "plain", "split": "test"},
        {"path": "talk/several", "config": "licensed"},
        {"path": "talk/shares", "license": "CC0-1.0"},
    )
    assert said(plain) == [f"Tell me of part {n}, né à 東京 😀" for n in range(1, 9)]
    assert said(some) == said(plain)[:3]
    assert {written["license"] for written in plain["dialogues"]} == {"CC-BY-SA-4.0"}
    assert plain["dialogues"][4]["origin"] == "hub:talk/several@0123456789ab/train:5"
    assert [w["origin"] for w in test["dialogues"]] == ["hub:talk/several@0123456789ab/plain/test:1"]
    assert [w["license"] for w in own["dialogues"]] == ["MIT"]
    assert said(shares) == ["Why 0?", "Why 1?", "Why 2?"]
    assert [w["origin"].rpartition(":")[2] for w in shares["dialogues"]] == ["s0", "s1", "s2"]
    assert {w["license"] for w in shares["dialogues"]} == {"CC0-1.0"}


def test_a_second_reading_needs_neither_network_nor_libraries_and_gives_the_same(
    read: Read, served: tuple[str, list[str]], tmp_path: Path
) -> None:
    source = {"path": "talk/several", "rows": 5}
    (first,) = read(source)
    kept = {path: path.read_bytes() for path in (tmp_path / ".suitegen").rglob("*") if path.is_file()}
    asked = len(served[1])
    (again,) = read(source, offline=True, at="http://127.0.0.1:9")
    assert (first["datasets"], again["datasets"]) == (True, False)
    assert {**again, "datasets": True} == first
    assert len(served[1]) == asked
    assert {path: path.read_bytes() for path in (tmp_path / ".suitegen").rglob("*") if path.is_file()} == kept


def test_what_is_no_dialogue_is_reported_by_its_row(read: Read) -> None:
    mixed, numbers = read({"path": "talk/mixed", "license": "MIT"}, {"path": "talk/numbers"})
    assert len(mixed["dialogues"]) == 2
    reasons = dict(mixed["skipped"])
    assert set(reasons) == {f"talk/mixed@0123456789ab/train:{row}" for row in (2, 4, 5)}
    assert "no user turn is answered" in reasons["talk/mixed@0123456789ab/train:2"]
    assert "the same turns as" in reasons["talk/mixed@0123456789ab/train:4"]
    assert "'narrator'" in reasons["talk/mixed@0123456789ab/train:5"]
    assert numbers["dialogues"] == []
    assert ["it has 'a', 'b'" in reason for _, reason in numbers["skipped"]] == [True, True]


def test_what_cannot_be_had_says_what_to_do(read: Read, tmp_path: Path) -> None:
    split, config, none, old, cut, two, bare, odd = read(
        {"path": "talk/several", "split": "dev"},
        {"path": "talk/several", "config": "fancy"},
        {"path": "talk/nothing"},
        {"path": "talk/several", "revision": "f" * 40},
        {"path": "talk/cut"},
        {"path": "talk/mixed"},
        {"path": "talk/bare"},
        {"path": "talk/odd_card"},
    )
    assert [each["error"] for each in (split, config, two, bare)] == ["AuthorError"] * 4
    assert [(each["error"], each["exit"]) for each in (none, old, cut, odd)] == [("FetchError", 3)] * 4
    assert "dev" in split["text"]
    assert "train" in split["text"]
    assert "fancy" in config["text"]
    assert "licensed" in config["text"]
    assert "talk/nothing" in none["text"]
    assert "f" * 40 in old["text"]
    for unknown in (two, bare):
        assert "add license:" in unknown["text"]
    assert "['mit', 'apache-2.0']" in two["text"]
    left = [path.name.rpartition("-")[0] for path in (tmp_path / ".suitegen" / "fillers").iterdir()]
    assert sorted(left) == ["talk--bare", "talk--mixed"], "nothing is kept of what failed"


def test_offline_without_kept_rows_is_an_error_that_names_the_switch(read: Read) -> None:
    (offline,) = read({"path": "talk/several"}, offline=True)
    assert (offline["error"], offline["exit"]) == ("FetchError", 3)
    assert "HF_HUB_OFFLINE" in offline["text"]


def test_rows_that_cannot_be_kept_are_an_error_with_the_place(read: Read, tmp_path: Path) -> None:
    (tmp_path / ".suitegen").write_text("a file where the folder should be")
    (lost,) = read({"path": "talk/several"})
    assert lost["error"] == "FetchError"
    assert "cannot be kept" in lost["text"]
    assert ".suitegen" in lost["text"]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"source": "hub", "path": "a/b"}, "revision"),
        ({"source": "hub", "path": "a/b", "revision": "main"}, "revision"),
        ({"source": "hub", "path": "just_a_name", "revision": REVISION}, "ORG/NAME"),
        ({"source": "hub", "revision": REVISION}, "path"),
        ({"source": "files", "path": "a", "license": "MIT", "rows": 5}, "rows is for hub sources"),
        ({"source": "library", "split": "train"}, "split is for hub sources"),
        ({"source": "hub", "path": "a/b", "revision": REVISION, "rows": 0}, "rows"),
    ],
)  # fmt: skip
def test_a_source_names_all_that_fixes_its_rows_and_nothing_else(fields: dict[str, object], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        FillerSource.model_validate(fields)


def test_the_hubs_names_of_licences_become_spdx_ids() -> None:
    told = {name: from_hub(name) for name in ("mit", "cc-by-nc-4.0", "odc-by", "apache-2.0", "other", "unknown", "cc")}
    assert list(told.values()) == ["MIT", "CC-BY-NC-4.0", "ODC-By-1.0", "Apache-2.0", None, None, None]
