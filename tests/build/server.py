"""A server of chat completions on the loopback, in threads of its own."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Seen:
    """A request as it arrived."""

    headers: dict[str, str]
    body: dict[str, Any]


@dataclass
class Server:
    """A server of chat completions, in threads of its own."""

    url: str
    seen: list[Seen] = field(default_factory=list)


Told = str | tuple[int, dict[str, object]]
"""What a reply says; or an error's status and body."""


@contextmanager
def serving(rule: Callable[[Seen], Told]) -> Iterator[Server]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            seen = Seen({name.lower(): value for name, value in self.headers.items()}, json.loads(body))
            made.seen.append(seen)
            told = rule(seen)
            status, data = (200, completion(told)) if isinstance(told, str) else told
            payload = json.dumps(data).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(payload)))
            self.end_headers()
            with suppress(OSError):  # a build may be killed while it waits
                self.wfile.write(payload)

        def log_message(self, *args: object) -> None:
            pass

    listener = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    listener.handle_error = lambda *args: None  # type: ignore[method-assign]
    made = Server(f"http://127.0.0.1:{listener.server_port}/v1")
    thread = threading.Thread(target=listener.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield made
    finally:
        listener.shutdown()
        listener.server_close()


def completion(text: str) -> dict[str, object]:
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 60, "completion_tokens": 40, "total_tokens": 100}
    return {"id": "c", "object": "chat.completion", "created": 1, "model": "small", "choices": [choice], "usage": usage}
