"""What a caller tells a build, and what it is told: plain values without behaviour or terminal."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pydantic import Field, model_validator

from suitegen.llm.account import Budget, Tally
from suitegen.llm.forecast import Forecast
from suitegen.llm.limits import Limits
from suitegen.llm.prices import Price
from suitegen.llm.protocol import Parameters
from suitegen.model.base import Count, Noun, Text
from suitegen.model.episode import Attempt
from suitegen.model.finding import Verdict
from suitegen.reading.readings import Reading


class ModelOptions(Noun):
    """A model in a role, and how it is asked. The name alone stands for all of it."""

    model: Text = Field(description="openai:NAME, anthropic:NAME, or either with @http://host:port/v1 behind it.")
    parameters: Parameters = Parameters()
    limits: Limits = Limits()
    price: Price | None = Field(default=None, description="US dollars for a million tokens, where no list has it.")
    key: Text | None = Field(
        default=None, description="The environment variable that holds the key, if not the provider's usual one."
    )

    @model_validator(mode="before")
    @classmethod
    def _named(cls, data: object) -> object:
        return {"model": data} if isinstance(data, str) else data

    @property
    def family(self) -> str:
        """Whose kin it is: the provider's, or on another server of those whose names begin with the same word."""
        provider, _, rest = self.model.partition(":")
        name, elsewhere, _ = rest.partition("@http")
        word = re.match(r"[a-z]+", name.rpartition("/")[2].casefold())
        return word[0] if elsewhere and word else provider


class WriterOptions(ModelOptions):
    """The writer, and how often it may try."""

    corrections: Count = Field(default=2, description="How often a rejected text goes back with what is wrong.")
    restarts: Count = Field(default=1, description="How often a session is then written afresh.")
    fallback: Literal["offline"] | None = Field(
        default=None, description="Who writes what the model does not get right; nobody: the case is drawn anew."
    )


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a suite is made, as against what it is; never part of its hash."""

    workers: int = 4
    select: str | None = None
    """Only the cases whose key, or a label of it, fits; the rest stay as they are."""
    retry_failed: bool = False
    """Try cases again that failed in an earlier run."""
    max_failures: int = 0
    """How many cases may be missing in a suite that is still packaged."""
    writer: WriterOptions | None = None
    """The model that writes; None: the offline writer."""
    judge: ModelOptions | None = None
    """The model that judges; None: nothing is judged."""
    second_judge: ModelOptions | None = None
    """Another one, which judges a sample of the same."""
    readers: tuple[ModelOptions, ...] = ()
    """Models that read the finished suite."""
    embedder: ModelOptions | None = None
    """The model whose vectors find sessions for them; None: they are found by words alone."""
    budget: Budget = field(default_factory=Budget)


@dataclass(frozen=True, slots=True)
class ProgressEvent:
    """Where a build is. ``accepted`` and ``failed`` count cases over the whole build, earlier runs included."""

    stage: str
    done: int
    total: int
    accepted: int
    failed: int
    note: str = ""
    """What was found wrong last, if anything."""


@dataclass(frozen=True, slots=True)
class BuildResult:
    """How a build ended."""

    out: Path
    planned: int
    accepted: int
    missing: int
    verdicts: tuple[Verdict, ...]
    packaged: bool
    """Whether the suite's files were written."""
    interrupted: bool
    """Whether it was stopped before every planned case was tried."""
    used: Tally | None = None
    """What calls to models used in this run, where there were any."""
    readings: tuple[Reading, ...] = ()
    """What models reached that read the suite."""


@dataclass(frozen=True, slots=True)
class PlanRow:
    """One line of the design table: what the episodes of a combination are, and how many."""

    paradigm: str
    condition: str
    expects: str
    domain: str
    split: bool
    tier: str
    episodes: int
    probes: int
    sessions: int


@dataclass(frozen=True, slots=True)
class PlanView:
    """A suite's design with its counts; nothing has been written."""

    suite: str
    rows: tuple[PlanRow, ...]
    cases: int
    episodes: int
    probes: int
    sessions: int
    tokens: int
    """Characters / 4, estimated."""
    notes: tuple[str, ...] = ()
    calls: Forecast | None = None
    """What a model is to write, where one writes."""


@dataclass(frozen=True, slots=True)
class Reason:
    """How often a finding with this code led to a rejection."""

    code: str
    count: int


@dataclass(frozen=True, slots=True)
class StatusView:
    """How far the build in a folder is."""

    out: Path
    suite: str
    planned: int
    accepted: int
    failed: int
    waiting: int
    """Planned cases that were not tried yet."""
    packaged: bool
    reasons: tuple[Reason, ...]
    """Most frequent first."""


@dataclass(frozen=True, slots=True)
class FailureView:
    """A case with what was rejected on its way, and why."""

    case: str
    status: Literal["accepted", "failed", "error"]
    attempts: tuple[Attempt, ...]
    error: str = ""
    """The traceback of a part that broke."""
