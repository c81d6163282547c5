"""How answers hold up as a history grows, and what becomes of questions without evidence or with a false premise.

The summaries are those of MemTrace, section 3.4: fresh is the mean over the first two windows, saturated over the
last two, forgetting the difference (table 3); for questions whose evidence is missing or contradicted, how often an
answer is right, abstains, or is neither, which is made up (table 4).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal, Protocol, TypeVar

from suitegen.model.gold import Gold
from suitegen.model.words import ProbeType

ENDS = 2
"""So many windows at each end are fresh, or saturated."""
Evidence = Literal["present", "missing", "contradicted"]


class Aged(Protocol):
    """A probe that is asked at a window."""

    @property
    def probe_type(self) -> ProbeType:
        """Its type."""
        ...

    @property
    def window(self) -> int | None:
        """The number of its window, from 0; None where it is asked at none."""
        ...

    @property
    def gold(self) -> Gold:
        """What is right."""
        ...


K = TypeVar("K", bound=Aged)


def evidence_of(gold: Gold) -> Evidence:
    """Whether the history answers a question, has nothing on it, or contradicts what it takes for granted."""
    if any(field.answer == "absent" for field in gold.fields):
        return "missing"
    return "contradicted" if any(f.name == "holds" and f.answer == "no" for f in gold.fields) else "present"


def ends(keys: Sequence[K], names: Sequence[str]) -> Mapping[str, tuple[Callable[[K], bool], Callable[[K], bool]]]:
    """By probe type what is fresh and what is saturated, of what the history answers.

    Args:
        keys: all probes.
        names: the windows in their order.
    """
    kinds = sorted({key.probe_type for key in keys if key.window is not None and evidence_of(key.gold) == "present"})
    return {kind: (_within(kind, range(ENDS)), _within(kind, range(len(names) - ENDS, len(names)))) for kind in kinds}


def _within(kind: ProbeType, windows: range) -> Callable[[K], bool]:
    return lambda key: key.probe_type == kind and key.window in windows and evidence_of(key.gold) == "present"


def traces(keys: Sequence[K], names: Sequence[str]) -> Mapping[str, Callable[[K], bool]]:
    """By probe type and window what belongs to it, of what the history answers."""
    found: dict[str, Callable[[K], bool]] = {}
    for kind in ends(keys, names):
        for number, name in enumerate(names):
            found[f"{kind} / {name}"] = _at(kind, number)
    return found


def _at(kind: str, window: int) -> Callable[[K], bool]:
    return lambda key: key.probe_type == kind and key.window == window and evidence_of(key.gold) == "present"
