"""Dates: every session has a timestamp, strictly increasing; a question comes after what it may use."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache

from suitegen.errors import DesignError
from suitegen.latent.seeds import rng

EARLIEST, LATEST = 7 * 60, 22 * 60 + 30
"""Minutes of the day between which people talk to an assistant."""


def timestamps(start: str, slots: Sequence[str], seed: int) -> tuple[str, ...]:
    """One timestamp a slot, ISO 8601 with offset, strictly increasing.

    Each step is drawn from the seed and the slot's name, so that histories which share
    their slots share their dates.

    Raises:
        DesignError: ``start`` is no ISO date.
    """
    day = first_day(start) + timedelta(days=rng(seed, "start").randrange(60))
    moment = datetime.combine(day, time(), UTC)
    stamps = []
    for slot in slots:
        moment = _next(moment, *_step(seed, slot))
        stamps.append(moment.isoformat())
    return tuple(stamps)


def first_day(start: str) -> date:
    """The earliest day of a history.

    Raises:
        DesignError: ``start`` is no ISO date.
    """
    try:
        return date.fromisoformat(start)
    except ValueError as error:
        raise DesignError(f"start: {start!r} is no date", hint="write it as YYYY-MM-DD") from error


@lru_cache(maxsize=65536)
def _step(seed: int, slot: str) -> tuple[int, int]:
    """Days and minute of the day of a slot; a case is compiled more than once."""
    random = rng(seed, "gap", slot)
    return random.choice((0, 1, 1, 2, 2, 3, 4)), random.randrange(EARLIEST, LATEST)


def _next(moment: datetime, days: int, minute: int) -> datetime:
    later = datetime.combine(moment.date() + timedelta(days=days), time(), UTC) + timedelta(minutes=minute)
    if later <= moment + timedelta(minutes=20):
        later += timedelta(days=1)
    return later


def asked_at(timestamp: str, seed: int, probe: str) -> str:
    """When a probe is asked: a day or two after the last session that it may use."""
    random = rng(seed, "asked", probe)
    day = datetime.fromisoformat(timestamp).date() + timedelta(days=random.randrange(1, 3))
    moment = datetime.combine(day, time(), UTC) + timedelta(minutes=random.randrange(EARLIEST, LATEST))
    return moment.isoformat()


def days_after(timestamp: str, days: int) -> str:
    """The ISO date so many days after a timestamp's day."""
    return (datetime.fromisoformat(timestamp).date() + timedelta(days=days)).isoformat()
