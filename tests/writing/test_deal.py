from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from suitegen.writing.deal import ATTEMPT_STRIDE, Place


@given(seed=st.integers(0, 10**9), size=st.integers(1, 30))
def test_consecutive_places_use_the_whole_deck_before_a_card_comes_again(seed: int, size: int) -> None:
    pool = tuple(range(size))
    dealt = [Place(seed, f"slot.{scene}", scene, 0).deal(pool, "deck") for scene in range(2 * size)]
    assert sorted(dealt[:size]) == list(pool)
    assert dealt[:size] == dealt[size:]


@given(seed=st.integers(0, 10**9), scene=st.integers(0, 40), size=st.integers(2, 30))
def test_the_next_attempt_gets_another_card(seed: int, scene: int, size: int) -> None:
    pool = tuple(range(size))
    first, second = (Place(seed, "slot", scene, attempt).deal(pool, "deck") for attempt in (0, 1))
    assert first != second


def test_a_further_attempt_is_far_from_the_other_scenes() -> None:
    assert Place(1, "slot", 3, 2).number == 3 + 2 * ATTEMPT_STRIDE


def test_decks_have_their_own_order_and_chance_its_own_place() -> None:
    pool = tuple(range(20))
    place = Place(5, "slot", 0, 0)
    assert place.order(pool, "one") != place.order(pool, "two")
    assert place.order(pool, "one") == Place(5, "elsewhere", 9, 3).order(pool, "one")
    draws = {Place(5, slot, 0, attempt).random("date").random() for slot in ("a", "b") for attempt in (0, 1)}
    assert len(draws) == 4


@given(seed=st.integers(0, 10**9), weights=st.lists(st.integers(1, 5), min_size=1, max_size=8))
def test_a_weighted_deck_holds_every_card_as_often_as_it_weighs(seed: int, weights: list[int]) -> None:
    pool = dict(enumerate(weights))
    dealt = [Place(seed, f"slot.{scene}", scene, 0).pick(pool, "deck") for scene in range(2 * sum(weights))]
    assert len(set(dealt)) == len(dealt)
    assert set(dealt) == {(card, copy) for card, weight in pool.items() for copy in range(2 * weight)}
