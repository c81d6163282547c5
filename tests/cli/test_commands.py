from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from suitegen.cli.main import program
from suitegen.library.problem import Problem
from suitegen.model.finding import Finding, Verdict
from suitegen.pipeline.view import ProgressEvent, RunOptions

FAILED = Verdict(gate="reading", validator="necessity", level="episode", status="failed", why="2 probes")
ERROR = Problem(code="F101", message="unknown key", path="a.yaml", line=1, col=1)
WARNING = Problem(code="F301", message="one change only", path="a.yaml", line=1, col=1, severity="warning")


@pytest.fixture
def out(folder: Path) -> str:
    (folder / "out").mkdir()
    return "out"


def test_init_prints_the_files_and_the_next_command(run, fake):
    result = run("init", "demo")
    assert result.exit_code == 0
    assert result.stdout == "demo/suitegen.yaml\n"
    assert result.stderr == "next: cd demo && suitegen lint && suitegen build\n"
    assert fake.calls == [("init", Path("demo"))]


def test_init_refuses_a_folder_that_holds_something(run, fake, folder):
    (folder / "demo").mkdir()
    (folder / "demo" / "notes.txt").write_text("mine")
    result = run("init", "demo")
    assert result.exit_code == 2
    assert "'demo' is not empty" in result.stderr
    assert fake.calls == []
    assert run("init", "demo", "--force").exit_code == 0


def test_init_takes_an_empty_folder(run, folder):
    (folder / "demo").mkdir()
    assert run("init", "demo").exit_code == 0


def test_add_fact_type(run, fake, folder):
    result = run("add", "fact-type", "ward_round", "--domain", "clinic")
    assert result.exit_code == 0
    assert result.stdout == f"{folder / 'fact_types' / 'clinic' / 'ward_round.yaml'}\n"
    assert fake.calls == [("add_fact_type", folder, "ward_round", "clinic")]


@pytest.mark.parametrize(("problems", "code"), [([], 0), ([WARNING], 0), ([WARNING, ERROR], 1)])
def test_lint_ends_with_1_when_there_is_an_error(run, fake, problems, code):
    fake.problems = problems
    assert run("lint").exit_code == code


def test_lint_prints_problems_as_data_and_counts_as_talk(run, fake, folder):
    fake.problems = [ERROR]
    (folder / "a.yaml").write_text("x: 1\n")
    result = run("lint", "a.yaml")
    assert result.stdout == "a.yaml:1:1: error[F101] unknown key\n"
    assert result.stderr == "1 error\n"
    assert fake.calls == [("lint", folder, (Path("a.yaml"),))]


@pytest.mark.parametrize("args", [["--json"], ["--format", "json"], ["--format", "sarif"]])
def test_lint_prints_one_document_even_of_nothing(run, args):
    result = run("lint", *args)
    assert json.loads(result.stdout)
    assert result.exit_code == 0


def test_lint_refuses_a_path_that_is_not_there(run):
    assert run("lint", "nowhere.yaml").exit_code == 2


def test_explain(run, fake):
    assert run("explain", "S201").stdout == "S201: an explanation[2J\n"
    assert run("explain", "built", "p1").stdout == "p1: a replay\n"
    assert fake.calls == [("explain_code", "S201"), ("explain_probe", Path("built"), "p1")]


def test_schema(run):
    assert json.loads(run("schema", "suite").stdout) == {"type": "object"}
    refused = run("schema", "fact-tpye")
    assert refused.exit_code == 2
    assert "there is no kind 'fact-tpye'; did you mean 'fact-type'?" in refused.stderr


def test_plan_shows_the_table_and_the_counts(run):
    result = run("plan", "starter")
    head, row, _, total = result.stdout.splitlines()
    assert head.split() == [
        "paradigm",
        "condition",
        "expects",
        "domain",
        "split",
        "tier",
        "episodes",
        "probes",
        "sessions",
    ]
    assert row.split() == ["interference", "decoy_no_update", "preserve", "personal", "short", "4", "16", "52"]
    assert total == "starter: 4 cases, 4 episodes, 52 sessions, 16 probes, about 20,800 tokens"
    assert result.stderr == "note: the release gate wants 200 episodes\n"


def test_preview_marks_phases_and_evidence_and_shows_gold(run, fake, folder):
    shown = run("preview", "starter", "-n", "1", "--select", "preserve").stdout
    assert fake.calls == [("preview", folder, "starter", 1, "preserve")]
    assert "--- 0 | 2026-01-12T09:00:00+00:00 | encoding (event)" in shown
    assert "* [ev1] user: I train at Corner Gym." in shown
    assert "  assistant: Noted." in shown
    assert "p1 current: Where do I train?" in shown
    assert "value = Corner Gym" in shown
    assert "evidence for value: 1 of ev1.value" in shown


def test_build_passes_its_options_and_prints_the_folder(run, fake, folder):
    result = run("build", "starter", "-o", "o", "-j", "2", "--select", "split", "--retry-failed", "--max-failures", "1")
    assert result.exit_code == 0
    assert result.stdout == "o\n"
    options = RunOptions(workers=2, select="split", retry_failed=True, max_failures=1)
    assert fake.calls == [("build", folder, "starter", Path("o"), options)]
    assert result.stderr.splitlines() == [
        "write: 1/2, 1 accepted, 0 failed",
        "write: 2/2, 2 accepted, 0 failed",
        "2 of 2 cases accepted, 0 missing",
        "not run judge/grounding",
        "    no judge[2J",
    ]


@pytest.mark.parametrize(
    ("state", "code"),
    [
        ({}, 0),
        ({"verdicts": (FAILED,)}, 1),
        ({"missing": 1, "packaged": False}, 1),
        ({"missing": 3}, 1),
        ({"missing": 2}, 0),
        ({"packaged": False}, 1),
    ],
)
def test_build_ends_with_1_when_a_gate_failed_or_too_many_cases_are_missing(run, fake, state, code):
    for name, value in state.items():
        setattr(fake, name, value)
    assert run("build", "-o", "o", "--max-failures", "2").exit_code == code


def test_build_that_is_not_packaged_prints_no_folder_and_says_where_to_look(run, fake):
    fake.missing, fake.packaged = 1, False
    result = run("build", "-o", "my out")
    assert result.stdout == ""
    assert "see: suitegen failures 'my out'" in result.stderr


def test_build_needs_a_folder(run):
    result = run("build")
    assert result.exit_code == 2
    assert "--out" in result.stderr


@pytest.mark.parametrize("state", [{"interrupted": True}, {"raises": KeyboardInterrupt()}], ids=["value", "raised"])
def test_an_interrupted_build_says_how_to_go_on(run, fake, state):
    for name, value in state.items():
        setattr(fake, name, value)
    result = run("build", "starter", "-o", "my out", "-j", "2")
    assert result.exit_code == 130
    assert result.stdout == ""
    assert result.stderr.endswith("resume with: suitegen build starter -o 'my out' -j 2\n")


def test_status(run, out):
    shown = run("status", out).stdout
    assert shown.splitlines()[0] == "starter: 2 of 4 cases accepted, 1 failed, 1 waiting; not packaged"
    assert "S201        3" in shown


def test_failures_show_the_text_only_of_the_case_asked_for(run, fake, out):
    every = run("failures", out).stdout
    assert "c1: failed" in every
    assert "  draw 0, attempt 1: session 4" in every
    assert "    error[S201] a forbidden value" in every
    assert "it is 9:30" not in every
    one = run("failures", out, "c1").stdout
    assert "      | user: it is 9:30\n      | so there" in one
    assert fake.calls[-1] == ("failures", Path("out"), "c1")


def test_validate_shows_every_verdict_and_fails_with_a_failed_one(run, fake, out):
    fine = run("validate", out)
    assert fine.exit_code == 0
    assert fine.stdout.splitlines() == [
        "release/balance  passed",
        "    update share: 0.5 [0.4, 0.6] against 0.55",
        "judge/grounding  not run",
        "    no judge[2J",
    ]
    assert fine.stderr == "1 passed, 0 failed, 1 not run\n"
    fake.verdicts = (FAILED,)
    assert run("validate", out).exit_code == 1
    assert run("validate", out, "--json").exit_code == 1


def test_verdicts_of_one_validator_are_one_block_with_what_was_found(run, fake, out):
    finding = Finding(code="R303", message="p1 is answered without its evidence", episode="e2")
    failed = Verdict(gate="reading", validator="necessity", level="episode", status="failed", findings=(finding,))
    fine = Verdict(gate="reading", validator="necessity", level="episode", status="passed")
    fake.verdicts = (fine, failed, fine)
    assert run("validate", out).stdout.splitlines() == [
        "reading/necessity  2 passed, 1 FAILED",
        "    error[R303] e2: p1 is answered without its evidence",
    ]


def test_view_prints_the_report(run, out):
    assert run("view", out).stdout == "out/report.html\n"


def test_stats_are_a_table(run, out):
    shown = run("stats", out).stdout
    assert shown.splitlines()[0].split() == ["figure", "value"]
    assert "episodes  " in shown


def test_scores_are_tables_and_what_is_not_in_them_is_said(run, fake, out):
    Path("a.jsonl").write_text('{"probe_id": "p1", "answer": "x"}\n')
    result = run("score", out, "a.jsonl")
    assert result.stdout.splitlines()[0].split() == ["profile", "score", "95", "%", "interval", "n"]
    assert "overall" in result.stdout
    assert "1 answers are to no probe of this suite: p9" in result.stderr
    assert fake.calls[-1][1:] == (Path(out), b'{"probe_id": "p1", "answer": "x"}\n', "a.jsonl")


def test_scores_are_read_from_standard_input_and_printed_as_json(run, fake, out):
    result = run("score", out, "-", "--json", input='{"probe_id": "p1", "answer": "x"}')
    assert result.exit_code == 0
    assert json.loads(result.stdout)["score"]["headline"][0]["name"] == "overall"


@pytest.mark.parametrize("command", ["status", "failures", "validate", "view", "stats"])
def test_a_folder_that_is_not_there_is_a_usage_error(run, command):
    result = run(command, "nowhere")
    assert result.exit_code == 2
    assert "nowhere" in result.stderr


def test_the_real_application_is_there_when_no_other_is_given(folder):
    result = CliRunner().invoke(program, ["schema", "no-such-kind"], prog_name="suitegen")
    assert result.exit_code == 2
    assert "there is no kind 'no-such-kind'" in result.stderr


def test_events_are_passed_on_as_they_come(run, fake):
    fake.events = tuple(ProgressEvent("write", n, 3, n, 0, "S201") for n in range(1, 4))
    lines = run("build", "-o", "o").stderr.splitlines()
    assert lines[:2] == ["write: 1/3, 1 accepted, 0 failed (S201)", "write: 3/3, 3 accepted, 0 failed (S201)"]
