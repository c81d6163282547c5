"""Messages in Anthropic's wire format, through its SDK: Anthropic itself, and servers that speak it too."""

from __future__ import annotations

import json
from typing import Any

from suitegen.llm.limits import Limits
from suitegen.llm.names import Endpoint, ModelName
from suitegen.llm.protocol import ChatRequest, Finish, Reply, Usage
from suitegen.llm.sdk import SdkChat, Wire, connected, count, missing, whole

_LIMIT = 8192
"""Most tokens of a reply where no limit is set: the format demands one."""
_FINISH: dict[str, Finish] = {
    "max_tokens": "cut",
    "model_context_window_exceeded": "cut",
    "refusal": "refused",
}


def connect(model: ModelName, endpoint: Endpoint, limits: Limits) -> SdkChat:
    """A chat with the model; nothing is sent yet.

    Raises:
        ModelError: the SDK is not installed.
    """
    try:
        import anthropic
    except ImportError:
        raise missing("anthropic") from None
    client = connected(anthropic, "AsyncAnthropic", endpoint, limits)
    return SdkChat(anthropic, client, Wire("/v1/messages", body, read), model, endpoint)


def body(request: ChatRequest, native: bool) -> dict[str, Any]:
    """The request as it is sent; ``native``: its schema goes into ``output_config``."""
    system = "\n\n".join(message.content for message in request.messages if message.role == "system")
    schema = json.loads(request.schema) if request.schema and native else None
    return whole({
        "model": request.model.name,
        "max_tokens": request.parameters.limit or _LIMIT,
        "system": system or None,
        "messages": [
            {"role": message.role, "content": message.content}
            for message in request.messages
            if message.role != "system"
        ],
        "temperature": request.parameters.temperature,
        "output_config": {"format": {"type": "json_schema", "schema": schema}} if schema is not None else None,
    }, request)  # fmt: skip


def read(data: dict[str, Any]) -> Reply:
    """The reply in a message, whatever of it is missing; thinking is left out."""
    content = data.get("content")
    blocks = [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    text = "".join(str(block.get("text") or "") for block in blocks if block.get("type") == "text")
    reason = str(data.get("stop_reason") or "")
    finish = _FINISH.get(reason, "complete" if text.strip() else "empty")
    refused = finish == "refused"
    return Reply(
        "" if refused else text, finish, reason,
        refusal=text if refused else "", usage=_usage(data.get("usage")), served=str(data.get("model") or ""),
    )  # fmt: skip


def _usage(data: object) -> Usage:
    """The tokens; the format counts what came from or went into its prompt cache apart."""
    if not isinstance(data, dict):
        return Usage()
    read_, written = (count(data.get(f"cache_{way}_input_tokens")) or 0 for way in ("read", "creation"))
    plain = count(data.get("input_tokens"))
    total = None if plain is None else plain + read_ + written
    return Usage(total, count(data.get("output_tokens")), cache_read=read_, cache_write=written)
