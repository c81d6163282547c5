"""A suite as a folder: written whole or not at all, read back exactly, checked by its checksums."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Collection, Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from pydantic import ValidationError

from suitegen.errors import SuiteError
from suitegen.library.templates import TemplateFolder
from suitegen.model.episode import Episode
from suitegen.model.episodes import stored
from suitegen.model.finding import Finding
from suitegen.publish.canonical import document
from suitegen.publish.card import authors_notes, card, configs
from suitegen.publish.croissant import FILE as CROISSANT
from suitegen.publish.croissant import croissant
from suitegen.publish.declarations import FILE as DECLARATIONS
from suitegen.publish.declarations import read_declarations
from suitegen.publish.flat import flat_rows
from suitegen.publish.harness import FILE as EVAL
from suitegen.publish.harness import eval_yaml
from suitegen.publish.manifest import Manifest, Suite, counts
from suitegen.publish.pages import markdown, shipped_templates
from suitegen.publish.parquet import Shards, ShardWriter
from suitegen.publish.report import report
from suitegen.publish.stats import measure
from suitegen.publish.tables import CONFIGS, FLAT, Config, Row, Rows, one_episode, rows

CHANGED = "D001"
"""A published file is not the one that was built."""
GONE = "D002"
"""A published file is missing."""
UNLISTED = "D003"
"""A file would be loaded as data but is not in the checksums."""
INCONSISTENT = "D004"
"""A column does not agree with those from which it follows."""

CHECKSUMS = "checksums.sha256"
HEAD_ENDS = "<!-- generated:end -->"
"""In CHANGELOG.md: what stands below is the author's."""
_SCRATCH = PurePosixPath(".suitegen/package")


def write(
    out: Path, suite: Suite, *, templates: TemplateFolder | None = None, rows_per_shard: int | None = None
) -> None:
    """Writes all files of a suite that are published; the author's parts of README.md and CHANGELOG.md stay.

    Everything is written into a folder of its own under ``out/.suitegen`` (so on the same file
    system) and moved over when it is whole, file by file, the checksums last: a folder whose checksums hold
    was written to the end.

    Raises:
        SuiteError: the manifest does not fit the episodes, an episode or a row cannot be written, or a file
            of the folder has lost the marks of the author's text.
    """
    _check(suite)
    pages = _pages(out, suite, templates or shipped_templates())
    scratch = out / _SCRATCH
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    try:
        _write_tables(scratch, suite, templates or shipped_templates(), rows_per_shard)
        for name, text in pages.items():
            (scratch / name).write_bytes(text.encode())
        (scratch / CROISSANT).write_bytes(croissant(suite.manifest, _sums(scratch)).encode())
        published = _files(scratch)
        sums = "".join(f"{digest}  {name}\n" for name, digest in _sums(scratch).items())
        (scratch / CHECKSUMS).write_text(sums, "utf-8", newline="\n")
        _move(scratch, out, [*published, CHECKSUMS])
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def read(out: Path) -> Suite:
    """A suite from its files.

    Raises:
        SuiteError: a file is missing, cannot be read, or does not agree with the others.
    """
    manifest = read_manifest(out)
    suite = Suite(manifest, _Tables(out).episodes(), read_declarations(out))
    try:
        _check(suite)
    except SuiteError as exc:
        raise SuiteError(exc.message, where=f"{out}: {exc.where}", hint="fetch or build the suite again") from exc
    return suite


def read_manifest(out: Path) -> Manifest:
    """The manifest alone.

    Raises:
        SuiteError: it is missing or damaged.
    """
    path = out / "manifest.json"
    try:
        return Manifest.model_validate_json(path.read_bytes())
    except FileNotFoundError as exc:
        raise SuiteError("there is no manifest, so this is no built suite", where=str(path)) from exc
    except (OSError, ValidationError) as exc:
        raise SuiteError(f"the manifest cannot be read: {exc}", where=str(path)) from exc


def verify_checksums(out: Path) -> tuple[Finding, ...]:
    """What does not agree with ``checksums.sha256``: changed, missing and unlisted files.

    Raises:
        SuiteError: there are no checksums, or they cannot be read.
    """
    expected_by_name = listed(out / CHECKSUMS)
    found: list[Finding] = []
    for name, expected in expected_by_name.items():
        path = out / name
        if not path.is_file():
            found.append(Finding(code=GONE, message=f"{name} is listed in {CHECKSUMS} but is not there"))
        elif _sha256(path) != expected:
            found.append(Finding(code=CHANGED, message=f"{name} is not the file that was built"))
    found += [
        Finding(code=UNLISTED, message=f"{name} is not listed in {CHECKSUMS} but would be loaded as data")
        for name in _shards(out)
        if name not in expected_by_name
    ]
    return tuple(found)


def verify_rows(out: Path) -> tuple[Finding, ...]:
    """Columns that can be computed from others and do not agree with them, a row at a time.

    Raises:
        SuiteError: the suite cannot be read.
    """
    manifest, tables = read_manifest(out), _Tables(out)
    flat = {config: Shards(out, config) for config in configs(manifest)[len(CONFIGS) :]}
    found: list[Finding] = []
    for episode in tables.episodes():
        name = episode.episode_id
        there = {**tables.of(name), **{config: shards.rows(name) for config, shards in flat.items()}}
        prompts = flat_rows(episode, manifest.stamp, manifest.context, shipped_templates())
        for config, made in {**rows(episode, manifest.stamp), **prompts}.items():
            found += _disagreements(name, config, there[config], made)
    return tuple(found)


def _disagreements(episode: str, config: Config, there: Sequence[Row], made: Sequence[Row]) -> Iterator[Finding]:
    if len(there) != len(made):
        message = f"{config} has {len(there)} rows of the episode, not {len(made)}"
        yield Finding(code=INCONSISTENT, message=message, episode=episode)
        return
    for row, expected in zip(there, made, strict=True):
        wrong = [name for name, value in expected.items() if row[name] != value]
        if wrong:
            key = row.get("probe_id") or row.get("event_id") or row.get("session_id") or ""
            message = f"{config} {key}: {', '.join(wrong)} does not agree with the rest of the episode"
            yield Finding(code=INCONSISTENT, message=message, episode=episode)


class _Tables:
    """All tables of a suite's folder, read an episode at a time."""

    def __init__(self, out: Path) -> None:
        self._shards = {config: Shards(out, config) for config in CONFIGS}

    def of(self, episode: str) -> Rows:
        """The rows of an episode."""
        return {config: shards.rows(episode) for config, shards in self._shards.items()}

    def episodes(self) -> Collection[Episode]:
        """The episodes in the order of their rows.

        Raises:
            SuiteError: a row cannot be read, is there twice, or belongs to no episode.
        """
        keys = [key for key in self._shards["episodes"].episodes if key is not None]
        known = frozenset(keys)
        for config, shards in self._shards.items():
            stray = next((key for key in shards.episodes if key not in known), None)
            if stray is not None or None in shards.episodes:
                raise SuiteError("a row belongs to no episode of the suite", where=f"{config}: {stray}")
        return stored(keys, lambda key: one_episode(self.of(key)))


def _check(suite: Suite) -> None:
    """The manifest tells of these episodes, and no id is used twice."""
    planned = suite.manifest.counts.episodes_planned
    if counts(_distinct(suite.episodes), planned) != suite.manifest.counts:
        raise SuiteError("the counts are not those of the episodes", where="manifest.json")


def _distinct(episodes: Iterable[Episode]) -> Iterator[Episode]:
    """The episodes, as long as none has an id, or a probe with an id, that came before."""
    seen: set[tuple[str, str]] = set()
    for episode in episodes:
        for key in [("episode", episode.episode_id), *(("probe", a.question.probe_id) for a in episode.probes)]:
            if key in seen:
                raise SuiteError(f"the {key[0]} id is used twice", where=key[1])
            seen.add(key)
        yield episode


def _write_tables(folder: Path, suite: Suite, templates: TemplateFolder, rows_per_shard: int | None) -> None:
    """All rows by config, an episode at a time."""
    manifest = suite.manifest
    writers = {config: ShardWriter(folder, config, rows_per_shard) for config in configs(manifest)}
    for episode in suite.episodes:
        flat = flat_rows(episode, manifest.stamp, manifest.context, templates)
        for config, made in {**rows(episode, manifest.stamp), **flat}.items():
            writers[config].add(made)
    for writer in writers.values():
        writer.close()


def _pages(out: Path, suite: Suite, templates: TemplateFolder) -> dict[str, str]:
    manifest = suite.manifest
    readme, changelog = out / "README.md", out / "CHANGELOG.md"
    notes = authors_notes(_text(readme), str(readme)) if readme.exists() else "\n"
    return {
        "README.md": card(manifest, notes, templates),
        "LICENSE": _license(manifest),
        "CHANGELOG.md": _changelog(manifest, _text(changelog) if changelog.exists() else None),
        "manifest.json": document(manifest),
        EVAL: eval_yaml(manifest),
        DECLARATIONS: document(suite.declared.model_dump(mode="json", by_alias=True, exclude_unset=True)),
        "report.html": report(suite, measure(suite.episodes), templates),
    }


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode()
    except UnicodeDecodeError as exc:
        raise SuiteError(f"it is not UTF-8 text: {exc}", where=str(path), hint="save it as UTF-8") from exc


def _changelog(manifest: Manifest, before: str | None) -> str:
    head = (
        f"# Changelog of {markdown(manifest.title)}\n\n"
        f"The files are version {markdown(manifest.version)}, spec {manifest.hashes['spec'][:16]}, "
        f"seed {manifest.seeds['suite']}. What stands below the mark is yours and survives a rebuild.\n\n{HEAD_ENDS}"
    )
    if before is None:
        return f"{head}\n\n## {markdown(manifest.version)}\n\n- First build.\n"
    _, mark, below = before.partition(HEAD_ENDS)
    return head + (below if mark else f"\n\n{before}")


def _license(manifest: Manifest) -> str:
    sources = [
        f"- {line.license}: {line.origin} ({line.stretches} stretches, {line.turns} turns)"
        for line in manifest.licenses
    ]
    return "\n".join(
        [
            f"{' '.join(manifest.title.split())}, version {manifest.version}",
            "",
            f"SPDX-License-Identifier: {manifest.license}",
            "",
            "This dataset may be used under the terms of the licence named above. The text of a licence stands at",
            "https://spdx.org/licenses/ under its identifier.",
            "",
            "Its text comes from these sources, each under its own licence; the config `placements` has the details:",
            "",
            *(sources or ["- none"]),
            "",
        ]
    )


def _sums(folder: Path) -> dict[str, str]:
    return {name: _sha256(folder / name) for name in _files(folder)}


def _files(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def _shards(out: Path) -> list[str]:
    """Files that the card's configs would load."""
    return sorted(
        path.relative_to(out).as_posix()
        for config in (*CONFIGS, *FLAT)
        for path in (out / config).glob("test-*.parquet")
    )


def _move(scratch: Path, out: Path, names: Sequence[str]) -> None:
    for name in names[:-1]:
        (out / name).parent.mkdir(exist_ok=True)
        os.replace(scratch / name, out / name)
    for name in _shards(out):
        if name not in names:
            (out / name).unlink()
    os.replace(scratch / names[-1], out / names[-1])


def listed(path: Path) -> dict[str, str]:
    """The names and SHA-256 sums in a file of checksums.

    Raises:
        SuiteError: it cannot be read, or holds a line that is none, or a path that leads out of the folder.
    """
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as exc:
        raise SuiteError(f"the checksums cannot be read: {exc}", where=str(path)) from exc
    return dict(_entry(line, path) for line in lines)


def _entry(line: str, path: Path) -> tuple[str, str]:
    digest, gap, name = line.partition("  ")
    inside = PurePosixPath(name)
    if not gap or not name or inside.is_absolute() or ".." in inside.parts:
        raise SuiteError(f"not a checksum line: {line!r}", where=str(path))
    return name, digest


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
