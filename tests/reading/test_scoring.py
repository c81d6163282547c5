from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from suitegen.model.gold import Gold, GoldField
from suitegen.reading.scoring import Score, score


def value(
    answer: str, *rivals: str, kind: str = "name", type: str = "current", name: str = "value", accepts=()
) -> Gold:
    field = GoldField(
        name=name,
        form="value",
        answer=answer,
        accepts=(answer, *accepts),
        rivals=tuple((rival,) for rival in rivals),
        kind=kind,
    )
    return Gold(type=type, fields=(field,))


def refusal(answer: str, *rivals: str, kind: str = "name", type: str = "current") -> Gold:
    field = GoldField(name="value", form="value", answer=answer, rivals=tuple((rival,) for rival in rivals), kind=kind)
    return Gold(type=type, fields=(field,))


def points(reply: object, gold: Gold) -> float | None:
    return score({"value": reply}, gold).points


GYM = value("Pulse Factory", "Northgate Barbell", "Halden Sports Club", accepts=("Pulse",))
FORMER = value("Pulse Factory", "Northgate Barbell", type="previous")


@pytest.mark.parametrize(
    "reply",
    [
        "Pulse Factory",
        "pulse factory.",
        "It's Pulse Factory now.",
        "Pulse",
        "It is Pulse Factory, no longer Northgate Barbell.",
        "Pulse Factory (used to be Northgate Barbell)",
        "Pulse Factory, not Northgate Barbell",
        "They moved from Northgate Barbell to Pulse Factory",
        "It was Northgate Barbell before, and is Pulse Factory now.",
        "The user trains at Pulse Factory instead of Northgate Barbell",
        "Pulse Factory; previously Northgate Barbell",
        "It was Northgate Barbell until March, now it's Pulse Factory",
        "Pulse Factory isn't what it was, but still Pulse Factory",
        "Pulse Fact0ry",
    ],
)
def test_a_reply_is_right_when_it_states_the_value_and_no_rival(reply: str) -> None:
    assert points(reply, GYM) == 1.0


@pytest.mark.parametrize(
    "reply",
    [
        "Northgate Barbell",
        "Pulse Factory or Northgate Barbell",
        "Pulse Factory, Northgate Barbell, Halden Sports Club",
        "It is Northgate Barbell, no longer Pulse Factory.",
        "It used to be Pulse Factory.",
        "not Pulse Factory",
        "from Pulse Factory to Northgate Barbell",
        "some gym in town",
        "I don't know",
        "Impulse Factoryland",
    ],
)
def test_a_reply_is_wrong_when_it_states_a_rival_or_not_the_value(reply: str) -> None:
    assert points(reply, GYM) == 0.0


@pytest.mark.parametrize(
    "reply",
    [
        "Pulse Factory",
        "It was Pulse Factory; now it is Northgate Barbell.",
        "Northgate Barbell, formerly Pulse Factory",
        "It used to be Pulse Factory.",
    ],
)
def test_a_former_value_may_be_told_as_past(reply: str) -> None:
    assert points(reply, FORMER) == 1.0


@pytest.mark.parametrize(
    "reply",
    ["Northgate Barbell", "It was Northgate Barbell; now it is Pulse Factory.", "Pulse Factory or Northgate Barbell"],
)
def test_the_present_value_is_no_former_one(reply: str) -> None:
    assert points(reply, FORMER) == 0.0


@pytest.mark.parametrize(
    ("gold", "right", "wrong"),
    [
        (
            value("15:00", "16:00", kind="time"),
            ["3 pm", "15:00", "at 3 p.m.", "three o'clock in the afternoon"],
            ["3:15 pm", "4 pm", "16:00"],
        ),
        (value("Room 2", "Room 21", kind="name"), ["Room 2", "it's in Room 2."], ["Room 21", "Room 12", "Room"]),
        (
            value("3", "30", "13", kind="number"),
            ["3", "three", "3 retries", "three, since 5 March 2026"],
            ["30", "13", "-3", "2"],
        ),
        (
            value("1200 euros", "1500 euros", kind="quantity"),
            ["€1,200", "1,200.00 euros", "1200 EUR", "1200"],
            ["12 euros", "1500 euros", "1200 dollars"],
        ),
        (
            value("2026-01-03", "2026-03-01", kind="date"),
            ["January 3, 2026", "3 Jan 2026", "2026-01-03"],
            ["1 March 2026", "3 January 2025"],
        ),
        (
            value("release/4.2", "release/4.20", kind="identifier"),
            ["release/4.2", "`release/4.2`"],
            ["release/4.20", "release/4"],
        ),
        (
            value("oat milk", "soy milk", kind="choice"),
            ["oat milk", "Oat milk, as always"],
            ["soy milk", "milk", "soy, not oat milk"],
        ),
    ],
)
def test_values_are_compared_by_their_kind(gold: Gold, right: list[str], wrong: list[str]) -> None:
    assert [points(reply, gold) for reply in right] == [1.0] * len(right)
    assert [points(reply, gold) for reply in wrong] == [0.0] * len(wrong)


def test_a_misspelled_name_counts_unless_a_rival_is_as_close() -> None:
    assert points("Wanjiro Otieno", value("Wanjiru Otieno", "Elif Demir")) == 1.0
    assert points("Anne Berg", value("Anna Berg", "Anni Berg")) == 0.0
    assert points("oat milc", value("oat milk", "soy milk", kind="choice")) == 0.0
    assert points("Gate 13", value("Gate 12", "Gate 7")) == 0.0


REFUSING = [
    "unknown",
    "I don't know.",
    "none",
    "There was none",
    "not mentioned",
    "You never told me",
    "n/a",
    "absent",
    "forgotten",
    "No idea",
]


@pytest.mark.parametrize("answer", ["none", "unknown", "absent", "forgotten"])
@pytest.mark.parametrize("reply", REFUSING)
def test_every_refusal_accepts_the_same_replies(answer: str, reply: str) -> None:
    assert points(reply, refusal(answer, "Pulse Factory")) == 1.0


@pytest.mark.parametrize("answer", ["none", "unknown", "absent", "forgotten"])
@pytest.mark.parametrize(
    "reply", ["Pulse Factory", "I don't know, maybe Pulse Factory", "unknown: Pulse Factory", "Ironworks"]
)
def test_a_refusal_that_gives_a_value_is_wrong(answer: str, reply: str) -> None:
    assert points(reply, refusal(answer, "Pulse Factory")) == 0.0


def test_what_was_forgotten_may_not_be_told_even_as_past() -> None:
    told = "It used to be Pulse Factory, but I was asked to forget it; unknown."
    assert points(told, refusal("forgotten", "Pulse Factory")) == 0.0
    assert points("It's no longer Pulse Factory; the new one is unknown", refusal("unknown", "Pulse Factory")) == 1.0


def test_a_present_value_beside_no_former_one_is_no_answer_in_its_place() -> None:
    gold = refusal("none", "Pulse Factory", type="previous")
    assert points("none, it is still Pulse Factory", gold) == 1.0
    assert points("Pulse Factory", gold) == 0.0


def test_a_dispute_needs_every_value_and_no_other() -> None:
    field = GoldField(
        name="value",
        form="value",
        answer="uncertain",
        answers=(("11:20",), ("14:45",)),
        rivals=(("9:00",),),
        kind="time",
    )
    gold = Gold(type="current", fields=(field,))
    assert points("uncertain: 11:20 or 14:45", gold) == 1.0
    assert points("11:20 and 14:45 contradict each other", gold) == 1.0
    assert points("You said 11:20, the record says 2:45 pm", gold) == 1.0
    assert points("uncertain", gold) == 0.0
    assert points("11:20", gold) == 0.0
    assert points("14:45, not 11:20", gold) == 0.0
    assert points("11:20, 14:45 or 9:00", gold) == 0.0


def one(name: str, form: str, answer: str, type: str, **more: object) -> Gold:
    return Gold(type=type, fields=(GoldField(name=name, form=form, answer=answer, **more),))


@pytest.mark.parametrize(
    ("answer", "reply", "right"),
    [
        ("yes", "yes", True),
        ("yes", "True", True),
        ("yes", True, True),
        ("no", False, True),
        ("no", "No.", True),
        ("yes", "no", False),
        ("yes", "yes and no", False),
        ("unknown", "unknown", True),
        ("third_party", "third party", True),
        ("third_party", "Third-Party", True),
        ("stale_tool", "tool", False),
        ("none", None, False),
        ("none", "null", False),
        ("user", "user, assistant, tool", False),
    ],
)
def test_words_of_a_list_are_compared_whole(answer: str, reply: object, right: bool) -> None:
    assert score({"f": reply}, one("f", "enum", answer, "change")).points == float(right)


@pytest.mark.parametrize(
    ("reply", "right"),
    [
        ("2", True),
        ("two", True),
        ("twice", True),
        ("It changed 2 times.", True),
        (2, True),
        ("3", False),
        ("2 or 3", False),
        ("once", False),
        ("never", False),
    ],
)
def test_counts_may_be_words(reply: object, right: bool) -> None:
    assert score({"count": reply}, one("count", "count", "2", "changes", kind="number")).points == float(right)


@pytest.mark.parametrize("reply", ["0", "none", "never", "It did not change, so zero."])
def test_no_change_is_zero_changes(reply: str) -> None:
    assert score({"count": reply}, one("count", "count", "0", "changes", kind="number")).points == 1.0


def test_a_change_is_matched_by_its_keys_alone() -> None:
    gold = one(
        "trigger",
        "change",
        "the yearly fee came due",
        "trigger",
        accepts=("yearly fee", "fees"),
        rivals=(("shoulder",), ("river", "the flat")),
    )
    for reply, right in {
        "The yearly fee came due": 1.0,
        "because of yearly fees": 1.0,
        "the shoulder hurt": 0.0,
        "the yearly fee, or the shoulder": 0.0,
        "you should know": 0.0,
        "the river and the yearly fee": 0.0,
        "yearly, a fee": 0.0,
    }.items():
        assert score({"trigger": reply}, gold).points == right, reply
    assert score({"trigger": "Since the yearly fee came due I should move"}, gold).points == 1.0


def test_no_trigger_is_a_refusal() -> None:
    gold = one("trigger", "change", "none", "trigger", rivals=(("yearly fee",),))
    assert score({"trigger": "none"}, gold).points == 1.0
    assert score({"trigger": "I don't know, perhaps the yearly fee"}, gold).points == 0.0
    assert score({"trigger": "the weather"}, gold).points == 0.0


def test_a_trajectory_is_right_in_order_only() -> None:
    gold = one(
        "values", "values", "A -> B -> A", "trajectory", answers=(("Ada",), ("Bo",), ("Ada",)), rivals=(("Cy",),)
    )
    assert score({"values": ["Ada", "Bo", "Ada"]}, gold).points == 1.0
    assert score({"values": "Ada -> Bo -> Ada"}, gold).points == 1.0
    assert score({"values": "first Ada, then Bo, and Ada again"}, gold).points == 1.0
    for reply in ("Ada, Bo", "Bo, Ada", "Ada, Bo, Ada, Cy", "Ada, Ada, Bo", "Ada"):
        assert score({"values": reply}, gold).points == 0.0


TEMPORAL = Gold(
    type="temporal",
    fields=(
        GoldField(name="direction", form="enum", answer="old_to_new"),
        GoldField(name="old", form="value", answer="Ada", accepts=("Ada",), rivals=(("Bo",),), kind="name"),
        GoldField(name="new", form="value", answer="Bo", accepts=("Bo",), rivals=(("Ada",),), kind="name"),
        GoldField(name="trigger", form="change", answer="x", accepts=("the merger",)),
        GoldField(name="reason", form="change", answer="y", accepts=("fewer meetings",)),
    ),
)


def test_partial_credit_is_for_probes_of_several_facts_only() -> None:
    given = {"direction": "old_to_new", "old": "Ada", "new": "Bo", "trigger": "the merger", "reason": "no idea"}
    assert score(given, TEMPORAL) == Score(
        0.8, {"direction": 1.0, "old": 1.0, "new": 1.0, "trigger": 1.0, "reason": 0.0}, True
    )
    premise = Gold(
        type="premise",
        fields=(
            GoldField(name="holds", form="enum", answer="no"),
            GoldField(name="value", form="value", answer="Bo", accepts=("Bo",)),
        ),
    )
    assert score({"holds": "no", "value": "Ada"}, premise).points == 0.0
    assert score({"holds": "no", "value": "Bo"}, premise).points == 1.0


def test_a_missing_field_is_wrong_and_the_others_count() -> None:
    found = score({"direction": "old_to_new"}, TEMPORAL)
    assert found.parsed
    assert found.points == pytest.approx(0.2)


@pytest.mark.parametrize(
    "answer", ["", "   ", {}, {"other": "Pulse Factory"}, [], 7.5j, {"value": ""}, {"value": {}}, "{}"]
)
def test_what_cannot_be_read_is_excluded_and_not_wrong(answer: object) -> None:
    assert score(answer, GYM) == Score(None, {}, False)


def test_plain_text_is_no_answer_to_several_fields() -> None:
    assert score("It went from Ada to Bo because of the merger", TEMPORAL) == Score(None, {}, False)


@pytest.mark.parametrize(
    "answer",
    [
        "Pulse Factory",
        json.dumps({"value": "Pulse Factory"}),
        '```json\n{"value": "Pulse Factory"}\n```',
        'Here you go:\n{"value": "Pulse Factory", "note": "a } in text"}\nAnything else?',
        '~~~\n{"Value": "Pulse Factory"}\n~~~\n\n',
        {"value": ["Pulse Factory"]},
        '{"value": "Pulse\nFactory"}',
    ],
)
def test_replies_come_in_many_wrappings(answer: object) -> None:
    assert score(answer, GYM).points == 1.0


def test_listing_everything_never_scores() -> None:
    everything = "Pulse Factory, Northgate Barbell, Halden Sports Club, none, unknown, forgotten"
    for gold in (GYM, FORMER, refusal("none", "Pulse Factory"), refusal("forgotten", "Northgate Barbell")):
        assert points(everything, gold) == 0.0


_NAMES = ["Pulse Factory", "Northgate Barbell", "Halden Sports Club", "Corewell Athletics"]


@settings(max_examples=100, deadline=None)
@given(
    st.permutations(_NAMES),
    st.sampled_from(["{}", "It's {}.", "{} now", "I think it is {}", "currently {}, as far as I know"]),
)
def test_exactly_the_gold_is_right(order: list[str], wording: str) -> None:
    gold = value(order[0], *order[1:])
    assert [points(wording.format(name), gold) for name in order] == [1.0, 0.0, 0.0, 0.0]


@settings(max_examples=200, deadline=None)
@given(
    st.text(max_size=60)
    | st.none()
    | st.integers()
    | st.lists(st.text(max_size=5), max_size=3)
    | st.dictionaries(st.text(max_size=6), st.text(max_size=9), max_size=3)
)
def test_any_answer_gets_a_score(answer: object) -> None:
    for gold in (GYM, TEMPORAL, refusal("none", "Pulse Factory"), one("count", "count", "2", "changes", kind="number")):
        found = score(answer, gold)
        assert found.parsed == (found.points is not None)
        assert found.points is None or 0.0 <= found.points <= 1.0
