"""Who stands behind a statement, and how firmly."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from suitegen.model.history import Role
from suitegen.reading.passages import Passage, Stretch
from suitegen.reading.sentences import is_cause
from suitegen.reading.wording import Found
from suitegen.values.tokens import words

Teller = Literal["user", "assistant", "tool", "document", "third_party"]

_ORIGIN_WORDS = 8
_RIDER_WORDS = 12
_DOCUMENT_REACH = 4
_COLON_REACH = 3
_PURPOSE_REACH = 3


@dataclass(frozen=True, eq=False)
class Heard:
    """A turn at its place among the sessions, with what was talked about before it."""

    session: int
    turn: int
    day: str
    role: Role
    name: str
    said: Passage
    before: frozenset[str]
    """Topical stems of the earlier turns of the session."""
    asked: frozenset[str] = frozenset()
    """Of a tool's turn: topical stems of the user's turn that it answers."""

    @cached_property
    def context(self) -> frozenset[str]:
        """All that it can take up: what was talked about before it, and what it answers."""
        return self.before | self.asked


def teller(heard: Heard, sentence: Stretch, at: int, topic: Collection[str]) -> Teller:
    """Who told what a sentence says at a word.

    Args:
        heard: the turn.
        sentence: the sentence of the word.
        at: the word, usually where a value stands.
        topic: stems of the target, which name no source.
    """
    said = heard.said
    if heard.role == "tool":
        record = _record(heard, topic)
        return record if record == "document" else _origin_rider(heard, sentence, topic) or record
    told = _reported(said, sentence, at, topic) or _written(said, sentence, at, topic)
    return told or _origin_rider(heard, sentence, topic) or heard.role


def hedged(heard: Heard, sentence: Stretch, at: int, told: Teller) -> bool:
    """Whether the statement at a word is tentative, hearsay or only considered."""
    said = heard.said
    if said.has("hedges", sentence):
        return True
    clause = said.clause(at)
    if said.has("guesses", clause) or _considered(said, sentence, at):
        return True
    if told == "user" and heard.role == "user":
        return False
    return any(
        said.has("hedges", other) or any(found.last > found.first for found in said.find("guesses", other))
        for other in said.sentences
        if abs(other.first - sentence.first) and (other.first == sentence.last or other.last == sentence.first)
    )


def _considered(said: Passage, sentence: Stretch, at: int) -> bool:
    """Whether a wish or an idea opens what stands at the word."""
    before = Stretch(sentence.first, at + 1)
    wishes = [*said.find("wishes", before), *said.find("conditions", before)]
    return any(not _broken(said, wish.last + 1, at) for wish in wishes)


def _broken(said: Passage, first: int, at: int) -> bool:
    """Whether a clause of the speaker's own begins between two words."""
    if first >= at:
        return False
    selves = said.wording.talk.selves
    return any(
        found.last + 1 < len(said.words) and said.words[found.last + 1] in selves
        for found in said.find("clause_openers", Stretch(first, at))
    )


def _reported(said: Passage, sentence: Stretch, at: int, topic: Collection[str]) -> Teller | None:
    """Who is said to have said it."""
    if any(not _broken(said, found.last + 1, at) for found in said.find("hearsay", sentence)):
        return "third_party"
    for found in said.find("reporters", sentence):
        after = Stretch(
            found.last + 1, min(found.last + 1 + _ORIGIN_WORDS, said.clause(found.last).last, sentence.last)
        )
        if after.first < after.last and (kind := _origin(said, _until_self(said, after), topic)):
            return kind
    for found in said.find("reports", sentence):
        if kind := _by_verb(said, sentence, found, at, topic):
            return kind
    return None


def _until_self(said: Passage, stretch: Stretch) -> Stretch:
    """A stretch up to where the speaker becomes the subject: according to her | we have to."""
    selves = said.wording.talk.self_subjects
    last = next((at for at in range(stretch.first + 1, stretch.last) if said.words[at] in selves), stretch.last)
    return Stretch(stretch.first, last)


def _by_verb(said: Passage, sentence: Stretch, verb: Found, at: int, topic: Collection[str]) -> Teller | None:
    """Who the subject of a verb of saying is, where the statement at a word hangs on it."""
    clause = said.clause(verb.first)
    if not clause.holds(at) and _apart(said, clause, at):
        return None
    if _orders(said, verb):
        return None
    lead = said.words[verb.first - 1] if verb.first > clause.first else ""
    if verb.last == verb.first and lead in (*said.wording.talk.determiners, *said.wording.talk.self_owners):
        return None
    if verb.first < at:
        following = said.words[verb.last + 1 : verb.last + 3]
        if set(said.wording.talk.arrivals).intersection(following) or _broken(said, verb.last + 1, at):
            return None
    elif clause.last - clause.first > _ORIGIN_WORDS or clause.holds(at):
        return None
    subject = Stretch(max(clause.first, verb.first - _ORIGIN_WORDS), verb.first)
    if subject.first == subject.last:
        subject = Stretch(verb.last + 1, min(verb.last + 1 + _ORIGIN_WORDS, clause.last))
    return _origin(said, subject, topic) if subject.first < subject.last else None


def _orders(said: Passage, verb: Found) -> bool:
    """Whether somebody is told to do something rather than told of it: my dentist told me to."""
    after = said.words[verb.last + 1 : verb.last + 3]
    talk = said.wording.talk
    return len(after) == 2 and after[0] in talk.self_objects and after[1] in talk.arrivals


def _apart(said: Passage, clause: Stretch, at: int) -> bool:
    """Whether a clause and what stands at a word are cause and effect, neither told by the other."""
    return is_cause(said, clause) or (clause.first < at and said.has("results", Stretch(clause.last, at + 1)))


def _origin(said: Passage, stretch: Stretch, topic: Collection[str]) -> Teller | None:
    """What kind of source a noun phrase names; None where it names the speaker or nobody."""
    talk, wording = said.wording.talk, said.wording
    named = said.slice(stretch)
    own = [word for word in named if word in talk.selves]
    if any(_is_head(said, at, stretch, topic) for at in range(stretch.first, stretch.last)):
        return None if own and own[-1] in talk.self_owners else "document"
    if own and not any(word in talk.relatives or said.has("kinship_words", stretch) for word in named):
        if own[-1] in talk.self_subjects:
            return None
    elif set(named) & set(talk.addressees) and not set(named) & set(talk.relatives):
        return "assistant"
    if any(_is_one(said, word, talk.tools, topic) for word in named):
        return "tool"
    strange = any(wording.topical(word) and wording.stem(word) not in topic for word in named)
    if strange or any(word in talk.others for word in named):
        return "third_party"
    return None


def _is_head(said: Passage, at: int, stretch: Stretch, topic: Collection[str]) -> bool:
    """Whether a word of a noun phrase is a document, and not just what tells people apart: the site engineer."""
    if not _is_one(said, said.words[at], said.wording.talk.documents, topic):
        return False
    after = at + 1
    if after >= stretch.last or said.gap(at) != " " or said.capital(after):
        return True
    return not said.wording.topical(said.words[after]) or _is_head(said, after, stretch, topic)


def _is_one(said: Passage, word: str, kinds: Collection[str], topic: Collection[str]) -> bool:
    """Whether a word, or what it is the plural of, is one of the kinds and does not name the target."""
    ending = said.wording.talk.verb_ending
    return (word in kinds or word.removesuffix(ending) in kinds) and said.wording.stem(word) not in topic


def _written(said: Passage, sentence: Stretch, at: int, topic: Collection[str]) -> Teller | None:
    """A document that is named before the word, with a verb or a colon between."""
    for word in range(sentence.first, at):
        lead = said.words[max(sentence.first, word - _PURPOSE_REACH) : word]
        if not _is_one(said, said.words[word], said.wording.talk.documents, topic) or {
            *said.wording.talk.self_owners,
            *said.wording.talk.purposes,
        } & set(lead):
            continue
        near = Stretch(word + 1, min(word + 1 + _DOCUMENT_REACH, at, said.clause(word).last))
        if near.first < near.last and (said.has("document_verbs", near) and not _broken(said, word + 1, at)):
            return "document"
        if ":" in said.text[said.ends[word] : said.starts[min(at, word + _COLON_REACH)]]:
            return "document"
    return None


def _origin_rider(heard: Heard, sentence: Stretch, topic: Collection[str]) -> Teller | None:
    """The source that another short sentence of the turn, or a line of a record, names."""
    said = heard.said
    for other in said.sentences:
        if other.first == sentence.first and heard.role != "tool":
            continue
        for found in said.find("entries" if heard.role == "tool" else "reporters", other):
            short = other.last - other.first <= _RIDER_WORDS or heard.role == "tool"
            after = Stretch(found.last + 1, min(found.last + 1 + _ORIGIN_WORDS, other.last))
            if short and after.first < after.last and (kind := _origin(said, after, topic)):
                return kind
    return None


def _record(heard: Heard, topic: Collection[str]) -> Teller:
    """Whether a tool's turn is a record or a passage of a document."""
    said = heard.said
    if set(said.wording.talk.shelves).intersection(words(heard.name)):
        return "document"
    if any(mark in said.text for mark in "{}"):
        return "tool"
    titles = [sentence for sentence in said.sentences[:1] if sentence]
    titles += [clause for clause in said.clauses if clause.first and "(" in said.gap(clause.first - 1)]
    named = {word for title in titles for word in said.slice(title)}
    return "document" if any(_is_one(said, word, said.wording.talk.documents, topic) for word in named) else "tool"
