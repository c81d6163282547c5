"""What the turns of a history state about a target: values with who says them and how, and acts without a value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from suitegen.reading.aim import Aim, belongs, foreign
from suitegen.reading.candidates import Nearness, closeness, fits, nearness, usable
from suitegen.reading.passages import Passage, Stretch
from suitegen.reading.phrases import phrase_spans
from suitegen.reading.sentences import changes, only_asks, rest_of, turns_down
from suitegen.reading.spans import Span, SpanKind, same_value, spans
from suitegen.reading.stance import stance
from suitegen.reading.voices import Heard, Teller, hedged, teller
from suitegen.values.normal import fold

_SHORT = 2
_LONGEST = 3
"""Words of a value that is told of without a word of the target: gluten-free with its verb."""

ActKind = Literal["announce", "reject", "retract", "forget", "restore", "contradict"]


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
    """Whether its clause says nothing beside the value, in words used for the attribute or for a change."""
    asks: bool = False
    """Whether it only stands in a question."""
    agreed: bool = False
    """Whether the user agrees to what others told."""
    firm: bool = True
    """Whether its sentence names the attribute in full, or tells of a change."""
    echo: bool = False
    """Whether the assistant only repeats what the user said."""

    @property
    def place(self) -> tuple[int, int]:
        """Session and turn."""
        return self.session, self.turn


@dataclass(frozen=True, slots=True)
class Act:
    """What a turn does to the target without stating a value that holds."""

    kind: ActKind
    session: int
    turn: int
    day: str
    teller: Teller
    why: str
    near: Nearness
    ends: Span | None = None
    """The value by which it goes, where it names no attribute: nothing is done unless that is the one that holds."""

    @property
    def place(self) -> tuple[int, int]:
        """Session and turn."""
        return self.session, self.turn


def claims(aim: Aim, heard: Sequence[Heard], kind: SpanKind) -> list[Claim]:
    """All claims of values of a kind, in the order in which they are said."""
    found = [claim for each in heard for claim in _of_turn(aim, each, kind)]
    return _credible(_echoed(found, heard), kind)


@lru_cache(maxsize=16384)
def _of_turn(aim: Aim, heard: Heard, kind: SpanKind) -> tuple[Claim, ...]:
    """The claims of one turn."""
    said = heard.said
    if kind != "phrase" and not any(span.kind == kind for span in spans(said.text, said.language)):
        return ()
    sentences = (said.whole,) if heard.role == "tool" and said.words else said.sentences
    return tuple(claim for sentence in sentences for claim in _stated(aim, heard, sentence, kind))


def _stated(aim: Aim, heard: Heard, sentence: Stretch, kind: SpanKind) -> list[Claim]:
    near, said = nearness(aim, heard, sentence), heard.said
    asks = only_asks(said, sentence)
    if not near or (asks and (near < 3 or heard.role != "user" or kind == "phrase")):
        return []
    if near < 3 and heard.role == "assistant" and not aim.named.intersection(said.stems):
        return []
    if kind == "phrase":
        barred = heard.role == "user" and turns_down(said, sentence) and not said.has("slips", sentence)
        options = [] if barred else phrase_spans(aim, heard, sentence)
    else:
        options = [span for span in usable(aim, heard, sentence) if span.kind == kind]
        options = [span for span in options if fits(aim, heard, sentence, span, near)]
    made = [replace(_claim(aim, heard, sentence, span, near), asks=asks) for span in options]
    plain = [claim for claim in made if not claim.past and not claim.denied]
    best = max(plain, key=lambda claim: (not claim.other, *closeness(aim, said, claim.span)), default=None)
    return [claim for claim in made if claim.past or claim.denied or claim.other or claim is best]


def _claim(aim: Aim, heard: Heard, sentence: Stretch, span: Span, near: Nearness) -> Claim:
    said, moves = heard.said, changes(heard.said, sentence)
    told = teller(heard, sentence, span.first, aim.topic)
    stands = stance(said, sentence, span)
    return Claim(
        session=heard.session,
        turn=heard.turn,
        day=heard.day,
        span=span,
        text=_spelled(said, span),
        stems=frozenset(span.keys if span.kind == "phrase" else said.stems[span.first : span.last]),
        teller=told,
        other=belongs(aim, heard, sentence, span) == "other",
        hedged=hedged(heard, sentence, span.first, told),
        past=stands in ("past", "was"),
        denied=stands == "denied",
        changes=moves,
        restores=said.has("restores"),
        near=near,
        why=rest_of(said, said.clause(span.first)),
        compact=heard.role == told == "user" and _compact(aim, heard, span),
        firm=moves or heard.role == "tool" or aim.attribute <= set(said.stems[sentence.first : sentence.last]),
    )


def _spelled(said: Passage, span: Span) -> str:
    """A value as it was said, a weekday without its plural."""
    text = said.cut(Stretch(span.first, span.last))
    plural = span.kind == "weekday" and fold(text) != span.keys[0] and fold(text)[:-1] == span.keys[0]
    return text[:-1] if plural else text


def _compact(aim: Aim, heard: Heard, span: Span) -> bool:
    said = heard.said
    clause = said.clause(span.first)
    if len(span.keys) > _LONGEST or foreign(aim, said, clause, span):
        return False
    if len(aim.alias.intersection(said.stems[clause.first : clause.last])) >= _SHORT:
        return True
    named = aim.names(said.topics | heard.before) or aim.alias.intersection(said.stems[clause.first : clause.last])
    return said.has("change_cues", clause) and bool(named)


def _echoed(found: Sequence[Claim], heard: Sequence[Heard]) -> list[Claim]:
    """The claims, those in which the assistant only repeats the user's words as the user's own."""
    turns = {(each.session, each.turn): each for each in heard}
    return [_credited(claim, turns.get((claim.session, claim.turn - 1)), found) for claim in found]


def _credited(claim: Claim, before: Heard | None, found: Sequence[Claim]) -> Claim:
    words = {word for key in claim.span.keys for word in key.split()}
    if claim.teller != "assistant" or before is None or before.role != "user":
        return claim
    if not words <= {*before.said.words, *before.said.stems}:
        return claim
    other = claim.other or any(_repeats(claim, each) and each.other for each in found)
    return replace(claim, teller="user", echo=True, other=other, why=rest_of(before.said, None))


def _repeats(claim: Claim, earlier: Claim) -> bool:
    """Whether a claim says what one of the turn before said."""
    close = earlier.place == (claim.session, claim.turn - 1)
    return close and same_value(claim.span.kind, claim.span.keys, earlier.span.keys)


def _credible(found: Sequence[Claim], kind: SpanKind) -> list[Claim]:
    """The claims without those of plain phrases that nothing ties to the target but the talk around them."""
    if kind != "phrase":
        firm = [claim for claim in found if claim.firm]
        return [
            replace(claim, firm=claim.firm or any(_repeats_value(claim, other) for other in firm)) for claim in found
        ]
    known = (any(_backs(other, claim) for other in found) for claim in found)
    moved = (claim.changes and claim.near == 3 for claim in found)
    return [
        claim
        for claim, backed, moves in zip(found, known, moved, strict=True)
        if claim.span.sure or claim.compact or backed or moves
    ]


def _repeats_value(claim: Claim, other: Claim) -> bool:
    """Whether two claims of the same owner state one value."""
    return claim.other == other.other and same_value(claim.span.kind, claim.span.keys, other.span.keys)


def _backs(claim: Claim, other: Claim) -> bool:
    """Whether a claim of the same value bears another one out: a sure one, or one of another session."""
    same = claim is not other and same_value("phrase", claim.span.keys, other.span.keys)
    return (
        same
        and claim.other == other.other
        and (claim.span.sure or (claim.session != other.session and claim.near == other.near == 3))
    )
