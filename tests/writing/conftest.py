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
from suitegen.writing.offline import OfflineWriter

ROOT = Path(__file__).parents[2]

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
    return YAML(typ="base").load(path.read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    files = [ROOT / "fact_types" / name for name in ("work/standup_time.yaml", "personal/gym.yaml", "agentic/retry_limit.yaml")]
    fact_types = [FactType.model_validate(plain(path)) for path in files] + [FactType.model_validate(SPARE)]
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
def writer(catalog: Catalog) -> OfflineWriter:
    return OfflineWriter(catalog)


MakeSpec = Callable[..., LatentSpec]


@pytest.fixture(scope="session")
def make_spec(catalog: Catalog) -> MakeSpec:
    return lambda fact_type, *sessions, **more: spec_of(catalog, fact_type, *sessions, **more)


def spec_of(
    catalog: Catalog,
    fact_type: str,
    *sessions: list[dict[str, Any]] | str,
    seed: int = 7,
    values: Mapping[str, str] | None = None,
    **more: Any,
) -> LatentSpec:
    """A spec of sessions, each a list of events in short form, or a kind for a session without event."""
    kind = catalog.fact_types[fact_type]
    names = [value.value for value in kind.values]
    drawn = {"initial": names[0], "new": names[1], "rival": names[2], **(values or {})}
    change = kind.changes[0] if kind.changes else None
    events, plans = [], []
    for index, session in enumerate(sessions):
        said = session if isinstance(session, list) else []
        plans.append(
            SessionPlan(
                index=index, slot=f"slot.{index}", phase="encoding", kind="event" if said else session,
                timestamp=f"2026-{3 + index // 28:02}-{1 + index % 28:02}T09:30:00+00:00", scene=index,
            )  # fmt: skip
        )
        for short in said:
            given = {"target": "target", "trigger": change and change.trigger, "reason": change and change.reason, **short}
            given.update({name: drawn[given[name]] for name in ("value", "old") if given.get(name) in drawn})
            events.append(Event(id=given.pop("id", f"e{len(events)}"), thread="t", session=index, **given))
    return LatentSpec(
        suite="s", case="c", variant=more.pop("variant", ""), draw=0, seed=seed, language="en", paradigm="p",
        condition=more.pop("condition", "c"), expects="update", domain=kind.domain, fact_type=fact_type, split=False,
        tier="core", cast=cast_of(kind, drawn), sessions=tuple(plans), events=tuple(events), probes=more.pop("probes", ()),
    )  # fmt: skip


def cast_of(kind: FactType, drawn: Mapping[str, str]) -> tuple[Member, ...]:
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
