"""Dialogues from an author's own files: what can be read is read, the rest is reported by file and line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from suitegen.errors import AuthorError
from suitegen.filler.digest import content_hash, text_hash
from suitegen.filler.formats import talks
from suitegen.filler.records import SUFFIXES, Record, Skipped, read_records
from suitegen.filler.talk import Fields, Talk, Unfit, shown, turns_of
from suitegen.filler.threads import as_post, threads
from suitegen.model.history import Turn, Written

IDS = (
    *("id", "conversation_id", "conversationId", "conversation_hash", "dialogue_id", "session_id", "question_id"),
    *("sample_id", "prompt_id", "message_tree_id", "message_id", "user_message_id"),
)
"""Keys at which a record may have a name of its own, the first one first."""


class Files:
    """Dialogues from files; each is a topic of its own."""

    def __init__(self, dialogues: Iterable[Written], skipped: Iterable[Skipped] = ()) -> None:
        self.dialogues: tuple[Written, ...] = tuple(dialogues)
        self.skipped: tuple[Skipped, ...] = tuple(skipped)
        self.counts: Sequence[int] = (1,) * len(self.dialogues)
        """How many distinct dialogues each topic has."""

    @property
    def fingerprint(self) -> str:
        """A hash of the dialogues with their origins and licences."""
        return text_hash(*(written.model_dump_json() for written in self.dialogues))

    def dialogue(self, topic: int, number: int) -> Written:
        """The dialogue of that topic; the only number is 0."""
        return (self.dialogues[topic],)[number]


@dataclass(frozen=True, slots=True)
class _Home:
    """Where records come from: how it is called, and the licence of those that name none."""

    scheme: str
    name: str
    license: str


@dataclass(frozen=True, slots=True)
class _Entry:
    where: str
    written: Written


def read_files(path: Path, license: str) -> Files:
    """Read a file, or every JSON and JSONL file below a folder (also gzipped), in order of name.

    A record's own ``license`` goes before ``license``. Of dialogues with the same turns the
    first is kept, and the others are reported together; what is only the beginning of a longer
    dialogue is left out.

    Raises:
        AuthorError: there is nothing at the path, or no file that could hold dialogues.
    """
    if not path.exists():
        raise AuthorError([f"{path}: there is no such file or folder"], hint="paths are relative to the project")
    folder = path.parent if path.is_file() else path
    paths = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.name.lower().endswith(SUFFIXES))
    if not paths:
        raise AuthorError([f"{path}: no file in it ends in {', '.join(SUFFIXES)}"])
    return gather([(file, file.relative_to(folder).as_posix()) for file in paths], license, "files")


def gather(pages: Iterable[tuple[Path, str]], license: str, scheme: str) -> Files:
    """The dialogues of files, and a report of what is not used.

    Args:
        pages: files, each with its name in origins and reports.
        license: of records that name none.
        scheme: with what origins begin.
    """
    found = [each for path, name in pages for each in _found(path, _Home(scheme, name, license))]
    kept, copies = _distinct([entry for entry in found if isinstance(entry, _Entry)])
    return Files(kept, [*(skip for skip in found if isinstance(skip, Skipped)), *copies])


def _found(path: Path, home: _Home) -> Iterator[_Entry | Skipped]:
    posts: list[tuple[int, Fields]] = []
    for record in read_records(path, home.name):
        if isinstance(record, Skipped):
            yield record
        elif (post := as_post(record.value)) is not None:
            posts.append((record.line, post))
        else:
            yield from _read(record, home)
    found, lost = threads(posts)
    for line, talk in found:
        yield _made(talk, line, home)
    for line in lost:
        yield Skipped(f"{home.name}:{line}", "it answers a message to which no first message in this file leads")


def _read(record: Record, home: _Home) -> Iterator[_Entry | Skipped]:
    where, empty = f"{home.name}:{record.line}", True
    try:
        for talk in talks(record.value):
            empty = False
            yield _made(talk, record.line, home)
    except Unfit as error:
        yield Skipped(where, str(error))
        return
    if empty:
        yield Skipped(where, "it holds no dialogue")


def _made(talk: Talk, line: int, home: _Home) -> _Entry | Skipped:
    where = f"{home.name}:{line}"
    try:
        turns = turns_of(talk.said)
    except Unfit as error:
        return Skipped(where, f"{shown(talk.label)}: {error}" if talk.label else str(error))
    own = _label(talk, "license")
    return _Entry(where, Written(turns=turns, origin=_origin(talk, line, home), license=own or home.license))


def _origin(talk: Talk, line: int, home: _Home) -> str:
    """The file and the record's id, or its line where it has none; and the source it names."""
    source = _label(talk, "source")
    known = next(filter(None, (_label(talk, key) for key in IDS)), str(line))
    part = f"/{talk.label}" if talk.label.isprintable() and talk.label not in ("", known) else ""
    return f"{home.scheme}:{home.name}:{known}{part}" + (f" from {source}" if source else "")


def _label(talk: Talk, key: str) -> str:
    """A text or number of the record; empty if there is none that a file could hold."""
    value = talk.record.get(key)
    text = str(value).strip() if isinstance(value, (str, int)) else ""
    return text if text.isprintable() else ""


def _distinct(entries: Sequence[_Entry]) -> tuple[list[Written], list[Skipped]]:
    """Each text once and each origin once; and a report of what is left out."""
    first: dict[str, _Entry] = {}
    copies: dict[str, list[str]] = {}
    longer: dict[str, str] = {}
    for entry in entries:
        key = content_hash(entry.written.turns)
        if key in first:
            copies.setdefault(key, []).append(entry.where)
            continue
        first[key] = entry
        for start in _beginnings(entry.written.turns):
            longer.setdefault(start, entry.where)
    reports = [
        Skipped(wheres[0], f"the same turns as {first[key].where}; copies left out: {len(wheres)}")
        for key, wheres in copies.items()
    ]
    reports += [
        Skipped(entry.where, f"only the beginning of what stands at {longer[key]}")
        for key, entry in first.items()
        if key in longer
    ]
    return _apart([entry for key, entry in first.items() if key not in longer]), reports


def _beginnings(turns: Sequence[Turn]) -> Iterator[str]:
    """The hashes of the shorter dialogues with which one starts."""
    for length in range(2, len(turns)):
        if turns[length - 1].role == "assistant":
            yield content_hash(turns[:length])


def _apart(entries: Sequence[_Entry]) -> list[Written]:
    """Entries of the same origin told apart by their lines."""
    seen: set[str] = set()
    out = []
    for entry in entries:
        origin = entry.written.origin
        if origin in seen:
            origin = f"{origin} at {entry.where}"
        seen.add(origin)
        out.append(entry.written.model_copy(update={"origin": origin}))
    return out
