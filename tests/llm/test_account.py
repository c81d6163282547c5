from __future__ import annotations

from collections import deque
from decimal import Decimal

import pytest

from suitegen.errors import BudgetError
from suitegen.llm.account import Account, Budget, Slot
from suitegen.llm.names import ModelName, parse
from suitegen.llm.prices import Price, Prices
from suitegen.llm.protocol import ChatRequest, Reply, Usage
from tests.llm.kit import request

KNOWN = parse("openai:gpt-4o", {})
LOCAL = parse("openai:org/my-qwen@http://127.0.0.1:9/v1", {})
OWN = Prices({str(LOCAL): Price(input=Decimal("1"), output=Decimal("2"))})
SPENT = Reply("x", usage=Usage(1000, 100))


def call(account: Account, asked: ChatRequest, reply: Reply | None = SPENT) -> None:
    account.end(asked, account.start(asked), reply)


def test_calls_are_counted_by_stage_role_and_model() -> None:
    account = Account()
    call(account, request(KNOWN))
    call(account, request(KNOWN), Reply("", "cut", usage=Usage(10, 5)))
    call(account, request(KNOWN), None)
    account.serve(request(KNOWN))
    call(account, request(LOCAL), Reply("", "refused", usage=Usage(1, 1)))
    tally = account.tallies[Slot("write", "writer", "openai:gpt-4o")]
    assert (tally.calls, tally.replies, tally.failed, tally.served, tally.cut, tally.refused) == (3, 2, 1, 1, 1, 0)
    assert (tally.input, tally.output, tally.unpriced) == (1010, 105, 0)
    assert tally.cost == sum(OWN.cost(KNOWN, usage) or 0 for usage in (SPENT.usage, Usage(10, 5)))
    assert tally.cost > 0
    assert (account.total.calls, account.total.refused, account.total.unpriced) == (4, 1, 1)


def test_an_unknown_price_is_unpriced_and_never_nothing() -> None:
    assert Prices().cost(LOCAL, SPENT.usage) is None
    assert not Prices().knows(parse("openai:no-such-model-99", {}))
    assert Prices().knows(KNOWN)
    assert Prices().cost(KNOWN, Usage(None, 5)) is None


def test_ones_own_price_comes_first() -> None:
    assert OWN.cost(LOCAL, Usage(1_000_000, 500_000)) == 2
    cheap = Prices({"openai:gpt-4o": Price(input=Decimal(0), output=Decimal(0))})
    assert cheap.cost(KNOWN, SPENT.usage) == 0
    assert cheap.knows(KNOWN)


def test_what_came_from_a_prompt_cache_costs_less() -> None:
    whole, cached = (Prices().cost(KNOWN, Usage(1000, 100, cache_read=read)) for read in (0, 800))
    assert whole
    assert cached
    assert cached < whole


def test_a_provider_that_counts_oddly_does_no_harm() -> None:
    assert Prices().cost(KNOWN, Usage(100, 5, cache_read=900, cache_write=900)) is not None


def test_tokens_that_were_not_counted_are_estimated_and_told() -> None:
    account = Account()
    call(account, request(KNOWN, "a" * 400), Reply("b" * 40))
    assert (account.total.input, account.total.output, account.total.estimated) == (101, 11, 1)


# -- the budget -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("budget", [Budget(max_calls=0), Budget(max_tokens=0), Budget(max_cost=Decimal(0))])
def test_a_budget_of_nothing_allows_no_call(budget: Budget) -> None:
    account = Account(budget, Prices({str(KNOWN): Price(input=Decimal(0), output=Decimal(0))}))
    with pytest.raises(BudgetError) as caught:
        account.start(request(KNOWN))
    assert caught.value.exit_code == 4
    assert account.total.calls == 0


def test_failed_calls_count_too() -> None:
    account = Account(Budget(max_calls=2))
    call(account, request(KNOWN), None)
    call(account, request(KNOWN), None)
    with pytest.raises(BudgetError, match="2 calls"):
        account.start(request(KNOWN))


def test_replies_that_were_kept_cost_nothing() -> None:
    account = Account(Budget(max_calls=1, max_tokens=2000, max_cost=Decimal("0.01")))
    for _ in range(9):
        account.serve(request(KNOWN))
    call(account, request(KNOWN, max_tokens=100))
    assert account.total.calls == 1


def test_calls_in_flight_count_by_what_they_may_use() -> None:
    account = Account(Budget(max_tokens=2500))
    asked = request(KNOWN, max_tokens=1000)
    flying = [account.start(asked), account.start(asked)]
    with pytest.raises(BudgetError, match="2500 tokens"):
        account.start(asked)
    for each in flying:
        account.end(asked, each, Reply("x", usage=Usage(1, 10)))
    # Now it is known that replies are short.
    account.start(asked)


@pytest.mark.parametrize("name", [KNOWN, LOCAL])
def test_no_call_starts_once_the_money_is_spent(name: ModelName) -> None:
    account = Account(Budget(max_cost=Decimal("0.02")), OWN)
    with pytest.raises(BudgetError, match="US dollars"):
        deque((call(account, request(name, max_tokens=100)) for _ in range(1000)), maxlen=0)
    assert account.total.calls > 1
    assert Decimal("0.015") < account.total.cost <= Decimal("0.02")


def test_money_cannot_be_held_against_a_model_without_a_price() -> None:
    account = Account(Budget(max_cost=Decimal(5)))
    with pytest.raises(BudgetError, match="no price is known"):
        account.start(request(LOCAL))
    Account(Budget(max_calls=5, max_tokens=5000)).start(request(LOCAL))
