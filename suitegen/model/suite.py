"""Suite files: what a dataset is. How it is made (workers, models, budget) stands elsewhere."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import Field, StringConstraints, model_validator

from suitegen.model.base import Count, Identifier, Language, Noun, Positive, Text
from suitegen.model.paradigm import Name
from suitegen.model.words import Mutability, PhaseName, ProbeType, SessionKind

Stretch = Annotated[int, Field(ge=0, le=100_000)]
"""A number of sessions."""


class Tier(Noun):
    """How many sessions each stretch of a history has."""

    encoding: Annotated[int, Field(ge=1, le=1000)] = 3
    before: Stretch = 15
    after: tuple[Stretch, Stretch] = Field(
        default=(2, 8), description="Fewest and most sessions after the perturbation; drawn."
    )

    @model_validator(mode="after")
    def _ordered(self) -> Tier:
        if self.after[0] > self.after[1]:
            raise ValueError(f"after: {self.after[0]} is more than {self.after[1]}")
        return self


TIERS = {
    "short": Tier(encoding=2, before=8),
    "core": Tier(encoding=3, before=15),
    "long": Tier(encoding=4, before=25),
}


Mix = dict[SessionKind, Count]
"""Kinds of filler, in parts."""


def _before() -> Mix:
    return {"background": 40, "near_miss": 27, "confusable": 20, "decoy": 13}


def _after() -> Mix:
    return {"background": 40, "stale_reference": 25, "decoy": 35}


class Length(Noun):
    """A history's length other than its tier's: a number of sessions or of tokens (characters / 4)."""

    sessions: Annotated[int, Field(ge=1, le=100_000)] | None = None
    tokens: Positive | None = None

    @model_validator(mode="after")
    def _one(self) -> Length:
        if (self.sessions is None) == (self.tokens is None):
            raise ValueError("a length is a number of sessions or of tokens")
        return self


Axis = Literal["condition", "split", "tier"]
"""What a matched group may vary."""


class Cell(Noun):
    """A block of the factorial design: lists are crossed.

    ``count`` episodes (or matched groups) are spread evenly over the crossing of the
    lists; ``each`` asks for so many of every combination.
    """

    paradigm: Name
    condition: tuple[Name, ...] = Field(min_length=1)
    domain: tuple[Name, ...] = Field(default=(), description="Empty: all domains of the suite's fact types.")
    split: tuple[bool, ...] = Field(default=(False,), min_length=1)
    tier: tuple[Name, ...] = Field(default=("core",), min_length=1)
    length: Length | None = None
    count: Positive | None = None
    each: Positive | None = None
    vary: tuple[Axis, ...] = Field(default=(), description="Axes along which the members of one matched group differ.")
    twin: bool = Field(default=False, description="Pair each episode with its condition's twin, as one group.")
    fact_types: tuple[str, ...] = Field(default=(), description="Only these, of the suite's.")
    probes: tuple[ProbeType, ...] = Field(
        default=(), description="Only these of the probes that the conditions ask; empty: all of them."
    )
    after: tuple[Stretch, ...] = Field(
        default=(),
        description="Sessions after the perturbation, dealt to the cell's cases in turn; empty: drawn by the tier.",
    )

    @model_validator(mode="before")
    @classmethod
    def _lists(cls, data: object) -> object:
        """A single value stands for a list of one."""
        if isinstance(data, dict):
            listed = ("condition", "domain", "split", "tier", "vary", "fact_types", "probes", "after")
            return {k: [v] if k in listed and not isinstance(v, (list, tuple)) else v for k, v in data.items()}
        return data

    @model_validator(mode="after")
    def _counted(self) -> Cell:
        if (self.count is None) == (self.each is None):
            raise ValueError("a cell has either count (in all) or each (of every combination)")
        return self


class ThreadCell(Noun):
    """Threads of one condition in every history of a design: how many, of which fact types, and where they stand.

    Lists are dealt in turn: counts to the histories, marks to the threads of all histories.
    """

    paradigm: Name
    condition: Name
    count: tuple[Count, ...] = Field(min_length=1, description="Threads of a history, dealt to the histories in turn.")
    domain: tuple[Name, ...] = Field(default=(), description="Empty: all domains of the suite's fact types.")
    fact_types: tuple[str, ...] = Field(default=(), description="Only these, of the suite's.")
    mutability: tuple[Mutability, ...] = Field(default=(), description="Only fact types that change so; empty: any.")
    split: bool = False
    tier: Name = "core"
    stands: dict[PhaseName, tuple[Name, ...]] = Field(
        default_factory=dict,
        description="By phase the marks before which its sessions stand, after the mark before; a phase without marks "
        "stands anywhere after the one before it.",
    )
    beside: Name | None = Field(
        default=None,
        description="A condition of the history: each thread has the fact type of one of its threads, with another "
        "entity, and that one as its paired control.",
    )
    twin: bool = Field(
        default=False, description="Give each thread its condition's twin, about something else, as its paired control."
    )
    probes: tuple[ProbeType, ...] = Field(default=(), description="Only these; empty: all that the condition asks.")

    @model_validator(mode="before")
    @classmethod
    def _lists(cls, data: object) -> object:
        """A single value stands for a list of one."""
        if not isinstance(data, dict):
            return data
        listed = ("count", "domain", "fact_types", "mutability", "probes")
        found = {k: [v] if k in listed and not isinstance(v, (list, tuple)) else v for k, v in data.items()}
        if isinstance(stands := found.get("stands"), dict):
            found["stands"] = {k: v if isinstance(v, (list, tuple)) else [v] for k, v in stands.items()}
        return found


class HistoryCell(Noun):
    """Histories that several threads share: each thread is a case of its condition, on the same dated sessions."""

    count: Positive = Field(description="How many histories.")
    sessions: Annotated[int, Field(ge=1, le=100_000)]
    share: Positive = Field(default=1, description="Most threads that may be spoken of in one session.")
    alike: Positive = Field(
        default=1, description="So many threads of a history share a fact type, of different entities, where it can be."
    )
    mix: Mix = Field(
        default_factory=dict,
        description="Kinds of filler between the sessions of threads, in parts; empty: background.",
    )
    threads: tuple[ThreadCell, ...] = Field(min_length=1)


Commit = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{40}$")]
"""The full id of a commit: a branch or a tag may come to mean something else."""


class FillerSource(Noun):
    """Where background dialogues come from."""

    source: Literal["library", "files", "hub"] = "library"
    path: Text | None = Field(
        default=None,
        description="For files: a file or folder, relative to the project. For hub: the dataset, ORG/NAME.",
    )
    license: Text | None = Field(
        default=None,
        description="An SPDX id, kept with every placement; a hub source without one has that of its dataset card.",
    )
    revision: Commit | None = Field(default=None, description="For hub: the commit that is read, 40 hex digits.")
    config: Text | None = Field(default=None, description="For hub: which configuration, where there are several.")
    split: Text | None = Field(default=None, description="For hub: which split; train if none is named.")
    rows: Positive | None = Field(default=None, description="For hub: how many rows are read at most; 1,000 if unsaid.")

    @model_validator(mode="after")
    def _complete(self) -> FillerSource:
        if self.source == "files" and not (self.path and self.license):
            raise ValueError("a files source needs path and license")
        if self.source == "hub" and not (self.path and self.revision):
            raise ValueError("a hub source needs path (ORG/NAME) and revision (the commit's 40 hex digits)")
        if self.source == "hub" and not _DATASET.fullmatch(self.path or ""):
            raise ValueError(f"{self.path!r} is no dataset's name; it is written ORG/NAME")
        for name in ("revision", "config", "split", "rows"):
            if self.source != "hub" and getattr(self, name) is not None:
                raise ValueError(f"{name} is for hub sources only")
        return self


_DATASET = re.compile(r"[\w.-]+/[\w.-]+", re.ASCII)


def _unset(value: object) -> bool:
    return not value


class SuiteSpec(Noun):
    """What a dataset is: its cells, groups, counts, reserves, fillers and gates."""

    id: Identifier
    title: Text
    about: Text | None = None
    version: Text = "0.1.0"
    language: Language = "en"
    license: Text = "CC-BY-4.0"
    seed: Count = 0
    fact_types: tuple[str, ...] = Field(min_length=1, description="Fact types by id.")
    tiers: dict[Name, Tier] = Field(default_factory=lambda: dict(TIERS))
    marks: dict[Name, Count] = Field(default_factory=dict, description="Session indexes that conditions may refer to.")
    cells: tuple[Cell, ...] = Field(default=(), description="Histories of one thread each.")
    histories: tuple[HistoryCell, ...] = Field(
        default=(), description="Histories that several threads share.", exclude_if=_unset
    )
    reserves: Count = Field(default=3, description="How many redraws a case has before it counts as missing.")
    repairs: Count = Field(default=3, description="How often a draw's text is written again before it is redrawn.")
    mix: Mix = Field(default_factory=_before, description="Kinds of filler before the perturbation, in parts.")
    mix_after: Mix = Field(default_factory=_after, description="Kinds of filler after it, in parts.")
    fillers: tuple[FillerSource, ...] = (FillerSource(),)
    start: Text = Field(default="2026-01-12", description="Earliest day of a history, ISO 8601.")
    gates: tuple[Name, ...] = Field(default=("session", "episode", "reading", "judge", "release"), min_length=1)
    leaky_probes: bool = Field(
        default=False, description="A published design keeps probes that are asked under one behaviour only; say so."
    )
    withhold: Count = Field(
        default=0, description="Probes that the built suite leaves out, drawn by the seed.", exclude_if=_unset
    )

    @model_validator(mode="after")
    def _designed(self) -> SuiteSpec:
        if not (self.cells or self.histories):
            raise ValueError("a suite has cells (histories of one thread each) or histories (that threads share)")
        return self

    @property
    def paradigms(self) -> tuple[str, ...]:
        """The paradigms that it draws on, each once."""
        shared = (thread.paradigm for history in self.histories for thread in history.threads)
        return tuple(dict.fromkeys((*(cell.paradigm for cell in self.cells), *shared)))
