"""The reader that asks a model, played by a rule: what the model is shown and what its answers become."""

from __future__ import annotations

from suitegen.library.templates import TemplateFolder
from suitegen.llm.names import ModelName
from suitegen.llm.protocol import ChatRequest
from suitegen.llm.structured import Answer
from suitegen.model.history import Question, Session, Turn
from suitegen.reading.model_reader import ModelReader
from suitegen.reading.retrieval import Retrieval
from tests.catalog import ROOT

FORMAT = '{"type": "object", "properties": {"value": {"type": "string"}}, "required": ["value"]}'
SESSIONS = tuple(
    Session(session_id=f"s{number}", index=number, timestamp=f"2026-03-0{number + 1}T09:00:00+00:00", turns=turns)
    for number, turns in enumerate(
        (
            (Turn(role="user", content="Standup is at 9:30."), Turn(role="assistant", content="Noted.")),
            (Turn(role="tool", name="calendar", content="standup: {{ 7 * 7 }} <b>"),),
            (Turn(role="user", content="Standup moved to 10:00."),),
        )
    )
)


def question(until: int = 2) -> Question:
    return Question(
        probe_id="p1", episode_id="e1", asked_at="2026-04-01T09:00:00+00:00", visible_until=until,
        question="When is the standup?", answer_format=FORMAT,
    )  # fmt: skip


class Model:
    def __init__(self, answer: Answer) -> None:
        self.answer = answer
        self.requests: list[ChatRequest] = []

    def __call__(self, request: ChatRequest) -> Answer:
        self.requests.append(request)
        return self.answer


def reader(answer: Answer) -> tuple[ModelReader, Model]:
    model = Model(answer)
    return ModelReader(model, ModelName("openai", "small"), TemplateFolder([ROOT / "templates"])), model


def prompt(model: Model) -> str:
    return model.requests[-1].messages[0].content


def test_the_model_sees_the_visible_sessions_as_they_are() -> None:
    reads, model = reader(Answer("answered", {"value": "9:30"}))
    assert reads.read(SESSIONS, question(until=1)) == {"value": "9:30"}
    shown = prompt(model)
    assert "[user] Standup is at 9:30." in shown
    assert "[tool calendar] standup: {{ 7 * 7 }} <b>" in shown, "text is data, not a template, and not HTML"
    assert "10:00" not in shown, "it may not see what comes after the question"
    assert "2026-03-01T09:00" in shown
    assert "When is the standup?" in shown
    assert FORMAT in shown
    request = model.requests[-1]
    assert (request.role, request.schema, str(request.model)) == ("reader", FORMAT, "openai:small")
    assert "s0" not in shown
    assert "p1" not in shown


def test_without_sessions_it_says_that_there_is_no_record() -> None:
    reads, model = reader(Answer("answered", {"value": "unknown"}))
    reads.read((), question())
    assert "There is no record" in prompt(model)


def test_naive_retrieval_hands_over_no_dates() -> None:
    reads, model = reader(Answer("answered", {"value": "10:00"}))
    Retrieval(reads, k=1).read(SESSIONS, question())
    assert "conversation 1 ===" in prompt(model)
    assert "2026-03" not in prompt(model)


def test_what_cannot_be_read_is_no_answer() -> None:
    for answer in (Answer("malformed", trouble="no JSON"), Answer("refused"), Answer("answered", ["10:00"])):
        assert reader(answer)[0].read(SESSIONS, question()) == {}
    assert reader(Answer("answered", {"value": "10:00", "n": 3}))[0].read(SESSIONS, question()) == {"value": "10:00"}
