"""All files of the shelves as one catalogue, with every problem of every file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel

from suitegen.errors import AuthorError
from suitegen.library.kinds import FACT_TYPE, GATE, KINDS, PARADIGM, QUESTIONS, SCRIPTS, SUITE, SURFACES, Kind
from suitegen.library.models import build
from suitegen.library.problem import Problem, sort_key
from suitegen.library.shelves import Found, Shelves
from suitegen.library.yaml import Document, Items, Loc, Node, Scalar, Table, child, plain, read
from suitegen.model.background import Script, ScriptFile
from suitegen.model.catalog import Catalog
from suitegen.model.fact_type import FactType
from suitegen.model.gate import GateSpec
from suitegen.model.paradigm import Paradigm
from suitegen.model.suite import SuiteSpec
from suitegen.model.surface import Questions, Surfaces
from suitegen.model.words import Severity

M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True, slots=True)
class Source:
    """Where a thing of the catalogue stands: its file, and the place in it."""

    document: Document
    base: Loc = ()

    def problem(
        self,
        code: str,
        message: str,
        loc: Sequence[str | int] = (),
        *,
        key: bool = False,
        hint: str = "",
        severity: Severity = "error",
    ) -> Problem:
        """A problem at a place of the thing."""
        return self.document.problem(code, message, (*self.base, *loc), key=key, hint=hint, severity=severity)


@dataclass(frozen=True, slots=True)
class Loaded:
    """What the shelves hold."""

    catalog: Catalog
    problems: tuple[Problem, ...]
    """Of files and models, in order of place; the lint adds its own."""
    sources: Mapping[tuple[str, str], Source] = field(repr=False)
    """By kind and id."""
    broken: frozenset[tuple[str, str]] = frozenset()
    """Kind and id of things that are there and could not be read; what names them is not to blame."""
    own: frozenset[str] = frozenset()
    """Suites of the nearest shelf, or all if that has none: those that the other files have to serve."""

    def source(self, kind: Kind, name: str) -> Source:
        """Where a thing stands.

        Raises:
            KeyError: there is none of that kind and name.
        """
        return self.sources[kind.name, name]

    def knows(self, kind: Kind, name: str) -> bool:
        """Whether there is such a thing, readable or not."""
        return (kind.name, name) in self.sources or (kind.name, name) in self.broken


def load(shelves: Shelves) -> Loaded:
    """Read every file of the shelves; what is wrong with any of them is a problem, never an exception."""
    reading = _Reading()
    for found in shelves.files():
        reading.file(found)
    reading.problems += shelves.strays()
    problems = _unsilenced(reading.problems, {d.path: d for d in reading.documents})
    catalog = _catalog(reading.things)
    own = frozenset(name for name in catalog.suites if reading.shelves[SUITE.name, name] == 0)
    broken = frozenset(reading.broken)
    return Loaded(catalog, tuple(problems), reading.sources, broken, own or frozenset(catalog.suites))


def refuse(problems: Sequence[Problem]) -> None:
    """Stop if there are errors.

    Raises:
        AuthorError: with the text of every error.
    """
    errors = [problem for problem in problems if problem.severity == "error"]
    if errors:
        raise AuthorError([str(problem) for problem in errors], hint="suitegen explain CODE says more about each")


def _catalog(things: Mapping[str, Mapping[str, BaseModel]]) -> Catalog:
    def of(kind: Kind, model: type[M]) -> dict[str, M]:
        return {name: thing for name, thing in things[kind.name].items() if isinstance(thing, model)}

    return Catalog(
        fact_types=of(FACT_TYPE, FactType),
        paradigms=of(PARADIGM, Paradigm),
        suites=of(SUITE, SuiteSpec),
        gates=of(GATE, GateSpec),
        scripts=of(SCRIPTS, Script),
        surfaces=of(SURFACES, Surfaces),
        questions=of(QUESTIONS, Questions),
    )


def _unsilenced(problems: Sequence[Problem], documents: Mapping[str, Document]) -> Iterator[Problem]:
    """Problems in order, without the warnings that a comment on their line silences."""
    for problem in sorted(problems, key=sort_key):
        document = documents.get(problem.path)
        silent = problem.severity == "warning" and document and problem.code in document.ignores(problem.line)
        if not silent:
            yield problem


class _Reading:
    """What was read so far."""

    def __init__(self) -> None:
        self.things: dict[str, dict[str, BaseModel]] = {name: {} for name in KINDS}
        self.sources: dict[tuple[str, str], Source] = {}
        self.problems: list[Problem] = []
        self.documents: list[Document] = []
        self.broken: set[tuple[str, str]] = set()
        self.shelves: dict[tuple[str, str], int] = {}

    def file(self, found: Found) -> None:
        """Read one file, unless nearer shelves have everything it declares."""
        document = read(found.path, str(found.path))
        model, problems = (
            (None, ()) if document.root is None else build(found.kind.model, document, _tree(found.kind, document.root))
        )
        named = _named(found.kind, document)
        if named and all(self.shelves.get((found.kind.name, name), found.shelf) < found.shelf for name, _ in named):
            return
        self.documents.append(document)
        self.problems += (*document.problems, *problems)
        if model is None:
            self.broken.update((found.kind.name, name) for name in (found.path.stem, *(name for name, _ in named)))
            return
        self.problems += _misnamed(found.path, document, model)
        for name, source in named:
            thing = model.scripts[int(source.base[-1])] if isinstance(model, ScriptFile) else model
            self._keep(found, name, thing, source)

    def _keep(self, found: Found, name: str, thing: BaseModel, source: Source) -> None:
        key = (found.kind.name, name)
        shelf = self.shelves.setdefault(key, found.shelf)
        if shelf < found.shelf:
            return
        if key in self.sources:
            first = self.sources[key]
            at = first.problem("", "", (_id_key(found.kind),))
            message = f"the {found.kind.name} {name!r} is declared twice: here and at {at.where}"
            self.problems.append(source.problem("L003", message, (_id_key(found.kind),), hint="rename one of them"))
            return
        self.things[found.kind.name][name] = thing
        self.sources[key] = source


def _id_key(kind: Kind) -> str:
    return "language" if kind in (SURFACES, QUESTIONS) else "id"


def _named(kind: Kind, document: Document) -> list[tuple[str, Source]]:
    """Names of what a file declares with their places."""
    scripts = document.node(("scripts",)) if kind is SCRIPTS else None
    bases: list[Loc] = (
        [("scripts", index) for index in range(len(scripts.items))] if isinstance(scripts, Items) else [()]
    )
    found = [(document.node((*base, _id_key(kind))), Source(document, base)) for base in bases]
    return [(node.text, source) for node, source in found if isinstance(node, Scalar) and node.text]


def _misnamed(path: Path, document: Document, model: BaseModel) -> Iterator[Problem]:
    """Fact types and wordings are looked for by their file's name, so the name inside must be the same."""
    stem, folder = path.stem, path.parent.name
    if isinstance(model, FactType) and model.id != stem:
        message = f"the id is {model.id!r}, but the file is named {stem!r}"
        yield document.problem("L001", message, ("id",), hint=f"name the file {model.id}.yaml")
    if isinstance(model, FactType) and model.domain != folder:
        message = f"the domain is {model.domain!r}, but the file stands in the folder {folder!r}"
        yield document.problem("L002", message, ("domain",), hint=f"move the file to {model.domain}/")
    if isinstance(model, Surfaces | Questions) and model.language != stem:
        message = f"the language is {model.language!r}, but the file is named {stem!r}"
        yield document.problem("L001", message, ("language",), hint=f"name the file {model.language}.yaml")


# -- options of gates -------------------------------------------------------------------------------------------

_WHOLE = re.compile(r"[-+]?[0-9]+")
_DECIMAL = re.compile(r"[-+]?(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+)(?:[eE][-+]?[0-9]+)?")
_TRUTH = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}


def _tree(kind: Kind, root: Node) -> object:
    """The plain tree of a file. The options of a gate's checks are the one place where a plain 0.9 is a number."""
    tree, checks = plain(root), child(root, "checks")
    if kind is GATE and isinstance(tree, dict) and isinstance(checks, Items):
        return {**tree, "checks": [_check(node) for node in checks.items]}
    return tree


def _check(node: Node) -> object:
    if not isinstance(node, Table):
        return plain(node)
    short = len(node.entries) == 1 and "validator" not in node.entries
    return {
        key: _options(entry.value) if short or key == "options" else plain(entry.value)
        for key, entry in node.entries.items()
    }


def _options(node: Node) -> object:
    if not isinstance(node, Table):
        return plain(node)
    return {key: _resolved(entry.value) for key, entry in node.entries.items()}


def _resolved(node: Node) -> object:
    """A plain scalar as YAML 1.2 reads it: true and false, whole and decimal numbers, else text."""
    if not isinstance(node, Scalar) or not node.plain or node.text is None:
        return plain(node)
    if node.text in _TRUTH:
        return _TRUTH[node.text]
    if _WHOLE.fullmatch(node.text):
        return int(node.text)
    return float(node.text) if _DECIMAL.fullmatch(node.text) else node.text
