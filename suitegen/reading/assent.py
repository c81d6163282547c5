"""What a user takes over from others: the assistant proposes or passes on a value, and the user agrees."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from suitegen.reading.claims import Claim
from suitegen.reading.passages import Passage, Stretch
from suitegen.reading.spans import same_value
from suitegen.reading.voices import Heard

_OPENING = 3
"""Words at the start of a turn within which an assent begins."""


def with_agreed(found: Sequence[Claim], heard: Sequence[Heard]) -> list[Claim]:
    """The claims, in order, with those that the user agrees to stated by whoever told them first."""
    turns = {(each.session, each.turn): each for each in heard}
    taken: list[Claim] = []
    gone: set[tuple[int, int]] = set()
    for place, each in turns.items():
        before = turns.get((each.session, each.turn - 1))
        if (
            before is not None
            and before.role == "assistant"
            and each.role == "user"
            and _assents(each.said, before.said)
        ):
            agreed = list(_agreed(found, each, before))
            taken.extend(agreed)
            gone |= {place} if agreed else set()
    kept = [claim for claim in found if claim.place not in gone or claim.past or claim.denied]
    return sorted([*kept, *taken], key=lambda claim: claim.place) if taken else list(found)


def _assents(said: Passage, before: Passage) -> bool:
    """Whether a turn agrees to what was proposed, and turns nothing down; a bare yes agrees to a question alone."""
    opening = Stretch(0, min(_OPENING, len(said.words)))
    agrees = any(found.first < opening.last for found in said.find("assents"))
    if not agrees:
        asked = bool(before.sentences) and before.asks(before.sentences[-1])
        agrees = asked and not said.wording.affirms.isdisjoint(said.slice(opening))
    return agrees and not said.has("rejections") and not said.has("dismissals")


def _agreed(found: Sequence[Claim], each: Heard, before: Heard) -> Iterator[Claim]:
    """What the assistant's turn before says or takes up, as a claim of the user's turn: the last such value."""
    there = set(before.said.stems) | set(before.said.words)
    earlier = [claim for claim in found if claim.session == each.session and claim.turn < each.turn]
    open_ = [claim for claim in earlier if _is_open(claim) and claim.stems <= there]
    here = [claim for claim in found if claim.place == (each.session, each.turn) and not (claim.past or claim.denied)]
    if here:
        open_ = [claim for claim in here if claim.teller == "user" and claim.stems <= there]
        open_ = [claim for claim in open_ if not any(_same(claim, told) for told in earlier if told.teller == "user")]
    for claim in open_[-1:]:
        told = [other.teller for other in earlier if other.teller != "user" and _same(claim, other)]
        yield replace(
            claim, turn=each.turn, teller=told[0] if told else "assistant", hedged=False, asks=False, agreed=True,
            changes=True, firm=True, other=False,
        )  # fmt: skip


def _is_open(claim: Claim) -> bool:
    """Whether a claim needs somebody to agree to it."""
    return not (claim.past or claim.denied or claim.other or claim.echo) and (claim.teller != "user" or claim.asks)


def _same(one: Claim, other: Claim) -> bool:
    return same_value(one.span.kind, one.span.keys, other.span.keys)
