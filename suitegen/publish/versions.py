"""Versions of a published suite: what changed between two, and whether the new number says so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Literal

from suitegen.errors import SuiteError, SuitegenError
from suitegen.publish.canonical import digest
from suitegen.publish.parquet import read_shards
from suitegen.publish.tables import Config

Change = Literal["major", "minor", "patch"]
Version = tuple[int, int, int]
Held = tuple[str, str]
"""The episode of a row, and the SHA-256 of what it says."""
Digests = Mapping[Config, Mapping[object, Held]]
"""For each compared config the rows by their names."""

COMPARED: Mapping[Config, str] = {"sessions": "session_id", "questions": "probe_id", "probes": "probe_id"}
"""The configs that say what a system reads, what it is asked and what is right, by the column that names a row."""
_NOT_CONTENT = frozenset({"canary"})
"""Columns that change with every version."""
_TAG = re.compile(r"v?((\d+)\.(\d+)\.(\d+)(?:-[0-9A-Za-z.-]+)?)")
_SAYS: Mapping[Change, str] = {
    "major": "gold or dialogues of some episodes changed",
    "minor": "episodes were added",
    "patch": "neither gold nor dialogues changed",
}


def check_tag(tag: str | None, version: str) -> None:
    """A tag says the version that the files say.

    Raises:
        SuitegenError: it is no version, or another one.
    """
    if tag is None:
        return
    found = _TAG.fullmatch(tag)
    if found is None:
        raise SuitegenError(f"the tag {tag!r} is no version", hint="a tag is a semantic version, such as v1.2.0")
    if found[1] != version:
        hint = f"publish with --tag v{version}, or set version: {found[1]} in the suite's file and build again"
        raise SuitegenError(f"the tag {tag!r} is not the version of the files, {version}", hint=hint)


def last_before(tag: str, tags: Iterable[str]) -> str | None:
    """The tag of the greatest version below that of ``tag``; tags that are no versions do not count."""
    own = _version(tag)
    known = {name: version for name in tags if (version := _version(name)) is not None}
    below = {name: version for name, version in known.items() if own is not None and version < own}
    return max(below, key=lambda name: below[name], default=None)


def change(before: Path, after: Path) -> Change:
    """What changed between two folders that hold the tables of a suite.

    Changed or missing rows are major, new ones minor. Tables that cannot be read any more count as changed.
    """
    new = digests(after)
    try:
        old = digests(before)
    except SuiteError:
        return "major"
    return step(old, new)


def digests(folder: Path) -> Digests:
    """What the compared tables of a suite hold.

    Raises:
        SuiteError: they cannot be read.
    """
    return {config: _digests(folder, config, key) for config, key in COMPARED.items()}


def step(before: Digests, after: Digests) -> Change:
    """What changed between two suites, by what their tables hold."""
    found: Change = "patch"
    for config, old in before.items():
        new = after[config]
        if any(new.get(name) != value for name, value in old.items()):
            return "major"
        if len(new) > len(old):
            found = "minor"
    return found


def check_step(before: str, tag: str, changed: Change) -> None:
    """The step from one version to the next is as large as its change; below 1.0 the minor number tells of a major one.

    Raises:
        SuitegenError: it is smaller.
    """
    old, new = _version(before), _version(tag)
    if old is None or new is None:
        return
    least = _least(old, changed)
    if new < least:
        number = ".".join(map(str, least))
        hint = f"set version: {number} in the suite's file, build again and publish with --tag v{number}"
        raise SuitegenError(f"{tag} is too small a step from {before}: {_SAYS[changed]}", hint=hint)


def _least(old: Version, changed: Change) -> Version:
    major, minor, patch = old
    if changed == "major" and major:
        return major + 1, 0, 0
    return (major, minor, patch + 1) if changed == "patch" else (major, minor + 1, 0)


def _version(tag: str) -> Version | None:
    found = _TAG.fullmatch(tag)
    return (int(found[2]), int(found[3]), int(found[4])) if found else None


def _digests(folder: Path, config: Config, key: str) -> dict[object, Held]:
    return {
        row[key]: (str(row["episode_id"]), digest({name: row[name] for name in row if name not in _NOT_CONTENT}))
        for row in read_shards(folder, config)
    }
