"""Small traces whose gold a person can tell, read by the second reading."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pytest

from tests.rederive.rederive import Suite, altered, derived, differences, episodes, faults, oddities, unproved

A, B, C, R = "9:30", "10:15", "9:00", "8:45"
TEAM, OTHERS, MOBILE = ("team", "standup time"), ("team", "review day"), ("mobile", "standup time")
NO_CHANGE = {"direction": "no_confirmed_change", "old": "none", "new": "none", "trigger": "none", "reason": "none"}
WHY = {"trigger": "two people joined from Lisbon", "reason": "nobody was awake"}
Row = dict[str, Any]


def say(event: str, op: str, value: str | None = None, says: str = "act value", **more: Any) -> Row:
    """An event as a row of the trace, in a session of its own unless ``session`` says otherwise."""
    entity, attribute = more.pop("of", TEAM)
    row = {
        "event_id": event, "thread_id": "t", "op": op, "entity": entity, "attribute": attribute, "value": value,
        "speaker": "user", "source": more.get("speaker", "user"), "origin": None, "strength": "strong",
        "says": says.split(), "refs": {}, "scope": None, "change_id": None, "trigger": None, "reason": None,
        "effective": None, "session": None, **more,
    }  # fmt: skip
    stated = [row["value"] if facet in ("value", "old") else row.get(facet) for facet in row["says"]]
    row["quote"] = f"{event} is said: {', '.join(str(each) for each in stated if each)}."
    return {**row, "refs": json.dumps(row["refs"])}


def suite(events: Sequence[Row], probes: Sequence[Row] = ()) -> Suite:
    """A suite of one episode: day 1 of January is session 0."""
    sessions: list[Row] = []
    trace = []
    for row in events:
        number = row["session"] if row["session"] is not None else len(sessions)
        while len(sessions) <= number:
            day = len(sessions) + 1
            sessions.append(
                {"episode_id": "e", "session_id": f"s{day - 1}", "index": day - 1,
                 "timestamp": f"2026-01-{day:02}T09:00:00+00:00", "turns": []}
            )  # fmt: skip
        turns = sessions[number]["turns"]
        turns.append({"role": row["speaker"], "name": None, "content": f"Well. {row['quote']} So."})
        place = {"session_id": f"s{number}", "turn_index": len(turns) - 1, "start": 6, "end": 6 + len(row["quote"])}
        trace.append({**{name: each for name, each in row.items() if name != "session"}, "episode_id": "e", **place})
    last = len(sessions) - 1
    rows, questions = [], []
    for number, probe in enumerate(probes):
        until = probe.get("after", last)
        asks = {"about": "target", "rival": None, "premise": None, "as_of": None, "asked_after": until, **probe["asks"]}
        common = {"probe_id": f"p{number}", "episode_id": "e", "question": "What is it?"}
        gold = json.dumps(probe.get("gold", {"type": probe["type"], "fields": []}))
        keys = {"thread_id": "t", "probe_type": probe["type"], "asks": json.dumps(asks), "gold": gold}
        rows.append({**common, **keys, "evidence": "[]", "evidence_session_ids": []})
        asked_at = f"2026-01-{until + 1:02}T21:00:00+00:00"
        questions.append({**common, "asked_at": asked_at, "visible_until": until, "answer_format": "{}"})
    return Suite(probes=rows, sessions=sessions, questions=questions, trace=trace)


def answers(events: Sequence[Row], type: str, after: int | None = None, **asks: Any) -> Mapping[str, str]:
    """The derived gold of one probe, by field."""
    probe = {"type": type, "asks": asks} | ({} if after is None else {"after": after})
    (episode,) = episodes(suite(events, [probe]))
    fields = derived(episode, episode.probes[0])
    return {name: " ".join((each.text, *each.values)) if each.text == "uncertain" else each.text
            for name, each in fields.items()}  # fmt: skip


def answer(events: Sequence[Row], type: str, after: int | None = None, **asks: Any) -> str:
    """The derived answer of a probe of one field."""
    (text,) = answers(events, type, after, **asks).values()
    return text


def conflict(source: str, status: str, applies: str = "yes") -> Row:
    return {"source": source, "status": status, "applies": applies}


TOLD = [say("e1", "remember", A), say("e2", "remember", A), say("e3", "remember", A)]
UPDATE = say("u", "update", B, "act value trigger reason", **WHY)
PART_1 = say("p1", "update", B, "act trigger reason", **WHY)
PART_2 = say("p2", "update", B, "value", refs={"completes": "p1"})
BACK = say("b", "restore", A, "act value trigger", trigger="the pilot ended", refs={"restores": "e1"})
TOOL = say("out", "challenge", R, "act value date", speaker="tool")
EXPOSED = say("x", "reinforce", A, "act rejection", refs={"resolves": "out"})


def test_value_that_was_only_told_has_not_changed() -> None:
    assert answer(TOLD, "current") == A
    assert answer(TOLD, "original") == A
    assert answer(TOLD, "previous") == "none"
    assert answer(TOLD, "change") == "no"
    assert answer(TOLD, "changes") == "0"
    assert answer(TOLD, "source") == "none"
    assert answers(TOLD, "temporal") == NO_CHANGE


def test_update_makes_the_old_value_the_previous_one() -> None:
    events = [*TOLD, UPDATE]
    assert [answer(events, each) for each in ("current", "previous", "original")] == [B, A, A]
    assert answer(events, "change") == "yes"
    assert answer(events, "source", rival=B) == "user"
    assert answers(events, "conflict", rival=B) == conflict("user", "accepted")
    assert answer(events, "status", rival=A) == "past"
    assert answers(events, "temporal") == {"direction": "old_to_new", "old": A, "new": B, **WHY}


def test_change_is_without_reason_where_the_text_gives_none() -> None:
    events = [*TOLD, {**UPDATE, "says": ["act", "value", "trigger"]}]
    assert answer(events, "trigger") == WHY["trigger"]
    assert answer(events, "reason") == "none"


def test_split_change_is_known_as_a_whole_once_both_parts_are_said() -> None:
    events = [*TOLD, PART_1, say("f", "remember", "Friday", of=OTHERS), PART_2]
    assert [answer(events, each) for each in ("current", "previous", "change", "changes")] == [B, A, "yes", "1"]
    assert answer(events, "source", rival=B) == "user"
    assert answers(events, "temporal") == {"direction": "old_to_new", "old": A, "new": B, **WHY}


def test_source_of_a_split_change_is_that_of_its_trigger() -> None:
    events = [*TOLD, {**PART_1, "speaker": "tool", "source": "tool"}, PART_2]
    assert answer(events, "source", rival=B) == "tool"
    assert answer(events, "source") == "tool"


def test_between_the_parts_the_current_value_is_unknown() -> None:
    events = [*TOLD, PART_1, PART_2]
    assert answer(events, "current", after=3) == "unknown"
    assert answer(events, "change", after=3) == "yes"
    assert answer(events, "previous", after=3) == A
    assert answers(events, "temporal", after=3) == NO_CHANGE
    assert answers(events, "conflict", after=3, rival=B) == conflict("none", "never_said", "no")
    assert answer(events, "status", after=3, rival=A) == "past"


def test_last_value_is_barred_between_the_parts() -> None:
    fields = [{"name": "value", "form": "value", "answer": "unknown", "accepts": [], "answers": [], "rivals": []}]
    probe = {"type": "current", "asks": {}, "after": 3, "gold": {"type": "current", "fields": fields}}
    (found,) = differences(suite([*TOLD, PART_1, PART_2], [probe]))
    assert (found.field, found.derived) == ("value.rivals", f"{A} may not be given")


def test_rollback_has_the_middle_value_as_the_previous_one() -> None:
    events = [*TOLD, UPDATE, BACK]
    assert [answer(events, each) for each in ("current", "previous", "original", "changes")] == [A, B, A, "2"]
    assert answer(events, "trajectory") == f"{A} {B} {A}"
    assert answer(events, "status", rival=A) == "accepted"
    found = answers(events, "temporal")
    assert found == {"direction": "old_to_new", "old": B, "new": A, "trigger": "the pilot ended", "reason": "none"}


def test_rollback_can_be_said_without_its_value() -> None:
    assert answer([*TOLD, UPDATE, {**BACK, "says": ["act"]}], "current") == A


def test_chain_keeps_only_the_value_before_as_the_previous_one() -> None:
    events = [*TOLD, UPDATE, say("w", "update", C, "act value reason", reason="the room is free")]
    assert [answer(events, each) for each in ("current", "previous", "original", "changes")] == [C, B, A, "2"]
    assert answer(events, "trajectory") == f"{A} {B} {C}"
    assert answers(events, "conflict", rival=B) == conflict("user", "past")
    assert answers(events, "temporal")["trigger"] == "none"
    assert answers(events, "temporal")["reason"] == "the room is free"


def test_correction_says_that_the_first_value_never_was_true() -> None:
    events = [*TOLD, say("c", "correct", B)]
    assert [answer(events, each) for each in ("current", "original", "previous", "change")] == [B, B, "none", "no"]
    assert answers(events, "conflict", rival=A) == conflict("user", "retracted")
    assert answer(events, "source", rival=B) == "user"
    assert answer(events, "source") == "none"
    assert answers(events, "temporal") == NO_CHANGE


def test_change_that_is_corrected_away_never_was_one() -> None:
    events = [*TOLD, UPDATE, say("c", "correct", A)]
    assert [answer(events, each) for each in ("current", "change", "changes", "previous")] == [A, "no", "0", "none"]
    assert answer(events, "status", rival=B) == "retracted"


def test_tool_contradicts_the_user_until_it_is_exposed_as_stale() -> None:
    events = [*TOLD, TOOL, EXPOSED]
    assert answer(events, "current", after=3) == f"uncertain {A} {R}"
    assert answer(events, "change", after=3) == "unknown"
    assert answers(events, "conflict", after=3, rival=R) == conflict("tool", "disputed")
    assert answers(events, "temporal", after=3) == NO_CHANGE
    assert answer(events, "current") == A
    assert answer(events, "change") == "no"
    assert answers(events, "conflict", rival=R) == conflict("stale_tool", "stale")
    assert answer(events, "source", rival=R) == "stale_tool"


def test_tool_that_is_confirmed_is_not_stale() -> None:
    events = [*TOLD, TOOL, say("yes", "update", R, refs={"resolves": "out"})]
    assert answer(events, "current") == R
    assert answer(events, "previous") == A
    assert answers(events, "conflict", rival=R) == conflict("user", "accepted")


def test_value_of_another_entity_does_not_apply() -> None:
    events = [*TOLD, say("o", "remember", R, of=MOBILE)]
    assert answer(events, "current") == A
    assert answer(events, "change") == "no"
    assert answers(events, "conflict", rival=R) == conflict("user", "other_entity", "no")


def test_value_of_another_attribute_was_never_said_of_this_one() -> None:
    events = [*TOLD, say("o", "remember", R, of=OTHERS)]
    assert answers(events, "conflict", rival=R) == conflict("none", "never_said", "no")


def test_rumour_is_unreliable() -> None:
    rumour = say("r", "challenge", R, "act value source", source="third_party", strength="weak")
    assert answer([*TOLD, rumour], "current") == A
    assert answers([*TOLD, rumour], "conflict", rival=R) == conflict("third_party", "unreliable")


def test_musing_of_the_user_is_hypothetical() -> None:
    events = [*TOLD, say("m", "challenge", R, strength="weak")]
    assert answer(events, "current") == A
    assert answer(events, "change") == "no"
    assert answers(events, "conflict", rival=R) == conflict("user", "hypothetical")


def test_document_does_not_stand_against_the_user() -> None:
    found = say("d", "challenge", R, "act value source", speaker="tool", source="document")
    assert answer([*TOLD, found], "current") == A
    assert answers([*TOLD, found], "conflict", rival=R) == conflict("document", "not_accepted")


def test_assistant_is_not_taken_over() -> None:
    events = [*TOLD, say("n", "challenge", R, speaker="assistant")]
    assert answer(events, "current") == A
    assert answers(events, "conflict", rival=R) == conflict("assistant", "not_accepted")


@pytest.mark.parametrize(
    ("holder", "challenger", "disputed"),
    [
        ("document", "user", True), ("document", "document", True), ("document", "third_party", False),
        ("third_party", "document", True), ("third_party", "assistant", False), ("assistant", "third_party", True),
        ("assistant", "assistant", True), ("tool", "user", True), ("tool", "document", False),
    ],
)  # fmt: skip
def test_challenge_counts_from_equal_standing_on(holder: str, challenger: str, disputed: bool) -> None:
    events = [say("e1", "remember", A, source=holder), say("c", "challenge", R, source=challenger)]
    assert answer(events, "current") == (f"uncertain {A} {R}" if disputed else A)
    assert answer(events, "status", rival=R) == ("disputed" if disputed else "not_accepted")


def test_two_equal_sources_leave_it_uncertain() -> None:
    events = [*TOLD, {**TOOL, "says": ["act", "value"]}]
    assert answer(events, "current") == f"uncertain {A} {R}"
    assert answer(events, "change") == "unknown"
    assert answer(events, "previous") == "none"
    assert answers(events, "conflict", rival=R) == conflict("tool", "disputed")
    assert answers(events, "premise", premise=A)["holds"] == "no"


def test_recall_does_not_move_the_state() -> None:
    recall = say("k", "reactivate", A, "act old")
    assert answer([*TOLD, recall], "change") == "no"
    assert answer([*TOLD, recall], "current") == A
    assert answer([*TOLD, recall, {**UPDATE, "session": 3}], "previous") == A


def test_forgotten_value_is_not_given_and_its_neighbour_is_kept() -> None:
    events = [*TOLD, say("n", "remember", "Friday", of=OTHERS), say("f", "forget", None, "act", scope="attribute")]
    assert answer(events, "current") == "forgotten"
    assert answer(events, "original") == "forgotten"
    assert answer(events, "trajectory") == "forgotten"
    named = [{**event, "target": "target" if event["attribute"] == "standup time" else "neighbour"} for event in events]
    assert answer(named, "current", about="neighbour") == "Friday"
    assert answer([*events, say("a", "remember", C)], "current") == C


def test_forgetting_an_entity_takes_all_its_attributes() -> None:
    events = [*TOLD, say("n", "remember", "Friday", of=OTHERS), say("o", "remember", R, of=MOBILE)]
    events.append(say("f", "forget", None, "act", scope="entity"))
    names = {TEAM: "target", OTHERS: "neighbour", MOBILE: "other"}
    named = [{**event, "target": names[event["entity"], event["attribute"]]} for event in events]
    assert [answer(named, "current", about=name) for name in names.values()] == ["forgotten", "forgotten", R]


def test_dependent_value_is_unknown_until_the_cascade_reaches_it() -> None:
    events = [*TOLD, say("d", "remember", "Friday", of=OTHERS), UPDATE]
    events.append(say("n", "update", "Monday", of=OTHERS, refs={"cascades": "u"}))
    named = [{**event, "target": "target" if event["attribute"] == "standup time" else "dependent"} for event in events]
    assert answer(named, "current", after=4, about="dependent") == "unknown"
    assert answer(named, "previous", after=4, about="dependent") == "Friday"
    assert answer(named, "change", after=4, about="dependent") == "unknown"
    assert answers(named, "temporal", after=4, about="dependent") == NO_CHANGE
    found = [answer(named, type, about="dependent") for type in ("current", "previous", "change")]
    assert found == ["Monday", "Friday", "yes"]


def test_value_holds_from_its_effective_date_on() -> None:
    events = [
        *TOLD,
        {**UPDATE, "effective": "2026-01-06", "says": ["act", "value", "date"]},
        *(say(f"z{n}", "remember", "Friday", of=OTHERS) for n in range(3)),
    ]
    assert answer(events, "current", after=4) == A
    assert answer(events, "current", after=5) == B
    assert answer(events, "as_of", as_of=4) == A
    assert answer(events, "as_of", as_of=5) == B


def test_value_as_of_a_day_is_the_last_one_accepted_by_then() -> None:
    events = [*TOLD, UPDATE, BACK]
    assert [answer(events, "as_of", as_of=number) for number in range(5)] == [A, A, A, B, A]


def test_said_former_value_proves_the_previous_one() -> None:
    events = [UPDATE, say("s", "mention", A, "act old")]
    assert [answer(events, each) for each in ("current", "previous", "original", "change")] == [B, A, A, "yes"]
    assert answer(events, "status", rival=A) == "past"


def test_premise_holds_only_of_the_current_value() -> None:
    assert answers([*TOLD, UPDATE], "premise", premise=A) == {"holds": "no", "value": B}
    assert answers([*TOLD, UPDATE], "premise", premise=B) == {"holds": "yes", "value": B}


def test_what_was_never_said_is_absent() -> None:
    events = [say("o", "remember", R, of=MOBILE, target="other"), say("k", "reflect", None, "act", target="target")]
    assert answer(events, "current") == "absent"
    assert answers(events, "conflict", rival=C) == conflict("none", "never_said", "no")


def test_files_that_do_not_say_what_a_member_is_are_reported() -> None:
    (found,) = differences(
        suite(TOLD, [{"type": "current", "asks": {"about": "neighbour"}, "gold": {"type": "current", "fields": []}}])
    )
    assert found.field == "*"
    assert "neighbour" in found.derived


# -- faults of the files ----------------------------------------------------------------------------------------


def test_sound_files_have_no_fault() -> None:
    made = suite(
        [*TOLD, PART_1, PART_2, {**TOOL, "value": C, "quote": f"It is {C}."}], [{"type": "current", "asks": {}}]
    )
    assert faults(made) == []
    assert oddities(made) == []


@pytest.mark.parametrize(
    ("event", "changes", "what"),
    [
        ("e1", {"value": "9:3"}, "is said and not in the quote"),
        ("e1", {"quote": "it is 9:30 or so"}, "does not stand in its turn"),
        ("e1", {"start": 5}, "does not stand in its turn"),
        ("e1", {"speaker": "tool"}, "the turn is the user's"),
        ("e1", {"session_id": "s99"}, "is said in no turn"),
        ("e1", {"turn_index": 4}, "is said in no turn"),
        ("p2", {"refs": '{"completes": "nothing"}'}, "which is no event"),
        ("p1", {"refs": '{"completes": "p2"}'}, "which comes later"),
    ],
)
def test_altered_row_is_a_fault(event: str, changes: Row, what: str) -> None:
    found = faults(altered(suite([*TOLD, PART_1, PART_2]), "e", event, **changes))
    assert any(what in each and event in each for each in found), found


def test_first_part_that_names_the_new_value_is_a_fault() -> None:
    found = faults(suite([*TOLD, {**PART_1, "quote": f"Lisbon joined, so {B}."}, PART_2]))
    assert found == [f"e p1: its session names the new value {B} in turn 0"]


@pytest.mark.parametrize(
    ("events", "what"),
    [
        ([*TOLD, say("u", "update", A)], "changes 9:30 to itself"),
        ([*TOLD, say("u", "remember", B)], "is no change"),
        ([*TOLD, say("u", "update", B, strength="weak")], "weak and accepted"),
        ([*TOLD, UPDATE, {**BACK, "value": C}], "was not told there"),
        ([*TOLD, say("s", "mention", A, "act old")], "past, which holds"),
    ],
)
def test_incoherent_timeline_is_odd(events: Sequence[Row], what: str) -> None:
    (found,) = oddities(suite(events))
    assert what in found


def test_correction_without_the_right_value_leaves_it_unknown() -> None:
    events = [*TOLD, say("c", "correct", B, "act"), say("d", "correct", B)]
    assert answer(events, "current", after=3) == "unknown"
    assert answer(events, "change", after=3) == "no"
    assert answer(events, "status", after=3, rival=A) == "retracted"
    assert answer(events, "current") == B


def test_two_announced_changes_count_as_two() -> None:
    events = [*TOLD, PART_1, {**PART_1, "event_id": "q1"}, {**PART_2, "refs": '{"completes": "q1"}'}]
    assert answer(events, "changes", after=4) == "2"
    assert answer(events, "changes") == "2"
    assert answer(events, "previous") == A


def test_mention_that_the_standing_value_is_past_proves_a_change_and_moves_nothing() -> None:
    events = [*TOLD, say("s", "mention", A, "act old")]
    assert answer(events, "change") == "yes"
    assert answer(events, "status", rival=A) == "past"
    assert answers(events, "temporal") == NO_CHANGE


def test_evidence_is_tried_without_each_group() -> None:
    whole = suite([*TOLD, UPDATE], [{"type": "current", "asks": {}}])
    atoms = [{"event": "u", "facet": "value"}], [{"event": "e1", "facet": "value"}]
    proofs = [[{"field": "value", "groups": [{"need": 1, "of": group}]}] for group in atoms]
    found = [unproved(replace(whole, probes=[{**whole.probes[0], "evidence": json.dumps(proof)}])) for proof in proofs]
    assert found[0] == []
    assert f"the first of each group give {A}, not {B}" in found[1][0]
    assert f"{B} follows without" in found[1][-1]
