from __future__ import annotations

import pytest

from suitegen.model.fact_type import Confusable, Context, FactType, FactValue, Subject
from suitegen.model.latent import Member
from suitegen.values.lexicon import Lexicon

STANDUP = FactType(
    id="standup-time",
    domain="work",
    attribute="standup time",
    noun="the standup time of the {{ subject }}",
    subject=Subject(pool=("platform team", "data team")),
    kind="time",
    values=(FactValue(value="9:30", aliases=("half past nine",)), FactValue(value="10:00")),
    cues=("standup", "daily"),
    contexts=(Context(id="notes", open=("o",), reply=("r",), follow=("f",), answer=("a",)),),
    confusables=(
        Confusable(
            id="review",
            attribute="review time",
            noun="the weekly review of the {{ subject }}",
            says=("at {{ value }}",),
        ),
    ),
    phrasings={},
)
LEXICON = Lexicon({STANDUP.id: STANDUP})


def member(confusable: str | None = None, fact_type: str = STANDUP.id) -> Member:
    return Member(
        name="target",
        fact_type=fact_type,
        entity="data team",
        attribute="standup time",
        values={},
        confusable=confusable,
    )


def test_a_member_has_the_values_and_cues_of_its_fact_type() -> None:
    vocabulary = LEXICON.of(member())
    assert vocabulary is LEXICON.values_of(STANDUP.id)
    assert vocabulary.mentions_value("the daily is at half past nine", "9:30")
    assert not vocabulary.mentions("the review is at 9:30")


def test_a_confusable_has_the_same_values_and_cues_of_its_own() -> None:
    vocabulary = LEXICON.of(member("review"))
    assert vocabulary.values == LEXICON.values_of(STANDUP.id).values
    assert vocabulary.cues == ("review time", "review", "weekly")
    assert vocabulary.mentions_value("the review is at 9:30", "9:30")
    assert not vocabulary.mentions("the standup time is 9:30")


def test_spellings_are_the_value_and_its_aliases() -> None:
    assert LEXICON.spellings(STANDUP.id, "9:30") == ("9:30", "half past nine")
    assert LEXICON.spellings(STANDUP.id, "10:00") == ("10:00",)


def test_what_is_not_known_is_an_error() -> None:
    with pytest.raises(KeyError):
        LEXICON.of(member(fact_type="other"))
    with pytest.raises(KeyError):
        LEXICON.of(member("other"))
    with pytest.raises(KeyError):
        LEXICON.spellings(STANDUP.id, "half past nine")
