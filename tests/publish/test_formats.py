"""A suite in other formats: what is written is read again and compared, and what is lost is said."""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Mapping
from datetime import datetime
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from suitegen import app
from suitegen.errors import SuitegenError
from suitegen.model.history import Turn
from suitegen.publish.formats import builtin
from suitegen.publish.formats.frame import Export, Losses, Source, export
from suitegen.publish.package import read, write
from suitegen.publish.parquet import read_shards
from suitegen.publish.tables import COLUMNS, CONFIGS

ODD = 'line\u2028sep\u2029par\x85nel\x0bvt\x0cff\r\nend, "quoted"; =1+1 \U0001f389'


@pytest.fixture
def out(make_suite, wording, tmp_path):
    write(tmp_path / "out", make_suite(3, wording(filler=ODD, question=ODD)))
    return tmp_path / "out"


def losses(done: Export) -> Mapping[str, int]:
    return {loss.what: loss.times for loss in done.losses}


# -- tables -----------------------------------------------------------------------------------------------------------


def test_jsonl_is_read_again_as_it_was(out, files, tmp_path):
    before = files(out)
    done = app.export(out, "jsonl", tmp_path / "x")
    assert done.files == tuple(sorted(f"{config}.jsonl" for config in CONFIGS))
    assert done.losses == ()
    for config in CONFIGS:
        text = (tmp_path / "x" / f"{config}.jsonl").read_bytes().decode("ascii")
        rows = [json.loads(line) for line in text.split("\n")[:-1]]
        assert rows == read_shards(out, config)
        assert text.splitlines() == text.split("\n")[:-1], "no reader takes a character of a text for a line's end"
        assert {tuple(row) for row in rows} == {tuple(COLUMNS[config])}
    assert files(out) == before


def typed(cell: str, kind: str) -> object:
    if cell == "":
        return None
    return cell if kind == "text" else json.loads(cell)


def test_csv_is_read_again_but_for_what_it_says_is_lost(out, make_suite, wording, tmp_path):
    write(tmp_path / "empty", make_suite(2, wording(filler="")))
    for suite in (out, tmp_path / "empty"):
        done, empty = app.export(suite, "csv", tmp_path / f"csv-{suite.name}"), 0
        for config in CONFIGS:
            with (done.folder / f"{config}.csv").open(encoding="utf-8", newline="") as file:
                read = [
                    {name: typed(cell, COLUMNS[config][name]) for name, cell in row.items()}
                    for row in csv.DictReader(file)
                ]
            rows = read_shards(suite, config)
            empty += sum(value == "" for row in rows for value in row.values())
            assert read == [{name: None if value == "" else value for name, value in row.items()} for row in rows]
        assert losses(done).get("an empty text cannot be told from no value", 0) == empty


def test_what_a_spreadsheet_would_cut_is_told(make_suite, wording, tmp_path):
    write(tmp_path / "out", make_suite(2, wording(filler="x" * 40_000)))
    done = app.export(tmp_path / "out", "csv", tmp_path / "x")
    assert losses(done)["a cell is longer than a spreadsheet holds (32,767 characters)"] == 2


@pytest.mark.filterwarnings("ignore::ResourceWarning")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_the_datasets_library_reads_the_jsonl(out, tmp_path):
    datasets = pytest.importorskip("datasets")
    app.export(out, "jsonl", tmp_path / "x")
    loaded = datasets.load_dataset(
        "json", data_files=str(tmp_path / "x" / "sessions.jsonl"), split="train", cache_dir=str(tmp_path / "cache")
    )
    turns = [[turn["content"] for turn in row["turns"]] for row in loaded]
    assert turns == [[turn["content"] for turn in row["turns"]] for row in read_shards(out, "sessions")]


# -- blind ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["csv", "jsonl"])
def test_blind_inputs_lead_back_by_their_key_alone(out, tmp_path, name):
    done = app.export(out, name, tmp_path / "blind", blind=True)
    assert done.files == (f"questions.{name}", f"sessions.{name}")
    written = b"".join((done.folder / file).read_bytes() for file in done.files)
    for row in (*read_shards(out, "sessions"), *read_shards(out, "questions")):
        for column in ("episode_id", "session_id", "probe_id"):
            assert str(row.get(column, "no such id")).encode() not in written
    for word in (b"interference", b"authoritative_update", b"canary"):
        assert word not in written
    assert done.key is not None
    assert not done.key.is_relative_to(done.folder)


def test_blind_rows_are_the_inputs_under_other_ids(out, tmp_path):
    done = app.export(out, "jsonl", tmp_path / "blind", blind=True)
    key = [json.loads(line) for line in done.key.read_text().splitlines()]
    own = {(each["kind"], each["blind"]): each["id"] for each in key}
    assert len(own) == len(set(own.values())) == len(key)
    for config, kind in (("sessions", "session"), ("questions", "probe")):
        rows = [json.loads(line) for line in (done.folder / f"{config}.jsonl").read_text("ascii").splitlines()]
        assert [row[f"{kind}_id"] for row in rows] == sorted(row[f"{kind}_id"] for row in rows)
        back = [
            {**row, "episode_id": own["episode", row["episode_id"]], f"{kind}_id": own[kind, row[f"{kind}_id"]]}
            for row in rows
        ]
        assert sorted(back, key=str) == sorted(read_shards(out, config), key=str)


def test_blind_ids_stay_and_their_order_is_not_that_of_the_design(make_suite, tmp_path):
    write(tmp_path / "out", make_suite(40))
    keys = [app.export(tmp_path / "out", "jsonl", tmp_path / n, blind=True).key.read_text() for n in ("a", "b")]
    assert keys[0] == keys[1]
    lines = [json.loads(line) for line in keys[0].splitlines()]
    order = [each["id"] for each in lines if each["kind"] == "episode"]
    assert sorted(order) != order
    first = Counter(each["id"][-2:] for each in lines if each["kind"] == "probe" and each["blind"].endswith("q01"))
    assert min(first["p1"], first["p2"]) >= 8, "the number of a question does not tell its type"


# -- others' formats --------------------------------------------------------------------------------------------------


def test_longmemeval_keeps_histories_questions_and_evidence(out, tmp_path):
    done = app.export(out, "longmemeval", tmp_path / "x")
    entries = json.loads((done.folder / "longmemeval.json").read_text())
    keys = {row["probe_id"]: row for row in read_shards(out, "probes")}
    assert [entry["question_id"] for entry in entries] == list(keys)
    for entry in entries:
        row = keys[entry["question_id"]]
        lists = [entry["haystack_session_ids"], entry["haystack_dates"], entry["haystack_sessions"]]
        assert {len(each) for each in lists} == {4}
        assert (entry["question"], entry["answer"]) == (row["question"], row["answer"])
        assert entry["answer_session_ids"] == [f"answer_{name}" for name in row["evidence_session_ids"]]
        assert set(entry["answer_session_ids"]) <= set(entry["haystack_session_ids"])
        dates = [datetime.strptime(date, "%Y/%m/%d (%a) %H:%M") for date in entry["haystack_dates"]]
        assert dates == sorted(dates)
        marked = {
            (name, number)
            for name, turns in zip(entry["haystack_session_ids"], entry["haystack_sessions"], strict=True)
            for number, turn in enumerate(turns)
            if turn.get("has_answer")
        }
        groups = [member for field in json.loads(row["evidence"]) for g in field["groups"] for member in g["of"]]
        assert marked == {(f"answer_{member['session_id']}", member["turn"]) for member in groups}
        labelled = {name for name, turns in zip(entry["haystack_session_ids"], entry["haystack_sessions"], strict=True)
                    if any("has_answer" in turn for turn in turns)}  # fmt: skip
        assert labelled == set(entry["answer_session_ids"])
    texts = [turn["content"] for turns in entries[0]["haystack_sessions"] for turn in turns]
    first = [
        row
        for row in read_shards(out, "sessions")
        if row["episode_id"] == keys[entries[0]["question_id"]]["episode_id"]
    ]
    assert texts == [
        f"[{turn['name']}] {turn['content']}" if turn["role"] == "tool" else turn["content"]
        for row in first
        for turn in row["turns"]
    ]
    assert losses(done)["a tool's turn is one of the assistant, with the tool's name before it"] == len(entries)
    assert losses(done)["a question has no answer format: the fields of its answer are one JSON text"] == 3


def test_longmemeval_marks_what_has_no_answer(make_episode, tmp_path):
    episode = make_episode()
    asked = episode.probes[0]
    nothing = asked.gold.fields[0].model_copy(update={"answer": "absent"})
    absent = asked.model_copy(update={"gold": asked.gold.model_copy(update={"fields": (nothing,)})})
    told = written(tmp_path, "longmemeval", episode.model_copy(update={"probes": (absent,)}))
    assert told[0]["question_id"] == "ep-0000-p1_abs"
    (qa,) = written(tmp_path, "locomo", episode.model_copy(update={"probes": (absent,)}))[0]["qa"]
    assert (qa["category"], qa["adversarial_answer"]) == (5, "9:30")
    assert "answer" not in qa


def test_locomo_keeps_the_conversation_and_where_the_evidence_stands(out, tmp_path):
    done = app.export(out, "locomo", tmp_path / "x")
    entries = json.loads((done.folder / "locomo.json").read_text())
    assert [entry["sample_id"] for entry in entries] == [row["episode_id"] for row in read_shards(out, "episodes")]
    said = entries[0]["conversation"]
    assert said["session_1_date_time"] == "9:00 am on 12 January, 2026"
    assert [turn["dia_id"] for turn in said["session_3"]] == ["D3:1", "D3:2", "D3:3"]
    assert said["session_3"][1] == {"speaker": "Assistant", "dia_id": "D3:2", "text": '[calendar] {"saved": true}'}
    qa = {each["question"]: each for each in entries[0]["qa"]}
    assert qa[ODD] == {"question": ODD, "answer": "10:15", "evidence": ["D3:1"], "category": 4}
    assert qa["What happened to the standup?"]["evidence"] == ["D1:1", "D3:1"]


def test_locomo_leaves_out_what_is_asked_before_the_end(make_episode, tmp_path):
    episode = make_episode()
    early = episode.probes[0].model_copy(
        update={"question": episode.probes[0].question.model_copy(update={"visible_until": 1})}
    )
    counted = Losses()
    (entry,) = written(tmp_path, "locomo", episode.model_copy(update={"probes": (early, episode.probes[1])}), counted)
    assert [each["question"] for each in entry["qa"]] == ["What happened to the standup?"]
    assert {loss.what: loss.times for loss in counted.lines()}[
        "a question is left out, since it is asked before the end"
    ] == 1


@pytest.mark.parametrize(("hour", "told"), [(0, "12:05 am"), (9, "9:05 am"), (12, "12:05 pm"), (13, "1:05 pm")])
def test_hours_as_locomo_tells_them(make_episode, tmp_path, hour, told):
    episode = make_episode()
    (first, *_) = episode.sessions
    at = first.model_copy(
        update={"timestamp": f"2026-01-02T{hour:02}:05:00+00:00", "turns": (Turn(role="user", content="A"),)}
    )
    (entry,) = written(tmp_path, "locomo", episode.model_copy(update={"sessions": (at,), "spans": (), "probes": ()}))
    assert entry["conversation"]["session_1_date_time"] == f"{told} on 2 January, 2026"


def written(tmp_path, name, episode, counted=None):
    """What an exporter writes of one episode."""
    from suitegen.publish.manifest import Suite

    folder = tmp_path / name
    folder.mkdir()
    source = Source(tmp_path, Suite(None, (episode,), None))
    builtin.EXPORTERS[name](source, folder, counted or Losses())
    return json.loads((folder / f"{name}.json").read_text())


# -- the frame --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "folder", "blind", "says"),
    [
        ("parquett", "x", False, "there is no format 'parquett'"),
        ("jsonl", "out/x", False, "never changed"),
        ("jsonl", "full", False, "it holds something already"),
        ("locomo", "x", True, "locomo has no blind form"),
        ("csv", "keyed", True, "the key's file is there already"),
    ],
)
def test_what_is_refused_leaves_nothing(out, tmp_path, files, name, folder, blind, says):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    (tmp_path / "keyed.key.jsonl").write_text("mine")
    before = files(tmp_path)
    with pytest.raises(SuitegenError, match=says) as refused:
        app.export(out, name, tmp_path / folder, blind=blind)
    assert refused.value.hint
    assert files(tmp_path) == before


def test_a_broken_exporter_leaves_nothing(out, tmp_path):
    def broken(source, folder, counted):
        (folder / "half.txt").write_text("half")
        raise OSError(28, "No space left on device")

    before = sorted(tmp_path.iterdir())
    with pytest.raises(OSError, match="No space"):
        export("broken", broken, Source(out, None), tmp_path / "x")
    assert sorted(tmp_path.iterdir()) == before


def offered():
    return {"ids": lambda source, folder, counted: (folder / "ids").write_text("one"), "csv": None}


class Offer(EntryPoint):
    """An entry point of a package that is not installed."""

    def load(self):
        return offered


def test_another_package_may_offer_a_format_but_not_take_over_ours(out, tmp_path):
    point = Offer("ours", "theirs:offered", builtin.GROUP)
    found = builtin.exporter("ids", [point])
    assert export("ids", found, Source(out, None), tmp_path / "x").files == ("ids",)
    assert builtin.exporter("csv", [point]) is builtin.EXPORTERS["csv"]
    with pytest.raises(SuitegenError, match="two packages offer the format 'ids'"):
        builtin.exporter("ids", [point, point])
    with pytest.raises(SuitegenError) as unknown:
        builtin.exporter("idz", [point])
    assert "csv, ids, jsonl" in unknown.value.hint


def test_the_exporter_of_the_docs_works(out, tmp_path):
    docs = (Path(__file__).parents[2] / "docs" / "exports.md").read_text("utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", docs, re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)
    done = export("x", names["exporters"]()["questions-only"], Source(out, read(out)), tmp_path / "x")
    assert json.loads((tmp_path / "x" / "questions.json").read_text()).count(ODD) == 3
    assert losses(done) == {"a question has no history": 6}


def test_the_docs_tell_every_format():
    docs = (Path(__file__).parents[2] / "docs" / "exports.md").read_text("utf-8")
    assert set(re.findall(r"^\| `(\w+)` \|", docs, re.MULTILINE)) == set(builtin.EXPORTERS)
