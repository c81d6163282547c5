"""What a question is about, measured against the words of the history."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from suitegen.reading.asked import Asked
from suitegen.reading.passages import Passage, Stretch
from suitegen.reading.sentences import main_part, told
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
    named: frozenset[str]
    """Stems of the value that the question names."""
    alias: frozenset[str]
    """Stems by which the history speaks of the attribute without naming it: I train at X."""
    lower: frozenset[str]
    """Words that the history writes without a capital."""
    capitals: frozenset[str]
    """Words that it writes with one where no sentence begins."""

    @cached_property
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
    lower = frozenset().union(*(each.said.lower for each in heard))
    capitals = frozenset().union(*(each.said.capitals for each in heard))
    # How a word is written elsewhere is asked only where its capital proves nothing. Without the other words
    # readings of nearly the same history have the very same aim, and share what it finds in a turn.
    doubtful = frozenset().union(*(each.said.doubtful for each in heard))
    attribute, owner = asked.attribute & spoken, asked.owner & spoken
    if not attribute and owner:
        # Nobody says the word for the attribute: we invoice them in euros. What is said of its owner is all there is.
        attribute, owned = owner, frozenset[str]()
    else:
        owned = owner or asked.owner
    return _same(
        attribute or asked.attribute,
        owned,
        asked.pairs,
        asked.mine or not asked.owner,
        asked.spelled,
        frozenset(),
        lower & doubtful,
        capitals & doubtful,
    )


def also_called(aim: Aim, alias: frozenset[str]) -> Aim:
    """The aim with stems by which the history speaks of the attribute without naming it."""
    return _same(aim.attribute, aim.owner, aim.pairs, aim.mine, aim.named, alias, aim.lower, aim.capitals)


_same = lru_cache(maxsize=1024)(Aim)


def resolved(asked: Asked, heard: Collection[Heard]) -> Asked:
    """The question with the value it names: the row of words that stands alone, else one much rarer than another."""
    if len(asked.runs) < 2:
        return asked
    run = asked.bare or _rarest(asked, heard)
    if not run:
        return asked
    if run & asked.owner:
        run |= asked.owner.difference(*asked.runs)
    attribute = asked.attribute - run
    return replace(asked, spelled=run, attribute=attribute or asked.attribute, owner=asked.owner - run)


def _rarest(asked: Asked, heard: Collection[Heard]) -> frozenset[str]:
    """The row that the history speaks of least; empty where none is much rarer."""
    counts = [sum(2 * len(run & each.said.topics) > len(run) for each in heard) for run in asked.runs]
    rarest = counts.index(min(counts))
    return asked.runs[rarest] if 2 * counts[rarest] <= max(counts) else frozenset()


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
    if heard.role != "tool" and _contradicts(aim.pairs, aim, said, sentence):
        return "other"
    if heard.role == "tool":
        named = aim.owns(said.topics | heard.asked) or not aim.owner
        own = frozenset(pair for pair in aim.pairs if aim.owner.intersection(pair))
        return "target" if named and not _contradicts(own, aim, said, said.whole) else "other"
    if not aim.owner:
        return "other" if _somebody_else(aim, heard, sentence, span) else "target"
    if aim.owns(stems):
        return "target"
    clause = said.wide(span.first if span else sentence.first)
    strange = len(foreign(aim, said, clause, span)) >= _STRANGE
    part = sentence if span else main_part(said, sentence)
    if strange or _owned_by_other(aim, said, part, span):
        return "other"
    return "target" if aim.owns(said.topics | heard.before) else "other"


def foreign(aim: Aim, said: Passage, stretch: Stretch, span: Span | None) -> list[int]:
    """Words of a stretch that speak of something beside the target and the value."""
    return [
        at
        for at in range(stretch.first, stretch.last)
        if not (span and span.first <= at < span.last) and _distinct(aim, said, at)
    ]


def _contradicts(pairs: Collection[tuple[str, str]], aim: Aim, said: Passage, sentence: Stretch) -> bool:
    """Whether a head of the question stands with another modifier: mobile team for platform team."""
    stems = said.stems[sentence.first : sentence.last]
    for modifier, head in pairs:
        if (modifier in stems) == (head in stems):
            continue
        for at in range(sentence.first, sentence.last - 1):
            if said.gap(at) not in (" ", "-"):
                continue
            if said.stems[at + 1] == head and not said.capital(at) and _tells_apart(aim, said, at):
                return True
            if said.stems[at] == modifier and said.capital(at + 1) and _distinct(aim, said, at + 1):
                return True
    return False


def _tells_apart(aim: Aim, said: Passage, at: int) -> bool:
    """Whether a word before a head is a modifier of its own: not claims in claims port 5050."""
    return _distinct(aim, said, at) and not any(found.first <= at <= found.last for found in said.find("reports"))


def _distinct(aim: Aim, said: Passage, at: int) -> bool:
    """Whether a word names something that is not the target."""
    word = said.words[at]
    plain = said.wording.topical(word) and word not in said.wording.plain and word not in said.wording.light
    return plain and said.stems[at] not in aim.topic | aim.alias and not word.isdigit()


def _owned_by_other(aim: Aim, said: Passage, sentence: Stretch, span: Span | None) -> bool:
    """Whether the sentence gives the attribute to an owner whom the question does not name."""
    for at in range(sentence.first, sentence.last):
        if span is not None and span.first <= at < span.last:
            continue
        word = said.words[at]
        if word in said.wording.talk.owners and _owner_follows(aim, said, at + 1, sentence, span):
            return True
        if (
            word == said.wording.talk.possessive
            and at
            and said.gap(at - 1) in ("'", "’")
            and _distinct(aim, said, at - 1)
        ):
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
            return said.stems[step] not in aim.topic and said.words[step] not in said.wording.light
        if said.words[step] in said.wording.talk.selves:
            return False
    return False


def _somebody_else(aim: Aim, heard: Heard, sentence: Stretch, span: Span | None) -> bool:
    """Whether another person has the attribute: the person nearest before the value decides, else the one after it."""
    said = heard.said
    region = _region(said, sentence, span)
    own, strange = _own(aim, said, region, heard.role), _persons(said, region, span)
    if not strange:
        return not own and _named_subject(aim, said, region, span)
    at = span.first if span else region.last
    before = max([spot for spot in (*own, *strange) if spot < at], default=None)
    nearest = before if before is not None else min([spot for spot in (*own, *strange) if spot >= at])
    return nearest in strange


def _region(said: Passage, sentence: Stretch, span: Span | None) -> Stretch:
    """The part that tells whose value it is: its clause, and those before while it names nobody."""
    if span is None:
        return main_part(said, sentence)
    own, talk = said.clause(span.first), said.wording.talk
    anybody = {*talk.selves, *talk.addressees, *talk.others}
    first, last = own.first, max(own.last, span.last)

    def named(first: int, last: int) -> bool:
        return bool(anybody & set(said.words[first:last]) or said.people & set(range(first, last)))

    while first > sentence.first and not named(first, last):
        first = said.clause(first - 1).first
    if first == sentence.first and not named(first, last):
        while last < sentence.last and said.gap(last - 1) == " " and not named(first, last):
            last = said.clause(last).last
    return told(said, Stretch(first, last), span.first)


def _own(aim: Aim, said: Passage, region: Stretch, role: str) -> list[int]:
    """Where the user is named as who has or does something; not in my friend, or let me add."""
    talk = said.wording.talk
    own = talk.selves if role == "user" else talk.addressees
    return [
        at
        for at in range(region.first, region.last)
        if said.words[at] in own and (said.words[at] in talk.self_subjects or not _kin_follows(said, at, region))
    ]


def _persons(said: Passage, region: Stretch, span: Span | None) -> list[int]:
    others = said.wording.talk.others
    inside = range(span.first, span.last) if span else range(0)
    spots = (at for at in range(region.first, region.last) if at not in inside)
    return [at for at in spots if said.words[at] in others or at in said.people]


def _kin_follows(said: Passage, at: int, region: Stretch) -> bool:
    """Whether 'my' belongs to a person: my cousin Farah, my old friend."""
    return any(step in said.people for step in range(at + 1, min(at + 3, region.last)))


def _named_subject(aim: Aim, said: Passage, region: Stretch, span: Span | None) -> bool:
    """Whether a name other than the value does something, or has something, in the region."""
    for at in range(region.first, region.last - 1):
        if (span and span.first <= at < span.last) or not said.capital(at) or not _distinct(aim, said, at):
            continue
        if said.opens(at) and said.words[at] in aim.lower:
            continue
        after = said.words[at + 1]
        if after in said.wording.talk.arrivals:
            continue
        if after == said.wording.talk.possessive or (
            not said.capital(at + 1) and said.gap(at) == " " and not after.isdigit()
        ):
            return True
    return False
