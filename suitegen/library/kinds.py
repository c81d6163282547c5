"""The kinds of files: which folder holds them, and what they are read as."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import BaseModel

from suitegen.model.background import ScriptFile
from suitegen.model.fact_type import FactType
from suitegen.model.gate import GateSpec
from suitegen.model.paradigm import Paradigm
from suitegen.model.suite import SuiteSpec
from suitegen.model.surface import Questions, Surfaces


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of file."""

    name: str
    """As authors call it; also the name of its schema."""
    folder: str
    """Where its files stand, below a shelf."""
    depth: int
    """How many folders deeper they stand: 1 for those of a domain's own folder."""
    model: type[BaseModel]


FACT_TYPE = Kind("fact-type", "fact_types", 1, FactType)
PARADIGM = Kind("paradigm", "specs/paradigms", 0, Paradigm)
SUITE = Kind("suite", "specs/suites", 0, SuiteSpec)
GATE = Kind("gate", "validators", 0, GateSpec)
SCRIPTS = Kind("scripts", "templates/background", 0, ScriptFile)
SURFACES = Kind("surfaces", "templates/surfaces", 0, Surfaces)
QUESTIONS = Kind("questions", "templates/questions", 0, Questions)

KINDS: Mapping[str, Kind] = {
    kind.name: kind for kind in (FACT_TYPE, PARADIGM, SUITE, GATE, SCRIPTS, SURFACES, QUESTIONS)
}
"""All kinds by name, in the order in which their files are read."""
