from __future__ import annotations

from dataclasses import fields

import pytest

from suitegen.errors import SuitegenError
from suitegen.values.tables import table
from suitegen.values.tokens import contains_phrase, words

EN = table("en")
LISTS = {
    field.name: value
    for field in fields(EN)
    if isinstance(value := getattr(EN, field.name), tuple) and value and all(isinstance(item, str) for item in value)
}


@pytest.mark.parametrize("name", sorted(LISTS))
def test_a_list_says_nothing_twice_and_every_phrase_has_a_word(name: str) -> None:
    said = [words(phrase) for phrase in LISTS[name]]
    assert all(said)
    assert sorted({phrase for phrase in said if said.count(phrase) > 1}) == []


def test_a_region_is_left_aside_and_an_unknown_language_is_told() -> None:
    assert table("en-GB") is EN
    with pytest.raises(SuitegenError, match="'tlh'") as caught:
        table("tlh")
    assert "en" in caught.value.hint


def test_calendar_names_are_complete() -> None:
    assert (len(EN.month_names), len(EN.month_short), len(EN.weekday_names)) == (12, 12, 7)
    assert (len(EN.ordinal_words), len(EN.hour_words)) == (31, 12)


def test_a_spelling_names_one_unit() -> None:
    spellings = [spelling for unit in EN.units for spelling in unit.spellings]
    assert len(spellings) == len(set(spellings))
    before = [spelling for unit in EN.units for spelling in unit.before]
    assert len(before) == len(set(before))
    names = {unit.name for unit in EN.units} | {"litre"}
    assert {unit.base for unit in EN.units} - {""} <= names


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("change_cues", "From now on it’s on Tuesdays"),
        ("change_cues", "we don't meet there anymore"),
        ("hedges", "I’m not sure, but it could be Friday"),
        ("hedges", "apparently it moved"),
        ("rejections", "no, that’s not right"),
        ("rejections", "the listing is out of date"),
        ("rejections", "it is still nine"),
        ("negations", "it isn’t"),
        ("refusals", "I don’t know."),
        ("refusals", "This was never mentioned."),
        ("declines", "I'm sorry, but I can't help with that"),
        ("none_words", "There was none"),
        ("meta_words", "this is a filler session"),
        ("meta_words", "part of a memory benchmark"),
        ("kinship_words", "my brother-in-law"),
        ("other_person_cues", "it belongs to someone else"),
    ],
)
def test_lists_know_what_people_say(name: str, text: str) -> None:
    assert contains_phrase(text, LISTS[name])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("change_cues", "the standup of the data team is at nine, in the large room"),
        ("hedges", "our budget is 400 euros and the invoice comes on Monday"),
        ("meta_words", "please fill in the form and probe the soil before the session"),
        ("declines", "I don't know why, but I can't find it"),
        ("refusals", "it is at half past nine"),
        ("other_person_cues", "my gym is the one on Mill Street"),
    ],
)
def test_lists_leave_plain_statements_alone(name: str, text: str) -> None:
    assert contains_phrase(text, LISTS[name]) is None
