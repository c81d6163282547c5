"""What an exporter is: it writes a suite into an empty folder, and says what its format cannot hold."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from suitegen.errors import SuitegenError
from suitegen.model.episode import Episode
from suitegen.publish.manifest import Suite
from suitegen.publish.package import CHECKSUMS


class Losses:
    """What a format cannot hold, counted while it is written."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()

    def add(self, what: str, times: int = 1) -> None:
        """Count something that is lost or told in another way; ``what`` is a sentence."""
        if times:
            self._seen[what] += times

    def lines(self) -> tuple[Loss, ...]:
        """What was counted, in the order in which it first came up."""
        return tuple(Loss(what, times) for what, times in self._seen.items())


@dataclass(frozen=True, slots=True)
class Loss:
    """Something that the format does not hold, and how often."""

    what: str
    times: int


@dataclass(frozen=True, slots=True)
class Source:
    """The suite that is exported: as files, and as episodes read one at a time."""

    out: Path
    suite: Suite

    def episodes(self) -> Iterator[Episode]:
        """The episodes in the order of the files."""
        yield from self.suite.episodes


Exporter = Callable[[Source, Path, Losses], None]
"""Writes a suite's files into a folder that is empty, and counts what they cannot hold."""


@dataclass(frozen=True, slots=True)
class Export:
    """What was written."""

    format: str
    folder: Path
    files: tuple[str, ...]
    """Paths in the folder."""
    losses: tuple[Loss, ...]
    key: Path | None = None
    """The file that tells which row is which, where the ids are blind."""


def export(name: str, exporter: Exporter, source: Source, folder: Path) -> Export:
    """Write a suite in another format; the folder is there whole or not at all.

    Raises:
        SuitegenError: the folder holds something already, or lies in the suite's.
        OSError: it cannot be written.
    """
    check_place(source.out, folder)
    losses, scratch = Losses(), folder.with_name(f".{folder.name}.part")
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    try:
        exporter(source, scratch, losses)
        if folder.exists():
            folder.rmdir()
        scratch.rename(folder)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    files = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    return Export(name, folder, tuple(files), losses.lines())


def check_place(out: Path, folder: Path) -> None:
    """A folder is new or empty, and no part of the suite.

    Raises:
        SuitegenError: it is not.
    """
    if folder.resolve().is_relative_to(out.resolve()) or (folder / CHECKSUMS).exists():
        raise SuitegenError("that is in a built suite, which is never changed", where=str(folder), hint="name another")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise SuitegenError("it holds something already", where=str(folder), hint="name a new folder with -o")
