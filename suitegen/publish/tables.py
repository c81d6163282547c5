"""Episodes as rows of six tables, and back.

One table is one config of the dataset. ``sessions`` and ``questions`` are what a memory
system may see and hold no label; the others are the key. The way back is exact, so that
a suite can be validated from its files alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from pydantic import ValidationError

from suitegen.errors import SuiteError
from suitegen.model.episode import AskedProbe, Counterfactual, Episode, PlacedSpan
from suitegen.model.finding import Verdict
from suitegen.model.gold import Atom, FieldEvidence, Gold, Group
from suitegen.model.history import Placement, Question, Session
from suitegen.model.latent import Event, LatentSpec, Member, Probe, Thread
from suitegen.publish.canonical import compact, digest
from suitegen.publish.size import size

Config = Literal[
    "probes", "sessions", "questions", "episodes", "trace", "placements",
    "full_context", "evidence_sessions", "multiple_choice",
]  # fmt: skip
Column = Literal["text", "int", "flag", "texts", "turns"]
"""``texts`` is a list of text; ``turns`` a list of (role, name, content). Any column may hold null."""
Row = dict[str, object]
Rows = Mapping[Config, Sequence[Row]]

CONFIGS: tuple[Config, ...] = ("probes", "sessions", "questions", "episodes", "trace", "placements")
"""Those that tell the suite; the first is the default of the dataset."""
FLAT: tuple[Config, ...] = ("full_context", "evidence_sessions", "multiple_choice")
"""Those that show it as single prompts, of which a suite has the last and one of the others."""

_FLAT: Mapping[str, Column] = {
    "probe_id": "text",
    "episode_id": "text",
    "paradigm": "text",
    "condition": "text",
    "expected_behavior": "text",
    "probe_type": "text",
}
_PROMPT: Mapping[str, Column] = {**_FLAT, "input": "text", "target": "text", "canary": "text"}
COLUMNS: Mapping[Config, Mapping[str, Column]] = {
    "probes": {
        "probe_id": "text",
        "episode_id": "text",
        "thread_id": "text",
        "paradigm": "text",
        "condition": "text",
        "expected_behavior": "text",
        "domain": "text",
        "fact_type": "text",
        "probe_type": "text",
        "question": "text",
        "answer": "text",
        "gold": "text",
        "evidence": "text",
        "evidence_session_ids": "texts",
        "asks": "text",
        "memory_age": "int",
        "evidence_age": "int",
        "window": "text",
        "split_perturbation": "flag",
        "canary": "text",
    },
    "sessions": {
        "episode_id": "text",
        "session_id": "text",
        "index": "int",
        "timestamp": "text",
        "turns": "turns",
    },
    "questions": {
        "probe_id": "text",
        "episode_id": "text",
        "asked_at": "text",
        "visible_until": "int",
        "question": "text",
        "answer_format": "text",
    },
    "episodes": {
        "episode_id": "text",
        "family": "text",
        "paradigm": "text",
        "condition": "text",
        "expected_behavior": "text",
        "domain": "text",
        "fact_type": "text",
        "split_perturbation": "flag",
        "group_id": "text",
        "setting": "text",
        "n_sessions": "int",
        "n_turns": "int",
        "n_tokens": "int",
        "license": "text",
        "latent_spec": "text",
        "counterfactual": "text",
        "verdicts": "text",
        "content_hash": "text",
    },
    "trace": {
        "episode_id": "text",
        "thread_id": "text",
        "event_id": "text",
        "op": "text",
        "target": "text",
        "depends_on": "text",
        "entity": "text",
        "attribute": "text",
        "value": "text",
        "old": "text",
        "speaker": "text",
        "source": "text",
        "origin": "text",
        "strength": "text",
        "says": "texts",
        "refs": "text",
        "scope": "text",
        "change_id": "text",
        "trigger": "text",
        "reason": "text",
        "effective": "text",
        "session_id": "text",
        "turn_index": "int",
        "start": "int",
        "end": "int",
        "quote": "text",
    },
    "placements": {
        "episode_id": "text",
        "session_id": "text",
        "first_turn": "int",
        "last_turn": "int",
        "phase": "text",
        "kind": "text",
        "origin": "text",
        "license": "text",
        "content_hash": "text",
    },
    "full_context": _PROMPT,
    "evidence_sessions": _PROMPT,
    "multiple_choice": {
        **_FLAT,
        "field": "text",
        "input": "text",
        "choices": "texts",
        "answer_idx": "int",
        "canary": "text",
    },
}


@dataclass(frozen=True, slots=True)
class Stamp:
    """What every row of a suite carries beside its episode."""

    canary: str
    license: str
    """The suite's own licence, an SPDX id."""
    family: str | None = None


def rows(episode: Episode, stamp: Stamp) -> Rows:
    """The rows of one episode, by config, in the order of its history.

    Raises:
        SuiteError: the episode contradicts itself and could not be told again from its rows.
    """
    strays = [asked.question.probe_id for asked in episode.probes if asked.question.episode_id != episode.episode_id]
    if strays:
        raise SuiteError(f"the question of {strays[0]} belongs to another episode", where=episode.episode_id)
    made: Rows = {
        "probes": tuple(_probe_row(episode, asked, stamp) for asked in episode.probes),
        "sessions": tuple(_session_row(episode, session) for session in episode.sessions),
        "questions": tuple(asked.question.model_dump() for asked in episode.probes),
        "episodes": (_episode_row(episode, stamp),),
        "trace": _trace_rows(episode),
        "placements": tuple({"episode_id": episode.episode_id, **place.model_dump()} for place in episode.placements),
    }
    if one_episode(made) != episode:
        raise SuiteError(
            "the episode contradicts itself: it is not the same when read from its rows", where=episode.episode_id
        )
    return made


def one_episode(tables: Rows) -> Episode:
    """The episode that the rows of one episode tell.

    Raises:
        SuiteError: a row cannot be read, or the tables do not agree.
    """
    row, *others = tables["episodes"]
    key = _string(row, "episode_id", "episodes")
    if others:
        raise SuiteError("an episode is there twice", where=f"episodes: {key}")
    with _reading("episodes", key):
        spec = LatentSpec.model_validate_json(_string(row, "latent_spec", "episodes"))
        other = row["counterfactual"]
        sessions = tuple(_session(session) for session in tables["sessions"])
        return Episode(
            episode_id=key,
            group_id=_optional(row, "group_id"),
            spec=spec,
            sessions=sessions,
            placements=tuple(_placement(place) for place in tables["placements"]),
            spans=tuple(_spans(tables["trace"], spec, sessions)),
            probes=_asked(tables["probes"], tables["questions"]),
            counterfactual=None if other is None else Counterfactual.model_validate_json(str(other)),
            verdicts=tuple(
                Verdict.model_validate(verdict) for verdict in json.loads(_string(row, "verdicts", "episodes"))
            ),
        )


def answer_text(gold: Gold) -> str:
    """The right answer as text: of one field its answer, of several a JSON object by field."""
    if len(gold.fields) == 1:
        return gold.fields[0].answer
    return json.dumps({field.name: field.answer for field in gold.fields}, ensure_ascii=False)


def content_hash(episode: Episode) -> str:
    """SHA-256 of all that an episode says and keeps, its verdicts apart."""
    return digest(episode.model_dump(mode="json", exclude={"verdicts"}))


def evidence_sessions(episode: Episode, asked: AskedProbe) -> tuple[str, ...]:
    """The ids of the sessions in which a probe's evidence stands, in the order of the history."""
    events = {atom.event for field in asked.evidence for group in field.groups for atom in group.of}
    ids = {span.session_id for span in episode.spans if span.event in events}
    return tuple(session.session_id for session in episode.sessions if session.session_id in ids)


def memory_age(episode: Episode, asked: AskedProbe) -> int | None:
    """Sessions from the first event about a probe's target to the last one it may use; None without such an event."""
    said = [event.session for event in episode.spec.events if event.target == asked.probe.about]
    seen = [session for session in said if session <= asked.probe.asked_after]
    return asked.probe.asked_after - min(seen) if seen else None


def licenses(own: str, placements: Iterable[Placement]) -> str:
    """The licences of an episode's text as one SPDX expression, the suite's own first."""
    others = sorted({place.license for place in placements} - {own})
    return " AND ".join(f"({name})" if " " in name else name for name in (own, *others))


def _probe_row(episode: Episode, asked: AskedProbe, stamp: Stamp) -> Row:
    probe, spec = asked.probe, episode.spec
    return {
        "probe_id": asked.question.probe_id,
        "episode_id": episode.episode_id,
        "thread_id": probe.thread,
        **_labels(spec.thread(probe.thread)),
        "probe_type": probe.type,
        "question": asked.question.question,
        "answer": answer_text(asked.gold),
        "gold": compact(asked.gold),
        "evidence": compact([_field_evidence(episode, field) for field in asked.evidence]),
        "evidence_session_ids": list(evidence_sessions(episode, asked)),
        "asks": compact(
            {"probe": probe.id, **_named(spec, probe), **probe.model_dump(exclude={"id", "thread", "type"})}
        ),
        "memory_age": memory_age(episode, asked),
        "evidence_age": evidence_age(episode, asked),
        "window": probe.window,
        "split_perturbation": spec.thread(probe.thread).split,
        "canary": stamp.canary,
    }


def evidence_age(episode: Episode, asked: AskedProbe) -> int | None:
    """Sessions from the last event that matters for a probe's gold to the last one it may use; None without any."""
    events = {atom.event for field in asked.evidence for group in field.groups for atom in group.of}
    said = [event.session for event in episode.spec.events if event.id in events]
    return asked.probe.asked_after - max(said) if said else None


def _labels(spec: LatentSpec | Thread) -> Row:
    """What a thread is in the design, or an episode that has one thread only."""
    return {
        "paradigm": spec.paradigm,
        "condition": spec.condition,
        "expected_behavior": spec.expects,
        "domain": spec.domain,
        "fact_type": spec.fact_type,
    }


NAMED = ("entity", "attribute")
"""What a probe of a shared history asks about, by name: of what was never said, no event of the trace tells it."""


def _named(spec: LatentSpec, probe: Probe) -> Row:
    member = spec.member(probe.about) if spec.shared else None
    return {} if member is None else {name: getattr(member, name) for name in NAMED}


def _field_evidence(episode: Episode, field: FieldEvidence) -> Row:
    places = {span.event: span for span in episode.spans}
    return {
        "field": field.field,
        "groups": [
            {"need": group.need, "of": [_member(atom, places.get(atom.event)) for atom in group.of]}
            for group in field.groups
        ],
    }


def _member(atom: Atom, span: PlacedSpan | None) -> Row:
    where = span.model_dump(include={"session_id", "turn", "start", "end"}) if span else {}
    return {"event": atom.event, "facet": atom.facet, **where}


def _session_row(episode: Episode, session: Session) -> Row:
    turns = [{"role": turn.role, "name": turn.name, "content": turn.content} for turn in session.turns]
    return {"episode_id": episode.episode_id, **session.model_dump(exclude={"turns"}), "turns": turns}


def _episode_row(episode: Episode, stamp: Stamp) -> Row:
    spec, length = episode.spec, size(episode)
    return {
        "episode_id": episode.episode_id,
        "family": stamp.family,
        **_labels(spec),
        "split_perturbation": spec.split,
        "group_id": episode.group_id,
        "setting": spec.setting,
        "n_sessions": length.sessions,
        "n_turns": length.turns,
        "n_tokens": length.tokens,
        "license": licenses(stamp.license, episode.placements),
        "latent_spec": compact(spec),
        "counterfactual": None if episode.counterfactual is None else compact(episode.counterfactual),
        "verdicts": compact(list(episode.verdicts)),
        "content_hash": content_hash(episode),
    }


def _trace_rows(episode: Episode) -> tuple[Row, ...]:
    """What is said in the order of the spans, then what is said nowhere."""
    events = {event.id: event for event in episode.spec.events}
    members = {member.name: member for member in episode.spec.cast}
    said = {span.event for span in episode.spans}
    unknown = sorted(said - set(events))
    if unknown:
        raise SuiteError(f"a span stands for {unknown[0]!r}, which is no event", where=episode.episode_id)
    pairs: list[tuple[Event, PlacedSpan | None]] = [(events[span.event], span) for span in episode.spans]
    pairs += [(event, None) for event in episode.spec.events if event.id not in said]
    return tuple(_trace_row(episode, event, members.get(event.target), span) for event, span in pairs)


def _trace_row(episode: Episode, event: Event, member: Member | None, span: PlacedSpan | None) -> Row:
    return {
        "episode_id": episode.episode_id,
        "thread_id": event.thread,
        "event_id": event.id,
        "op": event.op,
        "target": event.target,
        "depends_on": member.depends_on if member else None,
        "entity": member.entity if member else None,
        "attribute": member.attribute if member else None,
        "value": event.value,
        "old": event.old,
        "speaker": event.speaker,
        "source": event.source,
        "origin": event.origin,
        "strength": event.strength,
        "says": list(event.says),
        "refs": compact(event.refs),
        "scope": event.scope,
        "change_id": event.change_id,
        "trigger": event.trigger,
        "reason": event.reason,
        "effective": event.effective,
        "session_id": span.session_id if span else None,
        "turn_index": span.turn if span else None,
        "start": span.start if span else None,
        "end": span.end if span else None,
        "quote": span.quote if span else None,
    }


def _session(row: Row) -> Session:
    with _reading("sessions", row.get("session_id")):
        return Session.model_validate({name: row[name] for name in ("session_id", "index", "timestamp", "turns")})


def _placement(row: Row) -> Placement:
    with _reading("placements", row.get("session_id")):
        return Placement.model_validate({name: row[name] for name in COLUMNS["placements"] if name != "episode_id"})


def _spans(trace: Sequence[Row], spec: LatentSpec, sessions: Sequence[Session]) -> Iterator[PlacedSpan]:
    index = {session.session_id: session.index for session in sessions}
    events = {event.id for event in spec.events}
    for row in trace:
        name = _string(row, "event_id", "trace")
        with _reading("trace", name):
            if name not in events:
                raise ValueError("it is no event of the latent spec")
            if row["session_id"] is None:
                continue
            if row["session_id"] not in index:
                raise ValueError(f"there is no session {row['session_id']!r}")
            yield PlacedSpan.model_validate(
                {
                    "event": name,
                    "session": index[str(row["session_id"])],
                    "turn": row["turn_index"],
                    **{column: row[column] for column in ("session_id", "start", "end", "quote")},
                }
            )


def _asked(probes: Sequence[Row], questions: Sequence[Row]) -> tuple[AskedProbe, ...]:
    worded: dict[str, Question] = {}
    for row in questions:
        key = _string(row, "probe_id", "questions")
        with _reading("questions", key):
            if key in worded:
                raise ValueError("it is there twice")
            worded[key] = Question.model_validate({name: row[name] for name in COLUMNS["questions"]})
    keys = [_string(row, "probe_id", "probes") for row in probes]
    for key in worded:
        if key not in keys:
            raise SuiteError("the question has no probe", where=f"questions: {key}")
    return tuple(_asked_probe(row, worded.get(key)) for row, key in zip(probes, keys, strict=True))


def _asked_probe(row: Row, question: Question | None) -> AskedProbe:
    with _reading("probes", row["probe_id"]):
        if question is None:
            raise ValueError("it has no row in questions")
        if row["question"] != question.question:
            raise ValueError("its question is not the one in questions")
        asks = json.loads(_string(row, "asks", "probes"))
        probe = {"id": asks.pop("probe"), "thread": row["thread_id"], "type": row["probe_type"]}
        probe |= {name: told for name, told in asks.items() if name not in NAMED}
        return AskedProbe(
            probe=Probe.model_validate(probe),
            question=question,
            gold=Gold.model_validate_json(_string(row, "gold", "probes")),
            evidence=tuple(_evidence(field) for field in json.loads(_string(row, "evidence", "probes"))),
        )


def _evidence(field: Mapping[str, object]) -> FieldEvidence:
    groups = field["groups"]
    if not isinstance(groups, list):
        raise ValueError("groups of evidence are a list")
    return FieldEvidence(field=str(field["field"]), groups=tuple(_group(group) for group in groups))


def _group(group: Mapping[str, object]) -> Group:
    members = group["of"]
    if not isinstance(members, list):
        raise ValueError("the members of a group are a list")
    atoms = [{"event": member["event"], "facet": member["facet"]} for member in members]
    return Group.model_validate({"need": group["need"], "of": atoms})


@contextmanager
def _reading(config: Config, key: object) -> Iterator[None]:
    """Says which row it was when one cannot be read."""
    try:
        yield
    except ValidationError as exc:
        first = exc.errors()[0]
        path = ".".join(str(part) for part in first["loc"])
        raise SuiteError(f"{exc.title} {path}: {first['msg']}", where=f"{config}: {key}") from exc
    except KeyError as exc:
        raise SuiteError(f"{exc.args[0]!r} is missing", where=f"{config}: {key}") from exc
    except (ValueError, TypeError) as exc:
        raise SuiteError(str(exc), where=f"{config}: {key}") from exc


def _string(row: Row, name: str, config: Config) -> str:
    value = row.get(name)
    if not isinstance(value, str):
        raise SuiteError(f"{name} is missing", where=f"{config}: {row.get('episode_id')}")
    return value


def _optional(row: Row, name: str) -> str | None:
    value = row[name]
    return None if value is None else str(value)
