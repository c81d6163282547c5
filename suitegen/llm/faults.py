"""What can go wrong with one try of a call, told apart by what is to be done about it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Literal

from suitegen.llm.names import Endpoint, ModelName

Kind = Literal["stop", "busy", "again", "timeout", "unreachable", "resend", "rejected"]
"""stop: no call can succeed; busy: the provider asks for time; again, timeout, unreachable: may pass by itself;
resend: was put in a way that the server does not know; rejected: this request alone will never be answered."""

_WORDS = 300
"""Characters of a server's own message that are shown."""

_QUOTA = frozenset({"insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "quota_exceeded"})
_UNSUPPORTED = frozenset({"unsupported_parameter", "unsupported_value", "unknown_parameter"})
_ABOUT_SCHEMA = ("response_format", "schema", "output_config", "output_format", "structured output", "grammar")


class Fault(Exception):
    """One try came to nothing."""

    def __init__(
        self, kind: Kind, message: str, *, hint: str = "", wait: float | None = None, schema: bool = False
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.hint = hint
        self.wait = wait
        """Seconds for which the provider asks."""
        self.schema = schema
        """Whether it was about how a schema was sent."""


class _Refusal:
    """An error body, of either wire format or of none."""

    def __init__(self, text: str, endpoint: Endpoint) -> None:
        data = _object(text)
        inner = data.get("error", data)
        error = inner if isinstance(inner, dict) else {"message": inner}
        self.codes = {str(error.get(name)) for name in ("code", "type") if error.get(name) is not None}
        said = error.get("message")
        self.words = endpoint.clean(said if isinstance(said, str) and said.strip() else text)[:_WORDS]
        self.param = str(error.get("param") or "")

    @property
    def about_schema(self) -> bool:
        words = f"{self.param} {self.words}".lower()
        return any(mark in words for mark in _ABOUT_SCHEMA)

    @property
    def about_money(self) -> bool:
        return bool(self.codes & _QUOTA) or "credit balance" in self.words.lower()


def _object(text: str) -> dict[str, object]:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def at(model: ModelName, endpoint: Endpoint) -> str:
    """The model and where it was asked, for messages."""
    return f"{model.provider}:{model.name} at {endpoint.url}"


def of_response(status: int, headers: Mapping[str, str], text: str, model: ModelName, endpoint: Endpoint) -> Fault:
    """The fault that an error response stands for."""
    said = _Refusal(text, endpoint)
    told = f"{at(model, endpoint)} answered {status}: {said.words}"
    if 300 <= status < 400:
        where = endpoint.clean(headers.get("location", ""))
        return Fault("stop", told, hint=f"the server sends on to {where}: name that address, if it is the right one")
    if status in (401, 403):
        key = f"the key in {endpoint.variable}" if endpoint.key else f"no key ({endpoint.variable} is not set)"
        return Fault("stop", told, hint=f"{key} was sent to {endpoint.url}; check both")
    if status == 402 or said.about_money:
        return Fault(
            "stop", told, hint=f"the account of {endpoint.variable} at {endpoint.url} has nothing left to spend"
        )
    if status == 404:
        return Fault("stop", told, hint=f"check the model's name and the address {endpoint.url} ({endpoint.variable})")
    if status in (400, 422, 501) and said.about_schema:
        return Fault("rejected", told, schema=True)
    if status == 400 and said.codes & _UNSUPPORTED:
        return Fault("stop", told, hint="change the parameters of this model in the project file")
    if status in (429, 529) or (status == 503 and _wait(headers) is not None):
        return Fault("busy", told, wait=_wait(headers))
    if status in (408, 409) or status >= 500:
        return Fault("again", told, wait=_wait(headers))
    return Fault("rejected", told)


def _wait(headers: Mapping[str, str]) -> float | None:
    """Seconds that the provider asks for: ``retry-after-ms``, or ``retry-after`` in seconds or as a date."""
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    asked = headers.get("retry-after")
    seconds = _number(asked)
    if seconds is not None or asked is None:
        return seconds
    until = _date(asked)
    if until is None:
        return None
    now = _date(headers.get("date", "")) or datetime.now(UTC)
    return max(0.0, (until - now).total_seconds())


def _number(text: str | None) -> float | None:
    try:
        number = float(text or "")
    except ValueError:
        return None
    return number if 0 <= number < float("inf") else None


def _date(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, IndexError, TypeError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def of_body(data: object, model: ModelName, endpoint: Endpoint) -> Fault | None:
    """The fault that a body of status 200 stands for; None if it may be a reply."""
    if not isinstance(data, dict):
        return Fault("again", f"{at(model, endpoint)} answered with something that is no reply")
    error = data.get("error")
    if not error:
        return None
    code = error.get("code") if isinstance(error, dict) else None
    status = code if isinstance(code, int) and 400 <= code < 600 else 500
    return of_response(status, {}, json.dumps(data), model, endpoint)
