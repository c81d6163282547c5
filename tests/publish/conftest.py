from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pytest

from suitegen.model.catalog import Catalog
from suitegen.model.episode import AskedProbe, Attempt, CaseRecord, Counterfactual, Episode, PlacedSpan
from suitegen.model.finding import Finding, Measure, Verdict
from suitegen.model.gold import Atom, FieldEvidence, Gold, GoldField, Group
from suitegen.model.history import Placement, Question, Session, Turn
from suitegen.model.latent import Event, LatentSpec, Member, Probe, SessionPlan
from suitegen.model.suite import SuiteSpec
from suitegen.publish.manifest import Build, Suite, assemble, outcome

OLD, NEW = "9:30", "10:15"
SAID = {
    "e1": f"Our standup is at {OLD} for now.",
    "e2": f"The standup moved to {NEW}, two people joined from Lisbon.",
}
KINDS = ("event", "background", "event", "background")
PHASES = ("encoding", "filler", "perturbation", "post_perturbation")


@dataclass(frozen=True)
class Wording:
    """What a test may put in the place of the usual texts."""

    filler: str = "I could do with a shorter walk to the station."
    title: str = "Standup times"
    question: str = "When is the standup?"


@pytest.fixture(scope="session")
def make_episode() -> Callable[..., Episode]:
    return episode


@pytest.fixture(scope="session")
def make_build() -> Callable[..., Build]:
    return build


@pytest.fixture(scope="session")
def make_suite() -> Callable[..., Suite]:
    return suite


@pytest.fixture(scope="session")
def wording() -> type[Wording]:
    return Wording


@pytest.fixture(scope="session")
def files() -> Callable[..., dict[str, bytes]]:
    """Every published file of a folder by its path."""

    def found(out: Any) -> dict[str, bytes]:
        paths = sorted(path for path in out.rglob("*") if path.is_file() and ".suitegen" not in path.parts)
        return {path.relative_to(out).as_posix(): path.read_bytes() for path in paths}

    return found


def suite(number: int = 3, wording: Wording = Wording(), **changes: Any) -> Suite:
    return assemble(build(number, wording, **changes))


def build(number: int = 3, wording: Wording = Wording(), **changes: Any) -> Build:
    spec = SuiteSpec.model_validate(
        {
            "id": "standups",
            "title": wording.title,
            "fact_types": ["work/standup_time"],
            "cells": [{"paradigm": "interference", "condition": "authoritative_update", "count": number}],
            "seed": 7,
            **changes,
        }
    )
    records = [record(index, wording) for index in range(number)]
    return Build(
        spec=spec,
        catalog=Catalog({}, {}, {}, {}, {}, {}, {}),
        planned={f"case-{index}": 1 for index in range(number)},
        cases=[outcome(record) for record in records],
        episodes=tuple(episode for record in records for episode in record.episodes),
        verdicts=[
            Verdict(
                gate="release",
                validator="latest_mention",
                level="suite",
                status="passed",
                measures=(Measure(name="current", value=0.25, threshold=0.35, low=0.1, high=0.4, n=number),),
            ),
            Verdict(gate="release", validator="judge", level="suite", status="not_run", why="no judge model was named"),
        ],
    )


def record(index: int, wording: Wording = Wording()) -> CaseRecord:
    attempts = (
        Attempt(
            draw=0, attempt=0, part="session 2", findings=(Finding(code="no_echo", message="the reply takes it up"),)
        ),
    )
    return CaseRecord(
        case=f"case-{index}",
        status="accepted",
        draw=0,
        episodes=(episode(index, wording),),
        attempts=attempts if index == 0 else (),
    )


def episode(index: int = 0, wording: Wording = Wording(), **changes: Any) -> Episode:
    name = f"ep-{index:04d}"
    sessions = tuple(_sessions(name, wording))
    spans = tuple(_spans(sessions))
    made: dict[str, Any] = {
        "episode_id": name,
        "group_id": None,
        "spec": spec(index),
        "sessions": sessions,
        "placements": tuple(
            Placement(
                session_id=session.session_id,
                first_turn=0,
                last_turn=len(session.turns) - 1,
                phase=phase,
                kind=kind,
                origin="offline" if kind == "event" else f"library:walks-{index}",
                license="CC0-1.0",
                content_hash=f"{number:064x}",
            )
            for number, (session, kind, phase) in enumerate(zip(sessions, KINDS, PHASES, strict=True))
        ),
        "spans": spans,
        "probes": (_current(name, wording), _temporal(name)),
        "counterfactual": Counterfactual(
            condition="decoy_no_update",
            events=(event("e2", 2, value=NEW, op="mention"),),
            sessions={2: (Turn(role="user", content="Lisbon has its standup at 10:15."),), 10: ()},
            gold={"p1": gold("current", GoldField(name="value", form="value", answer=OLD))},
        ),
        "verdicts": (
            Verdict(gate="session", validator="facets", level="session", status="passed"),
            Verdict(gate="reading", validator="full_context", level="episode", status="passed",
                    measures=(Measure(name="points", value=1.0, n=2),)),
        ),
    }  # fmt: skip
    return Episode(**{**made, **changes})


def spec(index: int = 0) -> LatentSpec:
    plans = tuple(
        SessionPlan(
            index=number,
            slot=f"s{number}",
            phase=phase,
            kind=kind,
            timestamp=_day(number),
            events={0: ("e1",), 2: ("e2",)}.get(number, ()),
        )
        for number, (kind, phase) in enumerate(zip(KINDS, PHASES, strict=True))
    )
    return LatentSpec(
        suite="standups",
        case=f"case-{index}",
        variant="",
        draw=0,
        seed=index,
        language="en",
        paradigm="interference",
        condition="authoritative_update",
        expects="update",
        domain="work",
        fact_type="work/standup_time",
        split=False,
        tier="short",
        cast=(
            Member(
                name="target",
                fact_type="work/standup_time",
                entity="Atlas",
                attribute="standup time",
                values={"initial": OLD, "new": NEW},
            ),
        ),
        sessions=plans,
        events=(
            event("e1", 0, op="remember", value=OLD),
            event("e2", 2, op="update", value=NEW, trigger="two people joined from Lisbon", change_id="joined",
                  says=("act", "value", "trigger"), refs={"resolves": "e1"}),
        ),
        probes=(_current("", Wording()).probe, _temporal("").probe),
    )  # fmt: skip


def event(name: str, session: int, **more: Any) -> Event:
    return Event(id=name, thread="t1", target="target", session=session, **more)


def gold(kind: Any, *fields: GoldField) -> Gold:
    return Gold(type=kind, fields=fields)


def _current(name: str, wording: Wording) -> AskedProbe:
    return AskedProbe(
        probe=Probe(id="p1", thread="t1", type="current", about="target", asked_after=3),
        question=_question(f"{name}-p1", name, wording.question),
        gold=gold(
            "current",
            GoldField(name="value", form="value", answer=NEW, accepts=(NEW, "10.15"), rivals=((OLD, "half past nine"),),
                      kind="time"),
        ),
        evidence=(FieldEvidence(field="value", groups=(Group(need=1, of=(Atom(event="e2", facet="value"),)),)),),
    )  # fmt: skip


def _temporal(name: str) -> AskedProbe:
    either = Group(need=1, of=(Atom(event="e2", facet="act"), Atom(event="e2", facet="trigger")))
    return AskedProbe(
        probe=Probe(id="p2", thread="t1", type="temporal", about="target", asked_after=3, rival=OLD, as_of=2),
        question=_question(f"{name}-p2", name, "What happened to the standup?"),
        gold=gold(
            "temporal",
            GoldField(name="direction", form="enum", answer="old_to_new"),
            GoldField(name="old", form="value", answer=OLD, kind="time"),
        ),
        evidence=(
            FieldEvidence(field="direction", groups=(either,)),
            FieldEvidence(field="old", groups=(Group(need=1, of=(Atom(event="e1", facet="value"),)),)),
        ),
    )


def _question(probe: str, name: str, text: str) -> Question:
    return Question(
        probe_id=probe,
        episode_id=name,
        asked_at=_day(4),
        visible_until=3,
        question=text,
        answer_format='{"type":"object"}',
    )


def _sessions(name: str, wording: Wording) -> Iterator[Session]:
    texts: Mapping[int, Sequence[Turn]] = {
        0: (Turn(role="user", content=f"Hi. {SAID['e1']}"), Turn(role="assistant", content="Noted.")),
        1: (Turn(role="user", content=wording.filler), Turn(role="assistant", content="Shall we look at a map?")),
        2: (
            Turn(role="user", content=f"Großes 🎉 News! {SAID['e2']}"),
            Turn(role="tool", name="calendar", content='{"saved": true}'),
            Turn(role="assistant", content="That should give everyone time."),
        ),
        3: (Turn(role="user", content="What rhymes with orange?"), Turn(role="assistant", content="Hardly anything.")),
    }
    for index, turns in texts.items():
        yield Session(session_id=f"{name}-{index:x}", index=index, timestamp=_day(index), turns=tuple(turns))


def _spans(sessions: Sequence[Session]) -> Iterator[PlacedSpan]:
    for name, session in (("e1", sessions[0]), ("e2", sessions[2])):
        start = session.turns[0].content.index(SAID[name])
        yield PlacedSpan(
            event=name,
            session_id=session.session_id,
            session=session.index,
            turn=0,
            start=start,
            end=start + len(SAID[name]),
            quote=SAID[name],
        )


def _day(index: int) -> str:
    return f"2026-01-{12 + index}T09:00:00+00:00"
