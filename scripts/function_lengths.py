#!/usr/bin/env python3
"""Report how long functions are, and fail when they grow too long.

A function's length is its lines from ``def`` to its end without the docstring's; nested
functions count by themselves as well. Fails when the 95th percentile (nearest rank) is 40
or more, or any function has more than 80 lines.
"""

from __future__ import annotations

import ast
import math
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

P95_BELOW = 40
LONGEST = 80


@dataclass(frozen=True, slots=True, order=True)
class Function:
    """A function with its length in lines."""

    lines: int
    where: str
    name: str


def functions(source: str, where: str) -> Iterator[Function]:
    """Every function of a module's text, in no particular order."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield Function(_lines(node), f"{where}:{node.lineno}", node.name)


def _lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    length = (node.end_lineno or node.lineno) - node.lineno + 1
    if ast.get_docstring(node, clean=False) is None:
        return length
    docstring = node.body[0]
    return length - ((docstring.end_lineno or docstring.lineno) - docstring.lineno + 1)


def p95(found: Sequence[Function]) -> int:
    """The 95th percentile of the lengths, by nearest rank."""
    lengths = sorted(function.lines for function in found)
    return lengths[math.ceil(0.95 * len(lengths)) - 1]


def main(folder: str) -> int:
    """Print the report on all modules under a folder; 0 when the lengths hold, else 1."""
    found = sorted(
        (f for path in sorted(Path(folder).rglob("*.py")) for f in functions(path.read_text("utf-8"), str(path))),
        reverse=True,
    )
    if not found:
        print(f"no function under {folder}")
        return 1
    print(f"{len(found)} functions: p95 {p95(found)} lines (below {P95_BELOW}), longest {found[0].lines} ({LONGEST})")
    too_long = [function for function in found if function.lines > LONGEST]
    for function in too_long or found[:3]:
        print(f"  {function.lines:4} {function.where} {function.name}")
    return 1 if too_long or p95(found) >= P95_BELOW else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "suitegen"))
