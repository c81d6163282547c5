"""The profile over windows: by hand, on answers of three kinds to what is known, never said, and asked wrongly."""

from __future__ import annotations

import pytest

from suitegen.model.gold import Gold, GoldField
from suitegen.model.words import ProbeType
from suitegen.reading.profile import Key, Profile, profile, scored
from suitegen.reading.scoring import abstains

WINDOWS = ("w1", "w2", "w3", "w4", "w5")
TEA = GoldField(name="value", form="value", answer="tea", accepts=("tea",), rivals=(("coffee",),))
KNOWN = Gold(type="current", fields=(TEA,))
UNSAID = Gold(type="current", fields=(GoldField(name="value", form="value", answer="absent"),))
WRONG = Gold(type="premise", fields=(GoldField(name="holds", form="enum", answer="no"), TEA))
LIST = Gold(type="trajectory", fields=(GoldField(name="values", form="values", answer="tea", answers=(("tea",),)),))


def key(name: str, gold: Gold, window: int) -> Key:
    return Key(
        probe_id=name, episode_id=name[:1], cluster=name[:1], paradigm="p", condition="c", expects=None, domain="d",
        fact_type="drink", probe_type=gold.type, split=False, language="en", gold=gold, window=window,
    )  # fmt: skip


def figures(found: Profile, table: str) -> dict[str, float | None]:
    return {rate.name: rate.value for rate in found.breakdowns[table]}


def test_fresh_and_saturated_are_the_ends_of_the_windows() -> None:
    keys = [key(f"{user}{window}", KNOWN, window) for user in "ab" for window in range(5)]
    forgetting = {f"{user}{window}": "tea" if window < 2 or (user, window) == ("a", 4) else "coffee"
                  for user in "ab" for window in range(5)}  # fmt: skip
    found = profile(scored(keys, forgetting), forgetting, WINDOWS)
    assert figures(found, "memory age") == {
        "current / fresh": 1.0, "current / saturated": 0.25, "current / forgetting": 0.75,
    }  # fmt: skip
    assert figures(found, "window") == {
        "current / w1": 1.0, "current / w2": 1.0, "current / w3": 0.0, "current / w4": 0.0, "current / w5": 0.5,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("unsaid", "wrong", "missing", "contradicted"),
    [
        ("absent", {"holds": "no", "value": "tea"}, (1.0, 1.0, 0.0), (1.0, 0.0, 0.0)),
        ("absent", {"holds": "no", "value": "unknown"}, (1.0, 1.0, 0.0), (0.0, 1.0, 0.0)),
        ("cocoa", {"holds": "yes", "value": "coffee"}, (0.0, 0.0, 1.0), (0.0, 0.0, 1.0)),
    ],
)
def test_what_comes_of_bad_questions(
    unsaid: str, wrong: dict[str, str], missing: tuple[float, ...], contradicted: tuple[float, ...]
) -> None:
    keys = [key(f"{user}{n}", gold, n) for user in "ab" for n, gold in enumerate((UNSAID, WRONG))]
    answers: dict[str, object] = {f"{user}0": unsaid for user in "ab"} | {f"{user}1": wrong for user in "ab"}
    found = figures(profile(scored(keys, answers), answers, WINDOWS), "evidence")
    kinds = ("right", "abstained", "made up")
    assert tuple(found[f"missing / {kind}"] for kind in kinds) == missing
    assert tuple(found[f"contradicted / {kind}"] for kind in kinds) == contradicted


def test_a_suite_without_windows_has_no_such_tables() -> None:
    found = profile(scored([key("a0", KNOWN, 0)], {"a0": "tea"}), ["a0"])
    assert not {"memory age", "window", "evidence"} & set(found.breakdowns)


@pytest.mark.parametrize(
    ("answer", "gold", "is_one"),
    [
        ("absent", KNOWN, True),
        ("You never told me.", KNOWN, True),
        ("tea", KNOWN, False),
        ("I don't know, maybe coffee", KNOWN, False),
        ("unknown", LIST, True),
        ("tea", LIST, False),
        ("absent", UNSAID, True),
        ({"holds": "yes"}, WRONG, False),
        ({"holds": "no", "value": "unknown"}, WRONG, True),
    ],
)
def test_abstaining_is_giving_no_value(answer: object, gold: Gold, is_one: bool) -> None:
    assert abstains(answer, gold) == is_one


def test_types_without_windows_are_no_part_of_the_traces() -> None:
    kinds: tuple[ProbeType, ...] = ("current", "trajectory")
    keys = [key("a0", KNOWN, 0), key("a1", LIST, 1)]
    found = profile(scored(keys, {"a0": "tea", "a1": "tea"}), (), WINDOWS)
    assert {name.partition(" /")[0] for name in figures(found, "memory age")} == set(kinds)
