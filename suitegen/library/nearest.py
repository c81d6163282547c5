"""Did you mean: the known name that is nearest to a mistyped one."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable
from functools import lru_cache

_ALIKE = 0.6


def slug(text: str) -> str:
    """The legal name that is nearest to a text; empty if there is none."""
    return re.sub(r"[^a-z0-9]+", "_", text.casefold()).lstrip("_0123456789").rstrip("_")


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name most like the given one, or None when none is alike enough."""
    return _nearest(name, tuple(sorted(set(known))))


@lru_cache(maxsize=4096)
def _nearest(name: str, known: tuple[str, ...]) -> str | None:
    found = difflib.get_close_matches(name, known, n=1, cutoff=_ALIKE)
    return found[0] if found else None


def did_you_mean(name: str, known: Iterable[str], *, most: int = 12) -> str:
    """A hint that names the nearest known name, else the first ``most`` known ones; empty when nothing is known."""
    names = sorted(set(known))
    near = nearest(name, names)
    if near is not None:
        return f"did you mean {near!r}?"
    if not names:
        return ""
    more = ", ..." if len(names) > most else ""
    return f"known are {', '.join(names[:most])}{more}"
