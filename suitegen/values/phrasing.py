"""Regular expressions over folded text, built from the phrases of a language table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from suitegen.values.normal import fold

PART = r"[^\W_]|[\u0300-\u036f]"
"""A letter, a digit, or an accent that no letter has taken up."""
NO_WORD = f"(?!{PART})"
"""Nothing of a word follows."""
GAP = r"(?:-| {1,3})"
"""Between the words of a phrase: a hyphen or blanks."""


def any_of(phrases: Iterable[str]) -> str:
    """An alternation of phrases, the longest first; blanks and hyphens inside them are the same."""
    folded = sorted({fold(phrase) for phrase in phrases}, key=lambda phrase: (-len(phrase), phrase))
    return "(?:" + "|".join(_gapped(phrase) for phrase in folded) + ")"


def filled(phrase: str, parts: Mapping[str, str]) -> str:
    """The expression of a phrase with ``{name}`` where each named part stands."""
    pieces = re.split(r"\{(\w+)\}", fold(phrase))
    return "".join(f"(?P<{piece}>{parts[piece]})" if at % 2 else _gapped(piece) for at, piece in enumerate(pieces))


def _gapped(phrase: str) -> str:
    return re.sub(r"(?:\\ |\\-)+", lambda _: GAP, re.escape(phrase))
