"""Figures about a suite's texts and design, computed from its episodes alone."""

from __future__ import annotations

import bz2
import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

from suitegen.model.base import Noun
from suitegen.model.episode import Episode
from suitegen.model.history import Role, Turn
from suitegen.model.words import Behavior, SessionKind
from suitegen.publish.canonical import document
from suitegen.publish.likeness import MASK, WORD, near_duplicates
from suitegen.publish.manifest import Block, Counts, blocks, counts
from suitegen.publish.size import size
from suitegen.publish.tables import evidence_sessions

COMPARED = 10_000
"""Most texts of one kind that are compared with each other, spread evenly over the suite."""
SAMPLE = 4_000_000
"""Most characters that the diversity figures read."""


class Percentiles(Noun):
    """Nearest-rank percentiles of a list of numbers."""

    least: int
    p25: int
    median: int
    p75: int
    p95: int
    most: int


class Duplicates(Noun):
    """How many of the compared session texts nearly repeat an earlier one, their values masked."""

    kind: SessionKind
    compared: int
    near: int


class SuiteStats(Noun):
    """Counts, balance, lengths, evidence position, fillers and diversity of a suite."""

    counts: Counts
    blocks: tuple[Block, ...]
    behaviors: dict[Behavior, int]
    split_share: float | None
    """Share of episodes whose perturbation is split."""
    tokens: Percentiles | None
    """Per history, characters / 4."""
    evidence_position: tuple[int, ...]
    """Evidence sessions by tenth of the history in which they stand; one count for each session of each episode."""
    kinds: dict[SessionKind, int]
    """Sessions by kind."""
    turn_lengths: dict[Role, Percentiles]
    """Characters of a turn, by who speaks."""
    distinct: dict[int, float]
    """n to the share of n-grams of words that are different ones (Li et al. 2016, distinct-n)."""
    compression_ratio: float | None
    """Size of the texts, their drawn values masked, over their size under bzip2: the higher, the more they repeat."""
    duplicates: tuple[Duplicates, ...]

    def to_json(self) -> str:
        """The figures as a JSON document."""
        return document(self)

    def rows(self) -> tuple[tuple[str, str], ...]:
        """Name and figure, for a table."""
        return tuple(_rows(self))


def measure(episodes: Collection[Episode]) -> SuiteStats:
    """The figures of a suite. The same episodes give the same figures, on any machine."""
    texts = _sample(episodes)
    sums = _Sums()
    for episode in episodes:
        sums.add(episode)
    return SuiteStats(
        counts=counts(episodes, len(episodes)),
        blocks=blocks(episodes),
        behaviors=dict(sorted(sums.behaviors.items())),
        split_share=_share(sums.split, len(episodes)),
        tokens=percentiles(sums.tokens.elements()),
        evidence_position=tuple(sums.tenths),
        kinds=dict(sorted(sums.kinds.items())),
        turn_lengths=_spreads(sums.turns),
        distinct={n: share for n in (1, 2, 3) if (share := distinct(texts, n)) is not None},
        compression_ratio=compression_ratio(texts),
        duplicates=_duplicates(episodes, sums.kinds),
    )


@dataclass(slots=True)
class _Sums:
    """What is counted of every episode."""

    behaviors: Counter[Behavior] = field(default_factory=Counter)
    split: int = 0
    tokens: Counter[int] = field(default_factory=Counter)
    """Of a history."""
    tenths: list[int] = field(default_factory=lambda: [0] * 10)
    """Evidence sessions by tenth of the history."""
    kinds: Counter[SessionKind] = field(default_factory=Counter)
    turns: Counter[tuple[Role, int]] = field(default_factory=Counter)
    """Turns by speaker and characters."""

    def add(self, episode: Episode) -> None:
        """Count an episode."""
        self.behaviors.update(thread.expects for thread in episode.spec.threads if thread.expects)
        self.split += episode.spec.split
        self.tokens[size(episode).tokens] += 1
        self.kinds.update(plan.kind for plan in episode.spec.sessions)
        self.turns.update(_lengths(session.turns for session in episode.sessions))
        index = {session.session_id: number for number, session in enumerate(episode.sessions)}
        for name in {name for asked in episode.probes for name in evidence_sessions(episode, asked)}:
            self.tenths[10 * index[name] // len(index)] += 1


def percentiles(values: Iterable[int]) -> Percentiles | None:
    """Nearest-rank percentiles; None of nothing."""
    ordered = sorted(values)
    if not ordered:
        return None
    least, p25, median, p75, p95, most = (
        ordered[max(math.ceil(share * len(ordered)) - 1, 0)] for share in (0, 0.25, 0.5, 0.75, 0.95, 1)
    )
    return Percentiles(least=least, p25=p25, median=median, p75=p75, p95=p95, most=most)


def turn_lengths(dialogues: Iterable[Sequence[Turn]]) -> dict[Role, Percentiles]:
    """How long turns are, in characters, by who speaks."""
    return _spreads(Counter(_lengths(dialogues)))


def _lengths(dialogues: Iterable[Sequence[Turn]]) -> Iterator[tuple[Role, int]]:
    return ((turn.role, len(turn.content)) for turns in dialogues for turn in turns)


def _spreads(turns: Counter[tuple[Role, int]]) -> dict[Role, Percentiles]:
    lengths: dict[Role, Counter[int]] = {"user": Counter(), "assistant": Counter(), "tool": Counter()}
    for (role, length), count in turns.items():
        lengths[role][length] = count
    return {role: found for role, each in lengths.items() if (found := percentiles(each.elements())) is not None}


def distinct(texts: Iterable[str], n: int) -> float | None:
    """Share of the n-grams of words, within texts, that are different ones; None when there are none."""
    seen: set[tuple[str, ...]] = set()
    total = 0
    for text in texts:
        words = WORD.findall(text.casefold())
        for start in range(len(words) - n + 1):
            seen.add(tuple(words[start : start + n]))
            total += 1
    return _share(len(seen), total)


def compression_ratio(texts: Iterable[str]) -> float | None:
    """Size of the texts over their size under bzip2; None of no text.

    bzip2 rather than zlib: its output is the same in every build of the library.
    """
    joined = "\n".join(texts).encode()
    return round(len(joined) / len(bz2.compress(joined)), 3) if joined else None


def masked(episode: Episode) -> tuple[str, ...]:
    """The texts of a history's sessions, every drawn value and entity masked in any spelling that the gold knows."""
    pattern = _values(episode)
    texts = ("\n".join(turn.content for turn in session.turns) for session in episode.sessions)
    return tuple(pattern.sub(MASK, text) if pattern else text for text in texts)


def _values(episode: Episode) -> re.Pattern[str] | None:
    spellings = set(episode.spec.values()) | {member.entity for member in episode.spec.cast}
    for asked in episode.probes:
        for part in asked.gold.fields:
            if part.form in ("value", "values"):
                spellings.update(chain(part.accepts, *part.answers, *part.rivals))
    words = sorted((spelling for spelling in spellings if spelling.strip()), key=lambda word: (-len(word), word))
    if not words:
        return None
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, words))})(?!\w)", re.IGNORECASE)


def _sample(episodes: Iterable[Episode]) -> list[str]:
    texts: list[str] = []
    left = SAMPLE
    for episode in _one_of_each_case(episodes):
        for text in masked(episode):
            if len(text) > left:
                return texts
            texts.append(text)
            left -= len(text)
    return texts


def _one_of_each_case(episodes: Iterable[Episode]) -> Iterator[Episode]:
    """Members of a matched group share their text on purpose; one speaks for all."""
    seen: set[tuple[str, str]] = set()
    for episode in episodes:
        key = (episode.spec.suite, episode.spec.case)
        if key not in seen:
            seen.add(key)
            yield episode


def _duplicates(episodes: Iterable[Episode], totals: Mapping[SessionKind, int]) -> tuple[Duplicates, ...]:
    steps = {kind: -(-total // COMPARED) for kind, total in totals.items()}
    seen: Counter[SessionKind] = Counter()
    texts: dict[SessionKind, list[str]] = {}
    for episode in _one_of_each_case(episodes):
        for plan, text in zip(episode.spec.sessions, masked(episode), strict=True):
            if seen[plan.kind] % steps[plan.kind] == 0:
                texts.setdefault(plan.kind, []).append(text)
            seen[plan.kind] += 1
    return tuple(
        Duplicates(kind=kind, compared=len(members), near=near_duplicates(members))
        for kind, members in sorted(texts.items())
    )


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 4) if whole else None


def _rows(stats: SuiteStats) -> Iterator[tuple[str, str]]:
    total = stats.counts
    yield "episodes", f"{total.episodes:,}"
    yield "episodes by expected behaviour", _listed(stats.behaviors.items())
    yield "episodes with a split perturbation", _percent(stats.split_share)
    yield "probes", f"{total.probes:,}"
    yield "probes by type", _listed(total.probes_by_type.items())
    yield "sessions", f"{total.sessions:,}"
    yield "sessions by kind", _listed(stats.kinds.items())
    yield "turns", f"{total.turns:,}"
    yield "tokens (characters / 4)", f"{total.tokens:,}"
    if stats.tokens:
        figures = (f"{name} {value:,}" for name, value in stats.tokens.model_dump().items())
        yield "tokens of a history", ", ".join(figures)
    for role, lengths in stats.turn_lengths.items():
        figures = (f"{name} {value:,}" for name, value in lengths.model_dump().items())
        yield f"characters of a turn, {role}", ", ".join(figures)
    yield "evidence sessions by tenth of the history", " ".join(map(str, stats.evidence_position))
    for n, share in stats.distinct.items():
        yield f"distinct-{n}", f"{share:.3f}"
    yield "compression ratio (bzip2)", "-" if stats.compression_ratio is None else f"{stats.compression_ratio:.2f}"
    for line in stats.duplicates:
        yield f"near duplicates, {line.kind}", f"{line.near:,} of {line.compared:,}"


def _listed(figures: Iterable[tuple[str, int]]) -> str:
    return ", ".join(f"{name} {figure:,}" for name, figure in figures) or "-"


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{share:.0%}"
