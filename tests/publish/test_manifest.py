from __future__ import annotations

from dataclasses import replace

import pytest

import suitegen
from suitegen.model.episode import Attempt, CaseRecord
from suitegen.model.finding import Finding, Measure, Verdict
from suitegen.model.history import Placement
from suitegen.publish.manifest import Manifest, assemble, blocks, canary, gate_lines, hashes, license_lines, outcome


def verdict(status, *measures, why="", **more):
    given = {"gate": "reading", "validator": "bm25", "level": "episode", "status": status, "why": why, **more}
    return Verdict(measures=measures, **given)


def test_a_suite_is_put_together_from_what_was_accepted(make_build):
    build = make_build(3)
    failed = CaseRecord(
        case="case-1",
        status="failed",
        draw=3,
        attempts=(
            Attempt(draw=0, attempt=0, part="session 2", findings=(warning("style"), error("leak"), error("leak"))),
            Attempt(draw=3, attempt=1, part="question p1", findings=(error("gold_in_question"),)),
        ),
    )
    first, _, third = build.episodes
    suite = assemble(replace(build, cases=[build.cases[2], outcome(failed), build.cases[0]], episodes=(first, third)))
    manifest = suite.manifest
    assert [episode.episode_id for episode in suite.episodes] == ["ep-0000", "ep-0002"]
    assert manifest.counts.model_dump() == {
        "episodes_planned": 3,
        "episodes": 2,
        "episodes_missing": 1,
        "probes": 4,
        "probes_by_type": {"current": 2, "temporal": 2},
        "sessions": 8,
        "turns": 18,
        "tokens": manifest.counts.tokens,
    }
    assert manifest.yields.rejected == {"gold_in_question": 1, "leak": 1, "no_echo": 1}
    assert (manifest.yields.accepted, manifest.yields.failed, manifest.yields.rejected_attempts) == (2, 1, 3)
    (missing,) = manifest.missing
    assert missing.model_dump() == {
        "case": "case-1",
        "status": "failed",
        "episodes": 1,
        "codes": ("gold_in_question", "leak"),
    }
    assert manifest.versions["suitegen"] == suitegen.__version__
    assert Manifest.model_validate_json(manifest.model_dump_json()) == manifest


def error(code):
    return Finding(code=code, message="m")


def warning(code):
    return Finding(code=code, message="m", severity="warning")


def test_cases_without_a_record_and_half_ones_are_missing(make_build):
    build = replace(make_build(2), planned={"case-0": 1, "case-1": 3, "case-2": 2})
    missing = assemble(build).manifest.missing
    assert [(case.case, case.status, case.episodes) for case in missing] == [
        ("case-1", "incomplete", 2),
        ("case-2", "not_built", 2),
    ]


def test_a_redraw_is_counted(make_build):
    build = make_build(2)
    cases = [build.cases[0], replace(build.cases[1], draw=2)]
    assert assemble(replace(build, cases=cases)).manifest.yields.redrawn == 1


def test_blocks_tell_the_design(make_episode):
    first, second = make_episode(0), make_episode(1)
    split = second.model_copy(update={"spec": second.spec.model_copy(update={"split": True})})
    found = blocks([first, split, make_episode(2)])
    assert [(block.split, block.episodes, block.probes) for block in found] == [(False, 2, 4), (True, 1, 2)]


def test_verdicts_of_one_validator_become_one_line():
    (line,) = gate_lines([
        verdict("passed", Measure(name="points", value=1.0, threshold=0.5, n=1, low=0.0, high=1.0)),
        verdict("failed", Measure(name="points", value=0.0, threshold=0.5, n=3), why="too low"),
        verdict("failed", why="too low"),
        verdict("not_run", Measure(name="points", value=None, threshold=0.5), why="no index"),
    ])  # fmt: skip
    assert (line.status, line.passed, line.failed, line.not_run) == ("failed", 1, 2, 1)
    assert line.why == ("too low", "no index")
    assert line.measures == (Measure(name="points", value=0.25, threshold=0.5, n=4),)


def test_what_did_not_run_did_not_pass():
    lines = gate_lines([verdict("not_run", why="no model"), verdict("passed", validator="oracle")])
    assert [(line.validator, line.status) for line in lines] == [("bm25", "not_run"), ("oracle", "passed")]


def test_a_single_measure_keeps_its_interval_and_a_suite_its_findings():
    measure = Measure(name="auc", value=0.6, low=0.5, high=0.7, n=200)
    finding = Finding(code="auc", message="m")
    (line,) = gate_lines([verdict("failed", measure, level="suite", findings=(finding,))])
    assert line.measures == (measure,)
    assert line.findings == (finding,)
    (line,) = gate_lines([verdict("failed", measure, findings=(finding,))])
    assert line.findings == ()


def test_measures_without_a_number_have_no_mean():
    (line,) = gate_lines(
        [verdict("passed", Measure(name="x", value=None)), verdict("passed", Measure(name="x", value=float("nan")))]
    )
    assert line.measures == (Measure(name="x", value=None),)


def test_the_ledger_sums_by_licence_and_source(make_episode):
    origins = [
        ("library:coffee", "CC0-1.0"),
        ("library:tea", "CC0-1.0"),
        ("files:chats.jsonl:12 from Some Corpus", "CC-BY-4.0"),
        ("files:chats.jsonl:13", "CC-BY-4.0"),
    ]
    places = tuple(
        Placement(session_id="s", first_turn=0, last_turn=3, phase="filler", kind="background", origin=origin,
                  license=name, content_hash="")
        for origin, name in origins
    )  # fmt: skip
    found = license_lines([make_episode(placements=places)])
    assert [(line.license, line.origin, line.stretches, line.turns) for line in found] == [
        ("CC-BY-4.0", "files:chats.jsonl", 1, 4),
        ("CC-BY-4.0", "files:chats.jsonl from Some Corpus", 1, 4),
        ("CC0-1.0", "library", 2, 8),
    ]


def test_the_canary_follows_from_suite_seed_and_version():
    assert canary("a", 1, "1.0") == canary("a", 1, "1.0") != canary("a", 2, "1.0")
    assert len({canary("a", 1, "1.0"), canary("b", 1, "1.0"), canary("a", 1, "1.1"), canary("a", 11, ".0")}) == 4


@pytest.mark.parametrize("change", [{"seed": 8}, {"title": "Other"}])
def test_the_spec_hash_knows_the_spec(make_build, change):
    first, second = make_build(2), make_build(2, **change)
    before, after = hashes(first.spec, first.catalog), hashes(second.spec, second.catalog)
    assert before["spec"] != after["spec"]
    assert {k: v for k, v in before.items() if k != "spec"} == {k: v for k, v in after.items() if k != "spec"}


def test_the_example_shows_evidence(make_suite, make_build):
    example = make_suite(2).manifest.example
    assert example.probe_id == "ep-0000-p2"
    assert example.evidence[0].text == "Our standup is at 9:30 for now."
    assert assemble(replace(make_build(2), cases=[], episodes=())).manifest.example is None
