"""Chat completions in OpenAI's wire format, through its SDK: OpenAI itself, vLLM, llama.cpp, Ollama, LiteLLM."""

from __future__ import annotations

import json
from typing import Any

from suitegen.llm.limits import Limits
from suitegen.llm.names import Endpoint, ModelName
from suitegen.llm.protocol import ChatRequest, Finish, Reply, Usage
from suitegen.llm.sdk import SdkChat, Wire, connected, count, missing, strict, whole

_CUT = frozenset({"length", "max_tokens"})
_FILTERED = frozenset({"content_filter", "prohibited_content", "safety", "recitation", "blocklist", "spii"})


def connect(model: ModelName, endpoint: Endpoint, limits: Limits) -> SdkChat:
    """A chat with the model; nothing is sent yet.

    Raises:
        ModelError: the SDK is not installed.
    """
    return _spoken(Wire("/chat/completions", body, read), model, endpoint, limits)


def embedder(model: ModelName, endpoint: Endpoint, limits: Limits) -> SdkChat:
    """A model that gives vectors: one for each message of a request, as a JSON array of arrays in the reply's text.

    Raises:
        ModelError: the SDK is not installed.
    """
    return _spoken(Wire("/embeddings", texts, vectors), model, endpoint, limits)


def _spoken(wire: Wire, model: ModelName, endpoint: Endpoint, limits: Limits) -> SdkChat:
    try:
        import openai
    except ImportError:
        raise missing("openai") from None
    return SdkChat(openai, connected(openai, "AsyncOpenAI", endpoint, limits), wire, model, endpoint)


def texts(request: ChatRequest, _native: bool) -> dict[str, Any]:
    """The messages of a request as texts to be embedded; there is no schema to send."""
    # An empty text is refused, for all texts of the request.
    contents = [message.content if message.content.strip() else "-" for message in request.messages]
    return whole({"model": request.model.name, "input": contents, "encoding_format": "float"}, request)


def vectors(data: dict[str, Any]) -> Reply:
    """The vectors in the order of the texts; a reply that lacks some has no text."""
    rows = data.get("data")
    found = {
        row["index"]: row["embedding"]
        for row in (rows if isinstance(rows, list) else ())
        if isinstance(row, dict) and isinstance(row.get("index"), int) and isinstance(row.get("embedding"), list)
    }
    ordered = [found[index] for index in sorted(found)]
    complete = bool(ordered) and sorted(found) == list(range(len(found)))
    return Reply(
        json.dumps(ordered) if complete else "", "complete" if complete else "empty",
        usage=_usage({**usage, "completion_tokens": 0} if isinstance(usage := data.get("usage"), dict) else None),
        served=_text(data.get("model")),
    )  # fmt: skip


def body(request: ChatRequest, native: bool) -> dict[str, Any]:
    """The request as it is sent; ``native``: its schema goes into ``response_format``."""
    parameters = request.parameters
    schema = json.loads(request.schema) if request.schema and native else None
    shape = {"name": "answer", "strict": strict(schema), "schema": schema}
    return whole({
        "model": request.model.name,
        "messages": [{"role": message.role, "content": message.content} for message in request.messages],
        "temperature": parameters.temperature,
        "max_tokens": parameters.max_tokens,
        "max_completion_tokens": parameters.max_completion_tokens,
        "response_format": {"type": "json_schema", "json_schema": shape} if schema is not None else None,
    }, request)  # fmt: skip


def read(data: dict[str, Any]) -> Reply:
    """The reply in a completion, whatever of it is missing."""
    choices = data.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices and isinstance(choices[0], dict) else {}
    said = choice.get("message")
    message = said if isinstance(said, dict) else {}
    text, refusal = _text(message.get("content")), _text(message.get("refusal"))
    reason = str(choice.get("finish_reason") or "")
    finish = _finish(reason, text, refusal)
    usable = finish in ("complete", "cut")
    return Reply(
        text if usable else "", finish, reason,
        refusal=refusal or ("" if usable else text), usage=_usage(data.get("usage")),
        served=str(data.get("model") or ""),
    )  # fmt: skip


def _text(content: object) -> str:
    """Text that came as one string, or in parts."""
    if isinstance(content, list):
        return "".join(_text(part.get("text")) for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _finish(reason: str, text: str, refusal: str) -> Finish:
    if refusal:
        return "refused"
    if reason.lower() in _FILTERED:
        return "filtered"
    if reason.lower() in _CUT:
        return "cut"
    return "complete" if text.strip() else "empty"


def _usage(data: object) -> Usage:
    if not isinstance(data, dict):
        return Usage()
    details = data.get("prompt_tokens_details")
    cached = count(details.get("cached_tokens")) if isinstance(details, dict) else None
    return Usage(count(data.get("prompt_tokens")), count(data.get("completion_tokens")), cache_read=cached or 0)
