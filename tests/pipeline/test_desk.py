"""The desk: threads ask, one loop answers."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from suitegen.errors import BudgetError, ModelError
from suitegen.llm.account import Account, Budget
from suitegen.llm.cache import Cache
from suitegen.llm.client import Client, Line
from suitegen.llm.faults import Fault
from suitegen.llm.limits import Limits, SystemClock, Throttle
from suitegen.llm.protocol import ChatRequest, Message
from suitegen.llm.scripted import Rule, Scripted
from suitegen.pipeline.desk import Desk
from tests import ghost


def desk(rule: Rule, path: Path, budget: Budget | None = None) -> Desk:
    def connect() -> Client:
        line = Line(Scripted(rule), ghost.MODEL.url, Throttle(Limits(), SystemClock(), "m"))
        return Client({ghost.MODEL: line}, Cache(path / "replies.sqlite"), Account(budget or Budget()))

    return Desk(connect)


def asking(*texts: str) -> list[ChatRequest]:
    return [ChatRequest(ghost.MODEL, (Message("user", text),), schema='{"type": "string"}') for text in texts]


def echo(request: ChatRequest) -> str:
    return f'"{request.messages[0].content}"'


def test_answers_come_in_the_order_of_the_requests(tmp_path: Path) -> None:
    with desk(echo, tmp_path) as models:
        assert [each.value for each in models.ask(asking("c", "a", "b", "a"))] == ["c", "a", "b", "a"]
        assert models.account.total.calls == 3
        assert models.ask([]) == ()


def test_many_threads_ask_at_once(tmp_path: Path) -> None:
    with desk(echo, tmp_path) as models, ThreadPoolExecutor(8) as pool:
        given = [[f"{n}.{k}" for k in range(5)] for n in range(40)]
        answers = pool.map(lambda texts: [each.value for each in models.ask(asking(*texts))], given)
        assert list(answers) == given


def test_what_was_answered_beside_a_spent_budget_is_kept(tmp_path: Path) -> None:
    with desk(echo, tmp_path, Budget(max_calls=2)) as models, pytest.raises(BudgetError):
        models.ask(asking("a", "b", "c"))
    with desk(echo, tmp_path) as models:
        models.ask(asking("a", "b", "c"))
        assert (models.account.total.calls, models.account.total.served) == (1, 2)


def test_a_client_that_cannot_be_made_is_an_error_and_leaves_no_thread(tmp_path: Path) -> None:
    def broken() -> Client:
        raise ModelError("no key")

    with pytest.raises(ModelError, match="no key"), Desk(broken):
        pass


def test_a_model_that_cannot_be_asked_is_an_error_for_whoever_asks(tmp_path: Path) -> None:
    def refusing(request: ChatRequest) -> str:
        raise Fault("stop", "no such model")

    with desk(refusing, tmp_path) as models, pytest.raises(ModelError, match="no such model"):
        models.ask(asking("a", "b"))
