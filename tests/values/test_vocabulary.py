from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from suitegen.values.kinds import denotations
from suitegen.values.normal import fold
from suitegen.values.vocabulary import CUED_KINDS, Mention, Vocabulary

NAMES = Vocabulary("name", (("Priya Nair", "Priya"), ("Zoë Straßer", "Zoë"), ("C++",), ("C",), ("Room 2",), ("Atlas",)))
TIMES = Vocabulary("time", (("9:15", "quarter past nine"), ("9:30",), ("14:30",), ("10:00",)), ("standup", "daily"))
DATES = Vocabulary("date", (("Jan 3, 2026",), ("March 14",), ("2026-05-01",)), ("release",))
NUMBERS = Vocabulary("number", (("2", "two"), ("3",), ("60%",), ("$1,200",), ("18000",), ("-4",)), ("retries", "weeks"))
QUANTITIES = Vocabulary(
    "quantity", (("2 weeks",), ("3 weeks", "21 days"), ("20 story points",), ("4 months",)), ("sprint",)
)
CODES = Vocabulary(
    "identifier",
    (
        ("orders",),
        ("orders_replica",),
        ("feature/login-fix",),
        ("login",),
        ("8443", "port 8443"),
        ("22",),
        ("__init__",),
    ),
)
SEATS = Vocabulary("choice", (("window seat", "window"), ("aisle",), ("🙂",)), ("seat",))
ALL = (NAMES, TIMES, DATES, NUMBERS, QUANTITIES, CODES, SEATS)


def named(vocabulary: Vocabulary, text: str, cued: bool = True) -> list[tuple[str, str]]:
    """Each mention's value with its stretch of the text."""
    return [(m.value, text[m.start : m.end]) for m in vocabulary.mentions(text, cued)]


@pytest.mark.parametrize(
    ("vocabulary", "text", "expected"),
    [
        (NAMES, "Priya’s turn, then Priya Nair", [("Priya Nair", "Priya"), ("Priya Nair", "Priya Nair")]),
        (NAMES, "Zoe\u0308 or ZOË STRASSER", [("Zoë Straßer", "Zoe\u0308"), ("Zoë Straßer", "ZOË STRASSER")]),
        (NAMES, "Pri\u00adya, \u2068Atlas\u2069!", [("Priya Nair", "Pri\u00adya"), ("Atlas", "Atlas")]),
        (NAMES, "Ａｔｌａｓ", [("Atlas", "Ａｔｌａｓ")]),
        (NAMES, "C++ then C, never C#", [("C++", "C++"), ("C", "C")]),
        (NAMES, "Room 21, Room 2b, room\u00a02?", [("Room 2", "room\u00a02")]),
        (NAMES, "priyanka atlases", []),
        (TIMES, "standup at half past nine", [("9:30", "half past nine")]),
        (TIMES, "the daily: 9.30 a.m., not 14h30", [("9:30", "9.30 a.m."), ("14:30", "14h30")]),
        (TIMES, "standup at half past two", [("14:30", "half past two")]),
        (TIMES, "standup at half past two in the morning", []),
        (TIMES, "standup at 2:30", []),
        (TIMES, "standup at 2:30\u202fpm", [("14:30", "2:30\u202fpm")]),
        (TIMES, "standup at 19:30, 9:301 or 109:30", []),
        (TIMES, "at 9:30 we eat", []),
        (DATES, "release on 2026-01-03", [("Jan 3, 2026", "2026-01-03")]),
        (DATES, "release on the 3rd of January", [("Jan 3, 2026", "3rd of January")]),
        (DATES, "release on Jan 3, 2025", []),
        (DATES, "release on 14 March 2027", [("March 14", "14 March 2027")]),
        (NUMBERS, "two retries, not 3", [("2", "two"), ("3", "3")]),
        (NUMBERS, "30 retries, 2.5 retries, -3 retries, retries 1-2", [("2", "2")]),
        (NUMBERS, "it went from 60 % to $1,200", [("60%", "60 %"), ("$1,200", "$1,200")]),
        (NUMBERS, "60 percent, 1200 dollars", [("60%", "60 percent"), ("$1,200", "1200 dollars")]),
        (NUMBERS, "retries: 60, 1200, 1200 euros", []),
        (NUMBERS, "eighteen thousand retries", [("18000", "eighteen thousand")]),
        (NUMBERS, "2 weeks", [("2", "2")]),
        (NUMBERS, "2 months of retries", []),
        (NUMBERS, "retries at −4", [("-4", "−4")]),
        (NUMBERS, '{"max_retries": 3}', [("3", "3")]),
        (QUANTITIES, "a two-week thing", [("2 weeks", "two-week")]),
        (QUANTITIES, "fourteen days; 21 days", [("2 weeks", "fourteen days"), ("3 weeks", "21 days")]),
        (QUANTITIES, "twenty story points", [("20 story points", "twenty story points")]),
        (QUANTITIES, "sprint of 2, 2 months, 12 weeks", []),
        (CODES, "`orders`, orders_replica.", [("orders", "orders"), ("orders_replica", "orders_replica")]),
        (CODES, "login-fix x.orders orders/2 orders-b", []),
        (CODES, "feature/login‑fix—done", [("feature/login-fix", "feature/login‑fix")]),
        (CODES, "feature/login-fix-2", []),
        (CODES, "localhost:8443/ Port 8443", [("8443", "8443"), ("8443", "Port 8443")]),
        (CODES, "84430 8443.5 18443", []),
        (CODES, "10.0.0.1:22 but 10.0.0.1:221", [("22", "22")]),
        (CODES, "see __init__.", [("__init__", "__init__")]),
        (SEATS, "a seat by the window", [("window seat", "window")]),
        (SEATS, "open the window", []),
        (SEATS, "🙂 seat", [("🙂", "🙂")]),
    ],
)
def test_mentions(vocabulary: Vocabulary, text: str, expected: list[tuple[str, str]]) -> None:
    assert named(vocabulary, text) == expected


@pytest.mark.parametrize(
    "text", ["it's (42)!", "42:", "#42", "№42", "“42”", "42—", "_42_", "=42,", "42's", "\u206642\u2069"]
)
def test_punctuation_does_not_hide_a_number(text: str) -> None:
    vocabulary = Vocabulary("number", (("42",),))
    assert [(m.value, text[m.start : m.end]) for m in vocabulary.mentions(text, cued=False)] == [("42", "42")]


def test_a_cue_reaches_eight_tokens_either_way() -> None:
    near, far = " ".join("abcdefg"), " ".join("abcdefgh")
    for left, right in (("9:30", "standup"), ("standup", "9:30")):
        assert TIMES.mentions_value(f"{left} {near} {right}", "9:30")
        assert not TIMES.mentions_value(f"{left} {far} {right}", "9:30")
        assert TIMES.mentions_value(f"{left} {far} {right}", "9:30", cued=False)


def test_a_cue_of_several_words_counts_from_its_nearest_end() -> None:
    vocabulary = Vocabulary("number", (("3",),), ("retry limit",))
    assert vocabulary.mentions('"retry_limit": 3')
    assert not vocabulary.mentions("a limit of 3, retry")


def test_a_longer_known_value_hides_the_shorter_inside_it() -> None:
    vocabulary = Vocabulary("name", (("York",), ("New York",), ("New York City",)))
    assert [m.value for m in vocabulary.mentions("New York City, York, new york")] == [
        "New York City",
        "York",
        "New York",
    ]


def test_values_that_share_a_spelling_are_both_mentioned_and_neither_is_identified() -> None:
    vocabulary = Vocabulary("name", (("Sam Lee", "Sam"), ("Sam Roe", "Sam")))
    assert [m.value for m in vocabulary.mentions("Sam")] == ["Sam Lee", "Sam Roe"]
    assert vocabulary.identify("Sam") is None
    assert vocabulary.identify("Sam Roe") == "Sam Roe"


def test_the_same_day_of_two_years_is_ambiguous_without_the_year() -> None:
    vocabulary = Vocabulary("date", (("2026-01-03",), ("2027-01-03",)))
    assert vocabulary.identify("January 3, 2027") == "2027-01-03"
    assert vocabulary.identify("January 3") is None
    assert len(vocabulary.mentions("January 3", cued=False)) == 2


def test_half_past_nine_is_in_the_morning_where_both_are_known() -> None:
    vocabulary = Vocabulary("time", (("9:30",), ("21:30",)))
    assert vocabulary.identify("half past nine") == "9:30"
    assert vocabulary.identify("half past nine in the evening") == "21:30"


def test_an_alias_that_can_mean_another_time_does_not_bring_it_in() -> None:
    vocabulary = Vocabulary("time", (("21:30", "half past nine"),))
    assert vocabulary.identify("half past nine") == "21:30"
    assert vocabulary.identify("9:30") is None


def test_an_alias_that_cannot_be_read_is_found_by_its_words() -> None:
    vocabulary = Vocabulary("number", (("3", "thrice", "hat trick"),))
    assert vocabulary.identify("Thrice.") == "3"
    assert vocabulary.identify("a hat-trick") == "3"


@pytest.mark.parametrize(
    ("vocabulary", "answer", "value"),
    [
        (TIMES, "9.30 am", "9:30"),
        (TIMES, "At 14:30 (2:30 pm).", "14:30"),
        (TIMES, "9:30 or 10:00", None),
        (TIMES, "11:00", None),
        (QUANTITIES, "2", "2 weeks"),
        (QUANTITIES, "four", "4 months"),
        (QUANTITIES, "4 weeks", None),
        (QUANTITIES, "five", None),
        (NUMBERS, "60", "60%"),
        (NUMBERS, "60 euros", None),
        (NUMBERS, "2 months", "2"),
        (NAMES, "It is Priya.", "Priya Nair"),
        (NAMES, "I don't know", None),
        (CODES, "on 8443", "8443"),
        (SEATS, "Aisle", "aisle"),
        (SEATS, "", None),
    ],
)
def test_identify(vocabulary: Vocabulary, answer: str, value: str | None) -> None:
    assert vocabulary.identify(answer) == value


def test_an_unknown_value_is_an_error() -> None:
    with pytest.raises(KeyError):
        TIMES.mentions_value("9:30", "9.30")


def test_vocabularies_are_values() -> None:
    twin = Vocabulary(TIMES.kind, TIMES.values, TIMES.cues)
    assert twin == TIMES
    assert len({twin, TIMES}) == 1
    assert Vocabulary("name", ()).mentions("anything") == ()


def test_a_spelling_of_nothing_visible_is_never_found() -> None:
    for kind in ("name", "identifier"):
        assert Vocabulary(kind, (("\u00ad",), ("Ana",))).mentions("the \u00adAna") == (Mention("Ana", 5, 8),)


def test_words_without_spaces_are_found() -> None:
    vocabulary = Vocabulary("name", (("東京",),))
    assert vocabulary.mentions("今は東京です") == (Mention("東京", 2, 4),)


def _value(vocabulary: Vocabulary) -> st.SearchStrategy[tuple[Vocabulary, str, str]]:
    spelled = [(vocabulary, spellings[0], text) for spellings in vocabulary.values for text in spellings]
    return st.sampled_from(spelled)


SPELLED = st.one_of([_value(vocabulary) for vocabulary in ALL])
OPENING = st.sampled_from(["", "(", "“", "so ", "… ", "it's: ", "— ", "«", "\u2067", "[", "said,\n"])
CLOSING = st.sampled_from(["", ")", "!", ".", "?", "”,", " then", "—", ";", "…", "'s", "’s", "\u2069"])


@given(SPELLED, OPENING, CLOSING)
@settings(max_examples=300)
def test_a_value_between_punctuation_is_found(known: tuple[Vocabulary, str, str], before: str, after: str) -> None:
    vocabulary, value, spelling = known
    text = f"{before}{spelling}{after}"
    assert (value, len(before), len(before) + len(spelling)) in vocabulary.mentions(text, cued=False)
    assert vocabulary.identify(text) == value


@given(SPELLED, st.integers(0, 9), st.booleans())
@settings(max_examples=300)
def test_a_value_glued_to_a_digit_is_not_found(known: tuple[Vocabulary, str, str], digit: int, before: bool) -> None:
    vocabulary, value, spelling = known
    if spelling[0 if before else -1].isalnum():
        text = f"{digit}{spelling}" if before else f"{spelling}{digit}"
        assert all(m.value != value or text[m.start : m.end] != spelling for m in vocabulary.mentions(text, cued=False))


PIECES = st.sampled_from(
    [text for vocabulary in ALL for spellings in vocabulary.values for text in spellings]
    + ["standup", "release", "retries", "sprint", "half past two", "14h30", "3 January", "two", "twenty-one", "2 1/2"]
    + [
        "-",
        "%",
        "$",
        ".",
        ",",
        "\u00ad",
        "\u0301",
        "’s",
        "\n",
        "½",
        "７",
        "ﬁ",
        "İ",
        "pm",
        "9.30",
        "_",
        "/",
        "and a half",
    ]
)


@given(st.sampled_from(ALL), st.lists(st.tuples(PIECES, st.sampled_from(["", " ", "\u202f"])), max_size=9))
@settings(max_examples=600)
@example(QUANTITIES, [("½", ""), ("2 weeks", " ")])
@example(CODES, [("orders", ""), ("\u0301", "")])
def test_a_mention_is_a_stretch_that_denotes_its_value(vocabulary: Vocabulary, pieces: list[tuple[str, str]]) -> None:
    text = "".join(piece + gap for piece, gap in pieces)
    mentions = vocabulary.mentions(text, cued=False)
    for mention in mentions:
        stretch = set(denotations(vocabulary.kind, text[mention.start : mention.end], vocabulary.language))
        spellings = next(known for known in vocabulary.values if known[0] == mention.value)
        meant = {key for spelling in spellings for key in denotations(vocabulary.kind, spelling, vocabulary.language)}
        assert stretch & meant
    assert all(one.end <= two.start for one, two in pairwise(mentions))
    if vocabulary.kind in CUED_KINDS:
        assert set(vocabulary.mentions(text)) <= set(mentions)


@given(st.text(max_size=15), st.sampled_from(["Ana", "STRASSE 7", "feature/x"]), st.sampled_from([" ", "!", "“"]))
def test_a_word_stays_found_in_any_surroundings(text: str, value: str, fence: str) -> None:
    for kind in ("name", "identifier"):
        whole = f"{text}{fence} {value} {fence}{text}"
        found = Vocabulary(kind, ((value,),)).mentions(whole)
        assert (value, len(text) + 2, len(text) + 2 + len(value)) in found
        assert all(fold(whole[m.start : m.end]) == fold(value) for m in found)
