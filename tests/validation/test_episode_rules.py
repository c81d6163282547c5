"""Each rule on episodes passes what is right and finds what is wrong."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from suitegen.model.episode import AskedProbe, Episode
from suitegen.model.finding import Finding
from suitegen.model.gold import FieldEvidence
from suitegen.model.history import Session, Turn
from suitegen.validation.episode_rules import VALIDATORS
from suitegen.validation.protocol import EpisodeText
from tests.validation.stories import story
from tests.validation.world import day, event, kit

RULES = {validator.name: validator for validator in VALIDATORS}


def findings(name: str, episode: Episode) -> tuple[Finding, ...]:
    return RULES[name].check(EpisodeText(kit(), episode), RULES[name].options).findings


@pytest.mark.parametrize("name", RULES)
def test_what_is_right_passes(name: str) -> None:
    assert findings(name, story()) == ()


def sessions(**changes: dict[str, object]) -> Episode:
    """The story with fields of some sessions changed; ``s0`` is the first."""
    base = story()
    changed = [s.model_copy(update=changes.get(f"s{s.index}", {})) for s in base.sessions]
    return base.model_copy(update={"sessions": tuple(changed)})


def talk(index: int, *contents: str) -> Episode:
    """The story with other words in a session; roles take turns."""
    turns = [Turn.model_validate({"role": ("user", "assistant")[n % 2], "content": c}) for n, c in enumerate(contents)]
    return sessions(**{f"s{index}": {"turns": tuple(turns)}})


def asked(index: int, change: Callable[[AskedProbe], dict[str, object]]) -> Episode:
    """The story with fields of a probe changed."""
    base = story()
    probes = [p.model_copy(update=change(p)) if n == index else p for n, p in enumerate(base.probes)]
    return base.model_copy(update={"probes": tuple(probes)})


def question(index: int, **changes: object) -> Episode:
    """The story with fields of a question changed."""
    return asked(index, lambda probe: {"question": probe.question.model_copy(update=changes)})


def spans(**changes: object) -> Episode:
    """The story with fields of the first span changed."""
    base = story()
    return base.model_copy(update={"spans": (base.spans[0].model_copy(update=changes), *base.spans[1:])})


def other_gold(probe: AskedProbe) -> dict[str, object]:
    field = probe.gold.fields[0].model_copy(update={"answer": "9:30"})
    return {"gold": probe.gold.model_copy(update={"fields": (field,)})}


def repeated(session: Session) -> dict[str, object]:
    return {"turns": tuple(t.model_copy(update={"content": t.content.upper() + " "}) for t in session.turns)}


def timeline(**changes: object) -> Episode:
    """The story with another spec."""
    return story().model_copy(update={"spec": story().spec.model_copy(update=changes)})


WRONG: list[tuple[str, str, Callable[[], Episode]]] = [
    ("dates", "two sessions on one moment", lambda: sessions(s1={"timestamp": day(0)})),
    ("dates", "a session before the one before it", lambda: sessions(s2={"timestamp": "2026-01-01T09:00:00+00:00"})),
    ("dates", "an hour that only looks later", lambda: sessions(s1={"timestamp": "2026-02-01T10:00:00+02:00"})),
    ("dates", "an index that is not the place", lambda: sessions(s1={"index": 7})),
    ("dates", "asked before the last session", lambda: question(0, asked_at=day(1))),
    ("dates", "asked at the very moment", lambda: question(0, asked_at="2026-02-04T10:00:00+01:00")),
    ("dates", "it may see more than there is", lambda: question(0, visible_until=4)),
    ("evidence_spans", "an event without a span", lambda: story().model_copy(update={"spans": story().spans[:1]})),
    ("evidence_spans", "a span twice", lambda: story().model_copy(update={"spans": story().spans * 2})),
    ("evidence_spans", "off by one", lambda: spans(start=story().spans[0].start + 1)),
    ("evidence_spans", "another turn", lambda: spans(turn=3)),
    ("evidence_spans", "a turn that is not there", lambda: spans(turn=9)),
    ("evidence_spans", "another session", lambda: spans(session=2, session_id=story().sessions[2].session_id)),
    ("evidence_spans", "another session's id", lambda: spans(session_id=story().sessions[2].session_id)),
    ("evidence_spans", "an unknown event", lambda: spans(event="e9")),
    ("evidence_spans", "an empty quote", lambda: spans(end=story().spans[0].start, quote="")),
    ("fillers", "background names a rival", lambda: talk(1, "Our standup is at 11:00.", "I see.")),
    ("fillers", "background names the value", lambda: talk(1, "Before the daily at ten o'clock I bake.", "Enjoy it.")),
    ("fillers", "background names a value of the other attribute", lambda: talk(1, "I saw Pulse Factory.", "Nice.")),
    ("fillers", "background speaks of the attribute", lambda: talk(1, "Any standup time that suits bakers?", "Late.")),
    ("fillers", "an event session names one more", lambda: talk(0, "Standup is at 9:30, not at 10:15.", "Okay.")),
    ("repeats", "the same dialogue twice", lambda: sessions(s3={"turns": story().sessions[1].turns})),
    ("repeats", "the same in capitals", lambda: sessions(s3=repeated(story().sessions[1]))),
    ("replay", "another gold", lambda: asked(0, other_gold)),
    ("replay", "evidence that is too little", lambda: asked(1, lambda p: {"evidence": p.evidence[:0]})),
    ("replay", "evidence of another probe", lambda: asked(0, lambda p: {"evidence": story().probes[2].evidence})),
    ("replay", "an empty group", lambda: asked(0, lambda p: {"evidence": (FieldEvidence(field="value", groups=()),)})),
    (
        "replay", "an update to what holds",
        lambda: timeline(events=(*story().spec.events, event("again", "update", "10:00", session=3))),
    ),
    ("absent", "a filler says it", lambda: talk(1, "I train at Pulse Factory, by the way.", "Nice.")),
    ("absent", "an aside says it", lambda: talk(1, "Ironbark raised its prices.", "They all do.")),
    ("questions", "the gold stands in it", lambda: question(0, question="Is the standup at 10:00 at present?")),
    ("questions", "the gold in other words", lambda: question(0, question="Is it ten o'clock, or what is it?")),
    ("questions", "the former value", lambda: question(1, question="Was the standup at half past nine before?")),
    ("questions", "the trigger", lambda: question(3, question="Why did Halifax change the standup?")),
    ("questions", "a value of a trajectory", lambda: question(7, question="What came before and after 9:30?")),
    ("questions", "how many values there are", lambda: question(7, question="Which two times did the standup have, in order?")),
    ("questions", "a word twice", lambda: question(2, question="Did the current current standup time change?")),
    ("questions", "the condition", lambda: question(2, question="Was there an authoritative update of the standup?")),
    ("questions", "a label", lambda: question(2, question="Did the perturbation change the standup?")),
    ("questions", "the same question twice", lambda: question(2, question=story().probes[0].question.question)),
    ("ids", "a speaking session id", lambda: sessions(s2={"session_id": "perturbation_1"})),
    ("ids", "a speaking probe id", lambda: question(0, probe_id="p-current-1")),
    ("ids", "an id twice", lambda: question(1, probe_id=story().probes[0].question.probe_id)),
    ("ids", "a speaking episode id", lambda: story().model_copy(update={"episode_id": "interference_001"})),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "what", "wrong"), WRONG, ids=[f"{w[0]}: {w[1]}" for w in WRONG])
def test_what_is_wrong_is_found(rule: str, what: str, wrong: Callable[[], Episode]) -> None:
    found = findings(rule, wrong())
    assert found, what
    assert {finding.code for finding in found} == {RULES[rule].code}
    assert {finding.episode for finding in found} == {wrong().episode_id}


def test_every_rule_has_a_wrong_case() -> None:
    assert {rule for rule, *_ in WRONG} == set(RULES)


def test_a_split_event_does_not_excuse_its_value() -> None:
    """The first part of a split knows the new value, but its session may not name it."""
    first = story().spec.events[1].model_copy(update={"says": ("act", "trigger", "reason")})
    split = timeline(events=(story().spec.events[0], first))
    assert findings("fillers", split)


def test_a_question_about_a_rival_may_name_it() -> None:
    assert not findings("questions", question(7, question="Which times did it have, one after another?"))
    assert not findings("questions", question(4, question="Who said half past nine for the standup, and is it right?"))
