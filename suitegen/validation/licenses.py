"""Licences: every stretch of text has one, and none forbids the suite's own."""

from __future__ import annotations

import re
from collections import Counter

from suitegen.model.finding import Finding
from suitegen.validation.protocol import Example, Options, Outcome, SuiteText, Validator
from suitegen.validation.statistics import proportion

CODE = "U410"
_MISSING = frozenset({"", "none", "noassertion", "unknown"})
_SHARE_ALIKE = re.compile(r"\b(?:SA|GPL|AGPL|LGPL|ODbL|CDLA-Sharing)\b", re.IGNORECASE)
_TERMS = (
    ("it allows no commercial use", re.compile(r"\bNC\b", re.IGNORECASE)),
    ("it allows no derived works", re.compile(r"\bND\b", re.IGNORECASE)),
    ("derived works must keep its terms", _SHARE_ALIKE),
)
"""Terms that a work made of the text must keep, by how SPDX ids and Creative Commons write them."""


def _terms(license: str) -> frozenset[str]:
    """The terms of an SPDX expression: all of those joined by AND, the fewest of those joined by OR."""
    choices = re.split(r"\s+OR\s+", license.strip("() "))
    found = [frozenset(words for words, pattern in _TERMS if pattern.search(choice)) for choice in choices]
    return min(found, key=lambda terms: (len(terms), sorted(terms)))


def conflicts(license: str, suite: str) -> tuple[str, ...]:
    """Why a text under ``license`` may not go into a suite under ``suite``; empty when it may."""
    if license.strip().casefold() in _MISSING:
        return ("it has no licence",)
    return tuple(sorted(_terms(license) - _terms(suite)))


def check_licenses(text: SuiteText, options: Options) -> Outcome:
    """Every placement has a licence that allows the suite's own."""
    own = text.kit.suite.license
    places = Counter((place.license, _source(place.origin)) for e in text.episodes for place in e.placements)
    known = sum(count for (license, _), count in places.items() if license.strip().casefold() not in _MISSING)
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
