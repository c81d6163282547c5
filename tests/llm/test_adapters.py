"""Both adapters through their real SDKs, against a server on the loopback interface."""

from __future__ import annotations

import asyncio
import json
import logging
import traceback
from collections.abc import Callable
from typing import Any

import pytest

from suitegen.llm.faults import Fault
from suitegen.llm.limits import Limits
from suitegen.llm.protocol import ChatRequest, Message, Reply, Usage, trouble
from tests.llm.kit import KEY, PLAIN, chat, named, request
from tests.llm.loopback import Seen, Server, Told, completion, error, message, serve

BOTH = pytest.mark.parametrize("provider", ["openai", "anthropic"])
CLOSED = '{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": false}'
OPEN = '{"type": "object", "properties": {"a": {"type": "string"}}}'
TEXT = {"type": "text", "text": '{"a": "b"}'}


def ask(
    provider: str,
    rule: Callable[[Seen], Told],
    *asked: str,
    schema: str | None = None,
    limits: Limits = PLAIN,
    **parameters: object,
) -> tuple[list[Reply | Fault], Server]:
    """What one adapter makes of calls, one after the other."""

    async def run() -> tuple[list[Reply | Fault], Server]:
        async with serve(rule) as server:
            model = named(server.root, provider)
            speaker = chat(model, limits)
            found: list[Reply | Fault] = []
            for text in asked or ("ask",):
                try:
                    found.append(await speaker.ask(request(model, text, schema=schema, **parameters)))
                except Fault as fault:
                    found.append(fault)
            await speaker.close()
            return found, server

    return asyncio.run(run())


def reply(provider: str, told: Told) -> Reply:
    found = ask(provider, lambda _: told)[0][0]
    assert isinstance(found, Reply)
    return found


def fault(provider: str, told: Told, **more: Any) -> Fault:
    found = ask(provider, lambda _: told, **more)[0][0]
    assert isinstance(found, Fault)
    return found


def body(provider: str, told: Told, **more: Any) -> dict[str, Any]:
    return ask(provider, lambda _: told, **more)[1].seen[0].body


# -- what is sent -----------------------------------------------------------------------------------------------


def test_openai_is_sent_what_is_given_and_nothing_that_is_null() -> None:
    sent = body("openai", completion())
    assert sent == {"model": "small", "messages": [{"role": "user", "content": "ask"}]}
    sent = body(
        "openai",
        completion(),
        temperature=0,
        max_completion_tokens=9,
        extra_body={"seed": 7, "stop": None, "top_p": 0.5},
    )
    assert sent == {
        "model": "small", "messages": [{"role": "user", "content": "ask"}],
        "temperature": 0, "max_completion_tokens": 9, "seed": 7, "top_p": 0.5,
    }  # fmt: skip


def test_anthropic_is_sent_what_is_given_and_the_limit_it_demands() -> None:
    assert body("anthropic", message(TEXT)) == {
        "model": "small", "max_tokens": 8192, "messages": [{"role": "user", "content": "ask"}]
    }  # fmt: skip
    sent = body("anthropic", message(TEXT), temperature=0.5, max_completion_tokens=9, extra_body='{"top_k": 3}')
    assert sent == {
        "model": "small", "max_tokens": 9, "messages": [{"role": "user", "content": "ask"}], "temperature": 0.5, "top_k": 3
    }  # fmt: skip


@BOTH
def test_the_system_message_goes_where_the_format_has_it(provider: str) -> None:
    async def run() -> Server:
        async with serve(lambda _: completion() if provider == "openai" else message(TEXT)) as server:
            model = named(server.root, provider)
            speaker = chat(model)
            await speaker.ask(ChatRequest(model, (Message("system", "be brief"), Message("user", "ask"))))
            await speaker.close()
            return server

    sent = asyncio.run(run()).seen[0].body
    asked = {"role": "user", "content": "ask"}
    if provider == "openai":
        assert sent["messages"] == [{"role": "system", "content": "be brief"}, asked]
    else:
        assert (sent["system"], sent["messages"]) == ("be brief", [asked])


@BOTH
def test_the_key_is_sent_to_the_server(provider: str) -> None:
    sent = ask(provider, lambda _: completion())[1].seen[0].headers
    assert any(KEY in value for value in sent.values())


# -- schemas ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("schema", "strict"), [(CLOSED, True), (OPEN, False)])
def test_openai_has_a_field_for_schemas(schema: str, strict: bool) -> None:
    sent = body("openai", completion('{"a": "b"}'), schema=schema)
    shape = {"name": "answer", "strict": strict, "schema": json.loads(schema)}
    assert sent["response_format"] == {"type": "json_schema", "json_schema": shape}
    assert sent["messages"] == [{"role": "user", "content": "ask"}]


def test_anthropic_has_a_field_for_schemas() -> None:
    sent = body("anthropic", message(TEXT), schema=CLOSED)
    assert sent["output_config"] == {"format": {"type": "json_schema", "schema": json.loads(CLOSED)}}


@BOTH
@pytest.mark.parametrize(
    "refusal",
    [
        error(400, "Unsupported parameter", param="response_format", code="unsupported_parameter"),
        error(400, "response_format: Extra inputs are not permitted"),
        error(422, "output_config: Extra inputs are not permitted"),
        error(400, "failed to parse grammar"),
    ],
)
def test_a_server_without_schemas_is_told_in_words_from_then_on(provider: str, refusal: Told) -> None:
    good = completion('{"a": "b"}') if provider == "openai" else message(TEXT)
    field = "response_format" if provider == "openai" else "output_config"
    found, server = ask(
        provider, lambda seen: refusal if field in seen.body else good, "one", "one", "two", schema=CLOSED
    )
    first, *others = found
    assert isinstance(first, Fault)
    assert first.kind == "resend"
    assert [other.text for other in others if isinstance(other, Reply)] == ['{"a": "b"}'] * 2
    assert [field in seen.body for seen in server.seen] == [True, False, False]
    said = server.seen[1].body["messages"][-1]["content"]
    assert said.startswith("one\n")
    assert said.endswith(CLOSED)


@BOTH
def test_a_server_that_does_not_keep_to_a_schema_is_told_both_ways(provider: str) -> None:
    bad = completion("Sure, b!") if provider == "openai" else message({"type": "text", "text": "Sure, b!"})
    field = "response_format" if provider == "openai" else "output_config"
    _, server = ask(provider, lambda _: bad, "one", "two", schema=CLOSED)
    assert [field in seen.body for seen in server.seen] == [True, True]
    assert [CLOSED in seen.body["messages"][-1]["content"] for seen in server.seen] == [False, True]


def test_a_refused_request_without_a_schema_is_not_sent_again() -> None:
    assert fault("openai", error(400, "bad response_format")).kind == "rejected"


# -- what comes back --------------------------------------------------------------------------------------------


def test_a_completion_is_its_text_and_its_tokens() -> None:
    assert reply("openai", completion("yes")) == Reply(
        "yes", "complete", "stop", usage=Usage(60, 40), served="small-2026-01"
    )


def test_a_message_is_its_text_without_thoughts_and_all_its_tokens() -> None:
    told = message(
        {"type": "thinking", "thinking": "a trap"}, {"type": "text", "text": "y"}, {"type": "text", "text": "es"},
        cache_read_input_tokens=200, cache_creation_input_tokens=10,
    )  # fmt: skip
    assert reply("anthropic", told) == Reply(
        "yes", "complete", "end_turn", usage=Usage(260, 30, cache_read=200, cache_write=10), served="big-2026-01"
    )


def test_tokens_that_were_not_counted_are_not_nought() -> None:
    assert reply("openai", completion("yes", usage=False)).usage == Usage(None, None)


@pytest.mark.parametrize(
    ("told", "finish"),
    [
        (completion('{"a": "b', finish="length"), "cut"),
        (completion(None, finish="length", reasoning_content="hm"), "cut"),
        (completion(None, reasoning_content="hm"), "empty"),
        (completion(""), "empty"),
        (completion("  \n"), "empty"),
        (completion(None, refusal="I can't help with that."), "refused"),
        (completion("I ca", finish="content_filter"), "filtered"),
        (Told({"choices": []}), "empty"),
        (Told({"choices": None}), "empty"),
        (Told({"choices": [{"message": None, "finish_reason": "PROHIBITED_CONTENT"}]}), "filtered"),
        (Told({"choices": [{"message": {"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}}]}), "complete"),
    ],
)  # fmt: skip
def test_how_a_completion_ended_is_a_value(told: Told, finish: str) -> None:
    found = reply("openai", told)
    assert found.finish == finish
    assert bool(found.text) == (told.body == completion('{"a": "b', finish="length").body or finish == "complete")
    assert bool(trouble(request(named("http://h"), max_tokens=5), found)) == (finish != "complete")


@pytest.mark.parametrize(
    ("told", "finish", "text"),
    [
        (message(TEXT, stop="max_tokens"), "cut", '{"a": "b"}'),
        (message(TEXT, stop="model_context_window_exceeded"), "cut", '{"a": "b"}'),
        (message({"type": "text", "text": "I can't."}, stop="refusal"), "refused", ""),
        (message(), "empty", ""),
        (message({"type": "thinking", "thinking": "hm"}), "empty", ""),
        (Told({"content": None}), "empty", ""),
    ],
)
def test_how_a_message_ended_is_a_value(told: Told, finish: str, text: str) -> None:
    found = reply("anthropic", told)
    assert (found.finish, found.text) == (finish, text)


# -- what goes wrong --------------------------------------------------------------------------------------------


@BOTH
@pytest.mark.parametrize(
    ("told", "kind"),
    [
        (error(429, "slow down", {"Retry-After": "2"}), "busy"),
        (error(429, "slow down"), "busy"),
        (error(529, "overloaded", type="overloaded_error"), "busy"),
        (error(503, "later", {"Retry-After": "2"}), "busy"),
        (error(503, "down"), "again"),
        (error(500, "oops"), "again"),
        (error(408, "late"), "again"),
        (Told(b"<html>bad gateway</html>", 502), "again"),
        (Told(b'{"choices": ['), "again"),
        (Told(b"[" * 100_000), "again"),
        (Told([1]), "again"),
        (Told({"error": {"message": "oops"}}), "again"),
        (Told({"error": {"message": "slow", "code": 429}}), "busy"),
        (Told({"a": "b" * 99}, way="half"), "again"),
        (Told({}, way="reset"), "again"),
        (Told(b"none", headers={"Content-Encoding": "gzip"}), "again"),
        (error(401, "wrong", code="invalid_api_key"), "stop"),
        (error(403, "not yours"), "stop"),
        (error(404, "no such model"), "stop"),
        (error(402, "pay first"), "stop"),
        (error(429, "quota", code="insufficient_quota"), "stop"),
        (error(429, "quota", type="insufficient_quota"), "stop"),
        (error(400, "Your credit balance is too low to go on"), "stop"),
        (error(400, "use max_completion_tokens", code="unsupported_parameter", param="max_tokens"), "stop"),
        (Told({}, 307, {"Location": "http://127.0.0.1:9/elsewhere"}), "stop"),
        (error(400, "withheld", code="content_filter"), "rejected"),
        (error(400, "too long", type="exceed_context_size_error"), "rejected"),
        (error(413, "too large"), "rejected"),
    ],
)  # fmt: skip
def test_faults_are_told_apart(provider: str, told: Told, kind: str) -> None:
    assert fault(provider, told).kind == kind


@BOTH
def test_a_closed_port_and_an_unknown_host_are_out_of_reach(provider: str) -> None:
    async def run(root: str) -> None:
        speaker = chat(named(root, provider))
        with pytest.raises(Fault, match=root.removeprefix("http://")) as caught:
            await speaker.ask(request(named(root, provider)))
        await speaker.close()
        assert caught.value.kind == "unreachable"

    async def closed() -> None:
        async with serve(lambda _: completion()) as server:
            pass
        await run(server.root)

    asyncio.run(closed())
    asyncio.run(run("http://nowhere.invalid"))


@BOTH
def test_a_server_that_never_answers_is_a_timeout(provider: str) -> None:
    limits = Limits(connect_timeout=1, total_timeout=0.05)
    assert fault(provider, Told({}, way="hang"), limits=limits).kind == "timeout"


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "2"}, 2.0),
        ({"Retry-After": "0.5"}, 0.5),
        ({"Retry-After-Ms": "20", "Retry-After": "1"}, 0.02),
        ({"Retry-After": "Tue, 01 Dec 2026 10:00:30 GMT", "Date": "Tue, 01 Dec 2026 10:00:00 GMT"}, 30.0),
        ({"Retry-After": "Tue, 01 Dec 2026 09:00:00 GMT", "Date": "Tue, 01 Dec 2026 10:00:00 GMT"}, 0.0),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": "nan"}, None),
        ({"Retry-After": "-3"}, None),
        ({}, None),
    ],
)
def test_how_long_to_wait_is_read_in_every_form(headers: dict[str, str], seconds: float | None) -> None:
    assert fault("openai", error(429, "slow down", headers)).wait == seconds


@BOTH
@pytest.mark.parametrize("status", [400, 401, 404, 429, 500])
def test_no_text_of_a_fault_and_no_log_holds_the_key(
    provider: str, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    told = Told({"error": {"message": f"wrong key {KEY} given", "code": KEY}}, status)
    found = fault(provider, told)
    shown = "".join(traceback.format_exception(found)) + found.hint + repr(found)
    assert KEY not in shown
    assert KEY not in caplog.text
    assert "***" in found.message


def test_a_fault_about_the_key_names_the_variable_and_the_address() -> None:
    found, server = ask("openai", lambda _: error(401, "wrong"))
    refused = found[0]
    assert isinstance(refused, Fault)
    assert "OPENAI_API_KEY" in refused.hint
    assert server.openai in refused.hint
    assert server.openai in refused.message
