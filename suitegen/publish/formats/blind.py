"""Only what a memory system may see, under ids that lead nowhere; a file beside them tells which is which."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from suitegen.errors import SuitegenError
from suitegen.model.episode import Episode
from suitegen.publish.canonical import digest
from suitegen.publish.formats.frame import Export, Losses, Source, export
from suitegen.publish.formats.tables import Writer, write_csv, write_jsonl
from suitegen.publish.parquet import Shards
from suitegen.publish.tables import Config, Row

INPUTS: tuple[Config, ...] = ("sessions", "questions")
_WRITERS: dict[str, Writer] = {"csv": write_csv, "jsonl": write_jsonl}


@dataclass(frozen=True, slots=True)
class Blinds:
    """Ids of the suite to ids that tell nothing; they count up in an order that the suite's canary gives."""

    episodes: dict[str, str]
    sessions: dict[str, str]
    probes: dict[str, str]

    def row(self, row: Row) -> Row:
        """A row of an input under its blind ids."""
        names = {"episode_id": self.episodes, "session_id": self.sessions, "probe_id": self.probes}
        return {column: names[column][str(value)] if column in names else value for column, value in row.items()}

    def lines(self) -> Iterator[str]:
        """The key, as JSON Lines."""
        for kind, ids in (("episode", self.episodes), ("session", self.sessions), ("probe", self.probes)):
            for own, blind in sorted(ids.items(), key=lambda pair: pair[1]):
                yield json.dumps({"kind": kind, "blind": blind, "id": own}) + "\n"


def blinds(source: Source) -> Blinds:
    """The blind ids of a suite; the same for the same suite."""
    salt = source.suite.manifest.canary
    found = Blinds({}, {}, {})
    names = {episode.episode_id: episode for episode in source.episodes()}
    width = len(str(len(names)))
    for number, name in enumerate(_mixed(names, salt), 1):
        found.episodes[name] = f"e{number:0{width}}"
        _inside(found, names[name], salt)
    return found


def export_blind(name: str, source: Source, folder: Path) -> Export:
    """Write the inputs alone; the key is written last, to a file beside the folder.

    Raises:
        SuitegenError: the format has no blind form, the key's file is there, or as ``export`` does.
    """
    if name not in _WRITERS:
        raise SuitegenError(f"{name} has no blind form", hint=f"formats with one: {', '.join(_WRITERS)}")
    key = folder.with_name(f"{folder.name}.key.jsonl")
    if key.exists():
        raise SuitegenError("the key's file is there already", where=str(key), hint="move it away, or name another -o")
    ids, write = blinds(source), _WRITERS[name]

    def exporter(source: Source, folder: Path, losses: Losses) -> None:
        for config in INPUTS:
            write(folder, config, _rows(source, config, ids), losses)

    done = export(name, exporter, source, folder)
    key.write_text("".join(ids.lines()), "ascii", newline="\n")
    return replace(done, key=key)


def _inside(found: Blinds, episode: Episode, salt: str) -> None:
    blind_id = found.episodes[episode.episode_id]
    for session in episode.sessions:
        found.sessions[session.session_id] = f"{blind_id}-s{session.index + 1:03}"
    probes = [asked.question.probe_id for asked in episode.probes]
    for number, probe in enumerate(_mixed(probes, salt), 1):
        found.probes[probe] = f"{blind_id}-q{number:02}"


def _mixed(names: Iterable[str], salt: str) -> list[str]:
    return sorted(names, key=lambda name: digest([salt, name]))


def _rows(source: Source, config: Config, ids: Blinds) -> Iterator[Row]:
    """Rows in the order of their blind ids, since the order of the files is that of the design."""
    shards = Shards(source.out, config)
    for episode in sorted(ids.episodes, key=lambda name: ids.episodes[name]):
        rows = [ids.row(row) for row in shards.rows(episode)]
        yield from sorted(rows, key=lambda row: str(row["session_id" if "session_id" in row else "probe_id"]))
