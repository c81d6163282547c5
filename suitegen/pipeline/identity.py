"""Fingerprints: what a case depends on, hashed, so that a changed spec redoes only what it touches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import suitegen
from suitegen.latent.compile import Case
from suitegen.latent.frames import elsewhere
from suitegen.model.suite import SuiteSpec
from suitegen.pipeline.kit import Workshop
from suitegen.publish.canonical import digest

MAKING = ("id", "language", "seed", "tiers", "marks", "reserves", "repairs", "mix", "mix_after", "fillers", "start")
"""Fields of a suite that every case depends on; its title, version, licence and other cells touch none."""

SCENERY = (
    "attribute", "noun", "noun_you", "noun_other", "subject", "contexts", "surroundings", "people", "documents",
    "tool_name",
)  # fmt: skip
"""What the scenes of a fact type are made of, and so all that background in other cases takes of it."""


def common(workshop: Workshop, sources: Sequence[str]) -> str:
    """A hash of all that every case depends on.

    Args:
        workshop: the files, writer and gates.
        sources: hashes of the filler sources.
    """
    suite: SuiteSpec = workshop.kit.suite
    catalog = workshop.kit.catalog
    return digest(
        {
            "suitegen": suitegen.__version__,
            "suite": suite.model_dump(mode="json", include=set(MAKING)),
            "surfaces": catalog.surfaces.get(suite.language),
            "questions": catalog.questions.get(suite.language),
            "gates": [gate for gate in workshop.gates if gate.level != "suite"],
            "sources": list(sources),
            **({"writer": [workshop.model.identity, workshop.fallback]} if workshop.model else {}),
            **({"judges": dict(workshop.judges)} if workshop.judges else {}),
        }
    )


def fingerprint(workshop: Workshop, case: Case, shared: str) -> str:
    """A hash of all that one case depends on; ``shared`` is the hash of what all do."""
    catalog = workshop.kit.catalog
    names = {(each.paradigm, name) for each in case.strands for name in _conditions(workshop, each)}
    own = {each.fact_type for each in case.strands}
    fact_types = own | {
        name for name in workshop.kit.suite.fact_types if own.intersection(catalog.fact_types[name].depends_on)
    }
    return digest(
        {
            "shared": shared,
            "case": asdict(case),
            "conditions": {f"{p}/{name}": catalog.paradigms[p].conditions[name] for p, name in sorted(names)},
            "fact_types": {name: catalog.fact_types[name] for name in sorted(fact_types)},
            "elsewhere": {
                name: catalog.fact_types[name].model_dump(mode="json", include=set(SCENERY))
                for name in elsewhere(workshop.kit.suite, own, case.key)
            },
        }
    )[:32]


def _conditions(workshop: Workshop, case: Case) -> set[str]:
    """The conditions of a thread, with their siblings."""
    declared = workshop.kit.catalog.paradigms[case.paradigm].conditions
    names = {variant.condition for variant in case.variants}
    return names | {sibling for name in names if (sibling := declared[name].sibling) in declared}
