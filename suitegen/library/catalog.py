"""All files of the shelves as one catalogue, with every problem of every file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from typing import TypeVar

from pydantic import BaseModel

from suitegen.errors import AuthorError
from suitegen.library.editing import keys, names
from suitegen.library.kinds import FACT_TYPE, GATE, KINDS, PARADIGM, QUESTIONS, SCRIPTS, SUITE, SURFACES, Kind
from suitegen.library.models import build
from suitegen.library.nearest import slug
from suitegen.library.problem import Problem, common, sort_key
from suitegen.library.reshape import WAYS, Mender, Way
from suitegen.library.shelves import Found, Shelves
from suitegen.library.templates import RESERVED
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
    """By kind and id, of all that is named, readable or not."""
    broken: frozenset[tuple[str, str]] = frozenset()
    """Kind and id of things that are there and could not be read, or are named otherwise than their file; what names
    them is not to blame."""
    own: frozenset[str] = frozenset()
    """Suites of the nearest shelf, or all if that has none: those that the other files have to serve."""
    declared: tuple[tuple[BaseModel, Source], ...] = field(default=(), repr=False)
    """Everything that could be read with its place: also what has the name of another thing, and so is of no use."""
    mended: tuple[Loaded, ...] = field(default=(), repr=False)
    """The same with files of the wrong shape read as far as they go, in several ways; for the lint alone.
    Empty if there are none."""

    def source(self, kind: Kind, name: str) -> Source:
        """Where a thing stands.

        Raises:
            KeyError: there is none of that kind and name.
        """
        return self.sources[kind.name, name]

    def knows(self, kind: Kind, name: str) -> bool:
        """Whether there is such a thing, readable or not."""
        return (kind.name, name) in self.sources or (kind.name, name) in self.broken

    @property
    def gates(self) -> tuple[GateSpec, ...]:
        """All gates as far as they can be read, for the names of their validators."""
        return tuple(gate for loaded in (self, *self.mended) for gate in loaded.catalog.gates.values())


def load(shelves: Shelves) -> Loaded:
    """Read every file of the shelves; what is wrong with any of them is a problem, never an exception."""
    files = [_read(found) for found in shelves.files()]
    shelved = _Shelved.of(files)
    mended = [_Shelved.of([_mended(file, way, found) for file in files]) for way, found in _ways(files)]
    problems = [*shelved.problems(), *_behind(shelved, mended), *shelves.strays()]
    documents = {file.document.path: file.document for file in shelved.files}
    return shelved.loaded(
        tuple(_unsilenced(problems, documents)), tuple(each.loaded(()) for each in mended if shelved.bent)
    )


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


# -- files ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _File:
    """A file as it was read, or mended."""

    found: Found
    document: Document
    model: BaseModel | None
    problems: tuple[Problem, ...]
    """Those of its shape."""
    named: tuple[tuple[str, Source], ...]
    """What it declares."""
    also: tuple[str, ...] = ()
    """Other names by which what it declares may be meant: of what has no name or another one than its file."""


_MOST = 300
"""How many names what cannot be read is taken to hold."""
_NAMED_BY_FILE = (FACT_TYPE, SURFACES, QUESTIONS)


def _read(found: Found) -> _File:
    document = read(found.path, str(found.path))
    if document.root is None:
        return _File(found, document, None, (), (), (found.path.stem,))
    model, problems = build(found.kind.model, document, _tree(found.kind, document.root))
    model = None if document.lost else model
    named = _named(found.kind, document)
    meant = found.kind in _NAMED_BY_FILE or model is None
    also = (*([found.path.stem] if meant else ()), *(name for name, _ in named if model is None))
    return _File(found, document, model, problems, named, also)


def _ways(files: Sequence[_File]) -> Iterator[tuple[Way, tuple[str, ...]]]:
    """The ways to mend files, with the names that files may have of each other; none if every file has its shape."""
    if any(file.model is None and file.document.root is not None for file in files):
        naming = [file.document.root for file in files if file.found.kind in (SUITE, PARADIGM)]
        found = tuple(dict.fromkeys(name for root in naming for name in names(root)))
        yield from ((way, found) for way in WAYS)


def _mended(file: _File, way: Way, found: tuple[str, ...]) -> _File:
    """A file of the wrong shape as far as it goes; any other as it is."""
    if file.model is not None or file.document.root is None:
        return file
    kind, path = file.found.kind, file.found.path
    known = {_id_key(kind): slug(path.stem), "domain": slug(path.parent.name)}
    own = tuple(names(file.document.root))
    used = dict.fromkeys(name for name in (*own, *keys(file.document.root)) if name not in RESERVED)
    uses = tuple(f"{{{{ {name} }}}}" for name in islice(used, _MOST))
    mender = Mender(
        kind.model, partial(_tree, kind), way, known, tuple(islice(dict.fromkeys((*own, *found)), _MOST)), uses
    )
    reshaped = mender.reshape(file.document)
    named = _named(kind, reshaped.document)
    return replace(file, document=reshaped.document, model=reshaped.model, problems=reshaped.problems, named=named)


@dataclass(frozen=True, slots=True)
class _Shelved:
    """Files in their order, with what they declare: of things of one name that of the nearest shelf."""

    files: tuple[_File, ...]
    """Without those that nearer ones shadow altogether."""
    things: Mapping[str, Mapping[str, BaseModel]]
    sources: Mapping[tuple[str, str], Source]
    shelves: Mapping[tuple[str, str], int]
    declared: tuple[tuple[BaseModel, Source], ...]
    twice: tuple[Problem, ...]
    """Names that are taken."""

    @classmethod
    def of(cls, files: Sequence[_File]) -> _Shelved:
        """The files on their shelves."""
        kept: list[_File] = []
        things: dict[str, dict[str, BaseModel]] = {name: {} for name in KINDS}
        sources: dict[tuple[str, str], Source] = {}
        shelves: dict[tuple[str, str], int] = {}
        declared: list[tuple[BaseModel, Source]] = []
        twice: list[Problem] = []
        for file in files:
            kind, shelf = file.found.kind, file.found.shelf
            if file.named and all(shelves.get((kind.name, name), shelf) < shelf for name, _ in file.named):
                continue
            kept.append(file)
            for name, source in file.named:
                key = (kind.name, name)
                if shelves.setdefault(key, shelf) < shelf:
                    continue
                if file.model is not None:
                    declared.append((_thing(file.model, source), source))
                    things[kind.name].setdefault(name, declared[-1][0])
                if sources.setdefault(key, source) is not source:
                    twice.append(_twice(kind, name, sources[key], source))
        return cls(tuple(kept), things, sources, shelves, tuple(declared), tuple(twice))

    @property
    def bent(self) -> bool:
        """Whether a file has the wrong shape."""
        return any(file.model is None and file.document.root is not None for file in self.files)

    def problems(self) -> Iterator[Problem]:
        """What is wrong with the files, and with what they call what they declare."""
        yield from self.twice
        for file in self.files:
            yield from (*file.document.problems, *file.problems)
            yield from _misnamed(file)

    def loaded(self, problems: tuple[Problem, ...], mended: tuple[Loaded, ...] = ()) -> Loaded:
        """What they hold, with what is wrong with them and the ways in which they could be mended."""
        catalog = _catalog(self.things)
        own = frozenset(name for name in catalog.suites if self.shelves[SUITE.name, name] == 0)
        broken = frozenset((file.found.kind.name, name) for file in self.files for name in file.also)
        own = own or frozenset(catalog.suites)
        return Loaded(catalog, problems, self.sources, broken, own, self.declared, mended)


def _behind(shelved: _Shelved, mended: Sequence[_Shelved]) -> Iterator[Problem]:
    """Mistakes of shape behind others, which showed in every way to mend those; of a kind, one at a place."""
    said = {_place(problem) for file in shelved.files for problem in file.problems}
    ways = [[problem for file in way.files for problem in file.problems] for way in mended]
    for problem in common(ways):
        if _place(problem) not in said:
            said.add(_place(problem))
            yield problem


def _place(problem: Problem) -> tuple[str, str, int, int]:
    return problem.code, problem.path, problem.line, problem.col


def _id_key(kind: Kind) -> str:
    return "language" if kind in (SURFACES, QUESTIONS) else "id"


def _thing(model: BaseModel, source: Source) -> BaseModel:
    return model.scripts[int(source.base[-1])] if isinstance(model, ScriptFile) else model


def _named(kind: Kind, document: Document) -> tuple[tuple[str, Source], ...]:
    """Names of what a file declares with their places."""
    scripts = document.node(("scripts",)) if kind is SCRIPTS else None
    bases: list[Loc] = (
        [("scripts", index) for index in range(len(scripts.items))] if isinstance(scripts, Items) else [()]
    )
    found = [(document.node((*base, _id_key(kind))), Source(document, base)) for base in bases]
    return tuple((node.text, source) for node, source in found if isinstance(node, Scalar) and node.text)


def _twice(kind: Kind, name: str, first: Source, source: Source) -> Problem:
    at = first.problem("", "", (_id_key(kind),))
    message = f"the {kind.name} {name!r} is declared twice: here and at {at.where}"
    return source.problem("L003", message, (_id_key(kind),), hint="rename one of them")


def _misnamed(file: _File) -> Iterator[Problem]:
    """Fact types and wordings are looked for by their file's name, so the name inside must be the same."""
    kind, path = file.found.kind, file.found.path
    if kind in _NAMED_BY_FILE:
        yield from _other_name(file, "L001", _id_key(kind), path.stem, "the file is named", "name the file {}.yaml")
    if kind is FACT_TYPE:
        folder = path.parent.name
        yield from _other_name(file, "L002", "domain", folder, "the file stands in the folder", "move the file to {}/")


def _other_name(file: _File, code: str, key: str, name: str, where: str, hint: str) -> Iterator[Problem]:
    """A problem if a key's text is another than a name."""
    node = file.document.node((key,))
    # A text that is near the name and no legal name itself is reported as such.
    if isinstance(node, Scalar) and node.text and name not in (node.text, slug(node.text)):
        message = f"the {key} is {node.text!r}, but {where} {name!r}"
        yield file.document.problem(code, message, (key,), hint=hint.format(node.text))


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
