"""The known values of one attribute, and where a text mentions them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from suitegen.model.words import ValueKind
from suitegen.values.kinds import read, readings
from suitegen.values.matchers import (
    Hit,
    ReadingMatcher,
    SignMatcher,
    WordMatcher,
    reading_matcher,
    sign_matcher,
    word_matcher,
)
from suitegen.values.tokens import Index, Scan, index_phrases, occurrences, scan

CUED_KINDS: frozenset[ValueKind] = frozenset({"number", "quantity", "time", "date", "choice"})
"""Kinds whose values are too common to be recognised without a cue."""
CUE_REACH = 8
"""Tokens from a mention to the cue that it needs, at most."""
_READ_KINDS: frozenset[ValueKind] = frozenset({"number", "quantity", "time", "date"})


class Mention(NamedTuple):
    """A value where a text names it; offsets into the original, end exclusive."""

    value: str
    start: int
    end: int


@dataclass(frozen=True)
class Vocabulary:
    """The values of an attribute with their aliases, and the cues by which the attribute is recognised.

    Each of ``values`` is the value as its author wrote it, then its aliases. Equal
    vocabularies are interchangeable; what they compile to is made once, at first use.
    """

    kind: ValueKind
    values: tuple[tuple[str, ...], ...]
    cues: tuple[str, ...] = ()
    language: str = "en"

    def mentions(self, text: str, cued: bool = True) -> tuple[Mention, ...]:
        """Every mention of a known value, from left to right; of overlapping ones the longest.

        A mention is bounded by tokens. Numbers, quantities, times and dates are found
        in any spelling that means the same. With ``cued``, a value of ``CUED_KINDS``
        counts only if it holds a unit, or a cue stands within ``CUE_REACH`` tokens.
        Two values that share a spelling are both mentioned by it.
        """
        scanned = scan(text)
        hits = [hit for matcher in self._matchers for hit in matcher.hits(scanned)]
        if hits and cued and self.kind in CUED_KINDS:
            cues = [(first, last) for _, first, last in occurrences(scanned.words, self._cues)]
            hits = [hit for hit in hits if hit.unit or any(_near(hit, cue) for cue in cues)]
        return tuple(self._mention(scanned, hit) for hit in _longest(hits))

    def mentions_value(self, text: str, value: str, cued: bool = True) -> bool:
        """Whether the text mentions the value.

        Raises:
            KeyError: it is none of the known values.
        """
        if value not in self._known:
            raise KeyError(value)
        return any(mention.value == value for mention in self.mentions(text, cued))

    def identify(self, text: str) -> str | None:
        """The one value that a short answer denotes; None where it denotes none or several.

        No cue is needed. A bare number stands for the only quantity of that number.
        """
        named = {mention.value for mention in self.mentions(text, cued=False)} or self._by_number(text)
        return named.pop() if len(named) == 1 else None

    def _mention(self, scanned: Scan, hit: Hit) -> Mention:
        return Mention(self.values[hit.value][0], *scanned.original(hit.start, hit.end))

    def _by_number(self, text: str) -> set[str]:
        """Values of the number that an answer gives without a unit, or that have none themselves."""
        given = {
            (reading.keys[0], bool(reading.unit))
            for reading in readings(self.kind, scan(text), self.language)
            if self.kind in ("number", "quantity") and (not reading.whole or not reading.unit)
        }
        return {
            value
            for value, number, unit in self._numbers
            for other, named in given
            if number == other and not (unit and named)
        }

    @cached_property
    def _numbers(self) -> tuple[tuple[str, str, bool], ...]:
        """Each value with its bare number and whether it has a unit."""
        return tuple(
            (spellings[0], reading.keys[0], bool(read(self.kind, spellings[0], self.language)[:1] != reading.keys))
            for spellings in self.values
            for reading in readings(self.kind, scan(spellings[0]), self.language)
            if not reading.whole or not reading.unit
        )

    @cached_property
    def _known(self) -> frozenset[str]:
        return frozenset(spellings[0] for spellings in self.values)

    @cached_property
    def _cues(self) -> Index:
        return index_phrases(self.cues)

    @cached_property
    def _matchers(self) -> tuple[WordMatcher | SignMatcher | ReadingMatcher, ...]:
        if self.kind == "identifier":
            return (sign_matcher(self.values),)
        if self.kind not in _READ_KINDS:
            return _by_words(self.values)
        unread = [
            tuple(text for text in spellings if not read(self.kind, text, self.language)) for spellings in self.values
        ]
        return (reading_matcher(self.kind, self.values, self.cues, self.language), *_by_words(unread))


def _by_words(values: Iterable[Iterable[str]]) -> tuple[WordMatcher | SignMatcher, ...]:
    """Words where a spelling has some; signs for the rest, an emoji for instance."""
    listed = [tuple(spellings) for spellings in values]
    worded = [tuple(text for text in spellings if scan(text).words) for spellings in listed]
    wordless = [tuple(text for text in spellings if not scan(text).words) for spellings in listed]
    found = (word_matcher(worded) if any(worded) else None, sign_matcher(wordless) if any(wordless) else None)
    return tuple(matcher for matcher in found if matcher)


def _near(hit: Hit, cue: tuple[int, int]) -> bool:
    first, last = cue
    return max(first - hit.last, hit.first - last, 0) <= CUE_REACH


def _longest(hits: Iterable[Hit]) -> Iterator[Hit]:
    """Hits that no longer one overlaps, in order; hits of one stretch stand together."""
    kept: list[Hit] = []
    for hit in sorted(set(hits), key=lambda hit: (hit.start - hit.end, hit.start, hit.value)):
        if all(hit.end <= other.start or other.end <= hit.start or hit[1:3] == other[1:3] for other in kept):
            kept.append(hit)
    return iter(sorted(kept, key=lambda hit: (hit.start, hit.value)))
