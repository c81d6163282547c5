"""Values without a form of their own: the words of a statement that are not in the question's frame."""

from __future__ import annotations

from suitegen.reading.aim import Aim
from suitegen.reading.passages import Passage, Stretch
from suitegen.reading.spans import Span

_LONGEST = 4
"""Words that can make a value."""


def phrase_spans(aim: Aim, said: Passage, sentence: Stretch) -> list[Span]:
    """The runs of words in a sentence that can be the value of a plain phrase."""
    found = []
    for clause in said.clauses:
        if clause.first < sentence.first or clause.last > sentence.last:
            continue
        if not aim.topic.intersection(said.stems[clause.first : clause.last]):
            continue
        found.extend(_runs(aim, said, clause))
    return found


def _runs(aim: Aim, said: Passage, clause: Stretch) -> list[Span]:
    own = [at for at in range(clause.first, clause.last) if _own(aim, said, at, clause)]
    runs: list[list[int]] = []
    for at in own:
        if runs and at - runs[-1][-1] <= 1:
            runs[-1].append(at)
        else:
            runs.append([at])
    return [
        Span("phrase", *_widened(aim, said, run[0], run[-1] + 1, clause), tuple(said.stems[at] for at in run), False)
        for run in runs
        if len(run) <= _LONGEST
    ]


def _own(aim: Aim, said: Passage, at: int, clause: Stretch) -> bool:
    word = said.words[at]
    if not said.wording.topical(word) or word in said.wording.frame:
        return False
    if said.stems[at] in aim.topic or said.stems[at] in said.wording.light:
        return False
    cues = [*said.find("change_cues", clause), *said.find("hedges", clause), *said.find("reports", clause)]
    return not any(found.first <= at <= found.last for found in cues)


def _widened(aim: Aim, said: Passage, first: int, last: int, clause: Stretch) -> tuple[int, int]:
    """The run with words of the target that touch it, and the small words before it."""
    while last < clause.last and said.stems[last] in aim.topic and said.gap(last - 1) in (" ", "-"):
        last += 1
    while first > clause.first and not said.wording.topical(said.words[first - 1]) and said.gap(first - 1) == " ":
        first -= 1
    return first, last
