"""What changed from one built suite to another: gold first, since scores before and after it cannot be compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from suitegen.errors import SuitegenError
from suitegen.publish.manifest import Manifest
from suitegen.publish.package import read_manifest
from suitegen.publish.parquet import read_shards
from suitegen.publish.versions import Change, Digests, Held, check_step, digests, step

Label = tuple[str, str, str, str]
"""Paradigm, condition, expected behaviour, domain."""


@dataclass(frozen=True, slots=True)
class GoldChange:
    """A probe of both suites whose right answer is another one; of text that is the same only the key differs."""

    probe_id: str
    episode_id: str
    question: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Shift:
    """A figure of both suites; None where one has it not."""

    name: str
    before: float | str | None
    after: float | str | None


@dataclass(frozen=True, slots=True)
class Diff:
    """What changed between two suites."""

    before: str
    """Suite and version."""
    after: str
    gold: tuple[GoldChange, ...]
    added: tuple[str, ...]
    """Episodes that only the second has."""
    removed: tuple[str, ...]
    changed: tuple[tuple[str, tuple[str, ...]], ...]
    """Episodes of both, with the configs in which they differ."""
    composition: tuple[Shift, ...]
    """Episodes by condition and domain."""
    scores: tuple[Shift, ...]
    """Verdicts and figures of validators."""
    change: Change
    """How large a step of the version it asks for."""
    warnings: tuple[str, ...]

    @property
    def same(self) -> bool:
        """Whether nothing is different."""
        parts = (self.gold, self.added, self.removed, self.changed, self.composition, self.scores)
        return self.before == self.after and not any(parts)


def diff(before: Path, after: Path) -> Diff:
    """What changed between two built suites.

    Args:
        before: the folder of the older one.
        after: that of the newer one.

    Raises:
        SuiteError: one of them cannot be read.
    """
    old, new = read_manifest(before), read_manifest(after)
    episodes = _episodes(before), _episodes(after)
    held = digests(before), digests(after)
    gold = tuple(_gold(before, after))
    added = tuple(name for name in episodes[1] if name not in episodes[0])
    removed = tuple(name for name in episodes[0] if name not in episodes[1])
    size = step(*held)
    return Diff(
        f"{old.suite} {old.version}", f"{new.suite} {new.version}", gold, added, removed,
        tuple((name, tuple(sorted(configs))) for name, configs in _changed(*held).items()),
        tuple(_shifts(_composition(old), _composition(new))), tuple(_shifts(_scores(old), _scores(new))),
        size, tuple(_warnings(old, new, size, len(gold))),
    )  # fmt: skip


def _warnings(old: Manifest, new: Manifest, size: Change, gold: int) -> Iterator[str]:
    if old.suite != new.suite:
        yield f"these are two suites, {old.suite} and {new.suite}"
        return
    if old.version == new.version:
        if size != "patch":
            others = "episodes were added" if size == "minor" else "what a system reads or is asked changed"
            what = f"the gold of {gold} probes changed" if gold else others
            yield f"{what} and the version did not: both are {new.version}; raise version: in the suite's file"
        return
    try:
        check_step(old.version, new.version, size)
    except SuitegenError as error:
        yield f"{error.message}; {error.hint}"


def _episodes(out: Path) -> tuple[str, ...]:
    return tuple(str(row["episode_id"]) for row in read_shards(out, "episodes"))


def _gold(before: Path, after: Path) -> Iterator[GoldChange]:
    old = {row["probe_id"]: row for row in read_shards(before, "probes")}
    for row in read_shards(after, "probes"):
        was = old.get(row["probe_id"])
        if was is not None and was["gold"] != row["gold"]:
            yield GoldChange(
                str(row["probe_id"]), str(row["episode_id"]), str(row["question"]), str(was["answer"]),
                str(row["answer"]),
            )  # fmt: skip


def _changed(before: Digests, after: Digests) -> dict[str, set[str]]:
    """The episodes of both in which a row is another one, is gone, or is new, by the configs of the rows."""
    found: dict[str, set[str]] = {}
    for config in before:
        old, new = _by_episode(before[config]), _by_episode(after[config])
        for episode in old.keys() & new.keys():
            if old[episode] != new[episode]:
                found.setdefault(episode, set()).add(config)
    return dict(sorted(found.items()))


def _by_episode(rows: Mapping[object, Held]) -> Mapping[str, Mapping[object, str]]:
    found: dict[str, dict[object, str]] = {}
    for name, (episode, held) in rows.items():
        found.setdefault(episode, {})[name] = held
    return found


def _composition(manifest: Manifest) -> Mapping[str, float | str]:
    found: Counter[Label] = Counter()
    for block in manifest.blocks:
        found[block.paradigm, block.condition, block.expects or "none", block.domain] += block.episodes
    return {" / ".join(label): number for label, number in found.items()}


def _scores(manifest: Manifest) -> Mapping[str, float | str]:
    found: dict[str, float | str] = {}
    for line in manifest.gates:
        name = f"{line.gate}/{line.validator}"
        found[name] = line.status
        found |= {f"{name} {measure.name}": measure.value for measure in line.measures if measure.value is not None}
    return found


def _shifts(before: Mapping[str, float | str], after: Mapping[str, float | str]) -> Iterator[Shift]:
    for name in dict.fromkeys((*before, *after)):
        if before.get(name) != after.get(name):
            yield Shift(name, before.get(name), after.get(name))
