"""Gates run validators in order, word what they say, and name a validator that breaks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from suitegen.errors import SuitegenError
from suitegen.model.finding import Finding, Measure
from suitegen.model.gate import Check, GateSpec
from suitegen.validation.gate import BrokenValidator, doubts, errors, run, unfit
from suitegen.validation.protocol import AnyValidator, EpisodeText, Example, Options, Outcome, Validator
from tests.validation.stories import story
from tests.validation.world import kit

FOUND = Finding(code="X901", message="no tea", feedback="write about tea")


def validator(check: Callable[[Any, Options], Any], name: str = "tea", **options: str | int) -> AnyValidator:
    return Validator(name, "X901", "episode", "No tea.", "To try.", Example("tea", "water"), check, options)


def gate(*checks: object) -> GateSpec:
    return GateSpec.model_validate({"id": "trial", "about": "To try.", "level": "episode", "checks": checks})


def verdict(check: Callable[[Any, Options], Any], spec: object = "tea", **options: str | int) -> Any:
    (found,) = run(gate(spec), {"tea": validator(check, **options)}, EpisodeText(kit(), story()))
    return found


def test_verdicts_come_in_the_order_of_the_gate() -> None:
    known = {name: validator(lambda subject, options: Outcome(), name) for name in ("tea", "milk")}
    verdicts = run(gate("milk", "tea", "milk"), known, EpisodeText(kit(), story()))
    assert [each.validator for each in verdicts] == ["milk", "tea", "milk"]
    assert {each.status for each in verdicts} == {"passed"}


def test_an_error_fails_and_a_warning_does_not() -> None:
    warning = FOUND.model_copy(update={"severity": "warning"})
    assert verdict(lambda subject, options: Outcome((FOUND,))).status == "failed"
    assert verdict(lambda subject, options: Outcome((warning,))).status == "passed"
    assert (
        verdict(lambda subject, options: Outcome((FOUND,)), {"validator": "tea", "severity": "warning"}).status
        == "passed"
    )


def test_what_did_not_run_never_passes() -> None:
    found = verdict(lambda subject, options: Outcome(not_run="no tea here", measures=(Measure(name="m", value=0.5),)))
    assert (found.status, found.why) == ("not_run", "no tea here")
    assert found.measures


def test_a_failure_is_summed_up() -> None:
    assert verdict(lambda subject, options: Outcome((FOUND,))).why == "1 finding"
    assert verdict(lambda subject, options: Outcome((FOUND, FOUND))).why == "2 findings"


def test_options_of_the_gate_go_before_the_validators_own() -> None:
    seen: dict[str, object] = {}

    def check(subject: object, options: Options) -> Outcome:
        seen.update(options)
        return Outcome()

    verdict(check, {"tea": {"cups": 3}}, cups=1, sugar=2)
    assert seen == {"cups": 3, "sugar": 2}


def test_feedback_of_the_gate_takes_the_place_of_the_validators_own() -> None:
    found = verdict(lambda subject, options: Outcome((FOUND,)), {"validator": "tea", "feedback": "boil some water"})
    assert found.findings[0].feedback == "boil some water"


def test_only_errors_reject() -> None:
    warning = FOUND.model_copy(update={"severity": "warning"})
    assert errors((verdict(lambda subject, options: Outcome((FOUND, warning))),)) == (FOUND,)


def test_what_is_to_be_rewritten_is_kept_with_a_warning() -> None:
    found = verdict(lambda subject, options: Outcome((FOUND,)), {"validator": "tea", "on_failure": "rewrite"})
    assert found.status == "passed"
    assert errors((found,)) == ()
    assert [finding.message for finding in doubts((found,))] == ["no tea"]
    warned = verdict(lambda subject, options: Outcome((FOUND,)), {"validator": "tea", "severity": "warning"})
    assert doubts((warned,)) == ()


def raises(subject: object, options: Options) -> Outcome:
    raise ZeroDivisionError("no cups at all")


def test_a_validator_that_raises_is_named_with_its_traceback() -> None:
    with pytest.raises(BrokenValidator) as caught:
        verdict(raises)
    assert caught.value.where == "validator tea"
    assert "Traceback" in caught.value.message
    assert "no cups at all" in caught.value.message
    assert "test_gate.py" in caught.value.message
    assert isinstance(caught.value.__cause__, ZeroDivisionError)


@pytest.mark.parametrize(
    ("given", "name"), [(None, "NoneType"), ((), "tuple"), ((FOUND,), "tuple"), ([], "list"), (True, "bool")]
)
def test_a_validator_that_returns_something_else_is_named(given: object, name: str) -> None:
    with pytest.raises(BrokenValidator, match=f"returned {name}, not an Outcome") as caught:
        verdict(lambda subject, options: given)
    assert caught.value.where == "validator tea"


def test_a_stop_is_no_broken_validator() -> None:
    def stopped(subject: object, options: Options) -> Outcome:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        verdict(stopped)


def test_a_gate_that_fits_has_nothing_to_say() -> None:
    known = {"tea": validator(lambda subject, options: Outcome(), cups=1)}
    assert unfit(gate("tea", {"tea": {"cups": 2}}), known) == ()


@pytest.mark.parametrize(
    ("check", "words"),
    [
        ("teh", "there is no validator 'teh'"),
        ({"tea": {"cup": 2}}, "tea has no option 'cup' (it has: cups)"),
    ],
)
def test_a_gate_that_does_not_fit_says_why(check: object, words: str) -> None:
    assert unfit(gate(check), {"tea": validator(lambda subject, options: Outcome(), cups=1)}) == (words,)


def test_a_gate_that_does_not_fit_is_not_run() -> None:
    with pytest.raises(SuitegenError, match="no option 'cup'") as caught:
        verdict(lambda subject, options: Outcome(), {"tea": {"cup": 2}}, cups=1)
    assert caught.value.where == "gate trial"


def test_a_gate_of_another_level_says_so() -> None:
    other = gate("tea").model_copy(update={"level": "suite"})
    found = unfit(other, {"tea": validator(lambda subject, options: Outcome())})
    assert found == ("tea is of the level episode, the gate of the level suite",)


def test_explain_holds_everything() -> None:
    text = validator(lambda subject, options: Outcome(), cups=1).explain()
    for part in ("X901", "tea", "No tea.", "To try.", "water", "cups=1"):
        assert part in text


def test_a_check_may_be_a_name_or_a_name_with_options() -> None:
    assert Check.model_validate("tea") == Check.model_validate({"validator": "tea"})
    assert Check.model_validate({"tea": {"cups": 1}}).options == {"cups": 1}
