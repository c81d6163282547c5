"""A model's answer as a session: its shape, its turns, and the spans of what it says it states."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from suitegen.model.finding import Finding
from suitegen.model.history import Span, Turn, Written
from suitegen.values.normal import fold, trace
from suitegen.writing.brief import Brief, Item

UNUSABLE, UNQUOTED = "W501", "W502"
CODES: Mapping[str, str] = {
    UNUSABLE: "W501 reply (writer)\n\nA model's reply that is no session: cut, refused, withheld, empty, not in the "
    "form that was asked for, or none at all.\n\nThe session is asked for again, and the tries are bounded.",
    UNQUOTED: "W502 quote (writer)\n\nA passage by which a model claims to state something, and which stands in none "
    "of its turns.\n\nWhy: evidence is a verbatim span of the text; what cannot be found was not said.",
}
"""What the findings of writers mean, by code."""
_SHOWN = 200
"""Characters of a quote that are shown."""


def schema(brief: Brief) -> str:
    """The JSON Schema of the answer: exchanges in order, and a quote for every statement."""
    said = {"type": "string"}
    tool = {"tool": said} if brief.tools else {}
    exchange = _object({"user": said, **tool, "assistant": said})
    exchanges = {"type": "array", "items": exchange, "minItems": brief.shortest, "maxItems": brief.longest}
    quotes = _object({item.name: said for item in brief.items})
    return json.dumps(_object({"exchanges": exchanges, "evidence": quotes}))


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object", "properties": properties, "required": list(properties), "additionalProperties": False,
    }  # fmt: skip


def session(answer: Any, brief: Brief, origin: str, license: str) -> tuple[Written, tuple[Finding, ...]]:
    """The session in an answer that fits the schema, and a finding for every quote that it does not hold.

    Args:
        answer: the answer.
        brief: what was asked for.
        origin: who wrote it.
        license: the licence of what is written.
    """
    turns = _turns(answer["exchanges"])
    spans: list[Span] = []
    findings: list[Finding] = []
    for item in brief.items:
        quote = answer["evidence"][item.name]
        span = _span(item, quote, turns)
        if span is None:
            findings.append(_unquoted(item, quote))
        else:
            spans.append(span)
    named = tuple(_with_tool(turn, index, spans, brief) for index, turn in enumerate(turns))
    return Written(turns=named, spans=tuple(spans), origin=origin, license=license), tuple(findings)


def _turns(exchanges: Sequence[Mapping[str, str]]) -> tuple[Turn, ...]:
    """The turns in order; who says nothing has no turn: no tool was called, or one was after the assistant spoke."""
    return tuple(
        Turn(role=role, content=content)
        for exchange in exchanges
        for role in ("user", "tool", "assistant")
        if (content := exchange.get(role, "").strip())
    )


def _with_tool(turn: Turn, index: int, spans: Sequence[Span], brief: Brief) -> Turn:
    """A tool's turn with its name: that of what it says, else of the first tool that says something."""
    if turn.role != "tool":
        return turn
    said = {span.event for span in spans if span.turn == index}
    tools = [item for item in brief.items if item.tool]
    own = [item for item in tools if item.event in said]
    return turn.model_copy(update={"name": (own or tools)[0].tool})


def _span(item: Item, quote: str, turns: Sequence[Turn]) -> Span | None:
    """Where the quote stands: in a turn of whoever is to say it, else in any; None where it stands nowhere."""
    found = list(_places(item, quote, turns))
    own = (span for span in found if turns[span.turn].role == item.speaker)
    return next(own, found[0] if found else None)


def _places(item: Item, quote: str, turns: Sequence[Turn]) -> Iterator[Span]:
    """Where the quote stands, whatever marks and case it is copied with; the span is the turn's own text."""
    wanted = fold(quote.strip())
    if not wanted:
        return
    for index, turn in enumerate(turns):
        content = trace(turn.content)
        at = content.text.find(wanted)
        if at >= 0:
            start, end = content.starts[at], content.ends[at + len(wanted) - 1]
            yield Span(event=item.event, turn=index, start=start, end=end)


def _unquoted(item: Item, quote: str) -> Finding:
    shown = quote.strip()[:_SHOWN]
    said = f"the quote {shown!r} for {item.name}" if shown else f"the quote for {item.name}, which is empty,"
    return Finding(
        code=UNQUOTED,
        message=f"{said} stands in no turn",
        feedback=f"{said} stands in no turn: let the {item.speaker} make the statement in a turn, "
        "and copy that passage without changing a character",
    )


def unusable(why: str) -> Finding:
    """The finding that a reply is no session."""
    return Finding(code=UNUSABLE, message=why, feedback=why)
