"""Seeds as hashes: every random choice is a function of named parts, never of order or time."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from random import Random
from typing import TypeVar

T = TypeVar("T")


def derive(*parts: str | int) -> int:
    """A 64-bit seed from its parts."""
    text = "\x1f".join(str(part) for part in parts)
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8], "big")


def rng(*parts: str | int) -> Random:
    """A generator seeded by its parts."""
    return Random(derive(*parts))


def shuffled(items: Sequence[T], *parts: str | int) -> tuple[T, ...]:
    """The items in an order drawn from the parts."""
    order = list(items)
    rng(*parts).shuffle(order)
    return tuple(order)


def opaque(prefix: str, *parts: str | int) -> str:
    """An id in which nothing of its parts can be read."""
    text = "\x1f".join(str(part) for part in parts)
    return prefix + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
