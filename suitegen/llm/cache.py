"""Every reply that was received, in SQLite: asked again, it costs nothing and has the same bytes.

A reply is kept as it came, apart from any reading of it, under a hash of all that could change it. Rows are JSON
text; the file may be shared by threads and processes, and by builds that end at any moment.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from suitegen.errors import SuiteError
from suitegen.llm.protocol import ChatRequest, Message, Reply, Usage

_FORM = 1
"""Version of the table and of what goes into a key."""
_PATIENCE = 60.0
"""Seconds to wait for another process that writes."""
_TABLE = """
CREATE TABLE IF NOT EXISTS replies (
    key TEXT PRIMARY KEY, model TEXT NOT NULL, role TEXT NOT NULL, stage TEXT NOT NULL, attempt INTEGER NOT NULL,
    template TEXT NOT NULL, request TEXT NOT NULL, reply TEXT NOT NULL, input INTEGER, output INTEGER
) WITHOUT ROWID"""


def fingerprint(request: ChatRequest, url: str) -> str:
    """The key of a request: 64 hex digits, the same wherever and whenever it is asked.

    Args:
        request: the request; its role and stage are not part of it.
        url: where it is asked.
    """
    parts = [_FORM, url, request.model.provider, request.model.name, _body(request), request.template, request.attempt]
    return hashlib.sha256(_json(parts).encode()).hexdigest()


def _body(request: ChatRequest) -> dict[str, object]:
    return {
        "messages": [[message.role, message.content] for message in request.messages],
        "parameters": request.parameters.model_dump(exclude_none=True),
        "schema": request.schema,
    }


def _json(value: object) -> str:
    # ASCII: half a surrogate pair, which a model may well send, has no other form on disk.
    return json.dumps(value, sort_keys=True, separators=(",", ":"), allow_nan=False)


@dataclass(frozen=True, slots=True)
class Kept:
    """A reply with what was asked."""

    model: str
    role: str
    stage: str
    attempt: int
    template: str
    messages: tuple[Message, ...]
    reply: Reply


@dataclass(frozen=True, slots=True)
class Measured:
    """What the replies kept for one stage, role and model have used; ``counted`` of them said so."""

    replies: int
    counted: int
    input: int
    output: int


class Cache:
    """The replies of one file, which is made when the first is kept.

    Args:
        path: the file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = None
        self._process = 0

    def find(self, key: str) -> Reply | None:
        """The reply kept under a key.

        Raises:
            SuiteError: the file cannot be read.
        """
        with self._open() as connection:
            row = connection.execute("SELECT reply FROM replies WHERE key = ?", (key,)).fetchone()
        return _reply(row[0]) if row else None

    def keep(self, key: str, request: ChatRequest, reply: Reply) -> Reply:
        """Keep a reply; it outlives the process once this returns.

        Returns:
            The reply kept under the key: the first one, if another process was faster.

        Raises:
            SuiteError: it could not be written; what was kept before is whole.
        """
        row = (
            key, str(request.model), request.role, request.stage, request.attempt, request.template,
            _json(_body(request)), _json(asdict(reply)), reply.usage.input, reply.usage.output,
        )  # fmt: skip
        with self._open() as connection:
            done = connection.execute("INSERT OR IGNORE INTO replies VALUES (?,?,?,?,?,?,?,?,?,?)", row)
            if done.rowcount:
                return reply
            first = connection.execute("SELECT reply FROM replies WHERE key = ?", (key,)).fetchone()
        return _reply(first[0])

    def read(self, key: str) -> Kept | None:
        """A reply with what was asked; None if there is none under the key."""
        with self._open() as connection:
            columns = "model, role, stage, attempt, template, request, reply"
            row = connection.execute(f"SELECT {columns} FROM replies WHERE key = ?", (key,)).fetchone()
        if row is None:
            return None
        messages = tuple(Message(role, content) for role, content in json.loads(row[5])["messages"])
        model, role, stage, attempt, template = row[:5]
        return Kept(model, role, stage, attempt, template, messages, _reply(row[6]))

    def measured(self) -> Mapping[tuple[str, str, str], Measured]:
        """What was used so far by stage, role and model."""
        query = """SELECT stage, role, model, count(*), count(output), coalesce(sum(input), 0), coalesce(sum(output), 0)
                   FROM replies GROUP BY stage, role, model ORDER BY stage, role, model"""
        with self._open() as connection:
            rows = connection.execute(query).fetchall()
        return {(stage, role, model): Measured(*sums) for stage, role, model, *sums in rows}

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            if self._connection is not None and self._process == os.getpid():
                self._connection.close()
            self._connection = None

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        try:
            with self._lock:
                yield self._connected()
        except sqlite3.DatabaseError as error:
            raise SuiteError(
                f"the store of replies cannot be used: {error}", where=str(self.path),
                hint="make room or fix the folder's rights; what a damaged file held has to be asked anew",
            ) from error  # fmt: skip
        except OSError as error:
            raise SuiteError(f"cannot write: {error.strerror}", where=str(self.path)) from error

    def _connected(self) -> sqlite3.Connection:
        # A connection must not be carried through a fork: the child opens its own and leaves this one alone.
        if self._connection is None or self._process != os.getpid():
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._connection = _connect(self.path)
            self._process = os.getpid()
        return self._connection


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        # In WAL mode this survives the end of the process at any moment; only a power cut may lose the latest rows.
        connection.execute("PRAGMA synchronous = NORMAL")
        form = connection.execute("PRAGMA user_version").fetchone()[0]
        if form not in (0, _FORM):
            raise sqlite3.DatabaseError(f"it has form {form}, of another version of this tool")
        connection.execute(_TABLE)
        connection.execute(f"PRAGMA user_version = {_FORM}")
    except sqlite3.Error:
        connection.close()
        raise
    return connection


def _reply(text: str) -> Reply:
    data = json.loads(text)
    return Reply(**{**data, "usage": Usage(**data["usage"])})
