from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from suitegen.errors import DesignError
from suitegen.filler.choose import backgrounds
from suitegen.filler.digest import content_hash
from suitegen.filler.files import Files
from suitegen.filler.library import Library
from suitegen.model.background import Script
from suitegen.model.history import Turn, Written
from suitegen.model.latent import LatentSpec, Member
from suitegen.values.lexicon import Lexicon

Make = Callable[..., LatentSpec]
LIMIT = Member(name="limit", fact_type="retries", entity="worker", attribute="retry limit", values={"initial": "3"})


def written(text: str, reply: str = "Fine.") -> Written:
    turns = (Turn(role="user", content=text), Turn(role="assistant", content=reply))
    return Written(turns=turns, origin=f"files:{text}")


def pool(count: int) -> Files:
    return Files(written(f"story {'x' * number}") for number in range(count))


def first_lines(chosen: Mapping[int, Written]) -> list[str]:
    return [chosen[index].turns[0].content for index in sorted(chosen)]


def scripts(count: int) -> Library:
    rest = [{"assistant": ["b"]}, {"user": ["c"]}, {"assistant": ["d"]}]
    plain = [
        {"id": f"t{n}", "slots": {"s": ["red", "blue"]}, "turns": [{"user": [f"{n} {{{{ s }}}}"]}, *rest]}
        for n in range(count)
    ]
    return Library(map(Script.model_validate, plain))


def test_only_background_places_are_filled(spec: Make, lexicon: Lexicon) -> None:
    chosen = backgrounds(spec(kinds={"filler.1": "decoy"}), [pool(9)], lexicon)
    assert sorted(chosen) == [0, 2]


def test_no_topic_comes_twice_while_others_are_left(spec: Make, lexicon: Lexicon) -> None:
    slots = [f"filler.{n}" for n in range(6)]
    chosen = backgrounds(spec(slots), [scripts(4)], lexicon)
    origins = [each.origin for each in chosen.values()]
    assert len(set(origins)) == 4
    assert max(origins.count(origin) for origin in origins) == 2
    assert len({content_hash(each.turns) for each in chosen.values()}) == 6


@given(seed=st.integers(0, 10**6), count=st.integers(1, 12), spare=st.integers(0, 5))
@settings(max_examples=40, deadline=None)
def test_no_dialogue_comes_twice_in_a_history(spec: Make, lexicon: Lexicon, seed: int, count: int, spare: int) -> None:
    slots = [f"filler.{n}" for n in range(count)]
    chosen = backgrounds(spec(slots, seed=seed), [pool(count + spare)], lexicon)
    assert len({content_hash(each.turns) for each in chosen.values()}) == count
    assert chosen == backgrounds(spec(slots, seed=seed), [pool(count + spare)], lexicon)


@pytest.mark.parametrize("seed", range(5))
def test_every_dialogue_of_a_topic_can_be_had(spec: Make, lexicon: Lexicon, seed: int) -> None:
    turns = [{"user": ["{{ s }}"]}, {"assistant": ["b"]}, {"user": ["c"]}, {"assistant": ["d"]}]
    library = Library(
        [Script.model_validate({"id": "t", "slots": {"s": [f"v{n}" for n in range(30)]}, "turns": turns})]
    )
    chosen = backgrounds(spec([f"filler.{n}" for n in range(30)], seed=seed), [library], lexicon)
    assert sorted(first_lines(chosen)) == sorted(f"v{n}" for n in range(30))


def test_another_seed_draws_others(spec: Make, lexicon: Lexicon) -> None:
    draws = {tuple(first_lines(backgrounds(spec(seed=seed), [pool(40)], lexicon))) for seed in range(8)}
    assert len(draws) > 6


@given(seed=st.integers(0, 10**6), extra=st.sets(st.integers(0, 6), max_size=4))
@settings(max_examples=40, deadline=None)
def test_members_of_a_group_share_what_stands_in_a_slot(
    spec: Make, lexicon: Lexicon, seed: int, extra: set[int]
) -> None:
    common = [f"filler.{n}" for n in range(5)]
    freed = [f"encoding.{n}" for n in sorted(extra)]
    members = (
        spec(common, seed=seed, variant="high"),
        spec([*freed, *common], seed=seed, variant="low", cast=[LIMIT]),
    )
    high, low = (backgrounds(member, [scripts(3), pool(9)], lexicon, group=members) for member in members)
    shift = len(freed)
    assert [high[index] for index in range(5)] == [low[index + shift] for index in range(5)]


def test_a_redraw_moves_its_place_and_no_other(spec: Make, lexicon: Lexicon) -> None:
    seen = set()
    before = backgrounds(spec(), [pool(12)], lexicon)
    for attempt in range(1, 9):
        after = backgrounds(spec(), [pool(12)], lexicon, attempt={1: attempt})
        assert (after[0], after[2]) == (before[0], before[2])
        seen.add(content_hash(after[1].turns))
    assert len(seen) == 8
    assert content_hash(before[1].turns) not in seen


@pytest.mark.parametrize(
    ("text", "member"),
    [
        ("I signed up at pulse factory last year", None),
        ("Have you seen Pulse?", None),
        ("the GYM is closed", None),
        ("set the retries to 9", LIMIT),
        ("a retry took seven seconds, they say", LIMIT),
        ("what is a retry limit", LIMIT),
    ],
)
def test_what_touches_the_cast_is_passed_over(spec: Make, lexicon: Lexicon, text: str, member: Member | None) -> None:
    cast = [member] if member else None
    for source in (Files([written(text), written("fine")]), Files([written("odd", reply=text), written("fine")])):
        for seed in range(6):
            chosen = backgrounds(spec(["filler.0"], seed=seed, cast=cast), [source], lexicon)
            assert first_lines(chosen) == ["fine"]


@pytest.mark.parametrize("text", ["cut it into 3 pieces", "retry it", "an impulse buy"])
def test_what_only_looks_alike_is_kept(spec: Make, lexicon: Lexicon, text: str) -> None:
    about = spec(["filler.0"], cast=[LIMIT])
    assert first_lines(backgrounds(about, [Files([written(text)])], lexicon)) == [text]


def test_a_confusable_member_is_known_by_its_own_name(spec: Make, lexicon: Lexicon) -> None:
    member = Member(name="c", fact_type="gym", entity="user", attribute="swimming pool", values={}, confusable="pool")
    source = Files([written("the swimming pool is far"), written("fine")])
    for seed in range(6):
        assert first_lines(backgrounds(spec(["filler.0"], seed=seed, cast=[member]), [source], lexicon)) == ["fine"]


def test_a_small_pool_is_an_error_with_both_numbers(spec: Make, lexicon: Lexicon) -> None:
    class Untouched(Files):
        def dialogue(self, topic: int, number: int) -> Written:
            raise AssertionError("work was done")

    with pytest.raises(DesignError, match="3 background dialogues are needed, and the sources have 2"):
        backgrounds(spec(), [Untouched(pool(2).dialogues)], lexicon)


def test_dialogues_that_are_refused_do_not_count(spec: Make, lexicon: Lexicon) -> None:
    source = Files([written("Ironbark it is"), written("fine"), written("also fine")])
    with pytest.raises(DesignError, match="3 background dialogues are needed, and the sources have 2"):
        backgrounds(spec(), [source], lexicon)


def test_no_background_place_needs_no_source(spec: Make, lexicon: Lexicon) -> None:
    kinds = dict.fromkeys(["filler.0", "filler.1", "filler.2"], "event")
    assert backgrounds(spec(kinds=kinds), [], lexicon) == {}


def test_the_shipped_library_fills_a_long_history(spec: Make, lexicon: Lexicon, shipped: Sequence[Script]) -> None:
    slots = [f"filler.{n}" for n in range(40)]
    chosen = backgrounds(spec(slots), [Library(shipped)], lexicon)
    assert len({each.origin for each in chosen.values()}) == 40
