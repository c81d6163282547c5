from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from suitegen.values.normal import fold
from suitegen.values.tokens import contains_phrase, index_phrases, occurrences, tokens, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("At 9:30, max_retries=3.", ("at", "9:30", "max", "retries", "3")),
        ("1,200 and 1.5 but 1,2,3", ("1,200", "and", "1.5", "but", "1", "2", "3")),
        ("Priya’s B12 room-2b", ("priya", "s", "b12", "room", "2b")),
        ("ratio 3:1 at 14h30", ("ratio", "3", "1", "at", "14h30")),
        ("192.168.0.1:80", ("192.168.0.1:80",)),
        ("２０２６ №42", ("2026", "42")),
        ("Ｚoe\u0308 हिन्दी", ("zoë", "हिन्दी")),
        ("東京に3日", ("東", "京", "に", "3", "日")),
        ("", ()),
        ("…—!", ()),
    ],
)
def test_words(text: str, expected: tuple[str, ...]) -> None:
    assert words(text) == expected


def test_offsets_point_into_the_original() -> None:
    text = "Die Straße — “Zoe\u0308’s” 3\u202fpm."
    assert [(token.text, text[token.start : token.end]) for token in tokens(text)] == [
        ("die", "Die"),
        ("strasse", "Straße"),
        ("zoë", "Zoe\u0308"),
        ("s", "s"),
        ("3", "3"),
        ("pm", "pm"),
    ]


@given(st.text(max_size=30))
@settings(max_examples=300)
def test_a_token_is_what_its_stretch_folds_to(text: str) -> None:
    found = tokens(text)
    assert tuple(token.text for token in found) == words(text)
    assert all(token.text in fold(text[token.start : token.end]) for token in found)
    assert [token.start for token in found] == sorted(token.start for token in found)


@given(st.text(max_size=30))
def test_words_do_not_depend_on_folding(text: str) -> None:
    assert words(fold(text)) == words(text)


PHRASES = ("no longer", "now", "i don't know", "e.g. this: that")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It is NOW there, no longer here", "no longer"),
        ("nowhere", None),
        ("I don’t know", "i don't know"),
        ("no, longer", "no longer"),
        ("no. Longer ones", None),
        ("no – longer", None),
        ("no—longer", None),
        ("so E.g. this: that", "e.g. this: that"),
        ("", None),
    ],
)
def test_phrases_are_whole_words_of_one_clause(text: str, expected: str | None) -> None:
    assert contains_phrase(text, PHRASES) == expected


def test_the_first_phrase_of_the_list_is_given_as_it_was_written() -> None:
    assert contains_phrase("b then A", ["A", "B"]) == "A"


@given(st.lists(st.sampled_from("abc"), max_size=8), st.lists(st.sampled_from("abc"), min_size=1, max_size=3))
def test_a_phrase_is_found_where_its_words_stand_in_a_row(text: list[str], phrase: list[str]) -> None:
    found = [first for _, first, _ in occurrences(text, index_phrases([" ".join(phrase)]))]
    assert found == [at for at in range(len(text)) if text[at : at + len(phrase)] == phrase]
