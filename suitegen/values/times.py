"""Times of day in texts. The normal form is ``HH:MM`` on the 24-hour clock."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from suitegen.values.numbers import from_words
from suitegen.values.phrasing import GAP, NO_WORD, PART, any_of, filled
from suitegen.values.readings import Reading
from suitegen.values.tables import table
from suitegen.values.tables.table import DayHalf, LanguageTable
from suitegen.values.tokens import Scan, words

_MINUTES = frozenset({"minute", "fives", "bare"})
_HALF_DAY = 720
_SMALL_HOURS = 360
_DIGITAL = rf"(?!0\.)(?P<hour>\d{{1,2}})(?:[:.h](?P<minute>[0-5]\d))?(?::(?P<second>[0-5]\d))?(?:z{NO_WORD})?"
_AFTER = rf"(?!{PART}|[.,:]\d| ?%)"
_STAMP = re.compile(r"\d\dt(?=\d\d:\d\d)")
"""The end of a date that is glued to a time, as in 2026-01-03T09:30."""


@dataclass(frozen=True)
class _Grammar:
    triggers: frozenset[str]
    hours: dict[str, int]
    zeros: tuple[str, ...]
    table: LanguageTable
    digital: re.Pattern[str]
    spoken: tuple[tuple[re.Pattern[str], int], ...]
    names: re.Pattern[str]
    named: dict[str, str]
    halves: dict[str, DayHalf]


def triggers(language: str) -> frozenset[str]:
    """Words at which a time without digits can begin."""
    return _grammar(language).triggers


def times(scanned: Scan, language: str) -> Iterator[Reading]:
    """Every time of day of a text, from left to right, none inside another."""
    grammar, done = _grammar(language), 0
    for word, (start, _) in zip(scanned.words, scanned.spans, strict=True):
        digits = word[0].isdigit()
        if start < done or not (digits or word in grammar.triggers):
            continue
        stamp = _STAMP.match(word) if digits else None
        reading = _at(scanned.folded, start + (stamp.end() if stamp else 0), grammar)
        if reading is not None:
            done = reading.end
            yield reading


def _at(folded: str, start: int, grammar: _Grammar) -> Reading | None:
    if match := grammar.names.match(folded, start):
        return Reading(start, match.end(), (grammar.named[_plain(match["name"])],))
    found = [(match, offset) for pattern, offset in grammar.spoken if (match := pattern.match(folded, start))]
    if found:
        match, offset = max(found, key=lambda pair: pair[0].end())
        return _spoken(match, offset, grammar)
    match_digital = grammar.digital.match(folded, start)
    return _digital(match_digital, grammar) if match_digital else None


def _digital(match: re.Match[str], grammar: _Grammar) -> Reading | None:
    hour, minute, second, half = match["hour"], match["minute"], match["second"], match["half"]
    amount = match.start() > 0 and unicodedata.category(match.string[match.start() - 1]) == "Sc"
    if amount or int(hour) > 23 or not (minute or half):
        return None
    total = int(hour) * 60 + int(minute or 0)
    if half:
        named = _in_half(total, grammar.halves[_plain(half)])
        if named is None:
            return None
        total = named
    seconds = f":{second}" if second and second != "00" else ""
    return Reading(match.start(), match.end(), (_clock(total) + seconds,))


def _spoken(match: re.Match[str], offset: int, grammar: _Grammar) -> Reading | None:
    parts = match.groupdict()
    hour = grammar.hours.get(parts["hour"]) or int(parts["hour"])
    minute = _minute(parts, grammar)
    if hour > 23 or minute is None:
        return None
    total = hour * 60 + (offset * minute if parts.keys() & _MINUTES else offset)
    if parts["half"]:
        named = _in_half(total % 1440, grammar.halves[_plain(parts["half"])])
        return None if named is None else Reading(match.start(), match.end(), (_clock(named),))
    if hour > 12:
        return Reading(match.start(), match.end(), (_clock(total),))
    first = total % _HALF_DAY
    first += _HALF_DAY if first < 60 else 0
    return Reading(match.start(), match.end(), (_clock(first), _clock(first + _HALF_DAY)))


def _minute(parts: dict[str, str], grammar: _Grammar) -> int | None:
    """The minutes a match names, 0 where it has none; None where they are no minutes of an hour."""
    name = next((name for name in parts if name in _MINUTES), None)
    if name is None or parts[name].isdigit():
        return int(parts[name]) if name else 0
    spelled = words(parts[name])
    zero = spelled[0] in grammar.zeros
    number = from_words(" ".join(spelled[zero:]), grammar.table)
    if (
        number is None
        or number >= 60
        or (name == "fives" and number % 5)
        or (name == "bare" and not zero and number < 10)
    ):
        return None
    return int(number)


def _in_half(total: int, half: DayHalf) -> int | None:
    """Minutes since midnight in a half of the day; None where the hour contradicts it."""
    if total >= _HALF_DAY + 60:
        return None if half == "am" else total
    first = total % _HALF_DAY
    after_noon = half == "pm" or (half == "night" and first >= _SMALL_HOURS)
    return first + _HALF_DAY * after_noon


def _clock(total: int) -> str:
    return f"{total // 60 % 24:02d}:{total % 60:02d}"


def _plain(text: str) -> str:
    return " ".join(words(text))


@lru_cache(maxsize=8)
def _grammar(language: str) -> _Grammar:
    spelled = table(language)
    number = any_of(spelled.number_words)
    minute = f"(?:{any_of(spelled.minute_zero)}{GAP})?{number}(?:{GAP}{number})?"
    hours = any_of(spelled.hour_words)
    half = f"(?:,? {{0,2}}(?P<half>{any_of(phrase for phrase, _ in spelled.day_halves)}))"
    parts = {"hour": rf"(?:\d{{1,2}}|{hours})", "minute": rf"(?:[1-5]?\d|{minute})", "fives": minute}
    phrases = [(filled(phrase, parts), offset) for phrase, offset in spelled.clock_phrases]
    spoken = [(f"{NO_WORD}{half}?{_AFTER}", expression, offset) for expression, offset in phrases]
    spoken.append((f"{NO_WORD}{half}?{_AFTER}", f"(?P<hour>{hours}){GAP}(?P<bare>{minute})", 1))
    spoken.append((f"{half}{_AFTER}", f"(?P<hour>{hours})", 0))
    starts = [
        *spelled.number_words,
        *(phrase for phrase, _ in spelled.clock_phrases),
        *(name for name, _ in spelled.clock_names),
    ]
    return _Grammar(
        triggers=frozenset(words(phrase)[0] for phrase in starts if not phrase.startswith("{")),
        hours={word: hour for hour, word in enumerate(spelled.hour_words, 1)},
        zeros=spelled.minute_zero,
        table=spelled,
        digital=re.compile(f"{_DIGITAL}{half}?{_AFTER}"),
        spoken=tuple((re.compile(expression + after), offset) for after, expression, offset in spoken),
        names=re.compile(f"(?P<name>{any_of(name for name, _ in spelled.clock_names)}){NO_WORD}"),
        named={_plain(name): clock for name, clock in spelled.clock_names},
        halves={_plain(phrase): half_of for phrase, half_of in spelled.day_halves},
    )
