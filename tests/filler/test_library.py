from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from suitegen.errors import AuthorError, TemplateError
from suitegen.filler.digest import content_hash
from suitegen.filler.library import Library
from suitegen.model.background import Script


def script(**changes: object) -> Script:
    plain: dict[str, object] = {
        "id": "bread",
        "slots": {"flour_name": ["rye", "spelt"], "flour_tip": ["wait longer", "knead less"], "fault": ["flat", "dry"]},
        "turns": [
            {"user": ["My {{ flour_name }} loaf is {{ fault }}", "Help with bread"]},
            {"assistant": ["You should {{ flour_tip }}.", "Let me think."]},
            {"user": ["And the crust?"]},
            {"assistant": ["Steam.", "A hot oven."]},
        ],
        "optional": [2],
    }
    return Script.model_validate({**plain, **changes})


def test_a_script_gives_as_many_dialogues_as_it_counts() -> None:
    library = Library([script()])
    texts = {content_hash(library.dialogue(0, number).turns) for number in range(library.counts[0])}
    # Both slots of the flour (2) and the fault (2) show in line 1, the flour alone in the answer.
    short = 2 * 2 + 2 * 2 + 2 + 1
    assert library.counts == (short * 2 + short,)
    assert len(texts) == library.counts[0]


def test_slots_with_a_common_first_part_are_drawn_together() -> None:
    library = Library([script()])
    told = {
        (turns[0].content, turns[1].content)
        for number in range(library.counts[0])
        for turns in [library.dialogue(0, number).turns]
        if "loaf" in turns[0].content and "should" in turns[1].content
    }
    assert {(first.split()[1], second) for first, second in told} == {
        ("rye", "You should wait longer."),
        ("spelt", "You should knead less."),
    }


def test_a_dialogue_names_its_script_and_licence() -> None:
    written = Library([script(license="CC-BY-4.0")]).dialogue(0, 0)
    assert (written.origin, written.license, written.spans) == ("library:bread", "CC-BY-4.0", ())


def test_optional_exchanges_are_left_out_with_their_replies() -> None:
    library = Library([script()])
    lengths = {len(library.dialogue(0, number).turns) for number in range(library.counts[0])}
    assert lengths == {2, 4}


def test_a_tool_turn_keeps_the_tools_name() -> None:
    turns = [{"user": ["a"]}, {"assistant": ["b"]}, {"tool": ["{}"], "name": "weather"}, {"assistant": ["c"]}]
    written = Library([script(slots={}, turns=turns, optional=[])]).dialogue(0, 0)
    assert [(turn.role, turn.name) for turn in written.turns] == [
        ("user", None),
        ("assistant", None),
        ("tool", "weather"),
        ("assistant", None),
    ]


@pytest.mark.parametrize("number", [-1, 10**9])
def test_there_is_no_dialogue_outside_the_count(number: int) -> None:
    with pytest.raises(IndexError):
        Library([script()]).dialogue(0, number)


def test_slots_that_do_not_fit_the_lines_are_all_named() -> None:
    with pytest.raises(AuthorError) as caught:
        Library([script(slots={"fault": ["flat"], "spare": ["x"]})])
    assert caught.value.problems == (
        "script 'bread': there is no slot 'flour_name'",
        "script 'bread': there is no slot 'flour_tip'",
        "script 'bread': no line uses the slot 'spare'",
    )


def test_a_line_that_is_no_template_names_its_script_and_turn() -> None:
    turns = [{"user": ["{{ fault"]}, {"assistant": ["b"]}, {"user": ["c"]}, {"assistant": ["d"]}]
    with pytest.raises(TemplateError) as caught:
        Library([script(turns=turns, slots={"fault": ["flat"]}, optional=[])])
    assert "'bread', turn 0" in caught.value.where


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"turns": [{"assistant": ["a"]}, {"user": ["b"]}] * 2, "optional": []}, "starts with a user turn"),
        ({"turns": [{"user": ["a"]}, {"user": ["b"]}, {"user": ["b"]}, {"assistant": ["c"]}]}, "cannot follow"),
        ({"turns": [{"user": ["a"], "tool": ["b"]}] * 4}, "exactly one of"),
        ({"turns": [{"user": ["a"]}, {"tool": ["b"]}, {"assistant": ["c"]}, {"user": ["d"]}]}, "has a name"),
        ({"optional": [0]}, "not the index of a user turn"),
        ({"optional": [3]}, "not the index of a user turn"),
        ({"slots": {"flour_name": ["rye"], "flour_tip": ["a", "b"], "fault": ["c"]}}, "equally many"),
    ],
)
def test_an_incoherent_script_is_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(ValidationError, match=message):
        script(**changes)


@st.composite
def scripts(draw: st.DrawFn) -> Script:
    """Small scripts whose alternatives all differ."""
    slots = {f"s{i}": [f"v{i}.{j}" for j in range(draw(st.integers(1, 3)))] for i in range(draw(st.integers(0, 3)))}
    turns: list[dict[str, object]] = []
    for index in range(draw(st.sampled_from([4, 6]))):
        lines = [
            f"t{index}.{k} " + " ".join(f"{{{{ {name} }}}}" for name in slots if draw(st.booleans()))
            for k in range(draw(st.integers(1, 2)))
        ]
        turns.append({"user" if index % 2 == 0 else "assistant": lines})
    turns[0] = {"user": [" ".join(["start", *(f"{{{{ {name} }}}}" for name in slots)]), "other start"]}
    optional = [index for index in range(2, len(turns), 2) if draw(st.booleans())]
    return Script.model_validate({"id": "any", "slots": slots, "turns": turns, "optional": optional})


@given(scripts())
@settings(max_examples=60, deadline=None)
def test_every_number_is_another_text_with_roles_in_turn(drawn: Script) -> None:
    library = Library([drawn])
    numbers = range(min(library.counts[0], 400))
    written = [library.dialogue(0, number) for number in numbers]
    assert len({content_hash(each.turns) for each in written}) == len(numbers)
    for each in written:
        roles = [turn.role for turn in each.turns]
        assert (roles[0], roles[-1]) == ("user", "assistant")
        assert all(before != after for before, after in pairwise(roles))
        assert not any("{{" in turn.content for turn in each.turns)
