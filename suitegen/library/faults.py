"""Errors of pydantic with the places that they mean in a file, put together as an author would count them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from suitegen.library.yaml import Document, Loc, Node, child


@dataclass(frozen=True, slots=True)
class Fault:
    """One error of pydantic with the place that its loc means in the file."""

    details: ErrorDetails
    loc: Loc
    """The steps of the loc that lead somewhere in the file."""
    of_key: bool
    last: str
    """The last step of the loc: of a missing or unknown key, its name."""

    @property
    def type(self) -> str:
        """What pydantic calls it."""
        return self.details["type"]

    @classmethod
    def of(cls, details: ErrorDetails, document: Document, base: Loc) -> Fault:
        """The fault that an error is.

        Args:
            details: the error.
            document: the file.
            base: where in the file stands what was validated.
        """
        steps: list[str | int] = list(base)
        here: Node | None = document.node(base)
        of_key = False
        for step in details["loc"]:
            below = child(here, step)
            if step == "[key]":
                of_key = True
            elif below is not None:
                # What leads nowhere is the tag of a union, an index of a single value, or a missing key.
                steps.append(step)
                here = below
        last = str(details["loc"][-1]) if details["loc"] else ""
        return cls(details, tuple(steps), of_key or details["type"] == "extra_forbidden", last)

    @property
    def depth(self) -> int:
        """How many steps lead to it."""
        return len(self.loc)


_MISFITS = frozenset({
    "literal_error", "tuple_type", "list_type", "dict_type", "model_type", "string_type", "int_type", "int_parsing",
    "bool_type", "bool_parsing", "float_type", "float_parsing", "none_required", "too_long", "too_short",
})  # fmt: skip
"""Errors that say what kind of thing was expected: of a union, each member may add one."""


def grouped(error: ValidationError, document: Document, base: Loc = ()) -> Iterator[list[Fault]]:
    """The faults of an error that belong together: one group for each place.

    What a union says of its members that were not meant is left out.
    """
    faults = [Fault.of(details, document, base) for details in error.errors(include_url=False)]
    groups: dict[tuple[object, ...], list[Fault]] = {}
    inside: dict[Loc, list[Fault]] = {}
    for fault in faults:
        apart = (fault.last,) if fault.type in ("missing", "extra_forbidden") else ()
        groups.setdefault((fault.loc, fault.of_key, *apart), []).append(fault)
        for depth in range(fault.depth):
            inside.setdefault(fault.loc[:depth], []).append(fault)
    for group in groups.values():
        if group[0].type not in _MISFITS or not _fits_inside(group[0], inside.get(group[0].loc, ())):
            yield group


def _fits_inside(fault: Fault, inside: Sequence[Fault]) -> bool:
    """Whether another member of the same union fits and is wrong further inside."""
    return any(f.details["loc"][: _shared(f, fault)] != f.details["loc"] for f in inside)


def literals(faults: Sequence[Fault]) -> list[str]:
    """The words that closed lists at the faults' place allow."""
    return [
        word
        for fault in faults
        if fault.type == "literal_error"
        for word in re.findall(r"'([^']*)'", str(fault.details["ctx"]["expected"]))
    ]


def _shared(one: Fault, other: Fault) -> int:
    pairs = zip(one.details["loc"], other.details["loc"], strict=False)
    count = 0
    for left, right in pairs:
        if left != right:
            break
        count += 1
    return count
