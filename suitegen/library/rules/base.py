"""What a rule looks at, and how it says what it found."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeAlias, TypeVar

from suitegen.errors import TemplateError
from suitegen.library.catalog import Loaded, Source
from suitegen.library.codes import CODES
from suitegen.library.nearest import did_you_mean
from suitegen.library.problem import Problem
from suitegen.library.templates import uses
from suitegen.library.yaml import Loc
from suitegen.model.words import Severity

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class On(Generic[T]):
    """A thing of the catalogue under the lint."""

    thing: T
    source: Source
    loaded: Loaded
    base: Loc = ()
    """Where in its source the thing stands."""

    def found(
        self,
        code: str,
        message: str,
        *loc: str | int,
        key: bool = False,
        hint: str = "",
        severity: Severity | None = None,
    ) -> Problem:
        """A problem at a place of the thing; as severe as its code, unless told otherwise."""
        severe = severity or CODES[code].severity
        return self.source.problem(code, message, (*self.base, *loc), key=key, hint=hint, severity=severe)


Rule: TypeAlias = Callable[[On[T]], Iterator[Problem]]
Texts: TypeAlias = Iterable[tuple[Loc, str]]
"""Texts with their places."""


def listed(loc: Loc, texts: Sequence[str]) -> Iterator[tuple[Loc, str]]:
    """The texts of a list with their places."""
    for index, text in enumerate(texts):
        yield (*loc, index), text


def unknown_variables(on: On[T], texts: Texts, known: Sequence[str], what: str) -> Iterator[Problem]:
    """Texts that are no templates (L401), or use a variable that they do not get (L402).

    Args:
        on: what the texts belong to.
        texts: the lines.
        known: the variables that they get.
        what: what the lines are, for the message.
    """
    for loc, text in texts:
        try:
            used = uses(text)
        except TemplateError as error:
            yield on.found("L401", f"{error.message}{f', {error.where}' if error.where else ''}", *loc)
            continue
        for use in used:
            line = f" (line {use.line + 1} of the text)" if use.line else ""
            message = f"{(use.path or use.name)!r} is not known in {what}{line}"
            if use.name not in known:
                hint = did_you_mean(use.name, known) or "no variable is known here"
                yield on.found("L402", message, *loc, hint=hint)
            elif use.path:
                yield on.found("L402", message, *loc, hint=f"{{{{ {use.name} }}}} is text and has no parts")


def states(text: str) -> frozenset[str]:
    """The variables of a text; none for a text that is no template, which L401 reports."""
    try:
        return frozenset(use.name for use in uses(text))
    except TemplateError:
        return frozenset()


def twice(names: Iterable[str]) -> Iterator[tuple[int, int, str]]:
    """Names that come again: index, index of the first one, name; case is ignored."""
    first: dict[str, int] = {}
    for index, name in enumerate(names):
        folded = name.casefold()
        if folded in first:
            yield index, first[folded], name
        first.setdefault(folded, index)
