"""Guesses from the whole history: what kind of value an attribute has, and by what other words people speak of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache

from suitegen.reading.aim import Aim
from suitegen.reading.candidates import beside, bound, nearness, tied, usable
from suitegen.reading.claims import Claim
from suitegen.reading.passages import Passage, Stretch
from suitegen.reading.phrases import stated_plainly
from suitegen.reading.sentences import only_asks, told
from suitegen.reading.spans import Span, SpanKind, spans
from suitegen.reading.voices import Heard

_KINDS: tuple[SpanKind, ...] = ("time", "date", "identifier", "weekday", "name", "number")
"""In the order in which they are preferred."""
_DOUBTFUL: tuple[SpanKind, ...] = ("identifier", "name")
"""Kinds that count for something even where their form proves little."""
_ASKED_FOR = 2.0
_NAMED_KIND = 3.0
_PHRASE_WEIGHT = 0.8
_CONTEXT = 0.5
_LOOSE = 0.85
"""What a value counts that stands in another clause than the attribute."""
_MIXED = 2.0
"""Where the values are partly names and partly plain words, phrases find both."""
_FEW = 1.5
"""With fewer statements of a form than this, plain phrases tied to the target count for more."""
_SHORT = 2


def value_kind(aim: Aim, heard: Sequence[Heard], wanted: Collection[SpanKind], named: SpanKind | None) -> SpanKind:
    """The kind of value that statements about the attribute hold.

    Sessions are counted in which a statement, in one clause with a word of the target,
    has a value of the kind. What the question's words ask for counts as well.

    Args:
        aim: what is asked about.
        heard: turns that can speak of it.
        wanted: kinds that the question's words ask for.
        named: the kind of the value that the question names, if it names one.
    """
    best: dict[tuple[int, SpanKind], float] = {}
    for each in heard:
        for kind, weight in _weights(aim, each):
            best[each.session, kind] = max(best.get((each.session, kind), 0.0), weight)
    counts = {kind: sum(weight for (_, of), weight in best.items() if of == kind) for kind in (*_KINDS, "phrase")}
    for kind in wanted:
        counts[kind] += _ASKED_FOR if counts[kind] else 0
    if named in _KINDS:
        counts[named] += _NAMED_KIND
    return _likeliest(counts)


def _likeliest(counts: Mapping[SpanKind, float]) -> SpanKind:
    likeliest = max(_KINDS, key=lambda kind: (counts[kind], -_KINDS.index(kind)))
    weighed = counts["phrase"] * (_MIXED if likeliest == "name" else 1.0)
    few = _FEW if likeliest == "name" else 0.0
    plain = counts["phrase"] and counts[likeliest] < max(few, weighed)
    return "phrase" if plain or not counts[likeliest] else likeliest


@lru_cache(maxsize=16384)
def _weights(aim: Aim, heard: Heard) -> tuple[tuple[SpanKind, float], ...]:
    """How much the sentences of a turn speak for each kind of value."""
    return tuple(_weighed(aim, heard))


def _weighed(aim: Aim, heard: Heard) -> Iterator[tuple[SpanKind, float]]:
    said = heard.said
    if not aim.names(said.topics) and not spans(said.text, said.language):
        return
    weight = _CONTEXT if heard.role == "assistant" else 1.0
    for sentence in said.sentences:
        near = nearness(aim, heard, sentence)
        if not near or only_asks(said, sentence):
            continue
        found = usable(aim, heard, sentence)
        sure = [span for span in found if span.sure]
        if near < 3:
            loose = (span for span in sure if span.kind != "number" and tied(aim, heard, sentence, span))
            yield from ((span.kind, weight * _CONTEXT) for span in loose)
            continue
        kinds = {span.kind for span in sure if bound(aim, said, span)}
        close = {span.kind for span in sure if span.kind in kinds and beside(aim, said, span)}
        for kind in _KINDS:
            if kind in kinds:
                common = kind == "number" and not aim.owner and not _with_unit(sure)
                yield kind, weight * (1.0 if kind in close else _LOOSE) * (_CONTEXT if common else 1.0)
        if not kinds:
            loose_kinds = {span.kind for span in found if span.kind in _DOUBTFUL and bound(aim, said, span)}
            yield from ((kind, weight * _CONTEXT) for kind in _DOUBTFUL if kind in loose_kinds)
        if not kinds and stated_plainly(aim, heard, sentence):
            owned = not aim.owner or aim.owns(said.stems[sentence.first : sentence.last])
            yield "phrase", weight * (_PHRASE_WEIGHT if owned else _PHRASE_WEIGHT * _CONTEXT)


def _with_unit(found: Sequence[Span]) -> bool:
    """Whether a number has a unit, which says more than the number alone: 5 mg."""
    return any(span.kind == "number" and " " in span.keys[0] for span in found)


def aliases(aim: Aim, heard: Sequence[Heard], stated: Sequence[Claim]) -> frozenset[str]:
    """Stems by which the user speaks of the attribute without naming it.

    They stand beside a value of the target in a clause of the user's own that does not
    name the attribute: the value is known from other statements, or the assistant's reply
    repeats it with the attribute's name.
    """
    own = [claim for claim in stated if claim.teller == "user" and not claim.other and not claim.hedged]
    known = [claim for claim in own if claim.near == 3]
    values = {claim.stems for claim in known}
    found: set[str] = set()
    for each in heard:
        said = each.said
        if each.role != "user" or not any(value <= said.topics for value in values):
            continue
        for clause in said.clauses:
            stems = set(said.stems[clause.first : clause.last])
            mine = set(said.wording.talk.self_subjects).intersection(said.slice(clause))
            if mine and not aim.names(stems) and any(value <= stems for value in values):
                found |= _beside(aim, said, clause, {stem for value in values for stem in value})
    return frozenset(found)


def _beside(aim: Aim, said: Passage, clause: Stretch, values: Collection[str]) -> set[str]:
    """The few telling stems of a clause beside a known value; none where it tells of more."""
    wording, part = said.wording, told(said, clause, clause.last)
    spots = [at for at in range(part.first, part.last) if at not in said.people]
    spots = [at for at in spots if wording.topical(said.words[at]) and said.words[at] not in wording.frame]
    telling = [at for at in spots if said.stems[at] not in values and said.stems[at] not in aim.topic]
    heavy = [at for at in telling if said.words[at] not in wording.light]
    if len(heavy) > _SHORT or len(telling) > _SHORT + 1:
        return set()
    return {said.stems[at] for at in heavy or telling}
