"""Values that end: the user says of a value that is known to be the target's that it holds no longer.

Such a sentence names neither the attribute nor its owner: what it speaks of is known from the
value alone. So it counts only where nothing in it points elsewhere, and where no other owner is
known to have the same value; whether the value is the one that holds, the replay tells.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from suitegen.reading.aim import Aim, foreign
from suitegen.reading.candidates import nearness
from suitegen.reading.claims import Act, Claim
from suitegen.reading.passages import Passage, Stretch
from suitegen.reading.sentences import only_asks, rest_of
from suitegen.reading.spans import Span, SpanKind, same_value, spans
from suitegen.reading.voices import Heard, hedged, teller


def expiries(aim: Aim, heard: Sequence[Heard], stated: Sequence[Claim], kind: SpanKind) -> list[Act]:
    """The acts by which values that were stated of the target end, at most one for each turn.

    Args:
        aim: what is asked about.
        heard: all turns of the history.
        stated: the claims found in them.
        kind: the kind of the target's values.
    """
    found = (next(_ends(aim, each, stated, kind), None) for each in heard)
    return [act for act in found if act is not None]


def without_ended(stated: Sequence[Claim], ended: Sequence[Act], kind: SpanKind) -> list[Claim]:
    """The claims but those that are no more than the mention of a value which ends in the same turn."""
    spans_ = {act.place: act.ends for act in ended}

    def ends(claim: Claim) -> bool:
        span = spans_.get(claim.place)
        return span is not None and same_value(kind, span.keys, claim.span.keys)

    return [claim for claim in stated if not ends(claim)]


def _ends(aim: Aim, heard: Heard, stated: Sequence[Claim], kind: SpanKind) -> Iterator[Act]:
    """The acts of a turn, a sentence at a time."""
    said = heard.said
    if heard.role != "user" or not said.has("expiries"):
        return
    known = _known(stated, heard, kind)
    for number, sentence in enumerate(said.sentences if known else ()):
        if only_asks(said, sentence) or _is_told_of(aim, heard, sentence):
            continue
        cued = [said.clause(found.first) for found in said.find("expiries", _with_next(said, number))]
        for span in _mentions(said, sentence, known, kind) if cued else ():
            told = teller(heard, sentence, span.first, aim.topic)
            alone = any(_is_alone(aim, said, span, clause) for clause in cued)
            if alone and told == "user" and not hedged(heard, sentence, span.first, told):
                why = rest_of(said, None)
                yield Act("announce", heard.session, heard.turn, heard.day, told, why, 3, ends=span)


def _is_told_of(aim: Aim, heard: Heard, sentence: Stretch) -> bool:
    """Whether a sentence names the target in full, so that it needs no value to be about it."""
    whole = aim.attribute | aim.owner <= set(heard.said.stems[sentence.first : sentence.last])
    return whole and nearness(aim, heard, sentence) == 3


def _known(stated: Sequence[Claim], heard: Heard, kind: SpanKind) -> list[Claim]:
    """The claims of the target's own values, but for values that somebody else has as well."""
    apart = [claim for claim in stated if claim.place != (heard.session, heard.turn)]
    others = [claim for claim in apart if claim.other and not claim.asks]
    own = [claim for claim in apart if not (claim.other or claim.asks or claim.denied)]
    return [claim for claim in own if not any(same_value(kind, claim.span.keys, other.span.keys) for other in others)]


def _with_next(said: Passage, number: int) -> Stretch:
    """A sentence, with the next one where that takes it up by a pronoun: I told you A. That no longer holds."""
    sentence = said.sentences[number]
    following = said.sentences[number + 1] if number + 1 < len(said.sentences) else None
    if following is not None and said.words[following.first] in said.wording.talk.pronouns:
        return Stretch(sentence.first, said.clause(following.first).last)
    return sentence


def _mentions(said: Passage, sentence: Stretch, known: Sequence[Claim], kind: SpanKind) -> Iterator[Span]:
    """Where known values stand in a sentence."""
    if kind != "phrase":
        for span in spans(said.text, said.language):
            if span.kind == kind and sentence.first <= span.first and span.last <= sentence.last:
                yield from [span for claim in known if same_value(kind, span.keys, claim.span.keys)][:1]
        return
    values = [frozenset(filter(said.wording.topical, claim.stems)) for claim in known]
    for value in dict.fromkeys(value for value in values if value):
        for first in range(sentence.first, sentence.last - len(value) + 1):
            if set(said.stems[first : first + len(value)]) == value:
                yield Span("phrase", first, first + len(value), said.stems[first : first + len(value)])


def _is_alone(aim: Aim, said: Passage, span: Span, cued: Stretch) -> bool:
    """Whether the clauses of a value and of what says that it ends speak of nothing else."""
    cues = [found for name in ("expiries", "reports", "present") for found in said.find(name)]
    spoken = {at for found in cues for at in range(found.first, found.last + 1)}
    for clause in (said.clause(span.first), cued):
        if said.people.intersection(range(clause.first, clause.last)):
            return False
        if any(at not in spoken for at in foreign(aim, said, clause, span)):
            return False
    return True
