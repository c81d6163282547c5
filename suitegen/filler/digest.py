"""A short hash of what is said, by which equal texts are known."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence

from suitegen.model.history import Turn


def content_hash(turns: Sequence[Turn]) -> str:
    """The first 16 hex digits of the SHA-256 of the turns as canonical JSON.

    Canonical: a list of objects with content, name and role (sorted keys), no blanks, text as UTF-8.
    """
    plain = [turn.model_dump() for turn in turns]
    text = json.dumps(plain, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def text_hash(*texts: str) -> str:
    """The SHA-256 of texts, in order, in hexadecimal."""
    found = hashlib.sha256()
    for text in texts:
        found.update(text.encode("utf-8", "surrogatepass") + b"\n")
    return found.hexdigest()
