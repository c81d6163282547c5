"""Rules on histories that threads share: whom they name, and that marks come in the order in which things happen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from math import lcm

from suitegen.library.kinds import PARADIGM
from suitegen.library.nearest import did_you_mean
from suitegen.library.problem import Problem
from suitegen.library.rules.base import On, listed
from suitegen.library.rules.scenes import MOVES, Scene
from suitegen.library.yaml import Loc
from suitegen.model.paradigm import EACH_MARK, Condition
from suitegen.model.suite import HistoryCell, SuiteSpec, ThreadCell
from suitegen.model.words import PhaseName


def threads(suite: SuiteSpec) -> Iterator[tuple[Loc, HistoryCell, ThreadCell]]:
    """Every thread of every history, with its place."""
    for index, history in enumerate(suite.histories):
        for nth, thread in enumerate(history.threads):
            yield ("histories", index, "threads", nth), history, thread


def condition_of(on: On[SuiteSpec], thread: ThreadCell) -> Condition | None:
    """The condition of a thread, if there is one of the name."""
    paradigm = on.loaded.catalog.paradigms.get(thread.paradigm)
    return paradigm.conditions.get(thread.condition) if paradigm else None


def thread_names(on: On[SuiteSpec]) -> Iterator[Problem]:
    """L302, L303, L308: a thread's paradigm, condition, domain, fact type or tier that there is not."""
    suite, catalog = on.thing, on.loaded.catalog
    for loc, history, thread in threads(suite):
        if not on.loaded.knows(PARADIGM, thread.paradigm):
            hint = did_you_mean(thread.paradigm, catalog.paradigms)
            yield on.found("L302", f"there is no paradigm {thread.paradigm!r}", *loc, "paradigm", hint=hint)
        elif thread.paradigm in catalog.paradigms and condition_of(on, thread) is None:
            hint = did_you_mean(thread.condition, catalog.paradigms[thread.paradigm].conditions)
            message = f"the paradigm {thread.paradigm!r} has no condition {thread.condition!r}"
            yield on.found("L302", message, *loc, "condition", hint=hint)
        conditions = [other.condition for other in history.threads if other.paradigm == thread.paradigm]
        if thread.beside is not None and thread.beside not in conditions:
            message = f"no thread of the history has the condition {thread.beside!r}"
            yield on.found("L302", message, *loc, "beside", hint=did_you_mean(thread.beside, conditions))
        for at, name in listed((*loc, "fact_types"), thread.fact_types):
            if name not in suite.fact_types:
                hint = did_you_mean(name, suite.fact_types)
                yield on.found("L303", f"{name!r} is no fact type of the suite", *at, hint=hint)
        if thread.tier not in suite.tiers:
            yield on.found("L308", f"there is no tier {thread.tier!r}", *loc, "tier", key=True)


def windows(on: On[SuiteSpec]) -> Iterator[Problem]:
    """L310, L319: marks that are not declared, lie outside of the history, or come in the wrong order."""
    suite = on.thing
    for loc, _, thread in threads(suite):
        for phase, marks in thread.stands.items():
            for at, name in listed((*loc, "stands", phase), marks):
                if name not in suite.marks:
                    hint = did_you_mean(name, suite.marks) or f"add marks: {{{name}: SESSION}}"
                    yield on.found("L310", f"the suite declares no mark {name!r}", *at, hint=hint)
        yield from _order(on, loc, thread)
        condition = condition_of(on, thread)
        if condition and (changed := _unintroduced(condition)):
            message = f"the condition {thread.condition!r} has a change of {changed!r}, which was never introduced"
            yield on.found("L319", message, *loc, "condition", hint=f"let it remember a value of {changed!r} first")
        if condition and _is_asked_at_marks(condition) and not suite.marks:
            message = f"the condition {thread.condition!r} is asked at each mark, and the suite declares none"
            yield on.found("L310", message, *loc, "condition", hint="add marks: {w1: SESSION, ...}")
    for name, sessions in suite.marks.items():
        longest = max((history.sessions for history in suite.histories), default=0)
        if suite.histories and not 0 < sessions <= longest:
            message = f"the mark {name!r} stands after {sessions} sessions, and the longest history has {longest}"
            yield on.found("L319", message, "marks", name, hint=f"take a number from 1 to {longest}")
    for history in suite.histories:
        yield from _before_the_first(on, history)


def _unintroduced(condition: Condition) -> str | None:
    """A member whose value changes before any was said."""
    scene = Scene(condition)
    for index, said in enumerate(scene.events):
        spec = said.spec
        changes = spec.op in (*MOVES, "correct") and "completes" not in spec.refs and spec.old is None
        if changes and not scene.held(spec.target, index):
            return spec.target
    return None


def _is_asked_at_marks(condition: Condition) -> bool:
    return any(probe.asked_after == EACH_MARK for probe in condition.probes)


def _order(on: On[SuiteSpec], loc: Loc, thread: ThreadCell) -> Iterator[Problem]:
    """A later phase that stands before an earlier one, in some thread of those that are dealt."""
    suite, condition = on.thing, condition_of(on, thread)
    phases = [phase.name for phase in condition.phases if phase.name in thread.stands] if condition else []
    asked = condition is not None and _is_asked_at_marks(condition)
    for earlier, later in pairwise(dict.fromkeys(phases)):
        for nth in range(lcm(len(thread.stands[earlier]), len(thread.stands[later]))):
            first, second = _dealt(thread, earlier, nth), _dealt(thread, later, nth)
            known = first in suite.marks and second in suite.marks
            if known and (suite.marks[second] < suite.marks[first] or (asked and first == second)):
                message = f"{later} stands before {second!r} where {earlier} stands before {first!r}: " + (
                    "no window lies between them" if first == second else "a change of what was never introduced"
                )
                place = nth % len(thread.stands[later])
                hint = f"take a mark of {later} that comes later, or one of {earlier} that comes earlier"
                yield on.found("L319", message, *loc, "stands", later, place, hint=hint)
                break


def _dealt(thread: ThreadCell, phase: PhaseName, nth: int) -> str:
    marks = thread.stands[phase]
    return marks[nth % len(marks)]


def _before_the_first(on: On[SuiteSpec], history: HistoryCell) -> Iterator[Problem]:
    """A window before anything that is asked at windows comes up."""
    marks: Mapping[str, int] = on.thing.marks
    firsts = []
    for thread in history.threads:
        condition = condition_of(on, thread)
        if condition is None or not _is_asked_at_marks(condition):
            continue
        phases = [phase.name for phase in condition.phases if isinstance(phase.body, tuple)]
        if phases and phases[0] not in thread.stands:
            return
        firsts += [marks[name] for name in thread.stands[phases[0]] if name in marks] if phases else []
    for name, at in marks.items():
        if firsts and at < min(firsts):
            message = f"nothing that is asked about is said before the mark {name!r}"
            hint = "let some thread stand before it, or leave the mark out"
            yield on.found("L319", message, "marks", name, hint=hint)
