"""What is wrong in a file: one value with code, words, place and fix, and how it is shown."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from suitegen.model.words import Severity

_SHOWN = 100
"""How many characters of a long source line are shown."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A mistake in a file.

    ``line`` and ``col`` count from 1, in code points; line 0 means the file as a whole.
    """

    code: str
    message: str
    path: str
    line: int = 0
    col: int = 0
    source_line: str = ""
    hint: str = ""
    severity: Severity = "error"

    @property
    def where(self) -> str:
        """``path:line:col``, or the path alone for a whole file."""
        return f"{self.path}:{self.line}:{self.col}" if self.line else self.path

    @property
    def headline(self) -> str:
        """One line: ``path:line:col: error[CODE] message``."""
        return f"{self.where}: {self.severity}[{self.code}] {self.message}"

    def __str__(self) -> str:
        """The headline, the source line with a caret under the place, and the hint."""
        parts = [self.headline]
        if self.line and self.source_line.strip():
            parts += _quoted(self.source_line, self.col)
        if self.hint:
            parts.append(f"    hint: {self.hint}")
        return "\n".join(parts)


def sort_key(problem: Problem) -> tuple[str, int, int, str, str]:
    """Order of problems: by file, place and code."""
    return problem.path, problem.line, problem.col, problem.code, problem.message


def common(ways: Sequence[Sequence[Problem]]) -> Iterator[Problem]:
    """The problems that stand in a file and were found in every way of looking at it; hints may differ."""
    found = [{replace(problem, hint="") for problem in way} for way in ways]
    for problem in ways[0] if ways else ():
        if problem.line and all(replace(problem, hint="") in way for way in found):
            yield problem


def _quoted(line: str, col: int) -> list[str]:
    """The source line, cut to a window around the column, and the caret line."""
    start = max(0, min(col - _SHOWN // 2, len(line) - _SHOWN))
    window = "".join(_visible(char) for char in line[start : start + _SHOWN])
    before = "… " if start else ""
    after = " …" if start + _SHOWN < len(line) else ""
    caret = " " * (len(before) + sum(_width(char) for char in window[: col - 1 - start])) + "^"
    return [f"    {before}{window}{after}", f"    {caret}"]


def _visible(char: str) -> str:
    """A character that takes one place or two, and steers nothing."""
    if char == "\t":
        return " "
    return "\N{REPLACEMENT CHARACTER}" if unicodedata.category(char) in ("Cc", "Cs", "Co", "Cf", "Zl", "Zp") else char


def _width(char: str) -> int:
    """How many places a terminal gives the character."""
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1
