"""Numbers and quantities in texts.

The normal form is the shortest decimal, with the unit where there is one: ``18000``,
``-3``, ``1200 usd``, ``14 day`` for two weeks. A unit the language's table does not know
is the words that follow, the last in the singular: ``20 story point``.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from suitegen.values.dates import dates
from suitegen.values.normal import fold
from suitegen.values.numbers import DIGITS, FRACTION, from_digits, from_words, plain
from suitegen.values.phrasing import GAP, NO_WORD, PART, any_of
from suitegen.values.readings import Reading
from suitegen.values.tables import table
from suitegen.values.tables.table import LanguageTable, Unit
from suitegen.values.times import times
from suitegen.values.tokens import Scan, words

_DECIMAL_POINT = re.compile(r"\d+\.\d+")
_INSIDE_CODE = re.compile(r"(?:[^\W\d_]-|\d[.,:/])$")
_GOES_ON = re.compile(rf"{PART}|[.,:/]\d")
_TAIL_GAP = re.compile(r" ?[-/]? ?")
_LOOK_BACK = 12


class _Amount(NamedTuple):
    """A number with the known unit beside it; offsets into the folded text."""

    start: int
    number_start: int
    number_end: int
    end: int
    number: Fraction
    unit: Unit | None


@dataclass(frozen=True)
class _Grammar:
    table: LanguageTable
    triggers: frozenset[str]
    before: re.Pattern[str]
    digits: re.Pattern[str]
    run: re.Pattern[str]
    scale: re.Pattern[str]
    half_more: re.Pattern[str]
    unit: re.Pattern[str]
    scales: dict[str, int]
    units: dict[str, Unit]


def triggers(language: str) -> frozenset[str]:
    """Words at which an amount without digits can begin."""
    return _grammar(language).triggers


def unit_named(word: str, language: str) -> str:
    """The unit that a word names; empty where it names none."""
    unit = _grammar(language).units.get(_spelling(word))
    return unit.name if unit else ""


def amounts(scanned: Scan, language: str, tail: int = 0) -> Iterator[Reading]:
    """Every amount of a text: bare, with its known unit, and with up to ``tail`` words that follow.

    Numbers inside dates and times of day are no amounts.
    """
    grammar = _grammar(language)
    done, inside = 0, _inside_other_kinds(scanned, language)
    for at, (word, (start, _)) in enumerate(zip(scanned.words, scanned.spans, strict=True)):
        if start < done or not (word[0].isdigit() or word in grammar.triggers):
            continue
        if any(first <= start < end for first, end in inside):
            continue
        amount = _amount(scanned, at, grammar)
        if amount is not None:
            done = amount.end
            yield from _readings(amount)
            yield from _with_tail(scanned, amount, tail, grammar)


def _inside_other_kinds(scanned: Scan, language: str) -> list[tuple[int, int]]:
    clear = (
        reading
        for reading in times(scanned, language)
        if len(reading.keys) == 1 and not _DECIMAL_POINT.fullmatch(scanned.folded, reading.start, reading.end)
    )
    return [(reading.start, reading.end) for reading in (*clear, *dates(scanned, language))]


def _amount(scanned: Scan, at: int, grammar: _Grammar) -> _Amount | None:
    folded, word, start = scanned.folded, scanned.words[at], scanned.spans[at][0]
    found = _from_digits(folded, start, grammar) if word[0].isdigit() else _from_words(scanned, at, grammar)
    if found is None:
        return None
    number, number_end = found
    if word in grammar.scales and at and scanned.words[at - 1] in grammar.table.articles:
        start = scanned.spans[at - 1][0]
    negative, money, first = _before(folded, start, grammar)
    after = None if money else grammar.unit.match(folded, number_end)
    if _glued(folded, number_end) and not after:
        return None
    unit = money or (grammar.units[_spelling(after["unit"])] if after else None)
    return _Amount(
        first, start, number_end, after.end() if after else number_end, -number if negative else number, unit
    )


def _before(folded: str, start: int, grammar: _Grammar) -> tuple[bool, Unit | None, int]:
    """Whether it is negative, the currency, and the beginning of what stands before a number."""
    match = grammar.before.search(folded, max(0, start - _LOOK_BACK), start)
    assert match is not None  # everything in it is optional
    money = grammar.units[_spelling(match["money"])] if match["money"] else None
    return bool(match["minus"]), money, match.start()


def _from_digits(folded: str, start: int, grammar: _Grammar) -> tuple[Fraction, int] | None:
    if _INSIDE_CODE.search(folded, max(0, start - 2), start):
        return None
    match = grammar.digits.match(folded, start)
    if match is None:
        return None
    if match["under"]:
        number: Fraction | None = Fraction(int(match["over"]), int(match["under"])) + int(match["whole"] or 0)
    else:
        number = from_digits(match["digits"], grammar.table.decimal_mark)
    return None if number is None else _scaled(number, folded, match.end(), grammar)


def _from_words(scanned: Scan, at: int, grammar: _Grammar) -> tuple[Fraction, int] | None:
    folded, (start, stop) = scanned.folded, scanned.spans[at]
    match = grammar.run.match(folded, start)
    if match is None or _is_pronoun(scanned, at, grammar.table):
        return None
    if match["half"]:
        return _half_of(folded, match.end(), grammar)
    for last in _last_words(scanned, at, match.end()):
        number = from_words(" ".join(scanned.words[at : last + 1]), grammar.table)
        if number is not None:
            return _scaled(number, folded, scanned.spans[last][1], grammar)
    scale = grammar.scales.get(scanned.words[at])
    return _scaled(Fraction(scale), folded, stop, grammar) if scale else None


def _half_of(folded: str, end: int, grammar: _Grammar) -> tuple[Fraction, int] | None:
    """A half counts only with the scale or unit that it is of: half an hour, half a dozen."""
    number, after = _scaled(Fraction(1, 2), folded, end, grammar)
    return (number, after) if after > end or grammar.unit.match(folded, end) else None


def _last_words(scanned: Scan, at: int, end: int) -> Iterator[int]:
    last = at
    while last + 1 < len(scanned.words) and scanned.spans[last + 1][1] <= end:
        last += 1
    yield from range(last, at - 1, -1)


def _scaled(number: Fraction, folded: str, end: int, grammar: _Grammar) -> tuple[Fraction, int]:
    """The number with the scales and the half that follow it: 18 thousand, two and a half."""
    if match := grammar.half_more.match(folded, end):
        number, end = number + Fraction(1, 2), match.end()
    while match := grammar.scale.match(folded, end):
        number, end = number * grammar.scales[match["scale"]], match.end()
    return number, end


def _glued(folded: str, end: int) -> bool:
    """Whether a number goes on as something else: 3rd, 1.2.3, 4/5."""
    return _GOES_ON.match(folded, end) is not None


def _is_pronoun(scanned: Scan, at: int, spelled: LanguageTable) -> bool:
    if scanned.words[at] not in spelled.pronoun_numbers:
        return False
    before = scanned.words[at - 1] if at else ""
    after = scanned.words[at + 1] if at + 1 < len(scanned.words) else ""
    return before in spelled.pronoun_before or after in spelled.pronoun_after


def _readings(amount: _Amount) -> Iterator[Reading]:
    number = plain(amount.number)
    if amount.unit is None:
        yield Reading(amount.start, amount.end, (number,))
        return
    name = amount.unit.name
    yield Reading(amount.start, amount.end, (_in_base(amount.number, amount.unit),), name)
    yield Reading(amount.number_start, amount.number_end, (number,), name, whole=False)


def _in_base(number: Fraction, unit: Unit) -> str:
    return f"{plain(number * unit.factor)} {unit.base or unit.name}"


def _with_tail(scanned: Scan, amount: _Amount, tail: int, grammar: _Grammar) -> Iterator[Reading]:
    head = _in_base(amount.number, amount.unit) if amount.unit else plain(amount.number)
    end, first = amount.end, bisect_left(scanned.spans, (amount.end, 0))
    for length, at in enumerate(range(first, min(first + tail, len(scanned.words))), 1):
        start, stop = scanned.spans[at]
        if not _TAIL_GAP.fullmatch(scanned.folded, end, start):
            return
        end = stop
        rest = scanned.words[at - length + 1 : at + 1]
        name = " ".join((*rest[:-1], _singular(rest[-1], grammar.table)))
        yield Reading(amount.start, end, (f"{head} {name}",), name)


def _singular(word: str, spelled: LanguageTable) -> str:
    for plural, singular in spelled.plural_endings:
        if word.endswith(plural) and len(word) > len(plural) + 1:
            return word[: -len(plural)] + singular
    return word


def _spelling(text: str) -> str:
    return " ".join(text.replace("-", " ").split())


@lru_cache(maxsize=8)
def _grammar(language: str) -> _Grammar:
    spelled = table(language)
    units = {_spelling(fold(name)): unit for unit in spelled.units for name in (*unit.spellings, *unit.before)}
    word = any_of(spelled.number_words)
    joiner = any_of(spelled.number_joiners)
    run = f"(?:(?P<half>{any_of(spelled.half_before)})|{word}(?:{GAP}(?:{joiner}{GAP})?{word})*){NO_WORD}"
    units_after = any_of(name for unit in spelled.units for name in unit.spellings)
    money = any_of(name for unit in spelled.units for name in unit.before)
    minus = any_of(spelled.minus_words)
    starters = [*spelled.number_words, *spelled.half_before]
    return _Grammar(
        table=spelled,
        triggers=frozenset(words(phrase)[0] for phrase in starters),
        before=re.compile(rf"(?:(?<![\w)+-])(?:(?P<minus>-|{minus} )|\+))?(?:(?<![^\W_])(?P<money>{money}) ?)?$"),
        digits=re.compile(f"{FRACTION}|(?P<digits>{DIGITS})"),
        run=re.compile(run),
        scale=re.compile(rf"{GAP}?(?P<scale>{any_of(name for name, _ in spelled.scales)}){NO_WORD}"),
        half_more=re.compile(f"{GAP}{any_of(spelled.half_after)}{NO_WORD}"),
        unit=re.compile(rf"{GAP}?(?P<unit>{units_after})(?:(?<![^\W_])|{NO_WORD})"),
        scales=dict(spelled.scales),
        units=units,
    )
