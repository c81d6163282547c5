from __future__ import annotations

import pytest

from suitegen.cli.project import find, settings
from suitegen.errors import AuthorError
from suitegen.pipeline.view import RunOptions


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
