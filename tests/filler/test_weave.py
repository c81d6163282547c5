from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from suitegen.filler.digest import content_hash
from suitegen.filler.weave import weave
from suitegen.model.history import Role, Span, Turn, Written
from suitegen.model.latent import LatentSpec

Make = Callable[..., LatentSpec]
ROLES: tuple[Role, ...] = ("user", "assistant")


@st.composite
def texts(draw: st.DrawFn) -> list[Written]:
    """Sessions with events somewhere in their turns; any text, astral characters and joiners included."""
    out = []
    for index in range(draw(st.integers(1, 6))):
        said = draw(st.lists(st.text(min_size=1, max_size=12), min_size=2, max_size=4))
        turns = tuple(Turn(role=ROLES[n % 2], content=text) for n, text in enumerate(said))
        spans = []
        for number in range(draw(st.integers(0, 2))):
            turn = draw(st.integers(0, len(turns) - 1))
            start = draw(st.integers(0, len(said[turn]) - 1))
            end = draw(st.integers(start + 1, len(said[turn])))
            spans.append(Span(event=f"e{index}.{number}", turn=turn, start=start, end=end))
        out.append(Written(turns=turns, spans=tuple(spans), origin=f"o{index}", license="MIT"))
    return out


@given(texts())
@settings(max_examples=60, deadline=None)
def test_spans_resolve_in_the_woven_text(spec: Make, sessions: list[Written]) -> None:
    woven = weave(spec([f"s.{n}" for n in range(len(sessions))]), dict(enumerate(sessions)), "ep")
    by_id = {session.session_id: session for session in woven.sessions}
    assert len(woven.spans) == sum(len(each.spans) for each in sessions)
    for span in woven.spans:
        session = by_id[span.session_id]
        assert session.index == span.session
        assert session.turns[span.turn].content[span.start : span.end] == span.quote
        assert span.quote
    assert [(s.session, s.turn, s.start) for s in woven.spans] == sorted(
        (s.session, s.turn, s.start) for s in woven.spans
    )


@given(texts())
@settings(max_examples=40, deadline=None)
def test_sessions_stand_in_order_with_their_dates_and_turns(spec: Make, sessions: list[Written]) -> None:
    about = spec([f"s.{n}" for n in range(len(sessions))])
    woven = weave(about, dict(enumerate(sessions)), "ep")
    assert [session.index for session in woven.sessions] == list(range(len(sessions)))
    assert [session.timestamp for session in woven.sessions] == [plan.timestamp for plan in about.sessions]
    assert [session.turns for session in woven.sessions] == [each.turns for each in sessions]
    for session, placement, source in zip(woven.sessions, woven.placements, sessions, strict=True):
        assert placement.session_id == session.session_id
        assert (placement.first_turn, placement.last_turn) == (0, len(source.turns) - 1)
        assert (placement.origin, placement.license) == (source.origin, source.license)
        assert placement.content_hash == content_hash(session.turns)


def plain(spec: LatentSpec, episode: str = "ep") -> list[str]:
    text = Written(turns=(Turn(role="user", content="a"), Turn(role="assistant", content="b")))
    woven = weave(spec, {plan.index: text for plan in spec.sessions}, episode)
    return [session.session_id for session in woven.sessions]


def test_ids_show_nothing_of_the_place(spec: Make) -> None:
    ids = plain(spec([f"filler.{n}" for n in range(200)]))
    assert len(set(ids)) == 200
    assert all(re.fullmatch(r"s[0-9a-f]{12}", name) for name in ids)
    assert ids != sorted(ids)


def test_ids_depend_on_the_draw_the_member_the_slot_and_the_episode(spec: Make) -> None:
    base = plain(spec())
    others = [plain(spec(seed=8)), plain(spec(variant="low")), plain(spec(("a", "b", "c"))), plain(spec(), "other")]
    assert plain(spec()) == base
    assert all(set(base).isdisjoint(ids) for ids in others)


def test_kinds_do_not_move_an_id(spec: Make) -> None:
    assert plain(spec(kinds={"filler.1": "decoy"})) == plain(spec())


def test_the_hash_sees_role_name_and_text() -> None:
    turn = Turn(role="tool", content="a", name="weather")
    changes: list[dict[str, object]] = [{"role": "assistant"}, {"content": "b"}, {"name": None}]
    hashes = {content_hash((turn.model_copy(update=change),)) for change in ({}, *changes)}
    assert len(hashes) == 4
    assert all(re.fullmatch(r"[0-9a-f]{16}", each) for each in hashes)


def test_a_session_without_text_is_no_history(spec: Make) -> None:
    with pytest.raises(KeyError):
        weave(spec(), {}, "ep")
