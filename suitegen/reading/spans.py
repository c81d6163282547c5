"""Stretches of a passage that look like values: times, dates, weekdays, numbers, identifiers, quotations, names."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple

from suitegen.reading.passages import Passage, passage
from suitegen.reading.wording import wording
from suitegen.values.kinds import readings
from suitegen.values.normal import fold
from suitegen.values.tokens import scan, words

SpanKind = Literal["time", "date", "weekday", "number", "identifier", "quoted", "name", "phrase"]

_CODE = re.compile(r"(?<![\w/@#.-])[\w#@~/][^\s,;!?()\[\]{}\"'<>|=“”]*[\w/]")
_SURE_CODE = re.compile(r"[_/@#\\~]|[^\W\d_]\d|\d[^\W\d_]|-\d|\d-|[^\W\d_]\.[^\W\d_]{2}|[^\W\d_]\.\d|[a-z][A-Z]|:\w")
_QUOTE = re.compile(r"\"([^\"\n]{1,60})\"|“([^”\n]{1,60})”|(?<!\w)['‘]([^'’\n]{1,60})['’](?!\w)")
_ACRONYM = 4
"""Capitals up to this length are rather a common word of some trade than a name: HR, API."""
_MARKS = ('"', "“", "”")
_AMPERSAND = re.compile(r" (?:&|\+) |-|[’'](?=[A-Z])")


class Span(NamedTuple):
    """A stretch of words that can be a value; ``last`` is exclusive."""

    kind: SpanKind
    first: int
    last: int
    keys: tuple[str, ...]
    """Normal forms, the likeliest first."""
    sure: bool = True
    """False where the form alone proves little: an opening capital, a plain hyphen."""

    def overlaps(self, other: Span) -> bool:
        """Whether two spans share a word."""
        return self.first < other.last and other.first < self.last


@lru_cache(maxsize=16384)
def spans(text: str, language: str) -> tuple[Span, ...]:
    """All spans of a text, by kind; a span inside a more telling one is left out."""
    said = passage(text, language)
    found: list[Span] = []
    for kind in (_read(said, "time"), _read(said, "date"), _weekdays(said), _codes(said), _read(said, "number")):
        found.extend(span for span in kind if not any(span.overlaps(other) for other in found))
    found.extend(_quotes(said))
    taken = [span for span in found if span.sure and span.kind not in ("quoted", "number")]
    found.extend(span for span in _names(said) if not any(span.overlaps(other) for other in taken))
    return tuple(found)


def same_value(kind: SpanKind, one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two values of a kind, by their normal forms, are the same."""
    if kind == "number":
        (first, _, unit), (second, _, other_unit) = one[0].partition(" "), other[0].partition(" ")
        return first == second and (unit == other_unit or not unit or not other_unit)
    if kind == "phrase":
        shared = len(set(one) & set(other))
        return shared * 2 > min(len(set(one)), len(set(other)))
    if kind in ("name", "quoted"):
        fewer, more = sorted((set(one[0].split()), set(other[0].split())), key=len)
        return fewer <= more
    return one[0] in other or other[0] in one


def _read(said: Passage, kind: Literal["time", "date", "number"]) -> Iterator[Span]:
    scanned = scan(said.text)
    longest: dict[int, Span] = {}
    for reading in readings(kind, scanned, said.language):
        first = bisect_right(scanned.spans, reading.start, key=lambda span: span[1])
        last = max(bisect_left(scanned.spans, reading.end, key=lambda span: span[0]), first + 1)
        digits = any(word[0].isdigit() for word in scanned.words[first:last])
        sure = kind != "number" or digits
        if first not in longest or longest[first].last < last:
            longest[first] = Span(kind, first, last, reading.keys, sure)
    yield from longest.values()


def _weekdays(said: Passage) -> Iterator[Span]:
    table = said.wording.table
    days = {fold(day) + plural for day in table.weekday_names for plural in ("", "s")}
    for at, word in enumerate(said.words):
        if word not in days:
            continue
        nth = _nth(said.words[at - 1], said.language) if at else 0
        day = word if word in map(fold, table.weekday_names) else word[:-1]
        yield Span("weekday", at - 1 if nth else at, at + 1, (f"{nth} {day}" if nth else day,))


def _nth(word: str, language: str) -> int:
    """The rank that an ordinal names; 0 where it is none."""
    table = wording(language).table
    if word in table.ordinal_words:
        return table.ordinal_words.index(word) + 1
    digits = word.rstrip("".join(table.ordinal_endings))
    return int(digits) if digits.isdigit() and word[len(digits) :] in table.ordinal_endings else 0


def _codes(said: Passage) -> Iterator[Span]:
    for match in _CODE.finditer(said.text):
        code = match[0]
        sure = bool(_SURE_CODE.search(code)) and any(char.isalpha() for char in code)
        if not (sure or "-" in code) or _nth(fold(code), said.language):
            continue
        first = bisect_left(said.starts, match.start())
        last = bisect_right(said.ends, match.end())
        if first < last:
            yield Span("identifier", first, last, (fold(code),), sure)


def _quotes(said: Passage) -> Iterator[Span]:
    for match in _QUOTE.finditer(said.text):
        first = bisect_left(said.starts, match.start())
        last = bisect_right(said.ends, match.end())
        if first < last:
            yield Span("quoted", first, last, (" ".join(said.words[first:last]),))


def _names(said: Passage) -> Iterator[Span]:
    at = 0
    while at < len(said.words):
        if not _named(said, at):
            at += 1
            continue
        last = at + 1
        while (following := _continued(said, last)) > last:
            last = following
        first = at
        whole = _enclosed(said, at, last)
        while first < last and not whole and said.opens(first) and not said.wording.topical(said.words[first]):
            first += 1
        if first < last and (last - first > 1 or len(said.words[first]) > 1):
            key = " ".join(words(said.text[said.starts[first] : said.ends[last - 1]]))
            bare = said.opens(first) and not (last - first > 1 and said.capital(first + 1))
            yield Span("name", first, last, (key,), whole or not (bare or _acronym(said, first, last)))
        at = last


def _acronym(said: Passage, first: int, last: int) -> bool:
    text = said.text[said.starts[first] : said.ends[last - 1]]
    return len(text) <= _ACRONYM and text.isupper()


def _enclosed(said: Passage, first: int, last: int) -> bool:
    """Whether quotation marks hold just these words."""
    return first > 0 and said.gap(first - 1)[-1:] in _MARKS and said.gap(last - 1)[:1] in _MARKS


def _named(said: Passage, at: int) -> bool:
    if not said.capital(at) or (at and said.gap(at - 1) == "-"):
        return False
    if said.is_month(at):
        return True
    return said.wording.topical(said.words[at]) or (
        at + 1 < len(said.words) and not said.opens(at) and _titled(said, at)
    )


def _titled(said: Passage, at: int) -> bool:
    """Whether a dull word with a capital begins a title: The Lift Room."""
    return said.gap(at) == " " and said.capital(at + 1) and said.words[at] not in said.wording.talk.selves


def _continued(said: Passage, last: int) -> int:
    """Where a name that reaches to ``last`` goes on to; ``last`` itself where it ends."""
    if last >= len(said.words):
        return last
    gap = said.gap(last - 1)
    near = (
        gap == " "
        or bool(_AMPERSAND.fullmatch(gap))
        or (gap == ". " and said.words[last - 1] in said.wording.talk.titles)
    )
    if not near:
        return last
    if said.capital(last) or (said.words[last].isdigit() and gap == " "):
        return last + 1 if said.words[last] not in said.wording.talk.selves else last
    linked = said.words[last] in said.wording.talk.name_links and last + 1 < len(said.words)
    return last + 2 if linked and said.gap(last) == " " and said.capital(last + 1) else last
