"""A code: one kind of problem, with what it means, why it matters, and how it is put right."""

from __future__ import annotations

from dataclasses import dataclass
from textwrap import dedent, indent
from typing import Literal

from suitegen.library.kinds import Kind
from suitegen.model.words import Severity

Piece = Literal["keys", "condition", "file", "name", "another"]
"""What an example is: keys of a file or of a condition, a whole file, a file's name, keys of another file beside it."""


@dataclass(frozen=True, slots=True)
class Code:
    """One kind of problem."""

    code: str
    title: str
    why: str
    kind: Kind
    """The kind of file that the examples are of."""
    bad: str
    good: str
    severity: Severity
    piece: Piece

    @classmethod
    def of(
        cls,
        code: str,
        title: str,
        why: str,
        kind: Kind,
        *,
        bad: str,
        good: str,
        severity: Severity = "error",
        piece: Piece = "keys",
    ) -> Code:
        """A code from texts that are indented as code is."""
        return cls(code, title, " ".join(why.split()), kind, _flat(bad), _flat(good), severity, piece)

    def __str__(self) -> str:
        """The explanation, for people."""
        lead = f"{self.code} ({self.severity}): {self.title}"
        example = f"Wrong, in a {self.kind.name} file:\n{indent(self.bad, '    ')}"
        return "\n\n".join([lead, self.why, example, f"Right:\n{indent(self.good, '    ')}"])


def _flat(text: str) -> str:
    return dedent(text).strip("\n").rstrip()
