"""A reader that asks a language model."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from suitegen.library.templates import TemplateFolder
from suitegen.llm.names import ModelName
from suitegen.llm.protocol import ChatRequest, Message, Parameters
from suitegen.llm.structured import Answer
from suitegen.model.history import Question, Session
from suitegen.reading.protocol import visible

PROMPT = "prompts/reader/answer.md.j2"
LONGEST = 20_000_000
"""Characters that a prompt may have; what a model takes is for its server to say."""


@dataclass(frozen=True)
class ModelReader:
    """Answers as a model does that is shown the sessions as text, in the order in which they are given.

    The prompt holds inputs only: sessions with their dates, the question, and its answer format.
    """

    ask: Callable[[ChatRequest], Answer]
    model: ModelName
    templates: TemplateFolder
    parameters: Parameters = field(default_factory=Parameters)
    stage: str = "build"

    @property
    def name(self) -> str:
        """What reports call it."""
        return str(self.model)

    def read(self, sessions: Sequence[Session], question: Question) -> Mapping[str, str]:
        """The answer by field; empty if the model gave none that fits the answer format.

        Raises:
            ModelError: the model cannot be asked at all.
            BudgetError: the call would pass the budget.
        """
        shown = visible(sessions, question)
        prompt = self.templates.render(PROMPT, {"sessions": shown, "question": question}, limit=LONGEST)
        found = self.ask(
            ChatRequest(
                model=self.model, messages=(Message("user", prompt),), parameters=self.parameters,
                schema=question.answer_format, role="reader", stage=self.stage, template=PROMPT,
            )
        )  # fmt: skip
        if not isinstance(found.value, Mapping):
            return {}
        return {name: value for name, value in found.value.items() if isinstance(value, str)}
