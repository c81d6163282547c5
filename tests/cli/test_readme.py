from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from suitegen.cli.main import Program
from suitegen.library.yaml import parse
from suitegen.model.fact_type import FactType
from suitegen.model.suite import SuiteSpec

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
CALLS = [
    call.partition("#")[0].strip()
    for line in re.findall(r"^    (suitegen .*)$", README, re.MULTILINE)
    for call in line.split("&&")
    if call.strip().startswith("suitegen")
]


@pytest.mark.parametrize("call", sorted(set(CALLS)))
def test_every_call_in_the_readme_is_one(run, folder, call):
    (folder / "suitegen.yaml").write_text("out: out\n")
    (folder / "out").mkdir()
    result = run(*shlex.split(call)[1:])
    assert result.exit_code == 0, result.stderr


def test_the_readme_lists_every_command():
    listed = set(re.findall(r"`(\w+)[^`]*`", "\n".join(re.findall(r"^\| (`.*?) \|", README, re.MULTILINE))))
    assert set(Program.summaries) <= listed


def test_the_examples_in_the_readme_are_read_without_a_problem():
    fact_type, suite = (parse(text, "README.md") for text in re.findall(r"```yaml\n(.*?)```", README, re.DOTALL))
    assert fact_type.problems == suite.problems == ()
    assert SuiteSpec.model_validate(suite.tree).fact_types == (FactType.model_validate(fact_type.tree).id,)
