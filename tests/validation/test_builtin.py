"""The catalogue of built-in validators as a whole, and the gates that ship."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping, Sequence

import pytest

from suitegen.errors import SuitegenError
from suitegen.model.history import Question, Session
from suitegen.validation.builtin import builtin, catalogue
from suitegen.validation.gate import unfit
from tests.catalog import ROOT, shipped


class Silent:
    """A reader that never answers."""

    name = "silent"

    def read(self, sessions: Sequence[Session], question: Question) -> Mapping[str, str]:
        return {}


BUILTIN = builtin(Silent())
GATES = shipped().gates
LEVELS = {
    "S1": "session", "E2": "episode", "R3": "episode", "U4": "suite",
    "J5": "session", "J6": "episode", "J7": "suite",
}  # fmt: skip
"""The level that a code's first letters stand for."""


@pytest.mark.parametrize("name", BUILTIN)
def test_every_validator_is_documented(name: str) -> None:
    validator = BUILTIN[name]
    assert validator.name == name
    assert re.fullmatch(r"[a-z][a-z0-9_]*", name)
    assert LEVELS[validator.code[:2]] == validator.level
    assert re.fullmatch(r"[SERUJ][1-7]\d\d", validator.code)
    for text in (validator.forbids, validator.why):
        assert text[:1].isupper()
        assert text.endswith(".")
        assert len(text.split()) > 4
    assert validator.example.passes
    assert validator.example.fails
    assert validator.example.passes != validator.example.fails
    assert inspect.getdoc(validator.check), "the check says what it looks at"
    explained = validator.explain()
    assert validator.code in explained
    assert validator.example.fails in explained


def test_codes_are_in_order_and_unique() -> None:
    by_level = {level: [v.code for v in BUILTIN.values() if v.code[0] == level] for level in "SERUJ"}
    for codes in by_level.values():
        assert codes == sorted(set(codes))
    assert len({validator.code for validator in BUILTIN.values()}) == len(BUILTIN)


def test_every_validator_stands_in_a_shipped_gate() -> None:
    named = {check.validator for gate in GATES.values() for check in gate.checks}
    assert named == set(BUILTIN)


@pytest.mark.parametrize("name", GATES)
def test_shipped_gates_can_be_run(name: str) -> None:
    assert unfit(GATES[name], BUILTIN) == ()
    names = [check.validator for check in GATES[name].checks]
    assert len(names) == len(set(names)), "no validator twice"


@pytest.mark.parametrize("name", GATES)
def test_shipped_gates_show_every_option(name: str) -> None:
    """A threshold that stands in no file cannot be seen; those that only measure may leave theirs out."""
    for check in GATES[name].checks:
        missing = {o for o, value in BUILTIN[check.validator].options.items() if value not in (None, "")} - set(
            check.options
        )
        assert not missing, f"{check.validator} hides {missing}"


@pytest.mark.parametrize("name", GATES)
def test_shipped_gates_name_their_schema(name: str) -> None:
    first = (ROOT / "validators" / f"{name}.yaml").read_text(encoding="utf-8").splitlines()[0]
    assert first == "# yaml-language-server: $schema=../schemas/gate.json"


RELEASE = {
    "shortcuts": {
        "latest_mention": 0.35,
        "always_update": 0.55,
        "always_preserve": 0.55,
        "keyword_overlap": 0.55,
        "value_length": 0.55,
        "place": 0.55,
        "modal_gold": 0.55,
        "constant": 0.55,
        "constant_fields": "changed source status",
    },
    "closed_book": {"margin": 0.10, "from": 200},
    "question_leak": {"ceiling": 0.55, "from": 200},
    "evidence_or_filler": {"background": 0.70, "near_miss": 0.65, "planted": 0.90, "from": 200},
}
"""What the design asks of a suite before it is released."""


@pytest.mark.parametrize("name", RELEASE)
def test_the_release_gate_holds_the_ceilings_of_the_design(name: str) -> None:
    (check,) = [check for check in GATES["release"].checks if check.validator == name]
    assert check.options == RELEASE[name]
    assert check.severity == "error"


def test_the_release_gate_checks_the_rest_of_the_design() -> None:
    names = {check.validator for check in GATES["release"].checks}
    assert {"coverage", "balance", "reading_rates", "near_duplicates", "diversity", "licenses"} <= names


def test_every_suite_names_gates_that_ship() -> None:
    for suite in shipped().suites.values():
        assert set(suite.gates) <= set(GATES)


@pytest.mark.parametrize("twin", [{"code": "S999"}, {"name": "another"}])
def test_duplicates_are_refused(twin: dict[str, str]) -> None:
    from dataclasses import replace

    first = BUILTIN["roles"]
    with pytest.raises(SuitegenError, match="roles"):
        catalogue([first, replace(first, **twin)])  # type: ignore[arg-type]
