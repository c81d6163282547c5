"""How a user types: one habit for all that the same user says in an episode."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from suitegen.latent.seeds import rng
from suitegen.model.fact_type import FactType
from suitegen.model.history import Turn, Written
from suitegen.model.surface import Surfaces

SMALL = 0.25
"""Share of users who begin their sentences with small letters."""

_START = re.compile(r"(?:\A|(?<=[.!?]\s)|(?<=\n))[^\W\d_]+")
_WORD = re.compile(r"(?<![\w.'`/-])[^\W\d_]+(?=['\s,;:!?]|\.(?!\w)|\Z)")
_PUT_IN = re.compile(r"\{\{.*?\}\}")


def typed(written: Written, seed: int, fact_type: FactType, surfaces: Surfaces, values: Collection[str]) -> Written:
    """The session as its user types: sentences begin with small letters or with capitals, always or never.

    Nothing but the case of letters differs, so that spans hold; values stay as they are.

    Args:
        written: the session.
        seed: the draw's; its user has one habit.
        fact_type: whose words the scene is in.
        surfaces: the words of the rest.
        values: what is never touched.
    """
    small = rng(seed, "typing").random() < SMALL
    known = _small_words(fact_type, surfaces) if small else frozenset[str]()
    capitals = {word.lower(): word for word in surfaces.words.capitals}
    turns = []
    for turn in written.turns:
        kept = _places(turn.content, values)
        text = _begun_small(turn.content, known, kept) if small else _tidy(turn.content, capitals, kept)
        turns.append(Turn(role=turn.role, content=text, name=turn.name) if turn.role == "user" else turn)
    return written.model_copy(update={"turns": tuple(turns)})


def _begun_small(text: str, known: Collection[str], kept: Collection[range]) -> str:
    """Sentences begun with a small letter where the word is written small elsewhere, as a name is not."""
    for found in _START.finditer(text):
        if found[0].lower() in known and not _is_kept(found.start(), kept):
            text = _with(text, found.start(), found[0][0].lower())
    return text


def _tidy(text: str, capitals: Mapping[str, str], kept: Collection[range]) -> str:
    """Sentences begun with a capital, and the words that always have one."""
    for found in (*_START.finditer(text), *(each for each in _WORD.finditer(text) if each[0] in capitals)):
        if not _is_kept(found.start(), kept):
            text = _with(text, found.start(), found[0][0].upper())
    return text


def _with(text: str, at: int, letter: str) -> str:
    # A letter whose other case is longer would move what comes after it.
    return text if len(letter) != 1 else f"{text[:at]}{letter}{text[at + 1 :]}"


def _places(text: str, values: Collection[str]) -> tuple[range, ...]:
    found = (match for value in values for match in re.finditer(re.escape(value), text))
    return tuple(range(match.start(), match.end()) for match in found)


def _is_kept(at: int, kept: Collection[range]) -> bool:
    return any(at in places for places in kept)


def _small_words(fact_type: FactType, surfaces: Surfaces) -> frozenset[str]:
    """Words that are written small within a line."""
    texts = (_PUT_IN.sub(" ", line) for line in _lines(fact_type, surfaces))
    return frozenset(word for text in texts for word in _WORD.findall(text) if word == word.lower())


def _lines(fact_type: FactType, surfaces: Surfaces) -> Iterator[str]:
    for context in fact_type.contexts:
        yield from (*context.open, *context.follow)
    for phrase in surfaces.phrases:
        yield from phrase.lines
    for exchange in surfaces.exchanges:
        yield from (line for turn in exchange.turns for line in turn.get("user", ()))
