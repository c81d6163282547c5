"""The whole way: kept replies, budget, pace, adapter, a server on the loopback interface."""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path
from typing import Literal

import pytest

from suitegen.errors import BudgetError, CallError, ModelError, SuitegenError
from suitegen.llm.account import Account, Budget
from suitegen.llm.cache import Cache
from suitegen.llm.faults import Fault
from suitegen.llm.limits import Limits
from suitegen.llm.names import parse
from suitegen.llm.protocol import ChatRequest, Reply
from suitegen.llm.scripted import Scripted
from suitegen.llm.structured import answer
from tests.llm.kit import KEY, PLAIN, StillClock, client, named, request
from tests.llm.loopback import Seen, Server, Told, completion, error, message, serve

MODEL = parse("openai:m@http://127.0.0.1:9/v1", {})
BOTH = pytest.mark.parametrize("provider", ["openai", "anthropic"])
SCHEMA = '{"type": "object", "required": ["a"]}'


def good(provider: str, text: str = "yes") -> Told:
    return completion(text) if provider == "openai" else message({"type": "text", "text": text})


def ask_all(
    rule: Callable[[Seen], Told], path: Path, texts: Sequence[str], *, provider: str = "openai", limits: Limits = PLAIN,
    account: Account | None = None, clock: StillClock | None = None,
) -> tuple[list[Reply | SuitegenError], Server]:  # fmt: skip
    """What comes of asking all the texts at the same time."""

    async def run() -> tuple[list[Reply | SuitegenError], Server]:
        async with serve(rule) as server:
            model = named(server.root, provider)
            async with client(model, path, limits=limits, account=account, clock=clock) as made:

                async def one(text: str) -> Reply | SuitegenError:
                    try:
                        return await made.ask(request(model, text))
                    except SuitegenError as failed:
                        return failed

                return list(await asyncio.gather(*map(one, texts))), server

    return asyncio.run(run())


def text_of(seen: Seen) -> str:
    text = seen.body["messages"][-1]["content"]
    assert isinstance(text, str)
    return text


# -- what was answered is kept ----------------------------------------------------------------------------------


def scripted(
    path: Path, script: Scripted, requests: Sequence[ChatRequest], account: Account | None = None
) -> list[Reply]:
    async def run() -> list[Reply]:
        async with client(MODEL, path, speaker=script, account=account) as made:
            return [await made.ask(asked) for asked in requests]

    return asyncio.run(run())


def test_a_second_run_asks_nothing_and_gets_the_same(tmp_path: Path) -> None:
    asked = [request(MODEL, f"{n}") for n in range(20)]
    first = scripted(tmp_path, Scripted(lambda each: f"re {each.messages[0].content}"), asked)
    account = Account()
    again = scripted(tmp_path, Scripted([]), asked[::-1], account)
    assert again == first[::-1]
    assert (account.total.calls, account.total.served) == (0, 20)


def test_only_what_is_new_is_asked(tmp_path: Path) -> None:
    asked = [request(MODEL, f"{n}") for n in range(20)]
    scripted(tmp_path, Scripted(lambda _: "x"), asked)
    script = Scripted(lambda _: "x")
    scripted(tmp_path, script, [*asked[::2], request(MODEL, "new")])
    assert script.asked == [request(MODEL, "new")]


def test_a_rejected_text_is_not_served_to_the_next_attempt(tmp_path: Path) -> None:
    script = Scripted(["bad", "good"])
    attempts = [request(MODEL, attempt=number) for number in range(2)]
    assert [reply.text for reply in scripted(tmp_path, script, attempts)] == ["bad", "good"]
    assert [reply.text for reply in scripted(tmp_path, Scripted([]), attempts)] == ["bad", "good"]


def test_what_was_paid_for_is_kept_even_if_nobody_can_use_it(tmp_path: Path) -> None:
    replies = [Reply("", "refused", refusal="no"), Reply("a", "cut"), Reply("", "empty"), Reply("not JSON")]
    asked = [request(MODEL, f"{n}") for n in range(4)]
    assert scripted(tmp_path, Scripted(replies), asked) == replies
    assert scripted(tmp_path, Scripted([]), asked) == replies


def test_a_call_that_failed_is_asked_again_by_the_next_run(tmp_path: Path) -> None:
    with pytest.raises(CallError):
        scripted(tmp_path, Scripted([Fault("rejected", "no")]), [request(MODEL)])
    assert scripted(tmp_path, Scripted(["yes"]), [request(MODEL)]) == [Reply("yes")]


def test_two_that_ask_the_same_at_the_same_time_share_one_call(tmp_path: Path) -> None:
    script = Scripted(["once"])

    async def run() -> list[Reply]:
        async with client(MODEL, tmp_path, speaker=script) as made:
            return list(await asyncio.gather(*[made.ask(request(MODEL)) for _ in range(5)]))

    assert asyncio.run(run()) == [Reply("once")] * 5
    assert len(script.asked) == 1


def test_a_call_whose_asker_has_gone_is_kept_when_it_is_answered(tmp_path: Path) -> None:
    async def run() -> Server:
        gone = asyncio.Event()
        async with serve(lambda _: Told(completion("late").body, after=gone)) as server:
            model = named(server.root)
            async with client(model, tmp_path) as made:
                asking = asyncio.create_task(made.ask(request(model)))
                while not server.seen:
                    await asyncio.sleep(0.001)
                asking.cancel()
                await asyncio.wait([asking])
                gone.set()
            async with client(model, tmp_path, speaker=Scripted([])) as made:
                assert (await made.ask(request(model))).text == "late"
        return server

    assert len(asyncio.run(run()).seen) == 1


def test_closing_drops_the_calls_that_are_not_under_way(tmp_path: Path) -> None:
    async def run() -> Server:
        closing = asyncio.Event()
        async with serve(lambda _: Told(completion().body, after=closing)) as server:
            model = named(server.root)
            async with client(model, tmp_path, limits=PLAIN.model_copy(update={"concurrency": 2})) as made:
                asking = [asyncio.create_task(made.ask(request(model, f"{n}"))) for n in range(50)]
                while not server.seen:
                    await asyncio.sleep(0.001)
                asyncio.get_running_loop().call_later(0.01, closing.set)
            await asyncio.gather(*asking, return_exceptions=True)
        return server

    assert len(asyncio.run(run()).seen) <= 2


class _EndlessClock(StillClock):
    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        await asyncio.Event().wait()


def test_closing_does_not_wait_for_those_that_wait(tmp_path: Path) -> None:
    clock = _EndlessClock()
    script = Scripted([Fault("busy", "wait", wait=600)])

    async def run() -> None:
        async with client(MODEL, tmp_path, speaker=script, clock=clock) as made:
            asking = asyncio.create_task(made.ask(request(MODEL)))
            while not clock.slept:
                await asyncio.sleep(0)
        with pytest.raises(asyncio.CancelledError):
            await asking

    asyncio.run(run())
    assert clock.slept == [600]


# -- trouble ----------------------------------------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize(
    "told",
    [
        error(429, "slow", {"Retry-After": "7"}), error(529, "overloaded"), error(500, "oops"), error(503, "down"),
        Told({}, way="reset"), Told({"a": "b" * 99}, way="half"), Told(b'{"cho'), Told({"error": {"message": "oops"}}),
    ],
)  # fmt: skip
def test_what_passes_by_itself_is_waited_for(tmp_path: Path, provider: str, told: Told) -> None:
    clock, account = StillClock(), Account()
    rule: Callable[[Seen], Told] = lambda seen: told if seen.number < 2 else good(provider)  # noqa: E731
    found, server = ask_all(rule, tmp_path, ["ask"], provider=provider, clock=clock, account=account)
    assert [reply.text for reply in found if isinstance(reply, Reply)] == ["yes"]
    assert len(server.seen) == 3
    assert (account.total.calls, account.total.failed, account.total.replies) == (3, 2, 1)
    first, second = clock.slept[:2]
    assert first == 7 if told.status == 429 else 0.5 <= first <= 1
    assert second == 7 if told.status == 429 else second == 2 * first


@BOTH
@pytest.mark.parametrize(
    ("told", "words"),
    [
        (error(401, f"wrong key {KEY}"), "KEY"), (error(403, "no"), "KEY"), (error(404, "no such model"), "name"),
        (error(429, "quota", code="insufficient_quota"), "spend"), (error(400, "credit balance is too low"), "spend"),
    ],
)  # fmt: skip
def test_what_no_call_survives_stops_all_after_few(tmp_path: Path, provider: str, told: Told, words: str) -> None:
    found, server = ask_all(lambda _: told, tmp_path, [f"{n}" for n in range(200)], provider=provider)
    assert {type(each) for each in found} == {ModelError}
    assert len({str(each) for each in found}) == 1
    failed = found[0]
    assert isinstance(failed, ModelError)
    assert failed.exit_code == 3
    assert server.root in failed.message
    assert words in failed.hint
    assert server.root in failed.hint
    assert f"{provider.upper()}_API_KEY" in failed.hint
    assert KEY not in f"{failed}{failed.hint}"
    assert len(server.seen) <= 4


def test_a_rejected_request_costs_itself_only(tmp_path: Path) -> None:
    rule: Callable[[Seen], Told] = lambda seen: error(400, "withheld") if text_of(seen) == "7" else completion("yes")  # noqa: E731
    found, server = ask_all(rule, tmp_path, [f"{n}" for n in range(30)])
    assert [type(each) is CallError for each in found] == [n == 7 for n in range(30)]
    assert len(server.seen) == 30


@pytest.mark.parametrize("way", ["hang", "trickle"])
def test_a_call_that_hangs_is_sent_once_more_and_given_up(tmp_path: Path, way: Literal["hang", "trickle"]) -> None:
    limits = Limits(connect_timeout=1, total_timeout=0.1)
    found, server = ask_all(lambda _: Told({"a": "b" * 999}, way=way), tmp_path, ["ask"], limits=limits)
    assert isinstance(found[0], CallError)
    assert "tried 2 times" in str(found[0])
    assert server.openai in str(found[0])
    assert len(server.seen) == 2


def test_a_call_that_hangs_delays_nobody_else(tmp_path: Path) -> None:
    """The hung call is let go only when all others were answered: were one of them to wait for it, none would end."""
    others = [f"{n}" for n in range(1, 50)]

    async def run() -> Reply:
        last = asyncio.Event()

        def rule(seen: Seen) -> Told:
            return Told(completion("late").body, after=last) if text_of(seen) == "0" else completion("yes")

        async with serve(rule) as server:
            model = named(server.root)
            limits = Limits(connect_timeout=10, total_timeout=60, concurrency=5)
            async with client(model, tmp_path, limits=limits) as made:
                hung = asyncio.create_task(made.ask(request(model, "0")))
                await asyncio.gather(*[made.ask(request(model, text)) for text in others])
                assert not hung.done()
                last.set()
                return await hung

    assert asyncio.run(run()).text == "late"


@BOTH
def test_a_server_that_knows_no_schemas_still_answers(tmp_path: Path, provider: str) -> None:
    field = "response_format" if provider == "openai" else "output_config"
    rule: Callable[[Seen], Told] = lambda seen: (  # noqa: E731
        error(400, f"{field}: unknown") if field in seen.body else good(provider, '{"a": 1}')
    )

    async def run() -> tuple[list[object], Server]:
        async with serve(rule) as server:
            model = named(server.root, provider)
            async with client(model, tmp_path) as made:
                found = [await answer(made, request(model, f"{n}", schema=SCHEMA)) for n in range(3)]
            return [each.value for each in found], server

    values, server = asyncio.run(run())
    assert values == [{"a": 1}] * 3
    assert len(server.seen) == 4


def test_a_bad_text_is_not_asked_for_again_here(tmp_path: Path) -> None:
    async def run() -> tuple[str, int]:
        async with serve(lambda _: completion('{"a": ')) as server:
            model = named(server.root)
            async with client(model, tmp_path) as made:
                return (await answer(made, request(model, schema=SCHEMA))).outcome, len(server.seen)

    assert asyncio.run(run()) == ("malformed", 1)


# -- the budget -------------------------------------------------------------------------------------------------


def test_a_budget_stops_before_the_call_that_would_pass_it_and_the_next_run_goes_on(tmp_path: Path) -> None:
    texts = [f"{n}" for n in range(20)]

    async def run() -> None:
        async with serve(lambda _: completion("yes")) as server:
            model = named(server.root)
            for calls in (7, 7, 7):
                before = len(server.seen)
                async with client(model, tmp_path, account=Account(Budget(max_calls=calls))) as made:
                    asked = [made.ask(request(model, text)) for text in texts]
                    found = await asyncio.gather(*asked, return_exceptions=True)
                stopped = [each for each in found if isinstance(each, BudgetError)]
                assert len(server.seen) - before == min(7, 20 - before)
                assert len(stopped) == 20 - len(server.seen)
            assert len({text_of(seen) for seen in server.seen}) == len(server.seen) == 20

    asyncio.run(run())


def test_a_budget_of_nothing_calls_nobody(tmp_path: Path) -> None:
    found, server = ask_all(lambda _: completion(), tmp_path, ["ask"], account=Account(Budget(max_calls=0)))
    assert isinstance(found[0], BudgetError)
    assert server.seen == []


# -- the key ----------------------------------------------------------------------------------------------------


@BOTH
def test_the_key_is_in_no_file(tmp_path: Path, provider: str) -> None:
    ask_all(lambda _: good(provider), tmp_path, ["a", "b"], provider=provider)
    with closing(Cache(tmp_path / "replies.sqlite")) as cache:
        assert cache.measured()
    for path in tmp_path.rglob("*"):
        assert KEY.encode() not in path.read_bytes()


# -- the end of the process -------------------------------------------------------------------------------------


def test_a_killed_run_pays_again_for_nothing_that_it_kept(tmp_path: Path) -> None:
    """Killed at several moments, a run repeats no more calls than were in flight; the last one makes the rest."""
    calls, flying, kills = 60, 4, (5, 31)

    async def run() -> list[str]:
        async with serve(lambda seen: completion(f"re {text_of(seen)}")) as server:
            for end in (*kills, None):
                arguments = [server.root, str(tmp_path), f"{calls}", f"{flying}"]
                child = await asyncio.create_subprocess_exec(sys.executable, "-m", "tests.llm.worker", *arguments)
                while end and len(server.seen) < end and child.returncode is None:
                    await asyncio.sleep(0.001)
                if end:
                    child.kill()
                assert await child.wait() == (-signal.SIGKILL if end else 0)
            return [text_of(seen) for seen in server.seen]

    sent = asyncio.run(run())
    assert set(sent) == {f"{n}" for n in range(calls)}
    assert len(sent) - calls <= flying * len(kills)
    with closing(Cache(tmp_path / "replies.sqlite")) as cache:
        assert sum(each.replies for each in cache.measured().values()) == calls
