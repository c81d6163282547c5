"""How an assistant lays out an answer: as running text, in paragraphs or as a list, with or without a frame."""

from __future__ import annotations

import re

from suitegen.model.surface import Layout
from suitegen.writing.deal import Place

LISTED, PARTED, FRAMED = 0.3, 0.15, 0.35
"""Shares of answers that are lists, that are two paragraphs, and of the others that end on an offer."""
FEWEST = 3
"""Sentences from which on an answer can be laid out."""

_BETWEEN = re.compile(r"(?<=[.!?])\s+")
_SET = re.compile(r"[\"`\n:“”]")
"""Marks of texts that have a form of their own: quotes, code, drafts, lists."""


def laid_out(text: str, layout: Layout | None, place: Place) -> str:
    """The answer in the layout of the place; its words stay as they are.

    Args:
        text: what is answered.
        layout: lines around it, in the answer's language; without, it stays as it is.
        place: where it stands.
    """
    sentences = _BETWEEN.split(text)
    if layout is None or _SET.search(text) or len(sentences) < FEWEST or not all(s[:1].isupper() for s in sentences):
        return text
    draw = place.random("layout")
    drawn, framed = draw.random(), draw.random()
    if drawn < LISTED:
        parts = [place.deal(layout.leads, "lead"), "\n".join(f"- {sentence}" for sentence in sentences)]
    elif drawn < LISTED + PARTED:
        parts = [" ".join(sentences[:-1]), sentences[-1]]
    else:
        parts = [text]
    if framed < FRAMED:
        parts.append(place.deal(layout.closes, "close"))
    return "\n\n".join(parts)
