"""What a validator is, and what it is shown."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Generic, Protocol, TypeVar

from suitegen.latent.draw import facts_of
from suitegen.latent.gold import Facts
from suitegen.model.catalog import Catalog
from suitegen.model.episode import Episode
from suitegen.model.finding import Finding, Measure
from suitegen.model.history import Span, Written
from suitegen.model.latent import LatentSpec, SessionPlan
from suitegen.model.suite import SuiteSpec
from suitegen.model.words import Level
from suitegen.values.lexicon import Lexicon


@dataclass(frozen=True, slots=True)
class Kit:
    """The author's files and what is derived from them once for all validators."""

    catalog: Catalog
    suite: SuiteSpec
    lexicon: Lexicon

    def facts(self, spec: LatentSpec) -> Mapping[str, Facts]:
        """Spellings and keys by fact type, of those that the spec's threads are about."""
        names = dict.fromkeys(thread.fact_type for thread in spec.threads)
        return {name: facts_of(self.catalog.fact_types[name]) for name in names}


@dataclass(frozen=True, slots=True)
class SessionText:
    """A written session before it has its place: level session."""

    kit: Kit
    spec: LatentSpec
    plan: SessionPlan
    written: Written

    @property
    def own(self) -> range:
        """The turns that were written for the session; those of a background dialogue are as they were found."""
        guest = self.written.guest
        if guest is not None:
            return range(guest.first_turn, guest.last_turn + 1)
        return range(0 if self.plan.frame == "plain" else len(self.written.turns))


def session_text(kit: Kit, episode: Episode, index: int) -> SessionText:
    """A session of a woven episode as it was before it was woven."""
    placed = [span for span in episode.spans if span.session == index]
    spans = tuple(Span(event=s.event, turn=s.turn, start=s.start, end=s.end) for s in placed)
    written = Written(turns=episode.sessions[index].turns, spans=spans)
    return SessionText(kit, episode.spec, episode.spec.sessions[index], written)


@dataclass(frozen=True, slots=True)
class EpisodeText:
    """A woven episode with its questions: level episode."""

    kit: Kit
    episode: Episode


@dataclass(frozen=True, slots=True)
class SuiteText:
    """All episodes of a suite: level suite. They may be read anew at every pass: few passes, and nothing kept."""

    kit: Kit
    episodes: Collection[Episode]
    missing: int = 0


Options = Mapping[str, str | int | float | bool | None]
Subject = TypeVar("Subject", contravariant=True)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a validator saw: findings, figures, or why it could not run."""

    findings: tuple[Finding, ...] = ()
    measures: tuple[Measure, ...] = ()
    not_run: str = ""


class Check(Protocol[Subject]):
    """The working part of a validator: a pure function of what it is shown and of its options."""

    def __call__(self, subject: Subject, options: Options, /) -> Outcome:
        """Look at the subject."""


@dataclass(frozen=True, slots=True)
class Example:
    """Two texts for people, one that passes and one that is found wrong."""

    passes: str
    fails: str


@dataclass(frozen=True, slots=True)
class Validator(Generic[Subject]):
    """A validator: its name in gates, its stable code, what it forbids and why, and its check."""

    name: str
    code: str
    level: Level
    forbids: str
    """What it forbids, one sentence."""
    why: str
    """Why that matters for the diagnosis of memory."""
    example: Example
    check: Check[Subject]
    options: Mapping[str, str | int | float | bool | None] = field(default_factory=dict)
    """The options it takes, with their defaults."""

    def explain(self) -> str:
        """Everything a person wants to know about a finding of this validator."""
        lines = [f"{self.code} {self.name} ({self.level})", "", self.forbids, "", f"Why: {self.why}", ""]
        lines += [f"Passes: {self.example.passes}", f"Fails:  {self.example.fails}"]
        if self.options:
            lines += ["", "Options: " + ", ".join(f"{name}={value}" for name, value in self.options.items())]
        return "\n".join(lines)


AnyValidator = Validator[SessionText] | Validator[EpisodeText] | Validator[SuiteText]
