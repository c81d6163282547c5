"""Licences: which terms a text brings along, and whether a work may have others."""

from __future__ import annotations

import re

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
    if is_missing(license):
        return ("it has no licence",)
    return tuple(sorted(_terms(license) - _terms(suite)))


def is_missing(license: str) -> bool:
    """Whether a text has no licence at all."""
    return license.strip().casefold() in _MISSING
