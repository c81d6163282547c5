"""What tokens cost: the user's own prices first, then a price list; what neither knows is unpriced."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from importlib.metadata import version
from typing import Annotated

from pydantic import Field

from suitegen.llm.names import ModelName
from suitegen.llm.protocol import Usage
from suitegen.model.base import Noun

Dollars = Annotated[Decimal, Field(ge=0)]
_MILLION = 1_000_000
_LIST = "genai-prices"


class Price(Noun):
    """US dollars for a million tokens."""

    input: Dollars
    output: Dollars


class Prices:
    """Costs of calls.

    Args:
        own: prices that the user gives, by the model's name as it is written in full.
    """

    def __init__(self, own: Mapping[str, Price] | None = None) -> None:
        self._own = dict(own or {})
        self._unknown: set[ModelName] = set()

    @property
    def source(self) -> str:
        """The price list with its version."""
        return f"{_LIST} {version(_LIST)}"

    def cost(self, model: ModelName, usage: Usage) -> Decimal | None:
        """US dollars; None if the price is not known, or the tokens were not counted."""
        if usage.input is None or usage.output is None:
            return None
        own = self._own.get(str(model))
        if own is not None:
            return (own.input * usage.input + own.output * usage.output) / _MILLION
        return None if model in self._unknown else self._listed(model, usage)

    def knows(self, model: ModelName) -> bool:
        """Whether calls of a model have a price."""
        return self.cost(model, Usage(1, 1)) is not None

    def _listed(self, model: ModelName, usage: Usage) -> Decimal | None:
        from genai_prices import Usage as Counted
        from genai_prices import calc_price

        read = min(usage.cache_read, usage.input or 0)
        written = min(usage.cache_write, (usage.input or 0) - read)
        counted = Counted(
            input_tokens=usage.input, output_tokens=usage.output, cache_read_tokens=read, cache_write_tokens=written
        )
        try:
            if model.url:
                return calc_price(counted, model.name, provider_api_url=model.url).total_price
            return calc_price(counted, model.name, provider_id=model.provider).total_price
        except LookupError:
            self._unknown.add(model)
            return None
