"""A ghost writer: a scripted model that replies with what the offline writer would have written."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from suitegen.filler.source import mean_tokens, open_sources
from suitegen.latent.compile import Case, compile_case
from suitegen.latent.plan import plan
from suitegen.library.shelves import shelves
from suitegen.library.templates import TemplateFolder
from suitegen.llm.names import parse
from suitegen.llm.prices import Price, Prices
from suitegen.llm.protocol import ChatRequest, Message, Parameters
from suitegen.model.catalog import Catalog
from suitegen.model.history import Written
from suitegen.model.latent import LatentSpec, SessionPlan
from suitegen.model.suite import SuiteSpec
from suitegen.pipeline.counterbalance import counterbalanced
from suitegen.pipeline.drafts import planned
from suitegen.pipeline.kit import Workshop
from suitegen.reading.lexical import LexicalReader
from suitegen.reading.remembering import Remembering
from suitegen.validation.builtin import builtin
from suitegen.validation.protocol import Kit
from suitegen.values.lexicon import Lexicon
from suitegen.writing.brief import Brief, brief
from suitegen.writing.model_writer import Ask, ModelWriter, Rejected, Task
from suitegen.writing.offline import OfflineWriter
from suitegen.writing.replies import echoes

TRIES, STARTS = 40, 4
MODEL = parse("openai:ghost@http://127.0.0.1:9/v1", {})
TEMPLATES = TemplateFolder(shelves(None).templates)
PRICES = Prices({str(MODEL): Price(input="1", output="2")})


def model_writer(catalog: Catalog, ask: Ask = lambda requests: (), **more: object) -> ModelWriter:
    return ModelWriter(catalog, TEMPLATES, MODEL, Parameters(), ask, PRICES, "CC-BY-4.0", **more)


def answered(written: Written, about: Brief) -> str:
    """A session as a model is to answer it."""
    exchanges: list[dict[str, str]] = []
    for turn in written.turns:
        if turn.role == "user" or not exchanges or exchanges[-1]["assistant"]:
            exchanges.append({"user": "", **({"tool": ""} if about.tool else {}), "assistant": ""})
        exchanges[-1][turn.role] = turn.content
    spans = {span.event: span for span in written.spans}
    quotes = {}
    for item in about.items:
        span = spans[item.event]
        quotes[item.name] = written.turns[span.turn].content[span.start : span.end]
    return json.dumps({"exchanges": exchanges, "evidence": quotes})


def unlike(writer: OfflineWriter, spec: LatentSpec, place: SessionPlan, attempt: int, about: Brief) -> Written:
    """The offline writer's session in a wording that does as the prompt says: another opening, a tool where one is called,
    and as many exchanges as were asked for."""
    for more in range(TRIES):
        written = writer.write(spec, place, attempt * TRIES + more)
        calls = any(turn.role == "tool" for turn in written.turns)
        exchanges = len(json.loads(answered(written, about))["exchanges"])
        fits = calls == bool(about.tool) and about.shortest <= exchanges <= about.longest
        if fits and not echoes(written.turns, "", "", about):
            return written
    raise LookupError(f"no such wording of {place.slot}")


class Ghost:
    """The rule of a model that knows every session of some cases by its prompt.

    Args:
        suite: the design.
        catalog: what it draws on.
        cases: the cases.
    """

    def __init__(self, suite: SuiteSpec, catalog: Catalog, cases: Iterable[Case]) -> None:
        self._catalog = catalog
        self._known: dict[tuple[Message, ...], tuple[LatentSpec, SessionPlan, int]] = {}
        writer = model_writer(catalog)
        for case in cases:
            for draw in range(suite.reserves + 1):
                for spec, place in planned(compile_case(suite, catalog, case, draw)):
                    for start in range(STARTS):
                        task = Task(spec, place, (Rejected("", ()),) * start)
                        self._known[writer.request(task).messages] = spec, place, start

    def reply(self, messages: tuple[Message, ...], attempt: int = 0) -> str:
        """A sound session for a prompt, in another wording for each attempt."""
        spec, place, start = self._known[messages[:2]]
        about = brief(spec, place, self._catalog, start)
        return answered(unlike(OfflineWriter(self._catalog), spec, place, attempt or start, about), about)

    def __call__(self, request: ChatRequest) -> str:
        return self.reply(request.messages, request.attempt % 1000)


def workshop(suite: SuiteSpec, catalog: Catalog, model: ModelWriter | None = None, **more: object) -> Workshop:
    """A workshop of the built-in parts."""
    sources, _ = open_sources(suite.fillers, catalog.scripts.values(), suite.language, Path(), suite.license)
    gates = tuple(catalog.gates[name] for name in suite.gates)
    validators = builtin(Remembering(LexicalReader()))
    kit = Kit(catalog, suite, Lexicon(catalog.fact_types))
    return Workshop(kit, OfflineWriter(catalog), sources, gates, validators, model, **more)


def cases(suite: SuiteSpec, catalog: Catalog) -> tuple[Case, ...]:
    sources, _ = open_sources(suite.fillers, catalog.scripts.values(), suite.language, Path(), suite.license)
    return counterbalanced(suite, catalog, plan(suite, catalog, round(mean_tokens(sources, suite.seed)) or 1))
