from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from suitegen.model.history import Question, Session, Turn
from suitegen.reading.retrieval import Retrieval


@dataclass
class Recorder:
    """A reader that keeps what it was given."""

    name: str = "recorder"
    given: list[Sequence[Session]] = field(default_factory=list)

    def read(self, sessions: Sequence[Session], question: Question) -> Mapping[str, str]:
        self.given.append(tuple(sessions))
        return {"value": "x"}


def session(index: int, text: str) -> Session:
    turn = Turn(role="user", content=text)
    return Session(
        session_id=f"s{index}", index=index, timestamp=f"2026-05-{index + 1:02d}T10:00:00+00:00", turns=(turn,)
    )


def question(text: str, visible_until: int = 99) -> Question:
    return Question(
        probe_id="p",
        episode_id="e",
        asked_at="2027-01-01T00:00:00+00:00",
        visible_until=visible_until,
        question=text,
        answer_format="{}",
    )


HISTORY = (
    session(0, "The gym near the river has a new sauna."),
    session(1, "Bread needs time, flour and water."),
    session(2, "My gym is Pulse Factory, the gym with the sauna."),
    session(3, "Trains to the coast leave hourly."),
)


def test_the_sessions_that_share_words_with_the_question_come_first() -> None:
    assert Retrieval(Recorder(), k=2).hits(HISTORY, question("Which gym has the sauna?")) in ((0, 2), (2, 0))


def test_equal_scores_are_in_the_order_of_the_history() -> None:
    same = tuple(session(index, "My gym is Pulse Factory.") for index in range(8))
    assert Retrieval(Recorder()).hits(same, question("Which gym?")) == (0, 1, 2, 3, 4)
    assert Retrieval(Recorder()).hits(HISTORY, question("zzz qqq")) == (0, 1, 2, 3)


def test_only_visible_sessions_are_retrieved() -> None:
    assert Retrieval(Recorder()).hits(HISTORY, question("gym", visible_until=1)) == (0, 1)
    assert Retrieval(Recorder()).hits((), question("gym")) == ()
    assert Retrieval(Recorder()).hits((session(0, "!!"), session(1, "")), question("gym")) == (0, 1)


def test_naive_retrieval_gives_ranks_without_dates() -> None:
    reader = Recorder()
    assert Retrieval(reader, k=3).read(HISTORY, question("Pulse Factory gym sauna")) == {"value": "x"}
    (given,) = reader.given
    assert given[0].index == 2
    assert {each.timestamp for each in given} == {""}


def test_time_aware_retrieval_gives_the_same_sessions_in_time_with_dates() -> None:
    naive, timed = Retrieval(Recorder(), k=3), Recorder()
    asked = question("Pulse Factory gym sauna")
    Retrieval(timed, k=3, time_aware=True).read(HISTORY, asked)
    (given,) = timed.given
    assert [each.index for each in given] == sorted(naive.hits(HISTORY, asked))
    assert given == tuple(HISTORY[each.index] for each in given)


def test_its_name_tells_reader_and_kind() -> None:
    assert Retrieval(Recorder()).name == "bm25+recorder"
    assert Retrieval(Recorder(), time_aware=True).name == "bm25-time+recorder"


def test_nothing_is_printed(capfd) -> None:
    Retrieval(Recorder()).hits(HISTORY, question("gym and sauna by the river"))
    assert capfd.readouterr() == ("", "")
