"""Text as it is compared: one form for spellings that look or mean the same.

The form is NFKC with case folded (Unicode Standard, section 3.13), and beyond that:
typographic quotes, dashes and spaces are their plain cousins, digits of every script
are 0 to 9, invisible characters are gone, and numerals that are symbols stand apart
(``10²`` is not ``102``). An em dash is two hyphens, so that it does not look like the
hyphen inside a compound. Texts are stored as they were written; only comparisons fold.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from typing import NamedTuple

_SINGLE_QUOTES = "\u2018\u2019\u201a\u201b\u2032\u2035\u2039\u203a\u02bc\u02b9\u00b4\uff07"
_DOUBLE_QUOTES = "\u201c\u201d\u201e\u201f\u2033\u2036\u00ab\u00bb\u301d\u301e\uff02"
_SPECIAL = {
    **dict.fromkeys(_SINGLE_QUOTES, "'"),
    **dict.fromkeys(_DOUBLE_QUOTES, '"'),
    **dict.fromkeys("\u2014\u2015\u2e3a\u2e3b\u2e40", "--"),
    **dict.fromkeys("\u2212\u2043\ufe63\uff0d", "-"),
    **dict.fromkeys("\u2044\u2215", "/"),
    **dict.fromkeys("\t\n\v\f\r\x1c\x1d\x1e\x1f\x85", " "),
    **dict.fromkeys("\u2122\u2120\u034f\u115f\u1160\u3164\uffa0", ""),
    "\u2116": "#",
    "\u0130": "i",
}
_SPACES = ("Zs", "Zl", "Zp")
_DOTTED_I = "i\u0307"


class Folded(NamedTuple):
    """A folded text with, for each of its characters, the stretch of the original it stands for."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]
    """Ends are exclusive and leave out invisible characters that follow."""


def fold(text: str) -> str:
    """The text as it is compared; folding twice changes nothing."""
    if text.isascii():
        return text.translate(_FOLDS)
    folded = _fold_once(text)
    while (again := _fold_once(folded)) != folded:
        folded = again
    return folded


def fold_with_map(text: str) -> tuple[str, tuple[int, ...]]:
    """The folded text, and for each of its characters the index in the original where it comes from."""
    folded = trace(text)
    return folded.text, tuple(folded.starts)


def trace(text: str) -> Folded:
    """The folded text with both ends of what each character stands for."""
    folded = fold(text)
    if text.isascii():
        return Folded(folded, range(len(text)), range(1, len(text) + 1))
    pieces = [_FOLDS[ord(char)] for char in text]
    if "".join(pieces) == folded:
        return _laid_out([(piece, at, at + 1) for at, piece in enumerate(pieces)])
    return _laid_out(_chunks(text))


def _fold_once(text: str) -> str:
    folded = unicodedata.normalize("NFC", text).translate(_FOLDS)
    return unicodedata.normalize("NFC", folded).replace(_DOTTED_I, "i")


def _laid_out(chunks: Sequence[tuple[str, int, int]]) -> Folded:
    starts = [start for piece, start, _ in chunks for _ in piece]
    ends = [end for piece, _, end in chunks for _ in piece]
    return Folded("".join(piece for piece, _, _ in chunks), starts, ends)


def _chunks(text: str) -> list[tuple[str, int, int]]:
    """The shortest stretches that can be folded each by itself."""
    chunks: list[tuple[str, int, int]] = []
    start, end = 0, 1
    for at in range(1, len(text)):
        invisible = not _FOLDS[ord(text[at])]
        if invisible or _joins(text[start:at], text[at]):
            end = end if invisible else at + 1
            continue
        chunks.append((fold(text[start:at]), start, end))
        start, end = at, at + 1
    chunks.append((fold(text[start:]), start, end))
    return chunks


def _joins(chunk: str, char: str) -> bool:
    if char.isascii():
        return False
    return unicodedata.combining(char) != 0 or fold(chunk + char) != fold(chunk) + fold(char)


def _fold_character(char: str) -> str:
    if char in _SPECIAL:
        return _SPECIAL[char]
    category = unicodedata.category(char)
    if category == "Cf" or 0xFE00 <= ord(char) <= 0xFE0F or 0xE0100 <= ord(char) <= 0xE01EF:
        return ""
    if category in _SPACES:
        return " "
    if category == "Pd":
        return "-"
    if category == "Nd":
        return str(unicodedata.decimal(char))
    return _compatible(char)


def _compatible(char: str) -> str:
    plain = unicodedata.normalize("NFKC", char)
    if plain != char and any(part.isdigit() for part in plain):
        return f" {plain.translate(_FOLDS)} "
    return unicodedata.normalize("NFKC", plain.casefold())


class _Folds(dict[int, str]):
    """What each character folds to, found when first met; str.translate reads it."""

    def __missing__(self, code: int) -> str:
        self[code] = folded = _fold_character(chr(code))
        return folded


_FOLDS = _Folds()
