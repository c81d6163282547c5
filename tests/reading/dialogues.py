"""The dialogues of the table, as sessions, questions and golds."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from suitegen.model.gold import Gold, GoldField
from suitegen.model.history import Question, Session, Turn
from suitegen.model.words import SOURCES, STATUSES, ProbeType

FIELDS: Mapping[str, Sequence[str]] = {
    "current": ["value"],
    "previous": ["value"],
    "original": ["value"],
    "as_of": ["value"],
    "trajectory": ["values"],
    "change": ["changed"],
    "changes": ["count"],
    "source": ["source"],
    "conflict": ["source", "status", "applies"],
    "status": ["status"],
    "temporal": ["direction", "old", "new", "trigger", "reason"],
    "trigger": ["trigger"],
    "reason": ["reason"],
    "direction": ["direction"],
    "premise": ["holds", "value"],
}
CHOICES: Mapping[str, Sequence[str]] = {
    "changed": ["no", "unknown", "yes"],
    "source": sorted(SOURCES),
    "status": sorted(STATUSES),
    "applies": ["no", "yes"],
    "holds": ["no", "yes"],
    "direction": ["no_confirmed_change", "old_to_new"],
}
REFUSALS = ("none", "unknown", "absent", "forgotten")
TABLE = YAML(typ="safe", pure=True).load((Path(__file__).parent / "dialogues.yaml").read_text(encoding="utf-8"))
EVERY = 10_000


@dataclass(frozen=True)
class Asked:
    """A probe of the table with the sessions it is asked over, and those from which its evidence is gone."""

    dialogue: str
    type: ProbeType
    question: Question
    gold: Gold
    sessions: tuple[Session, ...]
    cut: tuple[Session, ...] | None


def asked() -> Iterator[Asked]:
    """Every probe of every dialogue."""
    for dialogue in TABLE["dialogues"]:
        whole, days = sessions(dialogue["sessions"])
        for probe in dialogue["probes"]:
            gone = probe.get("without")
            yield Asked(
                dialogue["id"],
                probe["type"],
                question(probe["ask"], probe["type"], days),
                gold(probe, dialogue),
                whole,
                sessions(dialogue["sessions"], gone)[0] if gone else None,
            )


def sessions(told: Sequence[Any], without: Sequence[int] = ()) -> tuple[tuple[Session, ...], dict[int, date]]:
    """The sessions with background before and after each, and the day of each that is told."""
    fillers = TABLE["background"]
    day, days, made = date(2026, 3, 2), {}, []
    for number, body in enumerate(told):
        for place, turns in enumerate(
            (fillers[2 * number % len(fillers)], body, fillers[(2 * number + 1) % len(fillers)])
        ):
            day += timedelta(days=2)
            if place == 1:
                days[number] = day
            if place != 1 or number not in without:
                made.append((day, turns))
    built = tuple(
        Session(session_id=f"s{at}", index=at, timestamp=f"{when}T09:00:00+00:00", turns=tuple(map(_turn, turns)))
        for at, (when, turns) in enumerate(made)
    )
    return built, days


def _turn(said: Mapping[str, str]) -> Turn:
    ((who, content),) = said.items()
    role, _, name = who.partition("/")
    return Turn(role=role, content=content, name=name or None)


def question(text: str, probe: str, days: Mapping[int, date] | None = None) -> Question:
    """A question with the answer format of its type; ``{date:N}`` is the day of a session."""
    for number, day in (days or {}).items():
        text = text.replace(f"{{date:{number}}}", f"{day.day} {day:%B} {day.year}")
    properties = {
        name: {"type": "string", "enum": list(CHOICES[name])} if name in CHOICES else {"type": "string"}
        for name in FIELDS[probe]
    }
    return Question(
        probe_id="p",
        episode_id="e",
        asked_at="2027-01-01T00:00:00+00:00",
        visible_until=EVERY,
        question=text,
        answer_format=json.dumps({"type": "object", "properties": properties}),
    )


def gold(probe: Mapping[str, Any], dialogue: Mapping[str, Any]) -> Gold:
    """The gold of a probe of the table."""
    rivals = probe.get("rivals", dialogue["rivals"])
    fields = [_field(name, probe["gold"][name], rivals, dialogue["kind"]) for name in FIELDS[probe["type"]]]
    return Gold(type=probe["type"], fields=tuple(fields))


def _field(name: str, right: Any, rivals: Sequence[str], kind: Any) -> GoldField:
    if name in CHOICES:
        return GoldField(name=name, form="enum", answer=right)
    if name == "count":
        return GoldField(name=name, form="count", answer=right, kind="number")
    if name in ("trigger", "reason"):
        keys = () if right == "none" else tuple(right)
        return GoldField(name=name, form="change", answer=keys[0] if keys else "none", accepts=keys)
    others = tuple((rival,) for rival in rivals if rival != right and rival not in right)
    if name == "values":
        spelled = tuple((value,) for value in right)
        return GoldField(name=name, form="values", answer=" -> ".join(right), answers=spelled, rivals=others, kind=kind)
    if isinstance(right, list):
        spelled = tuple((value,) for value in right[1:])
        return GoldField(name=name, form="value", answer=right[0], answers=spelled, rivals=others, kind=kind)
    accepts = () if right in REFUSALS else (right,)
    others = tuple((rival,) for rival in rivals if rival != right)
    return GoldField(name=name, form="value", answer=right, accepts=accepts, rivals=others, kind=kind)
