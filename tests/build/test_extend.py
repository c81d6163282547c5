"""A new condition and a new fact type are written as YAML; no Python is touched."""

from __future__ import annotations

import re
from pathlib import Path

from suitegen.publish.package import read
from tests.build.conftest import Run

ROOT = Path(__file__).parent.parent.parent

CONDITION = """\
id: mine
about: A sequence of operations that no shipped condition has.
conditions:
  corrected_then_moved:
    about: A value is corrected, confirmed, rumoured about, and then really changes.
    expects: update
    phases:
      - encoding: [{repeat: tier, events: [{op: remember, value: initial}]}]
      - filler: before
      - perturbation:
          - events:
              - {id: fix, op: correct, value: second, says: [value]}
          - {gap: 1, events: [{op: reinforce, value: second}]}
          - events:
              - {id: talk, op: challenge, value: rumour, source: third_party, strength: weak, says: [value, source]}
          - gap: 1
            events: [{id: move, op: update, value: new, says: [value, old, trigger, reason], change: c}]
      - post_perturbation: after
    split: {event: move, gap: 1}
    probes:
      - {type: current}
      - {type: previous}
      - {type: original}
      - {type: change}
      - {type: changes}
      - {type: trajectory}
      - {type: source, about: target.rumour}
      - {type: status, about: target.initial}
      - {type: temporal}
"""

SUITE = """\
id: mine
title: My own
fact_types: [gym, NEW]
cells:
  - {paradigm: mine, condition: corrected_then_moved, split: [false, true], count: 4}
gates: [session, episode, reading]
"""


def readme_example() -> tuple[str, str, str]:
    """The fact type that the README shows, with its domain and id."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```yaml\n(.*?)```", text, flags=re.DOTALL)
    example = next(block for block in blocks if "phrasings:" in block)
    domain = re.search(r"^domain: (\w+)$", example, flags=re.MULTILINE)
    name = re.search(r"^id: (\w+)$", example, flags=re.MULTILINE)
    assert domain
    assert name
    return example, domain[1], name[1]


def test_a_new_condition_and_a_new_fact_type_build(run: Run, project: Path, tmp_path: Path) -> None:
    example, domain, name = readme_example()
    folder = project / "fact_types" / domain
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.yaml").write_text(example, encoding="utf-8")
    (project / "specs" / "paradigms" / "mine.yaml").write_text(CONDITION, encoding="utf-8")
    (project / "specs" / "suites" / "mine.yaml").write_text(SUITE.replace("NEW", name), encoding="utf-8")
    linted = run("lint")
    assert linted.returncode == 0, linted.stdout
    done = run("build", "mine", "-o", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    suite = read(tmp_path / "out")
    assert {episode.spec.fact_type for episode in suite.episodes} == {"gym", name}
    for episode in suite.episodes:
        values = episode.spec.member("target").values
        gold = {asked.probe.type: asked.gold.fields[0].answer for asked in episode.probes}
        assert gold["current"] == values["new"]
        assert gold["previous"] == gold["original"] == values["second"]
        assert gold["changes"] == "1"
        assert gold["status"] == "retracted"
        assert gold["source"] == "third_party"
