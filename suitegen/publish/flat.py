"""Probes as single prompts, for evaluation harnesses that take one text in and compare one text, or letter, coming out.

Such a harness knows no sessions. What it measures is a model that is shown the history, not a memory system, and its
comparison is stricter than the typed one of ``suitegen score``; so only what one text can settle is asked.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal

from suitegen.library.templates import TemplateFolder
from suitegen.model.episode import AskedProbe, Episode
from suitegen.model.gold import GoldField
from suitegen.model.history import Session
from suitegen.publish.canonical import digest
from suitegen.publish.pages import PAGE_LIMIT
from suitegen.publish.tables import Config, Row, Stamp, evidence_sessions
from suitegen.reading.protocol import visible

Context = Literal["full_context", "evidence_sessions"]
"""What a prompt shows: every session that the question may use, or those of them that hold evidence."""
CHOICE: Config = "multiple_choice"
NO_VALUE = "none of these, or it cannot be told"
"""The choice that is right where there is no value to give."""
_RECORD, _PROMPT = "flat/record.md.j2", "flat/prompt.md.j2"

_LONGEST = 300_000_000
"""Bytes that the prompts of a config may have in all."""
_ROW = 1_500_000
"""Bytes that one prompt may have, so that the dataset viewer shows its row."""
_TURN = 40
"""Bytes around a turn's text, at most but for long names."""
_ONE_TEXT = frozenset({"value", "enum", "count"})


def fitting(episodes: Iterable[Episode]) -> Context:
    """What prompts show: the whole history, unless they would pass 300 MB in all, or 1.5 MB in one."""
    total = 0
    for episode in episodes:
        history = sum(len(turn.content.encode()) + _TURN for session in episode.sessions for turn in session.turns)
        total += history * sum(len(asked.gold.fields) for asked in episode.probes)
        if history > _ROW or total > _LONGEST:
            return "evidence_sessions"
    return "full_context"


def flat_rows(
    episode: Episode, stamp: Stamp, context: Context, templates: TemplateFolder
) -> Mapping[Config, Sequence[Row]]:
    """The rows of one episode: those of the context's config, and those of the multiple choice.

    Raises:
        TemplateError: the prompt cannot be rendered.
    """
    page = _Page(episode, context, templates)
    asked, chosen = [], []
    for probe in episode.probes:
        labels = _labels(episode, probe)
        if _one_text(probe):
            target = probe.gold.fields[0].answer
            asked.append({**labels, "input": page.prompt(probe), "target": target, "canary": stamp.canary})
        for field, choices in _choosable(probe):
            letters = {
                "input": page.prompt(probe, field.name, choices),
                "choices": choices,
                "answer_idx": choices.index(_right(field)),
            }
            chosen.append({**labels, "field": field.name, **letters, "canary": stamp.canary})
    return {context: asked, CHOICE: chosen}


class _Page:
    """Renders the prompts of an episode."""

    def __init__(self, episode: Episode, context: Context, templates: TemplateFolder) -> None:
        self._episode = episode
        self._partial = context == "evidence_sessions"
        self._templates = templates
        self._records: dict[tuple[str, ...], str] = {}

    def prompt(self, asked: AskedProbe, field: str = "", choices: Sequence[str] = ()) -> str:
        """What is shown and asked; the choices themselves are added by the harness."""
        described = _descriptions(asked)
        if choices:
            enumerated = asked.gold.field(field).form == "enum"
            told = described.get(field, "") if enumerated or len(asked.gold.fields) > 1 else ""
        else:
            told = described.get(asked.gold.fields[0].name, "")
        values = {
            "record": self._record(self._sessions(asked)), "question": asked.question, "told": told,
            "choices": bool(choices),
        }  # fmt: skip
        return self._templates.render(_PROMPT, values, limit=PAGE_LIMIT)

    def _record(self, sessions: tuple[Session, ...]) -> str:
        """The sessions as text; most questions of an episode show the same ones."""
        shown = tuple(session.session_id for session in sessions)
        if shown not in self._records:
            values = {"sessions": sessions, "partial": self._partial}
            self._records[shown] = self._templates.render(_RECORD, values, limit=PAGE_LIMIT)
        return self._records[shown]

    def _sessions(self, asked: AskedProbe) -> tuple[Session, ...]:
        seen = visible(self._episode.sessions, asked.question)
        if not self._partial:
            return seen
        evidence = evidence_sessions(self._episode, asked)
        return tuple(session for session in seen if session.session_id in evidence)


def _labels(episode: Episode, asked: AskedProbe) -> Row:
    thread = episode.spec.thread(asked.probe.thread)
    return {
        "probe_id": asked.question.probe_id,
        "episode_id": episode.episode_id,
        "paradigm": thread.paradigm,
        "condition": thread.condition,
        "expected_behavior": thread.expects,
        "probe_type": asked.probe.type,
    }


def _one_text(asked: AskedProbe) -> bool:
    """Whether one text is the answer: a disputed value has several, an event's story has many fields."""
    first, *more = asked.gold.fields
    return not more and first.form in _ONE_TEXT and not first.answers


def _choosable(asked: AskedProbe) -> Iterator[tuple[GoldField, list[str]]]:
    """The fields of which one of at least two known answers is right, with these in an order that tells nothing."""
    for field in asked.gold.fields:
        choices = list(dict.fromkeys(_known(asked, field)))
        if len(choices) > 1 and not field.answers:
            yield field, sorted(choices, key=lambda text: digest([asked.question.probe_id, field.name, text]))


def _known(asked: AskedProbe, field: GoldField) -> Iterator[str]:
    if field.form == "enum":
        yield field.answer
        yield from map(str, _schema(asked).get(field.name, {}).get("enum", ()))
    elif field.form == "value" and field.rivals:
        yield _right(field)
        yield from (rival[0] for rival in field.rivals)
        yield NO_VALUE


def _right(field: GoldField) -> str:
    return NO_VALUE if field.refusal else field.answer


def _descriptions(asked: AskedProbe) -> Mapping[str, str]:
    return {name: str(field.get("description", "")) for name, field in _schema(asked).items()}


def _schema(asked: AskedProbe) -> Mapping[str, Mapping[str, Any]]:
    """The fields of the answer format by name."""
    fields: Mapping[str, Mapping[str, Any]] = json.loads(asked.question.answer_format).get("properties", {})
    return fields
