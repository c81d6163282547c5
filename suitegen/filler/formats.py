"""Formats of dialogue records: which key tells them, and how their turns are read."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby

from suitegen.model.history import Role, Turn

LONGEST_TURN = 20_000
"""Characters of a turn; a longer one would outweigh the rest of its history."""
LONGEST_DIALOGUE = 100_000
"""Characters of a dialogue."""

ROLES: Mapping[str, Role] = {"user": "user", "assistant": "assistant", "tool": "tool"}
INSTRUCTIONS = ("system", "developer")
"""Roles whose messages are left out: they are no part of what was said."""

_NAME = 64
_KEYS = 8
_SHOWN = 40
"""Characters of a name, and keys and characters of a record that a report repeats, at most."""

_UNFIT = re.compile("[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff]")
"""Control characters and lone surrogates: no file format of the suite can hold them all."""


class Unfit(Exception):
    """Why a record gives no dialogue."""


def read_dialogue(record: object) -> tuple[Turn, ...]:
    """The turns of a record, from the first user turn to the last assistant turn.

    Instructions are left out, bursts of one speaker joined, loose ends cut.

    Raises:
        Unfit: the record holds no usable dialogue; the message says why.
    """
    if not isinstance(record, dict):
        raise Unfit("a dialogue is an object")
    for key, read in FORMATS.items():
        if key in record:
            turns = tuple(_trimmed(_joined(read(record[key]))))
            _check(turns)
            return turns
    raise Unfit(
        f"none of the keys {', '.join(FORMATS)}, but {', '.join(map(_shown, list(record)[:_KEYS])) or 'no key'}"
    )


def _openai(messages: object) -> Iterator[Turn]:
    """Messages with role and content, as chat APIs take them."""
    if not isinstance(messages, list):
        raise Unfit("the messages are not a list")
    for index, message in enumerate(messages):
        if not isinstance(message, dict):
            raise Unfit(f"message {index} is not an object")
        role = message.get("role")
        known = role.casefold() if isinstance(role, str) else ""
        if known in INSTRUCTIONS:
            continue
        if known not in ROLES:
            raise Unfit(f"message {index}: the role {_shown(role)} is none of {', '.join([*ROLES, *INSTRUCTIONS])}")
        if message.get("content") is None and message.get("tool_calls"):
            continue  # a bare call: what it brought follows in the tool's message
        name = message.get("name")
        yield Turn(
            role=ROLES[known],
            content=_text(message.get("content"), index),
            name=name if known == "tool" and isinstance(name, str) and _is_name(name) else None,
        )


FORMATS: Mapping[str, Callable[[object], Iterator[Turn]]] = {"messages": _openai, "turns": _openai}
"""The key that tells a format, to the reader of what stands there; the first key that a record has decides."""


def _is_name(text: str) -> bool:
    return 0 < len(text) <= _NAME and text.isprintable()


def _shown(value: object) -> str:
    """A text as a report can hold it, whatever is in it."""
    return ascii(value[:_SHOWN]) if isinstance(value, str) else f"of type {type(value).__name__}"


def _text(content: object, index: int) -> str:
    """Content as one text: a string, or a list of text parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = [part.get("text") if isinstance(part, dict) else None for part in content]
        texts = [part for part in parts if isinstance(part, str)]
        if len(texts) == len(parts):
            return "\n".join(texts)
        raise Unfit(f"message {index} has parts that are not text")
    raise Unfit(f"message {index} has no text")


def _joined(turns: Iterator[Turn]) -> list[Turn]:
    """Bursts of user or assistant turns as one turn each."""
    out: list[Turn] = []
    for role, group in groupby(turns, key=lambda turn: turn.role):
        burst = list(group)
        if role == "tool" or len(burst) == 1:
            out += burst
        else:
            out.append(Turn(role=role, content="\n\n".join(turn.content for turn in burst)))
    return out


def _trimmed(turns: Sequence[Turn]) -> Sequence[Turn]:
    """Without what stands before the first user turn and after the last assistant turn."""
    roles = [turn.role for turn in turns]
    if "user" not in roles or "assistant" not in roles[roles.index("user") :]:
        raise Unfit("no user turn is answered by an assistant turn")
    return turns[roles.index("user") : len(roles) - roles[::-1].index("assistant")]


def _check(turns: Sequence[Turn]) -> None:
    for index, turn in enumerate(turns):
        if turn.role == "user" and turns[index - 1].role == "tool":
            raise Unfit(f"turn {index}: the user speaks before the assistant took up the tool's output")
        if len(turn.content) > LONGEST_TURN:
            raise Unfit(f"turn {index} has {len(turn.content)} characters, more than {LONGEST_TURN}")
        if unfit := _UNFIT.search(turn.content):
            raise Unfit(f"turn {index} holds the character U+{ord(unfit[0]):04X}")
        if all(unicodedata.category(character)[0] in "ZC" for character in turn.content):
            raise Unfit(f"turn {index} is empty")
    total = sum(len(turn.content) for turn in turns)
    if total > LONGEST_DIALOGUE:
        raise Unfit(f"the dialogue has {total} characters, more than {LONGEST_DIALOGUE}")
