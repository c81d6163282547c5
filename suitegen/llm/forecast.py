"""What calls that are still to be made will use and cost, as a range."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal

from suitegen.llm.cache import Measured
from suitegen.llm.names import ModelName
from suitegen.llm.prices import Prices
from suitegen.llm.protocol import Usage

_SPREAD = 0.2
"""How far a count of tokens taken from characters may be off, as a share."""


@dataclass(frozen=True, slots=True)
class Planned:
    """Calls of one kind: how many at least and at most, and the tokens of each as far as known before any was made."""

    stage: str
    role: str
    model: ModelName
    fewest: int
    most: int
    input: int
    output: int


@dataclass(frozen=True, slots=True)
class Forecast:
    """From the least to the most. ``cost`` is in US dollars and without the models that are ``unpriced``."""

    calls: tuple[int, int]
    tokens: tuple[int, int]
    cost: tuple[Decimal, Decimal]
    unpriced: tuple[str, ...]
    measured: bool
    """Whether all tokens a call are those of calls that were made."""


def forecast(planned: Iterable[Planned], measured: Mapping[tuple[str, str, str], Measured], prices: Prices) -> Forecast:
    """The range that all the planned calls will come to.

    Args:
        planned: the calls.
        measured: what earlier calls have used, by stage, role and model.
        prices: what tokens cost.
    """
    kinds = tuple(planned)
    ends = [[_usage(kind, measured, high=high) for kind in kinds] for high in (False, True)]
    low, high = ([(kind, usage) for kind, usage in zip(kinds, end, strict=True)] for end in ends)
    return Forecast(
        calls=(sum(kind.fewest for kind in kinds), sum(kind.most for kind in kinds)),
        tokens=(sum(_tokens(u) for _, u in low), sum(_tokens(u) for _, u in high)),
        cost=(_cost(low, prices), _cost(high, prices)),
        unpriced=tuple(sorted({str(kind.model) for kind in kinds if not prices.knows(kind.model)})),
        measured=all(_measured(kind, measured) for kind in kinds),
    )


def _measured(kind: Planned, measured: Mapping[tuple[str, str, str], Measured]) -> Measured | None:
    found = measured.get((kind.stage, kind.role, str(kind.model)))
    return found if found and found.counted else None


def _usage(kind: Planned, measured: Mapping[tuple[str, str, str], Measured], *, high: bool) -> Usage:
    """All tokens of one kind of call, at one end of the range."""
    calls = kind.most if high else kind.fewest
    known = _measured(kind, measured)
    if known:
        return Usage(round(calls * known.input / known.counted), round(calls * known.output / known.counted))
    share = calls * (1 + _SPREAD if high else 1 - _SPREAD)
    return Usage(round(share * kind.input), round(share * kind.output))


def _tokens(usage: Usage) -> int:
    return (usage.input or 0) + (usage.output or 0)


def _cost(end: Iterable[tuple[Planned, Usage]], prices: Prices) -> Decimal:
    return sum((prices.cost(kind.model, usage) or Decimal(0) for kind, usage in end), Decimal(0))
