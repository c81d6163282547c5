"""Built suites against a second reading of their files, and that reading against altered files."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.rederive.rederive import (
    Episode,
    Said,
    Suite,
    altered,
    asked,
    derived,
    differences,
    episodes,
    faults,
    load,
    oddities,
    unproved,
    untimely,
)

OPS = ("remember", "update", "correct", "forget", "challenge", "mention")
SOURCES = ("user", "assistant", "tool", "document", "third_party")
STRANGE = "nowhere 77"

ROOT = Path(__file__).parents[2]
FILES = Path(__file__).parent / "project"
"""What is laid over a new project: a suite of every shipped condition, and one of conditions at the edges."""


def suitegen(*words: str | Path, within: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from suitegen.cli.main import main; main()", *map(str, words)]
    # Also where suitegen is not installed and only the working folder of the tests has it.
    env = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])}
    return subprocess.run(command, cwd=within, env=env, capture_output=True, text=True, check=False)


def build(project: Path, name: str) -> Suite:
    out = project / "out" / name
    done = suitegen("build", name, "-o", out, within=project)
    # A gate that fails is told by 1; the files stand all the same, and are what is read here.
    assert done.returncode in (0, 1), done.stderr
    assert (out / "checksums.sha256").is_file(), done.stderr
    return load(out)


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("rederive") / "project"
    done = suitegen("init", folder, within=folder.parent)
    assert done.returncode == 0, done.stderr
    shutil.copytree(FILES, folder, dirs_exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def starter(project: Path) -> Suite:
    return build(project, "starter")


@pytest.fixture(scope="session")
def every(project: Path) -> Suite:
    return build(project, "every")


@pytest.fixture(scope="session")
def edges(project: Path) -> Suite:
    return build(project, "edges")


@pytest.fixture(scope="session")
def dated(project: Path) -> Suite:
    return build(project, "dated")


@pytest.fixture(scope="session")
def threads(project: Path) -> Suite:
    return build(project, "threads")


@pytest.fixture(params=["starter", "every", "edges", "dated", "threads"])
def built(request: pytest.FixtureRequest) -> Suite:
    made: Suite = request.getfixturevalue(request.param)
    return made


# -- what was built ---------------------------------------------------------------------------------------------


def test_every_gold_answer_follows_from_the_files(built: Suite) -> None:
    assert built.probes
    assert [str(found) for found in differences(built)] == []


def test_probes_at_windows_fit_the_history(threads: Suite) -> None:
    assert sum(row["window"] is not None for row in threads.probes) > 100
    assert untimely(threads) == []


def test_timelines_are_coherent(built: Suite) -> None:
    assert oddities(built) == []


def test_files_agree_with_one_another_and_texts_with_the_trace(built: Suite) -> None:
    assert faults(built) == []


@pytest.mark.parametrize("name", ["starter", "every", "threads"])
def test_evidence_proves_its_gold_and_nothing_else_does(request: pytest.FixtureRequest, name: str) -> None:
    assert unproved(request.getfixturevalue(name)) == []


# -- what is altered --------------------------------------------------------------------------------------------


def samples(suite: Suite) -> Iterator[tuple[Suite, Episode]]:
    """One episode of each condition, whole and split, each as a suite of its own."""
    kinds: dict[tuple[Any, ...], str] = {}
    for row in suite.probes:
        kinds.setdefault((row["paradigm"], row["condition"], row["split_perturbation"]), row["episode_id"])
    for name in kinds.values():
        rows = {
            table: [row for row in getattr(suite, table) if row["episode_id"] == name]
            for table in ("probes", "sessions", "questions", "trace")
        }
        one = Suite(**rows)
        (episode,) = episodes(one)
        yield one, episode


def golds_depend_on(episode: Episode, event: Said) -> bool:
    """Whether a probe is about what the event is about, or names the value that it tells."""
    probes = [asked(episode, row) for row in episode.probes]
    return any(event.key == probe.key or (event.told is not None and event.told == probe.rival) for probe in probes)


def alterations(event: Said) -> Iterator[tuple[str, dict[str, str]]]:
    """Every other value, op, source, strength and ref that a row may have."""
    if event.told is not None:
        yield "value", {"value": STRANGE}
    yield from (("op", {"op": op}) for op in OPS if op != event.op)
    yield from (("source", {"source": source}) for source in SOURCES if source != event.source)
    yield "strength", {"strength": "weak" if event.strength == "strong" else "strong"}
    if event.refs:
        yield "refs", {"refs": "{}"}
        yield "refs", {"refs": json.dumps(dict.fromkeys(event.refs, event.id))}


def golds(suite: Suite) -> list[dict[str, Any]]:
    (episode,) = episodes(suite)
    return [derived(episode, row) for row in episode.probes]


def test_every_alteration_that_moves_a_gold_is_reported(every: Suite) -> None:
    moved: dict[str, int] = {}
    for suite, episode in samples(every):
        before = golds(suite)
        for event in episode.said:
            for column, changes in alterations(event):
                other = altered(suite, episode.id, event.id, **changes)
                if golds(other) != before:
                    moved[column] = moved.get(column, 0) + 1
                    assert differences(other), (episode.id, event.id, changes)
    assert set(moved) == {"value", "op", "source", "strength", "refs"}


def test_every_altered_value_is_reported(every: Suite) -> None:
    """One of several equal statements leaves the gold as it is; then the timeline is odd."""
    told = 0
    for suite, episode in samples(every):
        for event in episode.said:
            if event.told is None or event.op not in ("remember", "update", "challenge", "restore", "correct"):
                continue
            other = altered(suite, episode.id, event.id, value=STRANGE)
            assert any(event.id in fault for fault in faults(other)), (episode.id, event.id)
            if golds_depend_on(episode, event):
                told += 1
                assert differences(other) or oddities(other), (episode.id, event.id, event.op)
    assert told > 40


@pytest.mark.parametrize(
    ("column", "op", "other"),
    [
        ("op", "update", "mention"), ("op", "update", "challenge"), ("op", "update", "correct"),
        ("op", "challenge", "update"), ("op", "restore", "mention"), ("op", "correct", "update"),
        ("source", "challenge", "assistant"), ("source", "challenge", "document"), ("source", "update", "third_party"),
        ("strength", "challenge", "weak"), ("strength", "challenge", "strong"),
        ("refs", "reinforce", "{}"), ("refs", "update", "{}"),
    ],
)  # fmt: skip
def test_altered_perturbation_is_reported(every: Suite, column: str, op: str, other: str) -> None:
    tried = 0
    for suite, episode in samples(every):
        for event in episode.said:
            if event.op == op and event.row[column] not in (other, None) and matters(episode, event, column):
                tried += 1
                found = altered(suite, episode.id, event.id, **{column: other})
                assert differences(found) or oddities(found), (episode.id, event.id)
    assert tried


def matters(episode: Episode, event: Said, column: str) -> bool:
    """Whether a gold must be another one when the column of the event is."""
    if column == "source":
        # Of a change in two parts it is the first that counts.
        named = [asked(episode, row).rival for row in episode.probes]
        return event.value in named and "completes" not in event.refs
    if column == "strength" and event.id in [each.refs.get("resolves") for each in episode.said]:
        return False  # once it is settled, nothing hangs on how it was said
    return golds_depend_on(episode, event)
