"""An episode as the report shows it: plain data with everything that a reader of it wants beside the text."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar

from suitegen.latent.replayed import replayed
from suitegen.model.episode import AskedProbe, Counterfactual, Episode
from suitegen.model.finding import Verdict
from suitegen.model.gold import FieldEvidence, Gold, GoldField
from suitegen.model.history import Placement, Session
from suitegen.model.latent import Event
from suitegen.publish.card import figures
from suitegen.publish.tables import memory_age

Data = dict[str, object]
T = TypeVar("T")


def episode_data(episode: Episode, *, background: bool = True) -> Data:
    """The data of an episode; without ``background`` the turns of background stretches are left out."""
    spec = episode.spec
    places = _by_session((place.session_id, place) for place in episode.placements)
    marks = _by_session(
        (span.session_id, {"event": span.event, "turn": span.turn, "start": span.start, "end": span.end})
        for span in episode.spans
    )
    replays: list[list[list[str]]] = []
    return {
        "id": episode.episode_id,
        "more": _more(episode),
        "cast": [[member.name, member.entity, member.attribute, member.values] for member in spec.cast],
        "events": {event.id: _event(event) for event in spec.events},
        "sessions": [
            _session(session, places.get(session.session_id, []), marks.get(session.session_id, []), background)
            for session in episode.sessions
        ],
        "probes": [_probe(episode, asked, replays, again) for asked, again in _asked_anew(episode)],
        "replays": replays,
        "checks": [_check(verdict) for verdict in episode.verdicts if _worth_telling(verdict)],
        "clear": [f"{v.gate}/{v.validator}" for v in episode.verdicts if not _worth_telling(v)],
    }


def _by_session(pairs: Iterable[tuple[str, T]]) -> dict[str, list[T]]:
    found: dict[str, list[T]] = {}
    for session, thing in pairs:
        found.setdefault(session, []).append(thing)
    return found


def _more(episode: Episode) -> list[list[str]]:
    spec = episode.spec
    notes = {
        "domain": spec.label("domain"),
        "fact type": spec.label("fact_type"),
        "length": spec.tier,
        "setting": spec.setting,
        "case": spec.case,
        "variant": spec.variant,
        "group": episode.group_id or "",
        "reserve draw": str(spec.draw or ""),
    }
    return [[name, note] for name, note in notes.items() if note]


def _session(session: Session, places: Sequence[Placement], marks: Sequence[Data], background: bool) -> Data:
    return {
        "id": session.session_id,
        "index": session.index,
        "at": session.timestamp,
        "places": [
            [place.first_turn, place.last_turn, place.phase, place.kind, f"{place.origin}, {place.license}"]
            for place in places
        ],
        "turns": [
            [turn.role, turn.name or "", turn.content] if background or _told(number, places) else None
            for number, turn in enumerate(session.turns)
        ],
        "marks": list(marks),
    }


def _told(turn: int, places: Sequence[Placement]) -> bool:
    """Whether a turn stands in more than background."""
    kinds = [place.kind for place in places if place.first_turn <= turn <= place.last_turn]
    return kinds != ["background"]


def _event(event: Event) -> Data:
    who = event.speaker if event.source == event.speaker else f"{event.speaker}, told by {event.origin or event.source}"
    more = {
        "was": event.old if event.states("old") else None,
        "trigger": event.trigger if event.states("trigger") else None,
        "reason": event.reason if event.states("reason") else None,
        "holds from": event.effective if event.states("date") else None,
        "scope": event.scope,
        **event.refs,
    }
    return {
        "op": f"weak {event.op}" if event.strength == "weak" else event.op,
        "about": event.target,
        "value": event.value if event.states("value") else None,
        "who": who,
        "says": ", ".join(event.says),
        "at": event.session,
        "more": [[name, text] for name, text in more.items() if text],
    }


def _asked_anew(episode: Episode) -> list[tuple[AskedProbe, tuple[str, ...]]]:
    """The probes with a right answer that is new, each with the later windows at which it is the same."""
    found: list[tuple[AskedProbe, list[str]]] = []
    last: dict[tuple[str, str, str | None], tuple[AskedProbe, list[str]]] = {}
    for asked in episode.probes:
        probe = asked.probe
        before = last.get((probe.about, probe.type, probe.premise)) if probe.window else None
        if before is not None and probe.window and before[0].gold == asked.gold:
            before[1].append(probe.window)
            continue
        last[probe.about, probe.type, probe.premise] = (asked, [])
        found.append(last[probe.about, probe.type, probe.premise])
    return [(asked, tuple(again)) for asked, again in found]


def _probe(episode: Episode, asked: AskedProbe, replays: list[list[list[str]]], again: tuple[str, ...] = ()) -> Data:
    """A probe's data; its replay is put among those of the episode, where the like of it stands once."""
    steps = [[step.event.id, step.state, step.current, step.previous] for step in replayed(episode.spec, asked.probe)]
    if steps not in replays:
        replays.append(steps)
    question, probe = asked.question, asked.probe
    return {
        "id": question.probe_id,
        "name": f"{probe.id}; the same at {', '.join(again)}" if again else probe.id,
        "type": probe.type,
        "about": probe.about,
        "asked_at": question.asked_at,
        "until": question.visible_until,
        "age": memory_age(episode, asked),
        "question": question.question,
        "gold": [_gold(field) for field in asked.gold.fields],
        "evidence": [_evidence(field) for field in asked.evidence],
        "replay": replays.index(steps),
        "sibling": _sibling(episode.counterfactual, question.probe_id, asked.gold),
    }


def _gold(field: GoldField) -> list[object]:
    spellings = [text for text in field.accepts if text != field.answer]
    return [field.name, field.answer, spellings, [" / ".join(rival) for rival in field.rivals]]


def _evidence(field: FieldEvidence) -> list[object]:
    return [field.field, [[group.need, [[atom.event, atom.facet] for atom in group.of]] for group in field.groups]]


def _sibling(other: Counterfactual | None, probe: str, gold: Gold) -> list[object] | None:
    """The condition of the counterfactual, and which fields it would answer how, where it flips the probe."""
    if other is None or probe not in other.gold:
        return None
    answers = {field.name: field.answer for field in gold.fields}
    flipped = [[f.name, f.answer] for f in other.gold[probe].fields if answers.get(f.name) != f.answer]
    return [other.condition, flipped] if flipped else None


def _worth_telling(verdict: Verdict) -> bool:
    return verdict.status != "passed" or bool(verdict.findings or verdict.measures)


def _check(verdict: Verdict) -> Data:
    return {
        "name": f"{verdict.gate}/{verdict.validator}",
        "status": verdict.status,
        "why": verdict.why,
        "findings": [[f.code, f.severity, f.message, f.session] for f in verdict.findings],
        "figures": figures(verdict.measures),
    }
