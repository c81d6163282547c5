"""Rules on fact types: values that can be told apart, changes that can be matched, phrasings that are complete."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from suitegen.errors import SuitegenError
from suitegen.library.kinds import FACT_TYPE
from suitegen.library.nearest import did_you_mean
from suitegen.library.problem import Problem
from suitegen.library.rules.base import On, Rule, Texts, listed, states, twice, unknown_variables
from suitegen.library.yaml import Loc
from suitegen.model.fact_type import FactType, Phrasings
from suitegen.model.words import Severity, ValueKind
from suitegen.values.kinds import denotations, read
from suitegen.values.normal import fold
from suitegen.values.tables import table
from suitegen.values.tokens import contains_phrase, index_phrases, occurrences, words
from suitegen.values.vocabulary import CUED_KINDS, Vocabulary

OnFact: TypeAlias = On[FactType]

FEW, TOO_FEW = 6, 4
"""Values below which a suite can hardly be balanced, and below which it cannot be drawn."""
PARSED: frozenset[ValueKind] = frozenset({"time", "date", "number", "quantity"})
"""Kinds whose values are read, and so can be misread."""
ORDERED = PARSED
"""Kinds of which a change can go up or down."""
CLAUSE = ("value", "old", "subject", "trigger", "reason", "date")
"""Variables that a clause gets."""
RECORDS = frozenset({"tool", "document"})
"""Voices whose clauses are lines of a record, with the looks of one."""
SUBJECT = ("subject",)

_FIELDS: Mapping[str, str] = {"remember": "value", "update": "value", "weigh": "value", "was": "old"}
"""The variable without which a clause says nothing."""
_PARTS = ("open", "reply", "follow", "answer")
_SUBJECT = re.compile(r"\{\{.*?\}\}")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def languages(on: OnFact) -> Iterator[Problem]:
    """L119: a language whose words are not known."""
    try:
        table(on.thing.language)
    except SuitegenError as error:
        yield on.found("L119", error.message, "language", hint=error.hint)


# -- values -----------------------------------------------------------------------------------------------------


def _spellings(fact: FactType) -> Iterator[tuple[int, Loc, str]]:
    """Every spelling with the number of its value and its place."""
    for index, value in enumerate(fact.values):
        yield index, ("values", index, "value"), value.value
        for loc, alias in listed(("values", index, "aliases"), value.aliases):
            yield index, loc, alias


def same_values(on: OnFact) -> Iterator[Problem]:
    """L101: two values, or spellings of two values, that mean the same by their kind."""
    fact = on.thing
    meant: dict[str, tuple[int, str]] = {}
    first: dict[str, tuple[int, str]] = {}
    for index, loc, text in _spellings(fact):
        keys = denotations(fact.kind, text, fact.language)
        # As in values.kinds.same: the likeliest reading of one is among the readings of the other.
        clashes = [first[key] for key in keys if key in first] + ([meant[keys[0]]] if keys[0] in meant else [])
        other = next(((i, t) for i, t in clashes if i != index), None)
        if other is not None:
            message = f"{text!r} means the same as {other[1]!r}, which is another value"
            yield on.found("L101", message, *loc, hint="keep one, or make it an alias")
        first.setdefault(keys[0], (index, text))
        for key in keys:
            meant.setdefault(key, (index, text))


def contained_values(on: OnFact) -> Iterator[Problem]:
    """L102: a spelling of one value stands, word for word, inside a spelling of another."""
    fact = on.thing
    spellings = [(index, loc, text, words(text)) for index, loc, text in _spellings(fact)]
    known: dict[tuple[str, ...], list[int]] = {}
    for number, spelling in enumerate(spellings):
        known.setdefault(spelling[-1], []).append(number)
    lengths = sorted({len(parts) for parts in known} - {0})
    for index, loc, text, parts in spellings:
        spans = (parts[at : at + n] for n in lengths if n < len(parts) for at in range(len(parts) - n + 1))
        for number in sorted({number for span in spans for number in known.get(span, ())}):
            other, _, shorter, _ = spellings[number]
            if other != index and not _both_read(fact, text, shorter):
                message = f"{text!r} holds {shorter!r}, which is another value"
                yield on.found("L102", message, *loc, hint="write values that share no whole spelling")
                break


def _both_read(fact: FactType, *texts: str) -> bool:
    """Whether both are read by their kind, and so are compared by what they mean and not by their words."""
    return all(read(fact.kind, text, fact.language) for text in texts)


def few_values(on: OnFact) -> Iterator[Problem]:
    """L103: too few values to draw roles from and to keep some spare for fillers."""
    count = len(on.thing.values)
    if count < FEW:
        severity: Severity = "error" if count < TOO_FEW else "warning"
        hint = f"write at least {FEW}: roles are drawn, and fillers need values that have no role"
        yield on.found("L103", f"there are only {count} values", "values", key=True, hint=hint, severity=severity)


def unread_values(on: OnFact) -> Iterator[Problem]:
    """L104: a value that is none of its kind."""
    fact = on.thing
    for index, value in enumerate(fact.values):
        if fact.kind in PARSED and not read(fact.kind, value.value, fact.language):
            hint = "write it as one, or take kind choice, name or text"
            yield on.found("L104", f"{value.value!r} is not a {fact.kind}", "values", index, "value", hint=hint)


def missing_cues(on: OnFact) -> Iterator[Problem]:
    """L105: values of a common kind without words by which the attribute is recognised."""
    fact = on.thing
    if fact.kind in CUED_KINDS and not fact.cues:
        hint = "add cues: words that stand near the value when this attribute is meant"
        yield on.found("L105", f"a fact type of kind {fact.kind} needs cues", "kind", hint=hint)


# -- changes ----------------------------------------------------------------------------------------------------


def idle_keys(on: OnFact) -> Iterator[Problem]:
    """L106: a key that occurs neither in the trigger nor in the reason."""
    for index, change in enumerate(on.thing.changes):
        for loc, key in listed(("changes", index, "keys"), change.keys):
            if not any(contains_phrase(text, (key,)) for text in (change.trigger, change.reason)):
                hint = "take words that stand there, one after the other"
                yield on.found("L106", f"the key {key!r} stands in neither trigger nor reason", *loc, hint=hint)


def keyless_parts(on: OnFact) -> Iterator[Problem]:
    """L107: a trigger or a reason that no key occurs in."""
    for index, change in enumerate(on.thing.changes):
        for part, text in (("trigger", change.trigger), ("reason", change.reason)):
            if contains_phrase(text, change.keys) is None:
                hint = f"add a short phrase of the {part} to keys"
                yield on.found("L107", f"no key stands in the {part}", "changes", index, part, hint=hint)


def shared_keys(on: OnFact) -> Iterator[Problem]:
    """L108: a key by which an answer could be matched to two changes."""
    changes = on.thing.changes
    for index, change in enumerate(changes):
        for loc, key in listed(("changes", index, "keys"), change.keys):
            for other in (c for c in changes if c is not change):
                if any(contains_phrase(text, (key,)) for text in (other.trigger, other.reason, *other.keys)):
                    message = f"the key {key!r} also fits the change {other.id!r}"
                    yield on.found("L108", message, *loc, hint="take a phrase that only this change has")
                    break


def directions(on: OnFact) -> Iterator[Problem]:
    """L109: a change that goes up or down, of values that have no order."""
    fact = on.thing
    for index, change in enumerate(fact.changes):
        if change.direction and fact.kind not in ORDERED:
            message = f"values of kind {fact.kind} do not go {change.direction}"
            yield on.found("L109", message, "changes", index, "direction", hint="leave direction out")


def telling_changes(on: OnFact) -> Iterator[Problem]:
    """L110: a trigger or reason that states a value, and so says more than the event does."""
    vocabulary = _vocabulary(on.thing)
    for index, change in enumerate(on.thing.changes):
        for part, text in (("trigger", change.trigger), ("reason", change.reason)):
            for mention in vocabulary.mentions(text)[:1]:
                message = f"the {part} states the value {mention.value!r}"
                yield on.found(
                    "L110", message, "changes", index, part, hint="say it without any value of the attribute"
                )


# -- scenes and phrasings ---------------------------------------------------------------------------------------


def telling_contexts(on: OnFact) -> Iterator[Problem]:
    """L111: a turn of a context that states a value."""
    vocabulary = _vocabulary(on.thing)
    for loc, text in (*_context_lines(on.thing), *listed(("surroundings",), on.thing.surroundings)):
        for mention in vocabulary.mentions(_SUBJECT.sub(" ", text))[:1]:
            message = f"this turn states the value {mention.value!r}; a context must fit every value"
            yield on.found("L111", message, *loc, hint="say it without any value of the attribute")


def valueless_clauses(on: OnFact) -> Iterator[Problem]:
    """L112: a clause without the variable that it is there to state."""
    for field, loc, text in _clauses(on.thing):
        needed = _FIELDS[field]
        if needed not in states(text):
            yield on.found(
                "L112", f"this clause does not state {{{{ {needed} }}}}", *loc, hint=f"put {{{{ {needed} }}}} into it"
            )


def shape_of_clauses(on: OnFact) -> Iterator[Problem]:
    """L113: a clause written as a sentence, with a capital or a full stop of its own."""
    starters = _starters(on.thing.language)
    for loc, text in _spoken(on.thing):
        first = _WORD.match(text)
        if text.rstrip()[-1:] in ".!?…":
            hint = "leave the mark out; clauses are put into sentences"
            yield on.found("L113", "a clause ends without a full stop", *loc, hint=hint)
        elif first and first[0][0].isupper() and fold(first[0]) in starters and not _always_capital(first[0]):
            hint = f"write {first[0].lower()!r}; clauses are put into sentences"
            yield on.found("L113", "a clause starts without a capital", *loc, hint=hint)


def changed_clauses(on: OnFact) -> Iterator[Problem]:
    """L120: a clause that is to state what holds, or what surrounds it, and says that something changed."""
    fact = on.thing
    named = "\n".join((fact.attribute, fact.noun, *fact.cues, *(value.value for value in fact.values)))
    cues = [cue for cue in table(fact.language).change_cues if not contains_phrase(named, (cue,))]
    plain = [(loc, text) for field, loc, text in _clauses(fact) if field == "remember"]
    for loc, text in (*plain, *listed(("surroundings",), fact.surroundings)):
        cue = contains_phrase(_SUBJECT.sub(" ", text), cues)
        if cue:
            hint = "say it as if it always held; what is new stands under update"
            yield on.found("L120", f"{cue!r} says that something changed", *loc, hint=hint)


def missing_voices(on: OnFact) -> Iterator[Problem]:
    """L114: a voice that the fact type cannot do without has no clause for the value."""
    fact = on.thing
    needed = ("user", "assistant", "other") if fact.subject.is_self else ("user",)
    for voice in needed:
        if not fact.phrasings.get(voice, Phrasings()).remember:  # type: ignore[call-overload]
            loc = ("phrasings", voice) if voice in fact.phrasings else ("phrasings",)
            hint = f"add phrasings.{voice}.remember: {_VOICES[voice]}"
            yield on.found("L114", f"the {voice} has no clause that states the value", *loc, key=True, hint=hint)


_VOICES = {
    "user": "clauses in which the user states {{ value }}",
    "assistant": "clauses in which the assistant tells the user {{ value }}",
    "other": "clauses that state {{ value }} of another person, {{ subject }}",
}


def subjects(on: OnFact) -> Iterator[Problem]:
    """L115: a subject that lacks what talking about it needs."""
    fact = on.thing
    if fact.subject.pool and fact.subject.others:
        message = "others are for attributes of the user; with a pool, the other entities come from the pool"
        yield on.found("L115", message, "subject", "others", key=True, hint="leave others out")
    if fact.subject.is_self and not fact.subject.others:
        hint = "add others: people around the user who have a value of their own"
        yield on.found("L115", "the subject has neither pool nor others", "subject", key=True, hint=hint)
    if fact.subject.is_self and fact.noun_you is None:
        hint = "add noun_you: the noun as the assistant says it to the user"
        yield on.found("L115", "noun_you is missing, so the assistant would speak as the user", "noun", hint=hint)


def like_entities(on: OnFact) -> Iterator[Problem]:
    """L116: two entities of which one cannot be told from the other."""
    subject = on.thing.subject
    for field, names in (("pool", subject.pool), ("others", subject.others)):
        phrases = index_phrases(names)
        for loc, name in listed(("subject", field), names):
            inside = [names[number] for number, _, _ in occurrences(words(name), phrases) if number != loc[-1]]
            if inside:
                message = f"{name!r} holds {inside[0]!r}, which is another entity"
                yield on.found("L116", message, *loc, hint="take names that share no whole name")


def same_ids(on: OnFact) -> Iterator[Problem]:
    """L117: an id that two changes, contexts or confusables have."""
    fact = on.thing
    for field, ids in (
        ("changes", [c.id for c in fact.changes]),
        ("contexts", [c.id for c in fact.contexts]),
        ("confusables", [c.id for c in fact.confusables]),
    ):
        for index, _, name in twice(ids):
            yield on.found(
                "L117", f"the id {name!r} stands twice in {field}", field, index, "id", hint="rename one of them"
            )


def dependencies(on: OnFact) -> Iterator[Problem]:
    """L118: a dependency on a fact type that there is not, or on itself."""
    fact, known = on.thing, on.loaded.catalog.fact_types
    for loc, name in listed(("depends_on",), fact.depends_on):
        if name == fact.id:
            yield on.found("L118", "a fact type cannot depend on itself", *loc, hint="leave it out")
        elif not on.loaded.knows(FACT_TYPE, name):
            yield on.found("L118", f"there is no fact type {name!r}", *loc, hint=did_you_mean(name, known))


# -- templates --------------------------------------------------------------------------------------------------


def variables(on: OnFact) -> Iterator[Problem]:
    """L401, L402: lines that are no templates, or use a variable that they do not get."""
    fact = on.thing
    nouns = [(("noun",), fact.noun), (("noun_you",), fact.noun_you), (("noun_other",), fact.noun_other)]
    nouns += [(("confusables", i, "noun"), c.noun) for i, c in enumerate(fact.confusables)]  # type: ignore[misc]
    yield from unknown_variables(on, [(loc, text) for loc, text in nouns if text], SUBJECT, "a noun")
    yield from unknown_variables(on, _context_lines(fact), SUBJECT, "a context")
    yield from unknown_variables(on, list(listed(("surroundings",), fact.surroundings)), SUBJECT, "a surrounding")
    yield from unknown_variables(on, [(loc, text) for _, loc, text in _clauses(fact)], CLAUSE, "a clause")


def marks_in_values(on: OnFact) -> Iterator[Problem]:
    """L404: template marks in a text that is no template, and stays as it is."""
    fact = on.thing
    texts: list[tuple[Loc, str]] = [(loc, text) for _, loc, text in _spellings(fact)]
    for index, change in enumerate(fact.changes):
        texts += [(("changes", index, part), getattr(change, part)) for part in ("trigger", "reason")]
    for loc, text in texts:
        if "{{" in text or "{%" in text:
            hint = "if that is meant, silence this warning with a comment"
            yield on.found("L404", "this text is no template: '{{' and '{%' stay as they are", *loc, hint=hint)


# -- what the rules share ---------------------------------------------------------------------------------------


def _vocabulary(fact: FactType) -> Vocabulary:
    return Vocabulary(fact.kind, tuple((v.value, *v.aliases) for v in fact.values), fact.cues, fact.language)


def _context_lines(fact: FactType) -> Iterator[tuple[Loc, str]]:
    for index, context in enumerate(fact.contexts):
        for part in _PARTS:
            yield from listed(("contexts", index, part), getattr(context, part))


def _clauses(fact: FactType) -> Iterator[tuple[str, Loc, str]]:
    """Every clause with the field it stands in and its place."""
    for voice in fact.phrasings:
        for field in _FIELDS:
            for loc, text in listed(("phrasings", voice, field), getattr(fact.phrasings[voice], field)):
                yield field, loc, text
    for index, confusable in enumerate(fact.confusables):
        for loc, text in listed(("confusables", index, "says"), confusable.says):
            yield "remember", loc, text


def _spoken(fact: FactType) -> Texts:
    """Clauses that people say."""
    yield from ((loc, text) for _, loc, text in _clauses(fact) if loc[1] not in RECORDS)
    for index, change in enumerate(fact.changes):
        yield ("changes", index, "trigger"), change.trigger
        yield ("changes", index, "reason"), change.reason
    yield from listed(("surroundings",), fact.surroundings)


def _starters(language: str) -> frozenset[str]:
    """Words that have no capital inside a sentence."""
    return frozenset(table(language).function_words)


def _always_capital(word: str) -> bool:
    """Whether a word is a single capital, as English I, alone or before an apostrophe."""
    return len(re.split("['’]", word)[0]) == 1


READING: Sequence[Rule[FactType]] = (
    same_values,
    contained_values,
    unread_values,
    telling_changes,
    telling_contexts,
    shape_of_clauses,
    changed_clauses,
)
"""Rules that need to know the words of the fact type's language."""
OTHERS: Sequence[Rule[FactType]] = (
    languages,
    few_values,
    missing_cues,
    idle_keys,
    keyless_parts,
    shared_keys,
    directions,
    valueless_clauses,
    missing_voices,
    subjects,
    like_entities,
    same_ids,
    dependencies,
    variables,
    marks_in_values,
)


def rules(fact: FactType) -> Sequence[Rule[FactType]]:
    """The rules that can be asked of a fact type."""
    return (*OTHERS, *READING) if knows(fact.language) else OTHERS


def knows(language: str) -> bool:
    """Whether there is a word table for a language."""
    try:
        table(language)
    except SuitegenError:
        return False
    return True
