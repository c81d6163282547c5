"""Near duplicates: the two ways of finding them agree, and planted ones are found."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from suitegen.latent.seeds import rng
from suitegen.publish.likeness import EXACT, near_duplicates

WORDS = [f"{start}{end}" for start in ("ba", "ko", "mi", "tu", "re", "sa", "lo") for end in "bcdfghklmnprstvwz"]


def texts(count: int, length: int = 80) -> list[str]:
    random = rng("likeness", count)
    return [" ".join(random.choices(WORDS, k=length)) for _ in range(count)]


def changed(text: str, share: float, key: int) -> str:
    """The text with a share of its words replaced by ones that no text has."""
    random = rng("changed", key)
    words = text.split()
    for place in random.sample(range(len(words)), round(share * len(words))):
        words[place] = f"x{key}x{place}"
    return " ".join(words)


@pytest.mark.parametrize("exact", [EXACT, 0], ids=["pair by pair", "by sketches"])
def test_planted_near_duplicates_are_found_and_nothing_else(exact: int) -> None:
    plain = texts(400)
    near = [changed(text, 0.05, key) for key, text in enumerate(plain[:60])]
    apart = [changed(text, 0.3, key) for key, text in enumerate(plain[60:160])]
    copies = plain[:7]
    assert near_duplicates(plain, exact=exact) == 0
    assert near_duplicates([*plain, *apart], exact=exact) == 0
    assert near_duplicates([*near, *plain, *apart, *copies], exact=exact) == 67


@pytest.mark.parametrize("exact", [EXACT, 0], ids=["pair by pair", "by sketches"])
def test_short_texts_and_none_are_no_special_case(exact: int) -> None:
    assert near_duplicates([], exact=exact) == 0
    assert near_duplicates(["", ""], exact=exact) == 1
    assert near_duplicates(["yes", "Yes!", "no"], exact=exact) == 1


def test_above_the_limit_sketches_are_used_and_the_order_of_the_texts_is_nothing() -> None:
    plain = texts(90, 40)
    found = [*plain, *(changed(text, 0.05, key) for key, text in enumerate(plain[:30]))]
    assert near_duplicates(found, exact=100) == near_duplicates(found[::-1], exact=100) == near_duplicates(found) == 30


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from("abcde"), max_size=14).map(" ".join), max_size=14),
    st.sampled_from([0.5, 0.75, 0.9]),
)
def test_looking_at_the_rarest_words_first_loses_no_pair(found: list[str], near: float) -> None:
    from rapidfuzz.distance import Indel

    letters = list(dict.fromkeys(word for text in found for word in text.split()))
    spelled = {"".join(chr(letters.index(word)) for word in text.split()) for text in found}
    kept: list[str] = []
    for text in sorted(spelled, key=lambda text: (len(text), text)):
        if not any(Indel.normalized_similarity(text, other) >= near for other in kept):
            kept.append(text)
    assert near_duplicates(found, near) == len(found) - len(kept)
