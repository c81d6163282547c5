"""What the turns of a history state about a target: values with who says them and how, and acts without a value."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from suitegen.reading.aim import Aim, belongs, foreign
from suitegen.reading.passages import Passage, Stretch
from suitegen.reading.phrases import phrase_spans, stated_plainly
from suitegen.reading.spans import Span, SpanKind, same_value, spans
from suitegen.reading.stance import stance
from suitegen.reading.voices import Heard, Teller, hedged, teller

Nearness = Literal[0, 1, 2, 3]
"""Where the attribute was named: nowhere, earlier in the session, elsewhere in the turn, in the sentence."""

_KEY = re.compile(r"[\"']?\s*[:=]")
"""What follows the key of a record."""
_KINDS: tuple[SpanKind, ...] = ("time", "date", "identifier", "weekday", "name", "number")
"""In the order in which they are preferred."""
_ASKED_FOR = 2.0
_NAMED_KIND = 3.0
_PHRASE_WEIGHT = 0.8
_CONTEXT = 0.5
_CLOSE = 2
_MIXED = 2.0
"""Where the values are partly names and partly plain words, phrases find both."""
_SHORT = 2
_FEW = 1.5
"""With fewer statements of a form than this, plain phrases tied to the target count for more."""
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
    stems: frozenset[str]
    """Stems of the value's own words."""
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
    compact: bool = False
    """Whether its clause says nothing beside the value, in words that the history uses for the attribute or a change."""
    echo: bool = False
    """Whether the assistant only repeats what the user said."""


ActKind = Literal["announce", "reject", "retract", "forget", "restore", "contradict"]


@dataclass(frozen=True, slots=True)
class Act:
    """What a turn does to the target without stating a value that holds."""

    kind: ActKind
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
    best: dict[tuple[int, SpanKind], float] = {}
    for each in heard:
        for sentence in each.said.sentences:
            for kind, weight in _weights(aim, each, sentence).items():
                best[each.session, kind] = max(best.get((each.session, kind), 0.0), weight)
    counts: Counter[SpanKind] = Counter()
    for (_, kind), weight in best.items():
        counts[kind] += weight  # type: ignore[assignment]
    for kind in wanted:
        counts[kind] += _ASKED_FOR if counts[kind] else 0  # type: ignore[assignment]
    if named in _KINDS:
        counts[named] += _NAMED_KIND  # type: ignore[assignment]
    likeliest = max(_KINDS, key=lambda kind: (counts[kind], -_KINDS.index(kind)))
    weighed = counts["phrase"] * (_MIXED if likeliest == "name" else 1.0)
    plain = counts["phrase"] and counts[likeliest] < max(_FEW, weighed)
    return "phrase" if plain or not counts[likeliest] else likeliest


def _weights(aim: Aim, heard: Heard, sentence: Stretch) -> dict[SpanKind, float]:
    """How much a sentence speaks for each kind of value."""
    near = nearness(aim, heard, sentence)
    if not near or _only_asks(heard.said, sentence):
        return {}
    found = usable(aim, heard, sentence)
    weight = (1.0 if near == 3 else _CONTEXT) * (1.0 if heard.role != "assistant" else _CONTEXT)
    if near == 3:
        kinds = {span.kind for span in found if span.sure and _bound(aim, heard.said, span)}
        typed = {kind: weight * (_CONTEXT if kind == "number" and not aim.owner else 1.0) for kind in kinds}
        plain = not kinds and stated_plainly(aim, heard, sentence)
        return {"phrase": weight * _PHRASE_WEIGHT} if plain else typed
    return dict.fromkeys(
        (
            span.kind
            for span in found
            if span.sure and span.kind != "number" and _tied(aim, heard, sentence, span, near)
        ),
        weight,
    )


def usable(aim: Aim, heard: Heard, stretch: Stretch) -> list[Span]:
    """The spans of a stretch that can be values of the target."""
    said = heard.said
    found = []
    for span in spans(said.text, said.language):
        if not (stretch.first <= span.first and span.last <= stretch.last) or span.kind == "quoted":
            continue
        if span.kind == "identifier" and _KEY.match(said.gap(span.last - 1)):
            continue
        span = _trimmed(aim, said, span) if span.kind == "name" else span
        if span.first < span.last and not _is_topic(aim, said, span) and _is_value(aim, said, span):
            found.append(span)
    return found


def _is_value(aim: Aim, said: Passage, span: Span) -> bool:
    """Whether a name is one, and names neither an owner nor somebody who only speaks or is spoken of."""
    if span.kind != "name":
        return True
    if not span.sure and span.last - span.first == 1 and not _is_name(aim, said, span):
        return False
    before = said.stems[span.first - 1] if span.first and said.gap(span.first - 1) == " " else ""
    return not any(before == modifier and head in aim.owner for modifier, head in aim.pairs) and not _is_person(
        said, span
    )


def _is_name(aim: Aim, said: Passage, span: Span) -> bool:
    """Whether a word is a name although it only opens a sentence."""
    if said.words[span.first] in aim.lower or span.last >= len(said.words):
        return False
    following = said.words[span.last]
    talk = said.wording.talk
    tied = following in talk.copulas + talk.auxiliaries or said.stems[span.last] in aim.topic
    return said.words[span.first] in aim.capitals or (tied and said.gap(span.first) == " ")


def claims(aim: Aim, heard: Sequence[Heard], kind: SpanKind) -> list[Claim]:
    """All claims, in the order in which they are said."""
    found: list[Claim] = []
    for each in heard:
        for sentence in (each.said.whole,) if each.role == "tool" else each.said.sentences:
            found.extend(_stated(aim, each, sentence, kind))
    return _credible(_echoed(found, heard), kind)


def _stated(aim: Aim, heard: Heard, sentence: Stretch, kind: SpanKind) -> list[Claim]:
    near = nearness(aim, heard, sentence)
    if not near or sentence.first == sentence.last or _only_asks(heard.said, sentence):
        return []
    if near < 3 and heard.role == "assistant" and not aim.named.intersection(heard.said.stems):
        return []
    if kind == "phrase":
        options = [] if said_down(heard.said, sentence) else phrase_spans(aim, heard, sentence)
    else:
        options = [span for span in usable(aim, heard, sentence) if span.kind == kind]
        options = [span for span in options if _fits(aim, heard, sentence, span, near)]
    made = [_claim(aim, heard, sentence, span, near) for span in options]
    plain = [claim for claim in made if not claim.past and not claim.denied]
    best = max(plain, key=lambda claim: (not claim.other, *_closeness(aim, heard.said, claim.span)), default=None)
    return [claim for claim in made if claim.past or claim.denied or claim.other or claim is best]


def _fits(aim: Aim, heard: Heard, sentence: Stretch, span: Span, near: Nearness) -> bool:
    """Whether a value of the right kind is stated of the target or of another owner's attribute."""
    if heard.role == "tool":
        return span.sure or near == 3
    if (
        near == 3
        and _bound(aim, heard.said, span)
        and (_shares(aim, heard.said, span) or _tied(aim, heard, sentence, span, near))
    ):
        stems = _stems(heard.said, sentence)
        whole = aim.attribute <= stems or bool(aim.owner)
        return whole or len(foreign(aim, heard.said, heard.said.clause(span.first), span)) <= _STRANGERS
    return span.sure and _tied(aim, heard, sentence, span, near)


def _echoed(found: Sequence[Claim], heard: Sequence[Heard]) -> list[Claim]:
    """The claims, those in which the assistant only repeats the user's words as the user's own."""
    said = {(each.session, each.turn): each for each in heard}
    made = []
    for claim in found:
        before = said.get((claim.session, claim.turn - 1))
        words = {word for key in claim.span.keys for word in key.split()}
        repeats = claim.teller == "assistant" and before is not None and before.role == "user"
        if repeats and before is not None and words <= {*before.said.words, *before.said.stems}:
            other = claim.other or any(_repeated(claim, each) and each.other for each in found)
            claim = replace(claim, teller="user", echo=True, other=other, why=rest_of(before.said, None))
        made.append(claim)
    return made


def _repeated(claim: Claim, earlier: Claim) -> bool:
    """Whether a claim says what one of the turn before said."""
    close = (earlier.session, earlier.turn) == (claim.session, claim.turn - 1)
    return close and same_value(claim.span.kind, claim.span.keys, earlier.span.keys)


def aliases(aim: Aim, heard: Sequence[Heard], stated: Sequence[Claim]) -> frozenset[str]:
    """Words by which the user speaks of the attribute without naming it.

    They stand beside a value of the target in a clause of the user's own that does not
    name the attribute: the value is known from other statements, or the assistant's reply
    repeats it with the attribute's name.
    """
    known = [claim for claim in stated if claim.near == 3 and not claim.other and not claim.hedged]
    found: set[str] = set()
    for each in heard:
        if each.role != "user":
            continue
        said = each.said
        for clause in said.clauses:
            if aim.names(said.stems[clause.first : clause.last]):
                continue
            words = set(said.slice(clause))
            if words.intersection(said.wording.talk.self_subjects) and any(_mentions(said, clause, c) for c in known):
                found |= _beside(aim, said, clause, known)
    return frozenset(found)


def _mentions(said: Passage, clause: Stretch, claim: Claim) -> bool:
    return claim.stems <= set(said.stems[clause.first : clause.last])


def _beside(aim: Aim, said: Passage, clause: Stretch, known: Sequence[Claim]) -> set[str]:
    """The few telling words of a clause beside a known value; none where it tells of more."""
    value = {stem for claim in known for stem in claim.stems}
    wording = said.wording
    that = [at for at in range(clause.first, clause.last) if said.words[at] in wording.talk.complementizers]
    telling = [
        at
        for at in range(that[-1] + 1 if that else clause.first, clause.last)
        if wording.topical(said.words[at]) and said.words[at] not in wording.frame and at not in said.people
    ]
    telling = [at for at in telling if said.stems[at] not in value | aim.topic]
    heavy = [at for at in telling if said.words[at] not in wording.light]
    return (
        {said.stems[at] for at in (heavy or telling)} if len(telling) <= _SHORT + 1 and len(heavy) <= _SHORT else set()
    )


def _credible(found: Sequence[Claim], kind: SpanKind) -> list[Claim]:
    """The claims without those of plain phrases that nothing ties to the target but the talk around them."""
    if kind != "phrase":
        return list(found)
    sure = [claim for claim in found if claim.span.sure]
    return [
        claim
        for claim in found
        if claim.span.sure or claim.compact or any(same_value(kind, claim.span.keys, other.span.keys) for other in sure)
    ]


def nearness(aim: Aim, heard: Heard, sentence: Stretch) -> Nearness:
    """Where the attribute was named, as seen from a sentence."""
    if aim.names(_stems(heard.said, sentence)) or (heard.role == "tool" and aim.names(heard.said.topics)):
        return 3
    if aim.names(heard.said.topics | heard.asked):
        return 2
    if heard.role == "tool":
        return 0
    return 1 if aim.names(heard.before) or aim.alias.intersection(_stems(heard.said, sentence)) else 0


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
        stems=frozenset(span.keys if span.kind == "phrase" else said.stems[span.first : span.last]),
        teller=told,
        role=heard.role,
        other=belongs(aim, heard, sentence, span) == "other",
        hedged=hedged(heard, sentence, span.first, told),
        past=stands in ("past", "was"),
        denied=stands == "denied",
        changes=_changes(said, sentence),
        restores=said.has("restores"),
        near=near,
        why=rest_of(said, said.clause(span.first)),
        compact=_compact(aim, heard, sentence, span, told),
    )


def _compact(aim: Aim, heard: Heard, sentence: Stretch, span: Span, told: Teller) -> bool:
    said = heard.said
    clause = said.clause(span.first)
    if told != "user" or heard.role != "user" or len(span.keys) > _SHORT or foreign(aim, said, clause, span):
        return False
    if len(aim.alias.intersection(said.stems[clause.first : clause.last])) >= _SHORT:
        return True
    return said.has("change_cues", clause) and aim.names(said.topics | heard.before)


def _changes(said: Passage, sentence: Stretch) -> bool:
    """Whether a word of change stands in a sentence, but for one that only dates a record."""
    lasts = said.wording.talk.lasts
    dating = {found.first for found in said.find("effective", sentence)}
    cues = [found for found in said.find("change_cues", sentence) if found.first not in dating]
    return any(not found.first or said.words[found.first - 1] not in lasts for found in cues)


def rest_of(said: Passage, without: Stretch | None) -> str:
    """The clauses of a turn but one, where they say something."""
    kept = [
        clause
        for clause in said.clauses
        if clause != without and any(said.wording.topical(word) for word in said.slice(clause))
    ]
    return "; ".join(said.cut(clause) for clause in kept)


def _stems(said: Passage, stretch: Stretch) -> frozenset[str]:
    return (
        said.topics
        if stretch.last - stretch.first == len(said.words)
        else frozenset(said.stems[stretch.first : stretch.last])
    )


def said_down(said: Passage, sentence: Stretch) -> bool:
    """Whether a sentence turns something down; single words of it, such as old, do not suffice."""
    if said.has("dismissals", sentence) or said.has("outdated", sentence):
        return True
    return any(found.last > found.first for found in said.find("rejections", sentence))


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


def _tied(aim: Aim, heard: Heard, sentence: Stretch, span: Span, near: Nearness) -> bool:
    """Whether a value belongs to the target although its sentence does not name the attribute.

    Its clause must have a subject that stands for the target, and speak of nothing else;
    of the user's own attribute it may hold one word more, which then tells of it: I train at X.
    """
    said = heard.said
    talk = said.wording.talk
    clause = said.wide(span.first)
    that = [at for at in range(clause.first, span.first) if said.words[at] in talk.complementizers]
    clause = Stretch(that[-1] + 1 if that and that[-1] + 1 < span.first else clause.first, clause.last)
    words = set(said.slice(clause))
    own = bool(
        words.intersection(talk.addressees if heard.role == "assistant" else talk.self_subjects + talk.self_owners)
    )
    own = own or bool(said.people.intersection(range(clause.first, clause.last)))
    subject = own or bool(words.intersection(talk.pronouns)) or aim.owns(said.stems[clause.first : clause.last])
    strangers = [at for at in foreign(aim, said, clause, span) if at not in said.people]
    if not strangers and aim.alias.intersection(said.stems[clause.first : clause.last]):
        subject = subject or any(said.has(name, sentence) for name in ("wishes", "hedges", "reports"))
    near_enough = aim.names(heard.said.topics | heard.before | heard.asked)
    return subject and len(strangers) <= (_STRANGERS if own and not aim.owner and near_enough else 0)


def _closeness(aim: Aim, said: Passage, span: Span) -> tuple[int, int, int, int]:
    """How near a value stands to words of the target: no owner by its place, shared clause, then distance."""
    clause = said.clause(span.first)
    shared = len(aim.topic.intersection(said.stems[clause.first : clause.last]))
    spots = [at for at, stem in enumerate(said.stems) if stem in aim.topic]
    distance = min((min(abs(at - span.first), abs(at - span.last + 1)) for at in spots), default=len(said.words))
    owner = span.kind == "name" and span.first > 0 and said.words[span.first - 1] in said.wording.talk.genitives
    return int(not owner), shared, int(span.sure), -distance


def _bound(aim: Aim, said: Passage, span: Span) -> bool:
    """Whether a word of the target stands in the value's clause or in the one beside it."""
    at = next(number for number, clause in enumerate(said.clauses) if clause.holds(span.first))
    near = said.clauses[max(0, at - 1) : at + 2]
    sentence = said.sentence(span.first)
    stems = {stem for clause in near if sentence.holds(clause.first) for stem in said.stems[clause.first : clause.last]}
    return aim.names(stems) and (span.sure or span.kind != "number" or _counts(aim, said, span))


def _shares(aim: Aim, said: Passage, span: Span) -> bool:
    """Whether a word of the target stands in the value's clause, or in one that no mark parts from it."""
    clause = said.wide(span.first)
    return bool(aim.topic.intersection(said.stems[clause.first : clause.last]))


def _counts(aim: Aim, said: Passage, span: Span) -> bool:
    """Whether a number in words stands close to a word of the target: five retries, the limit is five."""
    if any(word in said.wording.table.pronoun_numbers for word in said.words[span.first : span.last]):
        return False
    near = said.stems[max(0, span.first - _CLOSE) : span.last + _CLOSE]
    return bool(aim.attribute.intersection(near))


def _trimmed(aim: Aim, said: Passage, span: Span) -> Span:
    """A name without a first word that only a sentence's start made look like one."""
    first = span.first
    while first < span.last and said.opens(first) and said.words[first] in aim.lower:
        first += 1
    while span.first < first < span.last and not said.capital(first):
        first += 1
    if first == span.first:
        return span
    return span._replace(first=first, keys=(" ".join(said.words[first : span.last]),), sure=True)


def _is_topic(aim: Aim, said: Passage, span: Span) -> bool:
    return all(stem in aim.topic for stem in said.stems[span.first : span.last])


def _is_person(said: Passage, span: Span) -> bool:
    """Whether a name is only somebody who speaks or is spoken of: my cousin Farah, Tom says, Ana's."""
    if span.first in said.people:
        return True
    if said.find("reporters", Stretch(max(0, span.first - 4), span.first)) if span.first else False:
        return True
    after = Stretch(span.last, min(span.last + 6, said.clause(span.last - 1).last))
    if after.first >= after.last:
        return False
    if said.words[span.last] == said.wording.talk.possessive and said.gap(span.last - 1) in ("'", "’"):
        return True
    return said.has("reports", after)
