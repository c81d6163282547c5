"""A model's answer as a session: its shape, its turns, and the spans of what it says it states."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from suitegen.model.finding import Finding
from suitegen.model.history import Span, Turn, Written
from suitegen.values.normal import fold, trace
from suitegen.values.tokens import tokens, words
from suitegen.writing.brief import Brief, Item

UNUSABLE, UNQUOTED, ECHOED = "W501", "W502", "W503"
CODES: Mapping[str, str] = {
    UNUSABLE: "W501 reply (writer)\n\nA model's reply that is no session: cut, refused, withheld, empty, not in the "
    "form that was asked for, or none at all.\n\nThe session is asked for again, and the tries are bounded.",
    UNQUOTED: "W502 quote (writer)\n\nA passage by which a model claims to state something, and which stands in none "
    "of its turns.\n\nWhy: evidence is a verbatim span of the text; what cannot be found was not said.",
    ECHOED: "W503 echo (writer)\n\nA turn that repeats the words in which a model was told what to write.\n\n"
    "Why: nobody talks like that, and the same words would stand in every session.",
}
"""What the findings of writers mean, by code."""
_TOLD, _OPENING = 6, 8
"""So many words in a row that stand in the task as well are taken from it; more where it quotes how people talk."""
_SHOWN = 200
"""Characters of a quote that are shown."""


def schema(brief: Brief) -> str:
    """The JSON Schema of the answer: exchanges in order, and a quote for every statement."""
    said = {"type": "string"}
    tool = {"tool": said} if brief.tool else {}
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
    """A tool's turn with its name: that of what it says, else of the session's first."""
    if turn.role != "tool":
        return turn
    said = {span.event for span in spans if span.turn == index}
    own = (item.tool for item in brief.items if item.tool and item.event in said)
    return turn.model_copy(update={"name": next(own, brief.tool)})


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


def echoes(turns: Sequence[Turn], system: str, task: str, brief: Brief) -> tuple[Finding, ...]:
    """A finding for every turn that takes its words from the prompt, but for those that it is to take over.

    Args:
        turns: what was written.
        system: what every model is told.
        task: what it was told of this session.
        brief: what it was asked for.
    """
    opening = str(brief.values["opening"])
    given = "|".join(re.escape(text) for text in sorted(brief.given, key=len, reverse=True))
    told = re.sub(rf"(?<!\w)(?:{given})(?!\w)", "\n", task.replace(opening, "\n"))
    known = {run for line in (*system.splitlines(), *told.splitlines()) for run in _runs(line, _TOLD)}
    known |= {run for line in opening.splitlines() for run in _runs(line, _OPENING)}
    return tuple(_echo(index, turn, span) for index, turn in enumerate(turns) if (span := _echoed(turn.content, known)))


def _echo(index: int, turn: Turn, span: tuple[int, int]) -> Finding:
    start, end = span
    return Finding(
        code=ECHOED,
        message=f"it repeats the words of the task: {turn.content[start:end]!r}",
        feedback="this repeats the words of the task: say it as people do, or not at all",
        turn=index,
        start=start,
        end=end,
    )


def _echoed(content: str, known: Collection[tuple[str, ...]]) -> tuple[int, int] | None:
    """The first stretch of a text that known runs of words make."""
    said = words(content)
    runs = [(at, size) for at in range(len(said)) for size in (_TOLD, _OPENING) if said[at : at + size] in known]
    if not runs:
        return None
    found = tokens(content)
    spans = [(found[at].start, found[min(at + size, len(said)) - 1].end) for at, size in runs]
    start, end = spans[0]
    for begin, stop in spans:
        end = max(end, stop) if begin <= end else end
    return start, end


@lru_cache(maxsize=4096)
def _runs(line: str, size: int) -> frozenset[tuple[str, ...]]:
    """All runs of so many words; most lines stand in many prompts."""
    said = words(line)
    return frozenset(said[at : at + size] for at in range(len(said) - size + 1))


def unusable(why: str) -> Finding:
    """The finding that a reply is no session."""
    return Finding(code=UNUSABLE, message=why, feedback=why)
