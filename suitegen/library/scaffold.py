"""New files for a project: its folders with a starter suite, and fact types to start from."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from suitegen.errors import AuthorError, SuitegenError
from suitegen.library.models import build
from suitegen.library.yaml import read
from suitegen.model.base import Identifier
from suitegen.model.suite import SuiteSpec

STARTER = "starter"
"""The shipped suite that a new project begins with."""

FRAME = {
    "suitegen.yaml": "suitegen.yaml",
    "README.md": "README.md",
    "gitignore": ".gitignore",
    "env.example": ".env.example",
}
"""Files of a new project beside its shelves, by their name under ``templates/project`` (there with ``.in``)."""

_NAME: TypeAdapter[str] = TypeAdapter(Identifier)


def lay_down(folder: Path, shipped: Path) -> tuple[Path, ...]:
    """Make a project: settings, a starter suite with every file it names, and what explains them.

    Args:
        folder: where; made if it is not there. Files that are there already stay as they are.
        shipped: the folder that holds the shipped shelves.

    Returns:
        The new files.

    Raises:
        AuthorError: the starter suite is wrong.
        SuitegenError: it names a file that is not there.
    """
    sources = {_frame(shipped, name): folder / shown for name, shown in FRAME.items()}
    sources |= {source: folder / source.relative_to(shipped) for source in _starter(shipped)}
    return tuple(to for source, to in sources.items() if _copy(source, to))


def add_fact_type(project: Path, name: str, domain: str, shipped: Path) -> Path:
    """Write a complete fact type to start from.

    Raises:
        SuitegenError: a name is not one, or there is such a file.
    """
    for given in (name, domain):
        _check_name(given)
    path = project / "fact_types" / domain / f"{name}.yaml"
    if path.exists():
        raise SuitegenError("the file is there already", where=str(path), hint="take another name, or edit the file")
    words = {"@name@": name, "@domain@": domain, "@words@": re.sub("[_-]", " ", name)}
    text = _frame(shipped, "fact-type.yaml").read_text(encoding="utf-8")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(re.sub("@[a-z]+@", lambda match: words[match[0]], text), encoding="utf-8")
    return path


def _check_name(given: str) -> None:
    try:
        _NAME.validate_python(given)
    except ValidationError as error:
        hint = "a name has small letters and digits, with single '_' or '-' between them: 'ward_round'"
        raise SuitegenError(f"{given!r} is no name", hint=hint) from error


def _frame(shipped: Path, name: str) -> Path:
    return shipped / "templates" / "project" / f"{name}.in"


def _copy(source: Path, to: Path) -> bool:
    """Copy to a new file; False if there is one."""
    if to.exists():
        return False
    to.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, to)
    return True


def _starter(shipped: Path) -> Iterator[Path]:
    """The starter suite, every shipped file it names, the questions of its language, and the schemas."""
    path = shipped / "specs" / "suites" / f"{STARTER}.yaml"
    document = read(path, str(path))
    suite, problems = build(SuiteSpec, document, document.tree) if document.root else (None, ())
    if suite is None:
        raise AuthorError([str(problem) for problem in (*document.problems, *problems)])
    yield path
    for pattern in _named(suite):
        found = sorted(shipped.glob(pattern))
        if not found:
            raise SuitegenError(f"the starter suite names {pattern}, which is not there", where=str(path))
        yield from found
    yield from sorted(shipped.glob("schemas/*.json"))


def _named(suite: SuiteSpec) -> Iterator[str]:
    """Patterns of the files that a suite names."""
    for paradigm in suite.paradigms:
        yield f"specs/paradigms/{paradigm}.yaml"
    for fact_type in suite.fact_types:
        yield f"fact_types/*/{fact_type}.yaml"
    for gate in suite.gates:
        yield f"validators/{gate}.yaml"
    yield f"templates/questions/{suite.language}.yaml"
