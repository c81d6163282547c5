"""The calls of a build before the first is made: that their prompts can be written, how many, and what they cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

from suitegen.latent.compile import Case, compile_case
from suitegen.llm.cache import Measured
from suitegen.llm.forecast import Forecast, Planned, forecast
from suitegen.llm.protocol import ChatRequest
from suitegen.pipeline.drafts import planned
from suitegen.pipeline.kit import Workshop
from suitegen.writing.model_writer import ROLE, STAGE, Task

REPLY = 400
"""Tokens that a session is taken to have as long as none was measured."""


def check_prompts(workshop: Workshop, cases: Sequence[Case]) -> None:
    """Write the first prompt of every session, so that a template that cannot be rendered costs nothing.

    Raises:
        TemplateError: a template of the prompts, or a line of a fact type, cannot be rendered.
        DesignError: a session cannot be put into words.
    """
    for _ in _requests(workshop, cases):
        pass


def foreseen(
    workshop: Workshop, cases: Sequence[Case], measured: Mapping[tuple[str, str, str], Measured]
) -> Forecast | None:
    """What the first draws of cases come to: each session written once, up to as often as it may be tried.

    Args:
        workshop: with the model that writes; without one there is nothing to foresee.
        cases: the cases.
        measured: what earlier calls used, by stage, role and model.
    """
    model = workshop.model
    if model is None:
        return None
    asked = {(request.template, request.messages): request.input_tokens for request in _requests(workshop, cases)}
    each = round(fmean(asked.values())) if asked else 0
    calls = Planned(STAGE, ROLE, model.model, len(asked), len(asked) * model.tries, each, REPLY)
    return forecast([calls], measured, model.prices)


def _requests(workshop: Workshop, cases: Sequence[Case]) -> Iterator[ChatRequest]:
    """What is asked first for every session that a model writes; members of a group ask some of it alike."""
    if workshop.model is None:
        return
    for case in cases:
        specs = compile_case(workshop.kit.suite, workshop.kit.catalog, case, 0)
        for spec, plan in planned(specs):
            yield workshop.model.request(Task(spec, plan))
