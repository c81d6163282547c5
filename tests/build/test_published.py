"""The published designs, figure by figure, from the files that a build leaves."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tests.build.conftest import COMMAND, environment

HALVES = Path(__file__).parents[2] / "scripts" / "reader_halves.py"

Rows = list[dict[str, Any]]

UPDATES = {"authoritative_update", "user_explicit", "high", "low", "reactivated", "direct"}
TWENTY_ONE = {
    "personal": "gym diet coffee_order commute morning_routine language_class pickup_person",
    "work": "submission_deadline project_owner standup_time deployment_cadence review_day oncall_engineer meeting_room",
    "agentic": "api_port active_branch selected_database retry_limit cache_ttl tool_reported_state model_endpoint",
}
TWELVE = {
    "personal": "allotment_plot book_club_pick cello_teacher swim_slot",
    "work": "expense_approver invoice_currency file_format travel_budget",
    "agentic": "deploy_region log_level request_timeout rollout_stage",
}


def named(domains: dict[str, str]) -> set[tuple[str, str]]:
    return {(domain, name) for domain, names in domains.items() for name in names.split()}


class Built:
    """The tables of a built suite."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.card = (out / "README.md").read_text("utf-8")
        self.report = (out / "report.html").read_text("utf-8")
        self.manifest = json.loads((out / "manifest.json").read_text("utf-8"))
        self.episodes: Rows = pq.read_table(out / "episodes").to_pylist()
        self.probes: Rows = pq.read_table(out / "probes").to_pylist()
        self.sessions: Rows = pq.read_table(out / "sessions").to_pylist()
        self.placements: Rows = pq.read_table(out / "placements").to_pylist()
        self.paradigms = {row["episode_id"]: row["paradigm"] for row in self.episodes}

    def phases(self) -> dict[str, list[str]]:
        """For each episode the phases of its sessions in order, as the placed stretches of turns have them."""
        told: dict[tuple[str, str], set[str]] = {}
        for row in self.placements:
            told.setdefault((row["episode_id"], row["session_id"]), set()).add(row["phase"])
        found: dict[str, list[str]] = {}
        for row in sorted(self.sessions, key=lambda row: (row["episode_id"], row["index"])):
            # A fact may be told within a dialogue of other origin, whose turns are filler.
            (phase,) = told[row["episode_id"], row["session_id"]] - {"filler"} or {"filler"}
            found.setdefault(row["episode_id"], []).append(phase)
        return found

    def fact_types(self) -> set[tuple[str, str]]:
        return {(row["domain"], row["fact_type"]) for row in self.episodes}

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


def test_its_report_shows_every_episode_in_less_than_3_mb(first: Built) -> None:
    assert len(first.report.encode()) < 3_000_000
    assert first.report.count('<script type="application/json" data-episode=') == 56
    assert "episodes are shown" not in first.report


def test_the_reader_is_right_on_the_fact_types_it_was_not_tuned_on(first: Built) -> None:
    done = subprocess.run(
        [sys.executable, str(HALVES), "--half", "held-out", "--suite", str(first.out), "--json"],
        env=environment(), capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    found = {row["probe_type"]: row for row in json.loads(done.stdout) if row["fact_type"] is None}
    for probe_type in ("current", "previous", "change"):
        assert found[probe_type]["n"] > 5
        assert found[probe_type]["full_context"] >= 0.95
        assert found[probe_type]["evidence"] >= 0.97


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
    assert first.fact_types() == named(TWENTY_ONE)
    assert sorted(Counter(row["domain"] for row in first.episodes).values()) == [18, 19, 19]


def test_its_fact_types_are_dealt_evenly(first: Built) -> None:
    """No domain, paradigm or behaviour has a fact type, or a domain, to itself."""
    used = Counter(row["fact_type"] for row in first.episodes)
    assert set(used.values()) == {2, 3}
    under = {(row["fact_type"], row["expected_behavior"]) for row in first.episodes}
    assert len(under) == 2 * len(used)
    in_paradigm = Counter((row["fact_type"], row["paradigm"]) for row in first.episodes)
    assert max(in_paradigm.values()) == 1
    for side in ("paradigm", "expected_behavior"):
        by_side = Counter((row[side], row["domain"]) for row in first.episodes)
        for value in {row[side] for row in first.episodes}:
            shares = [by_side[value, domain] for domain in TWENTY_ONE]
            assert max(shares) - min(shares) <= 1


def test_a_pair_of_values_is_followed_by_its_reverse(first: Built) -> None:
    pairs: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for row in first.episodes:
        target = next(m for m in json.loads(row["latent_spec"])["cast"] if m["name"] == "target")
        values = target["values"]
        pairs.setdefault((row["fact_type"], row["expected_behavior"]), []).append((values["initial"], values["new"]))
    twice = [found for found in pairs.values() if len(found) == 2]
    assert len(twice) == 56 - 2 * 21
    assert all(one == other[::-1] for one, other in twice)


def test_its_stretches(first: Built) -> None:
    """Three encodings (four, or one), fifteen fillers, the perturbation, and two to four sessions after it."""
    after, between = Counter[int](), Counter[tuple[str, int, int]]()
    condition = {row["episode_id"]: row["condition"] for row in first.episodes}
    split = {row["episode_id"]: row["split_perturbation"] for row in first.episodes}
    for episode, phases in first.phases().items():
        encoded = {"high": 4, "high_weak_challenge": 4, "low": 1, "low_weak_challenge": 1}.get(condition[episode], 3)
        rest = phases[encoded + 15 :]
        assert phases[:encoded] == ["encoding"] * encoded
        assert phases[encoded : encoded + 15] == ["filler"] * 15
        tail = rest.count("post_perturbation")
        middle = rest[: len(rest) - tail]
        assert rest[len(middle) :] == ["post_perturbation"] * tail
        assert middle[0] == middle[-1] == "perturbation"
        after[tail] += 1
        between[condition[episode] if split[episode] else "", middle.count("perturbation"), middle.count("filler")] += 1
    assert after == {2: 30, 3: 9, 4: 17}
    assert between == {
        ("", 1, 0): 44,
        ("authoritative_update", 2, 2): 4, ("user_explicit", 2, 2): 2, ("high", 2, 2): 2, ("reactivated", 2, 2): 2,
        ("direct", 2, 1): 2,
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
    assert "gives the behaviour away" in first.card


# -- MemProbe, appendix F ---------------------------------------------------------------------------------------


def test_the_figures_of_the_second_suite(first: Built, second: Built) -> None:
    assert (len(second.episodes), len(second.probes)) == (40, 160)
    assert set(Counter(second.paradigms.values()).values()) == {10}
    assert Counter(row["expected_behavior"] for row in second.episodes) == {"update": 21, "preserve": 19}
    assert Counter(row["domain"] for row in second.episodes) == {"agentic": 15, "personal": 13, "work": 12}
    assert second.fact_types() == named(TWELVE)
    assert not second.fact_types() & first.fact_types()
    assert {json.loads(row["latent_spec"])["tier"] for row in second.episodes} == {"short"}


def test_its_questions_do_not_give_the_behaviour_away(second: Built) -> None:
    assert second.manifest["leaky_probes"] is False
    assert "gives the behaviour away" not in second.card
    under: dict[str, set[str]] = {}
    for row in second.probes:
        under.setdefault(row["probe_type"], set()).add(row["expected_behavior"])
    assert set(map(frozenset, under.values())) == {frozenset({"update", "preserve"})}
