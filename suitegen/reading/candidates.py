"""Values that a turn can state of a target, and what ties them to it."""

from __future__ import annotations

import re
from typing import Literal

from suitegen.reading.aim import Aim, foreign
from suitegen.reading.passages import Passage, Stretch
from suitegen.reading.sentences import told
from suitegen.reading.spans import Span, spans
from suitegen.reading.voices import Heard

Nearness = Literal[0, 1, 2, 3]
"""Where the attribute was named: nowhere, earlier in the session, elsewhere in the turn, in the sentence."""

_KEY = re.compile(r"[\"']?\s*[:=]")
"""What follows the key of a record."""
_MARK = re.compile(r"[:=|]|->|\s[-–]\s")
_CLOSE = 2
_REPORT_REACH = 6
_REPORTER_REACH = 4
_WIDEST = 4
_AFRESH = 3
"""With more words of something else than this before it, a turn's pronoun stands for what they bring up."""
_STRANGERS = 1
"""So many words of something else may stand beside a value that is tied to the target by what came before."""


def nearness(aim: Aim, heard: Heard, sentence: Stretch) -> Nearness:
    """Where the attribute was named, as seen from a sentence."""
    own = heard.said.stems[sentence.first : sentence.last]
    if heard.role == "tool":
        return _looked_up(aim, heard)
    if aim.names(own):
        return 3
    if aim.names(heard.said.topics):
        return 2
    named = bool(aim.named) and aim.named <= set(own)
    return 1 if named or aim.names(heard.before) or aim.alias.intersection(own) else 0


def _looked_up(aim: Aim, heard: Heard) -> Nearness:
    """The same for a tool's turn: one word of two, of which the request knew nothing, is chance."""
    topics = heard.said.topics
    if aim.attribute <= topics or (aim.names(topics) and aim.names(heard.asked)):
        return 3
    return 2 if aim.names(heard.asked) else 0


def usable(aim: Aim, heard: Heard, stretch: Stretch) -> list[Span]:
    """The spans of a stretch that can be values of the target."""
    said = heard.said
    found = []
    for each in spans(said.text, said.language):
        if each.kind == "quoted" or not (stretch.first <= each.first and each.last <= stretch.last):
            continue
        span = _trimmed(aim, said, each) if each.kind == "name" else each
        if span.first < span.last and not _is_topic(aim, said, span) and _is_value(aim, said, span):
            found.append(span)
    return found


def fits(aim: Aim, heard: Heard, sentence: Stretch, span: Span, near: Nearness) -> bool:
    """Whether a value is stated of the target or of another owner's attribute."""
    said = heard.said
    if heard.role == "tool":
        return span.sure or near == 3
    if near < 3 or not bound(aim, said, span):
        return span.sure and tied(aim, heard, sentence, span)
    if not (_shares(aim, said, span) or _marked(aim, said, span) or tied(aim, heard, sentence, span)):
        return False
    whole = aim.attribute <= set(said.stems[sentence.first : sentence.last]) or _joined(aim, said, span)
    strangers = foreign(aim, said, told(said, said.clause(span.first), span.first), span)
    allowed = _STRANGERS + any(said.has(name, sentence) for name in ("wishes", "hedges"))
    few = len([at for at in strangers if at not in said.people and not said.cued(at)]) <= allowed
    return whole or few or bool(aim.owner)


def bound(aim: Aim, said: Passage, span: Span) -> bool:
    """Whether the attribute is named in the value's clause or in the one beside it."""
    sentence, at = said.sentence(span.first), said.clause_number(span.first)
    near = [clause for clause in said.clauses[max(0, at - 1) : at + 2] if sentence.holds(clause.first)]
    stems = {stem for clause in near for stem in said.stems[clause.first : clause.last]}
    return aim.names(stems) and (span.sure or span.kind != "number" or _counts(aim, said, span))


def beside(aim: Aim, said: Passage, span: Span) -> bool:
    """Whether the attribute is named in the value's own clause, or a mark ties the value to it."""
    clause = said.wide(span.first)
    return aim.names(said.stems[clause.first : clause.last]) or _marked(aim, said, span)


def tied(aim: Aim, heard: Heard, sentence: Stretch, span: Span) -> bool:
    """Whether a value belongs to the target although its clause does not name the attribute.

    The clause must have a subject that stands for the target, and speak of nothing else;
    of the user's own attribute it may hold one word more, which then tells of it: I train at X.
    """
    said, talk = heard.said, heard.said.wording.talk
    clause = told(said, said.wide(span.first), span.first)
    words, stems = set(said.slice(clause)), said.stems[clause.first : clause.last]
    selves = talk.addressees if heard.role == "assistant" else talk.self_subjects + talk.self_owners
    people = said.people.intersection(range(clause.first, clause.last))
    own = bool(words.intersection((*selves, *talk.others))) or bool(people)
    subject = own or (bool(words.intersection(talk.pronouns)) and _takes_up(aim, heard, clause)) or aim.owns(stems)
    strangers = [at for at in foreign(aim, said, clause, span) if at not in said.people]
    if not strangers and aim.alias.intersection(stems):
        subject = subject or any(said.has(name, sentence) for name in ("wishes", "hedges", "reports"))
    in_talk = aim.names(said.topics | heard.before | heard.asked)
    return subject and len(strangers) <= (_STRANGERS if own and not aim.owner and in_talk else 0)


def _takes_up(aim: Aim, heard: Heard, clause: Stretch) -> bool:
    """Whether a pronoun can stand for the target: the turn names it, or brings up nothing else before the clause."""
    said = heard.said
    if not aim.topic.isdisjoint(said.topics) or heard.role == "tool":
        return True
    return len(foreign(aim, said, Stretch(0, clause.first), None)) <= _AFRESH


def closeness(aim: Aim, said: Passage, span: Span) -> tuple[int, int, int, int]:
    """How near a value stands to words of the target: no owner by its place, shared clause, then distance."""
    clause = said.clause(span.first)
    shared = len(aim.topic.intersection(said.stems[clause.first : clause.last]))
    spots = [at for at, stem in enumerate(said.stems) if stem in aim.topic]
    distance = min((min(abs(at - span.first), abs(at - span.last + 1)) for at in spots), default=len(said.words))
    owner = span.kind == "name" and span.first > 0 and said.words[span.first - 1] in said.wording.talk.genitives
    return int(not owner), shared, int(span.sure), -distance


def _is_value(aim: Aim, said: Passage, span: Span) -> bool:
    """Whether a span is no key of a record, and a name neither an owner's nor that of somebody who only speaks."""
    if span.kind != "name":
        return span.kind != "identifier" or not _KEY.match(said.gap(span.last - 1))
    if not span.sure and span.last - span.first == 1 and not _is_name(aim, said, span):
        return False
    before = said.stems[span.first - 1] if span.first and said.gap(span.first - 1) == " " else ""
    owner = any(before == modifier and head in aim.owner for modifier, head in aim.pairs)
    return not owner and not _is_person(said, span)


def _is_name(aim: Aim, said: Passage, span: Span) -> bool:
    """Whether a word is a name although it only opens a sentence."""
    if said.words[span.first] in aim.lower or said.wording.common(said.words[span.first]):
        return False
    if span.last >= len(said.words):
        return False
    talk, following = said.wording.talk, said.words[span.last]
    verb = following in talk.copulas + talk.auxiliaries or said.stems[span.last] in aim.topic
    return said.words[span.first] in aim.capitals or (verb and said.gap(span.first) == " ")


def _is_topic(aim: Aim, said: Passage, span: Span) -> bool:
    topical = [at for at in range(span.first, span.last) if said.wording.topical(said.words[at])]
    return bool(topical) and all(said.stems[at] in aim.topic for at in topical)


def _is_person(said: Passage, span: Span) -> bool:
    """Whether a name is only somebody who speaks or is spoken of: my cousin Farah, Tom says, Ana's."""
    if span.first in said.people:
        return not (span.last < len(said.words) and said.words[span.last] in said.wording.talk.self_owners)
    if span.first and said.has("reporters", Stretch(max(0, span.first - _REPORTER_REACH), span.first)):
        return True
    after = Stretch(span.last, min(span.last + _REPORT_REACH, said.clause(span.last - 1).last))
    if after.first >= after.last:
        return False
    owns = said.words[span.last] == said.wording.talk.possessive and said.gap(span.last - 1) in ("'", "’")
    return owns or said.has("reports", after)


def _trimmed(aim: Aim, said: Passage, span: Span) -> Span:
    """A name without a first word that only a sentence's start made look like one."""
    first = span.first
    if first and said.quoted(first):
        return span
    while first < span.last and said.opens(first) and (said.words[first] in aim.lower or said.cued(first)):
        first += 1
    while span.first < first < span.last and not said.capital(first):
        first += 1
    if first == span.first:
        return span
    return span._replace(first=first, keys=(" ".join(said.words[first : span.last]),), sure=True)


def _shares(aim: Aim, said: Passage, span: Span) -> bool:
    """Whether a word of the target stands in the value's clause, or in one that no mark parts from it."""
    clause = said.wide(span.first)
    return bool(aim.topic.intersection(said.stems[clause.first : clause.last]))


def _marked(aim: Aim, said: Passage, span: Span) -> bool:
    """Whether a mark ties a value to the attribute before it: New locker code: 9026; her dentist, Dr Moreau."""
    if not span.first or said.clause(span.first).first != span.first:
        return False
    alone = said.clause(span.first).last == span.last and "," in said.gap(span.first - 1)
    if not alone and not _MARK.search(said.gap(span.first - 1)):
        return False
    clause = said.clause(span.first - 1)
    return aim.names(said.stems[clause.first : clause.last])


def _joined(aim: Aim, said: Passage, span: Span) -> bool:
    """Whether a word of the attribute stands right before a value with a form of its own, or 'is' and it follow."""
    if span.kind == "name":
        return False
    if span.first and said.stems[span.first - 1] in aim.attribute and said.gap(span.first - 1) == " ":
        return True
    after = range(span.last, min(span.last + _WIDEST, said.clause(span.first).last))
    stop = next((at for at in after if said.stems[at] in aim.attribute), span.last)
    between = said.words[span.last : stop]
    return bool(set(said.wording.talk.copulas).intersection(between)) and not any(map(said.wording.topical, between))


def _counts(aim: Aim, said: Passage, span: Span) -> bool:
    """Whether a number in words stands close to a word of the target: five retries, the limit is five."""
    if any(word in said.wording.table.pronoun_numbers for word in said.words[span.first : span.last]):
        return False
    near = said.stems[max(0, span.first - _CLOSE) : span.last + _CLOSE]
    return bool(aim.attribute.intersection(near))
