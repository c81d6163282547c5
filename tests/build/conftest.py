"""A project with a small suite, and the command line in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path

import pytest

from suitegen import app

SMALL = """\
id: small
title: A small suite
seed: 5
fact_types: [gym, standup_time, retry_limit]
reserves: 1
tiers: {core: {encoding: 2, before: 4, after: [1, 2]}}
cells:
  - {paradigm: interference, condition: authoritative_update, split: [false, true], count: 2}
  - {paradigm: interference, condition: decoy_no_update, count: 1}
  - {paradigm: misinformation, condition: assistant_noise, count: 1}
  - {paradigm: consolidation, condition: [low, low_weak_challenge], vary: condition, count: 1}
gates: [session, episode, reading]
"""

COMMAND = [sys.executable, "-c", "from suitegen.cli.main import main; main()"]

Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A fresh project with the small suite as its second one."""
    folder = tmp_path / "project"
    app.init(folder)
    (folder / "specs" / "suites" / "small.yaml").write_text(SMALL, encoding="utf-8")
    return folder


@pytest.fixture
def run(project: Path) -> Run:
    """``suitegen`` with its arguments, in the project's folder."""

    def start(
        *arguments: str, env: Mapping[str, str] | None = None, before: str = ""
    ) -> subprocess.CompletedProcess[str]:
        command = [*COMMAND, *arguments]
        if before:
            command = ["bash", "-c", f'{before}; exec "$@"', "bash", *command]
        return subprocess.run(
            command, cwd=project, env=environment(env), capture_output=True, text=True, timeout=120, check=False
        )

    return start


def environment(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """This process's environment with the checkout on the path, so that any interpreter finds it."""
    root = str(Path(__file__).parent.parent.parent)
    return {**os.environ, "PYTHONPATH": root, "NO_COLOR": "1", **(more or {})}


def published(out: Path) -> dict[str, str]:
    """The hash of every file that must not differ between two builds."""
    files = [path for path in out.rglob("*") if path.is_file()]
    names = {path: path.relative_to(out) for path in files}
    kept = [path for path in files if names[path].parts[0] != ".suitegen" and names[path].name != "run.json"]
    return {names[path].as_posix(): sha256(path.read_bytes()).hexdigest() for path in kept}
