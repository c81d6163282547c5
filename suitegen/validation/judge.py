"""A model as judge: of a written session against what it has to say, and of a gold answer against what was said.

The criteria are those by which MemProbe's judge accepts an episode (section 3.4), one structured verdict each.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from suitegen.latent.gold import current
from suitegen.latent.ledger import replay
from suitegen.latent.seeds import derive
from suitegen.library.templates import TemplateFolder
from suitegen.llm.names import ModelName
from suitegen.llm.protocol import ChatRequest, Message, Parameters
from suitegen.llm.structured import Answer
from suitegen.model.episode import AskedProbe, Episode
from suitegen.model.latent import Event, LatentSpec
from suitegen.validation.protocol import SessionText

CRITERIA = ("grounding", "operation_trace", "state_transition", "coverage", "leakage", "naturalness")
"""What a session is judged by."""
GOLD = ("unambiguous",)
"""What a gold answer is judged by."""
LONGEST = 2_000_000
"""Characters that a prompt may have."""
_SESSION, _ANSWER = "prompts/judge/session.md.j2", "prompts/judge/gold.md.j2"
_KEPT = 256
_REASON = 400
"""Most characters of a reason that are passed on."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a judge said: the reason of each failed criterion; or why there is no verdict."""

    failed: Mapping[str, str] = field(default_factory=dict)
    trouble: str = ""
    """The judge's own failure: it gave no answer that could be read."""


class Judge:
    """Asks a model for verdicts. The same prompt is asked once.

    Args:
        ask: how a model is asked.
        model: which one.
        templates: where its prompts are.
        parameters: how it is to answer.
    """

    def __init__(
        self, ask: Callable[[ChatRequest], Answer], model: ModelName, templates: TemplateFolder, parameters: Parameters
    ) -> None:
        self.name = str(model)
        self._ask = ask
        self._model = model
        self._templates = templates
        self._parameters = parameters
        self._judged = lru_cache(maxsize=_KEPT)(self._judge)

    def session(self, text: SessionText) -> Judgement:
        """Whether a session says what its events say.

        Raises:
            ModelError: the model cannot be asked at all.
            BudgetError: the call would pass the budget.
        """
        turns = text.written.turns
        values = {
            "date": text.plan.timestamp[:10],
            "language": text.spec.language,
            "events": [_listed(text.spec, event) for event in text.spec.events_of(text.plan)],
            "standing": list(_standing(text)),
            "others": sorted(_others(text)),
            "turns": turns,
            "mark": _mark([turn.content for turn in turns]),
            "schema": _schema(CRITERIA),
        }
        prompt = self._templates.render(_SESSION, values, limit=LONGEST)
        return self._judged(_SESSION, prompt, CRITERIA)

    def gold(self, episode: Episode, asked: AskedProbe, claimed: Mapping[str, str]) -> Judgement:
        """Whether an answer is the one that the planned sessions bear out.

        Raises:
            ModelError: the model cannot be asked at all.
            BudgetError: the call would pass the budget.
        """
        planned = {plan.index for plan in episode.spec.sessions if plan.kind != "background"}
        shown = [s for s in episode.sessions if s.index in planned and s.index <= asked.question.visible_until]
        values = {
            "sessions": shown,
            "question": asked.question,
            "claimed": dict(claimed),
            "mark": _mark([turn.content for session in shown for turn in session.turns]),
            "schema": _schema(GOLD),
        }
        prompt = self._templates.render(_ANSWER, values, limit=LONGEST)
        return self._judged(_ANSWER, prompt, GOLD)

    def _judge(self, template: str, prompt: str, criteria: tuple[str, ...]) -> Judgement:
        found = self._ask(
            ChatRequest(
                model=self._model, messages=(Message("user", prompt),), parameters=self._parameters,
                schema=_schema(criteria), role="judge", stage="judge", template=template,
            )
        )  # fmt: skip
        verdicts = found.value
        if not isinstance(verdicts, Mapping):
            return Judgement(trouble=found.trouble or found.outcome)
        failed = {name: _reason(verdicts[name]) for name in criteria if not _passed(verdicts[name])}
        return Judgement(failed)


def _passed(verdict: object) -> bool:
    return isinstance(verdict, Mapping) and verdict.get("verdict") == "pass"


def _reason(verdict: object) -> str:
    reason = verdict.get("reason") if isinstance(verdict, Mapping) else None
    return " ".join(str(reason or "no reason given").split())[:_REASON]


def _schema(criteria: Sequence[str]) -> str:
    """The JSON Schema of verdicts, as text."""
    verdict = {
        "type": "object", "additionalProperties": False, "required": ["verdict", "reason"],
        "properties": {"verdict": {"type": "string", "enum": ["pass", "fail"]}, "reason": {"type": "string"}},
    }  # fmt: skip
    return json.dumps(
        {
            "type": "object", "additionalProperties": False, "required": list(criteria),
            "properties": dict.fromkeys(criteria, verdict),
        },
        sort_keys=True,
    )  # fmt: skip


def _mark(texts: Sequence[str]) -> str:
    """A line that none of the texts holds, so that no text can end the stretch that it stands in."""
    number = 0
    while any((mark := f"##{derive('mark', number, *texts):016x}##") in text for text in texts):
        number += 1
    return mark if texts else f"##{derive('mark'):016x}##"


def _about(spec: LatentSpec, name: str) -> str:
    member = spec.member(name)
    return f"{member.attribute} of {'the user' if member.entity == 'user' else member.entity}"


def _listed(spec: LatentSpec, event: Event) -> dict[str, object]:
    """An event as the judge is told of it: only what the text has to state."""
    texts = {
        "value": event.value, "old": event.old, "trigger": event.trigger, "reason": event.reason,
        "date": event.effective,
    }  # fmt: skip
    return {
        "act": event.op.replace("_", " "),
        "about": _about(spec, event.target),
        "speaker": event.speaker,
        "source": event.source,
        "origin": event.origin,
        "strength": event.strength,
        "states": {name: text for name, text in texts.items() if text is not None and name in event.says},
    }


def _standing(text: SessionText) -> Iterator[dict[str, str]]:
    """How the members that the session is about stand before it and after it."""
    spec, place = text.spec, text.plan.index
    before = replay((event for event in spec.events if event.session < place), spec.cast)
    after = replay((event for event in spec.events if event.session <= place), spec.cast)
    for name in dict.fromkeys(event.target for event in spec.events_of(text.plan)):
        yield {
            "about": _about(spec, name),
            "before": current(before.track(name)),
            "after": current(after.track(name)),
        }


def _others(text: SessionText) -> frozenset[str]:
    """Values of the episode that the session has no business with."""
    own = {
        value
        for event in text.spec.events_of(text.plan)
        for facet, value in (("value", event.value), ("old", event.old))
        if value is not None and facet in event.says
    }
    return text.spec.values() - own
