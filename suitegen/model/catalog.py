"""What an author's files hold, once read: the things a plan draws on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from suitegen.model.background import Script
from suitegen.model.fact_type import FactType
from suitegen.model.gate import GateSpec
from suitegen.model.paradigm import Paradigm
from suitegen.model.suite import SuiteSpec
from suitegen.model.surface import Questions, Surfaces


@dataclass(frozen=True, slots=True)
class Catalog:
    """All files of the shelves as models, by id; a project's own shadow the shipped ones."""

    fact_types: Mapping[str, FactType]
    paradigms: Mapping[str, Paradigm]
    suites: Mapping[str, SuiteSpec]
    gates: Mapping[str, GateSpec]
    scripts: Mapping[str, Script]
    surfaces: Mapping[str, Surfaces]
    """By language."""
    questions: Mapping[str, Questions]
    """By language."""
