"""Weaving: written sessions get their place, date and id, and become a history."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from suitegen.filler.digest import content_hash
from suitegen.latent.seeds import opaque
from suitegen.model.episode import PlacedSpan
from suitegen.model.history import Placement, Session, Written
from suitegen.model.latent import LatentSpec, SessionPlan
from suitegen.model.words import SessionKind

HOST: SessionKind = "background"
"""What the turns of a dialogue are in which something is said in passing."""


@dataclass(frozen=True, slots=True)
class Woven:
    """A history with its key: where each session comes from, and where each event is said."""

    sessions: tuple[Session, ...]
    placements: tuple[Placement, ...]
    """In the order of the text; one for each stretch of turns that are of one origin."""
    spans: tuple[PlacedSpan, ...]
    """In the order of the text."""


def weave(spec: LatentSpec, written: Mapping[int, Written], episode_id: str) -> Woven:
    """The history of a spec from the text of each of its sessions, by index.

    Ids of sessions are hashes and show neither order nor kind; dates are the plan's; quotes are
    cut from the final text.

    Raises:
        KeyError: a session of the plan has no text.
        IndexError: a span names a turn that its session does not have.
    """
    plans = sorted(spec.sessions, key=lambda plan: plan.index)
    sessions = tuple(_session(spec, plan, written[plan.index], episode_id) for plan in plans)
    pairs = list(zip(plans, sessions, strict=True))
    return Woven(
        sessions=sessions,
        placements=tuple(place for plan, session in pairs for place in _placements(plan, session, written[plan.index])),
        spans=tuple(span for plan, session in pairs for span in _spans(session, written[plan.index])),
    )


def _session(spec: LatentSpec, plan: SessionPlan, text: Written, episode_id: str) -> Session:
    name = opaque("s", spec.suite, spec.seed, spec.case, spec.variant, episode_id, plan.slot)
    return Session(session_id=name, index=plan.index, timestamp=plan.timestamp, turns=text.turns)


def _placements(plan: SessionPlan, session: Session, text: Written) -> list[Placement]:
    """The session's stretches: a dialogue of one origin, or a host before, around and after its guest."""
    guest, last = text.guest, len(session.turns) - 1
    if guest is None:
        stretches = [(0, last, plan.kind, text.origin, text.license)]
    else:
        stretches = [
            (0, guest.first_turn - 1, HOST, text.origin, text.license),
            (guest.first_turn, guest.last_turn, plan.kind, guest.origin, guest.license),
            (guest.last_turn + 1, last, HOST, text.origin, text.license),
        ]
    return [
        Placement(
            session_id=session.session_id,
            first_turn=begin,
            last_turn=end,
            phase=plan.phase if kind == plan.kind else "filler",
            kind=kind,
            origin=origin,
            license=license,
            content_hash=content_hash(session.turns[begin : end + 1]),
        )
        for begin, end, kind, origin, license in stretches
        if begin <= end
    ]


def _spans(session: Session, text: Written) -> list[PlacedSpan]:
    return [
        PlacedSpan(
            event=span.event,
            session_id=session.session_id,
            session=session.index,
            turn=span.turn,
            start=span.start,
            end=span.end,
            quote=session.turns[span.turn].content[span.start : span.end],
        )
        for span in sorted(text.spans, key=lambda span: (span.turn, span.start, span.end))
    ]
