"""The lint: every rule on everything that was read, and with it every problem of every file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from suitegen.library.catalog import Loaded
from suitegen.library.kinds import FACT_TYPE, GATE, PARADIGM, QUESTIONS, SCRIPTS, SUITE, SURFACES, Kind
from suitegen.library.nearest import did_you_mean
from suitegen.library.problem import Problem, common, sort_key
from suitegen.library.rules import conditions, facts, wordings
from suitegen.library.rules import suites as designs
from suitegen.library.rules.base import On, Rule, twice
from suitegen.library.rules.scenes import Scene
from suitegen.model.gate import GateSpec
from suitegen.model.paradigm import Paradigm

T = TypeVar("T")

RESERVED = frozenset(
    {"con", "prn", "aux", "nul", *(f"com{n}" for n in range(1, 10)), *(f"lpt{n}" for n in range(1, 10))}
)
"""Names that no file may have on some systems."""


def lint(
    loaded: Loaded, validators: frozenset[str] | None = None, suites: frozenset[str] | None = None
) -> tuple[Problem, ...]:
    """Every problem of everything that was read, in order of place.

    Args:
        loaded: what the shelves hold.
        validators: the names that gates may use; None to leave that unchecked.
        suites: ids of the suites that matter, which the other files have to serve; by default those of the
            nearest shelf. A project need not serve the shipped suites that it does not build.
    """
    ways = [_serving(way, suites) for way in loaded.mended or (loaded,)]
    ruled = common([list(_problems(way, validators)) for way in ways])
    documents = {source.document.path: source.document for source in loaded.sources.values()}
    found = [p for p in (*_ids(loaded), *ruled) if p.code not in documents[p.path].ignores(p.line)]
    return tuple(sorted({*loaded.problems, *found}, key=sort_key))


def _serving(loaded: Loaded, suites: frozenset[str] | None) -> Loaded:
    return loaded if suites is None else replace(loaded, own=suites)


def _problems(loaded: Loaded, validators: frozenset[str] | None) -> Iterator[Problem]:
    catalog = loaded.catalog
    for name, fact in catalog.fact_types.items():
        yield from _each(loaded, FACT_TYPE, {name: fact}, facts.rules(fact))
    for name, paradigm in catalog.paradigms.items():
        yield from _paradigm(loaded, name, paradigm)
    yield from _each(loaded, SUITE, designs.own_suites(loaded), designs.RULES)
    yield from _each(loaded, SURFACES, catalog.surfaces, wordings.SURFACE_RULES)
    yield from _each(loaded, QUESTIONS, catalog.questions, wordings.QUESTION_RULES)
    yield from _each(loaded, SCRIPTS, catalog.scripts, wordings.SCRIPT_RULES)
    if validators is not None:
        for name, gate in catalog.gates.items():
            yield from _gate(On(gate, loaded.source(GATE, name), loaded), validators)


def _each(loaded: Loaded, kind: Kind, things: Mapping[str, T], rules: Sequence[Rule[T]]) -> Iterator[Problem]:
    for name, thing in things.items():
        on = On(thing, loaded.source(kind, name), loaded)
        for rule in rules:
            yield from rule(on)


def _paradigm(loaded: Loaded, name: str, paradigm: Paradigm) -> Iterator[Problem]:
    source = loaded.source(PARADIGM, name)
    for condition_name, condition in paradigm.conditions.items():
        base = ("conditions", condition_name)
        on = On(Scene(condition), source, loaded, base)
        if condition.sibling is not None and condition.sibling not in paradigm.conditions:
            message = f"the paradigm has no condition {condition.sibling!r}"
            yield on.found("L203", message, "sibling", hint=did_you_mean(condition.sibling, paradigm.conditions))
        for rule in conditions.RULES:
            yield from rule(on)


def _gate(on: On[GateSpec], validators: frozenset[str]) -> Iterator[Problem]:
    """L501: a check by a validator that there is not."""
    for index, check in enumerate(on.thing.checks):
        if check.validator not in validators:
            hint = did_you_mean(check.validator, validators)
            yield on.found(
                "L501", f"there is no validator {check.validator!r}", "checks", index, "validator", hint=hint
            )


def _ids(loaded: Loaded) -> Iterator[Problem]:
    """L003: ids of one kind that differ in nothing but case. L004: ids that no file may have."""
    by_kind: dict[str, list[str]] = {}
    for kind, name in loaded.sources:
        by_kind.setdefault(kind, []).append(name)
    for kind, names in by_kind.items():
        key = "language" if kind in (SURFACES.name, QUESTIONS.name) else "id"
        for name in names:
            on = On(name, loaded.sources[kind, name], loaded)
            if name.casefold() in RESERVED:
                hint = "take another; some systems cannot have a file of that name"
                yield on.found("L004", f"{name!r} is a reserved name", key, hint=hint)
        for _, first, name in twice(names):
            on = On(name, loaded.sources[kind, name], loaded)
            yield on.found(
                "L003",
                f"the {kind} {name!r} differs from {names[first]!r} in case only",
                key,
                hint="rename one of them",
            )
