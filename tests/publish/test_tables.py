from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from suitegen.errors import SuiteError
from suitegen.model.finding import Finding, Verdict
from suitegen.model.history import Turn
from suitegen.publish.tables import COLUMNS, CONFIGS, Stamp, content_hash, one_episode, rows

STAMP = Stamp(canary="guid", license="CC-BY-4.0", family="stability-plasticity")


def tables(*found):
    return {config: [dict(row) for episode in found for row in rows(episode, STAMP)[config]] for config in CONFIGS}


def test_rows_have_exactly_the_columns_of_their_config(make_episode):
    made = rows(make_episode(), STAMP)
    assert list(made) == list(CONFIGS)
    for config, table in made.items():
        assert table
        assert all(set(row) == set(COLUMNS[config]) for row in table)


def test_episodes_come_back_from_their_rows(make_episode):
    for episode in (make_episode(0), make_episode(1, group_id="g", counterfactual=None, verdicts=())):
        assert one_episode(tables(episode)).model_dump() == episode.model_dump()


@settings(max_examples=40, deadline=None)
@given(st.text(), st.text(min_size=1), st.one_of(st.none(), st.text()))
def test_any_text_comes_back(make_episode, content, value, name):
    episode = make_episode()
    first, *rest = episode.sessions
    turns = (*first.turns, Turn(role="tool", name=name, content=content))
    event = episode.spec.events[0].model_copy(update={"value": value})
    changed = episode.model_copy(
        update={
            "sessions": (first.model_copy(update={"turns": turns}), *rest),
            "spec": episode.spec.model_copy(update={"events": (event, *episode.spec.events[1:])}),
        }
    )
    assert one_episode(rows(changed, STAMP)) == changed


def test_inputs_hold_no_label(make_episode):
    episode = make_episode(verdicts=())
    made = rows(episode, STAMP)
    labels = {"phase", "kind", "condition", "paradigm", "expected_behavior", "gold", "evidence", "probe_type", "domain"}
    values = {"interference", "authoritative_update", "perturbation", "background", "update", "current", "temporal"}
    for config in ("sessions", "questions"):
        assert not labels & set(COLUMNS[config])
        text = json.dumps(made[config])
        assert not [value for value in values if f'"{value}"' in text]


def test_evidence_names_every_member_with_its_place(make_episode):
    episode = make_episode()
    _, temporal = rows(episode, STAMP)["probes"]
    span = episode.span("e2")
    direction, old = json.loads(temporal["evidence"])
    place = {"session_id": span.session_id, "turn": 0, "start": span.start, "end": span.end}
    assert direction == {
        "field": "direction",
        "groups": [
            {"need": 1, "of": [{"event": "e2", "facet": "act", **place}, {"event": "e2", "facet": "trigger", **place}]}
        ],
    }
    assert old["groups"][0]["of"][0]["session_id"] == "ep-0000-0"
    assert temporal["evidence_session_ids"] == ["ep-0000-0", "ep-0000-2"]
    session = next(s for s in episode.sessions if s.session_id == span.session_id)
    assert session.turns[0].content[span.start : span.end] == span.quote


def test_evidence_that_stands_nowhere_has_no_place(make_episode):
    made = rows(make_episode(spans=()), STAMP)
    (field,) = json.loads(made["probes"][0]["evidence"])
    assert field["groups"][0]["of"] == [{"event": "e2", "facet": "value"}]
    assert [row["session_id"] for row in made["trace"]] == [None, None]


def test_an_answer_is_text_or_json_by_field(make_episode):
    current, temporal = rows(make_episode(), STAMP)["probes"]
    assert current["answer"] == "10:15"
    assert json.loads(temporal["answer"]) == {"direction": "old_to_new", "old": "9:30"}


def test_memory_age_counts_from_the_first_word_about_the_target(make_episode):
    episode = make_episode()
    assert [row["memory_age"] for row in rows(episode, STAMP)["probes"]] == [3, 3]
    asked = episode.probes[0]
    never = asked.model_copy(update={"probe": asked.probe.model_copy(update={"about": "nobody"})})
    assert rows(make_episode(probes=(never,)), STAMP)["probes"][0]["memory_age"] is None


def test_an_episode_row_sums_its_history(make_episode):
    (row,) = rows(make_episode(), STAMP)["episodes"]
    assert (row["n_sessions"], row["n_turns"]) == (4, 9)
    assert row["n_tokens"] == sum(len(t.content) for s in make_episode().sessions for t in s.turns) // 4
    assert row["license"] == "CC-BY-4.0 AND CC0-1.0"
    assert row["family"] == "stability-plasticity"
    assert row["group_id"] is None


def test_the_trace_tells_what_is_said_where(make_episode):
    first, second = rows(make_episode(), STAMP)["trace"]
    assert (first["op"], first["entity"], first["attribute"]) == ("remember", "Atlas", "standup time")
    assert second["quote"] == "The standup moved to 10:15, two people joined from Lisbon."
    assert second["says"] == ["act", "value", "trigger"]
    assert json.loads(second["refs"]) == {"resolves": "e1"}


def test_the_content_hash_knows_the_gold_and_not_the_verdicts(make_episode):
    episode = make_episode()
    field = episode.probes[0].gold.fields[0].model_copy(update={"answer": "9:30"})
    gold = episode.probes[0].gold.model_copy(update={"fields": (field,)})
    wrong = episode.model_copy(
        update={"probes": (episode.probes[0].model_copy(update={"gold": gold}), *episode.probes[1:])}
    )
    verdict = Verdict(
        gate="g", validator="v", level="episode", status="failed", findings=(Finding(code="c", message="m"),)
    )
    assert content_hash(episode) == content_hash(episode.model_copy(update={"verdicts": (verdict,)}))
    assert content_hash(episode) != content_hash(wrong)


def test_an_episode_that_contradicts_itself_is_refused(make_episode):
    episode = make_episode()
    moved = episode.spans[0].model_copy(update={"session": 3})
    with pytest.raises(SuiteError, match="ep-0000: the episode contradicts itself"):
        rows(make_episode(spans=(moved, *episode.spans[1:])), STAMP)
    stray = episode.spans[0].model_copy(update={"event": "e9"})
    with pytest.raises(SuiteError, match="'e9'"):
        rows(make_episode(spans=(stray,)), STAMP)
    asked = episode.probes[0]
    foreign = asked.model_copy(update={"question": asked.question.model_copy(update={"episode_id": "ep-0009"})})
    with pytest.raises(SuiteError, match="another episode"):
        rows(make_episode(probes=(foreign,)), STAMP)


@pytest.mark.parametrize(
    ("config", "changes", "message"),
    [
        ("probes", {"gold": "{"}, "probes: ep-0000-p1: Gold"),
        ("probes", {"question": "What else?"}, "not the one in questions"),
        ("probes", {"probe_type": "guess"}, "probes: ep-0000-p1: Probe type"),
        ("probes", {"probe_id": "p9"}, "ep-0000-p1: the question has no probe"),
        ("probes", {"evidence": '[{"field": "value"}]'}, "'groups' is missing"),
        ("probes", {"evidence": '[{"field": "value", "groups": 3}]'}, "a list"),
        ("probes", {"asks": "[]"}, "probes: ep-0000-p1"),
        ("questions", {"probe_id": "p9"}, "p9: the question has no probe"),
        ("questions", {"visible_until": None}, "questions: ep-0000-p1: Question visible_until"),
        ("sessions", {"turns": None}, "sessions: ep-0000-0: Session turns"),
        ("placements", {"phase": "end"}, "placements: ep-0000-0: Placement phase"),
        ("trace", {"event_id": "e9"}, "trace: e9: it is no event"),
        ("trace", {"session_id": "s9"}, "trace: e1: there is no session 's9'"),
        ("episodes", {"latent_spec": "{}"}, "episodes: ep-0000: LatentSpec"),
        ("episodes", {"latent_spec": None}, "latent_spec is missing"),
        ("episodes", {"verdicts": "nothing"}, "episodes: ep-0000"),
    ],
)
def test_a_damaged_row_is_named(make_episode, config, changes, message):
    damaged = tables(make_episode())
    damaged[config][0].update(changes)
    with pytest.raises(SuiteError) as caught:
        one_episode(damaged)
    assert message in str(caught.value)


def test_missing_and_doubled_rows_are_named(make_episode):
    lacking = tables(make_episode())
    del lacking["questions"][1]
    with pytest.raises(SuiteError, match="ep-0000-p2: it has no row in questions"):
        one_episode(lacking)
    twice = tables(make_episode(), make_episode())
    with pytest.raises(SuiteError, match="episodes: ep-0000: an episode is there twice"):
        one_episode(twice)
    asked = tables(make_episode())
    asked["questions"].append(asked["questions"][0])
    with pytest.raises(SuiteError, match="questions: ep-0000-p1: it is there twice"):
        one_episode(asked)
