"""Plan a declared factorial design: cells to cases, counterbalanced over fact types, values and entities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product

from suitegen.errors import DesignError
from suitegen.latent.compile import Case, Variant, check_case, compile_case, condition_of
from suitegen.latent.draw import value_pairs
from suitegen.latent.seeds import derive, shuffled
from suitegen.model.catalog import Catalog
from suitegen.model.fact_type import FactType
from suitegen.model.suite import Cell, HistoryCell, Length, SuiteSpec, ThreadCell, Tier


@dataclass(frozen=True, slots=True)
class _Group:
    """One combination of a cell's crossed axes: the members of a case, before its number."""

    cell: Cell
    variants: tuple[Variant, ...]
    domains: tuple[str, ...]
    after: int | None = None


def plan(suite: SuiteSpec, catalog: Catalog, mean_tokens: int = 250) -> tuple[Case, ...]:
    """All cases of a suite, in the order of its cells.

    Args:
        suite: the design.
        catalog: fact types and paradigms by id.
        mean_tokens: mean tokens of a session, for cells whose length is a token budget.

    Raises:
        DesignError: a name is unknown or a count, pool or budget cannot be met.
    """
    fact_types = [_fact_type(catalog, name) for name in suite.fact_types]
    balance = _Balance(suite, fact_types)
    cases: list[Case] = []
    for cell in suite.cells:
        for group in _groups(suite, catalog, cell, fact_types):
            cases.append(_case(suite, catalog, group, balance, mean_tokens))
    for history in suite.histories:
        cases += [_history(suite, catalog, history, number, balance) for number in range(history.count)]
    for case in cases:
        check_case(suite, catalog, case)
    return withheld(suite, catalog, cases)


def _fact_type(catalog: Catalog, name: str) -> FactType:
    if name not in catalog.fact_types:
        known = ", ".join(sorted(catalog.fact_types)) or "none"
        raise DesignError(f"unknown fact type {name!r}", hint=f"known: {known}")
    return catalog.fact_types[name]


def _groups(suite: SuiteSpec, catalog: Catalog, cell: Cell, fact_types: Sequence[FactType]) -> Iterator[_Group]:
    """The cell's cases as groups of variants: its crossed axes, repeated to the count."""
    _check(suite, catalog, cell)
    all_domains = tuple(dict.fromkeys(fact_type.domain for fact_type in fact_types))
    domains: list[tuple[str, ...]] = [(domain,) for domain in cell.domain] or [all_domains]
    axes: dict[str, tuple[str | bool, ...]] = {"condition": cell.condition, "split": cell.split, "tier": cell.tier}
    fixed = [[(name, value) for value in values] for name, values in axes.items() if name not in cell.vary]
    varied = [[(name, value) for value in values] for name, values in axes.items() if name in cell.vary]
    combinations = [
        _Group(cell, _variants(dict(own), varied, cell.twin), domain) for own in product(*fixed) for domain in domains
    ]
    if cell.each is not None:
        combinations = combinations * cell.each
    for number in range(cell.count or len(combinations)):
        group = combinations[number % len(combinations)]
        yield replace(group, after=cell.after[number % len(cell.after)]) if cell.after else group


def _variants(
    own: dict[str, str | bool], varied: Sequence[Sequence[tuple[str, str | bool]]], twin: bool
) -> tuple[Variant, ...]:
    found = []
    for combination in product(*varied):
        axes = {**own, **dict(combination)}
        words = [_word(name, value) for name, value in combination]
        for is_twin in (False, True) if twin else (False,):
            name = ".".join([*words, *(["twin" if is_twin else "base"] if twin else [])])
            found.append(Variant(name, str(axes["condition"]), bool(axes["split"]), str(axes["tier"]), is_twin))
    return tuple(found)


def _word(axis: str, value: object) -> str:
    return ("split" if value else "whole") if axis == "split" else str(value)


def _check(suite: SuiteSpec, catalog: Catalog, cell: Cell) -> None:
    paradigm = catalog.paradigms.get(cell.paradigm)
    if paradigm is None:
        raise DesignError(f"unknown paradigm {cell.paradigm!r}", hint=f"known: {', '.join(sorted(catalog.paradigms))}")
    for name in cell.condition:
        if name not in paradigm.conditions:
            raise DesignError(
                f"paradigm {cell.paradigm!r} has no condition {name!r}",
                hint=f"it has: {', '.join(paradigm.conditions)}",
            )
        asked = {probe.type for probe in paradigm.conditions[name].probes}
        if missing := [kind for kind in cell.probes if kind not in asked]:
            raise DesignError(
                f"condition {name!r} asks no {', '.join(missing)}", hint=f"it asks: {', '.join(sorted(asked))}"
            )
        if True in cell.split and paradigm.conditions[name].split is None:
            raise DesignError(f"condition {name!r} declares no split", hint="ask for split: false, or declare one")
        if cell.twin and paradigm.conditions[name].twin is None:
            raise DesignError(f"condition {name!r} declares no twin", hint="leave out twin, or declare one")
    for tier in cell.tier:
        if tier not in suite.tiers:
            raise DesignError(f"unknown tier {tier!r}", hint=f"known: {', '.join(sorted(suite.tiers))}")


class _Balance:
    """Counts of what was dealt, so that the next case takes what was used least."""

    def __init__(self, suite: SuiteSpec, fact_types: Sequence[FactType]) -> None:
        self.seed = derive(suite.seed, suite.id, "plan")
        self.fact_types = shuffled(fact_types, self.seed, "fact types")
        self.used = Counter[str]()
        self.domains = Counter[str]()
        self.within = Counter[tuple[str, str]]()
        self.behaviors = Counter[tuple[str, str]]()
        self.pairs = Counter[tuple[str, str]]()
        self.numbers = Counter[str]()
        self.threads = Counter[tuple[str, str]]()
        """Threads of shared histories by paradigm and condition."""

    def fact_type(self, paradigm: str, behavior: str, fitting: Sequence[FactType]) -> FactType:
        """The fitting fact type used least: by domain, then in all, under the behaviour, in the paradigm."""
        options = [fact_type for fact_type in self.fact_types if fact_type in fitting]
        chosen = min(
            options,
            key=lambda f: (
                self.domains[f.domain],
                self.used[f.id],
                self.behaviors[f.id, behavior],
                self.within[f.id, paradigm],
            ),
        )
        self.used[chosen.id] += 1
        self.domains[chosen.domain] += 1
        self.behaviors[chosen.id, behavior] += 1
        self.within[chosen.id, paradigm] += 1
        return chosen

    def pair(self, fact_type: FactType, behavior: str) -> tuple[str, str]:
        """The next pair of values; a pair and its reverse follow each other under one behaviour."""
        pairs = value_pairs(fact_type, self.seed)
        number = self.pairs[fact_type.id, behavior]
        self.pairs[fact_type.id, behavior] += 1
        # Behaviours start at different places, so that a pair is not tied to one of them.
        offset = derive(self.seed, fact_type.id, behavior) % (len(pairs) // 2) * 2
        return pairs[(number + offset) % len(pairs)]


def _case(suite: SuiteSpec, catalog: Catalog, group: _Group, balance: _Balance, mean_tokens: int) -> Case:
    cell = group.cell
    behavior = catalog.paradigms[cell.paradigm].conditions[group.variants[0].condition].expects or ""
    fitting = _fitting(catalog, group, balance.fact_types)
    chosen = balance.fact_type(cell.paradigm, behavior, fitting)
    stem = _stem(cell, group.variants)
    number = balance.numbers[stem]
    balance.numbers[stem] += 1
    return Case(
        key=f"{stem}.{number + 1:03d}",
        number=sum(balance.used.values()) - 1,
        paradigm=cell.paradigm,
        domain=chosen.domain,
        fact_type=chosen.id,
        pair=balance.pair(chosen, behavior),
        entity_number=balance.used[chosen.id] - 1,
        variants=group.variants,
        before=_before(suite, catalog, cell, group, mean_tokens),
        after=group.after,
        probes=cell.probes,
    )


# -- histories that threads share -------------------------------------------------------------------------------


def _history(suite: SuiteSpec, catalog: Catalog, history: HistoryCell, number: int, balance: _Balance) -> Case:
    """One history with its threads, each about something else."""
    stem = f"history.{'+'.join(dict.fromkeys(cell.paradigm for cell in history.threads))}"
    key = f"{stem}.{balance.numbers[stem] + 1:03d}"
    balance.numbers[stem] += 1
    cast = _SharedCast(key, history.alike)
    # What is paired with another thread has its fact type, so it comes after it.
    for cell in sorted(history.threads, key=lambda cell: cell.beside is not None):
        _check_thread(suite, catalog, cell)
        for nth in range(cell.count[number % len(cell.count)]):
            _add_thread(suite, catalog, cell, nth, cast, balance)
    return Case(
        key=key, number=sum(balance.used.values()) - 1, paradigm="", domain="", fact_type="", pair=("", ""),
        entity_number=0, variants=(Variant("", "", False, ""),), threads=tuple(cast.threads),
        sessions=history.sessions, share=history.share, mix=tuple(history.mix.items()),
    )  # fmt: skip


class _SharedCast:
    """The threads of one history so far, and whom they speak of."""

    def __init__(self, key: str, alike: int) -> None:
        self.key = key
        self.alike = alike
        self.threads: list[Case] = []
        self.taken: set[tuple[str, int]] = set()
        """Fact types with the number of an entity that some thread has."""

    def free(self, fact_type: FactType) -> list[int]:
        """Numbers of the entities of whom no thread speaks yet."""
        return [n for n in range(len(fact_type.subject.pool) or 1) if (fact_type.id, n) not in self.taken]

    def begun(self, fitting: Sequence[FactType]) -> Sequence[FactType]:
        """Of some fact types those that fewer threads have than are to share one, if any has one; else all."""
        counts = Counter(thread.fact_type for thread in self.threads)
        return [f for f in fitting if 0 < counts[f.id] < self.alike] or fitting

    def open_to(self, paradigm: str, condition: str) -> list[Case]:
        """Threads of a condition that have no paired control yet."""
        paired = {thread.control for thread in self.threads}
        return [
            thread
            for thread in self.threads
            if (thread.paradigm, thread.variants[0].condition) == (paradigm, condition)
            and thread.control is None
            and thread.key not in paired
        ]


def _add_thread(
    suite: SuiteSpec, catalog: Catalog, cell: ThreadCell, nth: int, cast: _SharedCast, balance: _Balance
) -> None:
    """Add a thread of a cell, with its twin where the cell asks for twins."""
    names = balance.threads
    for twin in (False, True) if cell.twin else (False,):
        variant = Variant("", cell.condition, cell.split, cell.tier, twin)
        beside = cast.open_to(cell.paradigm, cell.beside) if cell.beside else []
        fact_type, partner = _thread_type(suite, catalog, cell, variant, cast, beside, balance)
        free = cast.free(fact_type)
        entity = free[derive(balance.seed, cast.key, "entity", len(cast.threads)) % len(free)]
        cast.taken.add((fact_type.id, entity))
        behavior = catalog.paradigms[cell.paradigm].conditions[cell.condition].expects
        stem = (cell.paradigm, cell.condition)
        control = partner or (cast.threads[-1].key if twin else None)
        cast.threads.append(
            Case(
                key=f"t{len(cast.threads) + 1:02d}", number=len(cast.threads), paradigm=cell.paradigm,
                domain=fact_type.domain, fact_type=fact_type.id, pair=balance.pair(fact_type, behavior or ""),
                entity_number=entity, variants=(variant,), probes=cell.probes, control=control,
                stands=tuple((phase, marks[names[stem] % len(marks)]) for phase, marks in cell.stands.items()),
            )
        )  # fmt: skip
        names[stem] += 1


def _thread_type(
    suite: SuiteSpec,
    catalog: Catalog,
    cell: ThreadCell,
    variant: Variant,
    cast: _SharedCast,
    beside: Sequence[Case],
    balance: _Balance,
) -> tuple[FactType, str | None]:
    """A fact type of which the history has an entity left, and the thread that is then the paired control."""
    stands_in = Cell(paradigm=cell.paradigm, condition=(cell.condition,), fact_types=cell.fact_types, count=1)
    domains = cell.domain or tuple(dict.fromkeys(fact_type.domain for fact_type in balance.fact_types))
    fitting = [
        fact_type
        for fact_type in _fitting(catalog, _Group(stands_in, (variant,), domains), balance.fact_types)
        if (not cell.mutability or fact_type.mutability in cell.mutability) and cast.free(fact_type)
    ]
    if cell.beside:
        paired = {thread.fact_type: thread.key for thread in reversed(beside)}
        fitting = [fact_type for fact_type in fitting if fact_type.id in paired]
    if not fitting:
        raise DesignError(
            f"no fact type is left for another thread of {cell.paradigm}/{cell.condition}",
            where=cast.key, hint="ask for fewer threads, or name more fact types or entities",
        )  # fmt: skip
    behavior = catalog.paradigms[cell.paradigm].conditions[cell.condition].expects
    chosen = balance.fact_type(cell.paradigm, behavior or "", cast.begun(fitting))
    return chosen, paired[chosen.id] if cell.beside else None


def _check_thread(suite: SuiteSpec, catalog: Catalog, cell: ThreadCell) -> None:
    _check(
        suite,
        catalog,
        Cell(
            paradigm=cell.paradigm, condition=(cell.condition,), probes=cell.probes, split=(cell.split,),
            twin=cell.twin, tier=(cell.tier,), count=1,
        ),
    )  # fmt: skip


def withheld(suite: SuiteSpec, catalog: Catalog, cases: Sequence[Case]) -> tuple[Case, ...]:
    """The cases without the probes that the design leaves out, drawn over all of those that are asked at marks.

    Raises:
        DesignError: there are fewer.
    """
    if not suite.withhold:
        return tuple(cases)
    asked = [
        (derive(suite.seed, suite.id, "withhold", case.key, probe.id), case.key, probe.id)
        for case in cases
        for spec in compile_case(suite, catalog, case, 0)
        for probe in spec.probes
        if probe.window is not None
    ]
    if len(asked) < suite.withhold:
        raise DesignError(f"{suite.withhold} probes are to be left out, and {len(asked)} are asked at marks")
    out = sorted(asked)[: suite.withhold]
    return tuple(_without(case, {probe for _, key, probe in out if key == case.key}) for case in cases)


def _without(case: Case, probes: set[str]) -> Case:
    threads = tuple(
        replace(thread, withheld=tuple(sorted(name for name in probes if name.startswith(f"{thread.key}."))))
        for thread in case.threads
    )
    return replace(case, threads=threads, withheld=() if threads else tuple(sorted(probes))) if probes else case


# -- cases of one thread ----------------------------------------------------------------------------------------


def _stem(cell: Cell, variants: Sequence[Variant]) -> str:
    """What the cases of a combination are called: its paradigm and what its members are."""
    conditions = "+".join(dict.fromkeys(variant.condition for variant in variants))
    splits = "+".join(dict.fromkeys(_word("split", variant.split) for variant in variants))
    tiers = "+".join(dict.fromkeys(variant.tier for variant in variants))
    return ".".join([cell.paradigm, conditions, splits, tiers, *(["twin"] if cell.twin else [])])


def _fitting(catalog: Catalog, group: _Group, fact_types: Sequence[FactType]) -> list[FactType]:
    """Fact types of the group's domains that have what its conditions need."""
    named = group.cell.fact_types
    fitting = [
        fact_type
        for fact_type in fact_types
        if fact_type.domain in group.domains
        and (not named or fact_type.id in named)
        and _can(catalog, group, fact_type)
    ]
    if not fitting:
        names = ", ".join(dict.fromkeys(variant.condition for variant in group.variants))
        raise DesignError(
            f"no fact type of {', '.join(group.domains)} can serve {group.cell.paradigm}/{names}",
            hint="the condition needs values that may change, other entities or confusables, which none of them has",
        )
    return fitting


def _can(catalog: Catalog, group: _Group, fact_type: FactType) -> bool:
    for variant in group.variants:
        paradigm = catalog.paradigms[group.cell.paradigm]
        if fact_type.mutability == "static" and paradigm.moves(variant.condition):
            return False
        declared = paradigm.conditions[variant.condition]
        members = declared.cast.values()
        if any(m.attribute == "other" for m in members) and not fact_type.confusables:
            return False
        others = fact_type.subject.others or fact_type.subject.pool[1:]
        if sum(m.entity == "other" for m in members) > len(others):
            return False
    return True


def _before(suite: SuiteSpec, catalog: Catalog, cell: Cell, group: _Group, mean_tokens: int) -> int | None:
    """Sessions before the perturbation, where the cell sets a length of its own."""
    if cell.length is None:
        return None
    tier = suite.tiers[group.variants[0].tier]
    fixed = max(_fixed(catalog, cell, variant, tier) for variant in group.variants)
    total = cell.length.sessions or (cell.length.tokens or 0) // mean_tokens
    if total < fixed:
        raise DesignError(_too_short(cell.length, fixed, mean_tokens), hint="ask for a longer history")
    return total - fixed


def _too_short(length: Length, fixed: int, mean_tokens: int) -> str:
    if length.sessions is not None:
        return f"a history of {length.sessions} sessions is asked for, and its events need {fixed}"
    return f"a history of {length.tokens} tokens is asked for, and its events need about {fixed * mean_tokens}"


def _fixed(catalog: Catalog, cell: Cell, variant: Variant, tier: Tier) -> int:
    """Sessions that a variant has at most apart from its drawn stretch before the perturbation."""
    case = Case("", 0, cell.paradigm, "", "", ("", ""), 0, (variant,))
    condition = condition_of(catalog, case, variant)
    count = 0
    for phase in condition.phases:
        if isinstance(phase.body, tuple):
            for session in phase.body:
                count += session.gap + (tier.encoding if session.repeat == "tier" else int(session.repeat))
        elif phase.body == "after":
            count += max(cell.after, default=tier.after[1])
    return count
