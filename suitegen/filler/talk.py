"""What is said in a record: messages as a file has them, and the clean turns they make."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from suitegen.model.history import Role, Turn

Fields = Mapping[str, object]
"""A JSON object."""

LONGEST_TURN = 20_000
"""Characters of a turn; a longer one would outweigh the rest of its history."""
LONGEST_DIALOGUE = 100_000
"""Characters of a dialogue."""

ROLES: Mapping[str, Role] = {
    **dict.fromkeys(("user", "human", "prompter", "customer", "usr"), "user"),
    **dict.fromkeys(("assistant", "gpt", "chatgpt", "model", "ai", "bot", "agent", "sys"), "assistant"),
    **dict.fromkeys(("tool", "function", "observation", "api"), "tool"),
}
"""Names of speakers, in lower case."""
CALL = "function_call"
"""The role of a call without any words."""
LEFT_OUT = ("system", "developer", CALL)
"""Roles whose messages are left out: instructions, and calls, since a tool's message says what they brought."""

_NAME = 64
_SHOWN = 40
"""Characters of a tool's name, and of a text that a report repeats, at most."""

_UNFIT = re.compile("[\x00-\x08\x0e-\x1f\x7f\ud800-\udfff\ufffd-\uffff]")
"""Control characters, lone surrogates and marks of a lost character: nobody said them."""


class Unfit(Exception):
    """Why there is no dialogue in what was read."""


@dataclass(frozen=True, slots=True)
class Said:
    """A message: who speaks and what, neither of them checked."""

    role: object
    text: object
    name: object = None


@dataclass(frozen=True, slots=True)
class Talk:
    """The messages of one dialogue; to go through them may raise ``Unfit``."""

    said: Iterable[Said]
    record: Fields
    """Where its id, licence and source may stand."""
    label: str = ""
    """Which of the record's dialogues it is, where there can be several."""


def turns_of(said: Iterable[Said]) -> tuple[Turn, ...]:
    """Messages as turns, from the first of the user to the last of the assistant.

    Instructions and bare calls are left out, bursts of one speaker joined, loose ends cut.

    Raises:
        Unfit: there is no usable dialogue; the message says why.
    """
    turns = tuple(_trimmed(_joined(turn for index, one in enumerate(said) for turn in _turn(index, one))))
    _check(turns)
    return turns


def shown(value: object) -> str:
    """A text as a report can hold it, whatever is in it."""
    return ascii(value[:_SHOWN]) if isinstance(value, str) else f"of type {type(value).__name__}"


def _turn(index: int, said: Said) -> Iterator[Turn]:
    known = said.role.strip().casefold() if isinstance(said.role, str) else ""
    if known in LEFT_OUT:
        return
    if known not in ROLES:
        raise Unfit(f"message {index}: the role {shown(said.role)} is none of {', '.join([*ROLES, *LEFT_OUT])}")
    role = ROLES[known]
    name = said.name if role == "tool" and isinstance(said.name, str) and _is_name(said.name) else None
    yield Turn(role=role, content=_text(said.text, index, role), name=name)


def _is_name(text: str) -> bool:
    return 0 < len(text) <= _NAME and text.isprintable()


def _text(content: object, index: int, role: Role) -> str:
    """Content as one text: a string, a list of text parts, or what a tool gives."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = [part.get("text") if isinstance(part, dict) else part for part in content]
        texts = [part for part in parts if isinstance(part, str)]
        if texts and len(texts) == len(parts):
            return "\n".join(texts)
    if role == "tool" and content is not None:
        return json.dumps(content, ensure_ascii=False)
    raise Unfit(f"message {index} has {'parts that are not text' if isinstance(content, list) else 'no text'}")


def _joined(turns: Iterable[Turn]) -> list[Turn]:
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
