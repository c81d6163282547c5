"""A fresh project with a fact type of its author, for troubles that authors and builders have had elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from suitegen import app
from suitegen.library.catalog import load
from suitegen.library.problem import Problem
from suitegen.library.shelves import shelves
from suitegen.model.episode import Episode
from suitegen.model.fact_type import FactType
from suitegen.pipeline.view import BuildResult, RunOptions

SUITE = """\
id: tiny
title: A tiny suite
seed: 3
fact_types: [kiln_slot]
reserves: 1
tiers: {core: {encoding: 2, before: 4, after: [1, 2]}}
cells:
  - {paradigm: interference, condition: authoritative_update, count: 1}
  - {paradigm: interference, condition: decoy_no_update, count: 1}
gates: [session, episode, reading]
"""


@dataclass
class Project:
    """A project's folder, and what its author does in it."""

    root: Path

    @property
    def fact_type_file(self) -> Path:
        return self.root / "fact_types" / "home" / "kiln_slot.yaml"

    def values(self, block: str) -> None:
        """Put other values in place of those of the fact type."""
        text = self.fact_type_file.read_text("utf-8")
        begin, end = text.index("\nvalues:") + 1, text.index("\ncues:")
        self.fact_type_file.write_bytes((text[:begin] + block.rstrip("\n") + text[end:]).encode())

    def replace(self, old: str, new: str, path: Path | None = None) -> None:
        file = path or self.fact_type_file
        text = file.read_text("utf-8")
        assert old in text
        file.write_text(text.replace(old, new, 1), "utf-8")

    def suite(self, text: str) -> None:
        (self.root / "specs" / "suites" / "tiny.yaml").write_text(text, "utf-8")

    def problems(self) -> Sequence[Problem]:
        return app.lint(self.root, [])

    def fact_type(self) -> FactType:
        return load(shelves(self.root)).catalog.fact_types["kiln_slot"]

    def build(self, out: str = "out", **options: object) -> BuildResult:
        return app.build(self.root, "tiny", self.root / out, RunOptions(**options), lambda event: None)  # type: ignore[arg-type]

    def episodes(self, out: str = "out") -> Sequence[Episode]:
        from suitegen.publish.package import read

        return read(self.root / out).episodes


@pytest.fixture
def project(tmp_path: Path) -> Project:
    made = Project(tmp_path / "project")
    app.init(made.root)
    app.add_fact_type(made.root, "kiln_slot", "home")
    made.suite(SUITE)
    return made


def listed(*values: str) -> str:
    """A block of values, each as it is written in YAML."""
    return "values:\n" + "".join(f"  - {{value: {value}}}\n" for value in values)
