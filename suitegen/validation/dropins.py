"""Validators from outside: files of a project's own ``validators/``, and installed packages.

A file is loaded by its path, under a name that no import can meet, and only when a gate names it.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from suitegen.errors import SuitegenError
from suitegen.model.gate import GateSpec
from suitegen.validation.builtin import catalogue
from suitegen.validation.protocol import AnyValidator, Validator

GROUP = "suitegen.validators"
"""Entry points of this group name a function without arguments that returns validators by name."""
VARIABLE = "VALIDATOR"
_PRIVATE = "_suitegen_dropin_"


class DropinError(SuitegenError):
    """A validator from outside cannot be used; ``where`` is its file or entry point."""


def with_dropins(
    known: Mapping[str, AnyValidator], folder: Path, gates: Iterable[GateSpec]
) -> Mapping[str, AnyValidator]:
    """The known validators, those of installed packages, and the files that the gates name.

    A name without a file is left out: the lint of the gate says that there is no such validator.

    Args:
        known: the built-in ones.
        folder: a project's ``validators/``; it need not exist.
        gates: whose checks are looked up.

    Raises:
        DropinError: a file or an entry point fails to load, or gives something else.
        SuitegenError: two validators share a name or a code.
    """
    installed = [validator for point in _points() for validator in _installed(point)]
    before = catalogue([*known.values(), *installed])
    named = dict.fromkeys(check.validator for gate in gates for check in gate.checks)
    files = [folder / f"{name}.py" for name in named if name.isidentifier() and (folder / f"{name}.py").is_file()]
    return catalogue([*before.values(), *(load(path) for path in files)])


def load(path: Path) -> AnyValidator:
    """The validator that a file defines as ``VALIDATOR``.

    Raises:
        DropinError: the file raises, defines none, or one that is not named after it.
    """
    found = getattr(_module(path), VARIABLE, None)
    if not isinstance(found, Validator):
        given = "nothing" if found is None else f"a {type(found).__name__}"
        raise DropinError(
            f"{VARIABLE} is {given}, not a Validator", where=str(path),
            hint=f"define {VARIABLE} = Validator({path.stem!r}, ...) from suitegen.validation.protocol",
        )  # fmt: skip
    if found.name != path.stem:
        raise DropinError(
            f"its validator is named {found.name!r}", where=str(path), hint=f"name it {path.stem!r}, as the file"
        )
    return found


def _module(path: Path) -> ModuleType:
    """The file as a module, under a private name, which is free again if the file raises."""
    name = _PRIVATE + path.stem
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise DropinError("it is no Python file", where=str(path))
    module = module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if not isinstance(error, (Exception, SystemExit)):
            raise
        lines = traceback.format_exception_only(error)
        raise DropinError("".join(lines).strip(), where=_place(error, path), hint="mend the file") from error
    return module


def _place(error: BaseException, path: Path) -> str:
    """The file, and the line of it where the error came up."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    line = error.lineno if isinstance(error, SyntaxError) else lines[-1] if lines else None
    return str(path) if line is None else f"{path}:{line}"


def _points() -> tuple[EntryPoint, ...]:
    """The entry points in an order that does not depend on how packages were installed."""
    return tuple(sorted(entry_points(group=GROUP), key=lambda point: (point.name, point.value)))


def _installed(point: EntryPoint) -> Iterator[AnyValidator]:
    where = f"entry point {point.name} ({point.value})"
    try:
        given = point.load()()
    except Exception as error:  # an installed package may do anything
        trace = "".join(traceback.format_exception_only(error)).strip()
        raise DropinError(trace, where=where, hint="mend or remove the package") from error
    if not isinstance(given, Mapping):
        raise DropinError(f"it gives a {type(given).__name__}, not a mapping of validators", where=where)
    for name, validator in given.items():
        if not isinstance(validator, Validator) or validator.name != name:
            raise DropinError(f"{name!r} is no validator of that name", where=where)
        yield validator
