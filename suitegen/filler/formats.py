"""Formats of dialogue records: which keys tell them, and where their messages stand."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle

from suitegen.filler.talk import CALL, Fields, Said, Talk, Unfit, shown
from suitegen.filler.threads import thread

Reader = Callable[[Fields], Iterator[Talk]]

_KEYS = 8
"""Keys of a record that a report repeats, at most."""
_SIDES = ("user", "assistant")
_SPEAKERS = ("role", "from", "speaker")
_TEXTS = ("content", "value", "text", "utterance", "parts", "response")
_CALLS = ("tool_calls", "function_call", "api")
_SESSION = re.compile(r"session_(\d+)")
_ANTHROPIC = re.compile(r"(?:^|\n\n)(Human|Assistant):")
_LLAMA = re.compile(r"\[(/?)INST\]")
_LLAMA_FRAME = re.compile(r"<<SYS>>.*?<</SYS>>|</?s>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Format:
    """A format by the keys that a record must have, and what must stand at the first of them."""

    name: str
    keys: tuple[str, ...]
    read: Reader
    has: Callable[[object], bool] = lambda _: True

    def fits(self, record: Fields) -> bool:
        """Whether a record is of this format."""
        return all(key in record for key in self.keys) and self.has(record[self.keys[0]])


def talks(value: object) -> Iterator[Talk]:
    """The dialogues of a record; none of them is checked yet.

    An object that is of no format but holds records, in ``data`` or under a key each, gives those of all.

    Raises:
        Unfit: the record is of no known format, or not made as its format says.
    """
    fields = _fields(value, "a record")
    if _format(fields) is not None:
        yield from _told(fields)
        return
    held = fields.get("data")
    inner = {str(number): item for number, item in enumerate(held)} if isinstance(held, list) else fields
    if not inner or not all(map(_is_object, inner.values())):
        raise _unknown(fields)
    for name, item in inner.items():
        yield from _inside(name, _fields(item, name))


def _told(record: Fields) -> Iterator[Talk]:
    """The dialogues of a record by its own format."""
    found = _format(record)
    if found is None:
        raise _unknown(record)
    talk = None
    for talk in found.read(record):
        yield talk
    if talk is None:
        raise Unfit("there is no session in it")


def _inside(name: str, record: Fields) -> Iterator[Talk]:
    """The dialogues of a record in a record; what is wrong with one does not touch the others."""
    try:
        for talk in _told(record):
            yield Talk(talk.said, record, "/".join(filter(None, (name, talk.label))))
    except Unfit as error:
        yield Talk(_refused(str(error)), record, name)


def _format(record: Fields) -> Format | None:
    return next((one for one in FORMATS if one.fits(record)), None)


def _unknown(record: Fields) -> Unfit:
    has = ", ".join(map(shown, list(record)[:_KEYS])) or "nothing"
    return Unfit(f"of none of the formats {', '.join(one.name for one in FORMATS)}: it has {has}")


# -- readers ------------------------------------------------------------------------------------------------------


def _at(key: str) -> Reader:
    """A reader of messages that stand under a key."""

    def read(record: Fields) -> Iterator[Talk]:
        yield Talk(_messages(record[key]), record)

    return read


def _messages(value: object) -> Iterator[Said]:
    """Objects with a speaker and a text, by whatever names."""
    names: dict[object, object] = {}
    for index, item in enumerate(_list(value, "the messages")):
        message = _fields(item, f"message {index}")
        names |= _called(message.get("tool_calls"))
        key = next((key for key in _SPEAKERS if key in message), "")
        text = next((message[key] for key in _TEXTS if message.get(key) is not None), None)
        role = message.get(key)
        if text is None and any(message.get(call) for call in _CALLS):
            role = CALL
        elif key == "speaker" and isinstance(role, str) and role.casefold() == "system":
            role = "assistant"  # a speaker is part of the dialogue, where a role may be an instruction
        yield Said(role, text, message.get("name") or names.get(_name(message.get("tool_call_id"))))


def _called(calls: object) -> dict[object, object]:
    """The names of called tools by the ids of the calls."""
    made = [call for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []
    return {_name(call.get("id")): call["function"].get("name") for call in made if _is_object(call.get("function"))}


def _alternating(key: str) -> Reader:
    """A reader of bare texts, the user's first."""

    def read(record: Fields) -> Iterator[Talk]:
        yield Talk(map(Said, cycle(_SIDES), _list(record[key], key)), record)

    return read


def _asked(answer: str, context: str) -> Reader:
    """A reader of one instruction, with what it refers to, and one answer."""

    def read(record: Fields) -> Iterator[Talk]:
        asked: object = record["instruction"]
        if isinstance(asked, str) and (about := record.get(context)):
            asked = f"{asked}\n\n{about}"
        yield Talk((Said("user", asked), Said("assistant", record[answer])), record)

    return read


def _anthropic(record: Fields) -> Iterator[Talk]:
    """A text of paragraphs that start with ``Human:`` or ``Assistant:``; the one that was chosen."""
    yield Talk(_split(record["chosen"], _ANTHROPIC, {"Human": "user", "Assistant": "assistant"}), record)


def _llama(record: Fields) -> Iterator[Talk]:
    """A text in which the user stands between ``[INST]`` and ``[/INST]``."""
    text = _LLAMA_FRAME.sub("", str(record["text"]))
    yield Talk(_split(text, _LLAMA, {"": "user", "/": "assistant"}), record)


def _split(text: object, mark: re.Pattern[str], roles: Mapping[str, str]) -> Iterator[Said]:
    before, *pieces = mark.split(str(text))
    if not pieces or before.strip():
        raise Unfit(f"the text does not start with one of its marks, {mark.pattern}")
    for found, said in zip(pieces[::2], pieces[1::2], strict=True):
        yield Said(roles[found], said.strip())


def _tree(record: Fields) -> Iterator[Talk]:
    yield Talk(thread(_fields(record["prompt"], "the prompt")).said, record)


def _taskmaster_turn(record: Fields) -> Iterator[Talk]:
    """A dialogue up to a point, and what the agent does next, both as JSON texts."""
    yield Talk(_messages([*_list(record["context"], "the context"), _json(record["generation"])]), record)


def _locomo(record: Fields) -> Iterator[Talk]:
    """Sessions of two people; the first speaker is taken for the user."""
    talk = _fields(record["conversation"], "the conversation")
    sides: dict[object, object] = {_name(talk.get("speaker_a")): "user", _name(talk.get("speaker_b")): "assistant"}
    for _, key in sorted((int(match[1]), key) for key in talk if (match := _SESSION.fullmatch(key))):
        yield Talk(_named(talk[key], sides), record, key)


def _named(session: object, sides: Mapping[object, object]) -> Iterator[Said]:
    for said in _messages(session):
        yield Said(sides.get(said.role, said.role), said.text)


def _haystack(record: Fields) -> Iterator[Talk]:
    """The sessions of a question but those that hold its answer."""
    sessions = _list(record["haystack_sessions"], "haystack_sessions")
    ids = _list(record.get("haystack_session_ids", [*map(str, range(len(sessions)))]), "haystack_session_ids")
    answers = {_name(each) for each in _list(record.get("answer_session_ids", []), "answer_session_ids")}
    if len(ids) != len(sessions):
        raise Unfit(f"{len(ids)} session ids for {len(sessions)} sessions")
    for name, session in zip(map(_name, ids), sessions, strict=True):
        said = _refused("it holds the answer to the question") if name in answers else _messages(session)
        yield Talk(said, record, name)


def _refused(reason: str) -> Iterator[Said]:
    raise Unfit(reason)
    yield


# -- values -------------------------------------------------------------------------------------------------------


def _is_object(value: object) -> bool:
    return isinstance(value, dict)


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _starts_with_text(value: object) -> bool:
    return isinstance(value, list) and _is_text(next(iter(value), None))


def _fields(value: object, what: str) -> Fields:
    if not isinstance(value, dict):
        raise Unfit(f"{what} is not an object")
    return value


def _list(value: object, what: str) -> Sequence[object]:
    """A list, the JSON text of one, or one that is kept by columns."""
    found = _json(value) if isinstance(value, str) else value
    columns = list(found.values()) if isinstance(found, dict) else []
    if isinstance(found, dict) and all(isinstance(each, list) for each in columns) and len(set(map(len, columns))) == 1:
        return [dict(zip(found, row, strict=True)) for row in zip(*columns, strict=True)]
    if not isinstance(found, list):
        raise Unfit(f"{what} are not a list")
    return found


def _json(value: object) -> object:
    try:
        return json.loads(value) if isinstance(value, str) else value
    except (ValueError, RecursionError):
        raise Unfit("a text that should be JSON is not") from None


def _name(value: object) -> str:
    return value if isinstance(value, str) else str(value) if isinstance(value, int) else ""


FORMATS: Sequence[Format] = (
    Format("messages", ("messages",), _at("messages")),  # OpenAI, UltraChat-200k, CrossWOZ
    Format("turns", ("turns",), _at("turns")),  # the plain form, SGD
    Format("ShareGPT", ("conversations",), _at("conversations")),
    Format("LoCoMo", ("conversation",), _locomo, _is_object),
    Format("WildChat and LMSYS", ("conversation",), _at("conversation")),
    Format("Gemini", ("contents",), _at("contents")),
    Format("Taskmaster", ("utterances",), _at("utterances")),
    Format("Taskmaster-3 turn", ("context", "generation"), _taskmaster_turn),
    Format("LongMemEval", ("haystack_sessions",), _haystack),
    Format("LongMemEval session", ("session",), _at("session")),
    Format("OASST tree", ("prompt",), _tree, _is_object),
    Format("Anthropic HH", ("chosen", "rejected"), _anthropic, _is_text),
    Format("Alpaca", ("instruction", "output"), _asked("output", "input")),
    Format("Dolly", ("instruction", "response"), _asked("response", "context")),
    Format("Llama-2", ("text",), _llama, _is_text),
    Format("UltraChat", ("data",), _alternating("data"), _starts_with_text),
)
"""The formats; the first one that fits a record decides."""
