from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest

from suitegen.cli.project import find, settings
from suitegen.errors import AuthorError
from suitegen.llm.account import Budget
from suitegen.pipeline.view import ModelOptions, RunOptions, WriterOptions


def built_with(fake) -> tuple[object, ...]:
    name, _project, suite, out, options = fake.calls[-1]
    assert name == "build"
    return suite, str(out), options


def test_defaults(run, fake):
    assert run("build", "-o", "here").exit_code == 0
    assert built_with(fake) == (None, "here", RunOptions())


def test_the_settings_file_comes_before_the_defaults(run, fake, folder):
    (folder / "suitegen.yaml").write_text("suite: starter\nout: built\nworkers: 2\nmax_failures: 7\n")
    assert run("build").exit_code == 0
    assert built_with(fake) == ("starter", str(folder / "built"), RunOptions(workers=2, max_failures=7))


def test_the_dotenv_file_comes_before_the_settings_file(run, fake, folder, monkeypatch):
    (folder / "suitegen.yaml").write_text("out: built\nworkers: 2\n")
    (folder / ".env").write_text("SUITEGEN_WORKERS=3\n")
    monkeypatch.setenv("SUITEGEN_WORKERS", "")  # taken back at the end, whatever the command loads
    monkeypatch.delenv("SUITEGEN_WORKERS")
    assert run("build").exit_code == 0
    assert built_with(fake)[2] == RunOptions(workers=3)


def test_the_environment_comes_before_both(run, fake, folder, monkeypatch):
    (folder / "suitegen.yaml").write_text("suite: starter\nout: built\nworkers: 2\n")
    (folder / ".env").write_text("SUITEGEN_WORKERS=3\n")
    monkeypatch.setenv("SUITEGEN_WORKERS", "5")
    monkeypatch.setenv("SUITEGEN_SUITE", "memprobe-56")
    monkeypatch.setenv("SUITEGEN_OUT", "elsewhere")
    assert run("build").exit_code == 0
    assert built_with(fake) == ("memprobe-56", "elsewhere", RunOptions(workers=5))


def test_the_command_line_comes_first(run, fake, folder, monkeypatch):
    (folder / "suitegen.yaml").write_text("suite: starter\nout: built\nworkers: 2\n")
    monkeypatch.setenv("SUITEGEN_WORKERS", "5")
    assert run("build", "mine.yaml", "-o", "there", "-j", "6").exit_code == 0
    assert built_with(fake) == ("mine.yaml", "there", RunOptions(workers=6))


def test_a_project_is_found_from_below_and_its_paths_start_at_its_root(run, fake, folder, monkeypatch):
    (folder / "suitegen.yaml").write_text("suite: specs/suites/mine.yaml\nout: built\n")
    (folder / "specs/suites").mkdir(parents=True)
    (folder / "specs/suites/mine.yaml").write_text("")
    (folder / "built").mkdir()
    monkeypatch.chdir(folder / "specs")
    assert run("plan").exit_code == 0
    assert fake.calls == [("plan", folder, str(folder / "specs/suites/mine.yaml"))]
    assert run("status").exit_code == 0
    assert fake.calls[-1] == ("status", folder / "built")


def test_without_a_settings_file_the_current_folder_is_the_project(folder):
    assert find(folder) == folder
    assert settings(folder) == {}


def test_an_empty_settings_file_gives_nothing(folder):
    (folder / "suitegen.yaml").write_text("# nothing yet\n")
    assert settings(folder) == {}


def test_text_of_the_settings_file_stays_text(folder):
    (folder / "suitegen.yaml").write_text("suite: no\nout: 007\n")
    assert settings(folder) == {"suite": "no", "out": str(folder / "007")}


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("wrokers: 2\n", ["1:1"]),
        ("out: a\nworkers: many\n", ["2:10"]),
        ("workers: 0\nout: [a]\nmax_failures: -1\n", ["1:10", "2:6", "3:15"]),
        ("out: a\nout: b\n", ["2:1"]),
        ("- out\n", ["1:1"]),
        ("just words\n", ["1:1"]),
        ("out: [a\n", ["1:6"]),
    ],
)
def test_every_mistake_of_the_settings_file_is_placed(folder, text, places):
    path = folder / "suitegen.yaml"
    path.write_text(text)
    with pytest.raises(AuthorError) as caught:
        settings(folder)
    found = sorted(problem.split(": error[")[0] for problem in caught.value.problems)
    assert found == [f"{path}:{place}" for place in places]


def test_a_mistyped_option_is_answered_with_the_right_one(folder):
    (folder / "suitegen.yaml").write_text("wrokers: 2\n")
    with pytest.raises(AuthorError) as caught:
        settings(folder)
    assert "did you mean 'workers'?" in caught.value.problems[0]


def test_a_warning_stops_nothing(folder):
    (folder / "suitegen.yaml").write_text("out: &here built\n")
    assert settings(folder) == {"out": str(folder / "built")}


def test_a_wrong_settings_file_ends_with_2(run, folder):
    (folder / "suitegen.yaml").write_text("wrokers: 2\n")
    result = run("plan")
    assert result.exit_code == 2
    assert result.stderr.endswith("error: 1 mistake in the files\n")


# -- the writer -------------------------------------------------------------------------------------------------


def test_the_writer_is_named_by_a_flag_the_environment_or_the_settings_file(run, fake, folder, monkeypatch):
    (folder / "suitegen.yaml").write_text("out: built\nwriter: openai:file\nmax_calls: 3\n")
    assert run("build").exit_code == 0
    assert built_with(fake)[2] == RunOptions(writer=WriterOptions(model="openai:file"), budget=Budget(max_calls=3))
    monkeypatch.setenv("SUITEGEN_WRITER", "openai:variable")
    assert run("build", "--max-cost", "1.10").exit_code == 0
    wanted = RunOptions(writer=WriterOptions(model="openai:variable"), budget=Budget(Decimal("1.10"), 3))
    assert built_with(fake)[2] == wanted
    assert run("build", "--writer", "openai:flag", "--max-tokens", "7").exit_code == 0
    assert built_with(fake)[2].writer == WriterOptions(model="openai:flag")
    assert run("build", "--writer", "offline").exit_code == 0
    assert built_with(fake)[2].writer is None


def test_the_settings_file_says_how_the_writer_is_asked(run, fake, folder):
    (folder / "suitegen.yaml").write_text(
        "out: built\nwriter:\n  model: openai:file\n  key: LAB_KEY\n  corrections: 1\n  fallback: offline\n"
        "  parameters: {temperature: 0.5, max_tokens: 900}\n  limits: {concurrency: 8}\n  price: {input: 0.1, output: 2}\n"
    )
    assert run("build").exit_code == 0
    writer = built_with(fake)[2].writer
    assert (writer.key, writer.corrections, writer.restarts, writer.fallback) == ("LAB_KEY", 1, 1, "offline")
    assert (writer.parameters.temperature, writer.parameters.max_tokens, writer.limits.concurrency) == (0.5, 900, 8)
    assert writer.price.input == Decimal("0.1")
    assert run("build", "--writer", "openai:other").exit_code == 0
    other = built_with(fake)[2].writer
    assert (other.model, other.key, other.price, other.corrections) == ("openai:other", None, None, 1)


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("writer:\n  modle: openai:x\n", ":2:"),
        ("writer:\n  model: openai:x\n  parameters: {temperature: hot}\n", ":3:"),
        ("writer:\n  model: openai:x\n  corrections: -1\n", ":3:"),
        ("max_cost: much\n", ":1:"),
        ("writer:\n  model: openai:x\n  fallback: online\n", ":3:"),
    ],
)
def test_mistakes_about_the_writer_are_placed(run, fake, folder, text, where):
    (folder / "suitegen.yaml").write_text(text)
    result = run("build", "-o", "out")
    assert result.exit_code == 2
    assert f"suitegen.yaml{where}" in result.stderr
    assert not fake.calls


@pytest.mark.parametrize("amount", ["-1", "much", "nan", "inf"])
def test_an_amount_of_money_is_one(run, fake, amount):
    result = run("build", "-o", "out", "--max-cost", amount)
    assert result.exit_code == 2
    assert amount in result.stderr


def test_judges_are_named_likewise(run, fake, folder):
    (folder / "suitegen.yaml").write_text("out: built\njudge: {model: openai:wise, parameters: {temperature: 0}}\n")
    assert run("build", "--second-judge", "anthropic:other").exit_code == 0
    options = built_with(fake)[2]
    assert (options.judge.model, options.judge.parameters.temperature) == ("openai:wise", 0)
    assert options.second_judge == ModelOptions(model="anthropic:other")
    assert run("build", "--judge", "offline").exit_code == 0
    assert built_with(fake)[2].judge is None


@pytest.mark.parametrize(
    ("writer", "judge", "alike"),
    [
        ("openai:gpt-a", "openai:o-b", True),
        ("openai:gpt-a", "anthropic:x", False),
        ("openai:qwen-a@http://h:1/v1", "openai:lab/Qwen-b@http://h:2/v1", True),
        ("openai:qwen-a@http://h:1/v1", "openai:llama@http://h:1/v1", False),
    ],
)
def test_a_judge_of_the_writers_family_is_remarked_on(run, writer, judge, alike):
    result = run("build", "-o", "out", "--writer", writer, "--judge", judge)
    assert result.exit_code == 0
    assert ("one family" in result.stderr) is alike


def test_plan_and_preview_are_told_the_writer(run, fake, folder):
    assert run("plan", "--writer", "openai:x", "-o", "there").exit_code == 0
    assert fake.calls[-1][3:] == (WriterOptions(model="openai:x"), Path("there"))
    assert run("preview", "--writer", "openai:x", "-o", "there", "--max-calls", "2").exit_code == 0
    options = RunOptions(writer=WriterOptions(model="openai:x"), budget=Budget(max_calls=2))
    assert fake.calls[-1][-2:] == (options, Path("there"))
