from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pytest

from suitegen.library.yaml import parse, plain
from suitegen.model.background import Script, ScriptFile
from suitegen.model.fact_type import FactType
from suitegen.model.latent import LatentSpec, Member, SessionPlan
from suitegen.values.lexicon import Lexicon

SHIPPED = Path(__file__).parents[2] / "templates" / "background"

GYM = {
    "id": "gym",
    "domain": "personal",
    "attribute": "gym",
    "noun": "my gym",
    "subject": {},
    "kind": "name",
    "values": [
        {"value": "Pulse Factory", "aliases": ["Pulse"]},
        {"value": "Ironbark"},
        {"value": "The Lift Room"},
    ],
    "changes": [],
    "contexts": [{"id": "c", "open": ["a"], "reply": ["b"], "follow": ["c"], "answer": ["d"]}],
    "phrasings": {},
    "confusables": [{"id": "pool", "attribute": "swimming pool", "noun": "my pool", "says": ["I swim at {{ value }}"]}],
}
RETRIES = {
    **GYM,
    "id": "retries",
    "attribute": "retry limit",
    "noun": "the retry limit",
    "kind": "number",
    "cues": ["retry", "retries"],
    "values": [{"value": "3"}, {"value": "5", "aliases": ["five"]}],
    "confusables": [],
}


@pytest.fixture(scope="session")
def lexicon() -> Lexicon:
    fact_types = [FactType.model_validate(data) for data in (GYM, RETRIES)]
    return Lexicon({each.id: each for each in fact_types})


@pytest.fixture(scope="session")
def shipped() -> tuple[Script, ...]:
    scripts: list[Script] = []
    for path in sorted(SHIPPED.glob("*.yaml")):
        document = parse(path.read_text(encoding="utf-8"), path.name)
        assert document.problems == ()
        assert document.root is not None
        scripts += ScriptFile.model_validate(plain(document.root)).scripts
    return tuple(scripts)


@pytest.fixture(scope="session")
def spec() -> Callable[..., LatentSpec]:
    def make(
        slots: Sequence[str] = ("filler.0", "filler.1", "filler.2"),
        kinds: Mapping[str, str] | None = None,
        seed: int = 7,
        variant: str = "",
        cast: Sequence[Member] | None = None,
    ) -> LatentSpec:
        target = Member(name="target", fact_type="gym", entity="user", attribute="gym", values={"initial": "Ironbark"})
        plans = tuple(
            SessionPlan(
                index=index,
                slot=slot,
                phase="filler",
                kind=(kinds or {}).get(slot, "background"),
                frame="scene" if slot in (kinds or {}) else "plain",
                timestamp=f"2026-01-{index + 1:02d}T10:00:00+00:00",
            )
            for index, slot in enumerate(slots)
        )
        return LatentSpec(
            suite="demo",
            case="c1",
            variant=variant,
            draw=0,
            seed=seed,
            language="en",
            paradigm="interference",
            condition="any",
            expects="update",
            domain="personal",
            fact_type="gym",
            split=False,
            tier="short",
            cast=tuple(cast or (target,)),
            sessions=plans,
            events=(),
            probes=(),
        )

    return make
