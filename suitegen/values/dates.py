"""Dates in texts. The normal form is ISO 8601; without a year ``--01-03``, without a day ``2026-01``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from suitegen.values.normal import fold
from suitegen.values.phrasing import NO_WORD, PART, any_of, filled
from suitegen.values.readings import Reading
from suitegen.values.tables import table
from suitegen.values.tables.table import LanguageTable
from suitegen.values.tokens import Scan, words

_LEAP_YEAR = 2000
_YEAR = r"(?:,? ?(?:(?<=[ ,])|-)(?P<year>\d{4})(?![\d:]))"
_BEFORE = r"(?<!\d[.,:/-])"
_AFTER = rf"(?!{PART}|[.,:/-]\d)"
_ISO = re.compile(
    _BEFORE + r"(?P<year>\d{4})(?P<mark>[-/.])(?P<month>\d{1,2})(?P=mark)(?P<day>\d{1,2})(?=t\d|\D|$)(?!-\d)"
)
_NUMERIC = re.compile(
    _BEFORE + r"(?P<first>\d{1,2})(?P<mark>[-/.])(?P<second>\d{1,2})(?P=mark)(?P<year>\d{4}|\d\d)" + _AFTER
)


@dataclass(frozen=True)
class _Grammar:
    triggers: frozenset[str]
    months: dict[str, int]
    days: dict[str, int]
    phrases: tuple[re.Pattern[str], ...]
    day_first: bool


def triggers(language: str) -> frozenset[str]:
    """Words at which a date without digits can begin."""
    return _grammar(language).triggers


def dates(scanned: Scan, language: str) -> Iterator[Reading]:
    """Every date of a text, from left to right, none inside another."""
    grammar, done = _grammar(language), 0
    for word, (start, _) in zip(scanned.words, scanned.spans, strict=True):
        if start < done or not (word[0].isdigit() or word in grammar.triggers):
            continue
        if (reading := _at(scanned.folded, start, grammar)) is not None:
            done = reading.end
            yield reading


def _at(folded: str, start: int, grammar: _Grammar) -> Reading | None:
    if match := _ISO.match(folded, start):
        return _reading(match, int(match["year"]), int(match["month"]), int(match["day"]))
    if match := _NUMERIC.match(folded, start):
        return _numeric(match, grammar.day_first)
    matches = (pattern.match(folded, start) for pattern in grammar.phrases)
    best = max((match for match in matches if match), key=lambda match: match.end(), default=None)
    return _named(best, grammar) if best else None


def _numeric(match: re.Match[str], day_first: bool) -> Reading | None:
    year = int(match["year"]) + (2000 if len(match["year"]) == 2 else 0)
    first, second = int(match["first"]), int(match["second"])
    orders = ((second, first), (first, second)) if day_first else ((first, second), (second, first))
    found = [reading for month, day in orders if (reading := _reading(match, year, month, day))]
    if not found:
        return None
    keys = (key for at in (0, 1) for reading in found for key in reading.keys[at : at + 1])
    return found[0]._replace(keys=tuple(dict.fromkeys(keys)))


def _named(match: re.Match[str], grammar: _Grammar) -> Reading | None:
    parts = match.groupdict()
    month = grammar.months[" ".join(words(match["month"]))]
    year = int(parts["year"]) if parts.get("year") else None
    if "day" not in parts:
        return Reading(match.start(), match.end(), (f"{year:04d}-{month:02d}",)) if year else None
    digits = re.match(r"\d+", match["day"])
    day = int(digits[0]) if digits else grammar.days[" ".join(words(match["day"]))]
    return _reading(match, year, month, day)


def _reading(match: re.Match[str], year: int | None, month: int, day: int) -> Reading | None:
    """A date with a year can also stand for one without; the other way round it only may."""
    try:
        exact = date(year if year is not None else _LEAP_YEAR, month, day).isoformat()
    except ValueError:
        return None
    yearless = f"-{exact[4:]}"
    return Reading(match.start(), match.end(), (yearless,) if year is None else (exact, yearless))


@lru_cache(maxsize=8)
def _grammar(language: str) -> _Grammar:
    words_of = table(language)
    months = _months(words_of)
    days = {" ".join(words(name)): day for day, name in enumerate(words_of.ordinal_words, 1)}
    endings = "|".join(words_of.ordinal_endings)
    parts = {
        "month": any_of(months) + r"\.?",
        "day": rf"(?:\d{{1,2}}(?:{endings})?|{any_of(words_of.ordinal_words)})(?!{PART}|[.:/]\d)",
    }
    month_year = filled("{month}", parts) + r"(?:, | of | |-)(?P<year>\d{4})" + _AFTER
    phrases = [re.compile(_BEFORE + filled(phrase, parts) + _YEAR + "?" + NO_WORD) for phrase in words_of.date_phrases]
    starts = {name.split()[0] for name in (*months, *days)}
    return _Grammar(frozenset(starts), months, days, (*phrases, re.compile(month_year)), words_of.day_first)


def _months(words_of: LanguageTable) -> dict[str, int]:
    full = {fold(name): month for month, name in enumerate(words_of.month_names, 1)}
    return full | {fold(name): month for month, names in enumerate(words_of.month_short, 1) for name in names}
