"""Numbers as written in digits or words, exact."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import lru_cache

from text_to_num import alpha2digit  # type: ignore[import-untyped]

from suitegen.values.tables.table import LanguageTable

DIGITS = r"\d{1,3}(?:[ ']\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,]\d+)*"
"""Digits with marks and groups; ``from_digits`` tells what they are worth."""
FRACTION = r"(?:(?P<whole>\d+) )?(?P<over>\d)/(?P<under>[2-9]|10)(?![\d/])"
_PLACES = 9
_LONGEST = 40
"""Longer runs of digits are no amount of anything."""


def from_digits(text: str, decimal_mark: str) -> Fraction | None:
    """The worth of digits with marks; None where the marks fit no number (``1,2,3``).

    A single mark before exactly three digits is a group's unless it is the language's
    own decimal mark; a mark before another count of digits is a decimal mark.
    """
    if len(text) > _LONGEST:
        return None
    plain = re.sub(r"[ ']", "", text)
    marks = re.findall(r"[.,]", plain)
    if not marks:
        return Fraction(plain)
    last = marks[-1]
    head, _, tail = plain.rpartition(last)
    single = marks.count(last) == 1
    if single and (len(tail) != 3 or last == decimal_mark or len(marks) > 1):
        return Fraction(f"{_ungrouped(head)}.{tail}") if _ungrouped(head) else None
    grouped = _ungrouped(plain)
    return Fraction(grouped) if grouped else None


@lru_cache(maxsize=2048)
def from_words(text: str, table: LanguageTable) -> Fraction | None:
    """The worth of number words; None where they are not one number."""
    digits = alpha2digit(text, table.language, threshold=0.0)
    return Fraction(digits) if re.fullmatch(r"\d+(?:\.\d+)?", digits) else None


def plain(number: Fraction) -> str:
    """A number in its shortest decimal form, or as a fraction where it has none."""
    if number.denominator == 1:
        return str(number.numerator)
    scaled = number * 10**_PLACES
    if scaled.denominator != 1:
        return f"{number.numerator}/{number.denominator}"
    whole, places = divmod(abs(scaled.numerator), 10**_PLACES)
    sign = "-" if number < 0 else ""
    return f"{sign}{whole}.{places:0{_PLACES}d}".rstrip("0").rstrip(".")


def _ungrouped(text: str) -> str:
    """Digits without their group marks; empty where the groups are not of three."""
    if text.isdigit():
        return text
    return re.sub(r"[.,]", "", text) if re.fullmatch(r"\d{1,3}(?:(?:,\d{3})+|(?:\.\d{3})+)", text) else ""
