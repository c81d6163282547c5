"""A suite with background from a dataset on a hub: fetched by the first build, and the same bytes offline by the second."""

from __future__ import annotations

import json
import os
from pathlib import Path

from suitegen.publish.package import read
from tests.build.conftest import SMALL, Run, published
from tests.filler.loopback import REVISION, hub

SOURCES = f"""\
fillers:
  - {{source: hub, path: talk/alike, revision: "{REVISION}", rows: 90}}
  - {{source: library}}
"""


def row(number: int) -> str:
    name = "abcdefghijklmnopqrstuvwxyz"[number % 26] * 3
    user = f"Could you tell me about subject {name} number {number}?"
    reply = f"Gladly. Of all {number} parts the oldest is the one people forget, so begin there and write down what you see."
    return json.dumps({"messages": [{"role": "user", "content": user}, {"role": "assistant", "content": reply}]})


def test_the_second_build_needs_no_network_and_gives_the_same_bytes(run: Run, project: Path, tmp_path: Path) -> None:
    (project / "specs" / "suites" / "small.yaml").write_text(SMALL + SOURCES, encoding="utf-8")
    rows = "\n".join([*(row(number) for number in range(60)), '{"title": "no talk"}'])
    card = "---\nlicense: cc-by-4.0\n---\n"
    home = {"HF_HOME": str(tmp_path / "home")}
    with hub({"talk/alike": {"README.md": card.encode(), "data.jsonl": rows.encode()}}) as (address, _):
        first = run("build", "small", "-o", str(tmp_path / "one"), env={**home, "HF_ENDPOINT": address})
    assert first.returncode == 0, first.stderr
    nowhere = {"HF_HOME": str(tmp_path / "empty"), "HF_HUB_OFFLINE": "1"}
    second = run("build", "small", "-o", str(tmp_path / "two"), env=nowhere)
    assert second.returncode == 0, second.stderr
    assert published(tmp_path / "one") == published(tmp_path / "two")
    placements = [place for episode in read(tmp_path / "one").episodes for place in episode.placements]
    fetched = [place for place in placements if place.origin.startswith(f"hub:talk/alike@{REVISION[:12]}/train:")]
    assert fetched
    assert {place.license for place in fetched} == {"CC-BY-4.0"}
    assert "CC-BY-4.0" in (tmp_path / "one" / "README.md").read_text("utf-8")


def test_a_build_that_needs_the_hub_and_may_not_ask_it_exits_as_for_any_network(run: Run, project: Path) -> None:
    (project / "specs" / "suites" / "small.yaml").write_text(SMALL + SOURCES, encoding="utf-8")
    done = run("build", "small", env={"HF_HUB_OFFLINE": "1", "HF_HOME": os.devnull})
    assert done.returncode == 3
    assert "HF_HUB_OFFLINE" in done.stderr
    assert "Traceback" not in done.stderr
    assert not (project / "out" / "manifest.json").exists()
