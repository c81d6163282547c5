"""What a question is about, measured against the words of the history."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from suitegen.reading.asked import Asked
from suitegen.reading.passages import Passage, Stretch
from suitegen.reading.spans import Span
from suitegen.reading.voices import Heard

_STRANGE = 2
"""So many words of something else in a clause make it speak of somebody else's attribute."""


@dataclass(frozen=True, eq=False)
class Aim:
    """The stems by which statements about the target are told from others."""

    attribute: frozenset[str]
    owner: frozenset[str]
    pairs: frozenset[tuple[str, str]]
    mine: bool
    lower: frozenset[str]
    """Words that the history writes without a capital."""

    @property
    def topic(self) -> frozenset[str]:
        """All stems of the target."""
        return self.attribute | self.owner

    def names(self, stems: Collection[str]) -> bool:
        """Whether stems name the attribute: half of its own at least."""
        return bool(self.attribute) and 2 * len(self.attribute.intersection(stems)) >= len(self.attribute)

    def owns(self, stems: Collection[str]) -> bool:
        """Whether stems name the owner: half of its own at least."""
        return bool(self.owner) and 2 * len(self.owner.intersection(stems)) >= len(self.owner)


def aim(asked: Asked, heard: Collection[Heard]) -> Aim:
    """The aim of a question in a history; words of the question that the history never uses are left aside."""
    spoken = frozenset().union(*(each.said.topics for each in heard))
    lower = frozenset().union(*(_lower(each.said) for each in heard))
    attribute = (asked.attribute & spoken) or asked.attribute
    return Aim(attribute, asked.owner & spoken or asked.owner, asked.pairs, asked.mine or not asked.owner, lower)




def _lower(said: Passage) -> frozenset[str]:
    return frozenset(word for at, word in enumerate(said.words) if not said.capital(at))


def belongs(aim: Aim, heard: Heard, sentence: Stretch, span: Span | None) -> str:
    """Whose attribute a sentence speaks of: ``target`` or ``other``.

    Args:
        aim: what is asked about.
        heard: the turn.
        sentence: the sentence, which names the attribute or stands where it was named.
        span: the value it states, where it states one.
    """
    said = heard.said
    stems = said.stems[sentence.first : sentence.last]
    if _contradicts(aim, said, sentence):
        return "other"
    if not aim.owner:
        return "other" if _somebody_else(aim, heard, sentence, span) else "target"
    if aim.owns(stems):
        return "target"
    clause = said.clause(span.first) if span else sentence
    strange = len(foreign(aim, said, clause, span)) >= _STRANGE
    if strange or _owned_by_other(aim, said, sentence, span):
        return "other"
    return "target" if aim.owns(said.topics | heard.before) else "other"


def foreign(aim: Aim, said: Passage, stretch: Stretch, span: Span | None) -> list[int]:
    """Words of a stretch that speak of something beside the target and the value."""
    return [
        at
        for at in range(stretch.first, stretch.last)
        if not (span and span.first <= at < span.last) and _distinct(aim, said, at)
    ]


def _contradicts(aim: Aim, said: Passage, sentence: Stretch) -> bool:
    """Whether a head of the question stands with another modifier: mobile team for platform team."""
    stems = said.stems[sentence.first : sentence.last]
    for modifier, head in aim.pairs:
        if (modifier in stems) == (head in stems):
            continue
        for at in range(sentence.first, sentence.last - 1):
            if said.gap(at) not in (" ", "-"):
                continue
            if said.stems[at + 1] == head and _distinct(aim, said, at):
                return True
            if said.stems[at] == modifier and said.capital(at + 1) and _distinct(aim, said, at + 1):
                return True
    return False


def _distinct(aim: Aim, said: Passage, at: int) -> bool:
    word, stem = said.words[at], said.stems[at]
    plain = said.wording.topical(word) and word not in said.wording.frame and stem not in said.wording.light
    return plain and stem not in aim.topic and not word.isdigit()


def _owned_by_other(aim: Aim, said: Passage, sentence: Stretch, span: Span | None) -> bool:
    """Whether the sentence gives the attribute to an owner whom the question does not name."""
    for at in range(sentence.first, sentence.last):
        if span is not None and span.first <= at < span.last:
            continue
        word = said.words[at]
        if word in said.wording.talk.owners and _owner_follows(aim, said, at + 1, sentence, span):
            return True
        if word == "s" and at and said.gap(at - 1) in ("'", "’") and _distinct(aim, said, at - 1):
            return True
        other_name = said.capital(at) and not said.opens(at) and _distinct(aim, said, at)
        if other_name and at and said.stems[at - 1] in aim.topic and said.gap(at - 1) == " ":
            return True
    return False


def _owner_follows(aim: Aim, said: Passage, at: int, sentence: Stretch, span: Span | None) -> bool:
    for step in range(at, min(at + 3, sentence.last)):
        if span is not None and span.first <= step < span.last:
            return False
        if said.wording.topical(said.words[step]):
            return _distinct(aim, said, step)
        if said.words[step] in said.wording.talk.selves:
            return False
    return False


def _somebody_else(aim: Aim, heard: Heard, sentence: Stretch, span: Span | None) -> bool:
    """Whether a person other than the user has the attribute."""
    said = heard.said
    own = said.wording.talk.selves if heard.role == "user" else said.wording.talk.addressees
    region = _content(said, sentence, span)
    words = said.slice(region)
    cued = _persons(said, region, span)
    mine = [at for at in range(region.first, region.last) if said.words[at] in own]
    if not cued:
        return _named_subject(aim, said, region, span) and not mine
    free = [at for at in mine if not _kin_follows(said, at, region)]
    return not free or not words


def _content(said: Passage, sentence: Stretch, span: Span | None) -> Stretch:
    """The part of the sentence that can say whose it is: after a report, up to the end of the value's clause."""
    if span is None:
        return sentence
    clause = said.clause(span.first)
    first = sentence.first
    for found in said.find("reports", Stretch(sentence.first, span.first)) if span.first > sentence.first else ():
        first = max(first, found.last + 1)
    openers = said.find("clause_openers", Stretch(first, span.first)) if first < span.first else []
    if openers:
        first = max(first, openers[-1].first)
    return Stretch(min(first, span.first), max(clause.last, span.last))


def _persons(said: Passage, region: Stretch, span: Span | None) -> list[int]:
    talk = said.wording.talk
    table = said.wording.table
    barred = {*talk.others, *talk.relatives, *table.kinship_words}
    return [
        at
        for at in range(region.first, region.last)
        if said.words[at] in barred and not (span and span.first <= at < span.last)
    ]


def _kin_follows(said: Passage, at: int, region: Stretch) -> bool:
    """Whether 'my' belongs to a person: my cousin Farah, my old friend."""
    talk, table = said.wording.talk, said.wording.table
    people = {*talk.relatives, *table.kinship_words}
    return any(said.words[step] in people for step in range(at + 1, min(at + 3, region.last)))


def _named_subject(aim: Aim, said: Passage, region: Stretch, span: Span | None) -> bool:
    """Whether a name other than the value does something, or has something, in the region."""
    for at in range(region.first, region.last - 1):
        if (span and span.first <= at < span.last) or not said.capital(at) or not _distinct(aim, said, at):
            continue
        if said.opens(at) and said.words[at] in aim.lower:
            continue
        after = said.words[at + 1]
        if after == "s" or (not said.capital(at + 1) and said.gap(at) == " " and not after.isdigit()):
            return True
    return False
