from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from suitegen.cli.main import Program, program

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


def test_the_examples_in_the_readme_lint_and_build(folder):
    fact_type, suite = re.findall(r"```yaml\n(.*?)```", README, re.DOTALL)
    for place, text in (("fact_types/clinic/handover_time.yaml", fact_type), ("specs/suites/clinic.yaml", suite)):
        (folder / place).parent.mkdir(parents=True)
        (folder / place).write_text(text, encoding="utf-8")
    for call in (["lint"], ["build", "clinic", "-o", "out-clinic"]):
        result = CliRunner().invoke(program, call, prog_name="suitegen")
        assert result.exit_code == 0, result.stderr
    assert (folder / "out-clinic" / "report.html").is_file()
