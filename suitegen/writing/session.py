"""A session: a scene of the fact type, and what has to be said, in one of the shapes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from suitegen.errors import DesignError
from suitegen.library.templates import compile_line
from suitegen.model.history import Role, Span, Turn, Written
from suitegen.model.surface import Part, Surfaces
from suitegen.writing.deal import Place
from suitegen.writing.exchange import Piece
from suitegen.writing.layout import laid_out
from suitegen.writing.topic import Topic

LONGEST = 8
"""Turns of a session, where the shapes allow it."""
SCENE: Mapping[Part, Role] = {"open": "user", "reply": "assistant", "follow": "user", "answer": "assistant"}

Pieces = tuple[Piece, ...]


def scene(topic: Topic, place: Place, surfaces: Surfaces) -> dict[Part, Pieces]:
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
        text = compile_line(line, f"{where}, {part}").render(topic.names(role))
        parts[part] = (Piece(role, laid_out(text, surfaces.layout, place) if part == "answer" else text),)
    return parts


def session(parts: Mapping[Part, Pieces], said: Pieces, surfaces: Surfaces, place: Place) -> Written:
    """The session in the place's shape: one of those that make a dialogue of usual length.

    Raises:
        DesignError: no shape makes a dialogue of it that runs from the user to the assistant.
    """
    given = {**parts, "said": said}
    fitting = [shape for shape in surfaces.shapes if _holds(shape, said)]
    made = [_joined([piece for part in shape for piece in given.get(part, ())]) for shape in fitting]
    sound = [turns for turns in made if _is_sound(turns)]
    if not sound:
        where = f"surfaces {surfaces.language}"
        raise DesignError("no shape makes a dialogue", where=where, hint="let a shape start with open or said")
    short = [turns for turns in sound if len(turns) <= LONGEST]
    if not short:
        return _written(min(sound, key=len))
    turns, _ = place.pick(dict(Counter(short)), "shape", len(said))
    return _written(turns)


def alone(said: Pieces) -> Written:
    """What is said, without a scene."""
    return _written(_joined(said))


def _holds(shape: Sequence[Part], said: Pieces) -> bool:
    """Whether a shape leaves no question open.

    What gets answers of its own stands before the scene or after it; what gets none comes once the assistant has
    asked, where it does.
    """
    at = shape.index("said")
    if all(piece.role == "user" for piece in said):
        return "reply" not in shape[at:]
    return at in (0, len(shape) - 1)


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
