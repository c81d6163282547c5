"""Typing and layout: one user types in one way, and nothing but letters' case and an answer's layout differs."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from suitegen.model.catalog import Catalog
from suitegen.model.history import Span, Turn, Written
from suitegen.model.latent import LatentSpec
from suitegen.model.surface import Layout
from suitegen.writing.deal import Place
from suitegen.writing.layout import laid_out
from suitegen.writing.offline import OfflineWriter
from suitegen.writing.typing import typed

LAYOUT = Layout(leads=("My list:",), closes=("Does that help?",))
ANSWER = "Pack the bag first. Then sleep. Leave early."


def seeds(catalog: Catalog) -> tuple[int, int]:
    """A draw whose user begins with capitals, and one whose user does not."""
    begun = {said(catalog, seed, "Can you help?"): seed for seed in range(40)}
    return begun["Can you help?"], begun["can you help?"]


def said(catalog: Catalog, seed: int, text: str, *values: str) -> str:
    turns = (Turn(role="user", content=text), Turn(role="assistant", content="okay."))
    written = Written(turns=turns, spans=(Span(event="e", turn=0, start=0, end=len(text)),))
    found = typed(written, seed, catalog.fact_types["gym"], catalog.surfaces["en"], values)
    assert found.spans == written.spans
    assert found.turns[1] == turns[1]
    return found.turns[0].content


@pytest.mark.parametrize(
    ("text", "careful", "small"),
    [
        ("can you help? i can't", "Can you help? I can't", "can you help? i can't"),
        ("Can you help? The rest is easy.", "Can you help? The rest is easy.", "can you help? the rest is easy."),
        ("Zebulon says so.", "Zebulon says so.", "Zebulon says so."),
        ("The Lift Room is mine. the end", "The Lift Room is mine. The end", "The Lift Room is mine. the end"),
        ("iron is my gym. so there", "iron is my gym. So there", "iron is my gym. so there"),
    ],
)
def test_sentences_begin_as_the_user_begins_them(text: str, careful: str, small: str, catalog: Catalog) -> None:
    for seed, wanted in zip(seeds(catalog), (careful, small), strict=True):
        assert said(catalog, seed, text, "The Lift Room", "iron") == wanted


def test_a_user_has_one_habit_in_all_sessions(
    catalog: Catalog, writer: OfflineWriter, make_spec: Callable[..., LatentSpec]
) -> None:
    for seed, small in zip(seeds(catalog), (False, True), strict=True):
        spec = make_spec("gym", *[[{"op": "remember", "value": "initial"}], "near_miss"] * 6, seed=seed)
        written = [writer.write(spec, plan, 0) for plan in spec.sessions]
        begun = [turn.content[0].islower() for session in written for turn in session.turns if turn.role == "user"]
        assert any(begun) if small else not any(begun)


def test_an_answer_is_laid_out_in_several_ways_and_keeps_its_sentences() -> None:
    found = {laid_out(ANSWER, LAYOUT, Place(seed, "slot", 0, 0)) for seed in range(60)}
    assert ANSWER in found
    assert "My list:\n\n- Pack the bag first.\n- Then sleep.\n- Leave early." in found
    assert "Pack the bag first. Then sleep.\n\nLeave early.\n\nDoes that help?" in found
    assert all(
        sentence in text for text in found for sentence in ("Pack the bag first.", "Then sleep.", "Leave early.")
    )


@pytest.mark.parametrize(
    "text", ["Short. Very.", 'Write "Dear all." Then sign. Then send.', "Run `ls`. Look. Read.", "One. two. Three."]
)
def test_what_has_a_form_of_its_own_keeps_it(text: str) -> None:
    assert {laid_out(text, LAYOUT, Place(seed, "slot", 0, 0)).partition("\n")[0] for seed in range(30)} == {text}


def test_without_a_layout_answers_stay_as_they_are() -> None:
    assert {laid_out(ANSWER, None, Place(seed, "slot", 0, 0)) for seed in range(30)} == {ANSWER}
