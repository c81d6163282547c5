"""The declarations a suite was built from, kept beside it: so that it can be checked from its files alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from suitegen.errors import SuiteError
from suitegen.model.base import Noun
from suitegen.model.catalog import Catalog
from suitegen.model.fact_type import FactType
from suitegen.model.gate import GateSpec
from suitegen.model.paradigm import Paradigm
from suitegen.model.suite import SuiteSpec

FILE = "spec.json"
Thing = TypeVar("Thing")


class Declarations(Noun):
    """The suite's own file and every fact type, paradigm and gate that it names."""

    suite: SuiteSpec
    fact_types: dict[str, FactType]
    paradigms: dict[str, Paradigm]
    gates: dict[str, GateSpec]

    @property
    def catalog(self) -> Catalog:
        """The declarations as a catalogue; the wordings, which checking does not need, are left out."""
        return Catalog(
            self.fact_types,
            self.paradigms,
            {self.suite.id: self.suite},
            self.gates,
            scripts={},
            surfaces={},
            questions={},
        )


def declarations(suite: SuiteSpec, catalog: Catalog) -> Declarations:
    """What a suite draws on, of all that a catalogue holds."""
    return Declarations(
        suite=suite,
        fact_types=_named(catalog.fact_types, suite.fact_types),
        paradigms=_named(catalog.paradigms, suite.paradigms),
        gates=_named(catalog.gates, suite.gates),
    )


def _named(things: Mapping[str, Thing], names: Iterable[str]) -> dict[str, Thing]:
    return {name: things[name] for name in sorted(set(names)) if name in things}


def read_declarations(out: Path) -> Declarations:
    """The declarations beside a built suite.

    Raises:
        SuiteError: the file is missing or damaged.
    """
    path = out / FILE
    try:
        return Declarations.model_validate_json(path.read_bytes())
    except OSError as error:
        raise SuiteError("it cannot be read", where=str(path), hint="build the suite again") from error
    except ValidationError as error:
        raise SuiteError(
            f"it is damaged: {error.errors()[0]['msg']}", where=str(path), hint="build the suite again"
        ) from error
