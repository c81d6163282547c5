from __future__ import annotations

import pytest

from suitegen.model.history import Session, Turn
from suitegen.reading.asked import asked
from suitegen.reading.lexical import LexicalReader
from suitegen.reading.passages import Passage, Stretch, passage
from suitegen.reading.replies import fields_of
from suitegen.reading.sentences import only_asks, rest_of, told, turns_down
from suitegen.reading.spans import same_value, spans
from suitegen.reading.stance import stance
from suitegen.reading.voices import Heard, hedged, teller
from suitegen.reading.wording import wording
from suitegen.values.tables.talk import talk
from suitegen.values.tables.talk.words import Talk


def said(text: str) -> Passage:
    return passage(text, "en")


def cuts(text: str, name: str) -> list[str]:
    whole = said(text)
    return [whole.cut(stretch) for stretch in getattr(whole, name)]


def found(text: str) -> list[tuple[str, str]]:
    whole = said(text)
    return [(span.kind, whole.cut(Stretch(span.first, span.last))) for span in spans(text, "en")]


@pytest.mark.parametrize(
    ("words", "stem"),
    [
        (("retry", "retries", "retried", "retrying"), "retry"),
        (("owner", "owns", "owned", "ownership"), "own"),
        (("led", "leads", "leading"), "lead"),
    ],
)
def test_forms_of_a_word_share_a_stem(words: tuple[str, ...], stem: str) -> None:
    assert {wording("en").stem(word) for word in words} == {stem}


def test_sentences_end_at_stops_and_lines_but_not_in_numbers_or_titles() -> None:
    assert cuts("Dr. Oduya moved to 4.2. Really?\nYes", "sentences") == ["Dr. Oduya moved to 4.2", "Really", "Yes"]
    assert cuts("it sounds like 'come along' My gym is shut", "sentences") == [
        "it sounds like 'come along",
        "My gym is shut",
    ]


def test_clauses_end_at_marks_and_before_words_that_open_one() -> None:
    assert cuts("We moved it because the roof leaks, and I like it (a lot)", "clauses") == [
        "We moved it", "because the roof leaks", "and I like it", "a lot",
    ]  # fmt: skip


def test_spans_are_found_by_form() -> None:
    assert found("At 9:30 on 3 May 2026 we ran v2.9.0 for 45 minutes.") == [
        ("time", "9:30"), ("date", "3 May 2026"), ("identifier", "v2.9.0"), ("number", "45 minutes"),
    ]  # fmt: skip
    assert ("weekday", "second Tuesday") in found("It is on the second Tuesday.")
    assert ("name", "Mill & Bean") in found("I sit at Mill & Bean today.")
    assert ("name", "Dr Oduya") in found("My dentist is Dr Oduya, you know.")
    assert ("identifier", "release/4.2") in found('{"branch": "release/4.2"}')


def test_values_are_the_same_by_their_kind() -> None:
    assert same_value("number", ("45",), ("45 minute",))
    assert not same_value("number", ("45 second",), ("45 minute",))
    assert same_value("name", ("priya nair",), ("priya",))
    assert same_value("time", ("14:30",), ("02:30", "14:30"))
    assert not same_value("phrase", ("oat", "milk"), ("soy", "milk"))


@pytest.mark.parametrize(
    ("text", "stands"),
    [
        ("my gym is Pulse Factory", "plain"),
        ("my gym is Pulse Factory now", "now"),
        ("my gym used to be Pulse Factory", "past"),
        ("it's no longer Pulse Factory", "past"),
        ("my old gym, Pulse Factory", "past"),
        ("it was Pulse Factory", "was"),
        ("it is not Pulse Factory", "denied"),
        ("from Pulse Factory to the Lift Room", "past"),
        ("it was Pulse Factory before", "past"),
        ("Back in the day my gym was Pulse Factory", "past"),
    ],
)
def test_how_a_value_stands(text: str, stands: str) -> None:
    (span,) = [each for each in spans(text, "en") if "pulse factory" in each.keys]
    assert stance(said(text), said(text).sentence(span.first), span) == stands


def heard(text: str, role: str = "user", name: str = "") -> Heard:
    return Heard(0, 0, "2026-05-01", role, name, said(text), frozenset())


def told_by(text: str, role: str = "user", name: str = "") -> str:
    turn = heard(text, role, name)
    at = next(span.first for span in spans(text, "en") if span.kind in ("time", "name") and "10:15" in turn.said.text)
    at = turn.said.words.index("10:15")
    return teller(turn, turn.said.sentence(at), at, {"standup"})


@pytest.mark.parametrize(
    ("text", "role", "name", "who"),
    [
        ("The standup is at 10:15.", "user", "", "user"),
        ("Tom from facilities says the standup is at 10:15.", "user", "", "third_party"),
        ("I heard the standup is at 10:15.", "user", "", "third_party"),
        ("According to the handbook, the standup is at 10:15.", "user", "", "document"),
        ("The wiki says the standup is at 10:15.", "user", "", "document"),
        ("The calendar app says the standup is at 10:15.", "user", "", "tool"),
        ("You said the standup is at 10:15.", "user", "", "assistant"),
        ("I told you the standup is at 10:15.", "user", "", "user"),
        ("My doctor told me to sleep more, so my standup is at 10:15.", "user", "", "user"),
        ("The standup is at 10:15. I have that from Tom.", "user", "", "third_party"),
        ("For the minutes: the standup is at 10:15.", "user", "", "user"),
        ("The standup is at 10:15.", "assistant", "", "assistant"),
        ('{"event": "standup", "starts": "10:15"}', "tool", "calendar", "tool"),
        ("Team handbook, page 2: standup at 10:15", "tool", "lookup", "document"),
        ("standup at 10:15", "tool", "search_documents", "document"),
    ],
)
def test_who_tells(text: str, role: str, name: str, who: str) -> None:
    assert told_by(text, role, name) == who


@pytest.mark.parametrize(
    ("text", "weak"),
    [
        ("The standup is at 10:15.", False),
        ("Maybe the standup is at 10:15.", True),
        ("I'm thinking about moving the standup to 10:15.", True),
        ("We could not sleep, so the standup is at 10:15.", False),
        ("Supposedly the standup is at 10:15.", True),
    ],
)
def test_what_is_tentative(text: str, weak: bool) -> None:
    turn = heard(text)
    at = turn.said.words.index("10:15")
    assert hedged(turn, turn.said.sentence(at), at, "user") == weak


def test_questions_state_nothing_unless_they_ask_for_something_else() -> None:
    def asks(text: str) -> bool:
        return only_asks(said(text), said(text).sentences[0])

    assert asks("Is the standup at 10:15?")
    assert asks("When is the standup?")
    assert not asks("The standup is at 10:15, isn't it?")
    assert not asks("Can you note that the standup is at 10:15?")
    assert not asks("The standup is at 10:15.")


def test_turning_down_takes_more_than_an_old_word() -> None:
    assert turns_down(said("That lookup is out of date."), said("That lookup is out of date.").whole)
    assert not turns_down(said("I still have my old bike."), said("I still have my old bike.").whole)


def test_what_else_a_turn_says() -> None:
    whole = said("The merger came through, so the desk is in Cedar Hall now; it saves rent.")
    (span,) = [each for each in spans(whole.text, "en") if each.kind == "name" and "cedar hall" in each.keys]
    assert rest_of(whole, whole.clause(span.first)) == "The merger came through; it saves rent"
    assert whole.cut(told(said("I say that it rains"), said("I say that it rains").whole, 4)) != ""


def test_replies_are_read_by_field() -> None:
    assert fields_of({"Value": 3, "x": 1}, ["value"]) == {"value": "3"}
    assert fields_of('{"value": null}', ["value"]) == {"value": ""}
    assert fields_of(None, ["value"]) == {}
    assert fields_of("just text", ["value"]) == {"value": "just text"}
    assert fields_of("just text", ["old", "new"]) == {}
    assert fields_of('{"values": ["a", "b"]}', ["values"]) == {"values": "a; b"}
    endless = '{"value": ' + "9" * 5000 + "}"
    assert fields_of(endless, ["value"]) == {"value": endless}, "no number that Python reads, so plain text"
    assert fields_of('{"value":' * 50_000, ["old", "new"]) == {}


@pytest.mark.parametrize(
    ("text", "fields", "moment", "attribute", "owner", "named"),
    [
        (
            "What is the retry limit of the mail relay right now?",
            ["value"],
            "current",
            {"retry", "limit"},
            {"mail", "relay"},
            None,
        ),
        ("What was my gym before the present one?", ["value"], "previous", {"gym"}, set(), None),
        ("What was my gym originally?", ["value"], "original", {"gym"}, set(), None),
        ("What was my gym on 3 May 2026?", ["value"], "dated", {"gym"}, set(), None),
        ("Who leads project Kestrel?", ["value"], "current", {"lead"}, {"project", "kestrel"}, None),
        (
            "Who gave 10:15 as the standup of the data team?",
            ["source"],
            "current",
            {"standup"},
            {"data", "team"},
            "10:15",
        ),
        ("Where does Dr Oduya as my dentist come from?", ["source"], "current", {"dentist"}, set(), "dr oduya"),
    ],
)
def test_questions_are_taken_apart(
    text: str, fields: list[str], moment: str, attribute: set[str], owner: set[str], named: str | None, make_question
) -> None:
    taken = asked(make_question(text, fields), "en")
    assert (taken.moment, set(taken.attribute), set(taken.owner)) == (moment, attribute, owner)
    assert (taken.named.keys[0] if taken.named else None) == named


def test_talk_tables_hold_phrases_that_can_be_matched() -> None:
    table = talk("en-GB")
    assert isinstance(table, Talk)
    with pytest.raises(Exception, match="no talk table"):
        talk("tlh")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ('{"seat": "aisle", "as_of": "2026-03-01"}', "change_cues"),
        ("The exam is in May, at the old hall.", "guesses"),
        ("The cache is in spike/offline-cache.", "nothing"),
    ],
)
def test_parts_of_names_and_months_are_no_phrases(text: str, name: str) -> None:
    assert not passage(text, "en").has(name)


def test_a_verb_with_its_short_word_is_one_word() -> None:
    asked_for = passage("What is the timeout of the printer?", "en")
    assert set(asked_for.stems) & set(passage("The printer times out after a minute.", "en").stems) >= {"timout"}


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("Agreed, let's have it that way.", "Lucia"),
        ("No, that's wrong.", "Henrik"),
        ("How long is the shift?", "Henrik"),
    ],
)
def test_a_proposal_holds_once_it_is_agreed_to(reply: str, value: str, make_question) -> None:
    texts = [
        [("user", "Henrik is the one on pager duty.")],
        [
            ("user", "Henrik can't do pager duty, who could?"),
            ("assistant", "I propose Lucia for pager duty."),
            ("user", reply),
        ],
    ]
    sessions = [
        Session(
            session_id=f"s{index}",
            index=index,
            timestamp=f"2026-05-0{index + 1}T10:00:00+00:00",
            turns=tuple(Turn(role=role, content=content) for role, content in turns),
        )
        for index, turns in enumerate(texts)
    ]
    reader = LexicalReader()
    assert reader.read(sessions, make_question("Who is on pager duty?", ["value"])) == {"value": value}
