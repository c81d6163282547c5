"""An episode for people: its history with phases, its questions with gold."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

import click

from suitegen.cli.talk import clean, line
from suitegen.model.episode import AskedProbe, Episode
from suitegen.model.history import Session

_COLOURS = {"encoding": "cyan", "filler": "bright_black", "perturbation": "magenta", "post_perturbation": "blue"}


def shown(episode: Episode) -> str:
    """The whole episode. Turns that state an event are starred; colours are marks besides, never the only ones."""
    return "\n".join((*_head(episode), *_history(episode), *_questions(episode), ""))


def _head(episode: Episode) -> Iterator[str]:
    spec = episode.spec
    yield click.style(f"=== {line(episode.episode_id)}", bold=True)
    for thread in spec.threads:
        name = f"{line(thread.id)}: " if spec.shared else ""
        split = ", split" if thread.split else ""
        expects = f", expects {thread.expects}" if thread.expects else ""
        labels = f"{line(thread.paradigm)} / {line(thread.condition)}{expects}{split}"
        yield f"{name}{labels}, {line(thread.fact_type)}"
    for member in spec.cast:
        values = ", ".join(f"{role} {value}" for role, value in member.values.items())
        yield f"  {line(member.name)}: {line(member.attribute)} of {line(member.entity)}: {line(values)}"


def _history(episode: Episode) -> Iterator[str]:
    evidence = {(span.session_id, span.turn): span.event for span in episode.spans}
    for session in episode.sessions:
        stretches = [place for place in episode.placements if place.session_id == session.session_id]
        planned = [place for place in stretches if place.kind != "background"]
        place = next(iter((*planned, *stretches)), None)
        within = ", in passing" if planned and len(stretches) > 1 else ""
        mark = f"{place.phase} ({place.kind}{within})" if place else ""
        yield ""
        head = f"--- {session.index} | {line(session.timestamp)} | {mark}"
        yield click.style(head, fg=_COLOURS.get(place.phase) if place else None, bold=True)
        yield from _turns(session, evidence)


def _turns(session: Session, evidence: dict[tuple[str, int], str]) -> Iterator[str]:
    for number, turn in enumerate(session.turns):
        event = evidence.get((session.session_id, number))
        gutter = f"* [{line(event)}] " if event else "  "
        name = f" ({line(turn.name)})" if turn.name else ""
        body = textwrap.indent(clean(turn.content), "    ").strip()
        yield f"{gutter}{turn.role}{name}: {body}"


def _questions(episode: Episode) -> Iterator[str]:
    yield ""
    yield click.style("--- questions", bold=True)
    for asked in episode.probes:
        yield from _question(asked)


def _question(asked: AskedProbe) -> Iterator[str]:
    yield f"{line(asked.probe.id)} {asked.probe.type}: {line(asked.question.question)}"
    for field in asked.gold.fields:
        yield f"    {line(field.name)} = {click.style(line(field.answer), fg='green')}"
    for evidence in asked.evidence:
        groups = (f"{group.need} of {', '.join(f'{a.event}.{a.facet}' for a in group.of)}" for group in evidence.groups)
        yield f"    evidence for {line(evidence.field)}: {line('; '.join(groups)) or 'none'}"
