"""Licences: every stretch of text has one, and none forbids the suite's own."""

from __future__ import annotations

from collections import Counter

from suitegen.model.finding import Finding
from suitegen.validation.protocol import Example, Options, Outcome, SuiteText, Validator
from suitegen.validation.statistics import proportion
from suitegen.values.licenses import conflicts, is_missing

CODE = "U410"


def check_licenses(text: SuiteText, options: Options) -> Outcome:
    """Every placement has a licence that allows the suite's own."""
    own = text.kit.suite.license
    places = Counter((place.license, _source(place.origin)) for e in text.episodes for place in e.placements)
    known = sum(count for (license, _), count in places.items() if not is_missing(license))
    found = [
        Finding(code=CODE, message=f"{source} ({license or 'no licence'}) may not go into a suite under {own}: {why}")
        for license, source in sorted(places)
        for why in conflicts(license, own)
    ]
    return Outcome(tuple(found), (proportion("placements with a licence", known, places.total(), 1.0),))


def _source(origin: str) -> str:
    """Where a text comes from, without the entry."""
    return origin.partition(":")[0] or "a text"


LICENSES: Validator[SuiteText] = Validator(
    "licenses", CODE, "suite", "Text without a licence, or under one that forbids the suite's own.",
    "A suite that may not be passed on cannot be used to compare systems.",
    Example("CC0-1.0 dialogues in a suite under CC-BY-4.0", "CC-BY-NC-4.0 dialogues in a suite under CC-BY-4.0"),
    check_licenses,
)  # fmt: skip
