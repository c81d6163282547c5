"""Values without a form of their own: the words of a statement that are not in the question's frame.

A run of words counts only where it stands as a value does: tied to a word of the target
by a verb of being (``my diet is vegan``), by a mark (``diet: vegan``), by standing right
before it (``on a vegan diet``), or after a subject with nothing but small words and words
of the target between (``I commute by tram``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from suitegen.reading.aim import Aim
from suitegen.reading.passages import Passage, Stretch
from suitegen.reading.sentences import told
from suitegen.reading.spans import Span
from suitegen.reading.voices import Heard

_KEY = re.compile(r"[\"']\s*:")
"""What follows the key of a record."""
_LONGEST = 4
"""Words that can make a value."""
_MARK_REACH = 3
_NAME_REACH = 4
_WIDEST = 3
_LEAD = 2


def phrase_spans(aim: Aim, heard: Heard, sentence: Stretch) -> list[Span]:
    """The runs of words of a sentence that stand as a value.

    A span is sure where it is tied to a word of the target; without, it can be a value
    only because of what else is said.
    """
    found: list[Span] = []
    for clause in heard.said.clauses:
        if sentence.first <= clause.first and clause.last <= sentence.last:
            found.extend(_of_clause(aim, heard, clause, sentence))
    return found


def stated_plainly(aim: Aim, heard: Heard, sentence: Stretch) -> bool:
    """Whether some run of a sentence is tied to a word of the target by a verb of being, a mark, or by touching it."""
    said = heard.said
    for clause in said.clauses:
        if not (sentence.first <= clause.first and clause.last <= sentence.last):
            continue
        topics = [at for at in range(clause.first, clause.last) if said.stems[at] in aim.topic]
        for first, last in _runs(aim, said, clause):
            touches = last in topics and said.gap(last - 1) == " " and last - first == 1
            if touches or _by_verb(said, topics, first, last) or _by_mark(aim, said, first, sentence):
                return True
    return False


def _of_clause(aim: Aim, heard: Heard, clause: Stretch, sentence: Stretch) -> Iterator[Span]:
    said = heard.said
    topics = [at for at in range(clause.first, clause.last) if said.stems[at] in aim.topic]
    for first, last in _runs(aim, said, clause):
        subject = _subject(aim, heard, clause, first)
        tied = _by_verb(said, topics, first, last) or _by_mark(aim, said, first, sentence)
        tied = tied or (subject is not None and _verbal(aim, said, clause, subject, first, last))
        tied = tied or (_moves(said, sentence) and _beside(aim, said, clause, first, last))
        tied = tied or (bool(aim.named.intersection(said.stems[first:last])) and _alone(aim, said, clause, first, last))
        if tied or subject is not None:
            yield Span("phrase", *_widened(aim, said, first, last, clause), said.stems[first:last], tied)


def _runs(aim: Aim, said: Passage, clause: Stretch) -> list[tuple[int, int]]:
    """First and last (exclusive) of each run of words that are the statement's own."""
    cues = [found for name in ("change_cues", "hedges", "reports", "restores") for found in said.find(name, clause)]
    barred = {at for found in cues for at in range(found.first, found.last + 1)}
    runs: list[list[int]] = []
    for at in range(clause.first, clause.last):
        if at in barred or not _own(aim, said, at) or at in said.people:
            continue
        if runs and at == runs[-1][-1] + 1 and said.gap(at - 1) in (" ", "-", "'", "’", "/"):
            runs[-1].append(at)
        else:
            runs.append([at])
    return [(run[0], run[-1] + 1) for run in runs if len(run) <= _LONGEST and not _KEY.match(said.gap(run[-1]))]


def _own(aim: Aim, said: Passage, at: int) -> bool:
    word = said.words[at]
    plain = said.wording.topical(word) and word not in said.wording.plain
    return plain and said.stems[at] not in aim.topic and word not in said.wording.light and len(word) > 1


def _by_verb(said: Passage, topics: list[int], first: int, last: int) -> bool:
    """Whether a verb of being, with small words, is all that stands between a word of the target and the run."""
    copulas, pronouns = said.wording.talk.copulas, said.wording.talk.pronouns
    for at in topics:
        between = range(at + 1, first) if at < first else range(last, at)
        words = [said.words[step] for step in between if step not in said.people]
        if at > first and set(pronouns).intersection(words):
            continue
        if any(word in copulas for word in words) and not any(_says(said, word) for word in words):
            return True
    return False


def _says(said: Passage, word: str) -> bool:
    return said.wording.topical(word) and word not in said.wording.light


def _by_mark(aim: Aim, said: Passage, first: int, sentence: Stretch) -> bool:
    """Whether only a mark, as in a record, stands between a word of the target and the run."""
    marks = said.text[said.ends[first - 1] : said.starts[first]] if first else ""
    near = said.stems[max(sentence.first, first - _MARK_REACH) : first]
    return any(mark in marks for mark in ":=|") and bool(aim.topic.intersection(near))


def _subject(aim: Aim, heard: Heard, clause: Stretch, first: int) -> int | None:
    """The subject before the run in its clause, where only small words and words of the target follow it."""
    said, talk = heard.said, heard.said.wording.talk
    subjects = {*talk.others, *(talk.addressees if heard.role == "assistant" else talk.self_subjects)}
    for at in range(first - 1, clause.first - 1, -1):
        if said.words[at] in subjects or at in said.people:
            return at
        named = said.capital(at) and not said.opens(at) and at < clause.first + _NAME_REACH
        if named and said.wording.topical(said.words[at]):
            return at
        if _own(aim, said, at):
            return None
    return None


def _verbal(aim: Aim, said: Passage, clause: Stretch, subject: int, first: int, last: int) -> bool:
    """Whether a word of the target stands between subject and run, right after the run, or right before the subject."""
    behind = last < clause.last and said.stems[last] in aim.topic and said.gap(last - 1) == " "
    around = said.stems[max(clause.first, subject - _LEAD) : first]
    return behind or bool(aim.topic.intersection(around))


def _moves(said: Passage, sentence: Stretch) -> bool:
    """Whether a sentence tells of a change, an idea or hearsay, so that less of it needs to say what the value is."""
    return any(said.has(name, sentence) for name in ("change_cues", "hedges", "wishes", "hearsay", "reports"))


def _beside(aim: Aim, said: Passage, clause: Stretch, first: int, last: int) -> bool:
    """Whether a word of the target stands beside the run, with a few small words between."""
    for step, bound in ((-1, clause.first - 1), (1, clause.last)):
        at = first - 1 if step < 0 else last
        while at != bound and abs(at - (first if step < 0 else last - 1)) <= _WIDEST:
            if said.stems[at] in aim.topic:
                return True
            if _says(said, said.words[at]):
                break
            at += step
    return False


def _alone(aim: Aim, said: Passage, clause: Stretch, first: int, last: int) -> bool:
    """Whether the run is nearly all that the clause says, or the clause names the target."""
    begin = told(said, clause, first).first
    others = [at for at in range(begin, clause.last) if not first <= at < last and _own(aim, said, at)]
    named = aim.topic.intersection(said.stems[clause.first : clause.last])
    return bool(named) or len([at for at in others if at not in said.people]) <= 1


def _widened(aim: Aim, said: Passage, first: int, last: int, clause: Stretch) -> tuple[int, int]:
    """The run with words of the target that touch it, and the few small words before it."""
    talk = said.wording.talk
    bounds = {*talk.copulas, *talk.selves, *talk.subjects, *talk.addressees, *talk.others}
    cues = {at for found in said.find("past_before", clause) for at in range(found.first, found.last + 1)}
    while last < clause.last and said.stems[last] in aim.topic and said.gap(last - 1) in (" ", "-"):
        last += 1
    start = first
    while first > max(clause.first, start - _WIDEST) and said.gap(first - 1) == " ":
        word = said.words[first - 1]
        clipped = first > 1 and said.gap(first - 2) in ("'", "’")
        if said.wording.topical(word) or word in bounds or clipped or first - 1 in cues:
            break
        first -= 1
    return first, last
