"""Builds by a model, through the command line and the real SDK, against a server of the tests' own."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from suitegen.library.catalog import load
from suitegen.library.shelves import shelves
from suitegen.llm.protocol import Message
from tests import ghost
from tests.build.conftest import COMMAND, Run, environment, published
from tests.build.server import Seen, Server, Told, serving

KEY = "sk-secret-4711"


@pytest.fixture
def known(project: Path) -> ghost.Ghost:
    """The ghost of the project's small suite."""
    catalog = load(shelves(project)).catalog
    suite = catalog.suites["small"]
    return ghost.Ghost(suite, catalog, ghost.cases(suite, catalog))


def messages(seen: Seen) -> tuple[Message, ...]:
    return tuple(Message(each["role"], each["content"]) for each in seen.body["messages"])


def writing(known: ghost.Ghost) -> Callable[[Seen], Told]:
    return lambda seen: known.reply(messages(seen))


def asked(server: Server) -> Counter[str]:
    return Counter(json.dumps(seen.body, sort_keys=True) for seen in server.seen)


def test_a_build_by_a_model_is_whole_and_a_second_one_makes_no_call(
    project: Path, run: Run, known: ghost.Ghost
) -> None:
    with serving(writing(known)) as server:
        arguments = ("build", "small", "-o", "out", "--writer", f"openai:small@{server.url}")
        env = {"OPENAI_API_KEY": KEY}
        first = run(*arguments, env=env)
        assert first.returncode == 0, first.stderr
        calls = len(server.seen)
        assert f"models: {calls} calls" in first.stderr
        assert set(asked(server).values()) == {1}
        before = published(project / "out")
        manifest = json.loads((project / "out" / "manifest.json").read_text())
        assert manifest["models"] == {"writer": "openai:small"}
        told = json.loads((project / "out" / "run.json").read_text())
        assert (told["calls"][0]["calls"], told["calls"][0]["role"]) == (calls, "writer")
        assert (told["calls"][0]["input"], told["unpriced"]) == (60 * calls, calls)
        # The journal is gone, the replies are not.
        (project / "out" / ".suitegen" / "journal.tsv").unlink()
        second = run(*arguments, "-j", "1", env=env)
        assert second.returncode == 0, second.stderr
        assert len(server.seen) == calls
    assert published(project / "out") == before
    files = [path for path in (project / "out").rglob("*") if path.is_file()]
    assert not [path for path in files if KEY.encode() in path.read_bytes()]
    assert not [path for path in files if path.parts[-2] != ".suitegen" and b"127.0.0.1" in path.read_bytes()]


def test_a_budget_ends_a_build_with_its_own_code_and_the_next_one_goes_on(
    project: Path, run: Run, known: ghost.Ghost
) -> None:
    with serving(writing(known)) as server:
        arguments = ("build", "small", "-o", "out", "--writer", f"openai:small@{server.url}")
        assert run(*arguments, "--max-calls", "0").returncode == 4
        assert not server.seen
        stopped = run(*arguments, "--max-calls", "9")
        assert stopped.returncode == 4, stopped.stderr
        assert "the budget of 9 calls is spent" in stopped.stderr
        assert len(server.seen) == 9
        assert run(*arguments, "--max-tokens", "300").returncode == 4
        assert run(*arguments).returncode == 0
        assert set(asked(server).values()) == {1}


def test_the_settings_file_names_the_writer_and_how_it_is_asked(project: Path, run: Run, known: ghost.Ghost) -> None:
    with serving(writing(known)) as server:
        (project / "suitegen.yaml").write_text(
            f"suite: small\nout: out\nmax_cost: 100\nwriter:\n  model: openai:small@{server.url}\n  key: LAB_KEY\n"
            "  parameters: {temperature: 0.5, max_completion_tokens: 700}\n  price: {input: 1, output: 2}\n"
        )
        (project / ".env").write_text(f"LAB_KEY={KEY}\n")
        planned = run("plan", "--json")
        fewest = json.loads(planned.stdout)["plan"]["calls"]["calls"][0]
        done = run("build")
        assert done.returncode == 0, done.stderr
        calls = len(server.seen)
        assert calls >= fewest
        body, headers = server.seen[0].body, server.seen[0].headers
        assert (body["temperature"], body["max_completion_tokens"], "max_tokens" in body) == (0.5, 700, False)
        assert headers["authorization"] == f"Bearer {KEY}"
        told = json.loads((project / "out" / "run.json").read_text())
        assert float(told["cost"]) == pytest.approx(calls * (60 + 2 * 40) / 1e6)
        measured = json.loads(run("plan", "--json").stdout)["plan"]["calls"]
        assert (measured["measured"], measured["tokens"][0]) == (True, fewest * 100)
        # A flag comes first: no model.
        assert run("build", "-o", "plain", "--writer", "offline").returncode == 0
        assert len(server.seen) == calls


def test_what_was_rejected_is_shown_with_prompt_and_reply(project: Path, run: Run, known: ghost.Ghost) -> None:
    first: list[str] = []

    def spoiling(seen: Seen) -> Told:
        text = known.reply(messages(seen))
        key = json.dumps(seen.body["messages"][:2])
        if (not first and "e1" in text) or first == [key]:
            first[:] = [key]
            if len(seen.body["messages"]) == 2:
                return text.replace('"e1": "', '"e1": "never said: ')
        return text

    with serving(spoiling) as server:
        done = run("build", "small", "-o", "out", "--writer", f"openai:small@{server.url}")
    assert done.returncode == 0, done.stderr
    told = json.loads(run("failures", "out", "--json").stdout)["failures"]
    spoilt = [view["case"] for view in told for each in view["attempts"] if each["findings"][0]["code"] == "W502"]
    assert len(spoilt) == 1
    shown = run("failures", "out", spoilt[0]).stdout
    assert "W502" in shown
    assert "      > Statements:" in shown
    assert "      < {" in shown
    assert "unpriced" in shown
    assert "W502" in run("explain", "W502").stdout


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        (lambda seen: (401, {"error": {"message": "wrong key", "code": "invalid_api_key"}}), "OPENAI_API_KEY"),
        (lambda seen: (404, {"error": {"message": "no such model"}}), "small"),
    ],
    ids=["key", "model"],
)
def test_a_wrong_key_or_model_is_one_clear_error_and_no_case_fails(
    project: Path, run: Run, rule: Callable[[Seen], Told], words: str
) -> None:
    with serving(rule) as server:
        done = run("build", "small", "-o", "out", "--writer", f"openai:small@{server.url}", env={"OPENAI_API_KEY": KEY})
    assert done.returncode == 3
    assert words in done.stderr
    assert KEY not in done.stderr + done.stdout
    assert "Traceback" not in done.stderr
    assert json.loads(run("status", "out", "--json").stdout)["status"]["waiting"] > 0


def test_a_template_that_cannot_be_rendered_is_an_error_before_the_first_call(
    project: Path, run: Run, known: ghost.Ghost
) -> None:
    folder = project / "templates" / "prompts" / "writer"
    folder.mkdir(parents=True)
    (folder / "session.j2").write_text("Write {{ nothing_of_the_kind }}.\n")
    with serving(writing(known)) as server:
        done = run("build", "small", "-o", "out", "--writer", f"openai:small@{server.url}")
    assert done.returncode == 2
    assert "nothing_of_the_kind" in done.stderr
    assert not server.seen


def kept(out: Path) -> int:
    with closing(sqlite3.connect(out / ".suitegen" / "replies.sqlite")) as connection:
        return int(connection.execute("SELECT count(*) FROM replies").fetchone()[0])


def test_a_killed_build_goes_on_and_asks_nothing_twice_that_was_answered(
    project: Path, run: Run, known: ghost.Ghost
) -> None:
    answered: list[str] = []
    lost = 0

    def slow(seen: Seen) -> Told:
        time.sleep(0.05)
        answered.append(json.dumps(seen.body, sort_keys=True))
        return known.reply(messages(seen))

    with serving(slow) as server:
        arguments = ["build", "small", "-o", "out", "--writer", f"openai:small@{server.url}"]
        for wanted in (6, 14, 25):
            process = subprocess.Popen(
                [*COMMAND, *arguments], cwd=project, env=environment(), stderr=subprocess.DEVNULL
            )
            until = time.monotonic() + 60
            while len(server.seen) < wanted and process.poll() is None and time.monotonic() < until:
                time.sleep(0.01)
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            lost += len(asked(server)) - kept(project / "out")
        done = run(*arguments)
        assert done.returncode == 0, done.stderr
        repeated = sum(count - 1 for count in asked(server).values())
        # Of what was in flight the answer was lost, and of nothing else.
        assert repeated <= lost
        assert len(asked(server)) == len(set(answered))
        whole = published(project / "out")
        fresh = run(*arguments[:3], "again", *arguments[4:])
        assert fresh.returncode == 0, fresh.stderr
    assert published(project / "again") == whole


def verdicts(seen: Seen, verdict: str = "pass") -> str:
    schema = seen.body["response_format"]["json_schema"]["schema"]
    return json.dumps({name: {"verdict": verdict, "reason": "so it is"} for name in schema["required"]})


def test_a_judge_is_asked_beside_the_writer_and_told_in_the_manifest(
    project: Path, run: Run, known: ghost.Ghost
) -> None:
    suite = project / "specs" / "suites" / "small.yaml"
    suite.write_text(suite.read_text().replace("reading]", "judge]"))

    def rule(seen: Seen) -> Told:
        return verdicts(seen) if seen.body["model"] == "wise" else known.reply(messages(seen))

    with serving(rule) as server:
        arguments = ("build", "small", "-o", "out", "--writer", f"openai:small@{server.url}")
        arguments += ("--judge", f"openai:wise@{server.url}")
        stopped = run(*arguments, "--max-calls", "50")
        assert stopped.returncode == 4, stopped.stderr
        done = run(*arguments)
        assert set(asked(server).values()) == {1}
    manifest = json.loads((project / "out" / "manifest.json").read_text())
    assert manifest["models"] == {"writer": "openai:small", "judge": "openai:wise"}
    lines = {line["validator"]: line for line in manifest["gates"]}
    assert (lines["judged_session"]["status"], lines["judged_gold"]["status"]) == ("passed", "passed")
    # It passes whatever it is shown, and so its own controls fail it.
    assert (lines["judge_controls"]["status"], done.returncode) == ("failed", 1)
    assert lines["judge_agreement"]["status"] == "not_run"


def test_a_judge_that_cannot_be_asked_fails_no_case(project: Path, run: Run) -> None:
    suite = project / "specs" / "suites" / "small.yaml"
    suite.write_text(suite.read_text().replace("reading]", "judge]"))
    with serving(lambda seen: (401, {"error": {"message": "wrong key"}})) as server:
        done = run("build", "small", "-o", "out", "--judge", f"openai:wise@{server.url}")
    assert done.returncode == 3, done.stderr
    assert json.loads(run("status", "out", "--json").stdout)["status"]["failed"] == 0
