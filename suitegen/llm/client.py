"""The way to all models of a run: kept replies first, then the budget, then the provider at its pace."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType

from suitegen.llm.account import Account
from suitegen.llm.cache import Cache, fingerprint
from suitegen.llm.faults import Fault
from suitegen.llm.limits import Throttle
from suitegen.llm.names import ModelName
from suitegen.llm.protocol import Chat, ChatRequest, Reply


@dataclass(frozen=True, slots=True)
class Line:
    """One model: who speaks with it, where, and how fast."""

    chat: Chat
    url: str
    throttle: Throttle


class Client:
    """A chat with every model of a run.

    A call that was sent is kept when it is answered, even if whoever asked has gone; two that ask the same at the
    same time share one call. One client belongs to one event loop.

    Args:
        lines: every model that may be asked.
        cache: where replies are kept.
        account: what counts them.
    """

    def __init__(self, lines: Mapping[ModelName, Line], cache: Cache, account: Account) -> None:
        self._lines = dict(lines)
        self._cache = cache
        self.account = account
        self._calls: dict[str, asyncio.Task[Reply]] = {}
        self._sent: set[str] = set()
        self._closing = False

    def key(self, request: ChatRequest) -> str:
        """Under what the reply to a request is kept."""
        return fingerprint(request, self._lines[request.model].url)

    async def ask(self, request: ChatRequest) -> Reply:
        """The reply to a request.

        Raises:
            CallError: this call failed for good.
            ModelError: the model cannot be asked at all.
            BudgetError: the call would pass the budget.
            SuiteError: the reply could not be kept.
        """
        key = self.key(request)
        call = self._calls.get(key)
        kept = self._cache.find(key) if call is None else None
        if call or kept:
            self.account.serve(request)
        if kept:
            return kept
        return await asyncio.shield(call or self._begin(key, request))

    def _begin(self, key: str, request: ChatRequest) -> asyncio.Task[Reply]:
        def ended(call: asyncio.Task[Reply]) -> None:
            del self._calls[key]
            if not call.cancelled():
                call.exception()  # Looked at, whether or not somebody still waits for it.

        call = self._calls[key] = asyncio.get_running_loop().create_task(self._call(key, request))
        call.add_done_callback(ended)
        return call

    async def _call(self, key: str, request: ChatRequest) -> Reply:
        line = self._lines[request.model]
        tokens = request.input_tokens + (request.parameters.limit or 0)

        async def send() -> Reply:
            return await self._send(key, line.chat, request)

        return await line.throttle.run(send, tokens=tokens, spread=int(key[:4], 16) / 0x10000)

    async def _send(self, key: str, chat: Chat, request: ChatRequest) -> Reply:
        if self._closing:
            raise asyncio.CancelledError
        estimate = self.account.start(request)
        self._sent.add(key)
        reply = None
        try:
            reply = await chat.ask(request)
            return self._cache.keep(key, request, reply)
        except Fault:
            if self._closing:
                raise asyncio.CancelledError from None
            raise
        finally:
            self._sent.discard(key)
            self.account.end(request, estimate, reply)

    async def close(self) -> None:
        """Wait for the calls that are in flight, drop those that are not, and let go of everything."""
        self._closing = True
        for key, call in self._calls.items():
            if key not in self._sent:
                call.cancel()
        await asyncio.gather(*self._calls.values(), return_exceptions=True)
        for line in self._lines.values():
            await line.chat.close()
        self._cache.close()

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()
