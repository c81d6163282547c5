"""What the turns of a history state about a target: values with who says them and how, and acts without a value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Literal

from suitegen.reading.aim import Aim, belongs, foreign
from suitegen.reading.passages import Passage, Stretch
from suitegen.reading.phrases import phrase_spans
from suitegen.reading.spans import Span, SpanKind, spans
from suitegen.reading.stance import stance
from suitegen.reading.voices import Heard, Teller, hedged, teller

Nearness = Literal[0, 1, 2, 3]
"""Where the attribute was named: nowhere, earlier in the session, elsewhere in the turn, in the sentence."""

_KINDS: tuple[SpanKind, ...] = ("time", "date", "identifier", "weekday", "name", "number")
"""In the order in which they are preferred."""
_ASKED_FOR = 2.0
_NAMED_KIND = 3.0
_PHRASE_WEIGHT = 0.35
_STRANGERS = 1
"""So many words of something else may stand beside a value that is tied to the target by what came before."""


@dataclass(frozen=True, slots=True)
class Claim:
    """A value that a turn states of the target or of another owner's attribute."""

    session: int
    turn: int
    day: str
    span: Span
    text: str
    teller: Teller
    role: str
    other: bool
    """Whether it is of another owner."""
    hedged: bool
    past: bool
    """Whether it is said to hold no longer."""
    denied: bool
    """Whether it is said not to hold."""
    changes: bool
    """Whether its sentence holds a word of change."""
    restores: bool
    near: Nearness
    why: str
    """The rest of the turn, where what set a change off can stand."""


@dataclass(frozen=True, slots=True)
class Act:
    """What a turn does to the target without stating a value that holds."""

    kind: Literal["announce", "reject", "retract", "forget", "restore", "contradict"]
    session: int
    turn: int
    day: str
    teller: Teller
    why: str
    near: Nearness = 3


def value_kind(aim: Aim, heard: Sequence[Heard], wanted: Collection[SpanKind], named: SpanKind | None) -> SpanKind:
    """The kind of value that statements about the attribute hold.

    Sessions are counted in which a statement, in one clause with a word of the target,
    has a value of the kind. What the question's words ask for counts as well.
    """
    counts: Counter[SpanKind] = Counter()
    seen: set[tuple[int, SpanKind]] = set()
    for each in heard:
        for sentence in each.said.sentences:
            if not aim.names(each.said.stems[sentence.first : sentence.last]) or each.said.asks(sentence):
                continue
            kinds = {span.kind for span in usable(aim, each, sentence) if _bound(aim, each.said, span)}
            weight = 1.0 if each.role != "assistant" else 0.5
            for kind in kinds or {"phrase"}:
                if (each.session, kind) not in seen:
                    seen.add((each.session, kind))
                    counts[kind] += weight if kind != "phrase" else weight * _PHRASE_WEIGHT
    for kind in wanted:
        counts[kind] += _ASKED_FOR if counts[kind] else 0
    if named in _KINDS:
        counts[named] += _NAMED_KIND
    best = max(_KINDS, key=lambda kind: (counts[kind], -_KINDS.index(kind)))
    return best if counts[best] > counts["phrase"] else "phrase"


def usable(aim: Aim, heard: Heard, stretch: Stretch) -> list[Span]:
    """The spans of a stretch that can be values of the target."""
    said = heard.said
    found = []
    for span in spans(said.text, said.language):
        if not (stretch.first <= span.first and span.last <= stretch.last) or span.kind == "quoted":
            continue
        span = _trimmed(aim, said, span) if span.kind == "name" else span
        if span.first < span.last and not _is_topic(aim, said, span) and not (span.kind == "name" and _is_person(said, span)):
            found.append(span)
    return found


def claims(aim: Aim, heard: Sequence[Heard], kind: SpanKind) -> list[Claim]:
    """All claims, in the order in which they are said."""
    found: list[Claim] = []
    for each in heard:
        for sentence in each.said.sentences:
            found.extend(_stated(aim, each, sentence, kind))
    return found


def _stated(aim: Aim, heard: Heard, sentence: Stretch, kind: SpanKind) -> list[Claim]:
    near = nearness(aim, heard, sentence)
    if not near or _only_asks(heard.said, sentence):
        return []
    if kind == "phrase":
        options = phrase_spans(aim, heard.said, sentence) if near == 3 else []
    else:
        options = [span for span in usable(aim, heard, sentence) if span.kind == kind]
    made = [_claim(aim, heard, sentence, span, near) for span in options if near == 3 or _tied(aim, heard, sentence, span)]
    plain = [claim for claim in made if not claim.past and not claim.denied]
    best = max(plain, key=lambda claim: _closeness(aim, heard.said, claim.span), default=None)
    return [claim for claim in made if claim.past or claim.denied or claim is best]


def nearness(aim: Aim, heard: Heard, sentence: Stretch) -> Nearness:
    """Where the attribute was named, as seen from a sentence."""
    if aim.names(_stems(heard.said, sentence)):
        return 3
    if aim.names(heard.said.topics):
        return 2
    return 1 if aim.names(heard.before) else 0


def _claim(aim: Aim, heard: Heard, sentence: Stretch, span: Span, near: Nearness) -> Claim:
    said = heard.said
    told = teller(heard, sentence, span.first, aim.topic)
    stands = stance(said, sentence, span)
    return Claim(
        session=heard.session,
        turn=heard.turn,
        day=heard.day,
        span=span,
        text=said.cut(Stretch(span.first, span.last)),
        teller=told,
        role=heard.role,
        other=belongs(aim, heard, sentence, span) == "other",
        hedged=hedged(heard, sentence, span.first, told),
        past=stands in ("past", "was"),
        denied=stands == "denied",
        changes=said.has("change_cues", sentence) or (heard.role == "tool" and said.has("change_cues")),
        restores=said.has("restores"),
        near=near,
        why=rest_of(said, said.clause(span.first)),
    )


def rest_of(said: Passage, without: Stretch | None) -> str:
    """The clauses of a turn but one, where they say something."""
    kept = [
        clause
        for clause in said.clauses
        if clause != without and any(said.wording.topical(word) for word in said.slice(clause))
    ]
    return "; ".join(said.cut(clause) for clause in kept)


def _stems(said: Passage, stretch: Stretch) -> frozenset[str]:
    return said.topics if stretch.last - stretch.first == len(said.words) else frozenset(said.stems[stretch.first : stretch.last])


def _only_asks(said: Passage, sentence: Stretch) -> bool:
    """Whether a sentence is a question that states nothing."""
    if not said.asks(sentence):
        return False
    opening = next(clause for clause in said.clauses if clause.first == sentence.first)
    if said.has("requests", Stretch(opening.first, min(opening.first + 4, opening.last))):
        return False
    last = [clause for clause in said.clauses if sentence.first <= clause.first < sentence.last][-1]
    if last.first > sentence.first and (said.has("tags", last) or _opens_question(said, last)):
        return False
    return _opens_question(said, opening) or last.first == sentence.first


def _opens_question(said: Passage, clause: Stretch) -> bool:
    head = Stretch(clause.first, min(clause.first + 2, clause.last))
    return said.has("questions", head)


def _tied(aim: Aim, heard: Heard, sentence: Stretch, span: Span) -> bool:
    """Whether a value belongs to the target although its sentence does not name the attribute."""
    said = heard.said
    clause = said.clause(span.first)
    strangers = foreign(aim, said, clause, span)
    if len(strangers) > _STRANGERS:
        return False
    words = set(said.slice(clause))
    talk = said.wording.talk
    subject = words & {*talk.selves, *talk.pronouns, *talk.addressees} or aim.owns(said.stems[clause.first : clause.last])
    return bool(subject) or not strangers


def _closeness(aim: Aim, said: Passage, span: Span) -> tuple[int, int, int]:
    """How near a value stands to words of the target: shared clause, then distance."""
    clause = said.clause(span.first)
    shared = len(aim.topic.intersection(said.stems[clause.first : clause.last]))
    spots = [at for at, stem in enumerate(said.stems) if stem in aim.topic]
    distance = min((min(abs(at - span.first), abs(at - span.last + 1)) for at in spots), default=len(said.words))
    return shared, int(span.sure), -distance


def _bound(aim: Aim, said: Passage, span: Span) -> bool:
    clause = said.clause(span.first)
    return bool(aim.topic.intersection(said.stems[clause.first : clause.last]))


def _trimmed(aim: Aim, said: Passage, span: Span) -> Span:
    """A name without a first word that only a sentence's start made look like one."""
    first = span.first
    while first < span.last and said.opens(first) and said.words[first] in aim.lower:
        first += 1
    if first == span.first:
        return span
    return span._replace(first=first, keys=(" ".join(said.words[first : span.last]),), sure=True)


def _is_topic(aim: Aim, said: Passage, span: Span) -> bool:
    return all(stem in aim.topic for stem in said.stems[span.first : span.last])


def _is_person(said: Passage, span: Span) -> bool:
    """Whether a name is only somebody who speaks or is spoken of: my cousin Farah, Tom says, Ana's."""
    talk, table = said.wording.talk, said.wording.table
    before = said.words[max(0, span.first - 2) : span.first]
    if before and before[-1] in {*talk.relatives, *table.kinship_words} and said.gap(span.first - 1) == " ":
        return True
    if said.find("reporters", Stretch(max(0, span.first - 4), span.first)) if span.first else False:
        return True
    after = Stretch(span.last, min(span.last + 6, said.clause(span.last - 1).last))
    if after.first >= after.last:
        return False
    if said.words[span.last] == "s" and said.gap(span.last - 1) in ("'", "’"):
        return True
    return any(True for found in said.find("reports", after))
