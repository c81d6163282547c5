"""Rules on what a session has to say: each facet of each event, as firmly as the event is."""

from __future__ import annotations

from collections.abc import Iterator

from suitegen.latent.draw import facts_of
from suitegen.model.finding import Finding
from suitegen.model.history import Span
from suitegen.model.latent import Event
from suitegen.validation.protocol import Options, Outcome, SessionText
from suitegen.validation.quotes import content_of, found_in, quotes
from suitegen.values.kinds import readings
from suitegen.values.tables import table
from suitegen.values.tables.talk import talk
from suitegen.values.tokens import contains_phrase, scan, words

SELF = "user"
CHANGES = ("update", "restore", "correct")


def check_facets(text: SessionText, options: Options) -> Outcome:
    """Each facet that an event says is in its quote."""
    found: list[Finding] = []
    for event, span, quote in quotes(text):
        for facet, wanted in _missing(text, event, span, quote):
            message = f"{event.id} does not state its {facet}"
            found.append(found_in("S103", message, f"state the {facet}: {wanted}", span=span))
    return Outcome(tuple(found))


def _missing(text: SessionText, event: Event, span: Span, quote: str) -> Iterator[tuple[str, str]]:
    for facet, value in (("value", event.value), ("old", event.old)):
        if event.states(facet) and value is not None and value not in _said(text, event, span):  # type: ignore[arg-type]
            yield facet, value
    for facet, why in (("trigger", event.trigger), ("reason", event.reason)):
        if event.states(facet) and why is not None and not _told(text, event, quote, facet):  # type: ignore[arg-type]
            yield facet, why
    if event.states("source") and not _attributes(text, event, quote):
        yield "source", event.origin or event.source
    if event.states("date") and not readings("date", scan(quote), text.spec.language):
        yield "date", "as of which day"
    if event.states("rejection") and not _rejects(text, quote):
        yield "rejection", "that the other value is not right"
    if event.states("act"):
        yield from _missing_act(text, event, quote)


def _missing_act(text: SessionText, event: Event, quote: str) -> Iterator[tuple[str, str]]:
    """What the act lacks: that it is newly so, the attribute it is about, or whose it is."""
    speech = table(text.spec.language)
    member = text.spec.member(event.target)
    cues = (*speech.change_cues, *speech.rejections)
    newly = event.op in CHANGES and not event.states("trigger") and event.speaker != "tool"
    if newly and not contains_phrase(quote, cues):
        yield "act", "that it is newly so"
    if text.spec.by_value(event):
        return
    if not _names_attribute(text, event):
        yield "act", f"what it is about ({member.attribute})"
    if member.entity != SELF and not _names(text, member.entity):
        yield "act", f"whose it is ({member.entity})"


def _said(text: SessionText, event: Event, span: Span) -> set[str]:
    """Values that stand inside the event's span.

    A confusable attribute has the values of its fact type, and may have units of its own: there the
    value's words suffice. So they do where the target goes by its value, and no cue can stand beside it.
    """
    content = text.written.turns[span.turn].content
    member = text.spec.member(event.target)
    cued = member.confusable is None and not text.spec.by_value(event)
    mentions = text.kit.lexicon.of(member).mentions(content, cued=cued)
    found = {m.value for m in mentions if span.start <= m.start and m.end <= span.end}
    if member.confusable is not None and event.value is not None:
        spellings = text.kit.lexicon.spellings(member.fact_type, event.value)
        found |= {event.value} if contains_phrase(content[span.start : span.end], spellings) else set()
    return found


def _told(text: SessionText, event: Event, quote: str, facet: str) -> bool:
    return contains_phrase(quote, _keys(text, event, facet)) is not None


def _keys(text: SessionText, event: Event, facet: str) -> tuple[str, ...]:
    """Phrases of which each tells the trigger or the reason."""
    facts = facts_of(text.kit.catalog.fact_types[text.spec.member(event.target).fact_type])
    return (facts.triggers if facet == "trigger" else facts.reasons).get(event.change_id or "", ())


def _attributes(text: SessionText, event: Event, quote: str) -> bool:
    """Whether the quote says who told it: the named origin, or else anybody."""
    if event.origin:
        return contains_phrase(quote, (event.origin,)) is not None or _holds_words(quote, text, event.origin)
    speech, spoken = table(text.spec.language), talk(text.spec.language)
    named = (*spoken.reports, *spoken.hearsay, *spoken.reporters, *spoken.documents, *speech.other_person_cues)
    return contains_phrase(quote, named) is not None


def _rejects(text: SessionText, quote: str) -> bool:
    """Whether the quote turns something down and takes nothing over."""
    return contains_phrase(quote, table(text.spec.language).rejections) is not None


def _names_attribute(text: SessionText, event: Event) -> bool:
    """Whether the session names the attribute, by its cues or its words."""
    member = text.spec.member(event.target)
    cues = text.kit.catalog.fact_types[member.fact_type].cues if member.confusable is None else ()
    return contains_phrase(content_of(text), (*cues, member.attribute, *_telling(text, member.attribute))) is not None


def _names(text: SessionText, entity: str) -> bool:
    """Whether the session names an entity: every word of its name, in whatever order and voice."""
    return _holds_words(content_of(text), text, entity)


def _holds_words(content: str, text: SessionText, name: str) -> bool:
    return set(_telling(text, name)) <= set(words(content))


def _telling(text: SessionText, name: str) -> tuple[str, ...]:
    """The words of a name that are no function words; all of them if there are no others."""
    idle = frozenset(table(text.spec.language).function_words)
    return tuple(word for word in words(name) if word not in idle) or words(name)


def check_weak(text: SessionText, options: Options) -> Outcome:
    """Weak evidence is hedged or passed on as hearsay, and the user takes over nothing that is only claimed."""
    found = []
    for event, span, quote in quotes(text):
        if event.strength == "weak" and event.states("value") and not _is_hedged(text, event, quote):
            found.append(found_in("S105", f"{event.id} sounds certain", "say it as a guess or as hearsay", span=span))
        if event.op == "challenge":
            for turn, word in _takeovers(text, span):
                message = f"{word!r} takes over what {event.id} claims"
                found.append(found_in("S105", message, "let the user neither confirm nor adopt it", turn))
    return Outcome(tuple(found))


def _is_hedged(text: SessionText, event: Event, quote: str) -> bool:
    speech, spoken = table(text.spec.language), talk(text.spec.language)
    hedges = (*speech.hedges, *spoken.guesses, *spoken.wishes, *spoken.hearsay)
    if contains_phrase(quote, hedges):
        return True
    return event.source != event.speaker and _attributes(text, event, quote)


def _takeovers(text: SessionText, claimed: Span) -> Iterator[tuple[int, str]]:
    """User turns from a claim on that confirm it, outside of what events say."""
    for index, turn in enumerate(text.written.turns):
        if turn.role == "user" and index >= claimed.turn:
            word = contains_phrase(_unquoted(text, index), table(text.spec.language).takeovers)
            if word:
                yield index, word


def _unquoted(text: SessionText, index: int) -> str:
    """A turn without the quotes in it."""
    content = text.written.turns[index].content
    spans = [span for _, span, _ in quotes(text) if span.turn == index]
    for span in sorted(spans, key=lambda span: -span.start):
        content = f"{content[: span.start]}\n{content[span.end :]}"
    return content
