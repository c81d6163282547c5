"""Random conditions in the grammar of paradigm files, and the specs that they compile to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from hypothesis import strategies as st

from suitegen.latent.coherence import MOVES
from suitegen.latent.compile import Case, Variant, compile_case
from suitegen.latent.draw import facts_of, value_pairs
from suitegen.latent.gold import Facts
from suitegen.model.catalog import Catalog
from suitegen.model.latent import LatentSpec, Probe
from suitegen.model.paradigm import CastMember, Condition, EventSpec, Paradigm, Phase, ProbeSpec, SessionSpec, SplitSpec
from suitegen.model.suite import SuiteSpec, Tier
from tests.catalog import shipped

MEMBERS = {
    "neighbour": CastMember(attribute="other"),
    "other": CastMember(entity="other"),
    "dependent": CastMember(depends_on="target"),
}
ROLES = ("initial", "new", "third", "rival")
TOLD = (
    ("user", "user"), ("user", "user"), ("user", "third_party"), ("user", "document"), ("tool", "tool"),
    ("tool", "document"), ("assistant", "assistant"),
)  # fmt: skip
"""Speaker and source of what is told."""
USER = (("user", "user"),)
OPS = (
    "update", "update", "update", "restore", "correct", "forget", "challenge", "challenge", "mention", "reactivate",
    "reinforce", "reinforce", "remember",
)  # fmt: skip
SLOTS = 3
"""Changes that a condition may give reasons for; every shipped fact type has more."""


# -- events that make sense after those before them -------------------------------------------------------------


@dataclass(slots=True)
class Story:
    """What was said of one member, as far as the next event needs it to make sense."""

    name: str
    holds: str | None = None
    """The role whose value holds; None before the first and once it is forgotten."""
    was: list[str] = field(default_factory=list)
    """Roles that held before."""
    gone: set[str] = field(default_factory=set)
    """Roles that are forgotten."""
    open: str | None = None
    """Id of the change whose value is still to be said."""
    disputes: list[str] = field(default_factory=list)
    """Ids of strong challenges that nothing has settled."""
    first: dict[str, str] = field(default_factory=dict)
    """Id of the event that first told a role's value."""

    def role(self, name: str) -> str:
        """A role as events write it."""
        return name if self.name == "target" else f"{self.name}.{name}"

    def accept(self, name: str, event: str) -> None:
        """The role's value holds from now on."""
        if self.holds is not None and self.holds != name:
            self.was.append(self.holds)
        self.holds, self.open = name, None
        self.gone.discard(name)
        self.disputes.clear()
        self.first.setdefault(name, event)


@dataclass(slots=True)
class Teller:
    """Draws one event after the other."""

    draw: st.DrawFn
    stories: dict[str, Story]
    slots: int = 0
    count: int = 0

    def next(self) -> EventSpec | None:
        """An event that makes sense, if the drawn op can make one."""
        self.count += 1
        story = self.stories[self.draw(st.sampled_from((*self.stories, "target", "target")))]
        op = self.draw(st.sampled_from(OPS))
        if len(story.disputes) > 1 or (story.open and op in ("correct", "remember", "reinforce", "forget")):
            op = "reinforce" if story.disputes else "update"
        fields = _TELL[op](self, story)
        if fields is None:
            return None
        speaker, source = self.draw(st.sampled_from(fields.pop("told", TOLD)))  # type: ignore[call-overload]
        says = (*fields.pop("says"), *(["source"] if source != speaker else []))  # type: ignore[misc]
        return EventSpec.model_validate(
            {
                "id": self.id,
                "op": op,
                "target": story.name,
                "speaker": speaker,
                "source": source,
                "says": says,
                **fields,
            }
        )

    @property
    def id(self) -> str:
        """The event's id."""
        return f"e{self.count}"

    def some(self, one_in: int) -> bool:
        """True once in so many times."""
        return self.draw(st.integers(1, one_in)) == 1

    def refs(self, story: Story) -> dict[str, str]:
        """What the event settles before it moves anything."""
        return {"resolves": story.disputes[0]} if story.disputes else {}

    def why(self, says: list[str]) -> dict[str, object]:
        """A trigger, a reason, both or none."""
        told = self.draw(st.sampled_from([[], ["trigger"], ["reason"], ["trigger", "reason"]]))
        if self.slots == SLOTS or not told:
            return {}
        self.slots += 1
        says += told
        return {"change": f"c{self.slots}"}


Fields = dict[str, object]


def _first(story: Story) -> EventSpec:
    event = f"first_{story.name}"
    story.accept("initial", event)
    return EventSpec(id=event, op="remember", target=story.name, value=story.role("initial"))


def _update(teller: Teller, story: Story) -> Fields | None:
    name = teller.draw(st.sampled_from([role for role in ROLES if role != story.holds]))
    says, fields = ["value"], {"value": story.role(name), "refs": teller.refs(story)}
    if story.open is not None and teller.some(2):
        fields["refs"] = {"completes": story.open}
        story.accept(name, teller.id)
        return {**fields, "says": says}
    fields |= teller.why(says)
    if story.holds is not None and story.open is None and teller.some(4):
        says.append("old")
    if story.open is None and teller.some(4):
        says.remove("value")
        story.open = teller.id
        story.disputes.clear()
        return {**fields, "says": says}
    if teller.some(6):
        says.append("date")
        fields["effective_days"] = teller.draw(st.integers(-3, 6))
    cause = teller.stories["target"].first.get("new")
    if story.name == "dependent" and cause is not None and not fields["refs"]:
        fields["refs"] = {"cascades": cause}
    story.accept(name, teller.id)
    return {**fields, "says": says}


def _restore(teller: Teller, story: Story) -> Fields | None:
    back = [role for role in story.was if role != story.holds]
    if not back or story.open is not None:
        return None
    name = teller.draw(st.sampled_from(back))
    says = [] if teller.some(4) else ["value"]
    fields = {"value": story.role(name), "refs": {**teller.refs(story), "restores": story.first[name]}}
    fields |= teller.why(says)
    story.accept(name, teller.id)
    return {**fields, "says": says}


def _correct(teller: Teller, story: Story) -> Fields | None:
    if story.holds is None:
        return None
    name = teller.draw(st.sampled_from([role for role in ROLES if role != story.holds]))
    says = ["value", *(["old"] if teller.some(4) else [])]
    refs = teller.refs(story)
    story.holds = None
    story.accept(name, teller.id)
    return {"value": story.role(name), "says": says, "refs": refs}


def _forget(teller: Teller, story: Story) -> Fields | None:
    if story.holds is None:
        return None
    scope = teller.draw(st.sampled_from(["value", "attribute", "entity"]))
    for other in teller.stories.values():
        if other is story or (scope == "entity" and "other" not in (other.name, story.name)):
            other.gone |= {role for role in (*other.was, other.holds) if role}
            other.holds, other.was, other.open = None, [], None
            other.disputes.clear()
    return {"scope": scope, "says": [], "told": USER}


def _challenge(teller: Teller, story: Story) -> Fields | None:
    names = [role for role in ROLES if role != story.holds and role not in story.gone]
    strength = teller.draw(st.sampled_from(["strong", "strong", "weak"]))
    if strength == "strong" and (story.holds is None or story.open is not None):
        strength = "weak"
    name = teller.draw(st.sampled_from(names))
    if strength == "strong":
        story.disputes.append(teller.id)
    says = ["value", *(["date"] if teller.some(6) else [])]
    return {"value": story.role(name), "says": says, "strength": strength}


def _mention(teller: Teller, story: Story) -> Fields | None:
    was = [role for role in story.was if role != story.holds]
    if was and story.holds is not None and teller.some(2):
        return {"value": story.role(teller.draw(st.sampled_from(was))), "says": ["old"]}
    names = [role for role in ROLES if role != story.holds and role not in story.gone]
    return {"value": story.role(teller.draw(st.sampled_from(names))), "says": ["value"], "strength": "weak"}


def _reactivate(teller: Teller, story: Story) -> Fields | None:
    if story.holds is None:
        return None
    return {"value": story.role(story.holds), "says": ["old"], "told": USER}


def _reinforce(teller: Teller, story: Story) -> Fields | None:
    if story.holds is None:
        return None
    fields: Fields = {"value": story.role(story.holds)}
    if not story.disputes:
        return {**fields, "says": ["value"]}
    says = ["rejection"] if len(story.disputes) > 1 or teller.some(2) else ["rejection", "value"]
    return {**fields, "says": says, "refs": {"resolves": story.disputes.pop(0)}, "told": USER}


def _remember(teller: Teller, story: Story) -> Fields | None:
    name = story.holds or teller.draw(st.sampled_from(ROLES))
    refs = teller.refs(story)
    story.accept(name, teller.id)
    return {"value": story.role(name), "says": ["value"], "refs": refs}


_TELL: dict[str, Callable[[Teller, Story], Fields | None]] = {
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


# -- conditions -------------------------------------------------------------------------------------------------


@st.composite
def conditions(draw: st.DrawFn, most: int = 5) -> Condition:
    """A condition with up to three members and up to so many events after the first ones."""
    others = draw(st.lists(st.sampled_from(sorted(MEMBERS)), unique=True, max_size=2))
    teller = Teller(draw, {name: Story(name) for name in ("target", *others)})
    # Once in a while nothing is said at first.
    told = () if teller.some(8) else tuple(_first(story) for story in teller.stories.values())
    opening = SessionSpec(events=told or (EventSpec(op="clue", says=()),), repeat=draw(st.sampled_from([1, 1, 2])))
    events = [event for _ in range(draw(st.integers(0, most))) if (event := teller.next()) is not None]
    sessions = tuple(SessionSpec(events=(event,), gap=draw(st.sampled_from([0, 0, 1]))) for event in events)
    phases = [Phase(encoding=(opening,)), Phase(filler="before"), Phase(post_perturbation="after")]
    if sessions:
        phases.insert(2, Phase(perturbation=sessions))
    return Condition(
        expects="update",
        cast={"target": CastMember(), **{name: MEMBERS[name] for name in others}},
        phases=tuple(phases),
        probes=(ProbeSpec(type="current"),),
        split=_split(draw, events),
    )


def _split(draw: st.DrawFn, events: Sequence[EventSpec]) -> SplitSpec | None:
    """One of the updates that can come in two parts."""
    can = [
        e.id for e in events if e.op in MOVES[:2] and "value" in e.says and e.refs.keys() <= {"restores", "cascades"}
    ]
    can = [name for name in can if name is not None]
    return SplitSpec(event=draw(st.sampled_from(can)), gap=draw(st.integers(0, 2))) if can else None


# -- specs ------------------------------------------------------------------------------------------------------

FACT_TYPES = ("gym", "standup_time", "retry_limit")


@lru_cache(maxsize=1)
def files() -> Catalog:
    """The shipped fact types, and one that depends on each of the targets'."""
    found = shipped()
    commute = found.fact_types["commute"].model_copy(update={"depends_on": FACT_TYPES})
    return replace(found, fact_types={**found.fact_types, "commute": commute})


def facts(spec: LatentSpec) -> Facts:
    """What a gold needs to know of the target's fact type."""
    return facts_of(files().fact_types[spec.fact_type])


def compiled(condition: Condition, split: bool, seed: int = 0, before: int = 0, after: int = 0) -> LatentSpec:
    """The latent spec of a condition, with so many fillers before and after its perturbation."""
    paradigm = Paradigm(id="random", about="random", conditions={"it": condition})
    catalog = replace(files(), paradigms={"random": paradigm})
    chosen = catalog.fact_types[FACT_TYPES[seed % len(FACT_TYPES)]]
    suite = SuiteSpec.model_validate(
        {
            "id": "random", "title": "Random", "fact_types": [chosen.id, "commute"], "seed": seed,
            "tiers": {"core": Tier(encoding=2, before=before, after=(after, after))},
            "cells": [{"paradigm": "random", "condition": "it", "count": 1}],
        }
    )  # fmt: skip
    pairs = value_pairs(chosen, seed)
    variant = Variant("", "it", split and condition.split is not None, "core")
    case = Case("random", seed, "random", chosen.domain, chosen.id, pairs[seed % len(pairs)], seed, (variant,))
    (spec,) = compile_case(suite, catalog, case, 0)
    return spec


TYPES = (
    "current", "previous", "original", "trajectory", "change", "changes", "source", "temporal", "trigger", "reason",
    "direction",
)  # fmt: skip
"""Probe types that name no value and no day."""


def probes(spec: LatentSpec, about: str, asked_after: int, values: Sequence[str]) -> Iterator[Probe]:
    """A probe of every type about a member; those that name a value, of each of the values."""
    asked: list[dict[str, object]] = [{"type": type} for type in TYPES]
    asked += [{"type": type, "rival": value} for type in ("source", "status", "conflict") for value in values]
    asked += [{"type": "premise", "premise": value} for value in values]
    asked += [{"type": "as_of", "as_of": day} for day in sorted({0, asked_after // 2, asked_after})]
    for number, fields in enumerate(asked):
        yield Probe.model_validate(
            {"id": f"p{number}", "thread": "t1", "about": about, "asked_after": asked_after, **fields}
        )
