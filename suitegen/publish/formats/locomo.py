"""LoCoMo's file: one conversation an entry, with the questions that are asked after all of it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from suitegen.model.episode import AskedProbe, Episode
from suitegen.model.words import ProbeType
from suitegen.publish.formats.frame import Losses, Source
from suitegen.publish.tables import answer_text

FILE = "locomo.json"
_SPEAKERS = {"user": "User", "assistant": "Assistant", "tool": "Assistant"}
_MULTI_HOP, _TEMPORAL, _SINGLE_HOP, _ADVERSARIAL = 1, 2, 4, 5
_CATEGORIES: Mapping[ProbeType, int] = {
    "current": _SINGLE_HOP,
    "source": _SINGLE_HOP,
    "previous": _TEMPORAL,
    "original": _TEMPORAL,
    "temporal": _TEMPORAL,
    "change": _TEMPORAL,
}
"""Categories of what has a like there; the rest is multi-hop."""


def as_locomo(source: Source, folder: Path, losses: Losses) -> None:
    """``locomo.json``; the layout is that of the public file of LoCoMo (Maharana et al. 2024)."""
    with (folder / FILE).open("w", encoding="ascii", newline="\n") as file:
        separator = "["
        for episode in source.episodes():
            file.write(f"{separator}\n{json.dumps(_entry(episode, losses))}")
            separator = ","
        file.write("\n]\n")


def _entry(episode: Episode, losses: Losses) -> Mapping[str, object]:
    last = episode.sessions[-1].index
    late = [asked for asked in episode.probes if asked.question.visible_until >= last]
    losses.add("a question is left out, since it is asked before the end", len(episode.probes) - len(late))
    return {
        "sample_id": episode.episode_id,
        "conversation": {"speaker_a": "User", "speaker_b": "Assistant", **_sessions(episode, losses)},
        "qa": [_asked(episode, asked, losses) for asked in late],
    }


def _sessions(episode: Episode, losses: Losses) -> Mapping[str, object]:
    found: dict[str, object] = {}
    for number, session in enumerate(episode.sessions, 1):
        losses.add("a date has no seconds and no time zone")
        found[f"session_{number}_date_time"] = _date(session.timestamp)
        turns = []
        for place, turn in enumerate(session.turns, 1):
            tool = turn.role == "tool"
            losses.add("a tool's turn is one of the assistant, with the tool's name before it", tool)
            text = f"[{turn.name or 'tool'}] {turn.content}" if tool else turn.content
            turns.append({"speaker": _SPEAKERS[turn.role], "dia_id": f"D{number}:{place}", "text": text})
        found[f"session_{number}"] = turns
    return found


def _asked(episode: Episode, asked: AskedProbe, losses: Losses) -> Mapping[str, object]:
    gold, places = asked.gold, {session.session_id: n for n, session in enumerate(episode.sessions, 1)}
    said = {atom.event for field in asked.evidence for group in field.groups for atom in group.of}
    evidence = [f"D{places[span.session_id]}:{span.turn + 1}" for span in episode.spans if span.event in said]
    losses.add("an answer has no rivals and no other spellings")
    losses.add("a question has no answer format: the fields of its answer are one JSON text", len(gold.fields) > 1)
    losses.add("a question has no date of its own")
    told: dict[str, object] = {"question": asked.question.question, "evidence": list(dict.fromkeys(evidence))}
    if len(gold.fields) == 1 and gold.fields[0].refusal:
        rivals = gold.fields[0].rivals
        wrong = {"adversarial_answer": rivals[0][0]} if rivals else {}
        return {**told, **wrong, "category": _ADVERSARIAL}
    return {**told, "answer": answer_text(gold), "category": _CATEGORIES.get(asked.probe.type, _MULTI_HOP)}


def _date(timestamp: str) -> str:
    """Such as ``1:56 pm on 8 May, 2023``."""
    when = datetime.fromisoformat(timestamp)
    return (
        f"{when:%I:%M} {when:%p} on {when.day} {when:%B}, {when.year}".lstrip("0")
        .replace("AM", "am")
        .replace("PM", "pm")
    )
