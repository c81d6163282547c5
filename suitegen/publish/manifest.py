"""The manifest: what a suite is and how it was made, with no clock, path or machine in it."""

from __future__ import annotations

import math
import operator
import uuid
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Literal

from pydantic import Field

import suitegen
from suitegen.model.base import Noun
from suitegen.model.catalog import Catalog
from suitegen.model.episode import AskedProbe, CaseRecord, Episode
from suitegen.model.finding import Finding, Measure, Verdict
from suitegen.model.suite import SuiteSpec
from suitegen.model.words import Behavior, Level, ProbeType
from suitegen.publish.canonical import digest
from suitegen.publish.declarations import Declarations, declarations
from suitegen.publish.flat import Context, fitting
from suitegen.publish.size import size
from suitegen.publish.tables import Stamp, answer_text, evidence_sessions
from suitegen.reading.readings import Reading

Status = Literal["passed", "failed", "not_run"]


class Counts(Noun):
    """How much there is. Tokens are characters / 4."""

    episodes_planned: int
    episodes: int
    episodes_missing: int
    probes: int
    probes_by_type: dict[ProbeType, int]
    sessions: int
    turns: int
    tokens: int


class Block(Noun):
    """One combination of the design with what was accepted of it."""

    paradigm: str
    condition: str
    expects: Behavior | None
    domain: str
    split: bool
    episodes: int
    """Threads; each is an episode of its own where none share a history."""
    probes: int


class Yields(Noun):
    """What it took: cases by outcome, rejected attempts and why they were rejected."""

    cases: int
    accepted: int
    failed: int
    errors: int
    redrawn: int
    """Accepted cases that needed a reserve draw."""
    rejected_attempts: int
    rejected: dict[str, int]
    """By finding code, how many rejected attempts had it."""


class Missing(Noun):
    """A planned case that the suite does not hold, or not whole."""

    case: str
    status: Literal["failed", "error", "incomplete", "not_built"]
    episodes: int
    """How many are missing."""
    codes: tuple[str, ...] = ()
    """Codes of the findings of its attempts."""


class GateLine(Noun):
    """What one validator of one gate said over the whole suite."""

    gate: str
    validator: str
    level: Level
    status: Status
    """``failed`` when any verdict is; ``not_run`` when none ran."""
    passed: int
    failed: int
    not_run: int
    why: tuple[str, ...] = ()
    """Reasons of what failed or did not run, each once."""
    measures: tuple[Measure, ...] = ()
    """Over several verdicts: the mean weighted by n, without an interval."""
    findings: tuple[Finding, ...] = ()
    """Of a suite-level validator."""


class LicenseLine(Noun):
    """How much text stands under a licence, and whose it is."""

    license: str
    origin: str
    stretches: int
    turns: int


class Quote(Noun):
    """A piece of evidence as it stands in the history."""

    session_id: str
    timestamp: str
    role: str
    text: str


class Example(Noun):
    """One probe of the suite, for the dataset card."""

    episode_id: str
    probe_id: str
    condition: str
    probe_type: ProbeType
    question: str
    answer: str
    evidence: tuple[Quote, ...]


def _unset(value: int) -> bool:
    return not value


class Manifest(Noun):
    """What the suite is: identity, hashes, models, counts, yields, licences, gates."""

    format: int = 1
    suite: str
    title: str
    about: str | None = None
    version: str
    license: str
    language: str
    family: str | None = None
    canary: str
    seeds: dict[str, int]
    versions: dict[str, str]
    """Of the tools that made it: suitegen, and pyarrow for the bytes of the tables."""
    hashes: dict[str, str]
    """SHA-256 of the suite's spec and of everything that it draws on."""
    models: dict[str, str] = {}
    """Role (writer, judge, reader) to model; empty for an offline build."""
    leaky_probes: bool = False
    withheld: int = Field(default=0, exclude_if=_unset)
    """Probes that the design leaves out, drawn by the seed."""
    readings: tuple[Reading, ...] = ()
    """What models reached that read the suite."""
    context: Context = "full_context"
    """What the prompts of the flat configs show."""
    counts: Counts
    blocks: tuple[Block, ...]
    yields: Yields
    missing: tuple[Missing, ...] = ()
    gates: tuple[GateLine, ...] = ()
    licenses: tuple[LicenseLine, ...] = ()
    example: Example | None = None

    @property
    def stamp(self) -> Stamp:
        """What every row carries."""
        return Stamp(canary=self.canary, license=self.license, family=self.family)

    @property
    def verdict(self) -> Status:
        """``failed`` when any gate is, else ``passed`` when any ran."""
        return _status(line.status for line in self.gates)


@dataclass(frozen=True, slots=True)
class Suite:
    """A validated dataset: its manifest and its episodes, in the order of their ids."""

    manifest: Manifest
    episodes: Collection[Episode]
    declared: Declarations


@dataclass(frozen=True, slots=True)
class CaseOutcome:
    """How a case came out, without its episodes and texts."""

    case: str
    status: Literal["accepted", "failed", "error"]
    draw: int
    episodes: int
    """How many it gave."""
    rejected: tuple[frozenset[str], ...]
    """For each rejected attempt the codes of what rejected it."""


def outcome(record: CaseRecord) -> CaseOutcome:
    """What of a case's record the manifest tells."""
    rejected = tuple(frozenset(f.code for f in a.findings if f.severity == "error") for a in record.attempts)
    return CaseOutcome(record.case, record.status, record.draw, len(record.episodes), rejected)


@dataclass(frozen=True, slots=True)
class Build:
    """How a build came out: what a suite is put together from."""

    spec: SuiteSpec
    catalog: Catalog
    planned: Mapping[str, int]
    """Case key to its number of episodes."""
    cases: Sequence[CaseOutcome]
    episodes: Collection[Episode]
    """Of the accepted cases, in the order of their ids, which neither the design nor the workers show through."""
    verdicts: Sequence[Verdict] = ()
    """Of the suite-level gates."""
    models: Mapping[str, str] = field(default_factory=dict)
    family: str | None = None
    readings: Sequence[Reading] = ()


def assemble(build: Build) -> Suite:
    """The suite of a build's episodes."""
    episodes, spec = build.episodes, build.spec
    manifest = Manifest(
        suite=spec.id,
        title=spec.title,
        about=spec.about,
        version=spec.version,
        license=spec.license,
        language=spec.language,
        family=build.family,
        canary=canary(spec.id, spec.seed, spec.version),
        seeds={"suite": spec.seed},
        versions=_versions(),
        hashes=hashes(spec, build.catalog),
        models=dict(build.models),
        leaky_probes=spec.leaky_probes,
        withheld=spec.withhold,
        readings=tuple(build.readings),
        context=fitting(episodes),
        counts=counts(episodes, sum(build.planned.values())),
        blocks=blocks(episodes),
        yields=_yields(build),
        missing=_missing(build),
        gates=gate_lines(chain((v for ep in episodes for v in ep.verdicts), build.verdicts)),
        licenses=license_lines(episodes),
        example=_example(episodes),
    )
    return Suite(manifest, episodes, declarations(spec, build.catalog))


def canary(suite: str, seed: int, version: str) -> str:
    """A GUID that marks the suite's rows, so that training data can be searched for them."""
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"suitegen\x1f{suite}\x1f{seed}\x1f{version}"))


def hashes(spec: SuiteSpec, catalog: Catalog) -> dict[str, str]:
    """SHA-256 of the spec and of what it draws on, by kind; comments and layout of files do not count."""
    language = spec.language
    return {
        "spec": digest(spec),
        "fact_types": digest({name: catalog.fact_types.get(name) for name in spec.fact_types}),
        "paradigms": digest({name: catalog.paradigms.get(name) for name in sorted(spec.paradigms)}),
        "gates": digest({name: catalog.gates.get(name) for name in spec.gates}),
        "surfaces": digest(catalog.surfaces.get(language)),
        "questions": digest(catalog.questions.get(language)),
        "background": digest({name: script for name, script in catalog.scripts.items() if script.language == language}),
    }


def counts(episodes: Iterable[Episode], planned: int) -> Counts:
    """How much a suite of these episodes holds."""
    types: Counter[ProbeType] = Counter()
    total = sessions = turns = tokens = 0
    for episode in episodes:
        length = size(episode)
        total, sessions = total + 1, sessions + length.sessions
        turns, tokens = turns + length.turns, tokens + length.tokens
        types.update(asked.probe.type for asked in episode.probes)
    return Counts(
        episodes_planned=planned, episodes=total, episodes_missing=max(planned - total, 0), probes=types.total(),
        probes_by_type=dict(sorted(types.items())), sessions=sessions, turns=turns, tokens=tokens,
    )  # fmt: skip


def blocks(episodes: Iterable[Episode]) -> tuple[Block, ...]:
    """The design as it came out: episodes and probes by paradigm, condition, domain and split."""
    members: Counter[tuple[str, str, Behavior | None, str, bool]] = Counter()
    probes: Counter[tuple[str, str, Behavior | None, str, bool]] = Counter()
    for episode in episodes:
        asked = Counter(asked.probe.thread for asked in episode.probes)
        for thread in episode.spec.threads:
            key = (thread.paradigm, thread.condition, thread.expects, thread.domain, thread.split)
            members[key] += 1
            probes[key] += asked[thread.id]
    return tuple(
        Block(
            paradigm=key[0],
            condition=key[1],
            expects=key[2],
            domain=key[3],
            split=key[4],
            episodes=count,
            probes=probes[key],
        )
        for key, count in sorted(members.items(), key=lambda item: (*item[0][:2], item[0][2] or "", *item[0][3:]))
    )


def gate_lines(verdicts: Iterable[Verdict]) -> tuple[GateLine, ...]:
    """Verdicts summed by gate and validator, in the order in which they first come up."""
    found: dict[tuple[str, str, Level], _Sum] = {}
    for verdict in verdicts:
        key = (verdict.gate, verdict.validator, verdict.level)
        found.setdefault(key, _Sum(*key)).add(verdict)
    return tuple(sum_.line() for sum_ in found.values())


def license_lines(episodes: Iterable[Episode]) -> tuple[LicenseLine, ...]:
    """The licence ledger: stretches of text by licence and source; which entry of its source each is, is left out."""
    stretches: Counter[tuple[str, str]] = Counter()
    turns: Counter[tuple[str, str]] = Counter()
    for episode in episodes:
        for place in episode.placements:
            key = (place.license, _source(place.origin))
            stretches[key] += 1
            turns[key] += place.last_turn - place.first_turn + 1
    return tuple(
        LicenseLine(license=key[0], origin=key[1], stretches=stretches[key], turns=turns[key])
        for key in sorted(stretches)
    )


def _source(origin: str) -> str:
    """``library`` of ``library:ENTRY``; ``files:NAME from SOURCE`` of ``files:NAME:ENTRY from SOURCE``."""
    first, *rest = origin.split(":", 2)
    if len(rest) < 2:
        return first
    _, given, source = rest[1].partition(" from ")
    return f"{first}:{rest[0]}{given}{source}"


def _versions() -> dict[str, str]:
    import pyarrow

    return {"suitegen": suitegen.__version__, "pyarrow": str(pyarrow.__version__)}


def _yields(build: Build) -> Yields:
    status = Counter(case.status for case in build.cases)
    rejected = Counter(code for case in build.cases for codes in case.rejected for code in codes)
    return Yields(
        cases=len(build.planned),
        accepted=status["accepted"],
        failed=status["failed"],
        errors=status["error"],
        redrawn=sum(case.status == "accepted" and case.draw > 0 for case in build.cases),
        rejected_attempts=sum(len(case.rejected) for case in build.cases),
        rejected=dict(sorted(rejected.items())),
    )


def _missing(build: Build) -> tuple[Missing, ...]:
    outcomes = {case.case: case for case in build.cases}
    found: list[Missing] = []
    for case, planned in sorted(build.planned.items()):
        came = outcomes.get(case)
        if came is None:
            found.append(Missing(case=case, status="not_built", episodes=planned))
        elif came.status != "accepted":
            codes = tuple(sorted(frozenset().union(*came.rejected)))
            found.append(Missing(case=case, status=came.status, episodes=planned, codes=codes))
        elif came.episodes < planned:
            found.append(Missing(case=case, status="incomplete", episodes=planned - came.episodes))
    return tuple(found)


@dataclass(slots=True)
class _Sum:
    """The verdicts of one validator of one gate, summed as they come."""

    gate: str
    validator: str
    level: Level
    seen: Counter[Status] = field(default_factory=Counter)
    why: dict[str, None] = field(default_factory=dict)
    measures: dict[str, _Means] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    def add(self, verdict: Verdict) -> None:
        """Count a verdict."""
        self.seen[verdict.status] += 1
        if verdict.why:
            self.why[verdict.why] = None
        if self.level == "suite":
            self.findings += verdict.findings
        for measure in verdict.measures:
            self.measures.setdefault(measure.name, _Means(measure)).add(measure)

    def line(self) -> GateLine:
        """What they come to."""
        return GateLine(
            gate=self.gate,
            validator=self.validator,
            level=self.level,
            status=_status(self.seen),
            passed=self.seen["passed"],
            failed=self.seen["failed"],
            not_run=self.seen["not_run"],
            why=tuple(self.why),
            measures=tuple(means.mean() for means in self.measures.values()),
            findings=tuple(self.findings),
        )


@dataclass(slots=True)
class _Means:
    """Measures of one name: a single one stays as it is, of several the mean weighted by n is taken."""

    first: Measure
    count: int = 0
    values: list[float] = field(default_factory=list)
    weights: list[int] = field(default_factory=list)
    thresholds: set[float | None] = field(default_factory=set)

    def add(self, measure: Measure) -> None:
        """Count a measure; one without a finite value has no weight."""
        self.count += 1
        self.thresholds.add(measure.threshold)
        if measure.value is not None and math.isfinite(measure.value):
            self.values.append(measure.value)
            self.weights.append(max(measure.n, 1))

    def mean(self) -> Measure:
        """The single measure, or the mean of all."""
        if self.count == 1:
            return self.first
        weight = sum(self.weights)
        return Measure(
            name=self.first.name,
            value=math.fsum(map(operator.mul, self.values, self.weights)) / weight if weight else None,
            threshold=self.first.threshold if len(self.thresholds) == 1 else None,
            n=weight,
        )


def _status(statuses: Iterable[Status]) -> Status:
    found = set(statuses)
    for status in ("failed", "passed"):
        if status in found:
            return status
    return "not_run"


def _example(episodes: Iterable[Episode]) -> Example | None:
    """The probe with the shortest evidence of at least two pieces, else of one: it shows the idea and is not long."""
    choices = ((ep, asked) for ep in episodes for asked in ep.probes if evidence_sessions(ep, asked))
    best = min(choices, key=lambda choice: _bulk(_quotes(*choice)), default=None)
    if best is None:
        return None
    episode, asked = best
    return Example(
        episode_id=episode.episode_id,
        probe_id=asked.question.probe_id,
        condition=episode.spec.thread(asked.probe.thread).condition,
        probe_type=asked.probe.type,
        question=asked.question.question,
        answer=answer_text(asked.gold),
        evidence=_quotes(episode, asked),
    )


def _bulk(quotes: Sequence[Quote]) -> tuple[bool, int]:
    return len(quotes) < 2, sum(len(quote.text) for quote in quotes)


def _quotes(episode: Episode, asked: AskedProbe) -> tuple[Quote, ...]:
    events = {atom.event for line in asked.evidence for group in line.groups for atom in group.of}
    sessions = {session.session_id: session for session in episode.sessions}
    return tuple(
        Quote(
            session_id=span.session_id,
            timestamp=sessions[span.session_id].timestamp,
            role=sessions[span.session_id].turns[span.turn].role,
            text=span.quote,
        )
        for span in episode.spans
        if span.event in events
    )
