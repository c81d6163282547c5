"""Hosting: what a session says is set into a background dialogue, as something said in passing."""

from __future__ import annotations

from suitegen.latent.seeds import rng
from suitegen.model.history import Guest, Turn, Written


def hosted(dialogue: Written, told: Written, *seed: str | int) -> Written:
    """The dialogue with all turns of ``told`` between two of its exchanges, or after the last.

    Roles stay compatible: ``told`` runs from the user to the assistant, and it stands after a turn of the
    assistant to which the user, or nobody, answers. Spans move with their turns.

    Args:
        dialogue: the host; it holds a turn of the assistant that no tool follows.
        told: what is said in it.
        seed: parts of the seed by which the place is drawn.
    """
    places = [at for at in range(1, len(dialogue.turns) + 1) if _is_free(dialogue.turns, at)]
    at, count = rng(*seed, "host").choice(places), len(told.turns)
    return Written(
        turns=(*dialogue.turns[:at], *told.turns, *dialogue.turns[at:]),
        spans=tuple(span.model_copy(update={"turn": span.turn + at}) for span in told.spans),
        origin=dialogue.origin,
        license=dialogue.license,
        guest=Guest(first_turn=at, last_turn=at + count - 1, origin=told.origin, license=told.license),
    )


def _is_free(turns: tuple[Turn, ...], at: int) -> bool:
    """Whether an exchange can begin at a turn: the assistant has just spoken, and nobody but the user follows."""
    return turns[at - 1].role == "assistant" and (at == len(turns) or turns[at].role == "user")
