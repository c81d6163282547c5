"""Mistakes in files as text, JSON, GitHub annotations and SARIF."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

from pydantic_core import to_jsonable_python

from suitegen import __version__
from suitegen.cli.console import SCHEMA
from suitegen.cli.talk import clean, line
from suitegen.library.problem import Problem


def text(problems: Sequence[Problem]) -> str:
    """``path:line:col: error[CODE] message``, the source line with a caret, and what to do."""
    return "\n".join(clean(str(_plain(problem))) for problem in problems)


def _plain(problem: Problem) -> Problem:
    """The problem with every part on one line, so that none can pass for another."""
    return replace(problem, path=line(_near(problem.path)), message=line(problem.message), hint=line(problem.hint))


def as_json(problems: Sequence[Problem]) -> str:
    """One JSON document."""
    found = [{**to_jsonable_python(problem), "path": _near(problem.path)} for problem in problems]
    return json.dumps({"schema": SCHEMA, "problems": found}, indent=2)


def github(problems: Sequence[Problem]) -> str:
    """Workflow commands that GitHub shows as annotations at the lines they are about."""
    return "\n".join(_annotation(problem) for problem in problems)


def _annotation(problem: Problem) -> str:
    place = {"file": _near(problem.path), "title": problem.code}
    if problem.line:
        place |= {"line": str(problem.line), "col": str(problem.col)}
    properties = ",".join(f"{name}={_property(value)}" for name, value in place.items())
    return f"::{problem.severity} {properties}::{_escaped(_message(problem))}"


def _message(problem: Problem) -> str:
    return f"{problem.message}\n{problem.hint}" if problem.hint else problem.message


def _escaped(value: str) -> str:
    return clean(value.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A"))


def _property(value: str) -> str:
    return _escaped(value).replace(":", "%3A").replace(",", "%2C")


def sarif(problems: Sequence[Problem]) -> str:
    """A SARIF 2.1.0 log with one run."""
    rules = [{"id": code} for code in sorted({problem.code for problem in problems})]
    driver = {"name": "suitegen", "version": __version__, "rules": rules}
    run = {"tool": {"driver": driver}, "results": [_result(problem) for problem in problems]}
    log = {"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [run]}
    return json.dumps(log, indent=2)


def _result(problem: Problem) -> dict[str, object]:
    place: dict[str, object] = {"artifactLocation": {"uri": quote(Path(_near(problem.path)).as_posix())}}
    if problem.line:
        place["region"] = {"startLine": problem.line, "startColumn": max(problem.col, 1)}
    return {
        "ruleId": problem.code,
        "level": problem.severity,
        "message": {"text": _message(problem)},
        "locations": [{"physicalLocation": place}],
    }


def _near(path: str) -> str:
    """A path as seen from the current folder, where it lies under it."""
    absolute = Path(path).absolute()
    return str(absolute.relative_to(Path.cwd())) if absolute.is_relative_to(Path.cwd()) else path


def count(problems: Sequence[Problem]) -> str:
    """What all of them come to."""
    if not problems:
        return "no mistakes found"
    errors = sum(problem.severity == "error" for problem in problems)
    numbers = ((errors, "error"), (len(problems) - errors, "warning"))
    return ", ".join(f"{n} {word if n == 1 else word + 's'}" for n, word in numbers if n)


FORMATS: Mapping[str, Callable[[Sequence[Problem]], str]] = {
    "text": text,
    "json": as_json,
    "github": github,
    "sarif": sarif,
}
