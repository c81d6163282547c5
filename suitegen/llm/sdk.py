"""What the adapters share: a request goes out through a provider's SDK, and what comes back is told apart."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from suitegen.errors import ModelError
from suitegen.llm.faults import Fault, at, of_body, of_response
from suitegen.llm.limits import Limits
from suitegen.llm.names import Endpoint, ModelName
from suitegen.llm.protocol import ChatRequest, Message, Reply

NO_KEY = "none"
"""What an SDK is given where there is no key: it insists on having one."""

Say = Literal["sent", "said", "both"]
"""How a schema goes to the server: in the field for it, in the words of the prompt, or in both."""


@dataclass(frozen=True, slots=True)
class Wire:
    """A wire format: where requests go, how they are put, and how a reply is read."""

    path: str
    body: Callable[[ChatRequest, bool], dict[str, Any]]
    """The request's body; whether the schema goes into the field for it."""
    read: Callable[[dict[str, Any]], Reply]


class SdkChat:
    """A model behind an SDK, which connects and signs; trying again is left to whoever stands before this.

    The schema of a request goes into the field for it; a server that does not know the field is told in the prompt
    from then on, one that does not keep to it in both.

    Args:
        sdk: the SDK's module.
        client: its asynchronous client, which tries each call once.
        wire: the wire format.
        model: the model.
        endpoint: where it is asked.
    """

    def __init__(self, sdk: Any, client: Any, wire: Wire, model: ModelName, endpoint: Endpoint) -> None:
        import httpx2
        from aiohttp import ClientConnectorError, ConnectionTimeoutError

        self._http = httpx2
        self._never_connected = (ClientConnectorError, ConnectionTimeoutError)
        self._sdk = sdk
        self._client = client
        self._wire = wire
        self._model = model
        self._endpoint = endpoint
        self._say: Say = "sent"

    async def ask(self, request: ChatRequest) -> Reply:
        """The reply to a request, from one call.

        Raises:
            Fault: there is none.
        """
        say = self._say if request.schema else "sent"
        put = request if say == "sent" else _told(request)
        text = await self._post(self._wire.body(put, say != "said"), sent=bool(request.schema) and say != "said")
        reply = self._read(text)
        if request.schema and reply.finish == "complete" and not reply.text.lstrip().startswith(("{", "[")):
            self._say = "both" if self._say == "sent" else self._say
        return reply

    async def _post(self, body: dict[str, Any], *, sent: bool) -> str:
        try:
            response = await self._client.post(self._wire.path, cast_to=self._http.Response, body=body)
            return str(response.text)
        except self._sdk.APIStatusError as error:
            answer = error.response
            fault = of_response(answer.status_code, answer.headers, answer.text, self._model, self._endpoint)
        except (self._sdk.APIError, self._http.HTTPError) as error:
            fault = self._broken(error.__cause__ or error)
        if fault.schema and sent:
            self._say = "said"
            fault = Fault("resend", fault.message)
        # Not from the SDK's own error: that may hold what was sent, with the key.
        raise fault

    def _broken(self, error: BaseException) -> Fault:
        who = at(self._model, self._endpoint)
        words = self._endpoint.clean(str(error)) or type(error).__name__
        # The transport calls some broken connections ones that could not be made; the cause knows better.
        cause = error.__cause__
        if isinstance(cause, self._never_connected):
            return Fault("unreachable", f"{who} cannot be reached: {words}")
        if isinstance(cause, TimeoutError):
            return Fault("timeout", f"{who} sent nothing for too long")
        return Fault("again", f"{who} broke off: {words}")

    def _read(self, text: str) -> Reply:
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            shown = self._endpoint.clean(text[:80])
            raise Fault("again", f"{at(self._model, self._endpoint)} did not answer in JSON: {shown!r}") from None
        fault = of_body(data, self._model, self._endpoint)
        if fault:
            raise fault
        return self._wire.read(data)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()


def connected(sdk: Any, client: str, endpoint: Endpoint, limits: Limits) -> Any:
    """An SDK's asynchronous client that tries each call once.

    Args:
        sdk: the SDK's module.
        client: the name of the client's class in it.
        endpoint: where it calls.
        limits: its timeouts; the total one is kept by whoever waits for the reply.

    Raises:
        ModelError: what it needs beside the SDK is not installed.
    """
    try:
        import aiohttp  # noqa: F401
        import httpx2
    except ImportError:
        raise missing(sdk.__name__) from None
    timeout = httpx2.Timeout(limits.total_timeout, connect=limits.connect_timeout)
    # The SDKs' default transport takes twice the time for a call when many are in flight.
    # A redirect is not followed: the key would go where nobody wanted it.
    http = sdk.DefaultAioHttpClient(timeout=timeout, follow_redirects=False)
    return getattr(sdk, client)(
        api_key=endpoint.key or NO_KEY, base_url=endpoint.url, max_retries=0, timeout=timeout, http_client=http
    )


def missing(package: str) -> ModelError:
    """The error for an SDK that is not installed."""
    return ModelError(f"the package {package!r} is not installed", hint=f"pip install '{package}[aiohttp]'")


def _told(request: ChatRequest) -> ChatRequest:
    """The request with its schema in words behind its last message."""
    *before, last = request.messages
    words = (
        f"{last.content}\n\nAnswer with one JSON value and nothing else: no fence, no comment. "
        f"It must fit this JSON Schema:\n{request.schema}"
    )
    return ChatRequest(request.model, (*before, Message(last.role, words)), request.parameters, request.schema)


def strict(schema: object) -> bool:
    """Whether every object in a schema is closed and requires all it names, as strict modes demand."""
    if isinstance(schema, list):
        return all(strict(part) for part in schema)
    if not isinstance(schema, dict):
        return True
    named = schema.get("properties")
    if isinstance(named, dict) and (
        schema.get("additionalProperties") is not False or set(schema.get("required", ())) != set(named)
    ):
        return False
    return all(strict(part) for part in schema.values())


def whole(body: dict[str, Any], request: ChatRequest) -> dict[str, Any]:
    """A body with the request's parameters of its own, and without fields that are null."""
    return {name: value for name, value in {**body, **request.parameters.extra_body}.items() if value is not None}


def count(value: object) -> int | None:
    """A number of tokens, if it is one."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
