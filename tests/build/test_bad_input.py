"""What can go wrong around a build: files, designs, folders, disks, failures."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from suitegen.pipeline.journal import Lock
from tests.build.conftest import SMALL, Run


def small(project: Path, old: str, new: str) -> None:
    assert old in SMALL
    (project / "specs" / "suites" / "small.yaml").write_text(SMALL.replace(old, new), encoding="utf-8")


def test_all_mistakes_of_all_files_at_once_and_nothing_written(run: Run, project: Path, tmp_path: Path) -> None:
    small(project, "seed: 5", "sead: 5")
    gym = project / "fact_types" / "personal" / "gym.yaml"
    gym.write_text(
        gym.read_text(encoding="utf-8").replace("kind: name", "kind: nam").replace("mutability: ", "mutabilty: ")
    )
    done = run("build", "small", "-o", str(tmp_path / "out"))
    assert done.returncode == 2
    assert "small.yaml:3:1: error[" in done.stderr
    assert "did you mean 'seed'" in done.stderr
    assert done.stderr.count("gym.yaml:") >= 2
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("old", "new", "numbers"),
    [
        ("count: 2}", "count: 2, length: {sessions: 3}}", ("3", "5")),
        ("count: 2}", "count: 2, length: {tokens: 100}}", ("100", "need about")),
    ],
)
def test_an_impossible_design_names_both_numbers_before_any_work(
    run: Run, project: Path, tmp_path: Path, old: str, new: str, numbers: tuple[str, str]
) -> None:
    small(project, old, new)
    done = run("build", "small", "-o", str(tmp_path / "out"))
    assert done.returncode == 2
    assert all(number in done.stderr for number in numbers), done.stderr
    assert not (tmp_path / "out").exists()


def test_a_pool_of_fillers_that_is_too_small_names_both_numbers(run: Run, project: Path, tmp_path: Path) -> None:
    turns = [
        {"role": "user", "content": "What rhymes with orange?"},
        {"role": "assistant", "content": "Not much does."},
    ]
    (project / "mine.jsonl").write_text(json.dumps({"messages": turns}) + "\n")
    small(project, "cells:", "fillers: [{source: files, path: mine.jsonl, license: CC0-1.0}]\ncells:")
    done = run("build", "small", "-o", str(tmp_path / "out"))
    assert done.returncode == 2
    assert re.search(r"needs \d+ background dialogues, and the suite's fillers have 1\b", done.stderr), done.stderr
    assert not (tmp_path / "out").exists()


def test_two_builds_in_one_folder(run: Run, tmp_path: Path) -> None:
    with Lock(tmp_path / "out"):
        done = run("build", "small", "-o", str(tmp_path / "out"))
    assert done.returncode == 2
    assert "another build" in done.stderr


def test_a_full_disk_is_said_and_what_was_finished_is_kept(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = run("build", "small", "-o", str(out), "-j", "1", before="trap '' XFSZ; ulimit -f 60")
    assert done.returncode == 2, done.stderr
    assert "cannot write" in done.stderr
    assert "Traceback" not in done.stderr
    again = run("build", "small", "-o", str(out))
    assert again.returncode == 0, again.stderr
    assert "kept" in again.stderr


def test_a_folder_that_cannot_be_made(run: Run, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = run("build", "small", "-o", str(tmp_path / "file" / "out"))
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


BROKEN = '''\
"""A validator that finds something in every gym episode."""

from suitegen.model.finding import Finding
from suitegen.validation.protocol import Example, Outcome, Validator


def check(text, options):
    """Refuse the gym."""
    if text.spec.fact_type != "gym":
        return Outcome()
    return Outcome((Finding(code="X901", message="no gym here", feedback="write about something else"),))


VALIDATOR = Validator("no_gym", "X901", "session", "A gym.", "To try failures.", Example("tea", "gym"), check)
'''


def refuse_gyms(project: Path, body: str = BROKEN) -> None:
    (project / "validators" / "no_gym.py").write_text(body)
    gate = project / "validators" / "session.yaml"
    gate.write_text(gate.read_text(encoding="utf-8").replace("checks:\n", "checks:\n  - no_gym\n"), encoding="utf-8")


def test_a_case_that_cannot_be_repaired_is_recorded_and_the_rest_finished(
    run: Run, project: Path, tmp_path: Path
) -> None:
    refuse_gyms(project)
    out = tmp_path / "out"
    done = run("build", "small", "-o", str(out))
    assert done.returncode == 1
    assert not (out / "manifest.json").exists()
    status = run("status", str(out))
    assert status.returncode == 0
    assert "X901" in status.stdout
    listed = run("failures", str(out))
    assert "no gym here" in listed.stdout
    allowed = run("build", "small", "-o", str(out), "--max-failures", "3")
    assert allowed.returncode == 0, allowed.stderr
    assert (out / "manifest.json").exists()
    text = (out / "README.md").read_text(encoding="utf-8")
    assert "4 of 6" in text or "of 6" in text


def test_a_validator_that_breaks_is_an_error_with_its_file(run: Run, project: Path, tmp_path: Path) -> None:
    refuse_gyms(project, BROKEN.replace('text.spec.fact_type != "gym"', "text.nothing_such"))
    out = tmp_path / "out"
    done = run("build", "small", "-o", str(out))
    assert done.returncode == 1
    listed = run("failures", str(out))
    assert "no_gym.py" in listed.stdout
    assert "nothing_such" in listed.stdout
