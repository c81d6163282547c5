"""Gates: validators in order over one subject, each answered by a verdict."""

from __future__ import annotations

import traceback
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from suitegen.errors import BudgetError, ModelError, SuiteError, SuitegenError
from suitegen.model.finding import Finding, Verdict
from suitegen.model.gate import Check, GateSpec
from suitegen.validation.protocol import AnyValidator, EpisodeText, Outcome, SessionText, SuiteText


class BrokenValidator(SuitegenError):
    """A validator raised; ``message`` holds its traceback."""

    exit_code = 1


def run(
    gate: GateSpec, validators: Mapping[str, AnyValidator], subject: SessionText | EpisodeText | SuiteText
) -> tuple[Verdict, ...]:
    """One verdict for each check of the gate, in its order.

    Raises:
        BrokenValidator: a validator raised or returned something else than an outcome.
        SuitegenError: the gate does not fit the validators, see ``unfit``.
        ModelError, BudgetError, SuiteError: a judge cannot be asked, or its reply not be kept.
    """
    refuse(gate, validators)
    return tuple(_verdict(gate, check, validators[check.validator], subject) for check in gate.checks)


def _verdict(gate: GateSpec, check: Check, validator: AnyValidator, subject: Any) -> Verdict:
    outcome = _outcome(validator, check, subject)
    findings = tuple(_worded(finding, check) for finding in outcome.findings)
    failed = any(finding.severity == "error" for finding in findings)
    status = "not_run" if outcome.not_run else "failed" if failed else "passed"
    why = outcome.not_run or (_counted(findings) if failed else "")
    return Verdict(
        gate=gate.id, validator=validator.name, level=validator.level, status=status, why=why, findings=findings,
        measures=outcome.measures,
    )  # fmt: skip


def _counted(findings: Sequence[Finding]) -> str:
    return f"{len(findings)} finding{'' if len(findings) == 1 else 's'}"


def _outcome(validator: AnyValidator, check: Check, subject: Any) -> Outcome:
    try:
        outcome = validator.check(subject, {**validator.options, **check.options})
    except (ModelError, BudgetError, SuiteError):  # a judge cannot be asked: nothing is wrong with the text
        raise
    except Exception as error:  # a validator may be anybody's code: its failure stops the case, not the run
        trace = "".join(traceback.format_exception(error))
        raise BrokenValidator(trace, where=f"validator {validator.name}") from error
    if not isinstance(outcome, Outcome):
        given = f"it returned {type(outcome).__name__}, not an Outcome"
        raise BrokenValidator(given, where=f"validator {validator.name}")
    return outcome


def _worded(finding: Finding, check: Check) -> Finding:
    update: dict[str, object] = {}
    if check.severity == "warning" or check.on_failure == "rewrite":
        update["severity"] = "warning"
        update["soft"] = check.on_failure == "rewrite"
    if check.feedback is not None:
        update["feedback"] = check.feedback
    return finding.model_copy(update=update) if update else finding


def refuse(gate: GateSpec, validators: Mapping[str, AnyValidator]) -> None:
    """Raise when a gate does not fit its validators.

    Raises:
        SuitegenError: with everything that is wrong, see ``unfit``.
    """
    mistakes = unfit(gate, validators)
    if mistakes:
        raise SuitegenError("; ".join(mistakes), where=f"gate {gate.id}", hint="mend the gate's file")


def unfit(gate: GateSpec, validators: Mapping[str, AnyValidator]) -> tuple[str, ...]:
    """What keeps a gate from being run, in words: unknown validators, other levels, unknown options."""
    found = []
    for check in gate.checks:
        validator = validators.get(check.validator)
        if validator is None:
            found.append(f"there is no validator {check.validator!r}")
            continue
        if gate.level is not None and validator.level != gate.level:
            found.append(f"{check.validator} is of the level {validator.level}, the gate of the level {gate.level}")
        known = ", ".join(validator.options) or "none"
        strange = [name for name in check.options if name not in validator.options]
        found += [f"{check.validator} has no option {name!r} (it has: {known})" for name in strange]
    return tuple(found)


def leveled(gates: Iterable[GateSpec], validators: Mapping[str, AnyValidator]) -> tuple[GateSpec, ...]:
    """The gates, those without a level cut into one for each level that their validators have, in that order.

    Raises:
        SuitegenError: a gate names an unknown validator, see ``unfit``.
    """
    return tuple(part for gate in gates for part in _parts(gate, validators))


def _parts(gate: GateSpec, validators: Mapping[str, AnyValidator]) -> Iterator[GateSpec]:
    if gate.level is not None:
        yield gate
        return
    refuse(gate, validators)
    levels = dict.fromkeys(validators[check.validator].level for check in gate.checks)
    for level in levels:
        checks = tuple(check for check in gate.checks if validators[check.validator].level == level)
        yield gate.model_copy(update={"level": level, "checks": checks})


def errors(verdicts: tuple[Verdict, ...]) -> tuple[Finding, ...]:
    """The findings that reject what was looked at."""
    return tuple(finding for verdict in verdicts for finding in verdict.findings if finding.severity == "error")


def doubts(verdicts: tuple[Verdict, ...]) -> tuple[Finding, ...]:
    """The findings that ask for another try and reject nothing."""
    return tuple(finding for verdict in verdicts for finding in verdict.findings if finding.soft)
