"""The published designs, figure by figure, from the files that a build leaves."""

from __future__ import annotations

import json
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tests.build.conftest import COMMAND, environment

Rows = list[dict[str, Any]]

UPDATES = {"authoritative_update", "user_explicit", "high", "low", "reactivated", "direct"}


class Built:
    """The tables of a built suite."""

    def __init__(self, out: Path) -> None:
        self.manifest = json.loads((out / "manifest.json").read_text("utf-8"))
        self.episodes: Rows = pq.read_table(out / "episodes").to_pylist()
        self.probes: Rows = pq.read_table(out / "probes").to_pylist()
        self.sessions: Rows = pq.read_table(out / "sessions").to_pylist()
        self.placements: Rows = pq.read_table(out / "placements").to_pylist()
        self.paradigms = {row["episode_id"]: row["paradigm"] for row in self.episodes}

    def measure(self, name: str) -> dict[str, Any]:
        found = [m for gate in self.manifest["gates"] if gate["gate"] == "release" for m in gate["measures"]]
        return next(m for m in found if m["name"] == name)


def build(name: str, tmp_path_factory: pytest.TempPathFactory) -> Built:
    out = tmp_path_factory.mktemp(name) / "out"
    done = subprocess.run(
        [*COMMAND, "build", name, "-o", str(out)],
        cwd=out.parent, env=environment(), capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return Built(out)


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return build("memprobe-56", tmp_path_factory)


@pytest.fixture(scope="module")
def second(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return build("memprobe-40", tmp_path_factory)


# -- MemProbe, tables 8 and 9 -----------------------------------------------------------------------------------


def test_the_sizes_of_the_first_suite(first: Built) -> None:
    assert (len(first.episodes), len(first.probes), len(first.sessions)) == (56, 224, 1246)
    sessions = Counter(first.paradigms[row["episode_id"]] for row in first.sessions)
    assert sessions == {"interference": 318, "misinformation": 312, "consolidation": 302, "reconsolidation": 314}
    assert Counter(first.paradigms.values()) == dict.fromkeys(sessions, 14)


def test_its_conditions_and_splits(first: Built) -> None:
    assert Counter(row["condition"] for row in first.episodes) == {
        "authoritative_update": 8, "decoy_no_update": 6,
        "user_explicit": 4, "assistant_noise": 4, "third_party_noise": 4, "stale_tool": 2,
        "high": 4, "low": 4, "high_weak_challenge": 3, "low_weak_challenge": 3,
        "reactivated": 4, "direct": 4, "reactivated_weak": 3, "direct_weak": 3,
    }  # fmt: skip
    split = Counter(row["condition"] for row in first.episodes if row["split_perturbation"])
    assert split == {"authoritative_update": 4, "user_explicit": 2, "high": 2, "reactivated": 2, "direct": 2}
    assert Counter(row["expected_behavior"] for row in first.episodes) == {"update": 28, "preserve": 28}
    assert all((row["condition"] in UPDATES) == (row["expected_behavior"] == "update") for row in first.episodes)


def test_its_probes(first: Built) -> None:
    types = Counter(row["probe_type"] for row in first.probes)
    assert types == {"current": 56, "previous": 28, "change": 56, "source": 34, "conflict": 28, "temporal": 22}
    by_episode: dict[str, set[str]] = {}
    for row in first.probes:
        by_episode.setdefault(row["episode_id"], set()).add(row["probe_type"])
    for row in first.episodes:
        asked = by_episode[row["episode_id"]] - {"current", "change"}
        if row["expected_behavior"] == "preserve":
            assert asked == {"conflict", "source"}
        elif row["condition"] in ("user_explicit", "reactivated", "direct") and not row["split_perturbation"]:
            assert asked == {"previous", "source"}
        else:
            assert asked == {"previous", "temporal"}


def test_its_fact_types_and_domains(first: Built) -> None:
    pairs = {(row["domain"], row["fact_type"]) for row in first.episodes}
    assert Counter(domain for domain, _ in pairs) == {"personal": 7, "work": 7, "agentic": 7}
    assert max(Counter(row["domain"] for row in first.episodes).values()) == 19


def test_its_stretches(first: Built) -> None:
    """Three encodings (four, or one), fifteen fillers, the perturbation, and two to four sessions after it."""
    encodings, after, between = Counter[int](), Counter[int](), Counter[tuple[str, int]]()
    for row in first.episodes:
        plans = json.loads(row["latent_spec"])["sessions"]
        phases = [plan["phase"] for plan in plans]
        encodings[phases.count("encoding")] += 1
        after[phases.count("post_perturbation")] += 1
        moved = [index for index, phase in enumerate(phases) if phase == "perturbation"]
        assert moved[0] - phases.count("encoding") == 15
        between[row["condition"] if len(moved) == 2 else "", moved[-1] - moved[0]] += 1
        expected = {"high": 4, "high_weak_challenge": 4, "low": 1, "low_weak_challenge": 1}
        assert phases.count("encoding") == expected.get(row["condition"], 3)
    assert after == {2: 30, 3: 9, 4: 17}
    assert between == {
        ("", 0): 44, ("authoritative_update", 3): 4, ("user_explicit", 3): 2, ("high", 3): 2, ("reactivated", 3): 2,
        ("direct", 2): 2,
    }  # fmt: skip


def test_what_reading_it_must_show(first: Built) -> None:
    for kind in ("current", "previous", "change"):
        assert first.measure(f"full_context {kind}")["value"] >= 0.95
        assert first.measure(f"oracle {kind}")["value"] >= 0.97
    assert first.measure("oracle")["value"] >= 0.97
    assert first.measure("necessity")["value"] >= 0.97
    assert first.measure("gap")["value"] >= 0.1
    assert first.measure("bm25 current, split")["value"] <= 0.5 * first.measure("full_context current, split")["value"]
    assert not first.manifest["missing"]


def test_the_card_says_what_the_published_set_gives_away(first: Built) -> None:
    assert first.manifest["leaky_probes"] is True


# -- MemProbe, appendix F ---------------------------------------------------------------------------------------


def test_the_figures_of_the_second_suite(first: Built, second: Built) -> None:
    assert (len(second.episodes), len(second.probes)) == (40, 160)
    assert set(Counter(second.paradigms.values()).values()) == {10}
    assert Counter(row["expected_behavior"] for row in second.episodes) == {"update": 21, "preserve": 19}
    assert Counter(row["domain"] for row in second.episodes) == {"agentic": 15, "personal": 13, "work": 12}
    fact_types = {row["fact_type"] for row in second.episodes}
    assert len(fact_types) == 12
    assert not fact_types & {row["fact_type"] for row in first.episodes}
    assert {json.loads(row["latent_spec"])["tier"] for row in second.episodes} == {"short"}


def test_its_questions_do_not_give_the_behaviour_away(second: Built) -> None:
    assert second.manifest["leaky_probes"] is False
    under: dict[str, set[str]] = {}
    for row in second.probes:
        under.setdefault(row["probe_type"], set()).add(row["expected_behavior"])
    assert set(map(frozenset, under.values())) == {frozenset({"update", "preserve"})}
