"""How a value stands in what is said: as what holds, as what held, or as what does not hold."""

from __future__ import annotations

from typing import Literal

from suitegen.reading.passages import Passage, Stretch
from suitegen.reading.sentences import is_cause
from suitegen.reading.spans import Span

Stance = Literal["plain", "now", "was", "past", "denied"]
"""``was`` is a weak past: it counts only beside a value that holds."""

_NEAR = 3
_REACH = 6
_SHORT = 2


def stance(said: Passage, sentence: Stretch, span: Span, others: tuple[Span, ...] = ()) -> Stance:
    """The stance of a value.

    Args:
        said: the text.
        sentence: its sentence with the value.
        span: the value.
        others: other values in the text; a cue beyond one of them belongs to that one.
    """
    before, after = _before(said, sentence, span, others), _after(said, span, others)
    if (
        _was(said, before)
        or (said.has("memories", sentence) and not said.has("present", sentence))
        or said.has("past_after", _head(after, _REACH))
    ):
        return "past"
    if said.has("leaving", _tail(before, 2)) and _arrives(said, sentence, span):
        return "past"
    if said.has("reversals", _tail(before, _NEAR)):
        return "denied"
    if said.has("tense_before", _tail(before, _NEAR)) and not _moved_to(said, before, span):
        return "was"
    return "now" if said.has("present", before) or said.has("present", after) else "plain"


def _was(said: Passage, before: Stretch) -> bool:
    """Whether a sign of the past stands before a value: a phrase anywhere in its clause, a single word close to it."""
    near = before.last - _REACH
    return any(found.last > found.first or found.first >= near for found in said.find("past_before", before))


def _before(said: Passage, sentence: Stretch, span: Span, others: tuple[Span, ...]) -> Stretch:
    first = max(said.clause(span.first).first, sentence.first)
    if first == span.first > sentence.first and said.gap(first - 1).strip() == ",":
        lead = said.clause(first - 1)
        first = first if is_cause(said, lead) else lead.first
    first = max([first, *(other.last for other in others if other.last <= span.first)])
    return Stretch(min(first, span.first), span.first)


def _after(said: Passage, span: Span, others: tuple[Span, ...]) -> Stretch:
    last = said.clause(span.last - 1).last
    if last == span.last < len(said.words) and said.gap(last - 1) == " ":
        following = said.clause(last)
        last = following.last if following.last - following.first <= _SHORT else last
    last = min([last, *(other.first for other in others if other.first >= span.last)])
    return Stretch(span.last, max(last, span.last))


def _tail(stretch: Stretch, size: int) -> Stretch:
    return Stretch(max(stretch.first, stretch.last - size), stretch.last)


def _moved_to(said: Passage, before: Stretch, span: Span) -> bool:
    """Whether a word of change leads to the value, whatever its tense: was changed to B."""
    arrivals = said.wording.talk.arrivals
    arrives = said.words[span.first] in arrivals or (
        before.first < before.last and said.words[before.last - 1] in arrivals
    )
    return arrives and said.has("change_cues", _tail(before, _NEAR))


def _head(stretch: Stretch, size: int) -> Stretch:
    return Stretch(stretch.first, min(stretch.last, stretch.first + size))


def _arrives(said: Passage, sentence: Stretch, span: Span) -> bool:
    """Whether 'to' follows a value that was left: from A to B."""
    return bool(
        set(said.wording.talk.arrivals).intersection(said.words[span.last : min(span.last + _REACH, sentence.last)])
    )
