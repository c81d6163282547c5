"""A session: a scene of the fact type, and what has to be said, in one of the shapes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from suitegen.errors import DesignError
from suitegen.library.templates import compile_line
from suitegen.model.history import Role, Span, Turn, Written
from suitegen.model.surface import Part, Surfaces
from suitegen.writing.deal import Place
from suitegen.writing.exchange import Piece
from suitegen.writing.topic import Topic

SHORTEST, LONGEST = 4, 8
"""Turns of a session, where the shapes allow it."""
SCENE: Mapping[Part, Role] = {"open": "user", "reply": "assistant", "follow": "user", "answer": "assistant"}

Pieces = tuple[Piece, ...]


def scene(topic: Topic, place: Place) -> dict[Part, Pieces]:
    """The turns of a scene: contexts take turns, and each time one comes round its lines are others.

    Raises:
        TemplateError: a line of the context cannot be rendered.
    """
    kind = topic.fact_type
    deck = place.order(kind.contexts, "context", kind.id)
    chosen, around = deck[place.number % len(deck)], place.number // len(deck)
    where = f"fact type {kind.id}, context {chosen.id}"
    parts: dict[Part, Pieces] = {}
    for part, role in SCENE.items():
        lines: tuple[str, ...] = getattr(chosen, part)
        line = place.order(lines, "context", kind.id, chosen.id, part)[around % len(lines)]
        parts[part] = (Piece(role, compile_line(line, f"{where}, {part}").render(topic.names(role))),)
    return parts


def session(parts: Mapping[Part, Pieces], said: Pieces, surfaces: Surfaces, place: Place) -> Written:
    """The session in the place's shape: of those that fit its length, one with as much of the scene as can be.

    Raises:
        DesignError: no shape makes a dialogue of it that runs from the user to the assistant.
    """
    given = {**parts, "said": said}
    made = [_joined([piece for part in shape for piece in given.get(part, ())]) for shape in surfaces.shapes]
    sound = [(shape, turns) for shape, turns in zip(surfaces.shapes, made, strict=True) if _is_sound(turns)]
    if not sound:
        where = f"surfaces {surfaces.language}"
        raise DesignError("no shape makes a dialogue", where=where, hint="let a shape start with open or said")
    fitting = [pair for pair in sound if SHORTEST <= len(pair[1]) <= LONGEST]
    if not fitting:
        return _written(min((turns for _, turns in sound), key=lambda turns: abs(len(turns) - LONGEST)))
    fullest = max(len(shape) for shape, _ in fitting)
    _, turns = place.deal([pair for pair in fitting if len(pair[0]) == fullest], "shape", len(said))
    return _written(turns)


def _joined(pieces: Sequence[Piece]) -> Pieces:
    """Pieces that follow each other in one mouth as one."""
    joined: list[Piece] = []
    for piece in pieces:
        if joined and joined[-1].role == piece.role != "tool":
            joined[-1] = _append(joined[-1], piece)
        else:
            joined.append(piece)
    return tuple(joined)


def _append(first: Piece, second: Piece) -> Piece:
    # People who end without a full stop start their next thought on a new line.
    gap = "\n" if first.text[-1:].isalnum() else " "
    offset = len(first.text) + len(gap)
    moved = tuple((event, start + offset, end + offset) for event, start, end in second.said)
    return Piece(first.role, first.text + gap + second.text, None, first.said + moved)


def _is_sound(turns: Pieces) -> bool:
    return turns[0].role == "user" and turns[-1].role == "assistant"


def _written(pieces: Pieces) -> Written:
    turns = tuple(Turn(role=piece.role, content=piece.text, name=piece.name) for piece in pieces)
    spans = tuple(
        Span(event=event, turn=index, start=start, end=end)
        for index, piece in enumerate(pieces)
        for event, start, end in piece.said
    )
    return Written(turns=turns, spans=spans)
