"""Scores of answers: typed by probe and value kind, and compared with the rivals.

An answer is right when it states the gold and no rival as the answer. Partial credit is
given only where a probe asks for several facts of one event (conflict, temporal), as in
MemProbe, appendix C.3. What cannot be read is excluded, not wrong (C.4).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rapidfuzz import fuzz

from suitegen.model.gold import REFUSALS, Gold, GoldField
from suitegen.model.words import ProbeType, ValueKind
from suitegen.reading.passages import Passage, passage
from suitegen.reading.replies import fields_of
from suitegen.reading.spans import Span
from suitegen.reading.stance import Stance, stance
from suitegen.reading.wording import wording
from suitegen.values.kinds import canonical, readings
from suitegen.values.normal import fold
from suitegen.values.tokens import scan, words
from suitegen.values.vocabulary import Vocabulary

PARTIAL: frozenset[ProbeType] = frozenset({"conflict", "temporal"})
"""Probe types whose points are the mean of their fields."""
_PAST: frozenset[ProbeType] = frozenset({"previous", "original", "original_premise"})
"""Probe types that ask for a value that may hold no longer."""
_ALIKE = 87.0
"""From this similarity on (0 to 100) a name is taken for a misspelling of another."""
_MARGIN = 8.0
"""By so much the right name must be more alike than any rival."""


@dataclass(frozen=True, slots=True)
class Score:
    """How right an answer is."""

    points: float | None
    """0 to 1; None where the answer could not be read."""
    fields: Mapping[str, float]
    """Points by field; empty where the answer could not be read."""
    parsed: bool


@dataclass(frozen=True, slots=True)
class _Mention:
    """A known value in a reply: its number (the right one first) and how it stands."""

    value: int
    first: int
    stance: Stance


def score(answer: object, gold: Gold, language: str = "en") -> Score:
    """The score of an answer.

    Args:
        answer: text by field, the JSON text of such a mapping, or for a gold of one field plain text.
        gold: what is right.
        language: of the answer.
    """
    names = [field.name for field in gold.fields]
    given = fields_of(answer, names)
    if not given:
        return Score(None, {}, False)
    points = {field.name: float(_right(given.get(field.name, ""), field, gold.type, language)) for field in gold.fields}
    mean = sum(points.values()) / len(points)
    return Score(mean if gold.type in PARTIAL else float(mean == 1.0), points, True)


def abstains(answer: object, gold: Gold, language: str = "en") -> bool:
    """Whether an answer says that there is no value to give, and gives none."""
    given = fields_of(answer, [field.name for field in gold.fields])
    valued = [field for field in gold.fields if field.form in ("value", "values")]
    return any(given and _declines(given.get(field.name, ""), field, language) for field in valued)


def _declines(reply: str, field: GoldField, language: str) -> bool:
    known = (*((field.accepts,) if field.accepts else ()), *field.answers, *field.rivals)
    return bool(reply) and _refuses(reply, field.model_copy(update={"rivals": known}), False, language)


def _right(reply: str, field: GoldField, probe: ProbeType, language: str) -> bool:
    return bool(reply) and _FORMS[field.form](reply, field, probe, language)


# -- values -----------------------------------------------------------------------------------------------------


def _value(reply: str, field: GoldField, probe: ProbeType, language: str) -> bool:
    past = probe in _PAST or field.name == "old"
    if field.refusal:
        return _refuses(reply, field, past, language)
    known = (*field.answers, *field.rivals) if field.answers else (field.accepts, *field.rivals)
    mentions = _mentions(reply, field.kind, known, language)
    if field.answers:
        return _names_all(reply, len(field.answers), mentions, language)
    stated = _as_answer(mentions, past)
    if not stated and not mentions:
        return _misspelled(reply, field)
    return stated == {0}


def _as_answer(mentions: Sequence[_Mention], past: bool) -> set[int]:
    """The values that a reply states as its answer: of the moment asked for, where it tells moments apart."""
    levels: Sequence[Sequence[Stance]] = (
        (("past", "was"), ("plain",), ("now",)) if past else (("plain", "now"), ("was",))
    )
    if past and not any(mention.stance in ("past", "was") for mention in mentions):
        levels = (("plain", "now"),)
    for level in levels:
        found = {mention.value for mention in mentions if mention.stance in level}
        if found:
            return found
    return set()


def _names_all(reply: str, count: int, mentions: Sequence[_Mention], language: str) -> bool:
    """Whether a reply names every disputed value and no other, and prefers none of them."""
    said = passage(reply, language)
    open_ended = said.has("disputes") or said.has("hedges") or said.has("refusals")
    stated = {m.value for m in mentions if m.stance != "denied" and (open_ended or m.stance != "past")}
    return stated == set(range(count))


def _refuses(reply: str, field: GoldField, past: bool, language: str) -> bool:
    """Whether a reply says that there is no value, and gives none."""
    said = passage(reply, language)
    refusing = said.has("refusals") or said.has("none_words") or bool(REFUSALS.intersection(said.words))
    if not refusing:
        return False
    mentions = _mentions(reply, field.kind, field.rivals, language)
    if field.answer == "forgotten":
        return all(mention.stance == "denied" for mention in mentions)
    barred = ("past", "was", "plain") if past else ("plain", "now")
    return not any(mention.stance in barred for mention in mentions)


def _mentions(reply: str, kind: ValueKind, known: Sequence[tuple[str, ...]], language: str) -> list[_Mention]:
    """The known values in a reply, from left to right."""
    said = passage(reply, language)
    vocabulary = _vocabulary(kind, tuple(known), language)
    numbers = {spellings[0]: number for number, spellings in enumerate(known)}
    found = [
        (numbers[mention.value], _span(said, mention.start, mention.end))
        for mention in vocabulary.mentions(reply, cued=False)
    ]
    if not found:
        only = vocabulary.identify(reply)
        return [] if only is None else [_Mention(numbers[only], 0, "plain")]
    every = tuple(span for _, span in found)
    return [
        _Mention(
            number, span.first, stance(said, said.sentence(span.first), span, tuple(o for o in every if o != span))
        )
        for number, span in found
    ]


def _span(said: Passage, start: int, end: int) -> Span:
    first = max(bisect_right(said.starts, start) - 1, 0)
    return Span("phrase", first, max(bisect_left(said.starts, end), first + 1), ())


@lru_cache(maxsize=4096)
def _vocabulary(kind: ValueKind, known: tuple[tuple[str, ...], ...], language: str) -> Vocabulary:
    return Vocabulary(kind, known, (), language)


def _misspelled(reply: str, field: GoldField) -> bool:
    """Whether a reply is the right name but for its spelling, and no rival's."""
    if field.kind != "name":
        return False
    right = max(_likeness(reply, spelling) for spelling in field.accepts)
    wrong = max((_likeness(reply, spelling) for rival in field.rivals for spelling in rival), default=0.0)
    return right >= _ALIKE and right >= wrong + _MARGIN


def _likeness(reply: str, name: str) -> float:
    """How alike a name and the best stretch of as many words of a reply are; 0 where their numbers differ."""
    said, wanted = words(reply), words(name)
    stretches = [said[at : at + len(wanted)] for at in range(len(said) - len(wanted) + 1)]
    digits = [word for word in wanted if word.isdigit()]
    alike = (s for s in stretches if [word for word in s if word.isdigit()] == digits)
    return max((fuzz.ratio(" ".join(stretch), " ".join(wanted)) for stretch in alike), default=0.0)


def _values(reply: str, field: GoldField, probe: ProbeType, language: str) -> bool:
    """Whether a reply names the values in order and no other."""
    known = tuple(dict.fromkeys((*field.answers, *field.rivals)))
    order = [known.index(spellings) for spellings in field.answers]
    named = [mention.value for mention in _mentions(reply, field.kind, known, language) if mention.stance != "denied"]
    return [value for at, value in enumerate(named) if not at or named[at - 1] != value] == order


# -- the other forms ----------------------------------------------------------------------------------------------


def _enum(reply: str, field: GoldField, probe: ProbeType, language: str) -> bool:
    """Whether a reply is the word of the list, however it is set."""
    given, right = _word(reply), _word(field.answer)
    talk = wording(language).talk
    for listed in (talk.yes_words, talk.no_words):
        if right == listed[0]:
            return given in listed
    return given == right


def _word(text: str) -> str:
    return "_".join(words(text))


def _change(reply: str, field: GoldField, probe: ProbeType, language: str) -> bool:
    """Whether a reply holds a phrase of the change and none of another one."""
    said = passage(reply, language)
    if any(_holds_phrase(said, phrase) for rival in field.rivals for phrase in rival if phrase not in field.accepts):
        return False
    if field.answer in REFUSALS and not field.accepts:
        return said.has("none_words") or said.has("refusals") or bool(REFUSALS.intersection(said.words))
    return any(_holds_phrase(said, phrase) for phrase in field.accepts)


def _holds_phrase(said: Passage, phrase: str) -> bool:
    """Whether the words of a phrase stand in a row; of several words the endings may differ."""
    wanted = passage(phrase, said.language)
    single = len(wanted.words) == 1
    row, held = (wanted.words, said.words) if single else (wanted.stems, said.stems)
    return any(held[at : at + len(row)] == row for at in range(len(held) - len(row) + 1))


def _count(reply: str, field: GoldField, probe: ProbeType, language: str) -> bool:
    """Whether the one number that a reply gives is the right one."""
    said = passage(reply, language)
    found = {reading.keys[0].split()[0] for reading in readings("number", scan(reply), language)}
    found |= {str(times) for word, times in wording(language).talk.times if word in said.words}
    if not found and said.has("zero_words"):
        found = {"0"}
    return found == {canonical("number", fold(field.answer), language)}


_FORMS: Mapping[str, Callable[[str, GoldField, ProbeType, str], bool]] = {
    "value": _value,
    "values": _values,
    "enum": _enum,
    "change": _change,
    "count": _count,
}
