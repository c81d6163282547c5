"""What calls have used and cost, by stage, role and model; and the budget that no call may pass."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from typing import NamedTuple

from suitegen.errors import BudgetError
from suitegen.llm.prices import Prices
from suitegen.llm.protocol import CHARACTERS_PER_TOKEN, ChatRequest, Reply, Usage

_GUESS = 1000
"""Tokens that a reply is taken to have while none was measured and no limit is set."""


@dataclass(frozen=True, slots=True)
class Budget:
    """The most that one run may spend; None is no bound. ``max_cost`` is in US dollars."""

    max_cost: Decimal | None = None
    max_calls: int | None = None
    max_tokens: int | None = None


class Slot(NamedTuple):
    """For what calls are counted together."""

    stage: str
    role: str
    model: str


@dataclass(frozen=True, slots=True)
class Tally:
    """What one slot has used in this run. ``calls`` are those sent: ``replies`` and ``failed`` ones."""

    calls: int = 0
    replies: int = 0
    failed: int = 0
    served: int = 0
    """Replies that were kept from before: no call, no cost."""
    cut: int = 0
    refused: int = 0
    input: int = 0
    guessed: int = 0
    """What the input was taken to be before it was counted."""
    output: int = 0
    estimated: int = 0
    """Replies whose tokens were not counted by the provider but are taken from their length."""
    cost: Decimal = Decimal(0)
    unpriced: int = 0
    """Replies without a known price; the cost is without them."""

    def add(self, other: Tally) -> Tally:
        """Both together."""
        return Tally(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))


@dataclass(frozen=True, slots=True)
class _Estimate:
    tokens: int
    cost: Decimal


@dataclass(slots=True)
class Account:
    """Counts what calls use, and refuses those that would pass the budget.

    Calls in flight count by their estimate: measured tokens of the same slot where there are any. What an earlier
    run has spent does not count against this one's budget.
    """

    budget: Budget = Budget()
    prices: Prices = field(default_factory=Prices)
    _tallies: dict[Slot, Tally] = field(default_factory=dict)
    _flying: list[_Estimate] = field(default_factory=list)

    def start(self, request: ChatRequest) -> _Estimate:
        """Count a call that is about to be sent; ``end`` takes what this returns.

        Raises:
            BudgetError: it would pass the budget, or no price is known to hold against it.
        """
        self._check_price(request)
        usage = self._expected(request)
        cost = self.prices.cost(request.model, usage) or Decimal(0)
        estimate = _Estimate((usage.input or 0) + (usage.output or 0), cost)
        self._check(estimate)
        self._flying.append(estimate)
        self._add(request, Tally(calls=1))
        return estimate

    def end(self, request: ChatRequest, estimate: _Estimate, reply: Reply | None) -> None:
        """Count how a call ended; without a reply it failed."""
        self._flying.remove(estimate)
        if reply is None:
            self._add(request, Tally(failed=1))
            return
        usage = _counted(request, reply)
        cost = self.prices.cost(request.model, usage)
        self._add(request, Tally(
            replies=1, cut=reply.finish == "cut", refused=reply.finish in ("refused", "filtered"),
            input=usage.input or 0, guessed=request.input_tokens, output=usage.output or 0,
            estimated=usage is not reply.usage, cost=cost or Decimal(0), unpriced=cost is None,
        ))  # fmt: skip

    def serve(self, request: ChatRequest) -> None:
        """Count a reply that was kept from before."""
        self._add(request, Tally(served=1))

    @property
    def tallies(self) -> Mapping[Slot, Tally]:
        """What was used so far, by slot."""
        return dict(sorted(self._tallies.items()))

    @property
    def total(self) -> Tally:
        """What was used so far, in all."""
        total = Tally()
        for tally in self._tallies.values():
            total = total.add(tally)
        return total

    def _add(self, request: ChatRequest, more: Tally) -> None:
        slot = _slot(request)
        self._tallies[slot] = self._tallies.get(slot, Tally()).add(more)

    def _expected(self, request: ChatRequest) -> Usage:
        """Tokens that a call will use."""
        tally = self._tallies.get(_slot(request), Tally())
        if not tally.replies:
            return Usage(request.input_tokens, request.parameters.limit or _GUESS)
        return Usage(request.input_tokens * tally.input // tally.guessed + 1, tally.output // tally.replies)

    def _check_price(self, request: ChatRequest) -> None:
        if self.budget.max_cost is not None and not self.prices.knows(request.model):
            raise BudgetError(
                f"no price is known for {request.model}, so that no cost can be held against the budget",
                hint="give its price in the project file, or limit calls or tokens in place of cost",
            )

    def _check(self, estimate: _Estimate) -> None:
        total = self.total
        tokens = total.input + total.output + sum(flying.tokens for flying in self._flying)
        cost = total.cost + sum((flying.cost for flying in self._flying), Decimal(0))
        reached = {
            f"{self.budget.max_calls} calls": _passes(self.budget.max_calls, total.calls + 1),
            f"{self.budget.max_tokens} tokens": _passes(self.budget.max_tokens, tokens + estimate.tokens),
            f"{self.budget.max_cost} US dollars": _passes(self.budget.max_cost, cost + estimate.cost),
        }
        for what, is_reached in reached.items():
            if is_reached:
                raise BudgetError(
                    f"the budget of {what} is spent: {total.calls} calls, {tokens} tokens, {_money(total)}",
                    hint="build again with more to go on: what was answered is kept",
                )


def _passes(most: Decimal | int | None, amount: Decimal | int) -> bool:
    # A budget of nothing allows no call, not even one that costs nothing.
    return most is not None and (amount > most or most == 0)


def _money(total: Tally) -> str:
    unpriced = f" and {total.unpriced} unpriced replies" if total.unpriced else ""
    return f"{total.cost:.4f} US dollars{unpriced}"


def _slot(request: ChatRequest) -> Slot:
    return Slot(request.stage, request.role, str(request.model))


def _counted(request: ChatRequest, reply: Reply) -> Usage:
    """The tokens of a reply, from lengths where the provider did not count them."""
    usage = reply.usage
    if usage.input is not None and usage.output is not None:
        return usage
    said = len(reply.text) + len(reply.refusal)
    return replace(
        usage,
        input=request.input_tokens if usage.input is None else usage.input,
        output=said // CHARACTERS_PER_TOKEN + 1 if usage.output is None else usage.output,
    )
