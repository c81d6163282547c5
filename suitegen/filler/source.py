"""What a source of background dialogues is, and the sources that a suite names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from suitegen.errors import AuthorError
from suitegen.filler.files import Files, read_files
from suitegen.filler.hub import read_hub
from suitegen.filler.library import Library
from suitegen.filler.records import Skipped
from suitegen.latent.seeds import rng
from suitegen.model.background import Script
from suitegen.model.history import Written
from suitegen.model.suite import FillerSource
from suitegen.values.licenses import conflicts

SAMPLE = 64
"""Dialogues by which a mean length is estimated."""


class Source(Protocol):
    """A supply of background dialogues, in numbered topics."""

    @property
    def counts(self) -> Sequence[int]:
        """How many distinct dialogues each topic has."""

    @property
    def fingerprint(self) -> str:
        """A hash of all that it can give."""

    def dialogue(self, topic: int, number: int) -> Written:
        """The dialogue of that number, from 0 to the topic's count less one."""


def open_sources(
    fillers: Sequence[FillerSource], scripts: Iterable[Script], language: str, root: Path, license: str
) -> tuple[tuple[Source, ...], tuple[Skipped, ...]]:
    """The sources a suite names, and what could not be read from its files.

    Scripts of another language are left out; regions of a language count as one.

    Args:
        fillers: the sources.
        scripts: what the library is made of.
        language: the suite's.
        root: the project's folder, from which paths go and below which rows of datasets are kept.
        license: the suite's.

    Raises:
        AuthorError: a file or folder is missing, a script's lines do not fit its slots, a dataset has
            no such part or no licence, or dialogues are under one that forbids the suite's.
        FetchError: the rows of a dataset cannot be fetched.
    """
    sources: list[Source] = []
    skipped: tuple[Skipped, ...] = ()
    for filler in fillers:
        if filler.source == "library":
            sources.append(Library([script for script in scripts if _tongue(script.language) == _tongue(language)]))
            continue
        files = _READERS[filler.source](filler, root)
        _refuse(files, license)
        sources.append(files)
        skipped += files.skipped
    return tuple(sources), skipped


_READERS: Mapping[str, Callable[[FillerSource, Path], Files]] = {
    "files": lambda filler, root: read_files(root / (filler.path or ""), filler.license or ""),
    "hub": read_hub,
}


def _refuse(files: Files, suite: str) -> None:
    """Refuse dialogues that may not go into a suite under its licence, one message for each licence."""
    origins: dict[str, list[str]] = defaultdict(list)
    for written in files.dialogues:
        origins[written.license].append(written.origin)
    problems = [
        f"{found[0]}: text under {license or 'no licence'} may not go into a suite under {suite}: {why}"
        + (f"; so are {len(found) - 1} more" if found[1:] else "")
        for license, found in sorted(origins.items())
        for why in conflicts(license, suite)
    ]
    if problems:
        raise AuthorError(problems, hint="take other fillers, or give the suite a license that keeps these terms")


def mean_tokens(sources: Sequence[Source], seed: int) -> float:
    """Estimate the mean length of a background dialogue, in tokens (characters / 4); 0.0 without any dialogue.

    A topic is drawn as often as any other, as in the choice of fillers.
    """
    topics = [(source, topic) for source in sources for topic, count in enumerate(source.counts) if count]
    if not topics:
        return 0.0
    random = rng(seed, "filler", "mean_tokens")
    characters = 0
    for _ in range(SAMPLE):
        source, topic = random.choice(topics)
        written = source.dialogue(topic, random.randrange(source.counts[topic]))
        characters += sum(len(turn.content) for turn in written.turns)
    return characters / SAMPLE / 4


def _tongue(language: str) -> str:
    return language.partition("-")[0]
