from __future__ import annotations

import asyncio

from suitegen.errors import CallError
from suitegen.llm.faults import Fault
from suitegen.llm.names import parse
from suitegen.llm.protocol import ChatRequest, Reply
from suitegen.llm.scripted import Scripted
from suitegen.llm.structured import answer
from tests.llm.kit import request

MODEL = parse("openai:m", {})
SCHEMA = '{"type": "object", "required": ["ok"]}'
CUT = Reply('{"ok": "I park in b', "cut", "length")


def test_an_answer_is_its_value() -> None:
    found = asyncio.run(answer(Scripted(['```\n{"ok": 1}\n```']), request(MODEL, schema=SCHEMA)))
    assert (found.outcome, found.value, found.repairs) == ("answered", {"ok": 1}, ("fence removed",))
    assert len(found.asked) == 1


def test_a_cut_reply_is_asked_for_again_with_a_higher_limit() -> None:
    chat = Scripted([CUT, '{"ok": 1}'])
    found = asyncio.run(answer(chat, request(MODEL, schema=SCHEMA, max_completion_tokens=320)))
    assert found.outcome == "answered"
    assert [asked.parameters.max_completion_tokens for asked in chat.asked] == [320, 640]
    assert found.asked == tuple(chat.asked)


def test_a_reply_that_stays_cut_is_given_up_and_names_the_setting() -> None:
    chat = Scripted(lambda _: CUT)
    found = asyncio.run(answer(chat, request(MODEL, schema=SCHEMA, max_tokens=320)))
    assert [asked.parameters.max_tokens for asked in chat.asked] == [320, 640, 1280]
    assert (found.outcome, found.value) == ("cut", None)
    assert "1280 tokens" in found.trouble
    assert "max_tokens" in found.trouble


def test_without_a_limit_there_is_none_to_raise() -> None:
    chat = Scripted([CUT])
    found = asyncio.run(answer(chat, request(MODEL, schema=SCHEMA)))
    assert (found.outcome, len(chat.asked)) == ("cut", 1)


def test_a_cut_reply_is_no_answer_even_if_it_could_be_read() -> None:
    found = asyncio.run(answer(Scripted([Reply('{"ok": 1}', "cut", "length")]), request(MODEL, schema=SCHEMA)))
    assert found.outcome == "cut"


def test_what_concerns_one_request_is_a_value() -> None:
    replies = [
        Reply("", "refused", "stop", refusal="I won't."),
        Reply("", "filtered", "content_filter"),
        Reply("", "empty"),
        Reply("no"),
    ]
    outcomes = [asyncio.run(answer(Scripted([reply]), request(MODEL, schema=SCHEMA))) for reply in replies]
    assert [found.outcome for found in outcomes] == ["refused", "filtered", "empty", "malformed"]
    assert all(found.trouble and found.value is None and found.reply for found in outcomes)
    assert "I won't." in outcomes[0].trouble


class _Failing:
    async def ask(self, request: ChatRequest) -> Reply:
        raise CallError("answered 400: withheld")

    async def close(self) -> None:
        pass


def test_a_call_that_failed_for_good_is_a_value() -> None:
    found = asyncio.run(answer(_Failing(), request(MODEL, schema=SCHEMA)))
    assert (found.outcome, found.trouble, found.reply) == ("failed", "answered 400: withheld", None)


def test_a_script_plays_faults_and_ends() -> None:
    chat = Scripted([Fault("busy", "wait", wait=1), "x"])
    found: list[object] = []
    for _ in range(3):
        try:
            found.append(asyncio.run(chat.ask(request(MODEL))))
        except (Fault, LookupError) as error:
            found.append(str(error))
    assert found == ["wait", Reply("x"), "the script has no line for call 3"]
