"""Rules on suites: every name is there, the fact types can serve the conditions, and the design is balanced."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from itertools import product
from typing import TypeAlias

from suitegen.library.catalog import Loaded
from suitegen.library.kinds import FACT_TYPE, GATE, PARADIGM, SCRIPTS
from suitegen.library.nearest import did_you_mean
from suitegen.library.problem import Problem
from suitegen.library.rules.base import On, Rule, listed, twice
from suitegen.library.rules.histories import condition_of, thread_names, threads, windows
from suitegen.library.rules.scenes import TARGET, Scene, member_of
from suitegen.library.yaml import Loc
from suitegen.model.fact_type import FactType
from suitegen.model.paradigm import EACH_MARK, MARK_BEFORE, Condition, Paradigm
from suitegen.model.suite import Cell, SuiteSpec
from suitegen.model.words import Behavior, SessionKind
from suitegen.values.licenses import conflicts

OnSuite: TypeAlias = On[SuiteSpec]

SKEW = 0.2
"""How far update and preserve episodes may be apart, as a share of both."""
DRAWN: frozenset[SessionKind] = frozenset({"confusable", "decoy"})
"""Planned fillers that state a value of the attribute's kind which no role has."""


# -- what a suite names -----------------------------------------------------------------------------------------


def fact_types(on: OnSuite) -> Iterator[Problem]:
    """L301: a fact type that there is not, or that is named twice."""
    known = on.loaded.catalog.fact_types
    for loc, name in listed(("fact_types",), on.thing.fact_types):
        if not on.loaded.knows(FACT_TYPE, name):
            yield on.found("L301", f"there is no fact type {name!r}", *loc, hint=did_you_mean(name, known))
    for index, _, name in twice(on.thing.fact_types):
        yield on.found("L301", f"the fact type {name!r} is named twice", "fact_types", index, hint="name it once")


def conditions(on: OnSuite) -> Iterator[Problem]:
    """L302: a paradigm or a condition that there is not."""
    paradigms = on.loaded.catalog.paradigms
    for index, cell in enumerate(on.thing.cells):
        if not on.loaded.knows(PARADIGM, cell.paradigm):
            hint = did_you_mean(cell.paradigm, paradigms)
            yield on.found("L302", f"there is no paradigm {cell.paradigm!r}", "cells", index, "paradigm", hint=hint)
        elif cell.paradigm in paradigms:
            known = paradigms[cell.paradigm].conditions
            for loc, name in listed(("cells", index, "condition"), cell.condition):
                if name not in known:
                    message = f"the paradigm {cell.paradigm!r} has no condition {name!r}"
                    yield on.found("L302", message, *loc, hint=did_you_mean(name, known))


def domains(on: OnSuite) -> Iterator[Problem]:
    """L303: a cell's domain or fact type that is none of the suite's."""
    suite, found = on.thing, _fact_types(on)
    known = {fact.domain for fact in found}
    complete = len(found) == len(set(suite.fact_types))
    for index, cell in enumerate(suite.cells):
        for loc, name in listed(("cells", index, "domain"), cell.domain):
            if name not in known and complete:
                message = f"no fact type of the suite is in the domain {name!r}"
                yield on.found("L303", message, *loc, hint=did_you_mean(name, known))
        for loc, name in listed(("cells", index, "fact_types"), cell.fact_types):
            if name not in suite.fact_types:
                message = f"{name!r} is no fact type of the suite"
                yield on.found("L303", message, *loc, hint=did_you_mean(name, suite.fact_types))


def transforms(on: OnSuite) -> Iterator[Problem]:
    """L305: a split or a twin of a condition that declares none."""
    for use in _uses(on):
        if True in use.cell.split and use.condition.split is None:
            hint = "ask for split: false, or declare split in the condition"
            yield on.found("L305", f"the condition {use.name!r} declares no split", *use.loc, "split", hint=hint)
        if use.cell.twin and use.condition.twin is None:
            hint = "leave twin out, or declare one in the condition"
            yield on.found("L305", f"the condition {use.name!r} declares no twin", *use.loc, "twin", hint=hint)


def tiers(on: OnSuite) -> Iterator[Problem]:
    """L308: a tier that the suite has not."""
    for index, cell in enumerate(on.thing.cells):
        for loc, name in listed(("cells", index, "tier"), cell.tier):
            if name not in on.thing.tiers:
                yield on.found("L308", f"there is no tier {name!r}", *loc, hint=did_you_mean(name, on.thing.tiers))


def gates(on: OnSuite) -> Iterator[Problem]:
    """L309: a gate that there is not."""
    known = on.loaded.catalog.gates
    for loc, name in listed(("gates",), on.thing.gates):
        if not on.loaded.knows(GATE, name):
            yield on.found("L309", f"there is no gate {name!r}", *loc, hint=did_you_mean(name, known))


def marks(on: OnSuite) -> Iterator[Problem]:
    """L310: a mark that a condition stands at or asks after, and the suite does not declare."""
    for use in _uses(on):
        scene = use.scene
        asked = {name for p in use.condition.probes for name in (p.asked_after, p.as_of) if name}
        asked -= {*scene.order, EACH_MARK, MARK_BEFORE}
        for name in sorted((scene.marks | asked) - set(on.thing.marks)):
            message = f"the condition {use.name!r} uses the mark {name!r}, which the suite does not declare"
            yield on.found("L310", message, *use.loc, "condition", hint=f"add marks: {{{name}: SESSION}}")


def languages(on: OnSuite) -> Iterator[Problem]:
    """L311: fact types of another language than the suite, or a language without wordings."""
    suite, catalog = on.thing, on.loaded.catalog
    for loc, name in listed(("fact_types",), suite.fact_types):
        fact = catalog.fact_types.get(name)
        if fact is not None and fact.language.split("-")[0] != suite.language.split("-")[0]:
            message = f"{name!r} is in {fact.language!r}, and the suite in {suite.language!r}"
            yield on.found("L311", message, *loc, hint="take fact types of one language")
    for what, known in (("surfaces", catalog.surfaces), ("questions", catalog.questions)):
        if suite.language not in known and (what, suite.language) not in on.loaded.broken:
            hint = f"add templates/{what}/{suite.language}.yaml"
            yield on.found("L311", f"there are no {what} for language {suite.language!r}", "language", hint=hint)
    speaks = {script.language for script in catalog.scripts.values()}
    unread = any(kind == SCRIPTS.name for kind, _ in on.loaded.broken)
    if suite.language not in speaks and not unread and any(source.source == "library" for source in suite.fillers):
        hint = "add templates/background/*.yaml in that language, or a files source"
        yield on.found("L311", f"the filler library has nothing in {suite.language!r}", "language", hint=hint)


def start(on: OnSuite) -> Iterator[Problem]:
    """L313: a start that is no day."""
    try:
        date.fromisoformat(on.thing.start)
    except ValueError:
        yield on.found("L313", f"{on.thing.start!r} is no day", "start", hint="write it as in 2026-01-12")


# -- what conditions need ---------------------------------------------------------------------------------------


def fitting(on: OnSuite) -> Iterator[Problem]:
    """L304: a fact type that lacks what a condition or the fillers need of it."""
    yield from _for_fillers(on)
    said: set[str] = set()
    for use in _uses(on):
        facts = [fact for fact in _fact_types(on) if _in_cell(fact, use.cell)]
        for domain in use.cell.domain or ("",):
            pool = [fact for fact in facts if domain in ("", fact.domain)]
            usable = [fact for fact in pool if not _skipped(fact, use)]
            if pool and not usable:
                lack = "; ".join(f"{fact.id} lacks {_skipped(fact, use)}" for fact in pool)
                where = f" of the domain {domain!r}" if domain else ""
                yield on.found("L304", f"no fact type{where} can serve {use.name!r}: {lack}", *use.loc, "condition")
            for fact in usable:
                lacking = _lacking(on, fact, use)
                message = f"the condition {use.name!r} needs {lacking}, which {fact.id!r} lacks"
                if lacking and message not in said:
                    said.add(message)
                    yield on.found("L304", message, *use.loc, "condition", hint="add to the fact type, or leave it out")


def _in_cell(fact: FactType, cell: Cell) -> bool:
    return (not cell.domain or fact.domain in cell.domain) and (not cell.fact_types or fact.id in cell.fact_types)


def _skipped(fact: FactType, use: _Use) -> str:
    """What a fact type lacks that keeps it out of the condition's draw."""
    if fact.mutability == "static" and use.paradigm.moves(use.name):
        return "values that may change"
    members = use.condition.cast.values()
    if any(m.attribute == "other" and m.depends_on is None for m in members) and not fact.confusables:
        return "confusables"
    others = fact.subject.others or fact.subject.pool[1:]
    return "other entities" if sum(m.entity == "other" for m in members) > len(others) else ""


def _lacking(on: OnSuite, fact: FactType, use: _Use) -> str:
    """What a fact type lacks that a draw of the condition, with its counterfactual, would fail for."""
    scene = use.scene
    spare = int(any(on.thing.mix.get(kind) or on.thing.mix_after.get(kind) for kind in DRAWN))
    own = [role for role in scene.roles if _drawn_from_target(scene, role)]
    if len(own) + spare > len(fact.values):
        return f"{len(own) + spare} values"
    sibling = use.paradigm.conditions.get(use.condition.sibling or "")
    changes = {*scene.changes, *(Scene(sibling).changes if sibling else ())}
    if len(changes) > len(fact.changes):
        return f"{len(changes)} changes"
    dependent = any(m.depends_on == TARGET for m in scene.condition.cast.values())
    if dependent and not any(fact.id in other.depends_on for other in _fact_types(on)):
        return "another fact type of the suite that depends on it"
    return ""


def _drawn_from_target(scene: Scene, role: str) -> bool:
    member = scene.condition.cast.get(member_of(role))
    return member is None or member.depends_on is None


def _for_fillers(on: OnSuite) -> Iterator[Problem]:
    suite = on.thing
    wanted = next((name for name in ("mix", "mix_after") if getattr(suite, name).get("confusable")), None)
    for loc, name in listed(("fact_types",), suite.fact_types):
        fact = on.loaded.catalog.fact_types.get(name)
        if wanted and suite.cells and fact is not None and not fact.confusables:
            message = f"{name!r} has no confusables, and {wanted} asks for confusable fillers"
            yield on.found(
                "L304", message, *loc, hint=f"add confusables to the fact type, or set {wanted}.confusable to 0"
            )


# -- the design -------------------------------------------------------------------------------------------------


def balance(on: OnSuite) -> Iterator[Problem]:
    """L306: many more episodes expect one behaviour than the other."""
    counts = _episodes(on)
    update, preserve = counts["update"], counts["preserve"]
    if on.thing.leaky_probes or abs(update - preserve) <= SKEW * (update + preserve):
        return
    message = f"{update} episodes expect an update and {preserve} that the value is preserved"
    hint = (
        "bring them closer, or a memory that always (or never) updates looks good; a published design sets leaky_probes"
    )
    yield on.found("L306", message, "cells", key=True, hint=hint)


def evenness(on: OnSuite) -> Iterator[Problem]:
    """L307: a count that cannot be spread evenly over the combinations, or numbers of sessions over the cases."""
    for index, cell in enumerate(on.thing.cells):
        combinations = len(_fixed(cell))
        if cell.count is not None and cell.count % combinations:
            message = f"{cell.count} cannot be spread evenly over {combinations} combinations"
            hint = f"take a multiple of {combinations}, or each: N"
            yield on.found("L307", message, "cells", index, "count", hint=hint)
        cases = cell.count or combinations * (cell.each or 0)
        if cell.after and cases % len(cell.after):
            message = f"{len(cell.after)} numbers of sessions cannot be dealt evenly to {cases} cases"
            hint = f"give a number for each of the {cases} cases, or so many that they divide {cases}"
            yield on.found("L307", message, "cells", index, "after", hint=hint)


def one_sided_probes(on: OnSuite) -> Iterator[Problem]:
    """L314: a probe type that is asked under one behaviour only, and so gives it away."""
    asked: dict[str, set[Behavior]] = {}
    first: dict[str, _Use] = {}
    behaviors: set[Behavior] = set()
    for use in _uses(on):
        if use.condition.expects is None:
            continue
        behaviors.add(use.condition.expects)
        for probe in use.condition.probes:
            if not use.cell.probes or probe.type in use.cell.probes:
                asked.setdefault(probe.type, set()).add(use.condition.expects)
                first.setdefault(probe.type, use)
    if on.thing.leaky_probes or not {"update", "preserve"} <= behaviors:
        return
    for kind, under in asked.items():
        if len(under & {"update", "preserve"}) == 1:
            message = f"{kind} is asked only where the value is {'updated' if 'update' in under else 'preserved'}"
            hint = "ask it under both behaviours; a published design that does not sets leaky_probes"
            yield on.found("L314", message, *first[kind].loc, "condition", hint=hint)


def mixes(on: OnSuite) -> Iterator[Problem]:
    """L315: a kind of session that a mix of fillers cannot hold."""
    for field, mix in (("mix", on.thing.mix), ("mix_after", on.thing.mix_after)):
        for kind in ("event", "distractor", *(("stale_reference",) if field == "mix" else ())):
            if mix.get(kind):
                why = _NO_FILLERS[kind]
                yield on.found(
                    "L315", f"{kind} cannot stand in {field}: {why}", field, kind, key=True, hint="leave it out"
                )


_NO_FILLERS = {
    "event": "events stand in conditions",
    "distractor": "distractors belong to scenarios",
    "stale_reference": "before the perturbation there is no former value",
}


def idle_axes(on: OnSuite) -> Iterator[Problem]:
    """L316: an axis along which the members of a group are to differ, and that has one level only."""
    for index, cell in enumerate(on.thing.cells):
        for loc, axis in listed(("cells", index, "vary"), cell.vary):
            if len(set(getattr(cell, axis))) < 2:
                message = f"the members of a group are to differ in {axis}, which has one level"
                yield on.found("L316", message, *loc, hint=f"list two or more under {axis}, or leave it out of vary")


def unasked(on: OnSuite) -> Iterator[Problem]:
    """L317: a probe type that a cell keeps and its condition does not ask."""
    for use in _uses(on):
        asked = {probe.type for probe in use.condition.probes}
        for loc, kind in listed((*use.loc, "probes"), use.cell.probes):
            if kind not in asked:
                hint = f"it asks {', '.join(sorted(asked))}"
                yield on.found("L317", f"the condition {use.name!r} asks no {kind}", *loc, hint=hint)


def licenses(on: OnSuite) -> Iterator[Problem]:
    """L318: fillers under a licence that forbids the suite's own."""
    for index, filler in enumerate(on.thing.fillers):
        for why in conflicts(filler.license, on.thing.license) if filler.license is not None else ():
            message = f"text under {filler.license} may not go into a suite under {on.thing.license}: {why}"
            hint = "take other fillers, or give the suite a license that keeps these terms"
            yield on.found("L318", message, "fillers", index, "license", hint=hint)


# -- what the rules share ---------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Use:
    """A condition that a cell uses."""

    name: str
    paradigm: Paradigm
    cell: Cell
    loc: Loc

    @property
    def condition(self) -> Condition:
        return self.paradigm.conditions[self.name]

    @cached_property
    def scene(self) -> Scene:
        return Scene(self.condition)


def _uses(on: OnSuite) -> Iterator[_Use]:
    """Every condition that a cell or a thread names and that there is."""
    for index, cell in enumerate(on.thing.cells):
        paradigm = on.loaded.catalog.paradigms.get(cell.paradigm)
        for name in dict.fromkeys(cell.condition):
            if paradigm is not None and name in paradigm.conditions:
                yield _Use(name, paradigm, cell, ("cells", index))
    for loc, _, thread in threads(on.thing):
        if condition_of(on, thread) is not None:
            paradigm = on.loaded.catalog.paradigms[thread.paradigm]
            cell = Cell(
                paradigm=thread.paradigm, condition=(thread.condition,), domain=thread.domain, count=1,
                fact_types=thread.fact_types, split=(thread.split,), twin=thread.twin, probes=thread.probes,
            )  # fmt: skip
            yield _Use(thread.condition, paradigm, cell, loc)


def _fact_types(on: OnSuite) -> list[FactType]:
    known = on.loaded.catalog.fact_types
    return [known[name] for name in dict.fromkeys(on.thing.fact_types) if name in known]


def _fixed(cell: Cell) -> list[tuple[object, ...]]:
    """The combinations of the axes that groups do not vary."""
    axes: Mapping[str, Sequence[object]] = {"condition": cell.condition, "split": cell.split, "tier": cell.tier}
    fixed = [values for name, values in axes.items() if name not in cell.vary]
    return list(product(*fixed, cell.domain or ("",)))


def _episodes(on: OnSuite) -> Counter[Behavior]:
    """How many episodes expect each behaviour, as the cells are dealt."""
    counts: Counter[Behavior] = Counter()
    for cell in on.thing.cells:
        paradigm = on.loaded.catalog.paradigms.get(cell.paradigm)
        for name, share in _shares(cell).items():
            if paradigm is not None and name in paradigm.conditions:
                expects = paradigm.conditions[name].expects
                counts.update({expects: share} if expects else {})
    return counts


def _shares(cell: Cell) -> Counter[str]:
    """Episodes by condition."""
    fixed = _fixed(cell)
    size = (2 if cell.twin else 1) * _product(cell, "split") * _product(cell, "tier")
    cases = (
        [index % len(fixed) for index in range(cell.count)]
        if cell.count
        else list(range(len(fixed))) * (cell.each or 0)
    )
    shares: Counter[str] = Counter()
    for index in cases:
        names = cell.condition if "condition" in cell.vary else (str(fixed[index][0]),)
        for name in names:
            shares[name] += size
    return shares


def _product(cell: Cell, axis: str) -> int:
    return len(getattr(cell, axis)) if axis in cell.vary else 1


def own_suites(loaded: Loaded) -> dict[str, SuiteSpec]:
    """The suites that matter, by id."""
    return {name: suite for name, suite in loaded.catalog.suites.items() if name in loaded.own}


def used_conditions(loaded: Loaded, suite: SuiteSpec) -> Iterator[tuple[Condition, bool]]:
    """Every condition that a suite uses, and whether it is split as well."""
    for cell in suite.cells:
        paradigm = loaded.catalog.paradigms.get(cell.paradigm)
        for name in cell.condition:
            if paradigm is not None and name in paradigm.conditions:
                yield paradigm.conditions[name], True in cell.split
    for _, _, thread in threads(suite):
        paradigm = loaded.catalog.paradigms.get(thread.paradigm)
        if paradigm is not None and thread.condition in paradigm.conditions:
            yield paradigm.conditions[thread.condition], thread.split


RULES: Sequence[Rule[SuiteSpec]] = (
    fact_types,
    conditions,
    domains,
    fitting,
    transforms,
    balance,
    evenness,
    tiers,
    gates,
    marks,
    languages,
    start,
    one_sided_probes,
    mixes,
    idle_axes,
    unasked,
    licenses,
    thread_names,
    windows,
)
"""All rules on suites."""
