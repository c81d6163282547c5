"""Structured answers: ask, read the reply as JSON that fits the schema, and say what came of it as a value."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from pydantic import JsonValue

from suitegen.errors import CallError
from suitegen.llm.protocol import Chat, ChatRequest, Reply, trouble
from suitegen.llm.reading import Unreadable, read

Outcome = Literal["answered", "cut", "refused", "filtered", "empty", "malformed", "failed"]
"""What came of a request; ``malformed``: the reply holds no answer that fits; ``failed``: there was no reply."""

_RAISES = (2, 4)
"""How many times the limit of a cut reply is asked for again, before it is given up."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of asking. ``value`` fits the schema when the outcome is ``answered``, and is None otherwise."""

    outcome: Outcome
    value: JsonValue = None
    trouble: str = ""
    """Why there is no value, in words for people and for the model."""
    repairs: tuple[str, ...] = ()
    """What had to be done to the text; nothing, for a strict answer."""
    asked: tuple[ChatRequest, ...] = ()
    """The requests that were made: more than one if a reply was cut and the limit could be raised."""
    reply: Reply | None = None
    """The last reply, as it came."""


async def answer(chat: Chat, request: ChatRequest) -> Answer:
    """Ask for an answer that fits the request's schema.

    A cut reply is asked for again with a higher limit, twice at most; if no limit is set there is none to raise.
    Whatever concerns this request alone comes back as a value.

    Raises:
        ModelError: the model cannot be asked at all.
        BudgetError: a call would pass the budget.
    """
    asked: tuple[ChatRequest, ...] = ()
    found = Answer("failed")
    for factor in (1, *(_RAISES if request.parameters.limit else ())):
        parameters = request.parameters.raised(factor) if factor > 1 else request.parameters
        asked = (*asked, replace(request, parameters=parameters))
        found = await _once(chat, asked[-1])
        if found.outcome != "cut":
            break
    return replace(found, asked=asked)


async def _once(chat: Chat, request: ChatRequest) -> Answer:
    try:
        reply = await chat.ask(request)
    except CallError as error:
        return Answer("failed", trouble=str(error))
    if reply.finish != "complete":
        return Answer(reply.finish, trouble=trouble(request, reply), reply=reply)
    try:
        found = read(reply.text, request.schema or "{}")
    except Unreadable as error:
        return Answer("malformed", trouble=str(error), reply=reply)
    return Answer("answered", found.value, repairs=found.repairs, reply=reply)
