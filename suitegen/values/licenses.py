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


_VAGUE = frozenset({"cc", "other"})
_SPELLED = {
    "apache-2.0": "Apache-2.0", "mit": "MIT", "odc-by": "ODC-By-1.0", "odbl": "ODbL-1.0", "pddl": "PDDL-1.0",
    "cdla-permissive-1.0": "CDLA-Permissive-1.0", "cdla-permissive-2.0": "CDLA-Permissive-2.0",
    "cdla-sharing-1.0": "CDLA-Sharing-1.0", "unlicense": "Unlicense",
}  # fmt: skip
"""Names on dataset cards whose SPDX id is more than the same in capitals."""


def from_hub(name: str) -> str | None:
    """The SPDX id for a licence as cards on the Hugging Face Hub name it; None where the name does not tell which."""
    plain = name.strip().casefold()
    if is_missing(plain) or plain in _VAGUE:
        return None
    return _SPELLED.get(plain) or (plain.upper() if plain.startswith("cc") else name.strip())
