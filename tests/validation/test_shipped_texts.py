"""The rules on sessions find nothing in what ships: the filler library, and what the offline writer writes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from suitegen.filler.library import Library
from suitegen.latent.compile import compile_case
from suitegen.latent.plan import plan
from suitegen.model.history import Written
from suitegen.model.suite import SuiteSpec
from suitegen.validation.protocol import Kit, SessionText
from suitegen.validation.session_rules import VALIDATORS
from suitegen.values.lexicon import Lexicon
from suitegen.writing.offline import OfflineWriter
from tests.catalog import shipped
from tests.validation.scenes import scene

RULES = {validator.name: validator for validator in VALIDATORS}
SCRIPTS = shipped().scripts


@pytest.mark.parametrize("name", SCRIPTS)
def test_shipped_scripts_sound_right(name: str) -> None:
    library, place = Library([SCRIPTS[name]]), scene("near miss")
    for number in range(0, library.counts[0], max(1, library.counts[0] // 5)):
        text = SessionText(place.kit, place.spec, place.plan, library.dialogue(0, number))
        for rule in ("roles", "spans", "meta", "refusal", "language"):
            assert RULES[rule].check(text, RULES[rule].options).findings == ()


def sessions(suite: SuiteSpec) -> Iterator[SessionText]:
    """Every planned session of the first draw of every case."""
    catalog = shipped()
    kit, writer = Kit(catalog, suite, Lexicon(catalog.fact_types)), OfflineWriter(catalog)
    for case in plan(suite, catalog):
        for spec in compile_case(suite, catalog, case, 0):
            for place in spec.sessions:
                if place.kind != "background":
                    written: Written = writer.write(spec, place, 0)
                    yield SessionText(kit, spec, place, written)


@pytest.mark.parametrize("paradigm", shipped().paradigms)
def test_first_drafts_of_the_offline_writer_hardly_ever_fail(paradigm: str) -> None:
    """What fails is written again; a rule that fails good text often would only cost tries."""
    catalog = shipped()
    declared = catalog.paradigms[paradigm].conditions
    cells = [
        {
            "paradigm": paradigm,
            "condition": name,
            "split": [False, True] if declared[name].split else [False],
            "each": 1,
        }
        for name in declared
    ]
    fields = {"id": "trial", "title": "To try", "fact_types": sorted(catalog.fact_types), "cells": cells}
    texts = list(sessions(SuiteSpec.model_validate(fields)))
    found = [
        (rule, finding.message, [turn.content for turn in text.written.turns])
        for text in texts
        for rule, validator in RULES.items()
        for finding in validator.check(text, validator.options).findings
    ]
    assert len(texts) > 2 * len(declared)
    assert len(found) <= 0.02 * len(texts), found[:3]
