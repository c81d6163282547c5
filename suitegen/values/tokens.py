"""Tokens: runs of letters or digits of the folded text, with times and decimals whole.

Every containment in the product is judged on them, so ``3`` is not in ``30``. An
underscore splits, an apostrophe splits (``Priya's`` is ``priya`` and ``s``). In scripts
written without spaces each character is a token.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import NamedTuple

from suitegen.values.normal import Folded, fold, trace

_TAIL = r"(?:(?<=\d)(?:\.(?=\d)|:(?=\d\d(?!\d))|,(?=\d{3}(?!\d)))WORD)*"
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
_CLAUSE_END = re.compile(r"[.!?;:]['\")\]]*\s|\s-+\s|--")


class Token(NamedTuple):
    """A folded word and where it stands in the original text (code points, end exclusive)."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, eq=False)
class Scan:
    """A text split into folded words; offsets are worked out only when they are wanted."""

    text: str
    folded: str
    words: tuple[str, ...]

    @cached_property
    def spans(self) -> tuple[tuple[int, int], ...]:
        """Where each word stands in the folded text."""
        return tuple(match.span() for match in _pattern(self.folded).finditer(self.folded))

    @cached_property
    def _trace(self) -> Folded:
        return trace(self.text)

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Offsets into the original of a non-empty stretch of the folded text."""
        return self._trace.starts[start], self._trace.ends[end - 1]


Index = Mapping[str, Sequence[tuple[tuple[str, ...], int]]]
"""Phrases by their first word: all their words, and the number of the phrase."""


@lru_cache(maxsize=1024)
def scan(text: str) -> Scan:
    """The words of a text; the latest texts are kept, since many vocabularies look at each."""
    folded = fold(text)
    return Scan(text, folded, tuple(_pattern(folded).findall(folded)))


def words(text: str) -> tuple[str, ...]:
    """The folded words of a text, without offsets."""
    return scan(text).words


def tokens(text: str) -> tuple[Token, ...]:
    """The words of a text with their offsets into the original."""
    scanned = scan(text)
    return tuple(Token(word, *scanned.original(*span)) for word, span in zip(scanned.words, scanned.spans, strict=True))


def contains_phrase(text: str, phrases: Sequence[str]) -> str | None:
    """The first of the phrases, in their order, that the text holds as whole words of one clause.

    A phrase with the end of a clause inside it may cross one.
    """
    scanned = scan(text)
    index = _index(tuple(phrases))
    if index.keys().isdisjoint(scanned.words):
        return None
    found = (
        number
        for number, first, last in occurrences(scanned.words, index)
        if first == last or _one_clause(scanned, first, last) or _CLAUSE_END.search(fold(phrases[number]))
    )
    number = min(found, default=None)
    return None if number is None else phrases[number]


def index_phrases(phrases: Sequence[str]) -> Index:
    """Phrases by their first word; those without a word are left out."""
    index: dict[str, list[tuple[tuple[str, ...], int]]] = {}
    for number, phrase in enumerate(phrases):
        if parts := words(phrase):
            index.setdefault(parts[0], []).append((parts, number))
    return index


def occurrences(parts: Sequence[str], index: Index) -> Iterator[tuple[int, int, int]]:
    """Number, first word and last word of every phrase that stands in the words."""
    for first, word in enumerate(parts):
        for phrase, number in index.get(word, ()):
            if len(phrase) == 1 or tuple(parts[first : first + len(phrase)]) == phrase:
                yield number, first, first + len(phrase) - 1


@lru_cache(maxsize=256)
def _index(phrases: tuple[str, ...]) -> Index:
    return index_phrases(phrases)


def _one_clause(scanned: Scan, first: int, last: int) -> bool:
    """Whether no end of a sentence or clause stands between the words; a comma may."""
    spans = scanned.spans[first : last + 1]
    return not any(_CLAUSE_END.search(scanned.folded, end, start) for (_, end), (start, _) in pairwise(spans))


def _pattern(folded: str) -> re.Pattern[str]:
    return _PLAIN if folded.isascii() else _every_script()


_PLAIN = re.compile(r"[a-z0-9]+" + _TAIL.replace("WORD", "[a-z0-9]+"))


@lru_cache(maxsize=1)
def _every_script() -> re.Pattern[str]:
    spaced = f"[^\\W_{_UNSPACED}]+"
    unspaced = re.compile(f"[{_UNSPACED}]")
    every = (chr(code) for code in range(0x300, 0x10000) if unicodedata.category(chr(code)) in ("Mn", "Mc"))
    marks = "".join(char for char in every if not unspaced.match(char))
    word = f"(?:{spaced}|[{marks}]+)+"
    return re.compile(rf"{word}{_TAIL.replace('WORD', word)}|[{_UNSPACED}]")
