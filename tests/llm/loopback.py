"""A server on the loopback interface that speaks two wire formats of chat models, and misbehaves on demand."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, Literal


@dataclass(frozen=True)
class Seen:
    """A request as it arrived."""

    number: int
    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]


@dataclass(frozen=True)
class Told:
    """What the server does with a request."""

    body: object = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    way: Literal["whole", "reset", "half", "hang", "trickle"] = "whole"
    after: asyncio.Event | None = None
    """What the server waits for first."""


@dataclass
class Server:
    root: str
    seen: list[Seen] = field(default_factory=list)

    @property
    def openai(self) -> str:
        return f"{self.root}/v1"


def completion(content: object = "yes", *, finish: str | None = "stop", usage: bool = True, **message: object) -> Told:
    """A chat completion in OpenAI's format."""
    data: dict[str, object] = {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "small-2026-01",
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": content, **message}, "finish_reason": finish}
        ],
    }
    if usage:
        data["usage"] = {"prompt_tokens": 60, "completion_tokens": 40, "total_tokens": 100}
    return Told(data)


def message(*blocks: dict[str, object], stop: str = "end_turn", **usage: int) -> Told:
    """A message in Anthropic's format."""
    return Told(
        {
            "id": "m1",
            "type": "message",
            "role": "assistant",
            "model": "big-2026-01",
            "content": list(blocks),
            "stop_reason": stop,
            "usage": {"input_tokens": 50, "output_tokens": 30, **usage},
        }
    )


def error(status: int, words: str = "no", headers: Mapping[str, str] | None = None, **more: object) -> Told:
    """An error in either format."""
    return Told({"type": "error", "error": {"message": words, **more}}, status, headers or {})


@asynccontextmanager
async def serve(rule: Callable[[Seen], Told]) -> AsyncIterator[Server]:
    """A server that asks the rule what to do with each request; ends with everything that hangs on it."""
    tasks: set[asyncio.Task[Any]] = set()

    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        tasks.add(task)
        try:
            while await _one(reader, writer, made, rule):
                pass
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass
        finally:
            tasks.discard(task)
            writer.close()

    listener = await asyncio.start_server(handle, "127.0.0.1", 0)
    made = Server(f"http://127.0.0.1:{listener.sockets[0].getsockname()[1]}")
    try:
        yield made
    finally:
        listener.close()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _one(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, server: Server, rule: Callable[[Seen], Told]
) -> bool:
    """Answer one request; False when the connection is at its end."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode()
    first, *lines = head.split("\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines if line)}
    body = json.loads(await reader.readexactly(int(headers["content-length"])))
    seen = Seen(len(server.seen), first.split()[1], headers, body)
    server.seen.append(seen)
    told = rule(seen)
    if told.after:
        await told.after.wait()
    return await _tell(writer, told)


async def _tell(writer: asyncio.StreamWriter, told: Told) -> bool:
    payload = told.body if isinstance(told.body, bytes) else json.dumps(told.body).encode()
    fields = {"Content-Type": "application/json", "Content-Length": str(len(payload)), **told.headers}
    head = f"HTTP/1.1 {told.status} X\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields.items()) + "\r\n"
    if told.way == "hang":
        await asyncio.Event().wait()
    if told.way == "reset":
        writer.transport.abort()
        return False
    writer.write(head.encode())
    if told.way == "trickle":
        for byte in payload:
            writer.write(bytes([byte]))
            await asyncio.sleep(0.01)
    writer.write(payload[: len(payload) // 2] if told.way == "half" else b"" if told.way == "trickle" else payload)
    await writer.drain()
    if told.way == "half":
        writer.transport.abort()
    return told.way != "half"
