"""Scoring a built suite: answers made from the inputs alone, and what known answerers get."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tests.build.conftest import Run

Answerer = Callable[[dict[str, Any]], object]


@pytest.fixture
def built(run: Run, tmp_path: Path) -> Path:
    done = run("build", "small", "-o", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    return tmp_path / "out"


def rows(out: Path, config: str) -> list[dict[str, Any]]:
    return pq.read_table(out / config).to_pylist()


def score(run: Run, out: Path, answers: Mapping[str, object]) -> dict[str, Any]:
    path = out.parent / "answers.jsonl"
    lines = [json.dumps({"answer": answer, "probe_id": probe}) for probe, answer in answers.items()]
    path.write_text("\n".join(lines), encoding="utf-8")
    done = run("score", str(out), str(path), "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def figures(document: Mapping[str, Any]) -> dict[str, float | None]:
    return {rate["name"]: rate["value"] for rate in document["score"]["headline"]}


def gold(out: Path) -> dict[str, dict[str, str]]:
    return {
        row["probe_id"]: {field["name"]: field["answer"] for field in json.loads(row["gold"])["fields"]}
        for row in rows(out, "probes")
    }


def test_the_keys_score_one_everywhere(run: Run, built: Path) -> None:
    for answers in (gold(built), {probe: json.dumps(answer) for probe, answer in gold(built).items()}):
        document = score(run, built, answers)
        assert set(figures(document).values()) == {1.0, 0.0}
        assert figures(document)["split delta"] == 0.0
        assert {probe["points"] for probe in document["probes"]} == {1.0}
        for rates in document["score"]["breakdowns"].values():
            assert all(rate["value"] == 1.0 for rate in rates)


def test_plain_text_answers_a_question_of_one_field(run: Run, built: Path) -> None:
    answers = {probe: next(iter(answer.values())) for probe, answer in gold(built).items() if len(answer) == 1}
    found = score(run, built, answers)
    assert found["score"]["scored"] == len(answers)
    assert all(probe["points"] == 1.0 for probe in found["probes"] if probe["outcome"] == "scored")


def valid(schema: Mapping[str, Any]) -> dict[str, str]:
    """Any answer that the format allows: the first word of a closed list, else a refusal."""
    assert schema["type"] == "object"
    return {name: body.get("enum", ["unknown"])[0] for name, body in schema["properties"].items()}


def test_a_valid_file_is_made_from_the_inputs_alone(run: Run, built: Path) -> None:
    questions = rows(built, "questions")
    found = score(run, built, {row["probe_id"]: valid(json.loads(row["answer_format"])) for row in questions})
    assert found["score"]["scored"] == len(questions)
    assert found["score"]["unparsable"] == found["score"]["missing"] == 0
    assert 0.0 < (figures(found)["overall"] or 0) < 1.0


def newest(out: Path, expects: str) -> dict[str, object]:
    """Answers to the current questions: the new value, or the rival that was turned down."""
    specs = {row["episode_id"]: json.loads(row["latent_spec"]) for row in rows(out, "episodes")}
    answers = {}
    for row in rows(out, "probes"):
        if row["probe_type"] == "current":
            values = next(m for m in specs[row["episode_id"]]["cast"] if m["name"] == "target")["values"]
            role = ("new" if row["expected_behavior"] == "update" else "rival") if expects == "update" else "initial"
            answers[row["probe_id"]] = values[role]
    return answers


def current_points(out: Path, document: Mapping[str, Any]) -> dict[str, float]:
    """The mean points of current questions by what their episode expects."""
    asked = {row["probe_id"]: row for row in rows(out, "probes") if row["probe_type"] == "current"}
    points: dict[str, list[float]] = {}
    for probe in document["probes"]:
        if probe["probe_id"] in asked:
            points.setdefault(asked[probe["probe_id"]]["expected_behavior"], []).append(probe["points"])
    return {expects: sum(found) / len(found) for expects, found in points.items()}


def test_who_always_updates_is_plastic_and_unstable(run: Run, built: Path) -> None:
    current = {rate["name"]: rate for rate in score(run, built, newest(built, "update"))["score"]["headline"]}
    kept = {rate["name"]: rate for rate in score(run, built, newest(built, "preserve"))["score"]["headline"]}
    for answers, right in (
        ("update", {"update": 1.0, "preserve": 0.0}),
        ("preserve", {"update": 0.0, "preserve": 1.0}),
    ):
        assert current_points(built, score(run, built, newest(built, answers))) == right
    # Only current questions are answered: the others are missing, and wrong.
    assert current["plasticity"]["value"] > 0 == current["stability"]["value"] == current["SP-balance"]["value"]
    assert kept["stability"]["value"] > 0 == kept["plasticity"]["value"] == kept["SP-balance"]["value"]


def test_the_tables_say_what_is_not_in_the_score(run: Run, built: Path) -> None:
    keys = gold(built)
    _, unread, *others = keys
    path = built.parent / "some.jsonl"
    lines = [{"probe_id": probe, "answer": keys[probe]} for probe in others]
    path.write_text(
        "\n".join(
            json.dumps(line) for line in [*lines, {"probe_id": unread, "answer": ""}, {"probe_id": "x", "answer": 1}]
        ),
        encoding="utf-8",
    )
    done = run("score", str(built), str(path))
    assert done.returncode == 0
    assert done.stdout.startswith("profile ")
    wanted = {"scored": str(len(others)), "missing": "1", "unparsable": "1", "to": "1"}
    counts = done.stdout.split("\n\n")[1].splitlines()[1:]
    assert {line.split()[0]: next(word for word in line.split() if word.isdigit()) for line in counts} == wanted
    assert "no probe of this suite: x" in done.stderr


def test_a_bad_file_is_refused_with_every_line(run: Run, built: Path) -> None:
    path = built.parent / "bad.jsonl"
    path.write_text('{"probe_id": "a", "answer": 1}\nno\n{"probe_id": "a", "answer": 2}\n{"answer"', encoding="utf-8")
    done = run("score", str(built), str(path))
    assert done.returncode == 2
    assert done.stdout == ""
    for place in ("bad.jsonl:2", "bad.jsonl:3", "bad.jsonl:4"):
        assert place in done.stderr
