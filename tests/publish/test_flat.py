"""Probes as single prompts, and the descriptions by which harnesses and search engines find them."""

from __future__ import annotations

import json

import pytest
import yaml

from suitegen.model.gold import GoldField
from suitegen.model.history import Turn
from suitegen.publish.flat import NO_VALUE, fitting, flat_rows
from suitegen.publish.package import INCONSISTENT, read, verify_rows, write
from suitegen.publish.pages import shipped_templates
from suitegen.publish.parquet import read_shards
from suitegen.publish.tables import Stamp

STAMP = Stamp(canary="c", license="CC-BY-4.0")


def flat(episode, context="full_context"):
    return flat_rows(episode, STAMP, context, shipped_templates())


def regold(episode, *fields):
    first, *others = episode.probes
    told = {field.name: {"enum": ["yes", "no", "unknown"], "description": "Whether."} for field in fields}
    question = first.question.model_copy(update={"answer_format": json.dumps({"properties": told})})
    changed = first.model_copy(
        update={"gold": first.gold.model_copy(update={"fields": fields}), "question": question}
    )  # fmt: skip
    return episode.model_copy(update={"probes": (changed, *others)})


def test_one_text_is_asked_where_one_text_answers(make_episode):
    episode = make_episode()
    (row,) = flat(episode)["full_context"]
    assert (row["probe_id"], row["target"]) == ("ep-0000-p1", "10:15")
    for session in episode.sessions:
        for turn in session.turns:
            assert turn.content in row["input"]
    assert row["input"].rstrip().endswith("ANSWER: (your answer)")
    assert "When is the standup?" in row["input"]


def test_no_prompt_shows_what_comes_after_its_question(make_episode):
    episode = make_episode()
    asked = episode.probes[0].model_copy(
        update={"question": episode.probes[0].question.model_copy(update={"visible_until": 0})}
    )
    rows = flat(episode.model_copy(update={"probes": (asked,)}))
    for row in (*rows["full_context"], *rows["multiple_choice"]):
        assert "10:15" not in row["input"]


def test_only_the_sessions_with_evidence(make_episode):
    (row,) = flat(make_episode(), "evidence_sessions")["evidence_sessions"]
    assert "The standup moved to 10:15" in row["input"]
    assert "orange" not in row["input"]
    assert "9:30" not in row["input"]
    assert "of which others are left out" in row["input"]


@pytest.mark.parametrize(
    ("field", "right", "choices"),
    [
        (GoldField(name="value", form="value", answer="10:15", rivals=(("9:30",), ("8:00",))), "10:15",
         {"10:15", "9:30", "8:00", NO_VALUE}),
        (GoldField(name="value", form="value", answer="unknown", rivals=(("9:30",),)), NO_VALUE, {"9:30", NO_VALUE}),
        (GoldField(name="changed", form="enum", answer="no"), "no", {"yes", "no", "unknown"}),
        (GoldField(name="value", form="value", answer="uncertain", answers=(("9:30",), ("8:00",)), rivals=()), None, None),
        (GoldField(name="reason", form="change", answer="it rains", rivals=(("sun",),)), None, None),
        (GoldField(name="value", form="value", answer="10:15"), None, None),
    ],
)  # fmt: skip
def test_choices_are_the_known_answers(make_episode, field, right, choices):
    rows = [row for row in flat(regold(make_episode(), field))["multiple_choice"] if row["probe_id"] == "ep-0000-p1"]
    if choices is None:
        assert rows == []
        return
    (row,) = rows
    assert set(row["choices"]) == choices
    assert len(row["choices"]) == len(choices)
    assert row["choices"][row["answer_idx"]] == right


def test_the_order_of_choices_tells_nothing_and_stays(make_episode):
    field = GoldField(name="changed", form="enum", answer="no")
    rows = [flat(regold(make_episode(number), field))["multiple_choice"][0] for number in range(60)]
    places = [row["answer_idx"] for row in rows]
    assert all(places.count(place) >= 10 for place in range(3))
    assert [flat(regold(make_episode(n), field))["multiple_choice"][0]["answer_idx"] for n in range(60)] == places


def test_histories_that_are_too_large_show_only_their_evidence(make_episode, make_suite, wording, tmp_path):
    long = make_episode(0, wording(filler="x" * 1_600_000))
    assert fitting([make_episode(), make_episode(1)]) == "full_context"
    assert fitting([make_episode(), long]) == "evidence_sessions"
    many = make_episode().model_copy(
        update={"sessions": tuple(s.model_copy(update={"turns": (Turn(role="user", content="é" * 700_000),)})
                                  for s in make_episode().sessions[:1])}
    )  # fmt: skip
    assert fitting([many] * 71) == "full_context"
    assert fitting([many] * 72) == "evidence_sessions"

    write(tmp_path, make_suite(1, wording(filler="x" * 1_600_000)))
    assert read(tmp_path).manifest.context == "evidence_sessions"
    assert not (tmp_path / "full_context").exists()
    assert len(read_shards(tmp_path, "evidence_sessions")) == 1
    assert "too large for single prompts" in (tmp_path / "README.md").read_text()


@pytest.mark.parametrize("config", ["full_context", "multiple_choice"])
def test_a_prompt_that_is_not_that_of_the_history_is_found(make_suite, wording, tmp_path, config):
    write(tmp_path / "one", make_suite(2))
    assert verify_rows(tmp_path / "one") == ()
    write(tmp_path / "other", make_suite(2, wording(filler="I took the train instead.")))
    shard = f"{config}/test-00000-of-00001.parquet"
    (tmp_path / "one" / shard).write_bytes((tmp_path / "other" / shard).read_bytes())
    found = verify_rows(tmp_path / "one")
    assert {finding.code for finding in found} == {INCONSISTENT}
    assert all(finding.message.startswith(f"{config} ep-") for finding in found)
    write(tmp_path / "other", make_suite(1))
    (tmp_path / "one" / shard).write_bytes((tmp_path / "other" / shard).read_bytes())
    assert "has 0 rows of the episode" in verify_rows(tmp_path / "one")[0].message


def test_the_tasks_name_configs_and_columns_that_are_there(make_suite, wording, tmp_path):
    write(tmp_path, make_suite(2, wording(title="no: {{ 1 }} #\n- Größe")))
    tasks = yaml.safe_load((tmp_path / "eval.yaml").read_text("utf-8"))
    assert tasks["name"] == "no: {{ 1 }} #\n- Größe"
    for task in tasks["tasks"]:
        (row, *_) = read_shards(tmp_path, task["config"])
        spec = task["field_spec"]
        assert {spec["input"], spec["target"], *spec["metadata"]} <= set(row)


@pytest.mark.filterwarnings("ignore")
def test_the_description_is_valid_and_loads_every_row(make_suite, tmp_path):
    croissant = pytest.importorskip("mlcroissant")
    write(tmp_path, make_suite(2))
    described = croissant.Dataset(jsonld=str(tmp_path / "croissant.json"))
    assert not described.metadata.issues.errors
    for records in described.metadata.record_sets:
        assert len(list(described.records(records.uuid))) == len(read_shards(tmp_path, records.uuid))


def test_the_card_says_how_to_run_and_cite_it(make_suite, wording, tmp_path):
    write(tmp_path, make_suite(2, wording(title="A } title ``` <!-- author:end -->")))
    page = (tmp_path / "README.md").read_text("utf-8")
    assert "inspect eval hf/ORG/NAME --model MODEL" in page
    assert "`full_context` has the probes" in page
    assert "@misc{standups,\n  title = {A title !-- author:end --}," in page
    configs = yaml.safe_load(page.split("---\n")[1])["configs"]
    assert [config["config_name"] for config in configs][-2:] == ["full_context", "multiple_choice"]
