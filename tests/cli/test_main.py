from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

import suitegen
from suitegen.cli.main import Program, program
from suitegen.errors import AuthorError, BuildStopped, SuitegenError

CHECKOUT = Path(suitegen.__file__).parent.parent
READING = [
    ("explain", "S201"),
    ("explain", "out", "p1"),
    ("plan",),
    ("preview", "-n", "2"),
    ("status", "out"),
    ("failures", "out"),
    ("validate", "out"),
    ("view", "out"),
    ("stats", "out"),
    ("lint",),
]


def python(code: str, **environ: str) -> subprocess.CompletedProcess[str]:
    """Run code in a fresh interpreter that finds this suitegen."""
    env = {**os.environ, "PYTHONPATH": str(CHECKOUT), **environ}
    return subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=60, check=False
    )


def test_help_names_every_command(run):
    result = run("--help")
    assert result.exit_code == 0
    for name, summary in Program.summaries.items():
        assert f"  {name} " in result.stdout
        assert summary in result.stdout


def test_help_and_version_import_no_library():
    code = """
import sys
from suitegen.cli.main import program
try:
    program.main([sys.argv[1] if len(sys.argv) > 1 else '--help'], prog_name='suitegen')
except SystemExit:
    print(sorted(m for m in ('pydantic', 'rich', 'ruamel', 'jinja2', 'pyarrow', 'numpy') if m in sys.modules))
"""
    assert python(code).stdout.endswith("[]\n")


@pytest.mark.parametrize("name", Program.summaries)
def test_every_command_loads_and_helps(run, name):
    result = run(name, "--help")
    assert result.exit_code == 0
    assert result.stdout.startswith(f"Usage: suitegen {name}")
    assert result.stderr == ""


@pytest.mark.parametrize("name", Program.summaries)
def test_every_parameter_has_its_help(name):
    command = program.get_command(click.Context(program), name)
    assert command is not None
    assert command.help
    options = [param for param in command.params if isinstance(param, click.Option)]
    assert [option.name for option in options if not option.help] == []


def test_version(run):
    assert run("--version").stdout == f"suitegen {suitegen.__version__}\n"


def test_an_unknown_command_is_a_usage_error_with_the_near_one(run):
    result = run("biuld")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr == "error: there is no command 'biuld'; did you mean 'build'?\nhint: run 'suitegen --help'\n"


def test_an_unknown_option_is_a_usage_error(run):
    result = run("plan", "--jsn")
    assert result.exit_code == 2
    assert result.stderr.startswith("error: ")
    assert "--json" in result.stderr
    assert "hint: run 'suitegen plan --help'" in result.stderr


def test_without_a_command_it_helps_and_says_usage(run):
    result = run()
    assert result.exit_code == 2
    assert "Usage: suitegen" in result.stderr


@pytest.mark.parametrize("args", READING, ids=" ".join)
def test_json_is_one_document_that_names_its_version(run, folder, args):
    (folder / "out").mkdir()
    result = run(*args, "--json")
    assert result.exit_code == 0
    document = json.loads(result.stdout)
    assert document["schema"] == 1
    assert len(document) > 1


@pytest.mark.parametrize("args", [*READING, ("build", "-o", "out")], ids=" ".join)
def test_no_text_can_steer_the_terminal_and_nothing_is_coloured_when_piped(run, folder, args):
    (folder / "out").mkdir()
    result = run(*args)
    assert "\x1b" not in result.output
    assert result.exit_code == 0


@pytest.mark.parametrize("args", [("preview",), ("failures", "out")], ids=" ".join)
def test_no_color_is_obeyed_on_a_terminal(run, folder, monkeypatch, args):
    (folder / "out").mkdir()
    assert "\x1b[1m" in run(*args, color=True).stdout
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in run(*args, color=True).stdout


class Provider(SuitegenError):
    exit_code = 3


class Budget(SuitegenError):
    exit_code = 4


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (SuitegenError("a file is wrong"), 2),
        (BuildStopped("stopped early"), 1),
        (Provider("the provider does not answer"), 3),
        (Budget("the budget is spent"), 4),
        (KeyboardInterrupt(), 130),
        (FileNotFoundError(2, "No such file or directory", "specs/suites/x.yaml"), 2),
        (OSError(28, "No space left on device"), 2),
    ],
)
def test_an_error_ends_with_its_exit_code(run, fake, error, code):
    fake.raises = error
    result = run("plan")
    assert result.exit_code == code
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    assert result.stderr


def test_an_error_says_where_and_what_to_do(run, fake):
    fake.raises = SuitegenError("no such suite 'strater'", where="specs", hint="did you mean 'starter'?")
    assert run("plan").stderr == "error: specs: no such suite 'strater'\nhint: did you mean 'starter'?\n"


def test_all_mistakes_of_the_files_are_said(run, fake):
    fake.raises = AuthorError(["a.yaml:1:1: error[F1] one", "b.yaml:2:2: error[F2] two\x1b[2J"], hint="suitegen lint")
    assert run("plan").stderr.splitlines() == [
        "a.yaml:1:1: error[F1] one",
        "b.yaml:2:2: error[F2] two[2J",
        "error: 2 mistakes in the files",
        "hint: suitegen lint",
    ]


def test_a_bug_shows_its_traceback():
    code = """
import sys
from suitegen.cli.main import program
class Broken:
    def plan(self, *asked):
        raise ZeroDivisionError('a bug')
program.main(['plan'], prog_name='suitegen', obj=Broken())
"""
    done = python(code)
    assert done.returncode == 1
    assert "Traceback" in done.stderr
    assert "ZeroDivisionError: a bug" in done.stderr


def test_a_closed_pipe_is_no_bug():
    code = """
import os, sys
from suitegen.cli.main import program
class Wordy:
    SCHEMA_KINDS = ('suite',)
    def schema(self, kind):
        return 'x' * 1_000_000
read, write = os.pipe()
os.close(read)
os.dup2(write, 1)
program.main(['schema', 'suite'], prog_name='suitegen', obj=Wordy())
"""
    done = python(code)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("words", "index", "expected"), [("suitegen bu", 1, "build"), ("suitegen build --ret", 2, "--retry-failed")]
)
def test_the_shell_completes(words, index, expected):
    code = "from suitegen.cli.main import program; program.main([], prog_name='suitegen')"
    done = python(code, _SUITEGEN_COMPLETE="bash_complete", COMP_WORDS=words, COMP_CWORD=str(index))
    assert done.stdout.splitlines() == [f"plain,{expected}"]
    assert done.stderr == ""


def test_the_shell_gets_its_completion_script():
    code = "from suitegen.cli.main import program; program.main([], prog_name='suitegen')"
    assert "complete" in python(code, _SUITEGEN_COMPLETE="zsh_source").stdout
