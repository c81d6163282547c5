"""Rules on the conditions of a paradigm: every name means something, and the timeline makes sense."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from suitegen.library.models import build
from suitegen.library.nearest import did_you_mean
from suitegen.library.problem import Problem
from suitegen.library.rules.base import On, Rule, twice
from suitegen.library.rules.scenes import ACCEPTED, MOVES, TARGET, Said, Scene, member_of, owned
from suitegen.library.yaml import Loc
from suitegen.model.paradigm import EACH_MARK, MARK_BEFORE, EventSpec, ProbeSpec
from suitegen.model.words import PREMISES, Op, ProbeType

OnCondition: TypeAlias = On[Scene]

VALUED: frozenset[Op] = frozenset({"remember", "update", "correct", "restore", "challenge"})
"""Ops that make no sense without a value."""
NAMED: frozenset[ProbeType] = frozenset({"status", "conflict"})
"""Probe types whose question names a value."""
MAY_NAME: frozenset[ProbeType] = frozenset({"status", "conflict", "source"})


# -- names ------------------------------------------------------------------------------------------------------


def members(on: OnCondition) -> Iterator[Problem]:
    """L201: a target, dependency or probe that is about no cast member."""
    scene = on.thing
    named: list[tuple[Loc, str]] = [((*said.loc, "target"), said.spec.target) for said in scene.events]
    named += [
        (("cast", name, "depends_on"), member.depends_on)
        for name, member in scene.condition.cast.items()
        if member.depends_on
    ]
    named += [(("probes", i, "about"), member_of_probe(p)) for i, p in enumerate(scene.condition.probes)]
    for loc, name in named:
        if name not in scene.members:
            hint = did_you_mean(name, scene.members)
            yield on.found("L201", f"the cast has no member {name!r}", *loc, hint=hint)


def member_of_probe(probe: ProbeSpec) -> str:
    """The cast member that a probe is about."""
    return probe.about.partition(".")[0]


def roles(on: OnCondition) -> Iterator[Problem]:
    """L202: a value role of a member that there is not."""
    scene = on.thing
    named: list[tuple[Loc, str | None]] = []
    for said in scene.events:
        named += [((*said.loc, "value"), said.spec.value), ((*said.loc, "old"), said.spec.old)]
    named += [(("probes", index, "premise"), probe.premise) for index, probe in enumerate(scene.condition.probes)]
    for loc, role in named:
        if role is not None and member_of(role) not in scene.members:
            hint = did_you_mean(member_of(role), scene.members)
            yield on.found(
                "L202", f"{role!r} is a value of {member_of(role)!r}, which the cast has not", *loc, hint=hint
            )


def references(on: OnCondition) -> Iterator[Problem]:
    """L203: a reference to an event, a mark, a probe or a condition that there is not."""
    scene, condition = on.thing, on.thing.condition
    for said in scene.events:
        for kind, name in said.spec.refs.items():
            if name not in scene.order:
                hint = did_you_mean(name, scene.order)
                yield on.found(
                    "L203",
                    f"{kind} names {name!r}, which is no event of the condition",
                    *said.loc,
                    "refs",
                    kind,
                    hint=hint,
                )
    if condition.split is not None and condition.split.event not in scene.order:
        hint = did_you_mean(condition.split.event, scene.order)
        yield on.found("L203", f"there is no event {condition.split.event!r} to split", "split", "event", hint=hint)
    yield from _moments(on)
    yield from _twin_names(on)


def _moments(on: OnCondition) -> Iterator[Problem]:
    scene = on.thing
    marks = set(scene.marks).union(*(suite.marks for suite in on.loaded.catalog.suites.values()))
    for index, probe in enumerate(scene.condition.probes):
        for field, name in (("asked_after", probe.asked_after), ("as_of", probe.as_of)):
            if name in (EACH_MARK if field == "asked_after" else MARK_BEFORE,):
                continue
            if name is not None and name not in scene.order and name not in marks:
                message = f"{field} names {name!r}, which is neither an event nor a mark of a suite"
                yield on.found("L203", message, "probes", index, field, hint=did_you_mean(name, {*scene.order, *marks}))


def _twin_names(on: OnCondition) -> Iterator[Problem]:
    twin = on.thing.condition.twin
    if twin is None:
        return
    probes = [probe.id for probe in on.thing.condition.probes if probe.id]
    for field, name, known in (("event", twin.event, list(on.thing.order)), ("probe", twin.probe, probes)):
        if name is not None and name not in known:
            yield on.found(
                "L203", f"there is no {field} {name!r} to replace", "twin", field, hint=did_you_mean(name, known)
            )


def order(on: OnCondition) -> Iterator[Problem]:
    """L204: a reference to an event that is said at the same time or later."""
    scene = on.thing
    for index, said in enumerate(scene.events):
        for kind, name in said.spec.refs.items():
            if scene.order.get(name, -1) >= index:
                message = f"{kind} names {name!r}, which is not said before"
                yield on.found("L204", message, *said.loc, "refs", kind, hint="refer back, never ahead")


def same_ids(on: OnCondition) -> Iterator[Problem]:
    """L211: an id that two events or two probes have."""
    scene = on.thing
    events = [said for said in scene.events if said.spec.id]
    for index, _, name in twice([said.spec.id or "" for said in events]):
        yield on.found("L211", f"the id {name!r} stands twice", *events[index].loc, "id", hint="rename one of them")
    probes = [(i, probe.id) for i, probe in enumerate(scene.condition.probes) if probe.id]
    for index, _, name in twice([name for _, name in probes]):
        yield on.found(
            "L211", f"the id {name!r} stands twice", "probes", probes[index][0], "id", hint="rename one of them"
        )


def target_member(on: OnCondition) -> Iterator[Problem]:
    """L212: a cast without a target, or with a target that is something else."""
    cast = on.thing.condition.cast
    if TARGET not in cast:
        yield on.found("L212", "the cast has no member 'target'", "cast", key=True, hint="add target: {}")
    elif cast[TARGET].model_fields_set:
        yield on.found("L212", "the target is what others are relative to", "cast", TARGET, hint="write target: {}")


# -- what events say --------------------------------------------------------------------------------------------


def needs(on: OnCondition) -> Iterator[Problem]:
    """L205: an op without the value that it needs."""
    for said in on.thing.events:
        spec = said.spec
        if spec.op in VALUED and spec.value is None:
            yield on.found(
                "L205", f"{spec.op} needs a value", *said.loc, "op", hint="add value: ROLE, for instance initial or new"
            )


def says(on: OnCondition) -> Iterator[Problem]:
    """L206: a facet that is said and not there, or a source that is there and not said."""
    for index, said in enumerate(on.thing.events):
        for facet, message, hint in _unsaid(on.thing, index, said):
            at = said.spec.says.index(facet) if facet in said.spec.says else None
            loc = (*said.loc, "says") if at is None else (*said.loc, "says", at)
            yield on.found("L206", message, *loc, hint=hint)


def _unsaid(scene: Scene, index: int, said: Said) -> Iterator[tuple[str, str, str]]:
    spec, facets = said.spec, said.spec.says
    if "value" in facets and spec.value is None and spec.op not in VALUED:
        yield "value", "it says a value and has none", "add value: ROLE, or write what it says: says: [...]"
    if "old" in facets and spec.old is None and not _has_former(scene, index, spec):
        yield "old", "it says a former value, and none was said before", "add old: ROLE"
    for facet in ("trigger", "reason"):
        if facet in facets and spec.change is None:
            yield (
                facet,
                f"it says a {facet} and has no change",
                "add change: NAME, a slot for a drawn trigger and reason",
            )
    if "source" in facets and said.source == spec.speaker:
        yield (
            "source",
            "the source is the speaker, who need not name it",
            "drop source from says, or give another source",
        )
    if said.source != spec.speaker and "source" not in facets:
        message = f"the source is {said.source}, and the text does not say so"
        yield "source", message, "add source to says; what is not said, nobody can know"
    if "rejection" in facets and "resolves" not in spec.refs:
        yield "rejection", "it rejects something and does not say what", "add refs: {resolves: EVENT}"


def _has_former(scene: Scene, index: int, spec: EventSpec) -> bool:
    recalled = spec.op in ("reactivate", "mention", "reinforce") and spec.value is not None and "value" not in spec.says
    return recalled or bool(scene.held(spec.target, index))


def weak_ops(on: OnCondition) -> Iterator[Problem]:
    """L209: something tentative that would be accepted."""
    for said in on.thing.events:
        if said.spec.strength == "weak" and said.spec.op in ACCEPTED:
            hint = "write op: challenge, or leave strength out"
            yield on.found("L209", f"a weak {said.spec.op} would be accepted", *said.loc, "strength", hint=hint)


def second_values(on: OnCondition) -> Iterator[Problem]:
    """L210: a second value that is remembered without a change."""
    for index, said in enumerate(on.thing.events):
        spec = said.spec
        held = on.thing.held(spec.target, index)
        if spec.op == "remember" and spec.value is not None and held and held[-1] != owned(spec.value):
            message = f"{spec.target!r} already has the value {held[-1].partition('.')[2]!r}"
            yield on.found(
                "L210", message, *said.loc, "value", hint="write op: update if it changes, or correct if it was wrong"
            )


def idle_changes(on: OnCondition) -> Iterator[Problem]:
    """L214: a change to the value that holds, or support for one that does not."""
    for index, said in enumerate(on.thing.events):
        spec = said.spec
        held = on.thing.held(spec.target, index)
        if spec.value is None or not held:
            continue
        holds = held[-1] == owned(spec.value)
        if spec.op in ("update", "correct", "restore") and holds:
            yield on.found(
                "L214", f"{spec.op} to the value that holds already", *said.loc, "value", hint="take another role"
            )
        if spec.op == "reinforce" and "value" in spec.says and not holds:
            message = f"it reinforces {spec.value!r}, but {held[-1].partition('.')[2]!r} holds"
            yield on.found("L214", message, *said.loc, "value", hint="take the role that holds")


def splits(on: OnCondition) -> Iterator[Problem]:
    """L207: a split of something that cannot come in two parts."""
    scene, split = on.thing, on.thing.condition.split
    if split is None or split.event not in scene.order:
        return
    said = scene.events[scene.order[split.event]]
    if said.spec.op not in MOVES:
        message = f"{split.event!r} is a {said.spec.op}; only an update or a restore can come in two parts"
        yield on.found("L207", message, "split", "event", hint="name the update")
    elif said.session.repeat != 1:
        yield on.found(
            "L207", f"{split.event!r} stands in a repeated session", "split", "event", hint="drop the repeat"
        )
    elif "value" not in said.spec.says:
        yield on.found("L207", f"{split.event!r} does not say its value, which part 2 is for", "split", "event")


# -- probes -----------------------------------------------------------------------------------------------------


def asked(on: OnCondition) -> Iterator[Problem]:
    """L208: a probe without what its type asks about, or with what it does not."""
    for index, probe in enumerate(on.thing.condition.probes):
        if probe.type in NAMED and "." not in probe.about:
            hint = f"write about: {probe.about}.ROLE, the value that the question names"
            yield on.found("L208", f"a {probe.type} probe names a value", "probes", index, hint=hint)
        if probe.type not in MAY_NAME and "." in probe.about:
            hint = f"write about: {member_of_probe(probe)}"
            yield on.found("L208", f"a {probe.type} probe names no value", "probes", index, "about", hint=hint)
        for field, kinds, given in (("premise", PREMISES, probe.premise), ("as_of", ("as_of",), probe.as_of)):
            if (probe.type in kinds) != (given is not None):
                wants = f"needs {field}" if given is None else f"has no {field}"
                hint = f"add {field}" if given is None else "leave it out, or change the type"
                yield on.found("L208", f"a {probe.type} probe {wants}", "probes", index, hint=hint)


def returns(on: OnCondition) -> Iterator[Problem]:
    """L213: whether something changed, asked of a value that went away and came back."""
    scene = on.thing
    for index, probe in enumerate(scene.condition.probes):
        after = None if probe.asked_after is None else scene.order.get(probe.asked_after)
        if probe.type != "change" or (probe.asked_after is not None and after is None):
            continue
        held = scene.held(member_of_probe(probe), None if after is None else after + 1)
        if held and held[-1] in held[:-1]:
            hint = "ask for changes, trajectory, or original and current"
            yield on.found("L213", "after A, B, A both yes and no are right", "probes", index, "type", hint=hint)


def twins(on: OnCondition) -> Iterator[Problem]:
    """M codes: a twin's replacement that makes no event or probe."""
    scene, twin = on.thing, on.thing.condition.twin
    if twin is None:
        return
    replaced: EventSpec | ProbeSpec | None = next(
        (p for p in scene.condition.probes if twin.probe and p.id == twin.probe), None
    )
    if twin.event is not None and twin.event in scene.order:
        replaced = scene.events[scene.order[twin.event]].spec
    if replaced is not None:
        merged = {**replaced.model_dump(exclude_unset=True), **twin.replacement}
        base = (*on.source.base, *on.base, "twin", "as")
        yield from build(type(replaced), on.source.document, merged, base)[1]


RULES: Sequence[Rule[Scene]] = (
    members,
    roles,
    references,
    order,
    same_ids,
    target_member,
    needs,
    says,
    weak_ops,
    second_values,
    idle_changes,
    splits,
    asked,
    returns,
    twins,
)
"""All rules on conditions."""
