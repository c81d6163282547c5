"""Dialogues from an author's own files: what can be read is read, the rest is reported by file and line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from suitegen.errors import AuthorError
from suitegen.filler.digest import content_hash, text_hash
from suitegen.filler.formats import Unfit, read_dialogue
from suitegen.filler.records import SUFFIXES, Record, Skipped, read_records
from suitegen.model.history import Written


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
class _Entry:
    where: str
    written: Written


def read_files(path: Path, license: str) -> Files:
    """Read a file, or every JSON and JSONL file below a folder (also gzipped), in order of name.

    A record's own ``license`` goes before ``license``. Of dialogues with the same turns the
    first is kept, and the others are reported together.

    Raises:
        AuthorError: there is nothing at the path, or no file that could hold dialogues.
    """
    if not path.exists():
        raise AuthorError([f"{path}: there is no such file or folder"], hint="paths are relative to the project")
    folder = path.parent if path.is_file() else path
    paths = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.name.lower().endswith(SUFFIXES))
    if not paths:
        raise AuthorError([f"{path}: no file in it ends in {', '.join(SUFFIXES)}"])
    found = [found for file in paths for found in _found(file, file.relative_to(folder).as_posix(), license)]
    kept, copies = _distinct([entry for entry in found if isinstance(entry, _Entry)])
    return Files(kept, [*(skip for skip in found if isinstance(skip, Skipped)), *copies])


def _found(path: Path, name: str, license: str) -> Iterator[_Entry | Skipped]:
    for record in read_records(path, name):
        if isinstance(record, Skipped):
            yield record
            continue
        where = f"{name}:{record.line}"
        try:
            turns = read_dialogue(record.value)
        except Unfit as error:
            yield Skipped(where, str(error))
        else:
            own = _label(record, "license")
            yield _Entry(where, Written(turns=turns, origin=_origin(record, name), license=own or license))


def _origin(record: Record, name: str) -> str:
    """The file and the record's id, or its line where it has none; and the source it names."""
    source = _label(record, "source")
    return f"files:{name}:{_label(record, 'id') or record.line}" + (f" from {source}" if source else "")


def _label(record: Record, key: str) -> str:
    """A text or number of the record; empty if there is none that a file could hold."""
    value = record.value.get(key) if isinstance(record.value, dict) else None
    text = str(value).strip() if isinstance(value, (str, int)) else ""
    return text if text.isprintable() else ""


def _distinct(entries: Sequence[_Entry]) -> tuple[list[Written], list[Skipped]]:
    """Each text once and each origin once; and a report of the copies."""
    first: dict[str, _Entry] = {}
    copies: dict[str, list[str]] = {}
    origins: set[str] = set()
    for entry in entries:
        key = content_hash(entry.written.turns)
        if key in first:
            copies.setdefault(key, []).append(entry.where)
            continue
        origin = entry.written.origin
        if origin in origins:
            # The line tells entries with the same id apart.
            origin = f"{origin} at {entry.where}"
        origins.add(origin)
        first[key] = _Entry(entry.where, entry.written.model_copy(update={"origin": origin}))
    reports = [
        Skipped(wheres[0], f"the same turns as {first[key].where}; copies left out: {len(wheres)}")
        for key, wheres in copies.items()
    ]
    return [entry.written for entry in first.values()], reports
