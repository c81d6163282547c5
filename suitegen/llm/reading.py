"""JSON out of what a model wrote: strictly first, then without what stands around it, then with harmless repairs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from pydantic import JsonValue

_MOST_STARTS = 200
"""Places in a text at which JSON is looked for."""
_WORDS = 300
"""Characters of a misfit that are told."""

_OPEN, _CLOSE = r"(?:<(?:think|thinking|reasoning)>|\[THINK\])", r"(?:</(?:think|thinking|reasoning)>|\[/THINK\])"
_THOUGHT = re.compile(rf"\A\s*{_OPEN}.*?{_CLOSE}", re.DOTALL | re.IGNORECASE)
_THOUGHT_START = re.compile(rf"\A\s*{_OPEN}", re.IGNORECASE)
_THOUGHT_END = re.compile(_CLOSE, re.IGNORECASE)
_FENCE = re.compile(r"(`{3,}|~{3,})[\w-]*\s*\Z")
_BRACKET = re.compile(r"[{\[]")
_JSON_START = re.compile(r"""[{\[]\s*(?:["{}\[\]]|-?\d|true\b|false\b|null\b|\Z)""")
_LOOSE = re.compile(
    r'"(?:[^"\\]|\\.)*"'  # a string stays as it is
    r"|(?P<single>'(?:[^'\\\n]|\\.)*')"
    r"|(?P<comment>//[^\n]*|/\*.*?\*/)"
    r"|\b(?P<word>True|False|None)\b",
    re.DOTALL,
)
_COMMA = re.compile(r'"(?:[^"\\]|\\.)*"|(?P<comma>,)(?=\s*[}\]])', re.DOTALL)
_UNFIT = re.compile("[\\x00\\ud800-\\udfff]")
_NUMBER = re.compile(r"-?(?:0|[1-9]\d{0,17})(?:\.\d{1,17})?", re.ASCII)
_PYTHON = {"True": "true", "False": "false", "None": "null"}


class Unreadable(ValueError):
    """A text holds no answer; the message says why, for a model to mend."""


@dataclass(frozen=True, slots=True)
class Read:
    """An answer, and what had to be done to read it."""

    value: JsonValue
    repairs: tuple[str, ...] = ()


def read(text: str, schema: str) -> Read:
    """The JSON value in a text that fits a schema.

    A value that is not whole is never completed, and of two values that fit neither is chosen over the text around
    it: the first one is the answer.

    Args:
        text: what the model wrote.
        schema: the JSON Schema, as text.

    Raises:
        Unreadable: there is none.
    """
    broken, misfits = "the answer is not JSON: there are only thoughts", ""
    for candidate, repairs in _candidates(text):
        try:
            value, mended = _value(candidate)
        except ValueError as error:
            broken = f"the answer is not JSON: {error}"
            continue
        misfit, typed = _fitted(value, schema)
        if not misfit:
            _check_text(typed)
            retyped = ("text read as its type",) if typed != value else ()
            return Read(typed, (*repairs, *mended, *retyped))
        misfits = misfits or f"the answer does not fit its schema: {misfit}"
    raise Unreadable(misfits or broken)


def _candidates(text: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The texts that may be the answer, the nearest to what was written first, each with what was done."""
    bare = _without_thoughts(text)
    if _THOUGHT_START.match(bare):
        return
    yield text, ()
    done = ("thinking removed",) if bare != text else ()
    if done:
        yield bare, done
    inner = _without_fence(bare)
    if inner != bare:
        done = (*done, "fence removed")
        yield inner, done
    for part in _parts(inner):
        yield part, (*done, "text around it removed")
    start = _BRACKET.search(inner)
    mended = _mended(inner[start.start() :]) if start else ""
    for part in _parts(mended):
        yield part, (*done, "syntax mended")
    if bare != text:
        # The mark of a thought's end may be what somebody says in the answer.
        yield from ((part, ("text around it removed",)) for part in _parts(text) if _THOUGHT_END.search(part))


def _without_thoughts(text: str) -> str:
    """The text behind the thoughts at its start, or behind a closing mark whose opening one was not sent."""
    bare = _THOUGHT.sub("", text, count=1)
    end = _THOUGHT_END.search(bare)
    return bare[end.end() :] if end and not _JSON_START.search(bare[: end.start()].lstrip()[:1]) else bare


def _without_fence(text: str) -> str:
    """The text inside of a fence around all of it, which may lack its end; fences inside stay."""
    first, _, rest = text.strip().partition("\n")
    fence = _FENCE.match(first)
    if not fence:
        return text
    inner = rest.rstrip()
    return inner.removesuffix(fence[1]) if inner.endswith("\n" + fence[1]) else inner


def _parts(text: str) -> Iterator[str]:
    """The whole JSON objects and lists in a text, outermost only, as they are written.

    Nothing inside or behind one that is not whole: that would be a piece of the answer.
    """
    decoder = json.JSONDecoder(strict=False)
    position = 0
    for _ in range(_MOST_STARTS):
        start = _BRACKET.search(text, position)
        if not start:
            return
        try:
            _, end = decoder.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            if _JSON_START.match(text, start.start()):
                return
            position = start.end()
            continue
        yield text[start.start() : end]
        position = end


def _mended(text: str) -> str:
    """The text with comments, commas before a bracket, single quotes and Python's words as JSON has them."""
    return _COMMA.sub(lambda match: "" if match["comma"] else match[0], _LOOSE.sub(_mend, text))


def _mend(match: re.Match[str]) -> str:
    if match["comment"]:
        return ""
    if match["word"]:
        return _PYTHON[match["word"]]
    if match["single"]:
        inner = match["single"][1:-1].replace("\\'", "'")
        return '"' + re.sub(r'(?<!\\)"', r"\"", inner) + '"'
    return match[0]


def _value(text: str) -> tuple[JsonValue, tuple[str, ...]]:
    """The value of a text that is JSON, and what had to be overlooked.

    Raises:
        ValueError: it is not; or a name stands twice in one object.
    """
    try:
        return _loaded(text, strict=True), ()
    except json.JSONDecodeError:
        return _loaded(text, strict=False), ("line breaks inside of text",)


def _loaded(text: str, *, strict: bool) -> JsonValue:
    try:
        value: JsonValue = json.loads(text, strict=strict, parse_constant=_constant, object_pairs_hook=_once)
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    return value


def _constant(name: str) -> None:
    raise ValueError(f"{name} is no number")


def _once(pairs: list[tuple[str, JsonValue]]) -> dict[str, JsonValue]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise ValueError("a name stands twice in one object")
    return made


def _check_text(value: JsonValue) -> None:
    """Nothing, if all text can be written to a file.

    Raises:
        Unreadable: it holds half of a surrogate pair, or a null character.
    """
    if any(_UNFIT.search(text) for text in _texts(value)):
        raise Unreadable("the answer holds characters that no text can have")


def _texts(value: JsonValue) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    parts: Iterable[JsonValue] = value if isinstance(value, list) else ()
    if isinstance(value, dict):
        yield from value
        parts = value.values()
    for part in parts:
        yield from _texts(part)


# -- schemas ----------------------------------------------------------------------------------------------------


@lru_cache(maxsize=1024)
def _compiled(schema: str) -> tuple[Any, Any]:
    from jsonschema import Draft202012Validator

    data = json.loads(schema)
    return data, Draft202012Validator(data)


def _fitted(value: JsonValue, schema: str) -> tuple[str, JsonValue]:
    """Why a value does not fit, empty if it does; and the value, with its types mended if that makes it fit."""
    from jsonschema.exceptions import best_match

    data, validator = _compiled(schema)
    if validator.is_valid(value):
        return "", value
    typed = _typed(value, data, data)
    error = best_match(validator.iter_errors(typed))
    if error is None:
        return "", typed
    where = ".".join(str(step) for step in error.absolute_path)
    return (f"{where}: {error.message}" if where else str(error.message))[:_WORDS], value


def _typed(value: Any, schema: Any, root: Any) -> Any:
    """The value with text that stands for a boolean or a number, where the schema wants one, read as such."""
    if not isinstance(schema, dict):
        return value
    reference = schema.get("$ref")
    if isinstance(reference, str):
        return _typed(value, root.get("$defs", {}).get(reference.rpartition("/")[2]), root)
    if isinstance(value, dict):
        inner = schema.get("properties", {})
        return {name: _typed(part, inner.get(name), root) for name, part in value.items()}
    if isinstance(value, list):
        return [_typed(part, schema.get("items"), root) for part in value]
    return _from_text(value, schema.get("type")) if isinstance(value, str) else value


def _from_text(text: str, wanted: object) -> JsonValue:
    plain = text.strip().lower()
    if wanted == "boolean" and plain in ("true", "false"):
        return plain == "true"
    if wanted in ("integer", "number") and _NUMBER.fullmatch(plain):
        number: JsonValue = json.loads(plain)
        return number
    return text
