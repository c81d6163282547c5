"""What a sentence does by its form alone: ask, turn down, change; and what else a turn says."""

from __future__ import annotations

from functools import lru_cache

from suitegen.reading.passages import Passage, Stretch

_REQUEST_REACH = 4
_QUESTION_REACH = 2
_CAUSE_REACH = 3


@lru_cache(maxsize=65536)
def only_asks(said: Passage, sentence: Stretch) -> bool:
    """Whether a sentence is a question that states nothing."""
    opening = said.clause(sentence.first)
    if not said.asks(sentence) and not _inverted(said, opening):
        return False
    if said.has("requests", _head(opening, _REQUEST_REACH)):
        return False
    last = said.clause(sentence.last - 1)
    if _opens_question(said, opening) or not said.asks(sentence):
        return True
    if last.first > sentence.first and (said.has("tags", last) or _opens_question(said, last)):
        return False
    return last.first == sentence.first


def turns_down(said: Passage, sentence: Stretch) -> bool:
    """Whether a sentence turns something down; single words of it, such as old, do not suffice."""
    if said.has("dismissals", sentence):
        return True
    return any(found.last > found.first for found in said.find("rejections", sentence))


def changes(said: Passage, sentence: Stretch) -> bool:
    """Whether a word of change stands in a sentence, but for one that only dates a record."""
    lasts = said.wording.talk.lasts
    dating = {found.first for found in said.find("effective", sentence)}
    cues = [found for found in said.find("change_cues", sentence) if found.first not in dating]
    if said.has("switches", sentence):
        return True
    return any(not found.first or said.words[found.first - 1] not in lasts for found in cues)


def is_cause(said: Passage, clause: Stretch) -> bool:
    """Whether a clause tells why or after what."""
    return said.has("causes", Stretch(clause.first, min(clause.first + _CAUSE_REACH, clause.last)))


def main_part(said: Passage, sentence: Stretch) -> Stretch:
    """A sentence without the clauses at its ends that tell why; all of it where nothing else is left."""
    if not said.has("causes", sentence):
        return sentence
    clauses = [clause for clause in said.clauses if sentence.holds(clause.first)]
    plain = [clause for clause in clauses if not is_cause(said, clause)]
    return Stretch(plain[0].first, plain[-1].last) if plain else sentence


def rest_of(said: Passage, without: Stretch | None) -> str:
    """The clauses of a turn but one, where they say something."""
    clauses = (clause for clause in said.clauses if clause != without)
    return "; ".join(said.cut(clause) for clause in clauses if any(map(said.wording.topical, said.slice(clause))))


def told(said: Passage, stretch: Stretch, at: int) -> Stretch:
    """The part of a stretch that is told of a word: what follows the last 'that' or verb of saying before it."""
    words = said.wording.talk.complementizers
    cuts = [spot for spot in range(stretch.first, at) if said.words[spot] in words]
    cuts += [found.last for found in said.find("reports", Stretch(stretch.first, at))]
    first = max(cuts, default=stretch.first - 1) + 1
    return Stretch(first, stretch.last) if first < stretch.last else stretch


def _inverted(said: Passage, clause: Stretch) -> bool:
    """Whether a clause opens as a question does, its mark left out: how do I."""
    talk = said.wording.talk
    head = said.words[clause.first : clause.first + 3]
    return len(head) == 3 and set(head[:2]) <= set(talk.questions) and head[2] in talk.self_subjects


def _opens_question(said: Passage, clause: Stretch) -> bool:
    return said.has("questions", _head(clause, _QUESTION_REACH))


def _head(stretch: Stretch, size: int) -> Stretch:
    return Stretch(stretch.first, min(stretch.first + size, stretch.last))
