"""LongMemEval's file: one question an entry, each with its own haystack of dated sessions."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path

from suitegen.model.episode import AskedProbe, Episode
from suitegen.model.history import Session
from suitegen.model.words import ProbeType
from suitegen.publish.formats.frame import Losses, Source
from suitegen.publish.tables import answer_text, evidence_sessions
from suitegen.reading.protocol import visible

FILE = "longmemeval.json"
_DATE = "%Y/%m/%d (%a) %H:%M"
_TYPES: Mapping[ProbeType, str] = {
    "current": "knowledge-update",
    "previous": "knowledge-update",
    "original": "knowledge-update",
    "temporal": "temporal-reasoning",
    "change": "temporal-reasoning",
}
_OTHER = "multi-session"
"""The type of what has no like there."""
_ABSENT = "_abs"
"""Ends the id of a question to which there is no answer."""


def as_longmemeval(source: Source, folder: Path, losses: Losses) -> None:
    """``longmemeval.json``; the layout is that of the public files of LongMemEval (Wu et al. 2025)."""
    with (folder / FILE).open("w", encoding="ascii", newline="\n") as file:
        separator = "["
        for entry in _entries(source, losses):
            file.write(f"{separator}\n{json.dumps(entry)}")
            separator = ","
        file.write("\n]\n")


def _entries(source: Source, losses: Losses) -> Iterator[Mapping[str, object]]:
    for episode in source.episodes():
        for asked in episode.probes:
            yield _entry(episode, asked, losses)


def _entry(episode: Episode, asked: AskedProbe, losses: Losses) -> Mapping[str, object]:
    sessions, gold = visible(episode.sessions, asked.question), asked.gold
    evidence = evidence_sessions(episode, asked)
    names = {s.session_id: f"{'answer_' if s.session_id in evidence else ''}{s.session_id}" for s in sessions}
    absent = len(gold.fields) == 1 and gold.fields[0].refusal
    losses.add("a date has no seconds and no time zone", len(sessions) + 1)
    losses.add("an answer has no rivals and no other spellings")
    losses.add("a question has no answer format: the fields of its answer are one JSON text", len(gold.fields) > 1)
    losses.add(f"a type of question is called {_OTHER}, which it is not", asked.probe.type not in _TYPES)
    return {
        "question_id": f"{asked.question.probe_id}{_ABSENT if absent else ''}",
        "question_type": _TYPES.get(asked.probe.type, _OTHER),
        "question": asked.question.question,
        "answer": answer_text(gold),
        "question_date": _date(asked.question.asked_at),
        "haystack_session_ids": list(names.values()),
        "haystack_dates": [_date(session.timestamp) for session in sessions],
        "haystack_sessions": [_turns(episode, asked, session, session.session_id in evidence, losses)
                              for session in sessions],
        "answer_session_ids": [names[name] for name in evidence if name in names],
    }  # fmt: skip


def _turns(
    episode: Episode, asked: AskedProbe, session: Session, evident: bool, losses: Losses
) -> list[Mapping[str, object]]:
    said = {atom.event for field in asked.evidence for group in field.groups for atom in group.of}
    marked = {span.turn for span in episode.spans if span.session_id == session.session_id and span.event in said}
    turns: list[Mapping[str, object]] = []
    for number, turn in enumerate(session.turns):
        tool = turn.role == "tool"
        losses.add("a tool's turn is one of the assistant, with the tool's name before it", tool)
        content = f"[{turn.name or 'tool'}] {turn.content}" if tool else turn.content
        label = {"has_answer": number in marked} if evident else {}
        turns.append({"role": "assistant" if tool else turn.role, "content": content, **label})
    return turns


def _date(timestamp: str) -> str:
    return datetime.fromisoformat(timestamp).strftime(_DATE)
