"""The lint: every rule on everything that was read, and with it every problem of every file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TypeVar

from suitegen.library.catalog import Loaded
from suitegen.library.kinds import QUESTIONS, SUITE, SURFACES
from suitegen.library.nearest import did_you_mean
from suitegen.library.problem import Problem, common, sort_key
from suitegen.library.rules import conditions, facts, wordings
from suitegen.library.rules import suites as designs
from suitegen.library.rules.base import On, Rule, twice
from suitegen.library.rules.scenes import Scene
from suitegen.model.background import Script
from suitegen.model.fact_type import FactType
from suitegen.model.gate import GateSpec
from suitegen.model.paradigm import Paradigm
from suitegen.model.suite import SuiteSpec
from suitegen.model.surface import Questions, Surfaces

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
    ways = [_serving(way, loaded, suites) for way in loaded.mended or (loaded,)]
    ruled = common([list(_problems(way, validators)) for way in ways])
    sources = (*loaded.sources.values(), *(source for way in ways for _, source in way.declared))
    documents = {source.document.path: source.document for source in sources}
    found = [p for p in (*_ids(loaded), *ruled) if p.code not in documents[p.path].ignores(p.line)]
    return tuple(sorted({*loaded.problems, *found}, key=sort_key))


def _serving(way: Loaded, loaded: Loaded, suites: frozenset[str] | None) -> Loaded:
    """A way to mend files where the suites that matter are those of the given ids, though these be mended."""
    if suites is None:
        return way
    at = {
        source.document.path for (kind, name), source in loaded.sources.items() if kind == SUITE.name and name in suites
    }
    own = [name for (kind, name), source in way.sources.items() if kind == SUITE.name and source.document.path in at]
    return replace(way, own=suites.union(own))


def _problems(loaded: Loaded, validators: frozenset[str] | None) -> Iterator[Problem]:
    for thing, source in loaded.declared:
        if isinstance(thing, FactType):
            yield from _ruled(On(thing, source, loaded), facts.rules(thing))
        elif isinstance(thing, Paradigm):
            yield from _paradigm(On(thing, source, loaded))
        elif isinstance(thing, SuiteSpec) and thing.id in loaded.own:
            yield from _ruled(On(thing, source, loaded), designs.RULES)
        elif isinstance(thing, Surfaces):
            yield from _ruled(On(thing, source, loaded), wordings.SURFACE_RULES)
        elif isinstance(thing, Questions):
            yield from _ruled(On(thing, source, loaded), wordings.QUESTION_RULES)
        elif isinstance(thing, Script):
            yield from _ruled(On(thing, source, loaded), wordings.SCRIPT_RULES)
        elif isinstance(thing, GateSpec) and validators is not None:
            yield from _gate(On(thing, source, loaded), validators)


def _ruled(on: On[T], rules: Sequence[Rule[T]]) -> Iterator[Problem]:
    for rule in rules:
        yield from rule(on)


def _paradigm(on: On[Paradigm]) -> Iterator[Problem]:
    known = on.thing.conditions
    for name, condition in known.items():
        scene = On(Scene(condition), on.source, on.loaded, ("conditions", name))
        if condition.sibling is not None and condition.sibling not in known:
            message = f"the paradigm has no condition {condition.sibling!r}"
            yield scene.found("L203", message, "sibling", hint=did_you_mean(condition.sibling, known))
        yield from _ruled(scene, conditions.RULES)


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
