"""Ways to find spellings of known values in a text: by words, by exact signs, or by what they denote."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from suitegen.model.words import ValueKind
from suitegen.values.amounts import unit_named
from suitegen.values.kinds import marks_after, read, readings, triggers
from suitegen.values.normal import fold
from suitegen.values.phrasing import PART
from suitegen.values.readings import Reading
from suitegen.values.tokens import Index, Scan, index_phrases, occurrences, scan

Spellings = Sequence[Sequence[str]]
"""For each value its spellings, the value itself first."""
_DIGIT = re.compile(r"\d")
_OPENS = r"(?<![^\W_])(?<![^\W_][-_/.@\\])(?<![^\W_]__)"
_CLOSES = rf"(?!(?:_+|[-/.:@\\])?(?:{PART}))(?![+#])"


class Hit(NamedTuple):
    """A mention of a value by its number; offsets into the folded text, words inclusive."""

    value: int
    start: int
    end: int
    first: int
    last: int
    unit: bool
    """Whether a unit stands inside the mention."""


@dataclass(frozen=True)
class WordMatcher:
    """Finds whole words in a row: names, choices, texts."""

    index: Index
    owners: tuple[int, ...]
    """The value of each spelling."""
    marks: tuple[str, ...]
    """Signs that each spelling ends with."""

    def hits(self, scanned: Scan) -> Iterator[Hit]:
        """Every mention, overlapping ones included."""
        if self.index.keys().isdisjoint(scanned.words):
            return
        for number, first, last in occurrences(scanned.words, self.index):
            start, end = scanned.spans[first][0], scanned.spans[last][1]
            if marks_after(scanned.folded, end) == self.marks[number]:
                yield Hit(self.owners[number], start, end + len(self.marks[number]), first, last, False)


@dataclass(frozen=True)
class SignMatcher:
    """Finds folded texts sign by sign, bounded so that no longer identifier holds them."""

    owners: Mapping[str, tuple[int, ...]]
    """Values by folded spelling."""
    pattern: re.Pattern[str]

    def hits(self, scanned: Scan) -> Iterator[Hit]:
        """Every mention; of spellings that begin at one place only the longest."""
        if not any(spelling in scanned.folded for spelling in self.owners):
            return
        for match in self.pattern.finditer(scanned.folded):
            first, last = _words_within(scanned, match.start(), match.end())
            for value in self.owners[match[0]]:
                yield Hit(value, match.start(), match.end(), first, last, False)


@dataclass(frozen=True)
class ReadingMatcher:
    """Finds values by what stretches of the text denote: numbers, quantities, times, dates."""

    kind: ValueKind
    language: str
    triggers: frozenset[str]
    exact: Mapping[str, tuple[int, ...]]
    """Values by their normal form."""
    loose: Mapping[str, tuple[int, ...]]
    """Values by other forms that they can have: a date by its day without the year."""
    units: frozenset[str]
    """Units that the cues name, so that a bare number beside one of them can be a value."""
    tail: int

    def hits(self, scanned: Scan) -> Iterator[Hit]:
        """Every mention, overlapping ones included."""
        if not _DIGIT.search(scanned.folded) and self.triggers.isdisjoint(scanned.words):
            return
        for reading in readings(self.kind, scanned, self.language, self.tail):
            if not (reading.whole or reading.unit in self.units):
                continue
            values = self.denoted(reading)
            first, last = _words_within(scanned, reading.start, reading.end) if values else (0, 0)
            for value in values:
                yield Hit(value, reading.start, reading.end, first, last, bool(reading.unit and reading.whole))

    def denoted(self, reading: Reading) -> tuple[int, ...]:
        """The values a reading denotes: by its likeliest form that fits any, else those it can fit."""
        for key in reading.keys:
            if key in self.exact:
                return self.exact[key]
        return self.loose.get(reading.keys[0], ())


def word_matcher(values: Spellings) -> WordMatcher:
    """A matcher for all spellings that have a word."""
    listed = [(value, spelling) for value, spellings in enumerate(values) for spelling in spellings]
    marks = []
    for _, spelling in listed:
        scanned = scan(spelling)
        marks.append(marks_after(scanned.folded, scanned.spans[-1][1]) if scanned.words else "")
    return WordMatcher(
        index_phrases([spelling for _, spelling in listed]), tuple(value for value, _ in listed), tuple(marks)
    )


def sign_matcher(values: Spellings) -> SignMatcher:
    """A matcher for exact folded spellings; those of invisible characters alone are left out."""
    owners: dict[str, tuple[int, ...]] = {}
    for value, spellings in enumerate(values):
        _add(owners, [folded for spelling in spellings if (folded := fold(spelling).strip())], value)
    longest_first = sorted(owners, key=lambda spelling: (-len(spelling), spelling))
    return SignMatcher(owners, re.compile(f"{_OPENS}(?:{'|'.join(map(re.escape, longest_first))}){_CLOSES}"))


def reading_matcher(kind: ValueKind, values: Spellings, cues: Sequence[str], language: str) -> ReadingMatcher:
    """A matcher for the values' normal forms, and for those of their aliases."""
    exact: dict[str, tuple[int, ...]] = {}
    loose: dict[str, tuple[int, ...]] = {}
    for value, spellings in enumerate(values):
        own, *others = [read(kind, spelling, language) for spelling in spellings]
        for keys in (own, *(keys for keys in others if own[:1] == () or own[0] not in keys)):
            _add(exact, keys[:1], value)
        _add(loose, own[1:], value)
    return ReadingMatcher(
        kind=kind,
        language=language,
        triggers=triggers(kind, language),
        exact=exact,
        loose=loose,
        units=frozenset(unit_named(word, language) for cue in cues for word in scan(cue).words) - {""},
        tail=max((_tail(key, language) for key in exact), default=0),
    )


def _tail(key: str, language: str) -> int:
    """How many words of a normal form come from a unit that no table knows."""
    unit = " ".join(scan(key).words[1:])
    return 0 if unit_named(unit, language) else len(unit.split())


def _add(owners: dict[str, tuple[int, ...]], keys: Sequence[str], value: int) -> None:
    for key in keys:
        known = owners.get(key, ())
        owners[key] = known if value in known else (*known, value)


def _words_within(scanned: Scan, start: int, end: int) -> tuple[int, int]:
    """Numbers of the first and last word that a stretch touches; of the next word where it touches none."""
    first = bisect_right(scanned.spans, start, key=lambda span: span[1])
    last = bisect_left(scanned.spans, end, key=lambda span: span[0]) - 1
    return first, max(first, last)
