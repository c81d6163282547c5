"""Values of the kinds: their normal forms, and whether two texts mean the same value."""

from __future__ import annotations

import re
from functools import lru_cache

from suitegen.model.words import ValueKind
from suitegen.values import amounts, dates, times
from suitegen.values.readings import Reading
from suitegen.values.tokens import Scan, scan

_MARKS = re.compile(r"[+#]*")
"""Signs that belong to the word before them: C, C++ and C# are three names."""


def canonical(kind: ValueKind, text: str, language: str = "en") -> str:
    """The normal form of a value, by which values of a kind are compared.

    ``HH:MM`` for times, ISO 8601 for dates, decimals with units for numbers and
    quantities; the folded text for identifiers; folded words for the rest and for
    what cannot be read as its kind.
    """
    return denotations(kind, text, language)[0]


def same(kind: ValueKind, first: str, second: str, language: str = "en") -> bool:
    """Whether two texts mean the same value, or can and nothing contradicts it.

    ``half past two`` is the same as 14:30 and as 02:30, which differ; so is
    ``3 January`` of any year.
    """
    one, other = denotations(kind, first, language), denotations(kind, second, language)
    return one[0] in other or other[0] in one


def denotations(kind: ValueKind, text: str, language: str = "en") -> tuple[str, ...]:
    """All normal forms a value can have, the likeliest first; never empty."""
    keys = read(kind, text, language)
    if keys:
        return keys
    scanned = scan(text)
    if kind == "identifier" or not scanned.words:
        return (" ".join(scanned.folded.split()),)
    return (" ".join(scanned.words) + marks_after(scanned.folded, scanned.spans[-1][1]),)


@lru_cache(maxsize=8192)
def read(kind: ValueKind, text: str, language: str = "en") -> tuple[str, ...]:
    """The normal forms of a text that is one value of a kind with readings; empty where it is none."""
    scanned = scan(text)
    found = readings(kind, scanned, language, len(scanned.words))
    whole = [reading for reading in found if _covers(reading, scanned)]
    best = max(whole, key=lambda reading: (reading.whole, reading.end - reading.start), default=None)
    return best.keys if best else ()


@lru_cache(maxsize=512)
def readings(kind: ValueKind, scanned: Scan, language: str, tail: int = 0) -> tuple[Reading, ...]:
    """What stretches of a text denote by its kind; nothing for kinds that are matched by words alone.

    ``tail`` is how many words after an amount may be its unit.
    """
    match kind:
        case "time":
            return tuple(times.times(scanned, language))
        case "date":
            return tuple(dates.dates(scanned, language))
        case "number" | "quantity":
            return tuple(amounts.amounts(scanned, language, tail))
        case _:
            return ()


def triggers(kind: ValueKind, language: str) -> frozenset[str]:
    """Words without digits at which a reading of the kind can begin."""
    match kind:
        case "time":
            return times.triggers(language)
        case "date":
            return dates.triggers(language)
        case "number" | "quantity":
            return amounts.triggers(language)
        case _:
            return frozenset()


def marks_after(folded: str, end: int) -> str:
    """The signs that belong to the word that ends there."""
    match = _MARKS.match(folded, end)
    return match[0] if match else ""


def _covers(reading: Reading, scanned: Scan) -> bool:
    return reading.start <= scanned.spans[0][0] and reading.end >= scanned.spans[-1][1]
