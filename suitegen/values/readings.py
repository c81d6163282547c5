"""A reading: a stretch of text that denotes a value of a kind."""

from __future__ import annotations

from typing import NamedTuple


class Reading(NamedTuple):
    """What a stretch of a folded text can denote."""

    start: int
    end: int
    """Offsets into the folded text."""
    keys: tuple[str, ...]
    """Normal forms it can denote, the likeliest first: ``half past two`` is 02:30, else 14:30."""
    unit: str = ""
    """The unit that stands with an amount, inside the stretch or beside it."""
    whole: bool = True
    """False for an amount without the unit that stands beside it."""
