"""Answers files: JSON Lines, one answer a line, whoever wrote it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from suitegen.errors import AuthorError

ID, ANSWER = "probe_id", "answer"
"""The keys of a line; others are passed over."""
_HINT = 'a line is {"probe_id": "...", "answer": ...}: text, or an object with the fields of the answer format'


@dataclass(frozen=True, slots=True)
class _Line:
    """A line that could be read."""

    number: int
    probe: str
    answer: object


def parse_answers(data: bytes, name: str) -> Mapping[str, object]:
    """The answers of a file by probe id, in the order of its lines.

    Blank lines, a byte order mark and Windows line ends are passed over. An answer is text, a number,
    a list, or an object by field; what it is worth is for the score to say.

    Args:
        data: the file as bytes, UTF-8.
        name: how the file is called in messages.

    Raises:
        AuthorError: lines that are no answers, or answer a probe twice; all of them, with file and line.
    """
    problems: list[str] = []
    found: dict[str, _Line] = {}
    for line in _lines(data, name, problems):
        if line.probe in found:
            problems.append(f"{name}:{line.number}: {line.probe!r} was answered in line {found[line.probe].number}")
        else:
            found[line.probe] = line
    if problems:
        raise AuthorError(problems, hint=_HINT)
    return {probe: line.answer for probe, line in found.items()}


def _lines(data: bytes, name: str, problems: list[str]) -> Iterator[_Line]:
    # Only a line feed ends a line: other separators are legal inside of JSON text.
    for number, raw in enumerate(data.removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if not raw.strip():
            continue
        read = _read(raw)
        if isinstance(read, str):
            problems.append(f"{name}:{number}: {read}")
        else:
            yield _Line(number, *read)


def _read(raw: bytes) -> tuple[str, object] | str:
    """Probe id and answer of a line, or what is wrong with it."""
    try:
        row = json.loads(raw.decode("utf-8"))
    except UnicodeDecodeError as error:
        return f"this is not UTF-8 text (byte {error.start})"
    except json.JSONDecodeError as error:
        return f"this is no JSON, column {error.colno}: {error.msg}"
    except ValueError:
        # What else Python refuses of JSON: whole numbers of thousands of digits.
        return "this holds a number of too many digits"
    except RecursionError:
        return "this is nested too deeply"
    if not isinstance(row, dict):
        return "this is no JSON object"
    if not isinstance(row.get(ID), str):
        return f"there is no {ID!r} with a text" if ID not in row else f"{ID!r} is no text"
    if ANSWER not in row:
        return f"there is no {ANSWER!r}"
    return row[ID], row[ANSWER]
