"""What a written session says where: its events, their spans and quotes."""

from __future__ import annotations

from collections.abc import Iterator

from suitegen.model.finding import Finding
from suitegen.model.history import Span, Turn
from suitegen.model.latent import Event
from suitegen.validation.protocol import SessionText


def found_in(code: str, message: str, feedback: str, turn: int | None = None, span: Span | None = None) -> Finding:
    """A finding in a session: in a turn, or exactly where a span is."""
    return Finding(
        code=code, message=message, feedback=feedback, turn=span.turn if span else turn,
        start=span.start if span else None, end=span.end if span else None,
    )  # fmt: skip


def turn_of(text: SessionText, span: Span) -> Turn | None:
    """The turn of a span; None where the session has no such turn."""
    turns = text.written.turns
    return turns[span.turn] if 0 <= span.turn < len(turns) else None


def events_of(text: SessionText) -> tuple[Event, ...]:
    """The events that the session has to say, in order."""
    return text.spec.events_of(text.plan)


def span_of(text: SessionText, event: Event) -> Span | None:
    """Where an event is said; None where nothing names it."""
    return next((span for span in text.written.spans if span.event == event.id), None)


def quotes(text: SessionText) -> Iterator[tuple[Event, Span, str]]:
    """Events with their span and quote; those without a usable span are left to the rule on spans."""
    for event in events_of(text):
        span = span_of(text, event)
        turn = turn_of(text, span) if span else None
        if span is not None and turn is not None and 0 <= span.start < span.end <= len(turn.content):
            yield event, span, turn.content[span.start : span.end]


def content_of(text: SessionText) -> str:
    """All turns, each on lines of its own."""
    return "\n".join(turn.content for turn in text.written.turns)
