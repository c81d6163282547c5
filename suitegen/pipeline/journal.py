"""The journal: finished cases, one line each, kept through kill -9 and a full disk.

A line is ``checksum TAB key TAB fingerprint TAB record`` and is whole or counts as absent:
a damaged last line is cut off and its case done again; damage anywhere else is an error,
since then something else than a stopped build wrote to the file.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from suitegen.errors import FolderBusy, SuiteError
from suitegen.model.episode import CaseRecord

FOLDER = ".suitegen"
JOURNAL = "journal.tsv"
LOCK = "lock"


class Journal:
    """The finished cases of one output folder.

    Opening reads where every record stands; records themselves are read when asked for, so
    that a journal larger than memory can be packaged.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._places: dict[str, tuple[str, int, int]] = {}
        self._end = 0
        self._open_ended = False
        """Whether the last record lacks its line end: it was cut there, and is whole."""
        self._file: BinaryIO | None = None
        if path.exists():
            self._scan()

    def _scan(self) -> None:
        with self.path.open("rb") as file:
            start = 0
            for number, line in enumerate(file, 1):
                parsed = _parse(line)
                if parsed is None and not file.read(1):
                    break
                if parsed is None:
                    raise SuiteError(
                        "a record of the journal is damaged",
                        where=f"{self.path}:{number}",
                        hint="restore the file, or delete it to build anew",
                    )
                key, fingerprint, offset, length = parsed
                self._places[key] = (fingerprint, start + offset, length)
                start += len(line)
                self._end = start
                self._open_ended = not line.endswith(b"\n")

    def fingerprint(self, key: str) -> str | None:
        """The fingerprint under which a case was finished; None when it was not."""
        place = self._places.get(key)
        return place[0] if place else None

    def keys(self) -> tuple[str, ...]:
        """The keys of all finished cases, in the order in which they were first finished."""
        return tuple(self._places)

    def read(self, key: str) -> CaseRecord:
        """A finished case's record.

        Raises:
            KeyError: the case was not finished.
        """
        _, offset, length = self._places[key]
        with self.path.open("rb") as file:
            file.seek(offset)
            return CaseRecord.model_validate_json(file.read(length))

    def records(self) -> Iterator[CaseRecord]:
        """All records, one at a time."""
        for key in self._places:
            yield self.read(key)

    def add(self, key: str, body: bytes, fingerprint: str) -> None:
        """Append a record; it is on the disk when this returns.

        Args:
            key: the case's.
            body: the record, as ``text_of`` gives it.
            fingerprint: under which it was finished.

        Raises:
            SuiteError: it could not be written; what was finished before is whole.
        """
        head = f"{key}\t{fingerprint}\t".encode()
        line = _checksum(head + body) + b"\t" + head + body + b"\n"
        if self._open_ended:
            line = b"\n" + line
        try:
            file = self._open()
            file.seek(self._end)
            file.truncate()
            file.write(line)
            file.flush()
            os.fsync(file.fileno())
        except OSError as error:
            raise SuiteError(
                f"cannot write: {error.strerror}", where=str(self.path),
                hint="make room or fix the folder's rights, then build again: finished cases are kept",
            ) from error  # fmt: skip
        self._places[key] = (fingerprint, self._end + len(line) - len(body) - 1, len(body))
        self._end += len(line)
        self._open_ended = False

    def _open(self) -> BinaryIO:
        if self._file is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.touch()
            self._file = self.path.open("r+b")
        return self._file

    def close(self) -> None:
        """Close the file; the journal can still be read."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def text_of(record: CaseRecord) -> bytes:
    """A record as the journal keeps it: JSON on one line."""
    return record.model_dump_json().encode("utf-8", "surrogatepass")


def _checksum(data: bytes) -> bytes:
    return hashlib.sha256(data).hexdigest()[:16].encode()


def _parse(line: bytes) -> tuple[str, str, int, int] | None:
    """Key, fingerprint, and where in the line the record stands; None for a damaged line."""
    body = line[:-1] if line.endswith(b"\n") else line
    parts = body.split(b"\t", 3)
    if len(parts) != 4 or _checksum(body[len(parts[0]) + 1 :]) != parts[0]:
        return None
    offset = len(body) - len(parts[3])
    return parts[1].decode(), parts[2].decode(), offset, len(parts[3])


class Lock:
    """Keeps a second build out of a folder; the system frees it when the process ends, however it ends."""

    def __init__(self, out: Path) -> None:
        self.path = out / FOLDER / LOCK
        self._handle: int | None = None

    def __enter__(self) -> Lock:
        import fcntl

        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
        except OSError as error:
            raise SuiteError(
                f"cannot write here: {error.strerror}",
                where=str(self.path.parent),
                hint="choose another folder with -o",
            ) from error
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            first = os.read(handle, 64).decode(errors="replace").strip() or "unknown"
            os.close(handle)
            raise FolderBusy(
                f"another build (process {first}) is at work in this folder", where=str(self.path.parent.parent),
                hint="wait for it, or build into another folder",
            ) from error  # fmt: skip
        os.ftruncate(handle, 0)
        os.write(handle, str(os.getpid()).encode())
        self._handle = handle
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None
