"""YAML as authors mean it: every scalar is the text as it is written, and everything has a place.

A file becomes a tree of nodes with offsets. What YAML would quietly change or drop (``no``,
``9:30``, text after `` #``, a second key of the same name) is kept or reported. A line that only
lacks quotes is read as if it had them, so that one run reports the mistakes behind it as well.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeAlias

from suitegen.library.events import DEPTH_LIMIT, Event, TooDeep, YamlError, events
from suitegen.library.mending import mend
from suitegen.library.problem import Problem
from suitegen.model.words import Severity

Loc: TypeAlias = tuple[str | int, ...]
"""Keys and indexes from the top of a file."""
Tree: TypeAlias = "str | list[Tree] | dict[str, Tree] | None"

SIZE_LIMIT = 2_000_000
"""Most bytes of a file."""
NODE_LIMIT = 200_000
"""Most nodes of a file once its aliases are written out."""
NOWHERE = -1
"""The offset of what does not stand in the file."""
TEXT_LIMIT = 20_000
"""Most characters of one text."""
_MENDS, _FEWEST, _EFFORT = 200, 10, 5_000_000
"""How many lines of a file are mended: the most, the fewest, and how many characters may be read anew for it."""
_BAD_CHARACTERS = 20

_FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ue000-\uf8ff\ufffe\uffff]")
_PAIR = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_NULLS = frozenset({"", "~", "null", "Null", "NULL"})
_IGNORE = re.compile(r"#\s*suitegen:\s*ignore\[([A-Z0-9,\s]*)\]")
_TOP = re.compile(r"^([^\s#\[\]{}'\",&*!|>%@`?:-][^:\n]*):(?=\s|$)", re.MULTILINE)
"""A key at the top."""
_ITEM = re.compile(r"\n[ ]*- ")
"""A line like an item of a list, where a text goes on."""
_STR_TAGS = frozenset({None, "!", "tag:yaml.org,2002:str"})


@dataclass(frozen=True, slots=True)
class Scalar:
    """A text; None for a plain null or nothing at all."""

    text: str | None
    at: int
    plain: bool


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    items: tuple[Node, ...]
    at: int


@dataclass(frozen=True, slots=True)
class Entry:
    """A value with the place of its key."""

    key_at: int
    value: Node


@dataclass(frozen=True, slots=True)
class Table:
    """A mapping."""

    entries: Mapping[str, Entry]
    at: int


Node: TypeAlias = "Scalar | Items | Table"


@dataclass(frozen=True, slots=True)
class _Place:
    """Turns offsets of a parsed text into problems of the file as it was written."""

    path: str
    lines: tuple[str, ...]
    """Lines as written."""
    starts: tuple[int, ...]
    """Offsets at which lines start in the parsed text."""
    changed: Mapping[int, str]
    """Rows that were parsed otherwise than they are written."""

    def problem(self, code: str, message: str, at: int, hint: str = "", severity: Severity = "error") -> Problem:
        if at == NOWHERE:
            return Problem(code, message, self.path, hint=hint, severity=severity)
        row = bisect_right(self.starts, at) - 1
        column = at - self.starts[row]
        source = self.lines[row] if row < len(self.lines) else ""
        if row in self.changed:
            column = _column(source, self.changed[row], column)
        return Problem(code, message, self.path, row + 1, column + 1, source, hint, severity)

    def line(self, at: int) -> int:
        return bisect_right(self.starts, at)


@dataclass(frozen=True, slots=True)
class Document:
    """A file as it was read: its nodes (None if it could not be read at all) and what is wrong with it."""

    root: Node | None
    problems: tuple[Problem, ...]
    place: _Place = field(repr=False)
    lost: tuple[str, ...] = ()
    """Keys at the top of which nothing could be read."""

    @property
    def path(self) -> str:
        """The file's name in messages."""
        return self.place.path

    @property
    def lines(self) -> tuple[str, ...]:
        """Lines as written."""
        return self.place.lines

    @property
    def tree(self) -> Tree:
        """Plain lists, mappings and texts."""
        return plain(self.root) if self.root is not None else None

    def node(self, loc: Sequence[str | int]) -> Node | None:
        """The node at a place, or None."""
        here = self.root
        for step in loc:
            here = child(here, step)
        return here

    def offset(self, loc: Sequence[str | int], *, key: bool = False) -> int:
        """Where something stands; of what is not there, where the nearest thing around it does.

        Args:
            loc: keys and indexes from the top; steps that lead nowhere are skipped.
            key: the place of the key in place of its value.
        """
        here = self.root
        at = here.at if here is not None else 0
        for step in loc:
            below = child(here, step)
            if below is None:
                continue
            at = here.entries[str(step)].key_at if key and isinstance(here, Table) else below.at
            here = below
        return at

    def problem(
        self,
        code: str,
        message: str,
        loc: Sequence[str | int] = (),
        *,
        key: bool = False,
        hint: str = "",
        severity: Severity = "error",
    ) -> Problem:
        """A problem of what stands at ``loc``."""
        return self.place.problem(code, message, self.offset(loc, key=key), hint, severity)

    def ignores(self, line: int) -> frozenset[str]:
        """Codes that a comment on the line (from 1) silences."""
        match = _IGNORE.search(self.lines[line - 1]) if 0 < line <= len(self.lines) else None
        return frozenset(code.strip() for code in match[1].split(",")) if match else frozenset()


def child(node: Node | None, step: str | int) -> Node | None:
    """What a key or an index of a node holds, or None."""
    if isinstance(node, Table):
        entry = node.entries.get(str(step))
        return entry.value if entry else None
    if isinstance(node, Items) and isinstance(step, int) and 0 <= step < len(node.items):
        return node.items[step]
    return None


def plain(node: Node) -> Tree:
    """A node as plain lists, mappings and texts."""
    if isinstance(node, Table):
        return {key: plain(entry.value) for key, entry in node.entries.items()}
    if isinstance(node, Items):
        return [plain(item) for item in node.items]
    return node.text


@dataclass(frozen=True, slots=True)
class _Parsed:
    """A text as it was parsed in the end."""

    place: _Place
    text: str
    problems: tuple[Problem, ...]
    events: Sequence[Event] | None
    """None if it is no YAML at all."""
    lost: tuple[str, ...]


# -- reading ----------------------------------------------------------------------------------------------------


def read(path: Path, shown: str) -> Document:
    """Read a file.

    Args:
        path: the file.
        shown: its name in messages.
    """
    try:
        size = path.stat().st_size
        if size > SIZE_LIMIT:
            return _unreadable(
                shown, f"the file has {size} bytes; the most is {SIZE_LIMIT}", "split it into several files"
            )
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        return _unreadable(shown, f"the file cannot be read: {error.strerror or error}", "")
    except UnicodeDecodeError as error:
        return _unreadable(shown, f"the file is not UTF-8 (byte {error.start + 1})", "save it as UTF-8")
    return parse(text, shown)


def parse(text: str, shown: str) -> Document:
    """Read a text as if it stood in a file named ``shown``."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    place = _Place(shown, tuple(text.split("\n")), _starts(text), {})
    problems = list(_bad_characters(text, place))
    parsed = _events(_FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text), place)
    problems += parsed.problems
    root = None
    if parsed.events is not None:
        builder = _Builder(parsed.text, parsed.events, parsed.place)
        root = builder.document()
        problems += builder.problems
    if not isinstance(root, Table):
        return Document(root, tuple(problems), parsed.place)
    nothing = Entry(NOWHERE, Scalar(None, NOWHERE, plain=True))
    root = replace(root, entries={**root.entries, **dict.fromkeys(parsed.lost, nothing)})
    return Document(root, tuple(problems), parsed.place, parsed.lost)


def _unreadable(shown: str, message: str, hint: str) -> Document:
    return Document(None, (Problem("F001", message, shown, hint=hint),), _Place(shown, (), (0,), {}))


def _starts(text: str) -> tuple[int, ...]:
    return (0, *(match.end() for match in re.finditer("\n", text)))


def _bad_characters(text: str, place: _Place) -> Iterator[Problem]:
    for count, match in enumerate(_FORBIDDEN.finditer(text)):
        if count == _BAD_CHARACTERS:
            return
        yield place.problem("F007", _bad_character(match[0]), match.start(), "remove it")


def _bad_character(char: str) -> str:
    if 0xE000 <= ord(char) <= 0xF8FF:
        return f"the private-use character U+{ord(char):04X} has no meaning that others share"
    what = "lone surrogate" if 0xD800 <= ord(char) <= 0xDFFF else "control character"
    return f"the {what} U+{ord(char):04X} cannot stand in a text"


def _events(text: str, place: _Place) -> _Parsed:
    """Parse, quoting what only lacks quotes, and leaving out the blocks that are no YAML."""
    problems: list[Problem] = []
    lost: list[str] = []
    for _ in range(max(_FEWEST, min(_MENDS, _EFFORT // (len(text) + 1)))):
        place = _Place(place.path, place.lines, _starts(text), _changed(place.lines, text))
        try:
            return _Parsed(place, text, tuple(problems), events(text), tuple(lost))
        except TooDeep as error:
            message = f"lists and mappings nest deeper than {DEPTH_LIMIT}"
            problem, at, mended = place.problem("F008", message, error.at), error.at, None
        except YamlError as error:
            mending = mend(text, error)
            problem = place.problem(mending.code, mending.message, mending.at, mending.hint)
            at, mended = mending.at, mending.text
        # Where a guess did not help, what the parser says now is of its own making.
        guessed = problem in problems or (mended is None and any(earlier.code == "F004" for earlier in problems))
        problems += [] if guessed else [problem]
        if mended is None or guessed:
            key, mended = _without(text, at)
            if not key or key in lost:
                return _Parsed(place, text, tuple(problems), None, ())
            lost.append(key)
        text = mended
    message = "the file has more mistakes of this kind than are looked for at once"
    problems.append(replace(problems[-1], code="F002", message=message, hint="mend those before it, and look again"))
    return _Parsed(place, text, tuple(problems), None, ())


def _without(text: str, at: int) -> tuple[str, str]:
    """The key of the block at the top that holds a place, and the text with nothing behind that key."""
    keys = list(_TOP.finditer(text))
    index = bisect_right([match.start() for match in keys], at) - 1
    if index < 0:
        return "", text
    start, end = keys[index].start(), keys[index + 1].start() if index + 1 < len(keys) else len(text)
    key = keys[index][1].rstrip()
    return key, f"{text[:start]}{key}:" + "\n" * text.count("\n", start, end) + text[end:]


def _changed(lines: Sequence[str], text: str) -> dict[int, str]:
    """Rows of the parsed text that differ from the lines as they were written."""
    parsed = text.split("\n")
    return {row: now for row, (was, now) in enumerate(zip(lines, parsed, strict=True)) if was != now}


def _column(written: str, parsed: str, column: int) -> int:
    """The column in a line as written of what stands at a column of it as parsed, where quotes were put in."""
    at = 0
    for position, char in enumerate(parsed[:column]):
        if at < len(written) and written[at] == char:
            at += 1
        elif at < len(written) and written[at] == "\t" and parsed[position - 1 : position + 1] == "  ":
            at += 1  # a tab, written as two spaces
        elif at < len(written) and char == "\N{REPLACEMENT CHARACTER}":
            at += 1
    return min(at, len(written))


# -- building ---------------------------------------------------------------------------------------------------


class _Stop(Exception):
    """The rest of the file is not looked at."""


class _Builder:
    """Builds nodes from events, and notes what authors did not mean."""

    def __init__(self, text: str, parsed: Sequence[Event], place: _Place) -> None:
        self.problems: list[Problem] = []
        self._text = text
        self._events = iter(parsed)
        self._place = place
        self._anchors: dict[str, tuple[Node, int]] = {}
        self._unused: dict[str, int] = {}
        self._size = 0

    def document(self) -> Node | None:
        """The only document of the file."""
        root = None
        try:
            for event in self._events:
                if root is not None:
                    self._note("F009", "a file holds one document; a second one starts here", event.start)
                    break
                if event.kind != "document":
                    root = self._node(event, (event.start, event.start))
        except _Stop:
            return None
        if isinstance(root, Scalar) and root.text is None:
            root = None
        if root is None and not self.problems:
            self._note("F009", "the file is empty", 0)
        for name, at in self._unused.items():
            hint = "if it is meant as text, put it in quotes"
            self._note("F006", f"'&{name}' names an anchor that nothing refers to, and is dropped", at, hint, "warning")
        return root

    def _note(self, code: str, message: str, at: int, hint: str = "", severity: Severity = "error") -> None:
        self.problems.append(self._place.problem(code, message, at, hint, severity))

    def _node(self, event: Event, before: tuple[int, int]) -> Node:
        """The node that starts with an event; ``before`` is where the key or dash stands that it belongs to."""
        self._grow(1, event.start)
        size = self._size
        if event.kind == "alias":
            return self._alias(event)
        if event.kind == "scalar":
            node: Node = self._scalar(event, before)
        elif event.kind == "mapping" and self._text.startswith("{{", event.start):
            node = self._template(event)
        elif event.kind == "mapping":
            node = self._table(event)
        else:
            node = self._list(event)
        if event.anchor is not None:
            self._anchors[event.anchor] = (node, self._size - size + 1)
            if event.kind == "scalar":
                self._unused.setdefault(event.anchor, event.start)
        return node

    def _grow(self, by: int, at: int) -> None:
        self._size += by
        if self._size > NODE_LIMIT:
            self._note("F008", f"written out, the file has more than {NODE_LIMIT} nodes", at, "use fewer aliases")
            raise _Stop

    def _alias(self, event: Event) -> Node:
        name = event.anchor or ""
        if name not in self._anchors:
            message = f"'*{name}' refers to an anchor '&{name}' that does not stand before it"
            self._note("F003", message, event.start, "if it is meant as text, put it in quotes")
            return Scalar(f"*{name}", event.start, plain=True)
        node, size = self._anchors[name]
        self._unused.pop(name, None)
        self._grow(size, event.start)
        return node

    def _template(self, event: Event) -> Scalar:
        """``{{ x }}`` without quotes, which YAML takes for a mapping: read as the text that was meant."""
        self._note("F003", "'{{' without quotes starts a YAML mapping, not a template", event.start, "put it in quotes")
        open_ends, last = 1, event
        while open_ends:
            last = next(self._events)
            open_ends += {"mapping": 1, "sequence": 1, "end": -1}.get(last.kind, 0)
        return Scalar(self._text[event.start : last.end], event.start, plain=False)

    def _scalar(self, event: Event, before: tuple[int, int]) -> Scalar:
        # Where nothing stands, the parsers differ on where that is.
        nothing = not (event.text or event.style or event.anchor or event.tag)
        at, end = before if nothing else (event.start, event.end)
        if event.tag not in _STR_TAGS:
            return self._tagged(event, at)
        if event.style == "":
            if item := _ITEM.search(self._text, event.start, event.end):
                hint = "indent it like the items around it, or put the text in quotes"
                self._note("F002", "this line is read as part of the text above it", item.end() - 2, hint)
            self._check_lost(end, " :" if nothing else " ")
            if event.text == "=":
                self._note("F003", "a plain '=' means something else to other readers of YAML", at, "put it in quotes")
            null = event.text in _NULLS and event.tag is None
            return Scalar(None if null else self._short(event.text, at), at, plain=True)
        text = event.text.strip() if event.style in "|>" else event.text
        # JSON writes characters beyond the first plane as two escapes.
        text = _PAIR.sub(lambda pair: pair[0].encode("utf-16", "surrogatepass").decode("utf-16"), text)
        bad = _FORBIDDEN.search(text)
        if bad:
            self._note("F007", _bad_character(bad[0]), at, "remove it")
        return Scalar(_FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", self._short(text, at)), at, plain=False)

    def _short(self, text: str, at: int) -> str:
        if len(text) > TEXT_LIMIT:
            self._note("F008", f"the text has {len(text)} characters; the most is {TEXT_LIMIT}", at, "shorten it")
        return text[:TEXT_LIMIT]

    def _tagged(self, event: Event, at: int) -> Scalar:
        self._note("F003", "a text that starts with '!' is read as a tag", at, "put it in quotes")
        return Scalar(self._text[event.start : event.end].rstrip(), at, plain=False)

    def _check_lost(self, end: int, skipped: str) -> None:
        """Warn of a plain text that goes on with ``#x``, which YAML drops as a comment."""
        rest = self._text[end : self._text.find("\n", end) % (len(self._text) + 1)]
        comment = rest.lstrip(skipped)
        if comment.startswith("#") and comment[1:2].strip() and comment[1] != "#":
            message = f"the text ends before {comment.split()[0]!r}: ' #' starts a comment"
            hint = "put the whole text in quotes, or a space after the #"
            self._note("F006", message, end + len(rest) - len(comment), hint, "warning")

    def _list(self, event: Event) -> Items:
        self._check_tag(event)
        items: list[Node] = []
        for item in self._events:
            if item.kind == "end":
                break
            dash = max(self._text.rfind("-", 0, item.start + 1), 0)
            items.append(self._node(item, (dash, dash + 1)))
        return Items(tuple(items), event.start)

    def _table(self, event: Event) -> Table:
        self._check_tag(event)
        own: dict[str, Entry] = {}
        merged: dict[str, Entry] = {}
        for key_event in self._events:
            if key_event.kind == "end":
                break
            key = self._key(key_event)
            value = self._node(next(self._events), (key_event.start, key_event.end))
            if key == "<<" and key_event.style == "" and key not in own:
                merged = self._merged(value, key_event.start)
            elif key in own:
                first = self._place.line(own[key].key_at)
                here = self._place.line(key_event.start)
                message = f"the key {key!r} stands twice in one mapping: on line {first} and on line {here}"
                self._note("F005", message, key_event.start, "keep one of them")
            elif key is not None:
                own[key] = Entry(key_event.start, value)
        return Table({**merged, **own}, event.start)

    def _key(self, event: Event) -> str | None:
        node = self._node(event, (event.start, event.end))
        if isinstance(node, Scalar) and node.text is not None:
            return node.text
        if isinstance(node, Scalar):
            # A plain null as a key can only be meant as a word.
            if event.text:
                return event.text
            self._note("F002", "a key is missing before ':'", event.start)
        else:
            self._note("F002", "a key must be a text", event.start, "if it is meant as text, put it in quotes")
        return None

    def _check_tag(self, event: Event) -> None:
        if event.tag not in (None, "!", "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq"):
            self._note("F003", "a text that starts with '!' is read as a tag", event.start, "put it in quotes")

    def _merged(self, value: Node, at: int) -> dict[str, Entry]:
        """Entries of the mappings that ``<<`` names; the first one that has a key gives it."""
        parts = value.items if isinstance(value, Items) else (value,)
        result: dict[str, Entry] = {}
        for part in parts:
            if not isinstance(part, Table):
                self._note("F002", "'<<' takes an alias of a mapping, or a list of such", at)
                continue
            result = {**part.entries, **result}
        return result
