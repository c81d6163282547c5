from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from suitegen.errors import CallError, ModelError
from suitegen.llm.faults import Fault
from suitegen.llm.limits import Limits, Throttle
from suitegen.llm.protocol import Reply, Usage
from tests.llm.kit import StillClock

GOOD = Reply("ok", usage=Usage(60, 40))


class Provider:
    """Plays what each call meets, and remembers when it was sent."""

    def __init__(self, clock: StillClock, rule: Callable[[int], Fault | Reply], steps: int = 1) -> None:
        self.clock, self.rule, self.steps = clock, rule, steps
        self.times: list[float] = []
        self.flying = self.most = 0

    async def send(self) -> Reply:
        number = len(self.times)
        self.times.append(self.clock.now())
        self.flying += 1
        self.most = max(self.most, self.flying)
        for _ in range(self.steps):
            await asyncio.sleep(0)
        self.flying -= 1
        met = self.rule(number)
        if isinstance(met, Fault):
            raise met
        return met


def run(
    limits: Limits, rule: Callable[[int], Fault | Reply], calls: int = 1, steps: int = 1
) -> tuple[list[object], Provider, StillClock]:
    clock = StillClock()
    provider = Provider(clock, rule, steps)

    async def all_calls() -> list[object]:
        throttle = Throttle(limits, clock, "m")
        made: list[Awaitable[Reply]] = [throttle.run(provider.send, tokens=100, spread=0.5) for _ in range(calls)]
        return list(await asyncio.gather(*made, return_exceptions=True))

    return asyncio.run(all_calls()), provider, clock


def first(*faults: Fault) -> Callable[[int], Fault | Reply]:
    return lambda number: faults[number] if number < len(faults) else GOOD


# -- again ------------------------------------------------------------------------------------------------------


def test_a_call_waits_as_long_as_it_is_told() -> None:
    found, _, clock = run(Limits(), first(Fault("busy", "x", wait=2.5)))
    assert found == [GOOD]
    assert clock.slept[0] == 2.5


def test_a_call_that_is_not_told_waits_longer_each_time() -> None:
    found, _, clock = run(Limits(), first(*[Fault("again", "x")] * 4))
    assert found == [GOOD]
    assert clock.slept == [0.75, 1.5, 3.0, 6.0]


def test_calls_that_fail_together_do_not_all_come_back_together() -> None:
    clock = StillClock()

    async def two() -> None:
        throttle = Throttle(Limits(), clock, "m")
        provider = Provider(clock, first(Fault("again", "x"), Fault("again", "x")))
        await asyncio.gather(*[throttle.run(provider.send, tokens=1, spread=spread) for spread in (0.1, 0.9)])

    asyncio.run(two())
    assert len(set(clock.slept)) == 2


def test_a_call_that_keeps_failing_is_given_up_alone() -> None:
    found, provider, _ = run(Limits(attempts=3), lambda _: Fault("again", "broke off"))
    assert isinstance(found[0], CallError)
    assert "tried 3 times" in str(found[0])
    assert len(provider.times) == 3


def test_a_hung_call_is_sent_once_more_and_given_up() -> None:
    async def hang() -> Reply:
        await asyncio.Event().wait()
        return GOOD

    async def both() -> list[object]:
        throttle = Throttle(Limits(total_timeout=0.02), StillClock(), "m")
        good = Provider(StillClock(), lambda _: GOOD)
        calls = [
            throttle.run(hang, tokens=1, spread=0),
            *[throttle.run(good.send, tokens=1, spread=0) for _ in range(9)],
        ]
        return list(await asyncio.gather(*calls, return_exceptions=True))

    hung, *others = asyncio.run(both())
    assert others == [GOOD] * 9
    assert isinstance(hung, CallError)
    assert "0.02 s (tried 2 times)" in str(hung)


def test_being_sent_away_is_no_failure_while_patience_lasts() -> None:
    found, provider, _ = run(Limits(attempts=2, patience=60), first(*[Fault("busy", "x", wait=1)] * 20))
    assert found == [GOOD]
    assert len(provider.times) == 21


def test_patience_ends() -> None:
    found, provider, _ = run(Limits(patience=60), lambda _: Fault("busy", "answered 429", wait=3600))
    assert isinstance(found[0], ModelError)
    assert "asks to wait 3600 s" in str(found[0])
    assert len(provider.times) == 1


def test_a_provider_that_asks_for_next_to_nothing_is_not_hammered() -> None:
    found, provider, _ = run(Limits(patience=60), lambda _: Fault("busy", "x", wait=0.001))
    assert isinstance(found[0], ModelError)
    assert len(provider.times) < 70


def test_a_request_put_in_another_way_is_sent_at_once() -> None:
    found, _, clock = run(Limits(attempts=1), first(Fault("resend", "x")))
    assert found == [GOOD]
    assert clock.slept == []


# -- never ------------------------------------------------------------------------------------------------------


def test_a_rejected_call_costs_itself_only() -> None:
    found, provider, _ = run(Limits(concurrency=4), first(Fault("rejected", "no"), Fault("rejected", "no")), calls=50)
    assert [type(each) for each in found].count(CallError) == 2
    assert found.count(GOOD) == 48
    assert len(provider.times) == 50


def test_a_server_that_rejects_whatever_comes_stops_all_calls() -> None:
    found, provider, _ = run(Limits(concurrency=1), lambda _: Fault("rejected", "answered 400"), calls=50)
    assert [type(each) for each in found] == [CallError] * 7 + [ModelError] * 43
    assert len(provider.times) == 8
    found, provider, _ = run(Limits(concurrency=1), lambda n: Fault("rejected", "no") if n else GOOD, calls=50)
    assert [type(each) for each in found] == [Reply] + [CallError] * 49


def test_a_wrong_key_stops_all_calls_after_few() -> None:
    found, provider, _ = run(
        Limits(concurrency=64), lambda _: Fault("stop", "answered 401", hint="check KEY"), calls=200
    )
    assert {(type(each), str(each), getattr(each, "hint", "")) for each in found} == {
        (ModelError, "answered 401", "check KEY")
    }
    assert len(provider.times) <= 4


def test_a_dead_server_stops_all_calls_within_seconds() -> None:
    found, _, clock = run(Limits(concurrency=64), lambda _: Fault("unreachable", "cannot be reached"), calls=200)
    assert {type(each) for each in found} == {ModelError}
    assert clock.now() - 1000 < 10


def test_a_server_that_only_fails_counts_as_dead() -> None:
    found, provider, _ = run(Limits(concurrency=1, attempts=2), lambda _: Fault("again", "answered 500"), calls=50)
    assert [type(each) for each in found] == [CallError] * 2 + [ModelError] * 48
    assert len(provider.times) == 53


def test_failures_far_apart_do_not_make_a_server_dead() -> None:
    found, _, _ = run(Limits(concurrency=1, attempts=1), lambda n: Fault("again", "x") if n % 3 else GOOD, calls=60)
    assert found.count(GOOD) == 20
    assert sum(isinstance(each, CallError) for each in found) == 40


# -- together ---------------------------------------------------------------------------------------------------


def test_no_more_calls_fly_than_may() -> None:
    found, provider, _ = run(Limits(concurrency=7), lambda _: GOOD, calls=100, steps=5)
    assert found == [GOOD] * 100
    assert provider.most == 7


def test_few_calls_fly_before_the_first_reply() -> None:
    _, provider, _ = run(Limits(concurrency=64), lambda _: GOOD, calls=64, steps=50)
    assert provider.most > 4
    _, provider, _ = run(Limits(concurrency=64), lambda _: Fault("stop", "no"), calls=64, steps=50)
    assert provider.most == 4


def test_when_most_are_sent_away_all_wait() -> None:
    """A provider that takes nobody for ten seconds sees the few that were under way, then nobody until then."""
    clock = StillClock()
    provider = Provider(clock, lambda _: Fault("busy", "x", wait=10.0) if clock.now() < 1010 else GOOD)

    async def all_calls() -> list[object]:
        throttle = Throttle(Limits(concurrency=64), clock, "m")
        return list(await asyncio.gather(*[throttle.run(provider.send, tokens=1, spread=0) for _ in range(100)]))

    assert asyncio.run(all_calls()) == [GOOD] * 100
    assert sum(time < 1010 for time in provider.times) <= 4
    assert len(provider.times) <= 104


def test_a_few_sent_away_wait_alone() -> None:
    away = {10, 20, 30, 40, 50}
    found, provider, _ = run(
        Limits(concurrency=16), lambda n: Fault("busy", "x", wait=10.0) if n in away else GOOD, calls=200
    )
    assert found == [GOOD] * 200
    assert len(provider.times) == 205
    assert sum(time == 1000 for time in provider.times) == 200


@settings(deadline=None)
@given(st.integers(1, 600), st.integers(1, 40))
def test_requests_keep_their_pace(a_minute: int, calls: int) -> None:
    found, provider, _ = run(Limits(requests_per_minute=a_minute), lambda _: GOOD, calls=calls)
    assert found == [GOOD] * calls
    for start in provider.times:
        within = sum(start <= time < start + 60 - 1e-6 for time in provider.times)
        assert within <= a_minute + max(1, a_minute / 60)


def test_tokens_keep_their_pace_and_are_corrected_by_what_was_used() -> None:
    found, _, clock = run(Limits(tokens_per_minute=1000, concurrency=1), lambda _: GOOD, calls=31)
    assert found == [GOOD] * 31
    # 31 calls of 100 tokens: a minute's worth at once, the rest at 10 a minute.
    assert clock.now() - 1000 == pytest.approx(120, abs=13)
    cheap = Reply("ok", usage=Usage(10, 10))
    _, _, clock = run(Limits(tokens_per_minute=1000, concurrency=1), lambda _: cheap, calls=31)
    assert clock.now() == 1000
