from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from suitegen.values.normal import fold, fold_with_map, trace

AWKWARD = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from(
            "aeiouIİıßſΣςK\u0301\u0307\u0323\u0327\u0308\u00ad\u200b\u200d\u2060\u202e\ufe0f½²①№™—–’“ﾞカがᄀ\u1161\u11a8가"
        ),
    ),
    max_size=12,
)


@pytest.mark.parametrize(
    ("written", "folded"),
    [
        ("Zoe\u0308", "zo\u00eb"),
        ("한글".encode().decode(), "한글"),
        (unicodedata.normalize("NFD", "한글 Hiếu"), "한글 hiếu"),
        ("\u212bngstr\u00f6m", "ångström"),
        ("\uff11\uff14", "14"),
        ("\u0661\u0664", "14"),
        ("d\u2019Arcy\u2019s 3\u202fpm", "d'arcy's 3 pm"),
        ("\u201cyes\u201d \u00abno\u00bb", '"yes" "no"'),
        ("12\u201314", "12-14"),
        ("\u22125", "-5"),
        ("orders\u2014which", "orders--which"),
        ("log\u00adin", "login"),
        ("log\u200bin\u200e \u2068x\u2069", "login x"),
        ("Straße", "strasse"),
        ("İstanbul", "istanbul"),
        ("i\u0307stanbul", "istanbul"),
        ("ΟΔΟΣ οδος", "οδοσ οδοσ"),
        ("№42", "#42"),
        ("Atlas™", "atlas"),
        ("10²", "10 2 "),
        ("2½", "2 1/2 "),
        ("a\tb\nc", "a b c"),
        ("\ud83d", "\ud83d"),
    ],
)
def test_spellings_fold_to_one_form(written: str, folded: str) -> None:
    assert fold(written) == folded


@given(AWKWARD)
@settings(max_examples=400)
def test_folding_twice_changes_nothing(text: str) -> None:
    assert fold(fold(text)) == fold(text)


@given(AWKWARD)
@settings(max_examples=400)
def test_composed_and_decomposed_forms_fold_alike(text: str) -> None:
    assert fold(unicodedata.normalize("NFD", text)) == fold(unicodedata.normalize("NFC", text))


@given(AWKWARD)
@settings(max_examples=400)
def test_the_map_belongs_to_the_folded_text(text: str) -> None:
    folded, places = fold_with_map(text)
    assert folded == fold(text)
    assert len(places) == len(folded)
    assert list(places) == sorted(places)
    assert all(0 <= place < len(text) for place in places)


@given(AWKWARD)
@settings(max_examples=400)
def test_each_character_comes_from_a_stretch_that_folds_to_it(text: str) -> None:
    folded = trace(text)
    for char, start, end in zip(folded.text, folded.starts, folded.ends, strict=True):
        assert start < end
        assert char in fold(text[start:end])


def test_the_map_keeps_a_decomposed_letter_together() -> None:
    folded = trace("xe\u200d\u0301y")
    assert folded.text == "xéy"
    assert list(folded.starts) == [0, 1, 4]
    assert list(folded.ends) == [1, 4, 5]


def test_an_end_leaves_out_invisible_characters_that_follow() -> None:
    folded = trace("ab\u200b c")
    assert list(zip(folded.starts, folded.ends, strict=True)) == [(0, 1), (1, 2), (3, 4), (4, 5)]
