from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from suitegen.model.catalog import Catalog
from suitegen.model.fact_type import FactType
from suitegen.model.latent import Event, LatentSpec, Member, SessionPlan
from suitegen.model.surface import Questions, Surfaces
from suitegen.values.lexicon import Lexicon
from suitegen.writing.offline import OfflineWriter

ROOT = Path(__file__).parents[2]
SHIPPED = ("work/standup_time", "personal/gym", "agentic/retry_limit")

SPARE: dict[str, Any] = {
    # Leaves out all that a fact type may leave out.
    "id": "mug_colour",
    "domain": "personal",
    "attribute": "mug colour",
    "noun": "my mug colour",
    "subject": {"others": ["my aunt Rosa"]},
    "kind": "choice",
    "values": [{"value": value} for value in ("teal", "amber", "ivory", "plum", "rust", "mint")],
    "cues": ["mug", "mugs"],
    "changes": [
        {
            "id": "shelf",
            "trigger": "the old shelf came down",
            "reason": "it goes with the kitchen tiles",
            "keys": ["old shelf", "kitchen tiles"],
        }
    ],
    "contexts": [
        {
            "id": "shelf",
            "open": ["Help me sort my kitchen shelf.", "My shelf with the mugs is a mess."],
            "reply": ["Gladly. What stands on it?"],
            "follow": ["Plates and bowls, mostly."],
            "answer": ["Then stack the plates at the bottom."],
        }
    ],
    "phrasings": {},
}


def plain(path: Path) -> Any:
    """The texts of a YAML file as they are written."""
    return YAML(typ="base").load(path.read_text(encoding="utf-8"))


def read_catalog() -> Catalog:
    fact_types = [FactType.model_validate(plain(ROOT / "fact_types" / f"{name}.yaml")) for name in SHIPPED]
    fact_types.append(FactType.model_validate(SPARE))
    return Catalog(
        fact_types={fact_type.id: fact_type for fact_type in fact_types},
        paradigms={},
        suites={},
        gates={},
        scripts={},
        surfaces={"en": Surfaces.model_validate(plain(ROOT / "templates/surfaces/en.yaml"))},
        questions={"en": Questions.model_validate(plain(ROOT / "templates/questions/en.yaml"))},
    )


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    return read_catalog()


@pytest.fixture(scope="session")
def writer(catalog: Catalog) -> OfflineWriter:
    return OfflineWriter(catalog)


@pytest.fixture(scope="session")
def lexicon(catalog: Catalog) -> Lexicon:
    return Lexicon(catalog.fact_types)


@pytest.fixture(scope="session")
def make_spec(catalog: Catalog) -> Callable[..., LatentSpec]:
    return lambda fact_type, *sessions, **more: spec_of(catalog, fact_type, *sessions, **more)


def spec_of(
    catalog: Catalog,
    fact_type: str,
    *sessions: list[dict[str, Any]] | str,
    values: Mapping[str, str] | None = None,
    **more: Any,
) -> LatentSpec:
    """A spec of sessions, each a list of events in short form, or a kind for a session without event.

    ``initial``, ``new`` and ``rival`` stand for the fact type's first values.
    """
    kind = catalog.fact_types[fact_type]
    names = [value.value for value in kind.values]
    drawn = {"initial": names[0], "new": names[1], "rival": names[2], **(values or {})}
    plans = tuple(plan_of(index, session) for index, session in enumerate(sessions))
    given = [(index, short) for index, said in enumerate(sessions) if isinstance(said, list) for short in said]
    events = tuple(event_of(kind, drawn, number, index, short) for number, (index, short) in enumerate(given))
    fields: dict[str, Any] = {
        "suite": "s",
        "case": "c",
        "variant": "",
        "draw": 0,
        "seed": 7,
        "language": "en",
        "paradigm": "p",
        "condition": "c",
        "expects": "update",
        "split": False,
        "tier": "core",
        "probes": (),
        **more,
    }
    return LatentSpec(
        domain=kind.domain, fact_type=fact_type, cast=cast_of(kind, drawn), sessions=plans, events=events, **fields
    )


def plan_of(index: int, session: list[dict[str, Any]] | str) -> SessionPlan:
    return SessionPlan(
        index=index,
        slot=f"slot.{index}",
        phase="encoding",
        kind="event" if isinstance(session, list) else session,  # type: ignore[arg-type]
        timestamp=f"2026-{3 + index // 28:02}-{1 + index % 28:02}T09:30:00+00:00",
        frame="plain" if session == "background" else "scene",
        scene=index,
    )


def event_of(kind: FactType, drawn: Mapping[str, str], number: int, session: int, short: Mapping[str, Any]) -> Event:
    given = {"id": f"e{number}", "thread": "t", "target": "target", "session": session, **short}
    for name in ("value", "old"):
        given[name] = drawn.get(given.get(name, ""), given.get(name))
    if kind.changes:
        change = kind.changes[0]
        given = {"change_id": change.id, "trigger": change.trigger, "reason": change.reason, **given}
    return Event(**given)


def cast_of(kind: FactType, drawn: Mapping[str, str]) -> tuple[Member, ...]:
    """The target, another entity with the same attribute (``other``), and the confusables by id."""
    entity = kind.subject.pool[0] if kind.subject.pool else "user"
    other = kind.subject.pool[1] if kind.subject.pool else kind.subject.others[0]
    members = [
        Member(name="target", fact_type=kind.id, entity=entity, attribute=kind.attribute, values=dict(drawn)),
        Member(name="other", fact_type=kind.id, entity=other, attribute=kind.attribute, values={}),
    ]
    members += [
        Member(name=c.id, fact_type=kind.id, entity=entity, attribute=c.attribute, values={}, confusable=c.id)
        for c in kind.confusables
    ]
    return tuple(members)
