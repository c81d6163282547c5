"""The validators that ship with suitegen, by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from suitegen.errors import SuitegenError
from suitegen.reading.protocol import Reader
from suitegen.validation import episode_rules, judge_rules, reading_rules, session_rules, suite_rules, window_rules
from suitegen.validation.judge import Judge
from suitegen.validation.protocol import AnyValidator


def builtin(reader: Reader, judge: Judge | None = None, second: Judge | None = None) -> Mapping[str, AnyValidator]:
    """All built-in validators by name, in the order of their codes.

    Args:
        reader: answers questions for the reading checks.
        judge: judges sessions and gold answers; without one these checks do not run.
        second: judges a sample of the same once more.
    """
    return catalogue([
        *session_rules.VALIDATORS,
        *episode_rules.VALIDATORS,
        *window_rules.EPISODE,
        *reading_rules.validators(reader),
        *suite_rules.VALIDATORS,
        *judge_rules.validators(judge, second),
    ])  # fmt: skip


def catalogue(validators: Iterable[AnyValidator]) -> Mapping[str, AnyValidator]:
    """Validators by name.

    Raises:
        SuitegenError: two of them share a name or a code.
    """
    found: dict[str, AnyValidator] = {}
    codes: dict[str, str] = {}
    for validator in validators:
        if validator.name in found:
            raise SuitegenError(f"there are two validators {validator.name!r}", hint="rename one of them")
        if validator.code in codes:
            owner = codes[validator.code]
            raise SuitegenError(
                f"the validators {owner!r} and {validator.name!r} have the same code {validator.code}",
                hint="give one of them another code",
            )
        found[validator.name], codes[validator.code] = validator, validator.name
    return MappingProxyType(found)
