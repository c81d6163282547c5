"""What the tests of the models share: clocks that do not wait, requests, and clients of one model."""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from suitegen.llm import anthropic, openai
from suitegen.llm.account import Account
from suitegen.llm.cache import Cache
from suitegen.llm.client import Client, Line
from suitegen.llm.faults import at
from suitegen.llm.limits import Limits, Throttle
from suitegen.llm.names import ModelName, endpoint, parse
from suitegen.llm.protocol import Chat, ChatRequest, Message, Parameters

KEY = "sk-secret-4711"
ENVIRON = {"OPENAI_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY}
PLAIN = Limits(connect_timeout=20, total_timeout=20)
"""Far from any time that a test takes: what hangs in a test has limits of its own."""


class StillClock:
    """A clock that stands still while anything is to be done, then jumps to the end of the next wait."""

    def __init__(self) -> None:
        self.time = 1000.0
        self.slept: list[float] = []
        self._waiting: list[tuple[float, int, asyncio.Event]] = []
        self._driver: asyncio.Task[None] | None = None

    def now(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        over = asyncio.Event()
        heapq.heappush(self._waiting, (self.time + seconds, len(self.slept), over))
        if self._driver is None or self._driver.done():
            self._driver = asyncio.create_task(self._drive())
        await over.wait()

    async def _drive(self) -> None:
        while self._waiting:
            for _ in range(100):
                await asyncio.sleep(0)
            self.time, _, over = heapq.heappop(self._waiting)
            over.set()


def request(
    model: ModelName, text: str = "ask", *, schema: str | None = None, attempt: int = 0, **parameters: object
) -> ChatRequest:
    given = Parameters.model_validate(parameters)
    return ChatRequest(
        model, (Message("user", text),), given, schema, role="writer", stage="write", attempt=attempt, template="t@1"
    )


def named(root: str, provider: str = "openai") -> ModelName:
    """A model at a loopback server, in either format."""
    return parse(f"{provider}:small@{root}/v1", {})


def chat(model: ModelName, limits: Limits = PLAIN) -> Chat:
    """The real adapter for a model."""
    where = endpoint(model, ENVIRON)
    connect = openai.connect if model.provider == "openai" else anthropic.connect
    return connect(model, where, limits)


@asynccontextmanager
async def client(
    model: ModelName,
    path: Path,
    *,
    speaker: Chat | None = None,
    limits: Limits = PLAIN,
    account: Account | None = None,
    clock: StillClock | None = None,
) -> AsyncIterator[Client]:
    """A client of one model, its replies kept below ``path``."""
    where = endpoint(model, ENVIRON)
    throttle = Throttle(limits, clock or StillClock(), at(model, where))
    line = Line(speaker or chat(model, limits), where.url, throttle)
    async with Client({model: line}, Cache(path / "replies.sqlite"), account or Account()) as made:
        yield made
