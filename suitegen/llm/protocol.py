"""What is asked of a chat model and what comes back, as values."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Annotated, Literal, Protocol

from pydantic import BeforeValidator, Field, JsonValue, model_validator

from suitegen.llm.names import ModelName
from suitegen.model.base import Noun, Positive

CHARACTERS_PER_TOKEN = 4
"""How tokens are counted where no provider has counted them."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


def _from_text(given: object) -> object:
    return json.loads(given) if isinstance(given, str) else given


class Parameters(Noun):
    """How a model is to answer; what is not given is not sent."""

    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    max_tokens: Positive | None = Field(default=None, description="Most tokens of a reply.")
    max_completion_tokens: Positive | None = Field(
        default=None, description="The same for models that refuse max_tokens."
    )
    extra_body: Annotated[dict[str, JsonValue], BeforeValidator(_from_text)] = Field(
        default_factory=dict, description="More fields of the request, as JSON; a field that is null is not sent."
    )

    @model_validator(mode="after")
    def _one_limit(self) -> Parameters:
        if self.max_tokens and self.max_completion_tokens:
            raise ValueError("give max_tokens or max_completion_tokens, not both")
        return self

    @property
    def limit(self) -> int | None:
        """Most tokens of a reply, whichever field says it."""
        return self.max_tokens or self.max_completion_tokens

    @property
    def limit_name(self) -> str:
        """The field by which the limit is raised."""
        return "max_completion_tokens" if self.max_completion_tokens else "max_tokens"

    def raised(self, factor: int) -> Parameters:
        """The same with so many times the limit; there is one."""
        return self.model_copy(update={self.limit_name: (self.limit or 0) * factor})


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One question to one model.

    ``schema`` is a JSON Schema, as text, that the answer must fit. ``role`` (writer, judge, reader) and ``stage``
    say who asks, for the accounts. ``attempt`` and ``template`` (its name and version) only tell requests apart:
    the same words asked again in a later attempt are another request.
    """

    model: ModelName
    messages: tuple[Message, ...]
    parameters: Parameters = field(default_factory=Parameters)
    schema: str | None = None
    role: str = ""
    stage: str = ""
    attempt: int = 0
    template: str = ""

    @property
    def input_tokens(self) -> int:
        """Roughly how long the request is."""
        size = sum(len(message.content) for message in self.messages) + len(self.schema or "")
        return size // CHARACTERS_PER_TOKEN + 1


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the provider counted them; None where it did not say.

    ``input`` counts all that was read; ``cache_read`` and ``cache_write`` are parts of it.
    """

    input: int | None = None
    output: int | None = None
    cache_read: int = 0
    cache_write: int = 0


Finish = Literal["complete", "cut", "refused", "filtered", "empty"]
"""How a reply ended: whole; at the limit of tokens; refused by the model; withheld by the provider; without a text."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back. ``text`` is never a refusal; thoughts stand in it only where a server leaves them there."""

    text: str
    finish: Finish = "complete"
    reason: str = ""
    """The provider's own word for how it ended."""
    refusal: str = ""
    usage: Usage = Usage()
    served: str = ""
    """The model as the provider names it, often with its version."""


class Chat(Protocol):
    """A model that can be asked, or something that stands before one."""

    async def ask(self, request: ChatRequest) -> Reply:
        """The reply to a request."""
        ...

    async def close(self) -> None:
        """Let go of connections and files."""
        ...


def trouble(request: ChatRequest, reply: Reply) -> str:
    """Why a reply holds no text that can be used, and what to do; empty if it holds one."""
    limit, name = request.parameters.limit, request.parameters.limit_name
    at = f" at {limit} tokens" if limit else ""
    return {
        "complete": "",
        "cut": f"the reply was cut{at}: raise {name}",
        "refused": f"the model refused: {reply.refusal or reply.reason}",
        "filtered": f"the provider withheld the reply ({reply.reason})",
        "empty": f"the reply holds no answer ({reply.reason or 'nothing said'}); if the model thinks, raise {name}",
    }[reply.finish]
