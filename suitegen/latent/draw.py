"""Casting: which entity, values, changes and people a draw of a condition uses."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from suitegen.errors import DesignError
from suitegen.latent.gold import Facts
from suitegen.latent.seeds import rng, shuffled
from suitegen.model.fact_type import Change, FactType
from suitegen.model.latent import Member
from suitegen.model.paradigm import CastMember, Condition, EventSpec
from suitegen.values.kinds import canonical
from suitegen.values.tokens import contains_phrase

TARGET = "target"


@dataclass(frozen=True, slots=True)
class Cast:
    """A drawn cast: members by name, the spare values that no role uses, and changes by slot."""

    fact_type: FactType
    members: Mapping[str, Member]
    spare: tuple[str, ...]
    entities: tuple[str, ...]
    """Other entities that may have a value of their own, in drawn order."""
    changes: Mapping[str, Change]
    seed: int

    def value(self, role: str) -> str:
        """The value of a role: the target's, or ``member.role``."""
        member, _, name = role.rpartition(".")
        return self.members[member or TARGET].values[name]


def facts_of(fact_type: FactType) -> Facts:
    """Spellings and keys of a fact type, for gold."""
    spellings = {value.value: (value.value, *value.aliases) for value in fact_type.values}
    triggers = {change.id: _keys_in(change, change.trigger, fact_type.language) for change in fact_type.changes}
    reasons = {change.id: _keys_in(change, change.reason, fact_type.language) for change in fact_type.changes}
    return Facts(fact_type.kind, spellings, triggers, reasons)


def _keys_in(change: Change, text: str, language: str) -> tuple[str, ...]:
    """The keys that stand in the text, and the text itself."""
    return (*(key for key in change.keys if contains_phrase(text, (key,))), text)


def events_in(condition: Condition) -> tuple[EventSpec, ...]:
    """All events that a condition declares, in order."""
    bodies = [phase.body for phase in condition.phases]
    return tuple(event for body in bodies if isinstance(body, tuple) for session in body for event in session.events)


def roles_in(condition: Condition) -> tuple[str, ...]:
    """The value roles that a condition names, in order of first use; ``initial`` first."""
    named: list[str] = ["initial"]
    for event in events_in(condition):
        named.extend(role for role in (event.value, event.old) if role)
    for probe in condition.probes:
        named.extend(role for role in (probe.premise,) if role)
        if "." in probe.about:
            named.append(probe.about.removeprefix("target."))
    if condition.twin is not None and isinstance(value := condition.twin.replacement.get("value"), str):
        named.append(value)
    return tuple(dict.fromkeys(role.removeprefix("target.") for role in named))


def value_pairs(fact_type: FactType, seed: int) -> tuple[tuple[str, str], ...]:
    """Ordered pairs of values, each followed by its reverse, so that no value is always the new one."""
    values = shuffled([value.value for value in fact_type.values], seed, "pairs", fact_type.id)
    pairs: list[tuple[str, str]] = []
    for distance in range(1, len(values)):
        for index in range(0, len(values) - distance, distance + 1):
            left, right = values[index], values[index + distance]
            pairs += [(left, right), (right, left)]
    return tuple(pairs)


def cast(
    conditions: Sequence[Condition],
    fact_type: FactType,
    pair: tuple[str, str],
    entity_number: int,
    dependents: Sequence[FactType],
    seed: int,
    taken: Collection[str] = (),
) -> Cast:
    """Draw the cast that the conditions of one case share.

    Args:
        conditions: those of the case's variants and of their siblings.
        fact_type: the target's.
        pair: the initial value, and that of each condition's first other role.
        entity_number: which entity of the pool is the target.
        dependents: fact types that depend on this one.
        seed: the draw's.
        taken: entities that other threads of the history speak of.

    Raises:
        DesignError: the fact type has too few values, changes or entities.
    """
    roles = _roles(conditions, fact_type, pair, seed)
    entity = entity_of(fact_type, entity_number)
    others = fact_type.subject.others or tuple(name for name in fact_type.subject.pool if name != entity)
    others = shuffled([name for name in others if name not in taken], seed, "others")
    declared: dict[str, CastMember] = {}
    for condition in conditions:
        declared.update(condition.cast)
    members: dict[str, Member] = {}
    free = list(others)
    for name, member in declared.items():
        own = {role: value for role, value in roles.items() if _owner(role) == name}
        bare = {role.rpartition(".")[2]: value for role, value in own.items()}
        spoken = frozenset(other.confusable for other in members.values())
        members[name] = _member(name, member, fact_type, entity, free, dependents, bare, seed, spoken)
    used = {value for role, value in roles.items()}
    spare = tuple(v.value for v in fact_type.values if v.value not in used)
    return Cast(
        fact_type=fact_type,
        members=members,
        spare=shuffled(spare, seed, "spare"),
        entities=tuple(free),
        changes=_changes(conditions, fact_type, pair, seed),
        seed=seed,
    )


def entity_of(fact_type: FactType, number: int) -> str:
    """The entity of that number in a fact type's pool, or the user."""
    entities = fact_type.subject.pool or ("user",)
    return entities[number % len(entities)]


def _owner(role: str) -> str:
    return role.rpartition(".")[0] or TARGET


def _roles(conditions: Sequence[Condition], fact_type: FactType, pair: tuple[str, str], seed: int) -> dict[str, str]:
    """Values by role; distinct roles of one condition hold distinct values."""
    drawn = {"initial": pair[0]}
    rest = shuffled([v.value for v in fact_type.values if v.value not in pair], seed, "roles")
    for condition in conditions:
        roles = [role for role in roles_in(condition) if role != "initial"]
        own = [role for role in roles if _owner(role) == TARGET]
        needed = len(roles) + 1
        if needed > len(fact_type.values):
            raise DesignError(
                f"fact type {fact_type.id!r} has {len(fact_type.values)} values, and the condition needs {needed}",
                hint="add values to the fact type",
            )
        if own:
            drawn.setdefault(own[0], pair[1])
        taken = {drawn[role] for role in roles if role in drawn} | set(pair)
        left = [value for value in rest if value not in taken]
        for role in roles:
            if role not in drawn:
                drawn[role] = left.pop(0)
    return drawn


def _member(
    name: str,
    declared: CastMember,
    fact_type: FactType,
    entity: str,
    free: list[str],
    dependents: Sequence[FactType],
    values: dict[str, str],
    seed: int,
    taken: frozenset[str | None],
) -> Member:
    if declared.depends_on is not None:
        if not dependents:
            raise DesignError(f"no fact type of the suite depends on {fact_type.id!r}", hint="add one with depends_on")
        other = rng(seed, "dependent", name).choice(list(dependents))
        names = shuffled([value.value for value in other.values], seed, "dependent", other.id)
        values = dict(zip(values, names, strict=False))
        return Member(
            name=name, fact_type=other.id, entity=entity, attribute=other.attribute, values=values,
            depends_on=declared.depends_on,
        )  # fmt: skip
    if declared.attribute == "other":
        options = [confusable for confusable in fact_type.confusables if confusable.id not in taken]
        if not options:
            raise DesignError(f"fact type {fact_type.id!r} has no confusable left for {name!r}", hint="add one to it")
        other_attribute = rng(seed, "confusable", name).choice(options)
        return Member(
            name=name, fact_type=fact_type.id, entity=entity, attribute=other_attribute.attribute, values=values,
            confusable=other_attribute.id,
        )  # fmt: skip
    if declared.entity == "other":
        if not free:
            raise DesignError(f"fact type {fact_type.id!r} has no other entity left", hint="add one to subject")
        entity = free.pop(0)
    return Member(name=name, fact_type=fact_type.id, entity=entity, attribute=fact_type.attribute, values=values)


def _changes(
    conditions: Sequence[Condition], fact_type: FactType, pair: tuple[str, str], seed: int
) -> dict[str, Change]:
    """A change by slot; distinct slots of one condition hold distinct changes."""
    slots = tuple(dict.fromkeys(event.change for c in conditions for event in events_in(c) if event.change))
    fitting = [change for change in fact_type.changes if _goes(change, fact_type, pair)]
    if len(slots) > len(fitting):
        raise DesignError(
            f"fact type {fact_type.id!r} has {len(fitting)} changes for {pair[0]} to {pair[1]}, "
            f"and the condition needs {len(slots)}",
            hint="add changes to the fact type",
        )
    return dict(zip(slots, shuffled(fitting, seed, "changes"), strict=False))


def _goes(change: Change, fact_type: FactType, pair: tuple[str, str]) -> bool:
    """Whether a change fits a pair's direction."""
    if change.direction is None:
        return True
    ranks = [rank(fact_type, value) for value in pair]
    return ranks[0] < ranks[1] if change.direction == "up" else ranks[0] > ranks[1]


def rank(fact_type: FactType, value: str) -> tuple[Decimal, str]:
    """An order on the values of a kind: by the leading number, then by normal form."""
    normal = canonical(fact_type.kind, value, fact_type.language)
    try:
        number = Decimal(normal.split(" ")[0])
    except (InvalidOperation, IndexError):
        number = Decimal(0)
    return number, normal


def people(fact_type: FactType, source: str, seed: int, slot: str) -> str | None:
    """Who or what a source of that kind is: a person, a document, a tool."""
    pools: dict[str, Iterable[str]] = {
        "third_party": fact_type.people,
        "document": fact_type.documents,
        "tool": (fact_type.tool_name,) if fact_type.tool_name else (),
    }
    names = sorted(pools.get(source, ()))
    return rng(seed, "origin", slot).choice(names) if names else None
