"""Questions: how a probe is worded, and the form of its answer."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime

from suitegen.errors import DesignError
from suitegen.latent.seeds import rng, shuffled
from suitegen.library.templates import compile_line
from suitegen.model.catalog import Catalog
from suitegen.model.gold import Gold, GoldField
from suitegen.model.latent import LatentSpec, Probe
from suitegen.model.surface import Questions
from suitegen.model.words import SOURCES, STATUSES, ProbeType
from suitegen.writing.facts import written_date
from suitegen.writing.topic import topic_of

ENUMERATIONS: Mapping[str, tuple[str, ...]] = {
    "changed": ("yes", "no", "unknown"),
    "source": SOURCES,
    "status": STATUSES,
    "applies": ("yes", "no"),
    "direction": ("old_to_new", "no_confirmed_change"),
    "holds": ("yes", "no"),
}
"""The words that a field of a closed list may hold, in the order in which they are shown."""


def ask(catalog: Catalog, spec: LatentSpec, probe: Probe, attempt: int) -> str:
    """The question of a probe, in the words of the user to the assistant.

    The wording is drawn by the draw's seed, the probe's type and what it is about, and so
    says nothing about the condition; probes of an episode that ask alike get different
    wordings while there are any left. What is asked at several windows is asked in the same words.

    Args:
        catalog: for the wordings and the fact types' nouns.
        spec: the episode's latent spec.
        probe: one of its probes.
        attempt: 0 for the first; each further one gives another wording.

    Raises:
        DesignError: there are no wordings for the language or the probe's type.
        TemplateError: a wording uses a variable that the probe does not have.
    """
    lines = _lines(catalog, spec, probe)
    deck = shuffled(lines, spec.seed, "question", probe.type)
    line = deck[(_place(spec, probe) + attempt) % len(deck)]
    return compile_line(line, f"questions {spec.language}: {probe.type}").render(_variables(catalog, spec, probe))


def _place(spec: LatentSpec, probe: Probe) -> int:
    """How many wordings of the probe's type others take before it."""
    if probe.window is not None:
        return [thread.id for thread in spec.threads].index(probe.thread)
    return [other.id for other in spec.probes if other.type == probe.type].index(probe.id)


def _lines(catalog: Catalog, spec: LatentSpec, probe: Probe) -> tuple[str, ...]:
    questions = _questions(catalog, spec.language)
    named = questions.about_rival.get(probe.type, ()) if probe.rival is not None else ()
    lines = named or questions.asks.get(probe.type, ())
    if not lines:
        where = f"questions {spec.language}"
        raise DesignError(f"no wording asks for {probe.type}", where=where, hint="add one to asks")
    return lines


def _questions(catalog: Catalog, language: str) -> Questions:
    found = catalog.questions.get(language)
    if found is None:
        known = ", ".join(sorted(catalog.questions))
        raise DesignError(f"there are no questions for language {language!r}", hint=f"known languages: {known}")
    return found


def _variables(catalog: Catalog, spec: LatentSpec, probe: Probe) -> dict[str, str]:
    variables = topic_of(spec, catalog, probe.about).names("user")
    named = {"rival": probe.rival, "premise": probe.premise}
    variables |= {name: text for name, text in named.items() if text is not None}
    stamp = next((plan.timestamp for plan in spec.sessions if plan.index == probe.as_of), None)
    if stamp is not None:
        form = rng(spec.seed, "question", "date").choice(catalog.surfaces[spec.language].words.dates)
        variables["date"] = written_date(datetime.fromisoformat(stamp).date(), form, spec.language)
    return variables


# -- the form of an answer --------------------------------------------------------------------------------------


def answer_format(catalog: Catalog, probe_type: ProbeType, gold: Gold, language: str) -> str:
    """The JSON Schema of an answer, as text with sorted keys: what an answer may hold, never what is right.

    It depends on the names and forms of the gold's fields only: every answer of the same
    probe type has the same format.

    Args:
        catalog: for the descriptions of the fields.
        probe_type: the probe's type.
        gold: its gold.
        language: the language of the descriptions.

    Raises:
        DesignError: a field has no description, or its closed list is not known.
    """
    told = _questions(catalog, language).answer_fields
    properties = {field.name: _field(field, probe_type, told, language) for field in gold.fields}
    schema = {
        "type": "object",
        "properties": properties,
        "required": sorted(properties),
        "additionalProperties": False,
    }
    return json.dumps(schema, ensure_ascii=False, sort_keys=True)


def _field(field: GoldField, probe_type: ProbeType, told: Mapping[str, str], language: str) -> dict[str, object]:
    described = told.get(f"{probe_type}.{field.name}") or told.get(field.name)
    where = f"questions {language}"
    if described is None:
        message = f"answer field {field.name!r} has no description"
        raise DesignError(message, where=where, hint="add it to answer_fields")
    made: dict[str, object] = {"type": "string", "description": described}
    if field.form == "enum":
        if field.name not in ENUMERATIONS:
            raise DesignError(f"answer field {field.name!r} has no closed list of answers", where=where)
        made["enum"] = list(ENUMERATIONS[field.name])
    return made
