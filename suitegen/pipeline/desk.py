"""The desk: where threads have models asked, on an event loop of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from types import TracebackType

from suitegen.llm.account import Account
from suitegen.llm.client import Client
from suitegen.llm.protocol import ChatRequest
from suitegen.llm.structured import Answer, answer


class Desk:
    """Asks models for whoever stands in line; all calls of a build run on one loop, in a thread of its own.

    Args:
        connect: makes the client; called on that loop.
    """

    def __init__(self, connect: Callable[[], Client]) -> None:
        self._connect = connect
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="models", daemon=True)

    def ask(self, requests: Sequence[ChatRequest]) -> tuple[Answer, ...]:
        """The answers to all requests, in their order; from any thread but the loop's.

        Raises:
            ModelError: a model cannot be asked at all.
            BudgetError: a call would pass the budget; the others were answered and are kept.
            SuiteError: a reply could not be kept.
        """
        return asyncio.run_coroutine_threadsafe(self._all(requests), self._loop).result()

    def ask_one(self, request: ChatRequest) -> Answer:
        """The answer to one request; raises as ``ask`` does."""
        return self.ask([request])[0]

    async def _all(self, requests: Sequence[ChatRequest]) -> tuple[Answer, ...]:
        asked = [asyncio.ensure_future(answer(self._client, request)) for request in requests]
        # Whatever becomes of one, the replies to the others are waited for and kept.
        await asyncio.gather(*asked, return_exceptions=True)
        return tuple(each.result() for each in asked)

    @property
    def account(self) -> Account:
        """What was used so far."""
        return self._client.account

    def __enter__(self) -> Desk:
        self._thread.start()
        try:
            self._client = asyncio.run_coroutine_threadsafe(self._open(), self._loop).result()
        except BaseException:
            self._end()
            raise
        return self

    async def _open(self) -> Client:
        return self._connect()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            asyncio.run_coroutine_threadsafe(self._client.close(), self._loop).result()
        finally:
            self._end()

    def _end(self) -> None:
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
