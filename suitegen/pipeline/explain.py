"""How a gold answer follows: the replay of the timeline, in words, up to what the probe may use."""

from __future__ import annotations

from collections.abc import Iterator

from suitegen.latent.replayed import replayed
from suitegen.model.episode import AskedProbe, Episode
from suitegen.model.gold import GoldField
from suitegen.model.latent import Event


def explain(episode: Episode, asked: AskedProbe) -> str:
    """The replay behind one probe, event by event, then its gold and evidence."""
    spec, probe = episode.spec, asked.probe
    target, thread = spec.member(probe.about), spec.thread(probe.thread)
    expects = f", expects {thread.expects}" if thread.expects else ""
    lines = [
        f"{asked.question.probe_id}: {asked.question.question}",
        f"{probe.type} of {target.attribute} ({target.entity}), asked after session {probe.asked_after} "
        f"of {len(episode.sessions) - 1}; {thread.paradigm}/{thread.condition}{expects}",
        "",
        *_replayed(episode, asked),
        "",
    ]
    for field in asked.gold.fields:
        lines += [f"gold {field.name}: {field.answer}", *_evidence(episode, asked, field)]
    return "\n".join(lines)


def _replayed(episode: Episode, asked: AskedProbe) -> Iterator[str]:
    for step in replayed(episode.spec, asked.probe):
        yield f"session {step.event.session:>3}  {_said(step.event)}"
        yield f"             -> {step.state}: current {step.current}, previous {step.previous}"


def _said(event: Event) -> str:
    what = event.value if event.states("value") else f"(was {event.old})" if event.states("old") else ""
    who = event.speaker if event.source == event.speaker else f"{event.speaker}, told by {event.origin or event.source}"
    refs = "".join(f", {kind} {ref}" for kind, ref in event.refs.items())
    weak = "weak " if event.strength == "weak" else ""
    return f"{event.id}: {weak}{event.op} {event.target} {what} by {who} (says {' '.join(event.says)}{refs})".replace(
        "  ", " "
    )


def _evidence(episode: Episode, asked: AskedProbe, field: GoldField) -> Iterator[str]:
    groups = next(found.groups for found in asked.evidence if found.field == field.name)
    if not groups:
        yield "  rests on nothing in particular: a negative, proved by its counterfactual"
    for group in groups:
        yield f"  needs {group.need} of {', '.join(f'{atom.event}.{atom.facet}' for atom in group.of)}"
        for event in dict.fromkeys(atom.event for atom in group.of):
            span = episode.span(event)
            yield f"    session {span.session} turn {span.turn}: {span.quote}"
