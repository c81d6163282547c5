"""Whether a background dialogue keeps clear of everything an episode is about."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from suitegen.model.history import Turn
from suitegen.model.latent import LatentSpec
from suitegen.values.kinds import readings
from suitegen.values.lexicon import Lexicon
from suitegen.values.tokens import Index, index_phrases, occurrences, scan
from suitegen.values.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Matter:
    """What an episode is about: an attribute, its values and the words by which it is known."""

    vocabulary: Vocabulary
    attribute: Index
    cues: Index

    def touched_by(self, text: str) -> bool:
        """Whether a turn names a value or the attribute, or holds a cue together with anything like a value.

        Like a value are the known values without regard to cues, and whatever can be read as
        a value of the attribute's kind, known or not: another number is another answer.
        """
        words = scan(text).words
        if any(occurrences(words, self.attribute)) or self.vocabulary.mentions(text):
            return True
        return any(occurrences(words, self.cues)) and self._holds_any_value(text)

    def _holds_any_value(self, text: str) -> bool:
        known = self.vocabulary
        return bool(known.mentions(text, cued=False) or readings(known.kind, scan(text), known.language))


def matters(specs: Iterable[LatentSpec], lexicon: Lexicon) -> tuple[Matter, ...]:
    """What the cast members of the specs are about, each attribute once.

    Raises:
        KeyError: the lexicon does not know a member's fact type.
    """
    found: dict[tuple[str, str, str | None], Matter] = {}
    for spec in specs:
        for member in spec.cast:
            vocabulary = lexicon.of(member)
            matter = Matter(vocabulary, index_phrases((member.attribute,)), index_phrases(vocabulary.cues))
            found[member.fact_type, member.attribute, member.confusable] = matter
    return tuple(found.values())


def is_harmless(turns: Sequence[Turn], about: Sequence[Matter]) -> bool:
    """Whether no turn touches any of the matters."""
    return not any(matter.touched_by(turn.content) for turn in turns for matter in about)
