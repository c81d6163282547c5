"""One episode about a gym, made by the engine from what ships."""

from __future__ import annotations

from suitegen.filler.library import Library
from suitegen.latent.compile import compile_case
from suitegen.latent.plan import plan
from suitegen.model.episode import Episode
from suitegen.model.suite import SuiteSpec
from suitegen.pipeline.assemble import Attempts, assemble, write
from suitegen.pipeline.drafts import Drafts
from suitegen.pipeline.kit import Workshop
from suitegen.validation.protocol import Kit
from suitegen.writing.offline import OfflineWriter


def episode(kit: Kit) -> Episode:
    """An authoritative update in a short history."""
    suite = SuiteSpec.model_validate(
        {
            "id": "sample", "title": "S", "seed": 4, "fact_types": ["gym", "standup_time"],
            "tiers": {"core": {"encoding": 2, "before": 5, "after": [1, 1]}},
            "cells": [
                {"paradigm": "interference", "condition": "authoritative_update", "fact_types": ["gym"], "count": 1}
            ],
        }
    )  # fmt: skip
    catalog = kit.catalog
    own = Kit(catalog, suite, kit.lexicon)
    workshop = Workshop(own, OfflineWriter(catalog), (Library(catalog.scripts.values()),), (), {})
    (case,) = plan(suite, catalog)
    (spec,) = compile_case(suite, catalog, case, 0)
    return assemble(workshop, case, spec, write(workshop, spec, (spec,), Attempts(), Drafts()), Attempts())
