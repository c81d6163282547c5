from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import suitegen

BUILD = """
import sys, time
from suitegen.cli.main import program
from suitegen.pipeline.view import ProgressEvent

class Slow:
    def build(self, project, suite, out, options, on_event):
        for done in range(1, 200):
            time.sleep(PAUSE if done > 1 else 0.1)
            print(f'case {done}', flush=True)
            on_event(ProgressEvent('write', done, 200, done, 0))

program.main(['build', '-o', 'o'], prog_name='suitegen', obj=Slow())
"""


def started(pause: float, folder: Path) -> subprocess.Popen[str]:
    env = {**os.environ, "PYTHONPATH": str(Path(suitegen.__file__).parent.parent)}
    code = BUILD.replace("PAUSE", str(pause))
    pipe = subprocess.PIPE
    child = subprocess.Popen(
        [sys.executable, "-u", "-c", code], env=env, cwd=folder, stdout=pipe, stderr=pipe, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "case 1\n"
    return child


@pytest.mark.skipif(os.name == "nt", reason="SIGINT cannot be sent to one process")
def test_the_first_interrupt_stops_after_the_case_in_work(folder):
    child = started(0.2, folder)
    child.send_signal(signal.SIGINT)
    data, talk = child.communicate(timeout=30)
    assert child.returncode == 130
    assert len(data.splitlines()) <= 2
    assert "stopping after the cases in work" in talk
    assert talk.endswith("resume with: suitegen build -o o\n")


@pytest.mark.skipif(os.name == "nt", reason="SIGINT cannot be sent to one process")
def test_the_second_interrupt_stops_at_once(folder):
    child = started(25, folder)
    child.send_signal(signal.SIGINT)
    assert child.stderr is not None
    while "stopping" not in child.stderr.readline():
        pass
    child.send_signal(signal.SIGINT)
    data, _ = child.communicate(timeout=30)
    assert child.returncode == 130
    assert data == ""
