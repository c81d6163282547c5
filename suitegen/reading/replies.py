"""Replies of readers and memory systems, brought to one form: text by field."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

_FENCE = re.compile(r"^\s*(`{3,}|~{3,})[^\n]*\n(.*?)\n?\s*\1\s*$", re.DOTALL)
_JOINT = "; "


def fields_of(answer: object, names: Sequence[str]) -> dict[str, str]:
    """The answer's text for each of the named fields it gives; empty where nothing can be read.

    A field that is null is given and says nothing: its text is empty.
    A mapping is taken as it is, a JSON object in a text is read, with or without a fence
    or words around it, and any other text answers a question of one field. Names of
    fields are compared without case.
    """
    given = answer if isinstance(answer, Mapping) else _object(answer) if isinstance(answer, str) else None
    if given is None:
        plain = _text(_unfenced(answer) if isinstance(answer, str) else answer)
        return {names[0]: plain} if plain and len(names) == 1 else {}
    folded = {str(key).strip().casefold(): value for key, value in given.items()}
    texts = {name: _text(folded[name.casefold()]) for name in names if name.casefold() in folded}
    return {name: text for name, text in texts.items() if text or folded[name.casefold()] is None}


def _text(value: object) -> str:
    """A value of a reply as text; empty where it says nothing."""
    match value:
        case bool():
            return "yes" if value else "no"
        case str():
            return value.strip()
        case int() | float():
            return str(value)
        case list() | tuple():
            return _JOINT.join(filter(None, map(_text, value)))
        case _:
            return ""


def _unfenced(text: str) -> str:
    match = _FENCE.match(text)
    return match[2] if match else text


def _object(text: str) -> Mapping[str, object] | None:
    """The first JSON object in a text; None where there is none."""
    body = _unfenced(text)
    decoder = json.JSONDecoder(strict=False)
    for match in re.finditer(r"\{", body):
        try:
            value, _ = decoder.raw_decode(body, match.start())
        except RecursionError:
            return None
        except ValueError:  # no JSON, or a number of too many digits
            continue
        if isinstance(value, dict):
            return value
    return None
