"""The same spec gives the same bytes, whatever the workers, the hash seed, other files, or where it was killed."""

from __future__ import annotations

import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.build.conftest import COMMAND, Run, environment, published


def built(run: Run, out: Path, *arguments: str, env: dict[str, str] | None = None) -> dict[str, str]:
    done = run("build", "small", "-o", str(out), *arguments, env=env)
    assert done.returncode == 0, done.stderr
    return published(out)


def test_workers_hash_seeds_and_other_fact_types_change_no_byte(run: Run, project: Path, tmp_path: Path) -> None:
    first = built(run, tmp_path / "a", "-j", "1", env={"PYTHONHASHSEED": "0"})
    assert first
    assert built(run, tmp_path / "b", "-j", "16", env={"PYTHONHASHSEED": "1"}) == first
    gym = (project / "fact_types" / "personal" / "gym.yaml").read_text(encoding="utf-8")
    (project / "fact_types" / "personal" / "other_gym.yaml").write_text(gym.replace("id: gym", "id: other_gym"))
    assert built(run, tmp_path / "c", "-j", "3", env={"PYTHONHASHSEED": "2"}) == first


def kill_at(project: Path, out: Path, stage: str, cases: int) -> bool:
    """Start a build and kill it once so many cases are kept and it tells of the stage; False when it ended before."""
    command = [*COMMAND, "build", "small", "-o", str(out), "-j", "2"]
    journal = out / ".suitegen" / "journal.tsv"
    with subprocess.Popen(command, cwd=project, env=environment(), stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if re.match(rf"{stage}\b", line):
                break
        while process.poll() is None and (not journal.exists() or journal.read_bytes().count(b"\n") < cases):
            time.sleep(0.005)
        process.send_signal(signal.SIGKILL)
        return process.wait() == -signal.SIGKILL


@pytest.mark.parametrize(("stage", "cases"), [("build", 0), ("build", 1), ("build", 3), ("gates", 5), ("package", 5)])
def test_a_killed_build_goes_on_to_the_same_bytes(
    run: Run, project: Path, tmp_path: Path, stage: str, cases: int
) -> None:
    whole = built(run, tmp_path / "whole")
    out = tmp_path / "killed"
    assert kill_at(project, out, stage, cases)
    assert built(run, out) == whole


def test_a_finished_build_makes_nothing_again(run: Run, project: Path, tmp_path: Path) -> None:
    first = built(run, tmp_path / "out")
    journal = (tmp_path / "out" / ".suitegen" / "journal.tsv").read_bytes()
    suite = project / "specs" / "suites" / "small.yaml"
    suite.write_text(suite.read_text().replace("A small suite", "Another title"))
    again = built(run, tmp_path / "out")
    assert (tmp_path / "out" / ".suitegen" / "journal.tsv").read_bytes() == journal
    changed = {name for name in first if first[name] != again[name]}
    assert changed == {
        "README.md",
        "croissant.json",
        "eval.yaml",
        "CHANGELOG.md",
        "LICENSE",
        "manifest.json",
        "spec.json",
        "report.html",
        "checksums.sha256",
    }


def test_a_changed_fact_type_redoes_its_cases_alone(run: Run, project: Path, tmp_path: Path) -> None:
    built(run, tmp_path / "out")
    journal = tmp_path / "out" / ".suitegen" / "journal.tsv"
    before = journal.read_text(encoding="utf-8").count("\n")
    gym = project / "fact_types" / "personal" / "gym.yaml"
    gym.write_text(gym.read_text(encoding="utf-8").replace("value: Pulse Factory", "value: Pulse Hall"))
    built(run, tmp_path / "out")
    redone = journal.read_text(encoding="utf-8").splitlines()[before:]
    assert redone
    assert len(redone) < before
    assert all('"fact_type":"gym"' in line for line in redone)


def test_a_changed_scene_redoes_the_cases_whose_background_it_may_stand_in(
    run: Run, project: Path, tmp_path: Path
) -> None:
    built(run, tmp_path / "out")
    gym = project / "fact_types" / "personal" / "gym.yaml"
    text = gym.read_text(encoding="utf-8")
    opening = text[text.index("    open:\n") :].splitlines()[1]
    gym.write_text(text.replace(opening, '      - "could you help me sort out the gym things in my cupboard?"'))
    again = built(run, tmp_path / "out")
    assert built(run, tmp_path / "fresh") == again
