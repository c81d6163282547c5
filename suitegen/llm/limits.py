"""How fast and how often one model is asked: pace, concurrency, waiting when told to, and trying again."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Annotated, Protocol

from pydantic import Field

from suitegen.errors import CallError, ModelError, SuitegenError
from suitegen.llm.faults import Fault, Kind
from suitegen.llm.protocol import Reply
from suitegen.model.base import Noun, Positive

Seconds = Annotated[float, Field(gt=0)]


class Limits(Noun):
    """What a provider, and patience, allow for one model."""

    concurrency: Positive = Field(default=64, description="Calls in flight at a time.")
    requests_per_minute: Positive | None = None
    tokens_per_minute: Positive | None = Field(default=None, description="Of requests and replies together.")
    connect_timeout: Seconds = Field(default=10.0, description="Seconds until a connection stands.")
    total_timeout: Seconds = Field(default=300.0, description="Seconds from sending a call to the end of its reply.")
    attempts: Positive = Field(default=5, description="How often a call is sent that fails by the server's fault.")
    patience: Seconds = Field(
        default=900.0, description="Seconds that a call waits in all when the provider says that it is busy."
    )


class Clock(Protocol):
    """Time, as far as waiting goes."""

    def now(self) -> float:
        """Seconds since any fixed moment."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        ...


class SystemClock:
    """The system's time."""

    def now(self) -> float:
        """Seconds of a clock that never goes back."""
        return time.monotonic()

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


class _Pace:
    """So much a minute, evenly, after a first burst (generic cell rate algorithm, ITU-T I.371)."""

    def __init__(self, a_minute: int, burst: float) -> None:
        self._each = 60 / a_minute
        self._burst = burst * self._each
        self._due = float("-inf")

    def take(self, amount: float, now: float) -> float:
        """Take an amount; the seconds to wait before it may be used."""
        start = max(now, self._due)
        self._due = start + amount * self._each
        return max(0.0, start - self._burst - now)

    def give(self, amount: float) -> None:
        """Correct what was taken by what turned out not to be needed (negative: was needed besides)."""
        self._due -= amount * self._each


_PILOTS = 4
"""Calls in flight before the first reply: enough to tell a wrong key or a dead server."""
_DEAD_AFTER = 3
"""Calls that fail in a row, each after all its tries, before the server counts as dead."""
_NEVER_AFTER = 8
"""Requests rejected before the first reply: then it is not the requests."""
_MOST: dict[Kind, int] = {"timeout": 2, "unreachable": 3}
"""Tries, where they are fewer than usual: a hung call may be paid for; a closed port tells at once."""
_LEAST, _OFTEN, _BACK_OFF, _LONGEST = 0.01, 1.0, 0.5, 30.0
"""Seconds: the least wait that is told, at first and after many; the first back-off of one's own, the longest."""
_DOUBLINGS = 10
_LATER = "go on later: what was answered is kept"
_MINUTE = 60.0


class Throttle:
    """All calls to one model pass here.

    A call that the provider sends away waits as long as it is told, alone; when most of the latest calls were
    sent away, all wait. A call in waiting holds no place of those in flight. What no call can survive (a wrong
    key, a wrong model, nothing left to spend, a dead server) stops all of them with the same error.

    Args:
        limits: what is allowed.
        clock: for waiting; the timeouts are the event loop's.
        who: the model and where it is asked, for messages.
    """

    def __init__(self, limits: Limits, clock: Clock, who: str) -> None:
        self.limits = limits
        self._who = who
        self._clock = clock
        pilots = min(_PILOTS, limits.concurrency)
        self._places = asyncio.Semaphore(pilots)
        self._unopened = limits.concurrency - pilots
        requests, tokens = limits.requests_per_minute, limits.tokens_per_minute
        self._requests = _Pace(requests, max(0.0, requests / _MINUTE - 1)) if requests else None
        self._tokens = _Pace(tokens, tokens) if tokens else None
        self._recent: deque[list[bool]] = deque(maxlen=limits.concurrency)
        """The latest calls: whether each was sent away."""
        self._closed_until = float("-inf")
        self._failures = 0
        self._refusals = 0
        self._alive = False
        """Whether there was a reply ever."""
        self._broken: tuple[str, str] | None = None
        """Why no call can succeed, and what to do."""

    async def run(self, send: Callable[[], Awaitable[Reply]], *, tokens: int, spread: float) -> Reply:
        """The reply of a call, sent as often as it takes.

        Args:
            send: sends it once; raises Fault.
            tokens: what it will roughly cost of the tokens per minute.
            spread: from 0 to 1, spreads the back-off of calls that failed together.

        Raises:
            CallError: it failed for good, alone.
            ModelError: no call can succeed.
        """
        tries, waits, waited = 0, 0, 0.0
        while True:
            try:
                return await self._once(send, tokens)
            except Fault as fault:
                met = fault
            if met.kind == "resend":
                continue
            tries += met.kind != "busy"
            wait = _told_or(met.wait, waits, spread)
            self._give_up(met, tries, wait, waited)
            await self._clock.sleep(wait)
            waits, waited = waits + 1, waited + wait

    async def _once(self, send: Callable[[], Awaitable[Reply]], tokens: int) -> Reply:
        async with self._places:
            await self._turn(tokens)
            mark = [False]
            self._recent.append(mark)
            try:
                async with asyncio.timeout(self.limits.total_timeout):
                    reply = await send()
            except TimeoutError:
                raise Fault("timeout", f"{self._who} gave no reply within {self.limits.total_timeout:g} s") from None
            except Fault as fault:
                mark[0] = fault.kind == "busy"
                if fault.kind == "rejected":
                    self._open()
                raise
        self._answered(reply, tokens)
        return reply

    async def _turn(self, tokens: int) -> None:
        """Wait until a call may be sent."""
        now = self._clock.now()
        wait = self._requests.take(1, now) if self._requests else 0.0
        wait = max(wait, self._tokens.take(tokens, now) if self._tokens else 0.0)
        while (wait := max(wait, self._closed_until - self._clock.now())) > 0:
            await self._clock.sleep(wait)
            wait = 0.0
        if self._broken:
            raise _error(*self._broken)

    def _open(self) -> None:
        """The server answers: let in as many as may be in flight."""
        while self._unopened:
            self._places.release()
            self._unopened -= 1

    def _answered(self, reply: Reply, tokens: int) -> None:
        self._failures = 0
        self._alive = True
        self._open()
        used = reply.usage
        if self._tokens and used.input is not None and used.output is not None:
            self._tokens.give(tokens - used.input - used.output)

    def _give_up(self, fault: Fault, tries: int, wait: float, waited: float) -> None:
        """Nothing, if the call may be tried once more.

        Raises:
            CallError: it may not.
            ModelError: no call may.
        """
        if fault.kind == "stop":
            raise self._stop(fault.message, fault.hint)
        if fault.kind == "rejected":
            raise self._rejected(fault)
        if fault.kind == "busy":
            self._busy(fault, wait, waited)
        elif tries >= _MOST.get(fault.kind, self.limits.attempts):
            raise self._failed(fault, tries)

    def _busy(self, fault: Fault, wait: float, waited: float) -> None:
        if waited + wait > self.limits.patience:
            told = f"{fault.message} (asks to wait {fault.wait:g} s)" if fault.wait else fault.message
            raise self._stop(f"{told}; waited {waited:g} s", _LATER)
        away = sum(mark[0] for mark in self._recent)
        if away * 2 > len(self._recent):
            self._closed_until = max(self._closed_until, self._clock.now() + wait)
            self._recent.clear()

    def _rejected(self, fault: Fault) -> SuitegenError:
        self._refusals += 1
        if self._refusals >= _NEVER_AFTER and not self._alive:
            told = f"{fault.message} (and so were all of the first {self._refusals} requests)"
            return self._stop(told, "check the parameters of this model and its prompts")
        return CallError(fault.message)

    def _failed(self, fault: Fault, tries: int) -> SuitegenError:
        self._failures += 1
        told = f"{fault.message} (tried {tries} times)"
        if fault.kind == "unreachable" or self._failures >= _DEAD_AFTER:
            return self._stop(told, f"check the server; {_LATER}")
        return CallError(told)

    def _stop(self, message: str, hint: str) -> ModelError:
        self._broken = self._broken or (message, hint)
        return _error(*self._broken)


def _told_or(told: float | None, waits: int, spread: float) -> float:
    """Seconds to wait: as told, else longer each time; a server that tells next to nothing is waited for longer."""
    factor = 2.0 ** min(waits, _DOUBLINGS)
    if told:
        return max(told, min(_OFTEN, _LEAST * factor))
    return min(_LONGEST, _BACK_OFF * factor) * (1 + spread)


def _error(message: str, hint: str) -> ModelError:
    return ModelError(message, hint=hint)
