"""Random conditions in the grammar of paradigm files, and the specs they compile to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from hypothesis import strategies as st
from tests.catalog import shipped

from suitegen.latent.compile import Case, Variant, compile_case
from suitegen.latent.draw import facts_of, value_pairs
from suitegen.latent.gold import Facts
from suitegen.model.catalog import Catalog
from suitegen.model.latent import LatentSpec, Probe
from suitegen.model.paradigm import CastMember, Condition, EventSpec, Paradigm, Phase, ProbeSpec, SessionSpec, SplitSpec
from suitegen.model.suite import SuiteSpec, Tier

Draw = st.DrawFn

MEMBERS = {
    "neighbour": CastMember(attribute="other"),
    "other": CastMember(entity="other"),
    "dependent": CastMember(depends_on="target"),
}
ROLES = ("initial", "new", "third", "rival")
TOLD = (("user", "user"), ("user", "user"), ("user", "third_party"), ("user", "document"), ("tool", "tool"),
        ("tool", "document"), ("assistant", "assistant"))  # fmt: skip
"""Speaker and source."""
MOVES = ("update", "update", "restore", "correct", "forget", "challenge", "challenge", "mention", "reactivate", "reinforce", "remember")


@dataclass(slots=True)
class Story:
    """What a condition's events have said so far, as far as the next one needs it to make sense."""

    members: tuple[str, ...]
    holds: dict[str, str | None] = field(default_factory=dict)
    """The last accepted role by member; None once it is forgotten."""
    was: dict[str, list[str]] = field(default_factory=dict)
    open: dict[str, str] = field(default_factory=dict)
    """Ids of changes without their value."""
    disputed: list[tuple[str, str]] = field(default_factory=list)
    """Member and id of challenges."""
    first: dict[tuple[str, str], str] = field(default_factory=dict)
    """Id of the event that first said a member's role."""
    changes: int = 0
    count: int = 0

    def role(self, member: str, name: str) -> str:
        """A role as events write it."""
        return name if member == "target" else f"{member}.{name}"


@st.composite
def conditions(draw: Draw) -> Condition:
    """A condition with up to three members and up to six events after the first ones."""
    others = draw(st.lists(st.sampled_from(sorted(MEMBERS)), unique=True, max_size=2))
    story = Story(("target", *others))
    encoding = [
        SessionSpec(events=tuple(_first(story, name) for name in story.members), repeat=draw(st.sampled_from([1, 1, 2])))
    ]
    if draw(st.integers(0, 9)) == 0:
        encoding = [SessionSpec(events=(EventSpec(op="clue", says=()),))]
        story = Story(("target", *others))
    events = []
    for _ in range(draw(st.integers(0, 5))):
        event = _next(draw, story)
        if event is not None:
            events.append(event)
    phases = [Phase(encoding=tuple(encoding)), Phase(filler="before")]
    if events:
        phases.append(Phase(perturbation=tuple(SessionSpec(events=(event,), gap=draw(st.sampled_from([0, 0, 1]))) for event in events)))
    phases.append(Phase(post_perturbation="after"))
    can = [e.id for e in events if e.op in ("update", "restore") and "value" in e.says and not e.refs.get("completes")]
    split = SplitSpec(event=draw(st.sampled_from(can)), gap=draw(st.integers(0, 2))) if can else None
    cast = {"target": CastMember(), **{name: MEMBERS[name] for name in others}}
    return Condition(expects="update", cast=cast, phases=tuple(phases), probes=(ProbeSpec(type="current"),), split=split)


def _first(story: Story, member: str) -> EventSpec:
    story.count += 1
    story.holds[member] = "initial"
    story.first[member, "initial"] = f"e{story.count}"
    return EventSpec(id=f"e{story.count}", op="remember", target=member, value=story.role(member, "initial"))


def _next(draw: Draw, story: Story) -> EventSpec | None:
    story.count += 1
    member = draw(st.sampled_from((*story.members, "target", "target")))
    op = draw(st.sampled_from(MOVES))
    fields = _OPS[op](draw, story, member)
    if fields is None:
        return None
    speaker, source = fields.pop("told", None) or draw(st.sampled_from(TOLD))
    says = [*fields.pop("says")]
    if source != speaker:
        says.append("source")
    return EventSpec(id=f"e{story.count}", op=op, target=member, speaker=speaker, source=source, says=tuple(says), **fields)


def _accept(story: Story, member: str, name: str) -> None:
    held = story.holds.get(member)
    if held is not None:
        story.was.setdefault(member, []).append(held)
    story.holds[member] = name
    story.first.setdefault((member, name), f"e{story.count}")
    story.open.pop(member, None)


def _why(draw: Draw, story: Story, says: list[str]) -> dict[str, object]:
    if story.changes == 3 or not draw(st.booleans()):
        return {}
    story.changes += 1
    says += draw(st.sampled_from([["trigger"], ["reason"], ["trigger", "reason"], ["trigger", "reason"]]))
    return {"change": f"c{story.changes}"}


def _update(draw: Draw, story: Story, member: str) -> dict[str, object] | None:
    held = story.holds.get(member)
    name = draw(st.sampled_from([role for role in ROLES if role != held]))
    says = ["value"]
    more: dict[str, object] = {"value": story.role(member, name)}
    opened = story.open.get(member)
    if opened is not None and draw(st.booleans()):
        _accept(story, member, name)
        return {**more, "says": says, "refs": {"completes": opened}}
    more |= _why(draw, story, says)
    if held is not None and draw(st.integers(0, 3)) == 0:
        says.append("old")
    if opened is None and draw(st.integers(0, 4)) == 0:
        says.remove("value")
        story.open[member] = f"e{story.count}"
        return {**more, "says": says}
    cause = story.first.get(("target", "new"))
    if member == "dependent" and cause is not None:
        more["refs"] = {"cascades": cause}
    _accept(story, member, name)
    return {**more, "says": says}


def _restore(draw: Draw, story: Story, member: str) -> dict[str, object] | None:
    held = story.holds.get(member)
    back = [role for role in story.was.get(member, []) if role != held]
    if not back:
        return None
    name = draw(st.sampled_from(back))
    says = ["value"] if draw(st.integers(0, 3)) else []
    more: dict[str, object] = {"value": story.role(member, name), "refs": {"restores": story.first[member, name]}}
    more |= _why(draw, story, says)
    _accept(story, member, name)
    return {**more, "says": says}


def _correct(draw: Draw, story: Story, member: str) -> dict[str, object] | None:
    held = story.holds.get(member)
    if held is None:
        return None
    name = draw(st.sampled_from([role for role in ROLES if role != held]))
    says = ["value", *(["old"] if draw(st.integers(0, 3)) == 0 else [])]
    story.holds[member] = name
    story.first.setdefault((member, name), f"e{story.count}")
    return {"value": story.role(member, name), "says": says}


def _forget(draw: Draw, story: Story, member: str) -> dict[str, object] | None:
    scope = draw(st.sampled_from(["value", "attribute", "entity"]))
    for name in story.members:
        if name == member or (scope == "entity" and name != "other" and member != "other"):
            story.holds[name] = None
    return {"scope": scope, "says": [], "told": ("user", "user")}


def _challenge(draw: Draw, story: Story, member: str) -> dict[str, object] | None:
    name = draw(st.sampled_from(ROLES))
    story.disputed.append((member, f"e{story.count}"))
    story.first.setdefault((member, name), f"e{story.count}")
    says = ["value", *(["date"] if draw(st.integers(0, 5)) == 0 else [])]
    return {"value": story.role(member, name), "says": says, "strength": draw(st.sampled_from(["strong", "strong", "weak"]))}


def _mention(draw: Draw, story: Story, member: str) -> dict[str, object] | None:
    was = [role for role in story.was.get(member, []) if role != story.holds.get(member)]
    if was and draw(st.booleans()):
        return {"value": story.role(member, draw(st.sampled_from(was))), "says": ["old"]}
    return {"value": story.role(member, draw(st.sampled_from(ROLES))), "says": ["value"], "strength": "weak"}


def _reactivate(draw: Draw, story: Story, member: str) -> dict[str, object] | None:
    held = story.holds.get(member)
    return None if held is None else {"value": story.role(member, held), "says": ["old"], "told": ("user", "user")}


def _reinforce(draw: Draw, story: Story, member: str) -> dict[str, object] | None:
    held = story.holds.get(member)
    disputed = [id for name, id in story.disputed if name == member]
    if held is None:
        return None
    more: dict[str, object] = {"value": story.role(member, held)}
    if disputed and draw(st.integers(0, 3)):
        says = draw(st.sampled_from([["rejection"], ["rejection", "value"]]))
        return {**more, "says": says, "refs": {"resolves": draw(st.sampled_from(disputed))}, "told": ("user", "user")}
    return {**more, "says": ["value"]}


def _remember(draw: Draw, story: Story, member: str) -> dict[str, object] | None:
    held = story.holds.get(member)
    name = held or draw(st.sampled_from(ROLES))
    if held is None:
        _accept(story, member, name)
    return {"value": story.role(member, name), "says": ["value"]}


_OPS = {
    "update": _update,
    "restore": _restore,
    "correct": _correct,
    "forget": _forget,
    "challenge": _challenge,
    "mention": _mention,
    "reactivate": _reactivate,
    "reinforce": _reinforce,
    "remember": _remember,
}

# -- compiling --------------------------------------------------------------------------------------------------

FACT_TYPES = ("gym", "standup_time", "retry_limit")


@lru_cache(maxsize=1)
def files() -> Catalog:
    """The shipped fact types; something depends on each target."""
    found = shipped()
    commute = found.fact_types["commute"].model_copy(update={"depends_on": FACT_TYPES})
    return replace(found, fact_types={**found.fact_types, "commute": commute})


def facts(spec: LatentSpec) -> Facts:
    """What a gold needs to know of the target's fact type."""
    return facts_of(files().fact_types[spec.fact_type])


def compiled(
    condition: Condition, split: bool, fact_type: str = "gym", seed: int = 0, before: int = 0, after: int = 0
) -> LatentSpec:
    """The latent spec of a condition, with so many fillers before and after its perturbation."""
    catalog = replace(files(), paradigms={"random": Paradigm(id="random", about="random", conditions={"it": condition})})
    suite = SuiteSpec.model_validate(
        {
            "id": "random", "title": "Random", "fact_types": [fact_type, "commute"], "seed": seed,
            "tiers": {"core": Tier(encoding=2, before=before, after=(after, after))},
            "cells": [{"paradigm": "random", "condition": "it", "count": 1}],
        }
    )  # fmt: skip
    pairs = value_pairs(catalog.fact_types[fact_type], seed)
    pair = pairs[seed % len(pairs)]
    case = Case("random", seed, "random", catalog.fact_types[fact_type].domain, fact_type, pair, seed, (Variant("", "it", split, "core"),))
    (spec,) = compile_case(suite, catalog, case, 0)
    return spec


PLAIN_TYPES = ("current", "previous", "original", "trajectory", "change", "changes", "source", "temporal", "trigger", "reason", "direction")


def probes(spec: LatentSpec, asked_after: int) -> Iterator[Probe]:
    """Every probe that could be asked of every member: of each value, and of one that nobody said."""
    for member in spec.cast:
        values = [*sorted(set(member.values.values())), "never said"]
        asked: list[Mapping[str, str]] = [{"type": type} for type in PLAIN_TYPES]
        asked += [{"type": type, "rival": value} for type in ("source", "status", "conflict") for value in values]
        asked += [{"type": "premise", "premise": value} for value in values]
        for number, fields in enumerate(asked):
            yield Probe.model_validate(
                {"id": f"{member.name}{number}", "thread": "t1", "about": member.name, "asked_after": asked_after, **fields}
            )
