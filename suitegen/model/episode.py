"""Finished episodes and the record of the case they come from."""

from __future__ import annotations

from typing import Literal

from suitegen.model.base import Noun
from suitegen.model.finding import Finding, Verdict
from suitegen.model.gold import FieldEvidence, Gold
from suitegen.model.history import Placement, Question, Session, Turn
from suitegen.model.latent import Event, LatentSpec, Probe


class AskedProbe(Noun):
    """A probe with its wording, gold and evidence."""

    probe: Probe
    question: Question
    gold: Gold
    evidence: tuple[FieldEvidence, ...]


class PlacedSpan(Noun):
    """A span in the woven history."""

    event: str
    session_id: str
    session: int
    turn: int
    start: int
    end: int
    quote: str


class Counterfactual(Noun):
    """The sibling's perturbation in the same history: what it says, and the gold it would have."""

    condition: str
    events: tuple[Event, ...]
    sessions: dict[int, tuple[Turn, ...]]
    """Turns that stand in place of those of the session with that index."""
    gold: dict[str, Gold]
    """By probe id, for the probes that the swap must flip."""


class Episode(Noun):
    """History, probes, gold and trace of one latent spec."""

    episode_id: str
    group_id: str | None
    spec: LatentSpec
    sessions: tuple[Session, ...]
    placements: tuple[Placement, ...]
    spans: tuple[PlacedSpan, ...]
    probes: tuple[AskedProbe, ...]
    counterfactual: Counterfactual | None = None
    verdicts: tuple[Verdict, ...] = ()

    def span(self, event: str) -> PlacedSpan:
        """Where an event is said.

        Raises:
            KeyError: it is said nowhere.
        """
        for span in self.spans:
            if span.event == event:
                return span
        raise KeyError(event)


class Call(Noun):
    """What a model was asked, what it replied, and what that used."""

    model: str
    attempt: int
    """Number by which calls for the same text are told apart."""
    prompt: str
    """All messages, each under its role."""
    reply: str
    """As it came; empty where there was none."""
    outcome: str
    """``answered``, or why there was no answer."""
    input: int | None = None
    """Tokens, where the provider counted them."""
    output: int | None = None
    cost: str | None = None
    """US dollars; None where the price is not known."""


class Attempt(Noun):
    """One try at a part of a case, and what was wrong with it."""

    draw: int
    attempt: int
    part: str
    """What was written: ``session 4``, ``question p1``, ``filler 7``, ``episode``."""
    findings: tuple[Finding, ...]
    text: str = ""
    """The rejected text."""
    call: Call | None = None
    """The call by which a model wrote it."""


class CaseRecord(Noun):
    """How a case came out. A failed one keeps its findings and counts as missing."""

    case: str
    status: Literal["accepted", "failed", "error"]
    draw: int
    episodes: tuple[Episode, ...] = ()
    attempts: tuple[Attempt, ...] = ()
    error: str = ""
    """For ``error``: the traceback of a part that broke."""
