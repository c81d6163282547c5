"""YAML events from one of two parsers that read alike: libyaml where it is there, ruamel.yaml otherwise.

libyaml is some twenty-five times as fast, and a library of fact types has thousands of lines.
Texts on which the two could differ, and texts that libyaml refuses, are left to ruamel.yaml,
so what is accepted, how it is read and what an error says never depend on the machine.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import yaml as pyyaml  # type: ignore[import-untyped,unused-ignore]
from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError

Kind = Literal["mapping", "sequence", "end", "scalar", "alias", "document"]

DEPTH_LIMIT = 40
"""How deep lists and mappings may nest."""

_FAST = getattr(pyyaml, "CSafeLoader", None)

_DIFFERENT = re.compile(
    "[\t\x85\u2028\u2029\ufeff]"  # tabs, odd line breaks
    r"|(?:^|[\s,\[{?])\*[^ \n]*:"  # an alias as a key
    r"|(?:^|[\s,\[{?])!"  # a tag
    r"|[|>][-+0-9]*[ ]*(?:#[^\n]*)?\n *\n"  # a block that starts with an empty line
)
"""What the two parsers, or YAML 1.1 and 1.2, read differently."""

_KINDS: dict[str, Kind] = {
    "MappingStartEvent": "mapping",
    "SequenceStartEvent": "sequence",
    "MappingEndEvent": "end",
    "SequenceEndEvent": "end",
    "ScalarEvent": "scalar",
    "AliasEvent": "alias",
    "DocumentStartEvent": "document",
}


_DEEPER: dict[Kind, int] = {"mapping": 1, "sequence": 1, "end": -1}


@dataclass(slots=True)
class Event:
    """One step of a parse; ``start`` and ``end`` are offsets into the text."""

    kind: Kind
    start: int
    end: int
    text: str = ""
    style: str = ""
    """Empty for a plain scalar; else a quote, ``|`` or ``>``."""
    flow: bool = False
    anchor: str | None = None
    tag: str | None = None


class YamlError(Exception):
    """The text is no YAML; ``at`` is the offset of what is wrong, ``opened`` that of what it belongs to."""

    def __init__(self, problem: str, at: int, opened: int | None) -> None:
        super().__init__(problem)
        self.problem = problem
        self.at = at
        self.opened = opened


class TooDeep(Exception):
    """Lists and mappings nest deeper than any file of ours needs; ``at`` is the offset where."""

    def __init__(self, at: int) -> None:
        super().__init__(f"deeper than {DEPTH_LIMIT}")
        self.at = at


def events(text: str) -> list[Event]:
    """All events of a text.

    Raises:
        YamlError: it is no YAML.
        TooDeep: it nests deeper than DEPTH_LIMIT.
    """
    if _FAST is not None and not _DIFFERENT.search(text):
        try:
            return list(_read(pyyaml.parse(text, Loader=_FAST)))
        except pyyaml.YAMLError:
            pass  # ruamel.yaml says what is wrong
    try:
        return list(_read(YAML(typ="safe", pure=True).parse(text)))
    except MarkedYAMLError as error:
        at = error.problem_mark or error.context_mark
        opened = error.context_mark
        problem = error.problem or error.context or "not understood"
        raise YamlError(problem, at.index if at else 0, opened.index if opened else None) from error
    except YAMLError as error:
        raise YamlError(str(error).partition("\n")[0], 0, None) from error


def _read(parsed: Iterator[object]) -> Iterator[Event]:
    depth = 0
    for event in parsed:
        kind = _KINDS.get(type(event).__name__)
        if kind is None:
            continue
        read = _event(kind, event)
        depth += _DEEPER.get(kind, 0)
        if depth > DEPTH_LIMIT:
            # Stops the parser as well: on endless brackets it would take time without end.
            raise TooDeep(read.start)
        yield read


def _event(kind: Kind, event: object) -> Event:
    # The two parsers share names, not classes.
    read = Event(kind, event.start_mark.index, event.end_mark.index)  # type: ignore[attr-defined]
    if kind in ("mapping", "sequence", "scalar", "alias"):
        read.anchor = event.anchor  # type: ignore[attr-defined]
    if kind in ("mapping", "sequence", "scalar"):
        tag = event.tag  # type: ignore[attr-defined]
        read.tag = None if tag is None else str(tag)
    if kind in ("mapping", "sequence"):
        read.flow = bool(event.flow_style)  # type: ignore[attr-defined]
    if kind == "scalar":
        read.text, read.style = event.value, event.style or ""  # type: ignore[attr-defined]
    return read
