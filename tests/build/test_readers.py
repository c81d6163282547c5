"""Finished suites read by models, through the command line and the real SDK, against a server of the tests' own."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from suitegen.values.tokens import tokens
from tests.build.conftest import Run, published
from tests.build.server import Seen, Server, Told, serving

SETTINGS = ("full_context", "oracle", "closed_book", "leave_one_group_out", "bm25", "dense")
SIZE = 64


class Knowing:
    """A model that reads perfectly: it gives the gold where the evidence is in view, and else knows nothing."""

    def __init__(self) -> None:
        self.known: list[tuple[str, dict[str, Any], list[str]]] = []

    def learn(self, out: Path) -> None:
        quotes = {(row["episode_id"], row["event_id"]): row["quote"] for row in rows(out, "trace")}
        questions = {row["probe_id"]: row for row in rows(out, "questions")}
        for row in rows(out, "probes"):
            gold = {field["name"]: field["answer"] for field in json.loads(row["gold"])["fields"]}
            events = {
                atom["event"]
                for field in json.loads(row["evidence"])
                for group in field["groups"]
                for atom in group["of"]
            }
            asked = questions[row["probe_id"]]
            key = f"{asked['asked_at']}:\n{asked['question']}"
            self.known.append((key, gold, [quotes[row["episode_id"], event] for event in sorted(events)]))

    def __call__(self, seen: Seen) -> Told:
        if "input" in seen.body:
            data = [{"index": at, "embedding": vector(text)} for at, text in enumerate(seen.body["input"])]
            return 200, {"data": data, "model": "near", "usage": {"prompt_tokens": 3, "total_tokens": 3}}
        prompt = seen.body["messages"][0]["content"]
        asked = [(gold, quotes) for key, gold, quotes in self.known if key in prompt]
        # Members of a matched group are asked alike: of those whose evidence is in view, the one with the most.
        proved = [found for found in asked if all(quote in prompt for quote in found[1])]
        if proved:
            return json.dumps(max(proved, key=lambda found: len(found[1]))[0])
        return json.dumps(dict.fromkeys(asked[0][0], "never said"))


def rows(out: Path, config: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = pq.read_table(out / config).to_pylist()
    return found


def vector(text: str) -> list[float]:
    counts = Counter(sum(map(ord, token.text)) % SIZE for token in tokens(text))
    return [float(counts[at]) for at in range(SIZE)]


@pytest.fixture
def model() -> Knowing:
    return Knowing()


@pytest.fixture
def server(model: Knowing) -> Iterator[Server]:
    with serving(model) as made:
        yield made


def named(server: Server) -> tuple[str, ...]:
    return "--reader", f"openai:clever@{server.url}", "--embedder", f"openai:near@{server.url}"


def test_a_finished_suite_is_read_under_every_setting(project: Path, run: Run, model: Knowing, server: Server) -> None:
    assert run("build", "small", "-o", "out").returncode == 0
    before = published(project / "out")
    model.learn(project / "out")
    done = run("validate", "out", *named(server), "--json")
    assert done.returncode == 0, done.stderr
    found = {each["setting"]: each for each in json.loads(done.stdout)["readings"]}
    assert tuple(found)[:6] == SETTINGS
    assert set(found) - {*SETTINGS} == {"full_context less bm25", "full_context less dense"}
    for setting in ("full_context", "oracle", "leave_one_group_out"):
        assert found[setting]["overall"]["value"] == 1.0
    assert found["closed_book"]["overall"]["value"] < 0.6
    read = found["closed_book"]["overall"]["n"] + found["closed_book"]["unparsable"]
    assert read == len(rows(project / "out", "probes"))
    split = {rate["name"]: rate["n"] for rate in found["full_context"]["splits"]}
    of = Counter(bool(row["split_perturbation"]) for row in rows(project / "out", "probes"))
    assert split == {"split": of[True], "whole": of[False]}
    gap = found["full_context less bm25"]["overall"]
    assert gap["value"] == pytest.approx(1 - found["bm25"]["overall"]["value"], abs=2e-4)
    assert published(project / "out") == before


def test_nothing_is_asked_twice_and_a_spent_budget_goes_on_later(
    project: Path, run: Run, model: Knowing, server: Server
) -> None:
    assert run("build", "small", "-o", "out").returncode == 0
    model.learn(project / "out")
    stopped = run("validate", "out", *named(server), "--max-calls", "12")
    assert stopped.returncode == 4
    assert "the budget of 12 calls is spent" in stopped.stderr
    assert len(server.seen) == 12
    done = run("validate", "out", *named(server))
    assert done.returncode == 0, done.stderr
    assert "full context less bm25" in done.stdout
    calls = len(server.seen)
    assert set(Counter(json.dumps(seen.body) for seen in server.seen).values()) == {1}
    again = run("validate", "out", *named(server))
    assert (again.stdout, len(server.seen)) == (done.stdout, calls)


def test_a_build_puts_what_readers_reach_into_manifest_card_and_report(
    project: Path, run: Run, model: Knowing, server: Server
) -> None:
    assert run("build", "small", "-o", "plain").returncode == 0
    model.learn(project / "plain")
    two = (*named(server), "--reader", f"openai:second@{server.url}")
    done = run("build", "small", "-o", "out", *two)
    assert done.returncode == 0, done.stderr
    manifest = json.loads((project / "out" / "manifest.json").read_text())
    assert manifest["models"] == {"reader": "openai:clever", "reader_2": "openai:second", "embedder": "openai:near"}
    assert {each["reader"] for each in manifest["readings"]} == {"openai:clever", "openai:second"}
    card = (project / "out" / "README.md").read_text()
    assert "Reader openai:clever:" in card
    assert "| leave one group out | 100.0 |" in card.replace("\\", "")
    report = (project / "out" / "report.html").read_text()
    assert "<h3>openai:second</h3>" in report
    assert "127.0.0.1" not in card + report + json.dumps(manifest)
    calls = len(server.seen)
    before = published(project / "out")
    assert run("build", "small", "-o", "out", *two).returncode == 0
    assert (published(project / "out"), len(server.seen)) == (before, calls)


def test_answers_that_cannot_be_read_are_counted_apart(project: Path, run: Run) -> None:
    assert run("build", "small", "-o", "out").returncode == 0
    with serving(lambda seen: "I would rather not say.") as server:
        done = run("validate", "out", "--reader", f"openai:vague@{server.url}", "--json")
    found = {each["setting"]: each for each in json.loads(done.stdout)["readings"]}
    full = found["full_context"]
    assert (full["overall"]["n"], full["unparsable"]) == (0, len(rows(project / "out", "probes")))
    assert full["overall"]["value"] is None
    assert "leave_one_group_out" not in found


def test_kin_are_named(project: Path, run: Run, model: Knowing, server: Server) -> None:
    assert run("build", "small", "-o", "out").returncode == 0
    model.learn(project / "out")
    url = server.url
    done = run("build", "small", "-o", "out", "--reader", f"openai:qwen2@{url}", "--judge", f"openai:qwen3@{url}")
    assert "judge and reader are one family (qwen)" in done.stderr


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--reader", "openai:a@{url}", "--embedder", "openai:a@{url}"), "is named to chat and to give vectors"),
        (("--reader", "openai:a@{url}", "--embedder", "anthropic:a"), "gives no vectors"),
        (("--reader", "nobody"), "names no provider"),
    ],
)
def test_what_cannot_read_is_refused(
    project: Path, run: Run, server: Server, options: tuple[str, ...], words: str
) -> None:
    assert run("build", "small", "-o", "out").returncode == 0
    done = run("validate", "out", *(option.format(url=server.url) for option in options))
    assert done.returncode == 2
    assert words in done.stderr
    assert not server.seen


def test_a_model_without_vectors_is_no_embedder(project: Path, run: Run, server: Server) -> None:
    assert run("build", "small", "-o", "out").returncode == 0
    with serving(lambda seen: '{"value": "x"}') as chat:
        done = run("validate", "out", "--reader", f"openai:a@{chat.url}", "--embedder", f"openai:b@{chat.url}")
    assert done.returncode == 3
    assert "cannot be used to embed" in done.stderr
