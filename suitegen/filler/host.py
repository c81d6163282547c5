"""Hosting: what a session says is set before or after a background dialogue, as people bring up two things in one."""

from __future__ import annotations

from suitegen.latent.seeds import rng
from suitegen.model.history import Guest, Written


def hosted(dialogue: Written, told: Written, *seed: str | int) -> Written:
    """The dialogue with all turns of ``told`` before its first turn or after its last: nobody is interrupted.

    Roles stay compatible: both run from the user to the assistant. Spans move with their turns.

    Args:
        dialogue: the host.
        told: what is said in it.
        seed: parts of the seed by which the place is drawn.
    """
    at, count = rng(*seed, "host").choice((0, len(dialogue.turns))), len(told.turns)
    return Written(
        turns=(*dialogue.turns[:at], *told.turns, *dialogue.turns[at:]),
        spans=tuple(span.model_copy(update={"turn": span.turn + at}) for span in told.spans),
        origin=dialogue.origin,
        license=dialogue.license,
        guest=Guest(first_turn=at, last_turn=at + count - 1, origin=told.origin, license=told.license),
    )
