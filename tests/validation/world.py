"""A small world of two fact types, and sessions and episodes written by hand in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from suitegen.filler.weave import weave
from suitegen.latent.draw import facts_of
from suitegen.latent.evidence import evidence_of
from suitegen.latent.gold import gold_of
from suitegen.latent.seeds import opaque
from suitegen.model.catalog import Catalog
from suitegen.model.episode import AskedProbe, Episode
from suitegen.model.fact_type import FactType
from suitegen.model.history import Question, Span, Turn, Written
from suitegen.model.latent import Event, LatentSpec, Member, Probe, SessionPlan
from suitegen.model.suite import SuiteSpec
from suitegen.validation.protocol import Kit, SessionText
from suitegen.values.lexicon import Lexicon

SCENE = {"id": "scene", "open": ["a"], "reply": ["b"], "follow": ["c"], "answer": ["d"]}
STANDUP = {
    "id": "standup",
    "domain": "work",
    "attribute": "standup time",
    "noun": "the standup time of the {{ subject }}",
    "subject": {"pool": ["data team", "web team"]},
    "kind": "time",
    "values": [
        {"value": "9:30", "aliases": ["half past nine"]},
        {"value": "10:00"},
        {"value": "10:15"},
        {"value": "11:00"},
    ],
    "cues": ["standup", "daily"],
    "changes": [
        {
            "id": "halifax",
            "trigger": "three testers in Halifax came on board",
            "reason": "the slot has to suit people across the ocean",
            "keys": ["Halifax", "ocean"],
        },
        {
            "id": "booths",
            "trigger": "facilities closed the meeting booths",
            "reason": "a proper room is free then",
            "keys": ["booths", "proper room"],
        },
    ],
    "contexts": [SCENE],
    "phrasings": {},
    "confusables": [
        {"id": "lunch", "attribute": "lunch slot", "noun": "the lunch slot", "says": ["lunch is at {{ value }}"]}
    ],
}
GYM = {
    "id": "gym",
    "domain": "personal",
    "attribute": "gym",
    "noun": "my gym",
    "subject": {"others": ["my brother Teo"]},
    "kind": "name",
    "values": [
        {"value": "Ironbark Fitness", "aliases": ["Ironbark"]},
        {"value": "Pulse Factory"},
        {"value": "The Lift Room"},
        {"value": "Northgate Barbell"},
    ],
    "cues": ["gym", "train"],
    "changes": [
        {
            "id": "fee",
            "trigger": "the yearly fee came due",
            "reason": "the company discount is too good to pass up",
            "keys": ["yearly fee", "discount"],
        }
    ],
    "contexts": [SCENE],
    "phrasings": {},
}
MEMBERS = {
    "target": Member(
        name="target", fact_type="standup", entity="data team", attribute="standup time",
        values={"initial": "9:30", "new": "10:00"},
    ),
    "gym": Member(
        name="gym", fact_type="gym", entity="user", attribute="gym",
        values={"initial": "Ironbark Fitness", "new": "Pulse Factory"},
    ),
    "teo": Member(name="teo", fact_type="gym", entity="my brother Teo", attribute="gym", values={}),
    "lunch": Member(
        name="lunch", fact_type="standup", entity="data team", attribute="lunch slot", values={}, confusable="lunch"
    ),
}  # fmt: skip
_MARK = re.compile(r"\[\[(\w+):(.*?)\]\]", re.DOTALL)


@lru_cache(maxsize=1)
def kit() -> Kit:
    """The world's files."""
    fact_types = {data["id"]: FactType.model_validate(data) for data in (STANDUP, GYM)}
    suite = SuiteSpec.model_validate(
        {
            "id": "world",
            "title": "A small world",
            "fact_types": sorted(fact_types),
            "cells": [{"paradigm": "none", "condition": "none", "count": 1}],
        }
    )
    return Kit(Catalog(fact_types, {}, {}, {}, {}, {}, {}), suite, Lexicon(fact_types))  # type: ignore[arg-type]


WHY = {
    "change_id": "halifax",
    "trigger": "three testers in Halifax came on board",
    "reason": "the slot has to suit people across the ocean",
}


def event(
    id: str, op: str, value: str | None = None, says: str = "act value", change: str = "", **more: object
) -> Event:
    """An event of the target in session 0 unless more is said; any ``change`` brings the trigger and reason along."""
    why = WHY if change else {}
    fields = {"thread": "t1", "target": "target", "session": 0, **why, **more}
    return Event.model_validate({"id": id, "op": op, "value": value, "says": tuple(says.split()), **fields})


def spec(
    events: Iterable[Event],
    kinds: Sequence[str] = ("event",),
    probes: Iterable[Probe] = (),
    cast: Sequence[str] = ("target",),
    **more: object,
) -> LatentSpec:
    """A latent spec with one session a day, of these kinds."""
    events = tuple(events)
    plans = [
        SessionPlan(
            index=index, slot=f"slot.{index}", phase="filler", kind=kind, timestamp=day(index),
            events=tuple(each.id for each in events if each.session == index), scene=index,
        )
        for index, kind in enumerate(kinds)
    ]  # fmt: skip
    fields = {
        "suite": "world", "case": "case", "variant": "", "draw": 0, "seed": 1, "language": "en",
        "paradigm": "interference", "condition": "authoritative_update", "expects": "update", "domain": "work",
        "fact_type": MEMBERS[cast[0]].fact_type, "split": False, "tier": "core",
    }  # fmt: skip
    return LatentSpec.model_validate(
        {
            **fields,
            **more,
            "cast": [MEMBERS[name] for name in cast],
            "sessions": plans,
            "events": events,
            "probes": tuple(probes),
        }
    )


def day(index: int) -> str:
    """Nine o'clock of a day."""
    return f"2026-02-{index + 1:02d}T09:00:00+00:00"


def written(text: str, **more: object) -> Written:
    """Turns from lines ``role: content``; ``[[id:quote]]`` marks what an event says, ``\\n`` a new line in a turn."""
    turns, spans = [], []
    for index, line in enumerate(text.strip().splitlines()):
        role, _, content = line.strip().partition(": ")
        content = content.replace("\\n", "\n")
        while mark := _MARK.search(content):
            spans.append(Span(event=mark[1], turn=index, start=mark.start(), end=mark.start() + len(mark[2])))
            content = content[: mark.start()] + mark[2] + content[mark.end() :]
        turns.append(
            Turn.model_validate({"role": role, "content": content, "name": "lookup" if role == "tool" else None})
        )
    return Written.model_validate({"turns": tuple(turns), "spans": tuple(spans), **more})


def session(events: Iterable[Event], text: str, kind: str = "event", cast: Sequence[str] = ("target",)) -> SessionText:
    """One session that says these events."""
    latent = spec(events, (kind,), cast=cast)
    return SessionText(kit(), latent, latent.sessions[0], written(text))


def episode(
    latent: LatentSpec, texts: Mapping[int, Written], questions: Mapping[str, str], files: Kit | None = None
) -> Episode:
    """The episode of a spec from the text of each session and the question of each probe."""
    name = opaque("e", latent.case, latent.variant)
    woven = weave(latent, texts, name)
    asked = tuple(_asked(files or kit(), latent, probe, questions[probe.id], name) for probe in latent.probes)
    return Episode(
        episode_id=name, group_id=None, spec=latent, sessions=woven.sessions, placements=woven.placements,
        spans=woven.spans, probes=asked,
    )  # fmt: skip


def _asked(files: Kit, latent: LatentSpec, probe: Probe, question: str, name: str) -> AskedProbe:
    facts = facts_of(files.catalog.fact_types[latent.member(probe.about).fact_type])
    return AskedProbe(
        probe=probe,
        question=Question(
            probe_id=opaque("p", name, probe.id), episode_id=name, asked_at="2026-12-31T08:00:00+00:00",
            visible_until=probe.asked_after, question=question, answer_format="{}",
        ),
        gold=gold_of(latent, probe, facts),
        evidence=evidence_of(latent, probe, facts),
    )  # fmt: skip


def probe(id: str, type: str, asked_after: int, **more: object) -> Probe:
    """A probe about the target unless more is said."""
    return Probe.model_validate(
        {"id": id, "thread": "t1", "type": type, "about": "target", "asked_after": asked_after, **more}
    )
