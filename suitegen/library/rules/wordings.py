"""Rules on surfaces, questions and scripts: lines get the variables they use, and nothing that is needed is missing."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from suitegen.library.problem import Problem
from suitegen.library.rules.base import On, Rule, listed, states, unknown_variables
from suitegen.library.rules.coverage import CLAUSES, FACETS, Signature, missing_exchange, missing_phrase, signatures
from suitegen.library.rules.suites import own_suites, used_conditions
from suitegen.library.yaml import Loc
from suitegen.model.background import Script
from suitegen.model.surface import Exchange, Questions, Surfaces
from suitegen.model.words import ProbeType, Speaker

OnSurfaces: TypeAlias = On[Surfaces]
OnQuestions: TypeAlias = On[Questions]

NOUNS = ("noun", "subject", "attribute")
"""Variables that every line about something gets."""
LINE = (*NOUNS, *CLAUSES, *FACETS)
"""Variables of phrases and riders."""
CLAUSE = (*NOUNS, "value", "old", "trigger", "reason", "date")
TURN = (*NOUNS, "said", "echo", "draft")
FIELDS: Mapping[ProbeType, tuple[str, ...]] = {
    "current": ("value",),
    "previous": ("value",),
    "original": ("value",),
    "as_of": ("value",),
    "trajectory": ("values",),
    "change": ("changed",),
    "changes": ("count",),
    "source": ("source",),
    "conflict": ("source", "status", "applies"),
    "status": ("status",),
    "temporal": ("direction", "old", "new", "trigger", "reason"),
    "trigger": ("trigger",),
    "reason": ("reason",),
    "direction": ("direction",),
    "premise": ("holds", "value"),
    "original_premise": ("holds", "value"),
}
"""The fields of an answer by probe type."""
ROLES: Sequence[Speaker] = ("user", "assistant", "tool")
RIVALS: frozenset[ProbeType] = frozenset({"conflict", "status"})
"""Probe types that always name a rival, in whichever wording."""


# -- surfaces ---------------------------------------------------------------------------------------------------


def surface_variables(on: OnSurfaces) -> Iterator[Problem]:
    """L401, L402: lines of the surfaces that are no templates, or use a variable that they do not get."""
    surfaces = on.thing
    phrases = [
        pair for i, phrase in enumerate(surfaces.phrases) for pair in listed(("phrases", i, "lines"), phrase.lines)
    ]
    yield from unknown_variables(on, phrases, LINE, "a phrase")
    for field, riders in ((("riders",), surfaces.riders), (("records", "riders"), surfaces.records.riders)):
        lines = [pair for facet in riders for pair in listed((*field, facet), riders[facet])]
        yield from unknown_variables(on, lines, LINE, "a rider")
    for field, clauses in ((("clauses",), surfaces.clauses), (("records", "clauses"), surfaces.records.clauses)):
        lines = [pair for name in clauses for pair in listed((*field, name), clauses[name])]
        yield from unknown_variables(on, lines, CLAUSE, "a clause")
    turns = [(loc, text) for _, loc, text in _turns(surfaces)]
    yield from unknown_variables(on, turns, TURN, "an exchange")
    words = surfaces.words
    nouns: list[tuple[Loc, str]] = [(("words", "owned"), words.owned), (("words", "written"), words.written)]
    yield from unknown_variables(on, nouns, ("attribute", "subject"), "this line")
    yield from unknown_variables(on, listed(("words", "dates"), words.dates), ("day", "month", "year"), "a date")


def _turns(surfaces: Surfaces) -> Iterator[tuple[int, Loc, str]]:
    """Every line of every exchange, with the exchange's number and the line's place."""
    for number, exchange in enumerate(surfaces.exchanges):
        for index, turn in enumerate(exchange.turns):
            for role, lines in turn.items():
                for loc, text in listed(("exchanges", number, "turns", index, role), lines):
                    yield number, loc, text


def phrases_needed(on: OnSurfaces) -> Iterator[Problem]:
    """L403: an event that a suite's conditions have, and that no phrase or exchange can say."""
    for signature, names in _needed(on).items():
        for lack in (missing_phrase(on.thing, signature), missing_exchange(on.thing, signature)):
            if lack:
                message = f"{lack} {signature.words}; {', '.join(names)} needs it"
                yield on.found("L403", message, _LACKING[lack], key=True)


_LACKING = {
    "no phrase says": "phrases",
    "no phrase and riders together say": "riders",
    "no exchange holds": "exchanges",
}
"""What to add to, by what is lacking."""


def _needed(on: OnSurfaces) -> Mapping[Signature, tuple[str, ...]]:
    """The kinds of events that suites of the language have, with the suites' ids."""
    needed: dict[Signature, dict[str, None]] = {}
    for name, suite in own_suites(on.loaded).items():
        if suite.language != on.thing.language:
            continue
        for condition, split in used_conditions(on.loaded, suite):
            for signature in signatures(condition, split, {**suite.mix, **suite.mix_after}):
                needed.setdefault(signature, {})[name] = None
    return {signature: tuple(names) for signature, names in needed.items()}


def exchanges(on: OnSurfaces) -> Iterator[Problem]:
    """L405: an exchange that does not hold what is said exactly once and in its speaker's turn."""
    for number, exchange in enumerate(on.thing.exchanges):
        for loc, message in _exchange(exchange):
            yield on.found("L405", message, "exchanges", number, *loc)


def _exchange(exchange: Exchange) -> Iterator[tuple[Loc, str]]:
    said = [
        i for i, turn in enumerate(exchange.turns) if any("said" in states(t) for lines in turn.values() for t in lines)
    ]
    if len(said) != 1:
        yield ("turns",), f"{{{{ said }}}} stands in {len(said)} turns; it stands in exactly one"
    for index, turn in enumerate(exchange.turns):
        if len(turn) != 1:
            yield ("turns", index), f"a turn has one role, and this one has {len(turn)}"
        for role, lines in turn.items():
            for loc, text in listed(("turns", index, role), lines):
                if index in said and "said" not in states(text):
                    yield loc, "this turn is where it is said, and the line lacks {{ said }}"
                repeated = sorted(states(text) & {"echo", "draft"})
                if repeated and not any(before < index for before in said):
                    yield loc, f"{{{{ {repeated[0]} }}}} repeats what was said before, and nothing was"
            if index in said and role != exchange.speaker:
                yield ("turns", index, role), f"the speaker is {exchange.speaker}, and it is said by {role}"
    ends = (next(iter(exchange.turns[0]), ""), next(iter(exchange.turns[-1]), ""))
    if ends != ("user", "assistant") and (ends[0] != "user" or len(exchange.turns) > 1):
        yield ("turns",), "an exchange starts with the user and ends with the assistant, or is one turn of the user"


def shapes(on: OnSurfaces) -> Iterator[Problem]:
    """L407: a shape that does not hold what is said exactly once, or holds a part twice."""
    for index, shape in enumerate(on.thing.shapes):
        if shape.count("said") != 1 or len(set(shape)) != len(shape):
            message = "a shape holds said exactly once, and no part twice"
            yield on.found("L407", message, "shapes", index, hint="for instance [open, reply, said, follow, answer]")


def rider_facets(on: OnSurfaces) -> Iterator[Problem]:
    """L408: a rider that states another facet than the one it is for."""
    for field, riders in ((("riders",), on.thing.riders), (("records", "riders"), on.thing.records.riders)):
        for facet, lines in riders.items():
            for loc, text in listed((*field, facet), lines):
                stated = {FACETS.get(name) or CLAUSES.get(name) for name in states(text)} - {None, facet}
                if stated:
                    message = f"a rider for {facet} that states {', '.join(sorted(map(str, stated)))} as well"
                    yield on.found("L408", message, *loc, hint="one facet for one rider")


def unnamed_lines(on: OnSurfaces) -> Iterator[Problem]:
    """L412: a line that names its target where it is not to be named, or does not say by which value it goes."""
    for number, phrase in enumerate(on.thing.phrases):
        for loc, text in listed(("phrases", number, "lines"), () if phrase.named else phrase.lines):
            named = sorted(states(text) & {*NOUNS, *CLAUSES, "value"})
            if named:
                message = f"{{{{ {named[0]} }}}} tells what the line leaves unnamed"
                yield on.found("L412", message, *loc, hint="let it go by {{ old }} alone")
            elif "old" not in states(text):
                yield on.found("L412", "nothing tells what the line is about", *loc, hint="put {{ old }} into it")
    for number, loc, text in _turns(on.thing):
        named = sorted(states(text) & {*NOUNS})
        if named and not on.thing.exchanges[number].asked:
            message = f"{{{{ {named[0]} }}}} asks for what comes up unasked"
            yield on.found("L412", message, *loc, hint="leave it out")


# -- questions --------------------------------------------------------------------------------------------------


def question_variables(on: OnQuestions) -> Iterator[Problem]:
    """L401, L402: questions that are no templates, or use a variable that they do not get."""
    for kind, rival, loc, text in _questions(on.thing):
        may = ("rival",) if rival or kind in RIVALS else _SUBJECTS.get(kind, ())
        yield from unknown_variables(on, [(loc, text)], (*NOUNS, *may), f"a {kind} question")


def pointless_questions(on: OnQuestions) -> Iterator[Problem]:
    """L410: a question that does not say what it is about."""
    for kind, rival, loc, text in _questions(on.thing):
        needed = ("noun", *(("rival",) if rival else _SUBJECTS.get(kind, ())))
        for name in needed:
            if name not in states(text):
                message = f"a {kind} question that does not name {{{{ {name} }}}}"
                yield on.found("L410", message, *loc, hint=f"put {{{{ {name} }}}} into it")


_SUBJECTS: Mapping[ProbeType, tuple[str, ...]] = {
    "premise": ("premise",), "original_premise": ("premise",), "as_of": ("date",)
}  # fmt: skip
"""What a question of the type is about, beside the noun."""


def _questions(questions: Questions) -> Iterator[tuple[ProbeType, bool, Loc, str]]:
    """Every wording with its probe type, whether it names a rival, and its place."""
    for field, asks in (("asks", questions.asks), ("about_rival", questions.about_rival)):
        for kind in asks:
            for loc, text in listed((field, kind), asks[kind]):
                yield kind, field == "about_rival", loc, text


def questions_needed(on: OnQuestions) -> Iterator[Problem]:
    """L409: a probe type that a suite asks and that has no wording."""
    for (kind, rival), name in _asked(on).items():
        lines = (on.thing.about_rival.get(kind) if rival else None) or on.thing.asks.get(kind)
        if not lines:
            field = "about_rival" if rival else "asks"
            hint = f"add {field}.{kind}"
            message = f"{name} asks {kind} probes, and {field} has no wording for them"
            yield on.found("L409", message, field, key=True, hint=hint)


def fields_needed(on: OnQuestions) -> Iterator[Problem]:
    """L411: an answer field of a probe type that a suite asks, without a description."""
    told = on.thing.answer_fields
    missing = {
        field: kind
        for kind, _ in _asked(on)
        for field in FIELDS[kind]
        if field not in told and f"{kind}.{field}" not in told
    }
    for field, kind in missing.items():
        message = f"the answer field {field!r} of {kind} probes has no description"
        yield on.found("L411", message, "answer_fields", key=True, hint=f"add answer_fields.{field}")


def _asked(on: OnQuestions) -> dict[tuple[ProbeType, bool], str]:
    """Probe types that suites of the language ask, each with and without a named value, and one such suite."""
    asked: dict[tuple[ProbeType, bool], str] = {}
    for name, suite in own_suites(on.loaded).items():
        for condition, _ in used_conditions(on.loaded, suite) if suite.language == on.thing.language else ():
            for probe in condition.probes:
                asked.setdefault((probe.type, "." in probe.about), name)
    return asked


# -- scripts ----------------------------------------------------------------------------------------------------


def script_variables(on: On[Script]) -> Iterator[Problem]:
    """L401, L402: lines of a script that are no templates, or use a slot that it has not."""
    lines = [
        pair
        for index, turn in enumerate(on.thing.turns)
        # Under the lint, a turn may have several roles.
        for role in ROLES
        for pair in listed(("turns", index, role), getattr(turn, role))
    ]
    yield from unknown_variables(on, lines, tuple(on.thing.slots), "this script")


def idle_slots(on: On[Script]) -> Iterator[Problem]:
    """L406: a slot that no line uses."""
    used = {name for turn in on.thing.turns for role in ROLES for text in getattr(turn, role) for name in states(text)}
    for slot in on.thing.slots:
        if slot not in used:
            yield on.found(
                "L406", f"no line uses the slot {slot!r}", "slots", slot, key=True, hint="use it, or leave it out"
            )


SURFACE_RULES: Sequence[Rule[Surfaces]] = (
    surface_variables,
    phrases_needed,
    exchanges,
    shapes,
    rider_facets,
    unnamed_lines,
)
QUESTION_RULES: Sequence[Rule[Questions]] = (
    question_variables,
    pointless_questions,
    questions_needed,
    fields_needed,
)
SCRIPT_RULES: Sequence[Rule[Script]] = (script_variables, idle_slots)
