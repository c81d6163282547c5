"""What a sentence does by its form alone: ask, turn down, change; and what else a turn says."""

from __future__ import annotations

from suitegen.reading.passages import Passage, Stretch

_REQUEST_REACH = 4
_QUESTION_REACH = 2


def only_asks(said: Passage, sentence: Stretch) -> bool:
    """Whether a sentence is a question that states nothing."""
    if not said.asks(sentence):
        return False
    opening = said.clause(sentence.first)
    if said.has("requests", _head(opening, _REQUEST_REACH)):
        return False
    last = said.clause(sentence.last - 1)
    if last.first > sentence.first and (said.has("tags", last) or _opens_question(said, last)):
        return False
    return _opens_question(said, opening) or last.first == sentence.first


def turns_down(said: Passage, sentence: Stretch) -> bool:
    """Whether a sentence turns something down; single words of it, such as old, do not suffice."""
    if said.has("dismissals", sentence) or said.has("outdated", sentence):
        return True
    return any(found.last > found.first for found in said.find("rejections", sentence))


def changes(said: Passage, sentence: Stretch) -> bool:
    """Whether a word of change stands in a sentence, but for one that only dates a record."""
    lasts = said.wording.talk.lasts
    dating = {found.first for found in said.find("effective", sentence)}
    cues = [found for found in said.find("change_cues", sentence) if found.first not in dating]
    return any(not found.first or said.words[found.first - 1] not in lasts for found in cues)


def rest_of(said: Passage, without: Stretch | None) -> str:
    """The clauses of a turn but one, where they say something."""
    clauses = (clause for clause in said.clauses if clause != without)
    return "; ".join(said.cut(clause) for clause in clauses if any(map(said.wording.topical, said.slice(clause))))


def told(said: Passage, stretch: Stretch, at: int) -> Stretch:
    """The part of a stretch that is told of a word: what follows the last 'that' before it."""
    words = said.wording.talk.complementizers
    that = [spot for spot in range(stretch.first, at) if said.words[spot] in words]
    return Stretch(that[-1] + 1, stretch.last) if that and that[-1] + 1 < stretch.last else stretch


def _opens_question(said: Passage, clause: Stretch) -> bool:
    return said.has("questions", _head(clause, _QUESTION_REACH))


def _head(stretch: Stretch, size: int) -> Stretch:
    return Stretch(stretch.first, min(stretch.first + size, stretch.last))
