"""Rules on what a session must not say: values, triggers, reasons and changes that none of its events states."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from suitegen.model.finding import Finding
from suitegen.model.history import Span, Turn
from suitegen.model.latent import Event
from suitegen.validation.protocol import Options, Outcome, SessionText
from suitegen.validation.quotes import content_of, events_of, found_in, quotes
from suitegen.values.tables import table
from suitegen.values.tokens import contains_phrase
from suitegen.values.vocabulary import Mention

CHANGES = ("update", "restore", "correct")
ACCEPTED = ("remember", "reinforce", "update", "restore", "correct", "reactivate")
PLAIN = ("time", "date")
"""Kinds whose values look like nothing else."""


def check_silence(text: SessionText, options: Options) -> Outcome:
    """No value stands in the session but those its events state, where they state them."""
    spans = list(quotes(text))
    found = []
    for index, turn in enumerate(text.written.turns):
        for mention in _mentions(text, index):
            inside = [e for e, s, _ in spans if s.turn == index and s.start <= mention.start and mention.end <= s.end]
            if any(mention.value in _stated(event) for event in inside):
                continue
            if _is_echo(text, index, turn, mention.value):
                continue
            span = Span(event="", turn=index, start=mention.start, end=mention.end)
            message = f"{mention.value!r} is said where it should not be"
            found.append(found_in("S104", message, f"leave out {mention.value!r}", span=span))
    found.extend(_untold(text))
    return Outcome(tuple(found))


def _stated(event: Event) -> set[str]:
    pairs = (("value", event.value), ("old", event.old))
    return {value for facet, value in pairs if value is not None and event.states(facet)}  # type: ignore[arg-type]


def _mentions(text: SessionText, index: int) -> list[Mention]:
    """Every value of the cast's attributes that a turn names; a confusable's own attribute is no such.

    A quote speaks of the attribute however far away its cue is: there a time or date needs none.
    """
    content = text.written.turns[index].content
    fact_types = dict.fromkeys(member.fact_type for member in text.spec.cast if member.confusable is None)
    found = [mention for name in fact_types for mention in text.kit.lexicon.values_of(name).mentions(content)]
    for event, span, _ in quotes(text):
        member = text.spec.member(event.target)
        vocabulary = text.kit.lexicon.of(member)
        if span.turn == index and member.confusable is None and vocabulary.kind in PLAIN:
            mentions = vocabulary.mentions(content, cued=False)
            found += [mention for mention in mentions if span.start <= mention.start and mention.end <= span.end]
    return list(dict.fromkeys(found))


def _is_echo(text: SessionText, index: int, turn: Turn, value: str) -> bool:
    """The assistant may repeat a value that the user has just stated as holding."""
    if turn.role != "assistant":
        return False
    return any(
        event.op in ACCEPTED and event.strength == "strong" and event.speaker != "assistant" and span.turn < index
        and value in _stated(event)
        for event, span, _ in quotes(text)
    )  # fmt: skip


def _untold(text: SessionText) -> Iterator[Finding]:
    """Triggers, reasons and change words that no event of the session states."""
    content = content_of(text)
    events = events_of(text)
    for event in events:
        for facet, why in (("trigger", event.trigger), ("reason", event.reason)):
            stated = any(e.states(facet) and e.change_id == event.change_id for e in events)  # type: ignore[arg-type]
            if why and not stated and contains_phrase(content, (why,)):
                message = f"the {facet} is said, which {event.id} does not state"
                yield found_in("S104", message, f"leave out the {facet}")
    for event, span, quote in quotes(text):
        cue = _change_word(text, event, quote)
        if cue:
            message, feedback = f"{cue!r} says that something changed", "state the value plainly, as if it always held"
            yield found_in("S104", message, feedback, span=span)


def _change_word(text: SessionText, event: Event, quote: str) -> str | None:
    """A word of change in the quote of an event that says of none: a split's second part, or what simply holds."""
    if event.op != "remember" and (event.op not in CHANGES or event.states("act")):
        return None
    fact_type = text.kit.catalog.fact_types[text.spec.member(event.target).fact_type]
    named = (fact_type.attribute, fact_type.noun, *fact_type.cues, *(value.value for value in fact_type.values))
    return contains_phrase(quote, _change_cues(text.spec.language, "\n".join(named)))


@lru_cache(maxsize=256)
def _change_cues(language: str, named: str) -> tuple[str, ...]:
    """Words of change but those that an attribute and its values are called by."""
    return tuple(cue for cue in table(language).change_cues if not contains_phrase(named, (cue,)))
