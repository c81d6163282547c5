"""The profile of a memory system: what its answers say of how it updates, preserves, attributes and orders.

The metrics are those of MemProbe, section 4.2, with the points of each probe (partial credit for conflict
and temporal, appendix C.3) in place of an indicator. Intervals are percentiles of a bootstrap over episodes,
or over matched groups of episodes, which share their history (section 4.2: 2,000 resamples, a fixed seed).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from suitegen.latent.seeds import derive
from suitegen.model.gold import Gold
from suitegen.model.words import Behavior, ProbeType
from suitegen.reading.ages import Evidence, ends, evidence_of, traces
from suitegen.reading.scoring import abstains, score

RESAMPLES = 2000
SEED = 20260
_CHUNK = 100
"""Resamples that are drawn at a time."""
_DIGITS = 4

Outcome = Literal["scored", "unparsable", "missing"]


@dataclass(frozen=True, slots=True)
class Key:
    """A probe with its gold and its place in the design."""

    probe_id: str
    episode_id: str
    cluster: str
    """The matched group, or the episode where there is none: what is resampled as one."""
    paradigm: str
    condition: str
    expects: Behavior | None
    domain: str
    fact_type: str
    probe_type: ProbeType
    split: bool
    language: str
    gold: Gold
    window: int | None = None
    """The number of the window at which it is asked, from 0; None where it is asked at none."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A probe with what its answer is worth."""

    key: Key
    outcome: Outcome
    points: float | None
    """0 to 1; None where the answer could not be read. A missing answer has 0."""
    fields: Mapping[str, float]
    abstained: bool = False
    """Whether the answer says that there is no value to give."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A mean over probes, or a figure made of such means, with its interval of 95 %."""

    name: str
    value: float | None
    """None where no probe belongs to it."""
    low: float | None
    """None where all its probes are of one episode or one matched group: resamples then tell nothing."""
    high: float | None
    n: int
    """Probes that count for it."""


@dataclass(frozen=True, slots=True)
class Profile:
    """All figures of an answers file."""

    probes: int
    scored: int
    unparsable: int
    missing: int
    unknown: tuple[str, ...]
    """Ids that were answered and are no probes of the suite."""
    headline: tuple[Rate, ...]
    """Overall, plasticity, stability, SP-balance, the fidelities, the split delta."""
    breakdowns: Mapping[str, tuple[Rate, ...]]
    """Accuracy by paradigm, condition, probe type and so on, by name."""


def scored(keys: Iterable[Key], answers: Mapping[str, object]) -> tuple[Scored, ...]:
    """Every probe of a suite with the score of its answer."""
    return tuple(_scored(key, answers) for key in keys)


def _scored(key: Key, answers: Mapping[str, object]) -> Scored:
    if answers.get(key.probe_id) is None:
        return Scored(key, "missing", 0.0, {})
    found = score(answers[key.probe_id], key.gold, key.language)
    outcome: Outcome = "scored" if found.parsed else "unparsable"
    held_back = found.parsed and abstains(answers[key.probe_id], key.gold, key.language)
    return Scored(key, outcome, found.points, found.fields, held_back)


def profile(rows: Sequence[Scored], answered: Iterable[str] = (), windows: Sequence[str] = ()) -> Profile:
    """The profile of scored probes.

    Args:
        rows: every probe of the suite once.
        answered: the ids that the answers file holds.
        windows: the names of the windows at which the suite asks, in their order; none for most suites.
    """
    counts = Counter(row.outcome for row in rows)
    known = {row.key.probe_id for row in rows}
    table = Table(rows)
    return Profile(
        probes=len(rows),
        scored=counts["scored"],
        unparsable=counts["unparsable"],
        missing=counts["missing"],
        unknown=tuple(name for name in answered if name not in known),
        headline=_headline(table),
        breakdowns={
            **{name: _by(table, label) for name, label in _LABELS.items()},
            **(_by_age(table, windows) if windows else {}),
        },
    )


# -- which probes a figure is over ------------------------------------------------------------------------------

Chosen = Callable[[Key], bool]

_MEANS: Mapping[str, Chosen] = {
    "plasticity": lambda key: key.expects == "update",
    "stability": lambda key: key.expects == "preserve",
    "historical fidelity": lambda key: key.probe_type == "previous",
    "source fidelity": lambda key: key.probe_type in ("source", "conflict"),
    "temporal fidelity": lambda key: key.probe_type == "temporal",
    "split": lambda key: key.split,
    "whole": lambda key: not key.split,
}
"""Means by name (MemProbe, equations 2 and 3, and the paragraphs after them)."""

_LABELS: Mapping[str, Callable[[Key], str]] = {
    "paradigm": lambda key: key.paradigm,
    "condition": lambda key: f"{key.paradigm} / {key.condition}",
    "probe type": lambda key: key.probe_type,
    "paradigm and probe type": lambda key: f"{key.paradigm} / {key.probe_type}",
    "probe type, split": lambda key: f"{key.probe_type} / {'split' if key.split else 'whole'}",
    "domain": lambda key: key.domain,
    "fact type": lambda key: key.fact_type,
}


def _headline(table: Table) -> tuple[Rate, ...]:
    means = {"overall": table.mean(None), **{name: table.mean(chosen) for name, chosen in _MEANS.items()}}
    drawn = {name: mean.draws for name, mean in means.items()}
    balance = Mean(
        _harmonic(means["plasticity"].value, means["stability"].value),
        means["plasticity"].n + means["stability"].n,
        [_harmonic(a, b) for a, b in zip(drawn["plasticity"], drawn["stability"], strict=True)],
    )
    delta = Mean(
        less(means["split"].value, means["whole"].value),
        means["split"].n,
        [less(a, b) for a, b in zip(drawn["split"], drawn["whole"], strict=True)],
    )
    order = ("overall", "plasticity", "stability")
    fidelities = ("historical fidelity", "source fidelity", "temporal fidelity")
    return (
        *(means[name].rate(name) for name in order),
        balance.rate("SP-balance"),
        *(means[name].rate(name) for name in fidelities),
        delta.rate("split delta"),
    )


def _harmonic(one: float | None, other: float | None) -> float | None:
    if one is None or other is None:
        return None
    return 2 * one * other / (one + other) if one + other else 0.0


def less(one: float | None, other: float | None) -> float | None:
    """The difference of two figures, if there are both."""
    return None if one is None or other is None else one - other


def _by(table: Table, label: Callable[[Key], str]) -> tuple[Rate, ...]:
    values = sorted({label(row.key) for row in table.rows})
    return tuple(table.mean(_is(label, value)).rate(value) for value in values)


def _is(label: Callable[[Key], str], value: str) -> Chosen:
    return lambda key: label(key) == value


# -- windows ----------------------------------------------------------------------------------------------------


def _by_age(table: Table, windows: Sequence[str]) -> dict[str, tuple[Rate, ...]]:
    """The views of MemTrace, section 3.4: what is kept as the history grows, and what comes of bad questions."""
    keys = [row.key for row in table.rows]
    memory: list[Rate] = []
    for kind, (fresh, saturated) in ends(keys, windows).items():
        early, late = table.mean(fresh), table.mean(saturated)
        forgotten = [less(a, b) for a, b in zip(early.draws, late.draws, strict=True)]
        memory += [early.rate(f"{kind} / fresh"), late.rate(f"{kind} / saturated")]
        memory.append(Mean(less(early.value, late.value), late.n, forgotten).rate(f"{kind} / forgetting"))
    return {
        "memory age": tuple(memory),
        "window": tuple(table.mean(chosen).rate(name) for name, chosen in traces(keys, windows).items()),
        "evidence": tuple(_conduct(table)),
    }


def _has(evidence: Evidence) -> Chosen:
    return lambda key: evidence_of(key.gold) == evidence


def _conduct(table: Table) -> Iterator[Rate]:
    """Of questions without evidence, and of those with a false premise: right, abstained, made up."""

    def made_up(row: Scored) -> float:
        return float(row.outcome == "scored" and row.points != 1.0 and not row.abstained)

    kinds: tuple[Evidence, ...] = ("missing", "contradicted")
    for evidence in kinds:
        chosen = _has(evidence)
        yield table.mean(chosen).rate(f"{evidence} / right")
        yield table.mean(chosen, lambda row: float(row.abstained)).rate(f"{evidence} / abstained")
        yield table.mean(chosen, made_up).rate(f"{evidence} / made up")


# -- means and their resamples ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Mean:
    """A figure, what it is over, and what the resamples give for it."""

    value: float | None
    n: int
    draws: Sequence[float | None]

    def rate(self, name: str) -> Rate:
        """The figure under its name, with the percentiles of its resamples."""
        known = sorted(draw for draw in self.draws if draw is not None)
        if self.value is None or not known:
            value = None if self.value is None else round(self.value, _DIGITS)
            return Rate(name, value, None, None, self.n)
        low, high = _percentile(known, 0.025), _percentile(known, 0.975)
        return Rate(name, round(self.value, _DIGITS), round(low, _DIGITS), round(high, _DIGITS), self.n)


def _percentile(ordered: Sequence[float], share: float) -> float:
    """Between the two nearest ranks, in proportion."""
    at = share * (len(ordered) - 1)
    below = int(at)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (at - below)


class Table:
    """Scored probes with the resamples of their clusters, the same for every figure."""

    def __init__(self, rows: Sequence[Scored]) -> None:
        # Sorted, so that the order of rows changes no interval.
        self.rows = sorted(rows, key=lambda row: row.key.probe_id)
        self.clusters = {name: at for at, name in enumerate(sorted({row.key.cluster for row in rows}))}
        self._weights = _weights(len(self.clusters))

    def mean(self, chosen: Chosen | None, worth: Callable[[Scored], float] | None = None) -> Mean:
        """The mean points of all probes, or of those that are chosen; what could not be read does not count.

        Args:
            chosen: which probes; None for all.
            worth: what an answer counts for, in place of its points.
        """
        import numpy as np

        sums, counts = np.zeros(len(self.clusters)), np.zeros(len(self.clusters))
        for row in self.rows:
            if row.points is not None and (chosen is None or chosen(row.key)):
                sums[self.clusters[row.key.cluster]] += row.points if worth is None else worth(row)
                counts[self.clusters[row.key.cluster]] += 1
        n = int(counts.sum())
        if not n:
            return Mean(None, 0, [None] * RESAMPLES)
        if np.count_nonzero(counts) == 1:
            return Mean(float(sums.sum()) / n, n, [None] * RESAMPLES)
        draws: list[float | None] = []
        for weights in self._weights:
            over = weights @ counts
            means = (weights @ sums) / np.maximum(over, 1)
            draws += [float(mean) if held else None for mean, held in zip(means, over, strict=True)]
        return Mean(float(sums.sum()) / n, n, draws)


def _weights(clusters: int) -> list[Any]:
    """How often each cluster is drawn in each resample, in chunks."""
    import numpy as np

    if not clusters:
        return []
    generator = np.random.default_rng(derive(SEED, "bootstrap"))
    evenly = [1 / clusters] * clusters
    # A count rarely exceeds a few dozens: small integers keep large suites in memory.
    return [generator.multinomial(clusters, evenly, size=_CHUNK).astype(np.float32) for _ in range(RESAMPLES // _CHUNK)]
