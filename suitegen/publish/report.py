"""The report: one HTML file that shows a suite's checks, its design, its failures and every episode.

It loads nothing, and its content security policy lets nothing load. Episodes lie in it as
JSON and become elements by ``textContent`` only, when they are opened.
"""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from suitegen.library.templates import TemplateFolder
from suitegen.model.episode import AskedProbe, Episode
from suitegen.model.gold import FieldEvidence, GoldField
from suitegen.model.history import Placement, Session
from suitegen.model.latent import Event
from suitegen.publish.canonical import compact
from suitegen.publish.card import composition, figures
from suitegen.publish.manifest import GateLine, Suite
from suitegen.publish.pages import PAGE_LIMIT, hash_source
from suitegen.publish.stats import SuiteStats
from suitegen.publish.tables import memory_age

FULL = 20_000_000
"""Characters of episodes above which the text of background sessions is left out."""

Data = dict[str, object]


def report(suite: Suite, stats: SuiteStats, templates: TemplateFolder, *, full: int = FULL) -> str:
    """The report as HTML.

    Raises:
        TemplateError: the template cannot be rendered.
    """
    manifest = suite.manifest
    data = [_episode(episode, background=True) for episode in suite.episodes]
    text = compact(data)
    left_out = len(text) > full
    if left_out:
        text = compact([_episode(episode, background=False) for episode in suite.episodes])
    values = {
        "manifest": manifest,
        "domains": sorted({block.domain for block in manifest.blocks}),
        "composition": composition(manifest.blocks),
        "gates": [(line, _figures(line)) for line in manifest.gates],
        "words": {"passed": "\u2713 passed", "failed": "\u2717 failed", "not_run": "\u2013 not run"},
        "stats": stats.rows(),
        "rejected": sorted(manifest.yields.rejected.items(), key=lambda pair: (-pair[1], pair[0])),
        "episodes": suite.episodes,
        "left_out": left_out,
        "data": script_data(text),
        "csp": _policy,
    }
    return templates.render("report.html.j2", values, limit=PAGE_LIMIT)


def script_data(text: str) -> Markup:
    """JSON text that can stand in a script element: nothing in it can end the element or start a comment."""
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return Markup(text)


def _policy(block: str) -> Markup:
    return Markup(hash_source(str(block)))


def _figures(line: GateLine) -> list[str]:
    return [figures([measure]) for measure in line.measures]


def _episode(episode: Episode, *, background: bool) -> Data:
    spec = episode.spec
    places: dict[str, list[Placement]] = {}
    for place in episode.placements:
        places.setdefault(place.session_id, []).append(place)
    marks: dict[str, list[Data]] = {}
    for span in episode.spans:
        mark: Data = {"event": span.event, "turn": span.turn, "start": span.start, "end": span.end}
        marks.setdefault(span.session_id, []).append(mark)
    return {
        "id": episode.episode_id,
        "labels": [spec.paradigm, spec.condition, f"expects {spec.expects}", spec.domain, spec.fact_type],
        "more": _more(episode),
        "cast": [
            [member.name, member.entity, member.attribute, ", ".join(f"{k}: {v}" for k, v in member.values.items())]
            for member in spec.cast
        ],
        "events": {event.id: _event(event) for event in spec.events},
        "sessions": [
            _session(session, places.get(session.session_id, []), marks.get(session.session_id, []), background)
            for session in episode.sessions
        ],
        "probes": [_probe(episode, asked) for asked in episode.probes],
        "checks": [
            [f"{verdict.gate}/{verdict.validator}", verdict.status, verdict.why] for verdict in episode.verdicts
        ],
    }


def _more(episode: Episode) -> list[str]:
    spec = episode.spec
    notes = [spec.tier, spec.setting, "split perturbation" if spec.split else "", f"case {spec.case}", spec.variant]
    if episode.group_id:
        notes.append(f"group {episode.group_id}")
    if spec.draw:
        notes.append(f"reserve draw {spec.draw}")
    return [note for note in notes if note]


def _session(session: Session, places: Sequence[Placement], marks: Sequence[Data], background: bool) -> Data:
    filler = bool(places) and all(place.kind != "event" for place in places)
    shown = background or any(place.kind != "background" for place in places) or not places
    return {
        "id": session.session_id,
        "at": session.timestamp,
        "filler": filler,
        "places": [
            [place.first_turn, place.last_turn, place.phase, place.kind, f"{place.origin}, {place.license}"]
            for place in places
        ],
        "turns": [[turn.role, turn.name or "", turn.content] for turn in session.turns] if shown else None,
        "marks": list(marks),
    }


def _event(event: Event) -> str:
    said = f"by {event.speaker}" + (
        f", told by {event.origin or event.source}" if event.source != event.speaker else ""
    )
    parts = [event.op, event.target, event.value or "", said, event.strength, f"states {', '.join(event.says)}"]
    return "; ".join(part for part in parts if part)


def _probe(episode: Episode, asked: AskedProbe) -> Data:
    age = memory_age(episode, asked)
    return {
        "id": asked.question.probe_id,
        "type": asked.probe.type,
        "asked": f"{asked.question.asked_at}, after session {asked.question.visible_until}",
        "age": "" if age is None else f"memory age {age} sessions",
        "question": asked.question.question,
        "gold": [_gold(field) for field in asked.gold.fields],
        "evidence": [_evidence(episode, field) for field in asked.evidence],
    }


def _gold(field: GoldField) -> list[str]:
    rivals = "; ".join(" / ".join(spellings) for spellings in field.rivals)
    return [field.name, field.answer, rivals]


def _evidence(episode: Episode, field: FieldEvidence) -> Data:
    places = {span.event: span.session_id for span in episode.spans}
    return {
        "field": field.field,
        "groups": [
            {"need": group.need, "of": [[atom.event, atom.facet, places.get(atom.event, "")] for atom in group.of]}
            for group in field.groups
        ],
    }
