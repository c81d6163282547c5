"""A second reading of a suite: every gold answer derived again from the published files alone.

It knows the four tables and the meaning of their words, and nothing of the code that made them.
``differences`` compares what it derives with the gold that stands in the files, ``faults`` checks
that the files agree with one another and the texts with the trace, ``oddities`` lists events that
no coherent timeline has.
"""

from __future__ import annotations

import json
import re
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

Row = dict[str, Any]
Key = tuple[str, str]
"""Entity and attribute."""

STANDING = {"user": 3, "tool": 3, "document": 2, "third_party": 1, "assistant": 0}
TABLES = ("probes", "sessions", "questions", "trace")


# -- the files --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Suite:
    """The rows of the four tables that are read."""

    probes: Sequence[Row]
    sessions: Sequence[Row]
    questions: Sequence[Row]
    trace: Sequence[Row]


def load(folder: Path) -> Suite:
    """The tables of a suite's folder."""
    import pyarrow.parquet as pq

    read = {name: [row for path in sorted((folder / name).glob("*.parquet")) for row in pq.read_table(path).to_pylist()]
            for name in TABLES}  # fmt: skip
    return Suite(**read)


@dataclass(frozen=True)
class Episode:
    """What the four tables say of one episode."""

    id: str
    sessions: dict[str, Row]
    """By session id, in the order of the history."""
    said: tuple[Said, ...]
    """The events in the order in which they are said."""
    probes: tuple[Row, ...]
    questions: dict[str, Row]
    """By probe id."""


def episodes(suite: Suite) -> Iterator[Episode]:
    """The episodes of a suite."""
    grouped: dict[str, dict[str, list[Row]]] = {}
    for name in TABLES:
        for row in getattr(suite, name):
            grouped.setdefault(row["episode_id"], {table: [] for table in TABLES})[name].append(row)
    for key, tables in grouped.items():
        sessions = {row["session_id"]: row for row in sorted(tables["sessions"], key=lambda row: row["index"])}
        yield Episode(
            key,
            sessions,
            in_order(tables["trace"], sessions),
            tuple(tables["probes"]),
            {row["probe_id"]: row for row in tables["questions"]},
        )


# -- what is said -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Said:
    """One event with its place in the history."""

    id: str
    thread: str
    op: str
    key: Key
    says: frozenset[str]
    value: str | None = None
    """The value it is about; known from the text only where ``says`` lists it."""
    old: str | None = None
    speaker: str = "user"
    source: str = "user"
    strength: str = "strong"
    refs: Mapping[str, str] = field(default_factory=dict)
    scope: str | None = None
    trigger: str | None = None
    reason: str | None = None
    session: int = 0
    day: str = ""
    """The day on which it is said."""
    effective: str | None = None
    target: str | None = None
    row: Row = field(default_factory=dict, compare=False, repr=False)

    @property
    def since(self) -> str:
        """The day from which its value holds, as far as the text states it."""
        return self.effective if self.effective and "date" in self.says else self.day

    @property
    def told(self) -> str | None:
        """The value that the text states to hold."""
        return self.value if "value" in self.says else None

    @property
    def former(self) -> str | None:
        """The value that the text states to have held before."""
        if "old" not in self.says:
            return None
        # An event that states only a former value may have it in the one column there is for values.
        return self.old or (self.value if "value" not in self.says else None)

    def names(self, value: str) -> bool:
        """Whether the text states the value."""
        return value in (self.told, self.former)


def in_order(rows: Iterable[Row], sessions: Mapping[str, Row]) -> tuple[Said, ...]:
    """The trace of an episode as it is said; what stands in no session is said nowhere."""
    placed = [row for row in rows if row["session_id"] in sessions]
    placed.sort(key=lambda row: (sessions[row["session_id"]]["index"], row["turn_index"], row["start"]))
    said: list[Said] = []
    for row in placed:
        event = _said(row, sessions[row["session_id"]])
        said.append(event if event.former or "old" not in event.says else replace(event, old=_in_quote(event, said)))
    return tuple(said)


def _in_quote(event: Said, before: Sequence[Said]) -> str | None:
    """Without a column for it, a former value is the one of those told before that stands in the quote."""
    told = {each.told for each in before if each.key == event.key and each.told not in (None, event.told)}
    found = [str(value) for value in told if holds(event.row["quote"], str(value))]
    return found[0] if len(found) == 1 else None


def _said(row: Row, session: Row) -> Said:
    same = ("thread_id", "op", "value", "speaker", "source", "strength", "scope", "trigger", "reason")
    return Said(
        id=row["event_id"],
        key=(row["entity"], row["attribute"]),
        says=frozenset(row["says"]),
        old=row.get("old"),
        refs=json.loads(row["refs"] or "{}"),
        session=session["index"],
        day=session["timestamp"][:10],
        effective=row["effective"] and row["effective"][:10],
        target=row.get("target"),
        row=row,
        **{name.removesuffix("_id"): row[name] for name in same},
    )


def dependencies(said: Iterable[Said]) -> dict[Key, Key]:
    """Which target depends on which: as far as a later event of the whole trace names its cause."""
    known = {each.id: each for each in said}
    return {each.key: known[each.refs["cascades"]].key for each in known.values() if each.refs.get("cascades") in known}


# -- the state of things ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Held:
    """A value that was accepted, in the order of acceptance."""

    value: str
    source: str
    since: str
    by: Said
    change: tuple[Said, ...] = ()
    """The parts of the change that brought it; empty for a value that was simply told."""


@dataclass
class Account:
    """What has been accepted of one target."""

    held: list[Held] = field(default_factory=list)
    waiting: Said | None = None
    """A change that was said without its new value."""
    void: Said | None = None
    """A correction that was said without the right value."""
    unsure: Said | None = None
    """A change of what the target depends on."""
    contested: dict[str, Said] = field(default_factory=dict)
    """Challenges that nothing has settled, by event."""
    untold: int = 0
    """Changes whose new value was never said."""
    ended: list[str] = field(default_factory=list)
    """Values that were said to be past while nothing else was known to hold."""
    retracted: list[str] = field(default_factory=list)
    forgotten: list[str] = field(default_factory=list)
    gone: bool = False
    """Whether all of it is to be forgotten."""

    @property
    def state(self) -> str:
        """One word for how it stands."""
        if self.gone:
            return "forgotten"
        if self.waiting:
            return "pending"
        if self.void:
            return "void"
        if self.unsure:
            return "invalidated"
        if self.contested:
            return "disputed"
        return "active" if self.held else "never"


@dataclass
class Book:
    """All accounts after a prefix of the history."""

    said: Sequence[Said]
    depends: Mapping[Key, Key]
    accounts: dict[Key, Account] = field(default_factory=dict)
    seen: dict[str, Said] = field(default_factory=dict)
    rejected: set[str] = field(default_factory=set)
    """Events that a later one has settled against them."""
    odd: list[tuple[str, str]] = field(default_factory=list)
    """Events that no coherent timeline has, with what is odd."""

    def of(self, key: Key) -> Account:
        """The account of a target."""
        return self.accounts.setdefault(key, Account())


def read(said: Sequence[Said], depends: Mapping[Key, Key]) -> Book:
    """Read the events in order."""
    book = Book(said, depends)
    for event in said:
        book.seen[event.id] = event
        if not event.says:
            continue
        account = book.of(event.key)
        _settle(book, event)
        _former(book, account, event)
        if event.op in ("update", "restore"):
            _change(book, account, event)
        elif event.op == "correct" and "act" in event.says:
            _correct(book, account, event)
        elif event.op in ("remember", "reinforce", "correct"):
            _tell(book, account, event)
        elif event.op == "forget" and "act" in event.says:
            _forget(book, account, event)
        elif event.op == "challenge":
            _challenge(account, event)
        if event.op in ("update", "restore", "correct", "remember") and event.strength == "weak":
            book.odd.append((event.id, "it is weak and accepted"))
    return book


def _settle(book: Book, event: Said) -> None:
    rival = book.seen.get(event.refs.get("resolves", ""))
    if rival is None:
        return
    book.of(rival.key).contested.pop(rival.id, None)
    adopted = event.op in ("update", "restore", "correct", "remember", "reinforce") and event.told == rival.told
    if not adopted:
        book.rejected.add(rival.id)


def _former(book: Book, account: Account, event: Said) -> None:
    """A value that is said to have held before."""
    value = event.former
    if value is None:
        return
    if event.op in ("update", "restore", "correct") and account.held and account.held[-1].value != value:
        book.odd.append((event.id, f"it says that {value} held until then, where {account.held[-1].value} did"))
    if value in [held.value for held in account.held]:
        if (
            event.op == "mention"
            and "act" in event.says
            and account.state == "active"
            and account.held[-1].value == value
        ):
            # Something has changed that was not told; a mention moves nothing else.
            book.odd.append((event.id, f"it says that {value} is past, which holds"))
            account.ended.append(value)
        return
    if value in account.retracted:
        book.odd.append((event.id, f"it says that {value} held before, which was taken back"))
        return
    entry = Held(value, event.source, "", event)
    if event.op in ("update", "restore") or account.waiting or not account.held:
        account.held.append(entry)
    else:
        # When it held is not said; what is told beside it came later.
        account.held.insert(0, entry)
    if event.op == "mention" and len(account.held) == 1:
        account.waiting = event


def _change(book: Book, account: Account, event: Said) -> None:
    first = account.waiting if account.waiting and account.waiting.id == event.refs.get("completes") else None
    value = event.told
    if value is None and event.op == "restore" and "act" in event.says:
        back = book.seen.get(event.refs.get("restores", ""))
        value = back.told if back else None
    if value is None and not event.says & {"act", "trigger"}:
        return
    proved = event.says & {"act", "trigger"} or (account.held and account.held[-1].value != value)
    for key, cause in book.depends.items():
        if proved and cause == event.key and book.of(key).state == "active":
            book.of(key).unsure = event
    if value is None:
        account.untold += account.waiting is not None
        account.waiting = event
        return
    if first is None and account.state == "active" and account.held[-1].value == value:
        if not event.says & {"act", "trigger"}:
            return
        book.odd.append((event.id, f"it changes {value} to itself"))
    if "completes" in event.refs and first is None:
        book.odd.append((event.id, "it completes a change that is not open"))
    back = book.seen.get(event.refs.get("restores", ""))
    if back is not None and back.told != value:
        book.odd.append((event.id, "it restores a value that was not told there"))
    if account.waiting and not first:
        if event.says & {"act", "trigger"}:
            account.untold += 1
        else:
            # A new value that is simply told after a change was announced is that change's.
            first = account.waiting
            book.odd.append((event.id, "it states no change of its own and completes none"))
    parts = (first, event) if first else (event,)
    account.held.append(Held(value, parts[0].source, event.since, event, parts))
    _accepted(account, value)


def _correct(book: Book, account: Account, event: Said) -> None:
    value = event.told
    wrong = account.held.pop() if account.held else None
    if value is None:
        if wrong:
            account.retracted.append(wrong.value)
        account.void = event
        return
    if wrong and wrong.value == value:
        book.odd.append((event.id, f"it corrects {value} to itself"))
    if wrong and wrong.value != value and wrong.value not in [held.value for held in account.held]:
        account.retracted.append(wrong.value)
    # It never was the value that was taken back: there the right one held from then on.
    if not (account.held and account.held[-1].value == value):
        since, change = (wrong.since, wrong.change) if wrong else (event.since, ())
        account.held.append(Held(value, event.source, since, event, change))
    _accepted(account, value)


def _tell(book: Book, account: Account, event: Said) -> None:
    value = event.told
    if value is None:
        return
    if account.gone:
        account.held.clear()
        account.gone = False
    if not account.held or account.held[-1].value != value or account.waiting:
        if account.held and account.state != "forgotten" and account.held[-1].value not in account.forgotten:
            book.odd.append((event.id, f"it tells {value} while {account.held[-1].value} stands, and is no change"))
        account.held.append(Held(value, event.source, event.since, event))
    _accepted(account, value)


def _accepted(account: Account, value: str) -> None:
    account.waiting = account.unsure = account.void = None
    account.ended.clear()
    account.gone = False
    if value in account.forgotten:
        account.forgotten.remove(value)
    if value in account.retracted:
        account.retracted.remove(value)


def _forget(book: Book, account: Account, event: Said) -> None:
    if event.scope == "entity":
        for key, other in book.accounts.items():
            if key[0] == event.key[0] and other.held:
                other.gone = True
    elif event.scope == "value":
        value = event.value or (account.held[-1].value if account.held else None)
        if value is not None:
            account.forgotten.append(value)
    else:
        account.gone = True


def _challenge(account: Account, event: Said) -> None:
    """Only a strong one of at least the standing of what is held makes it disputed."""
    if event.told is None or event.strength == "weak" or account.state not in ("active", "disputed"):
        return
    held = account.held[-1]
    if event.told != held.value and STANDING[event.source] >= STANDING[held.source]:
        account.contested[event.id] = event


# -- the answers ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Answer:
    """The right answer of one field."""

    text: str
    values: tuple[str, ...] = ()
    """All values that must be named: those of a trajectory, or of a dispute."""
    barred: tuple[str, ...] = ()
    """Values that may not be given in its place."""


@dataclass(frozen=True)
class Asked:
    """What a probe asks, in the terms of the trace."""

    type: str
    key: Key
    day: str
    """The day on which it is asked."""
    rival: str | None = None
    premise: str | None = None
    as_of: str | None = None
    """A day."""


def derive(said: Sequence[Said], depends: Mapping[Key, Key], asked: Asked) -> dict[str, Answer]:
    """The gold fields of a probe after the events it may use."""
    book = read(said, depends)
    account = book.of(asked.key)
    match asked.type:
        case "current":
            return {"value": _current(account, asked.day)}
        case "as_of":
            dated = replace(account, held=[held for held in account.held if held.since])
            return {"value": _current(dated, asked.as_of or asked.day)}
        case "previous":
            return {"value": _previous(account, asked.day)}
        case "original":
            return {"value": _original(account)}
        case "trajectory":
            return {"values": _trajectory(account, asked.day)}
        case "change":
            return {"changed": Answer(_changed(account, asked.day))}
        case "changes":
            return {"count": Answer(str(_number(account, asked.day)))}
        case "source":
            return {"source": Answer(_source(book, asked))}
        case "status":
            return {"status": Answer(_status(book, asked))}
        case "conflict":
            status = _status(book, asked)
            applies = "no" if status in ("other_entity", "never_said") else "yes"
            return {"source": Answer(_source(book, asked)), "status": Answer(status), "applies": Answer(applies)}
        case "temporal":
            return _temporal(account, asked.day)
        case "direction":
            return {"direction": _temporal(account, asked.day)["direction"]}
        case "trigger" | "reason":
            parts = _last_change(account) if _changed(account, asked.day) == "yes" else ()
            return {asked.type: _why(parts, asked.type)}
        case "premise":
            now = _current(account, asked.day)
            return {"holds": Answer("yes" if now.text == asked.premise else "no"), "value": now}
        case "original_premise":
            first = _original(account)
            return {"holds": Answer("yes" if first.text == asked.premise else "no"), "value": first}
    raise ValueError(f"a probe of type {asked.type!r} is not known here")


def _until(account: Account, day: str) -> list[Held]:
    """What had been accepted and was in force on a day."""
    return [held for held in account.held if held.since <= day]


def _current(account: Account, day: str) -> Answer:
    then = _until(account, day)
    last = tuple(held.value for held in then[-1:])
    if account.gone or (last and last[0] in account.forgotten):
        return Answer("forgotten", barred=last)
    if account.waiting and account.waiting.since <= day:
        return Answer("unknown", barred=last)
    if account.void or (account.unsure and account.unsure.since <= day):
        return Answer("unknown", barred=last)
    rivals = [event for event in account.contested.values() if event.since <= day]
    if rivals and last:
        return Answer("uncertain", tuple(dict.fromkeys((*last, *(str(event.told) for event in rivals)))))
    coming = account.held[len(then) : len(then) + 1]
    if coming and coming[0].change and coming[0].change[0].since <= day and len(coming[0].change) > 1:
        return Answer("unknown", barred=last)
    return Answer(last[0]) if last else Answer("absent")


def _previous(account: Account, day: str) -> Answer:
    then = [held.value for held in _until(account, day)]
    if account.gone:
        return Answer("forgotten", barred=tuple(then[-1:]))
    before = then if account.state in ("pending", "invalidated", "void") else then[:-1]
    if not before:
        return Answer("none")
    return Answer("forgotten", barred=(before[-1],)) if before[-1] in account.forgotten else Answer(before[-1])


def _original(account: Account) -> Answer:
    if not account.held:
        return Answer("absent")
    first = account.held[0].value
    return Answer("forgotten", barred=(first,)) if account.gone or first in account.forgotten else Answer(first)


def _trajectory(account: Account, day: str) -> Answer:
    values = tuple(held.value for held in _until(account, day))
    if account.gone or set(values) & set(account.forgotten):
        return Answer("forgotten")
    return Answer(" ".join(values), values) if values else Answer("absent")


def _changed(account: Account, day: str) -> str:
    if account.gone or account.state in ("invalidated", "disputed"):
        return "unknown"
    return "yes" if _number(account, day) or account.ended else "no"


def _number(account: Account, day: str) -> int:
    then = _until(account, day)
    # A first known value is a changed one only where the change itself is said.
    first = 1 if then and any(part.says & {"act", "trigger"} for part in then[0].change) else 0
    return first + max(0, len(then) - 1) + account.untold + (1 if account.waiting else 0)


def _last_change(account: Account) -> tuple[Said, ...]:
    if account.waiting:
        return (account.waiting,)
    return next((held.change for held in reversed(account.held) if held.change), ())


def _source(book: Book, asked: Asked) -> str:
    """Of the event that told the named value; without one, of the last accepted change."""
    account = book.of(asked.key)
    if asked.rival is None:
        change = _last_change(account)
        return _teller(book, change[0]) if change else "none"
    for held in reversed(account.held):
        if held.value == asked.rival:
            return _teller(book, held.change[0] if held.change and held.change[-1] == held.by else held.by)
    own = [event for event in book.said if event.key == asked.key and event.names(asked.rival)]
    others = [event for event in book.said if _elsewhere(event, asked.key) and event.names(asked.rival)]
    for events in ([event for event in own if event.op != "mention"], own, others):
        if events:
            return _teller(book, events[-1])
    return "none"


def _teller(book: Book, event: Said) -> str:
    return "stale_tool" if event.source == "tool" and event.id in book.rejected else event.source


def _elsewhere(event: Said, key: Key) -> bool:
    """Whether an event is about the same attribute of another entity."""
    return event.key[1] == key[1] and event.key[0] != key[0]


def _status(book: Book, asked: Asked) -> str:
    account, value = book.of(asked.key), str(asked.rival)
    own = [event for event in book.said if event.key == asked.key and event.names(value)]
    contested = {str(event.told) for event in account.contested.values()}
    if contested:
        contested.add(account.held[-1].value)
    weak = [event for event in own if event.strength == "weak"]
    then = [held.value for held in _until(account, asked.day)]
    coming = [held.value for held in account.held[len(then) :]]
    stands = account.state == "active" and value in (*then[-1:], *coming)
    first_that_fits = (
        (
            "accepted",
            stands and value not in (*account.forgotten, *account.ended),
        ),
        ("past", value in then and value not in contested),
        ("other_entity", any(_elsewhere(event, asked.key) and event.names(value) for event in book.said)),
        ("retracted", value in account.retracted),
        ("disputed", value in contested),
        ("stale", any(event.source == "tool" and event.id in book.rejected for event in own)),
        ("hypothetical", any(event.source == "user" for event in weak)),
        ("unreliable", bool(weak)),
        ("not_accepted", bool(own)),
    )
    return next((name for name, fits in first_that_fits if fits), "never_said")


def _temporal(account: Account, day: str) -> dict[str, Answer]:
    none = Answer("none")
    now = _current(account, day)
    then = _until(account, day)
    known = account.state == "active" and now.text not in ("forgotten", "unknown", "absent")
    if not known or not _number(account, day):
        return {"direction": Answer("no_confirmed_change"), "old": none, "new": none, "trigger": none, "reason": none}
    parts = then[-1].change
    return {
        "direction": Answer("old_to_new"),
        "old": _previous(account, day),
        "new": now,
        "trigger": _why(parts, "trigger"),
        "reason": _why(parts, "reason"),
    }


def _why(parts: Iterable[Said], facet: str) -> Answer:
    """What the parts of a change say of its trigger or its reason."""
    return Answer(next((str(getattr(part, facet)) for part in parts if facet in part.says), "none"))


# -- comparison with the files ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Difference:
    """A field whose gold is not what the trace gives."""

    probe: str
    field: str
    stored: str
    derived: str

    def __str__(self) -> str:
        return f"{self.probe} {self.field}: the files have {self.stored!r}, the trace gives {self.derived!r}"


def differences(suite: Suite) -> list[Difference]:
    """Every gold field of a suite that is not what the trace gives."""
    return [found for episode in episodes(suite) for row in episode.probes for found in compare(episode, row)]


def derived(episode: Episode, row: Row) -> dict[str, Answer]:
    """The gold fields of a probe of an episode.

    Raises:
        LookupError: the files do not say what is asked.
    """
    said = [event for event in episode.said if event.session <= episode.questions[row["probe_id"]]["visible_until"]]
    return derive(said, dependencies(episode.said), asked(episode, row))


def asked(episode: Episode, row: Row) -> Asked:
    """What a probe asks.

    Raises:
        LookupError: the files do not say which entity and attribute it is about.
    """
    asks = json.loads(row["asks"])
    as_of = asks.get("as_of")
    days = {session["index"]: session["timestamp"][:10] for session in episode.sessions.values()}
    return Asked(
        type=row["probe_type"],
        key=(asks["entity"], asks["attribute"])
        if "entity" in asks
        else _about(episode, row["thread_id"], asks["about"]),
        day=episode.questions[row["probe_id"]]["asked_at"][:10],
        rival=asks.get("rival"),
        premise=asks.get("premise"),
        as_of=None if as_of is None else days[int(as_of)],
    )


def _about(episode: Episode, thread: str, member: str) -> Key:
    own = [event for event in episode.said if event.thread == thread]
    named = [event.key for event in own if event.target == member]
    if named:
        return named[0]
    if own and member == "target" and not any(event.target for event in own):
        # Without the member's name in the trace: what a thread first states as true is its target's.
        return next((event.key for event in own if event.op in ("remember", "update")), own[0].key)
    raise LookupError(f"no event says which entity and attribute {member!r} is")


def compare(episode: Episode, row: Row) -> list[Difference]:
    """The fields of one probe whose gold is not what the trace gives."""
    gold = json.loads(row["gold"])
    stored = {each["name"]: each for each in gold["fields"]}
    try:
        right = derived(episode, row)
    except (LookupError, ValueError) as exc:
        return [Difference(row["probe_id"], "*", gold["type"], str(exc))]
    found = [Difference(row["probe_id"], name, "no such field", "") for name in right if name not in stored]
    found += [Difference(row["probe_id"], name, "a field", "no such field") for name in stored if name not in right]
    for name in [name for name in right if name in stored]:
        found += _compare_field(row["probe_id"], stored[name], right[name])
    if gold["type"] != row["probe_type"]:
        found.append(Difference(row["probe_id"], "type", gold["type"], row["probe_type"]))
    return found


def _compare_field(probe: str, stored: Row, right: Answer) -> Iterator[Difference]:
    """Values that must all be named are compared one by one, a single answer as it stands."""
    name, spellings = stored["name"], [each[0] for each in stored["answers"]]
    if stored["form"] == "values" and right.values:
        if tuple(spellings) != right.values:
            yield Difference(probe, name, " > ".join(spellings), " > ".join(right.values))
        return
    if stored["answer"] != right.text:
        yield Difference(probe, name, stored["answer"], right.text)
    elif sorted(spellings) != sorted(right.values):
        yield Difference(probe, f"{name}.answers", " | ".join(spellings), " | ".join(right.values))
    rivals = {spelling for each in stored["rivals"] for spelling in each}
    for value in right.barred:
        if value not in rivals:
            yield Difference(probe, f"{name}.rivals", " | ".join(sorted(rivals)), f"{value} may not be given")


REFUSALS = frozenset({"absent", "forgotten", "unknown", "none"})
"""Answers to which the same replies are right."""


def unproved(suite: Suite) -> list[str]:
    """Evidence from which the gold does not follow, and groups without which it follows as well."""
    return [
        f"{row['probe_id']} {row['probe_type']} {what}"
        for episode in episodes(suite)
        for row in episode.probes
        if _changes(episode, row) < 2
        for what in _unproved(episode, row)
    ]


def _changes(episode: Episode, row: Row) -> int:
    """Of a history with several changes no part can be read for certain: nothing tells where a former value belongs.

    What several threads share is several histories in one: there the changes of the asked one count.
    """
    changes = [event for event in episode.said if event.op in ("update", "restore") and "completes" not in event.refs]
    return sum(not row.get("window") or event.key == asked(episode, row).key for event in changes)


def _unproved(episode: Episode, row: Row) -> Iterator[str]:
    question, depends = asked(episode, row), dependencies(episode.said)
    said = [event for event in episode.said if event.session <= episode.questions[row["probe_id"]]["visible_until"]]
    whole = derive(said, depends, question)
    for proof in json.loads(row["evidence"]):
        name = proof["field"]
        groups = [[(atom["event"], atom["facet"]) for atom in group["of"]] for group in proof["groups"]]
        needs = [group["need"] for group in proof["groups"]]
        for end in ("first", "last"):
            few = {atom for group, need in zip(groups, needs, strict=True)
                   for atom in (group[:need] if end == "first" else group[-need:])}  # fmt: skip
            found = derive(_only(said, few), depends, question)[name]
            if not _same(found, whole[name]):
                yield f"{name}: the {end} of each group give {found.text}, not {whole[name].text}"
        for group, need in zip(groups, needs, strict=True):
            cut = set(group[need - 1 :])
            rest = {(event.id, facet) for event in said for facet in event.says} - cut
            if _same(derive(_only(said, rest), depends, question)[name], whole[name]):
                yield f"{name}: {whole[name].text} follows without {sorted(cut)}"


def _only(said: Iterable[Said], facets: set[tuple[str, str]]) -> list[Said]:
    """The events with no other facets than these; who is not said to have told it is taken for the speaker."""
    kept = []
    for event in said:
        says = frozenset(facet for facet in event.says if (event.id, facet) in facets)
        source = event.speaker if "source" in event.says - says else event.source
        if says:
            kept.append(replace(event, says=says, source=source))
    return kept


def _same(one: Answer, other: Answer) -> bool:
    return (one.text, one.values) == (other.text, other.values) or {one.text, other.text} <= REFUSALS


def oddities(suite: Suite) -> list[str]:
    """Events that no coherent timeline has."""
    return [
        f"{episode.id} {event}: {what}"
        for episode in episodes(suite)
        for event, what in read(episode.said, dependencies(episode.said)).odd
    ]


# -- the files against one another ------------------------------------------------------------------------------

_WORD = re.compile(r"\d+(?:[:.,]\d+)+(?![^\W_])|[^\W_]+")


def untimely(suite: Suite) -> list[str]:
    """Probes at windows that do not fit the history: too early, of a wrong age, or on one side of a change only."""
    return [what for episode in episodes(suite) for what in _untimely(episode)]


def _untimely(episode: Episode) -> Iterator[str]:
    ends: dict[str, int] = {}
    seen: dict[Key, set[int]] = {}
    for row in (row for row in episode.probes if row.get("window")):
        last, key = episode.questions[row["probe_id"]]["visible_until"], asked(episode, row).key
        if ends.setdefault(row["window"], last) != last:
            yield f"{row['probe_id']}: {row['window']} ends with session {ends[row['window']]} and with {last}"
        seen.setdefault(key, set()).add(last)
        told = [event.session for event in episode.said if event.key == key and event.session <= last]
        later = [event.session for event in episode.said if event.key == key and event.session > last]
        if not told and later:
            yield f"{row['probe_id']}: it is asked at {row['window']}, and first said in session {later[0]}"
        if row["memory_age"] != (last - told[0] if told else None):
            yield f"{row['probe_id']}: its memory age is {row['memory_age']}"
        proofs = {
            atom["event"] for proof in json.loads(row["evidence"]) for group in proof["groups"] for atom in group["of"]
        }
        proved = [event.session for event in episode.said if event.id in proofs]
        if row["evidence_age"] != (last - max(proved) if proved else None):
            yield f"{row['probe_id']}: its evidence age is {row['evidence_age']}"
    for event in episode.said:
        windows = seen.get(event.key, set())
        if event.op == "update" and windows and not min(windows) < event.session <= max(windows):
            yield f"{event.id}: there is no window on both sides of it"


def words(text: str) -> list[str]:
    """Runs of letters or digits, times and decimals whole."""
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())


def holds(text: str, value: str) -> bool:
    """Whether the words of a value stand in a text, one after the other."""
    inside, wanted = words(text), words(value)
    return any(inside[at : at + len(wanted)] == wanted for at in range(len(inside) - len(wanted) + 1))


def spellings(suite: Suite) -> dict[str, set[str]]:
    """Each value with all spellings that any gold gives it."""
    found: dict[str, set[str]] = {}
    for row in suite.probes:
        for each in json.loads(row["gold"])["fields"]:
            lists = [*each["answers"], *each["rivals"]]
            if each["form"] == "value":
                lists.append([each["answer"], *each["accepts"]])
            for names in [names for names in lists if names]:
                found.setdefault(names[0], set()).update(names)
    return found


def faults(suite: Suite) -> list[str]:
    """Everything in which the files do not agree with one another, or a text with the trace."""
    known = spellings(suite)
    found: list[str] = []
    for episode in episodes(suite):
        rows = [row for row in suite.trace if row["episode_id"] == episode.id]
        for what in (*_history(episode), *_spans(episode, rows), *_texts(episode, known), *_refs(episode),
                     *(fault for row in episode.probes for fault in _probe(episode, row))):  # fmt: skip
            found.append(f"{episode.id} {what}")
    return found


def _history(episode: Episode) -> Iterator[str]:
    times = [datetime.fromisoformat(session["timestamp"]) for session in episode.sessions.values()]
    if [session["index"] for session in episode.sessions.values()] != list(range(len(times))):
        yield "sessions: the indexes are not 0, 1, 2 and so on"
    if any(later <= earlier for earlier, later in pairwise(times)):
        yield "sessions: the timestamps do not rise"
    if sorted(episode.questions) != sorted(row["probe_id"] for row in episode.probes):
        yield "questions: they are not those of the probes"
    for probe, question in episode.questions.items():
        last = question["visible_until"]
        if not 0 <= last < len(times) or datetime.fromisoformat(question["asked_at"]) <= times[last]:
            yield f"{probe}: it is asked before the last session it may use"


def _spans(episode: Episode, rows: Sequence[Row]) -> Iterator[str]:
    """Every quote stands in its turn, by the right role."""
    if len({row["event_id"] for row in rows}) != len(rows):
        yield "trace: an event is there twice"
    for row in rows:
        name, session = row["event_id"], episode.sessions.get(row["session_id"])
        if session is None or not 0 <= row["turn_index"] < len(session["turns"]):
            yield f"{name}: it is said in no turn of the history"
            continue
        turn = session["turns"][row["turn_index"]]
        if not row["quote"] or turn["content"][row["start"] : row["end"]] != row["quote"]:
            yield f"{name}: its quote does not stand in its turn"
        if turn["role"] != row["speaker"]:
            yield f"{name}: the turn is the {turn['role']}'s, the event the {row['speaker']}'s"


def _texts(episode: Episode, known: Mapping[str, set[str]]) -> Iterator[str]:
    """Every value that is said stands in the quote; the first part of a split does not name the new one."""
    events = {event.id: event for event in episode.said}
    for event in episode.said:
        quote = event.row["quote"]
        for value in (event.told, event.former):
            if value is not None and not any(holds(quote, each) for each in {value, *known.get(value, ())}):
                yield f"{event.id}: {value} is said and not in the quote"
        if "value" in event.says and event.value is None:
            yield f"{event.id}: it says a value and has none"
        if "old" in event.says and event.former is None:
            yield f"{event.id}: it says a former value, and nothing tells which"
        first = events.get(event.refs.get("completes", ""))
        new = event.told
        if first is not None and new is not None:
            session = next(each for each in episode.sessions.values() if each["index"] == first.session)
            for number, turn in enumerate(session["turns"]):
                # A bare figure far from what is said may count anything: the dialogue around it has figures of its own.
                far = new.isdigit() and abs(number - first.row["turn_index"]) > 1
                if not far and any(holds(turn["content"], each) for each in {new, *known.get(new, ())}):
                    yield f"{first.id}: its session names the new value {new} in turn {number}"


def _refs(episode: Episode) -> Iterator[str]:
    place = {event.id: number for number, event in enumerate(episode.said)}
    for event in episode.said:
        for kind, name in event.refs.items():
            if name not in place:
                yield f"{event.id}: it {kind} {name}, which is no event"
            elif place[name] >= place[event.id]:
                yield f"{event.id}: it {kind} {name}, which comes later"


def _probe(episode: Episode, row: Row) -> Iterator[str]:
    """The evidence of a probe is what the trace says, and can be seen when it is asked."""
    probe, question, asks = row["probe_id"], episode.questions[row["probe_id"]], json.loads(row["asks"])
    if row["question"] != question["question"]:
        yield f"{probe}: its question is not the one in questions"
    if asks["asked_after"] != question["visible_until"]:
        yield f"{probe}: it is asked after {asks['asked_after']} and sees until {question['visible_until']}"
    events, used = {event.id: event for event in episode.said}, set()
    for evidence in json.loads(row["evidence"]):
        for group in evidence["groups"]:
            if not 1 <= group["need"] <= len(group["of"]):
                yield f"{probe} {evidence['field']}: a group needs {group['need']} of {len(group['of'])}"
            for atom in group["of"]:
                event = events.get(atom["event"])
                used.add(atom.get("session_id"))
                if event is None or atom["facet"] not in event.says:
                    yield f"{probe} {evidence['field']}: {atom['event']} does not say its {atom['facet']}"
                elif event.session > question["visible_until"]:
                    yield f"{probe} {evidence['field']}: {atom['event']} is said after the probe is asked"
                elif [atom.get(name) for name in ("session_id", "turn", "start", "end")] != [
                    event.row[name] for name in ("session_id", "turn_index", "start", "end")
                ]:
                    yield f"{probe} {evidence['field']}: {atom['event']} is not where the trace has it"
    if row["evidence_session_ids"] != [name for name in episode.sessions if name in used]:
        yield f"{probe}: evidence_session_ids are not the sessions of its evidence"


def altered(suite: Suite, episode: str, event: str, **changes: Any) -> Suite:
    """A suite in which one row of the trace has other values."""
    trace = [
        {**row, **changes} if (row["episode_id"], row["event_id"]) == (episode, event) else row for row in suite.trace
    ]
    return replace(suite, trace=trace)


def main() -> int:
    """Check the suite in the folder that is named on the command line."""
    suite = load(Path(sys.argv[1]))
    found = [*map(str, differences(suite)), *oddities(suite), *faults(suite), *untimely(suite)]
    print("\n".join(found) or f"{len(suite.probes)} probes: no difference")
    return 1 if found else 0


if __name__ == "__main__":
    raise SystemExit(main())
