"""What is said in passing: set into a dialogue at a place where it can be said, with its spans."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from suitegen.filler.host import hosted
from suitegen.model.history import Guest, Role, Span, Turn, Written

EXCHANGES: tuple[tuple[Role, ...], ...] = (
    ("user", "assistant"),
    ("user", "tool", "assistant"),
    ("user", "user", "assistant"),
)
DIALOGUES = st.lists(st.sampled_from(EXCHANGES), min_size=1, max_size=6)
FOLLOWS = {("user", "assistant"), ("user", "tool"), ("tool", "assistant"), ("assistant", "user"), ("user", "user")}


def dialogue(exchanges: list[tuple[Role, ...]]) -> Written:
    roles = [role for exchange in exchanges for role in exchange]
    turns = tuple(Turn(role=role, content=f"{role} {number}") for number, role in enumerate(roles))
    return Written(turns=turns, origin="files:a.jsonl:3", license="ODC-BY-1.0")


TOLD = Written(
    turns=(Turn(role="user", content="my hat is red"), Turn(role="assistant", content="Noted.")),
    spans=(Span(event="e", turn=0, start=3, end=6),),
)


@given(DIALOGUES, st.integers())
def test_a_guest_stands_before_or_after_its_host_with_its_span(exchanges: list[tuple[Role, ...]], seed: int) -> None:
    host = dialogue(exchanges)
    found = hosted(host, TOLD, seed, "slot.1", 0)
    guest = found.guest
    assert guest is not None
    assert found.turns[guest.first_turn : guest.last_turn + 1] == TOLD.turns
    assert found.turns[: guest.first_turn] + found.turns[guest.last_turn + 1 :] == host.turns
    assert guest.first_turn in (0, len(host.turns)), "nobody is interrupted"
    assert {(a.role, b.role) for a, b in pairwise(found.turns)} <= FOLLOWS
    (span,) = found.spans
    assert found.turns[span.turn].content[span.start : span.end] == "hat"
    assert (found.origin, found.license) == (host.origin, host.license)
    assert guest == Guest(
        first_turn=guest.first_turn, last_turn=guest.first_turn + 1, origin=TOLD.origin, license=TOLD.license
    )
    assert found == hosted(host, TOLD, seed, "slot.1", 0)


def test_both_places_are_drawn() -> None:
    host = dialogue([("user", "assistant")] * 3)
    guests = [hosted(host, TOLD, seed).guest for seed in range(60)]
    assert {guest.first_turn for guest in guests if guest} == {0, 6}
