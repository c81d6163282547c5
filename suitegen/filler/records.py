"""JSON records in files, each with its line; whatever is broken is a value, not a crash."""

from __future__ import annotations

import codecs
import gzip
import json
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

SUFFIXES = (".jsonl", ".json", ".jsonl.gz", ".json.gz")

_WIDE = (
    # UTF-32 first: its little-endian mark starts with that of UTF-16.
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_GZIP = b"\x1f\x8b"
_CHUNK = 1 << 20
_BLANK = " \t\r\n"


@dataclass(frozen=True, slots=True)
class Record:
    """A JSON value and the line on which it starts, from 1."""

    line: int
    value: object


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something in a file that is not used."""

    where: str
    """``file:line``."""
    reason: str


def told(skipped: Sequence[Skipped], most: int = 20) -> tuple[str, ...]:
    """What was skipped and why, a line for each reason with the first place: how many in all, then at most so many."""
    if not skipped:
        return ()
    places: dict[str, list[str]] = {}
    for skip in skipped:
        places.setdefault(skip.reason, []).append(skip.where)
    lines = [
        f"{found[0]}{f' and {len(found) - 1} more' if found[1:] else ''}: {reason}" for reason, found in places.items()
    ]
    rest = (f"and {len(lines) - most} other reasons",) if len(lines) > most else ()
    return (f"{len(skipped)} filler records could not be used", *lines[:most], *rest)


def read_records(path: Path, name: str) -> Iterator[Record | Skipped]:
    """The values of a JSON list, or of a file with one JSON value a line; gzipped or not.

    Lines end at ``\\n`` alone, since JSON text may hold every other line separator. UTF-8 is
    read with or without a byte order mark, UTF-16 and UTF-32 with one. ``name`` stands for
    the file in what is reported.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        yield Skipped(f"{name}:1", f"cannot be read: {error.strerror}")
        return
    if data.startswith(_GZIP):
        data, fault = _unzipped(data)
        if fault:
            yield Skipped(f"{name}:{data.count(10) + 1}", f"the compressed data breaks off: {fault}")
    try:
        data = _narrow(data)
    except UnicodeDecodeError as error:
        yield Skipped(f"{name}:1", f"not {error.encoding.upper()}, although it starts with that mark: {error.reason}")
        return
    start = data.lstrip()[:1]
    if not start:
        yield Skipped(f"{name}:1", "the file is empty")
    elif start == b"[":
        yield from _listed(data, name)
    else:
        yield from _lines(data, name)


def _unzipped(data: bytes) -> tuple[bytes, str]:
    """What could be unpacked, and why there is no more."""
    chunks = []
    stream = gzip.GzipFile(fileobj=BytesIO(data))
    try:
        while chunk := stream.read1(_CHUNK):
            chunks.append(chunk)
    except (EOFError, OSError, zlib.error) as error:
        return b"".join(chunks), str(error)
    return b"".join(chunks), ""


def _narrow(data: bytes) -> bytes:
    """The same text as UTF-8 without a byte order mark."""
    for mark, encoding in _WIDE:
        if data.startswith(mark):
            return data.decode(encoding).encode("utf-8")
    return data.removeprefix(codecs.BOM_UTF8)


def _lines(data: bytes, name: str) -> Iterator[Record | Skipped]:
    lines = data.split(b"\n")
    found = [_parsed(line, number, name) for number, line in enumerate(lines, 1) if line.strip()]
    if isinstance(found[0], Skipped):
        # A single object may be spread over many lines.
        whole = _parsed(data, 1, name)
        if isinstance(whole, Record):
            found = [whole]
    yield from found


def _parsed(data: bytes, line: int, name: str) -> Record | Skipped:
    try:
        return Record(line, json.loads(data.decode("utf-8")))
    except UnicodeDecodeError as error:
        return Skipped(f"{name}:{line}", _not_utf8(error))
    except (ValueError, RecursionError) as error:
        return Skipped(f"{name}:{line}", _not_json(error))


def _listed(data: bytes, name: str) -> Iterator[Record | Skipped]:
    """The items of a list one by one, so that those before a mistake are not lost."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        yield Skipped(f"{name}:{data.count(10, 0, error.start) + 1}", _not_utf8(error))
        return
    decoder = json.JSONDecoder()
    counted, line, items = 0, 1, 0
    position = _past_blank(text, text.index("[") + 1)
    while position < len(text) and text[position] != "]":
        line += text.count("\n", counted, position)
        counted = position
        try:
            value, end = decoder.raw_decode(text, position)
        except (ValueError, RecursionError) as error:
            yield Skipped(f"{name}:{line}", f"the list breaks off here; {_not_json(error)}")
            return
        yield Record(line, value)
        items += 1
        position = _past_blank(text, end)
        if text[position : position + 1] == ",":
            position = _past_blank(text, position + 1)
    if position == len(text):
        yield Skipped(f"{name}:{text.count(chr(10)) + 1}", "the list has no end")
    elif not items:
        yield Skipped(f"{name}:1", "the list is empty")
    elif (rest := _past_blank(text, position + 1)) < len(text):
        yield Skipped(f"{name}:{text.count(chr(10), 0, rest) + 1}", "there is more after the end of the list")


def _past_blank(text: str, position: int) -> int:
    while position < len(text) and text[position] in _BLANK:
        position += 1
    return position


def _not_utf8(error: UnicodeDecodeError) -> str:
    return f"not UTF-8: byte 0x{error.object[error.start]:02x} at byte {error.start + 1}; save the file as UTF-8"


def _not_json(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"not JSON: {error.msg} (column {error.colno})"
    if isinstance(error, RecursionError):
        return "not JSON that can be read: nested too deeply"
    return f"not JSON that can be read: {error}"
