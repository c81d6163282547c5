"""What a question asks for: fields, moment, attribute, whose it is, and what value it names."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from suitegen.model.history import Question
from suitegen.reading.passages import Passage, passage
from suitegen.reading.spans import Span, SpanKind, spans

Moment = Literal["current", "previous", "original", "dated"]

_NAMING = frozenset({"source", "status", "applies", "holds"})
"""Fields whose question may name a value."""
_WANTED: tuple[SpanKind, ...] = ("time", "date", "weekday", "name", "number")
_TYPED = ("time", "date", "weekday", "identifier", "quoted", "number")


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, taken apart by its own words alone."""

    fields: tuple[str, ...]
    choices: Mapping[str, tuple[str, ...]]
    """The values that a field may have, where they are listed."""
    moment: Moment
    day: str
    """ISO date of a dated question."""
    attribute: frozenset[str]
    """Stems that say which attribute is meant."""
    owner: frozenset[str]
    """Stems that say whose attribute it is; empty for the user's own."""
    pairs: frozenset[tuple[str, str]]
    """Topical stems that stand side by side: a head with what tells it from others."""
    mine: bool
    """Whether it asks about the user."""
    named: Span | None
    """The value that the question names, where its form shows it."""
    spelled: frozenset[str]
    """Stems of the value that it names."""
    kinds: tuple[SpanKind, ...]
    """Kinds of value that the question's words ask for."""
    runs: tuple[frozenset[str], ...]
    """Stems of each row of topical words, where the question may name a value that has no form."""
    bare: frozenset[str]
    """Stems of the one row that has neither an article nor an owner before it; empty where there is none, or more."""

    of_change: bool
    """Whether it asks about a change."""
    framed: bool
    """Whether its form tells that it names a value: what of X when it comes to Y."""

    @property
    def names_value(self) -> bool:
        """Whether a value is named."""
        return bool(self.spelled)

    @property
    def topic(self) -> frozenset[str]:
        """All stems that say what is meant."""
        return self.attribute | self.owner


def asked(question: Question, language: str, naming: bool = True) -> Asked:
    """The question taken apart.

    Args:
        question: the question.
        language: of the question.
        naming: whether it may name a value.

    Raises:
        ValueError: the answer format is not a JSON Schema of an object with properties.
    """
    fields, choices = _format(question.answer_format)
    return _asked(question.question, fields, choices, language, naming and bool(_NAMING & set(fields)))


def _format(text: str) -> tuple[tuple[str, ...], tuple[tuple[str, tuple[str, ...]], ...]]:
    schema = json.loads(text)
    properties = schema.get("properties") if isinstance(schema, dict) else None
    if not isinstance(properties, dict):
        raise ValueError("the answer format is no JSON Schema of an object with properties")
    listed = ((name, body.get("enum")) for name, body in properties.items() if isinstance(body, dict))
    return tuple(properties), tuple((name, tuple(map(str, values))) for name, values in listed if values)


@lru_cache(maxsize=4096)
def _asked(
    text: str, fields: tuple[str, ...], choices: tuple[tuple[str, tuple[str, ...]], ...], language: str, naming: bool
) -> Asked:
    said = passage(text, language)
    found = spans(text, language)
    day = next((span for span in found if span.kind == "date"), None) if fields == ("value",) else None
    named = _named(said, found) if naming else None
    hidden = {at for span in (named, day) if span for at in range(span.first, span.last)} | _kind_words(said)
    hidden |= {at for found in said.find("present") for at in range(found.first, found.last + 1)}
    spelled = _spelled(said, hidden) if naming and named is None else frozenset()
    topical = [at for at in range(len(said.words)) if at not in hidden | spelled and _says(said, at)]
    topical = [at for at in topical if said.words[at] not in said.wording.light] or topical
    attribute, owner = _whose(said, topical, found, named)
    stems = frozenset(said.stems[at] for at in spelled)
    rows = _rows(said, topical) if naming and not (named or spelled or said.has("changes")) else ()
    return Asked(
        fields=fields,
        choices=dict(choices),
        moment="dated" if day else _moment(said, fields),
        day=day.keys[0] if day else "",
        attribute=attribute,
        owner=owner,
        pairs=_pairs(said, topical),
        mine=any(word in said.wording.talk.selves for at, word in enumerate(said.words) if at not in hidden),
        named=named,
        spelled=frozenset(said.stems[named.first : named.last]) if named else stems - attribute - owner or stems,
        runs=tuple(_stems(said, row) for row in rows),
        bare=_bare(said, rows),
        of_change=said.has("changes"),
        framed=said.has("matters") or (named is not None and said.has("roles")),
        kinds=() if naming else tuple(kind for kind in _WANTED if _asks_for(said, kind)),
    )


def _moment(said: Passage, fields: tuple[str, ...]) -> Moment:
    if fields != ("value",):
        return "current"
    if said.has("asks_original"):
        return "original"
    return "previous" if said.has("asks_previous") else "current"


def _asks_for(said: Passage, kind: SpanKind) -> bool:
    phrases = dict(said.wording.talk.kind_words).get(kind, ())
    joined = f" {' '.join(said.words)} "
    return any(f" {phrase} " in joined for phrase in phrases)


def _says(said: Passage, at: int) -> bool:
    """Whether a word of the question names something rather than frames the question."""
    word = said.words[at]
    if at and word in said.wording.talk.particles and said.gap(at - 1) == "-":
        return True
    if not said.wording.topical(word) or len(word) == 1:
        return False
    if word not in said.wording.frame:
        return True
    return word in said.wording.talk.heads and at > 0 and said.gap(at - 1) == " " and _says(said, at - 1)


def _named(said: Passage, found: tuple[Span, ...]) -> Span | None:
    """The span that a question names as a value: typed, else a name that owns nothing."""
    for kind in _TYPED:
        typed = [span for span in found if span.kind == kind and span.sure]
        if typed and not (kind in ("identifier", "number") and all(_owns(said, span) for span in typed)):
            return next(span for span in typed if kind not in ("identifier", "number") or not _owns(said, span))
    names = [_begun(said, span) for span in found if span.kind == "name" and _is_name(said, span)]
    free = [span for span in names if not _owns(said, span)]
    if free:
        return _headed(said, free[0])
    mine = bool(set(said.words) & {*said.wording.talk.self_subjects, *said.wording.talk.self_owners})
    return names[0] if len(names) == 1 and mine else None


def _headed(said: Passage, span: Span) -> Span:
    """A name with the common noun that it tells from others, as a plain phrase: Word document."""
    at = span.last
    if at >= len(said.words) or said.gap(at - 1) != " " or said.capital(at):
        return span
    if not (_says(said, at) or said.words[at] in said.wording.talk.documents):
        return span
    if said.words[at].endswith(said.wording.talk.verb_ending):
        return span
    return Span("phrase", span.first, at + 1, said.stems[span.first : at + 1])


def _begun(said: Passage, span: Span) -> Span:
    """A name without the verb that opens the question: Take Ines Duarte."""
    opening = said.opens(span.first) and span.last - span.first > 1 and said.words[span.first] in said.wording.light
    if not opening:
        return span
    return span._replace(first=span.first + 1, keys=(" ".join(said.words[span.first + 1 : span.last]),))


def _is_name(said: Passage, span: Span) -> bool:
    return span.sure or (span.last - span.first > 1 and said.words[span.first] not in said.wording.frame)


def _owns(said: Passage, span: Span) -> bool:
    """Whether a name stands where the owner of an attribute does: of X, for X, X's, project X."""
    if (
        span.last < len(said.words)
        and said.words[span.last] == said.wording.talk.possessive
        and said.gap(span.last - 1).strip() in ("'", "’")
    ):
        return True
    if not span.first:
        return False
    before, talk = said.words[max(0, span.first - 2) : span.first], said.wording.talk
    owner = span.kind == "name" and before[-1] in talk.owners and before[0] not in talk.selves
    light = said.words[span.first - 1] in said.wording.light
    return owner or (_says(said, span.first - 1) and not light and said.gap(span.first - 1) == " ")


def _spelled(said: Passage, hidden: set[int]) -> frozenset[int]:
    """Words of a named value without a form of its own: before 'as', after 'tell me of', or first in no question."""
    for found in said.find("roles"):
        sentence = said.sentence(found.first)
        before = frozenset(at for at in range(sentence.first, found.first) if at not in hidden and _says(said, at))
        if before:
            return before
    for at in range(1, len(said.words) - 1):
        if said.words[at] in said.wording.talk.owners and said.words[at - 1] in said.wording.talk.selves:
            return _run(said, at + 1, 1, frozenset(spot for spot in range(len(said.words)) if _says(said, spot)))
    opening = said.sentences[0]
    first = next((at for at in range(opening.first, opening.last) if _says(said, at)), None)
    if first is None or said.asks(opening) or said.words[opening.first] in said.wording.talk.questions:
        return frozenset()
    return _run(said, first, 1, frozenset(at for at in range(opening.first, opening.last) if _says(said, at)))


def _kind_words(said: Passage) -> set[int]:
    """Words that only ask for a kind of value: how long."""
    listed = (phrase for _, phrases in said.wording.talk.kind_words for phrase in phrases)
    phrases = [tuple(phrase.split()) for phrase in listed if " " in phrase]
    spots = ((at, phrase) for phrase in phrases for at in range(len(said.words)))
    return {
        at + step for at, phrase in spots if said.words[at : at + len(phrase)] == phrase for step in range(len(phrase))
    }


def _whose(
    said: Passage, topical: list[int], found: tuple[Span, ...], named: Span | None
) -> tuple[frozenset[str], frozenset[str]]:
    """The attribute's stems and its owner's, in what the question is about."""
    owners = _owner_phrases(said, frozenset(topical))[-1:]
    names = [span for span in found if span.kind == "name" and span != named and span.sure]
    for span in names:
        before = span.first - 1
        close = before in topical and said.gap(before) == " "
        owners.append(frozenset(range(before if close else span.first, span.last)) & frozenset(topical))
    owned = frozenset().union(*owners)
    if not set(topical) - owned:
        owned = frozenset(at for span in names for at in range(span.first, span.last))
    attribute = frozenset(said.stems[at] for at in topical if at not in owned) or frozenset(
        said.stems[at] for at in topical
    )
    return attribute, frozenset(said.stems[at] for at in owned) - attribute


def _owner_phrases(said: Passage, topical: frozenset[int]) -> list[frozenset[int]]:
    """Words of each phrase that follows 'of' or stands before a possessive s."""
    phrases = []
    barred = {*said.wording.talk.selves, *said.wording.talk.questions}
    for at, word in enumerate(said.words):
        if word in said.wording.talk.owners and (not at or said.words[at - 1] not in said.wording.talk.selves):
            skipped = [step for step in range(at + 1, min(at + 3, len(said.words))) if step not in topical]
            start = at + 1 + len(skipped) if skipped == list(range(at + 1, at + 1 + len(skipped))) else at + 1
            if start in topical and not barred.intersection(said.words[step] for step in range(at + 1, start)):
                phrases.append(_run(said, start, 1, topical) | _modifier(said, at, start))
        elif word == said.wording.talk.possessive and at - 1 in topical and said.gap(at - 1) in ("'", "’"):
            phrases.append(_run(said, at - 1, -1, topical))
    return phrases


def _modifier(said: Passage, owner: int, start: int) -> frozenset[int]:
    """A word of questions that is part of a name: report in report exporter."""
    before = start - 1
    part = before > owner and said.wording.topical(said.words[before]) and said.gap(before) == " "
    return frozenset({before}) if part else frozenset()


def _run(said: Passage, at: int, step: int, topical: frozenset[int]) -> frozenset[int]:
    run = set()
    while at in topical:
        run.add(at)
        joint = at if step > 0 else at - 1
        if not 0 <= joint < len(said.words) or said.gap(joint).strip(" -") or not 0 <= at + step < len(said.words):
            break
        at += step
    return frozenset(run)


def _rows(said: Passage, topical: list[int]) -> tuple[frozenset[int], ...]:
    known = frozenset(topical)
    starts = [at for at in topical if at - 1 not in known or said.gap(at - 1).strip(" -")]
    return tuple(_run(said, at, 1, known) for at in starts)


def _stems(said: Passage, spots: frozenset[int]) -> frozenset[str]:
    return frozenset(said.stems[at] for at in spots)


def _bare(said: Passage, rows: tuple[frozenset[int], ...]) -> frozenset[str]:
    """An attribute is named with its article or its owner; what stands without is the value."""
    talk = said.wording.talk
    leads = {*talk.determiners, *talk.self_owners, *talk.owners}
    free = [row for row in rows if min(row) == 0 or said.words[min(row) - 1] not in leads]
    return _stems(said, free[0]) if len(free) == 1 < len(rows) else frozenset()


def _pairs(said: Passage, topical: list[int]) -> frozenset[tuple[str, str]]:
    known = set(topical)
    near = (at for at in topical if at + 1 in known and said.gap(at) in (" ", "-"))
    return frozenset((said.stems[at], said.stems[at + 1]) for at in near)
