"""Parameters that several commands share, each with one meaning."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal, InvalidOperation
from pathlib import Path

import click

suite = click.argument("suite", required=False, envvar="SUITEGEN_SUITE")
"""A shipped suite's name, a path, or nothing for the project's only suite."""

out = click.argument(
    "out", envvar="SUITEGEN_OUT", type=click.Path(exists=True, file_okay=False, path_type=Path), metavar="OUT"
)
"""The folder of a built suite."""

select = click.option(
    "--select",
    metavar="WHICH",
    help="Only some cases: part of a key, or labels such as 'paradigm:interference,domain:work'.",
)

writer = click.option(
    "--writer",
    metavar="MODEL",
    help="The model that writes: openai:NAME, anthropic:NAME, either with @URL of a compatible server; or offline.",
)


def judges(command: Callable[..., int]) -> Callable[..., int]:
    """Options that name the models that judge: judge, second_judge."""
    command = click.option("--second-judge", metavar="MODEL", help="Another model, which judges a sample.")(command)
    return click.option("--judge", metavar="MODEL", help="The model that judges what was written.")(command)


def readers(command: Callable[..., int]) -> Callable[..., int]:
    """Options that name the models that read a finished suite: readers, embedder."""
    command = click.option(
        "--embedder", metavar="MODEL", help="The model whose vectors find sessions for the readers (openai:NAME only)."
    )(command)
    return click.option(
        "--reader", "readers", metavar="MODEL", multiple=True, envvar="SUITEGEN_READER",
        help="A model that reads the finished suite; may be given several times.",
    )(command)  # fmt: skip


def _dollars(text: str) -> Decimal:
    """An amount of money, exactly as it is written."""
    try:
        amount = Decimal(text)
    except InvalidOperation:
        amount = Decimal("nan")
    if not amount.is_finite() or amount < 0:
        raise click.BadParameter(f"{text!r} is no amount of US dollars")
    return amount


def budget(command: Callable[..., int]) -> Callable[..., int]:
    """Options that bound what one run may spend on models: max_cost, max_calls, max_tokens."""
    bounds = (
        click.option("--max-cost", type=_dollars, metavar="DOLLARS", help="Make no call past so many US dollars."),
        click.option("--max-calls", type=click.IntRange(min=0), help="Make no call past so many."),
        click.option("--max-tokens", type=click.IntRange(min=0), help="Make no call past so many tokens."),
    )
    for bound in reversed(bounds):
        command = bound(command)
    return command


as_json = click.option("--json", "as_json", is_flag=True, allow_from_autoenv=False, help="Print one JSON document.")
