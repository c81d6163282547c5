from __future__ import annotations

from decimal import Decimal

from suitegen.llm.cache import Measured
from suitegen.llm.forecast import Planned, forecast
from suitegen.llm.names import parse
from suitegen.llm.prices import Price, Prices

PRICED, LOCAL = parse("openai:mine", {}), parse("openai:local@http://127.0.0.1:9/v1", {})
PRICES = Prices({"openai:mine": Price(input=Decimal(1), output=Decimal(10))})
WRITING = Planned("write", "writer", PRICED, fewest=100, most=400, input=1000, output=500)


def test_before_anything_ran_tokens_are_guessed_within_a_fifth() -> None:
    found = forecast([WRITING], {}, PRICES)
    assert found.calls == (100, 400)
    assert found.tokens == (120_000, 720_000)
    assert found.cost == (Decimal("0.48"), Decimal("2.88"))
    assert (found.unpriced, found.measured) == ((), False)


def test_afterwards_they_are_measured() -> None:
    used = {("write", "writer", "openai:mine"): Measured(replies=12, counted=10, input=9000, output=2000)}
    found = forecast([WRITING], used, PRICES)
    assert found.tokens == (110_000, 440_000)
    assert found.cost == (Decimal("0.29"), Decimal("1.16"))
    assert found.measured


def test_a_model_without_a_price_is_named_and_adds_no_nought() -> None:
    judging = Planned("check", "judge", LOCAL, fewest=10, most=10, input=10, output=10)
    found = forecast([WRITING, judging], {}, PRICES)
    assert found.unpriced == (str(LOCAL),)
    assert found.cost == forecast([WRITING], {}, PRICES).cost
    assert found.calls == (110, 410)
