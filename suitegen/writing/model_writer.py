"""The model writer: planned sessions asked of a chat model, one a call, and corrected by what was wrong with them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from suitegen.latent.seeds import derive
from suitegen.library.templates import TemplateFolder
from suitegen.llm.names import ModelName
from suitegen.llm.prices import Prices
from suitegen.llm.protocol import ChatRequest, Message, Parameters
from suitegen.llm.structured import Answer
from suitegen.model.catalog import Catalog
from suitegen.model.episode import Call
from suitegen.model.finding import Finding
from suitegen.model.history import Written
from suitegen.model.latent import LatentSpec, SessionPlan
from suitegen.writing.brief import Brief, brief
from suitegen.writing.replies import echoes, schema, session, unusable

Ask = Callable[[Sequence[ChatRequest]], Sequence[Answer]]
"""Asks many at once; answers come in the order of the requests."""

FOLDER = "prompts/writer"
STAGE, ROLE = "write", "writer"
_PER_DRAW = 1000
"""Numbers of attempts that each draw has for itself: what was rejected in one is not served in another."""
_EXCERPT = 120
"""Characters of a passage that feedback shows."""


@dataclass(frozen=True, slots=True)
class Rejected:
    """A reply that was not taken, with what to do about it; without feedback it is not mended but written afresh."""

    reply: str
    feedback: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Task:
    """A session that is to be written, and what was rejected before, the latest last."""

    spec: LatentSpec
    plan: SessionPlan
    rejected: tuple[Rejected, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """What came of a task. Without ``written`` the reply was no session; the findings say why."""

    written: Written | None
    findings: tuple[Finding, ...]
    call: Call

    @property
    def reply(self) -> str:
        """The reply as it came."""
        return self.call.reply


@dataclass(frozen=True, slots=True)
class ModelWriter:
    """Writes planned sessions by a chat model.

    What was rejected goes back with its feedback, ``corrections`` times at most; then the session is asked for
    afresh, ``restarts`` times at most.
    """

    catalog: Catalog
    templates: TemplateFolder
    model: ModelName
    parameters: Parameters
    ask: Ask
    prices: Prices
    license: str
    corrections: int = 2
    restarts: int = 1

    @property
    def tries(self) -> int:
        """How often one session is asked for at most."""
        return (self.corrections + 1) * (self.restarts + 1)

    @property
    def identity(self) -> Mapping[str, object]:
        """All that its texts depend on, beside the spec and the files that the spec draws on."""
        return {
            "model": str(self.model),
            "parameters": self.parameters.model_dump(exclude_none=True),
            "tries": [self.corrections, self.restarts],
            "templates": {name: self.templates.source(_path(name)) for name in ("system", "session", "correction")},
        }

    @property
    def origin(self) -> str:
        """The writer's name in what is published: without the address of its server."""
        return f"{self.model.provider}:{self.model.name}"

    def draft(self, tasks: Sequence[Task]) -> tuple[Draft, ...]:
        """What comes of the tasks, in their order.

        Raises:
            ModelError: the model cannot be asked at all.
            BudgetError: a call would pass the budget; what was answered is kept.
            TemplateError: a template of the prompt cannot be rendered.
        """
        briefs = [self._brief(task) for task in tasks]
        requests = [self._request(task, about) for task, about in zip(tasks, briefs, strict=True)]
        answers = self.ask(requests)
        return tuple(self._draft(*each) for each in zip(briefs, requests, answers, strict=True))

    def request(self, task: Task) -> ChatRequest:
        """The request that a task comes to."""
        return self._request(task, self._brief(task))

    def _brief(self, task: Task) -> Brief:
        """The brief; another one each time that a session is written afresh."""
        starts = sum(not self._mends(task.rejected[:tried]) for tried in range(1, len(task.rejected) + 1))
        return brief(task.spec, task.plan, self.catalog, starts)

    def _mends(self, rejected: Sequence[Rejected]) -> bool:
        """Whether the latest text is mended, after so many were rejected."""
        is_due = len(rejected) % (self.corrections + 1) > 0
        return is_due and bool(rejected[-1].reply and rejected[-1].feedback)

    def _request(self, task: Task, about: Brief) -> ChatRequest:
        spec, tried = task.spec, len(task.rejected)
        return ChatRequest(
            self.model,
            tuple(self._messages(about, task.rejected)),
            self.parameters,
            schema(about),
            role=ROLE,
            stage=STAGE,
            attempt=spec.draw * _PER_DRAW + tried,
            # Two places of which the same is asked are to get different texts; members of a group share theirs.
            template=f"{FOLDER} {derive(spec.seed, task.plan.slot):016x}",
        )

    def _messages(self, about: Brief, rejected: Sequence[Rejected]) -> Iterable[Message]:
        yield Message("system", self._render("system", about.values))
        yield Message("user", self._render("session", about.values))
        if self._mends(rejected):
            yield Message("assistant", rejected[-1].reply)
            yield Message("user", self._render("correction", {"feedback": rejected[-1].feedback}))

    def _render(self, name: str, values: Mapping[str, object]) -> str:
        return self.templates.render(_path(name), values).strip()

    def _draft(self, about: Brief, request: ChatRequest, answer: Answer) -> Draft:
        call = self._call(answer)
        if answer.outcome != "answered":
            return Draft(None, (unusable(answer.trouble or answer.outcome),), call)
        written, findings = session(answer.value, about, self.origin, self.license)
        # What comes after the task quotes earlier texts, which may be kept.
        system, told = (message.content for message in request.messages[:2])
        return Draft(written, (*findings, *echoes(written.turns, system, told, about)), call)

    def _call(self, answer: Answer) -> Call:
        asked, reply = answer.asked[-1], answer.reply
        cost = self.prices.cost(self.model, reply.usage) if reply else None
        return Call(
            model=str(self.model),
            attempt=asked.attempt,
            prompt="\n\n".join(f"[{message.role}]\n{message.content}" for message in asked.messages),
            reply=(reply.text or reply.refusal) if reply else "",
            outcome=answer.outcome,
            input=reply.usage.input if reply else None,
            output=reply.usage.output if reply else None,
            cost=str(cost) if cost is not None else None,
        )


def _path(name: str) -> str:
    return f"{FOLDER}/{name}.j2"


def feedback(finding: Finding, written: Written | None) -> str:
    """What a finding tells the writer, with the passage that it is about."""
    told = finding.feedback or finding.message
    if written is None or finding.turn is None or not 0 <= finding.turn < len(written.turns):
        return told
    content = written.turns[finding.turn].content
    passage = content[finding.start : finding.end] if finding.start is not None else content
    shown = passage if len(passage) <= _EXCERPT else f"{passage[:_EXCERPT]} ..."
    return f"{json.dumps(shown, ensure_ascii=False)}: {told}"
