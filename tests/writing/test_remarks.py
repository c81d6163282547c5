"""Remarks: what sessions without a fact say, and what surrounds it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from suitegen.errors import DesignError
from suitegen.model.catalog import Catalog
from suitegen.model.history import Written
from suitegen.model.latent import Frame, LatentSpec
from suitegen.model.surface import Aside
from suitegen.model.words import SessionKind
from suitegen.values.lexicon import Lexicon
from suitegen.writing.offline import OfflineWriter

REMEMBER = {"op": "remember", "value": "initial"}
UPDATE = {"op": "update", "value": "new", "says": ("act", "value", "trigger", "reason")}


def framed(spec: LatentSpec, frame: Frame, *kinds: SessionKind, elsewhere: tuple[str, ...] = ()) -> LatentSpec:
    """The spec with a frame for each session that says nothing."""
    plans = tuple(
        plan if plan.events or plan.kind == "event" else plan.model_copy(update={"frame": frame})
        for plan in spec.sessions
    )
    return spec.model_copy(update={"sessions": plans, "elsewhere": elsewhere})


def quiet(writer: OfflineWriter, spec: LatentSpec, attempt: int = 0) -> list[Written]:
    return [writer.write(spec, plan, attempt) for plan in spec.sessions if plan.kind != "event"]


def user(written: Written) -> str:
    return "\n".join(turn.content for turn in written.turns if turn.role == "user")


def test_what_is_said_in_passing_runs_from_the_user_to_the_assistant_without_a_scene(
    writer: OfflineWriter, make_spec: Callable[..., LatentSpec]
) -> None:
    spec = make_spec("gym", [REMEMBER], "near_miss")
    whole = writer.write(spec, spec.sessions[0], 0)
    passing = writer.write(spec, spec.sessions[0].model_copy(update={"frame": "host"}), 0)
    assert [turn.role for turn in passing.turns] == ["user", "assistant"]
    assert len(passing.turns) < len(whole.turns)
    (span,) = passing.spans
    assert "Ironbark" in passing.turns[span.turn].content[span.start : span.end]


def test_in_passing_a_near_miss_is_about_the_surroundings_and_background_never(
    catalog: Catalog, writer: OfflineWriter, make_spec: Callable[..., LatentSpec]
) -> None:
    clauses = ("the gym I go to has terrible parking", "my gym smells of rubber")
    gym = catalog.fact_types["gym"].model_copy(update={"surroundings": clauses})
    changed = replace(catalog, fact_types={**catalog.fact_types, "gym": gym})
    writer = OfflineWriter(changed)
    near = framed(make_spec("gym", [REMEMBER], *["near_miss"] * 8), "host")
    assert all(any(clause[1:] in user(text) for clause in clauses) for text in quiet(writer, near))
    far = framed(make_spec("gym", [REMEMBER], *["background"] * 8), "host")
    assert not any("gym" in user(text).casefold() for text in quiet(writer, far))


def test_background_has_scenes_of_other_fact_types(
    writer: OfflineWriter, lexicon: Lexicon, make_spec: Callable[..., LatentSpec]
) -> None:
    elsewhere = ("standup_time", "retry_limit")
    spec = framed(make_spec("gym", [REMEMBER], *["background"] * 6), "scene", elsewhere=elsewhere)
    texts = quiet(writer, spec)
    assert len({text.turns for text in texts}) == 6
    for text in texts:
        said = "\n".join(turn.content for turn in text.turns)
        assert "gym" not in said.casefold()
        assert not any(lexicon.values_of(name).mentions(said) for name in (*elsewhere, "gym"))
    assert any("standup" in user(text).casefold() for text in texts)


def test_another_try_is_another_text(writer: OfflineWriter, make_spec: Callable[..., LatentSpec]) -> None:
    spec = framed(make_spec("gym", [REMEMBER], "near_miss", "background"), "host")
    assert all(a != b for a, b in zip(quiet(writer, spec, 0), quiet(writer, spec, 1), strict=True))


def test_a_remark_is_told_as_a_change_where_the_facts_are(
    catalog: Catalog, make_spec: Callable[..., LatentSpec]
) -> None:
    told = Aside(state="my hat is red", state_new="my hat is red now", trigger="the old one sank", reason="it floats")
    surfaces = catalog.surfaces["en"].model_copy(update={"asides": (told,)})
    writer = OfflineWriter(replace(catalog, surfaces={"en": surfaces}))
    changing = framed(make_spec("gym", [UPDATE], *["background"] * 4), "host")
    for text in quiet(writer, changing):
        assert all(part in user(text).casefold() for part in ("hat is red now", "the old one sank", "it floats"))
    steady = framed(make_spec("gym", [REMEMBER], *["background"] * 4), "host")
    assert all("hat is red" in user(text) and "now" not in user(text) for text in quiet(writer, steady))


def test_surfaces_without_a_line_for_remarks_are_an_error(
    catalog: Catalog, make_spec: Callable[..., LatentSpec]
) -> None:
    surfaces = catalog.surfaces["en"]
    phrases = tuple(phrase for phrase in surfaces.phrases if "remember" not in phrase.op)
    writer = OfflineWriter(replace(catalog, surfaces={"en": surfaces.model_copy(update={"phrases": phrases})}))
    spec = framed(make_spec("gym", "background"), "host")
    with pytest.raises(DesignError, match="small fact"):
        writer.write(spec, spec.sessions[0], 0)
