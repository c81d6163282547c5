"""JSON text that is the same for the same value, and digests of it."""

from __future__ import annotations

import hashlib
import json

from pydantic import BaseModel


def compact(value: object) -> str:
    """A value as one line of JSON: keys sorted, no spaces, text unescaped; nouns may stand anywhere in it."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_plain)


def document(value: object) -> str:
    """A value as a JSON file for people: indented, keys sorted, one line break at the end."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False, indent=2, default=_plain) + "\n"


def digest(value: object) -> str:
    """SHA-256 of a value's compact JSON, in hexadecimal."""
    return hashlib.sha256(compact(value).encode()).hexdigest()


def _plain(value: object) -> object:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json")
    raise TypeError(f"{type(value).__name__} is not JSON")
