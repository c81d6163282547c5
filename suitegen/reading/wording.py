"""A language's tables, made ready for reading: stems, and phrases that can be looked up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from functools import lru_cache
from typing import NamedTuple

from suitegen.values.normal import fold
from suitegen.values.tables import table
from suitegen.values.tables.table import LanguageTable
from suitegen.values.tables.talk import talk
from suitegen.values.tables.talk.words import Talk
from suitegen.values.tokens import Index, index_phrases, occurrences

_SHORTEST_STEM = 3


class Found(NamedTuple):
    """A phrase in a row of words: its first and last word."""

    first: int
    last: int


@dataclass(frozen=True, eq=False)
class Wording:
    """What a reader knows of one language."""

    talk: Talk
    table: LanguageTable
    lists: Mapping[str, Index]
    """Every list of phrases of both tables by its name."""
    dull: frozenset[str]
    """Words without a topic."""
    frame: frozenset[str]
    """Words that name no attribute in a question."""
    light: frozenset[str]
    """Verbs that say little, in the forms that are no nouns: takes and took, but not taking."""

    def find(self, name: str, words: Sequence[str]) -> list[Found]:
        """Where the phrases of a list stand in the words."""
        index = self.lists[name]
        if index.keys().isdisjoint(words):
            return []
        return [Found(first, last) for _, first, last in occurrences(words, index)]

    def has(self, name: str, words: Sequence[str]) -> bool:
        """Whether some phrase of a list stands in the words."""
        return bool(self.find(name, words))

    def stem(self, word: str) -> str:
        """What is left of a word without its ending; the same for retry, retries and retrying."""
        return _stem(word, self.talk.language)

    def topical(self, word: str) -> bool:
        """Whether a word says what is talked about."""
        return word not in self.dull


@lru_cache(maxsize=8)
def wording(language: str) -> Wording:
    """The wording of a language.

    Raises:
        SuitegenError: there are no tables for it.
    """
    spoken, words = talk(language), table(language)
    return Wording(
        talk=spoken,
        table=words,
        lists=_lists(words) | _lists(spoken),
        dull=frozenset(fold(word) for word in words.stop_words) | {word for word, _ in spoken.times},
        frame=frozenset(spoken.frame_words),
        light=_light(spoken),
    )


def _light(spoken: Talk) -> frozenset[str]:
    """Light verbs as they are, with the ending of the third person, and in irregular forms."""
    verbs = frozenset(spoken.light_verbs)
    irregular = {form for form, verb in spoken.irregular if verb in verbs}
    return verbs | {verb + spoken.verb_ending for verb in verbs} | irregular


def _lists(source: LanguageTable | Talk) -> dict[str, Index]:
    """The lists of phrases of a table, ready to be looked up."""
    lists: dict[str, Index] = {}
    for each in fields(source):
        phrases = getattr(source, each.name)
        if isinstance(phrases, tuple) and all(isinstance(phrase, str) for phrase in phrases):
            lists[each.name] = index_phrases(phrases)
    return lists


@lru_cache(maxsize=65536)
def _stem(word: str, language: str) -> str:
    irregular = _irregular(language)
    base = irregular.get(word, word)
    return base if irregular.get(base) == base or not base.isalpha() else _cut(base, talk(language).endings)


@lru_cache(maxsize=8)
def _irregular(language: str) -> dict[str, str]:
    return dict(talk(language).irregular)


def _cut(word: str, endings: Sequence[tuple[str, str]]) -> str:
    for ending, put in endings:
        if word.endswith(ending) and len(word) - len(ending) + len(put) >= _SHORTEST_STEM:
            return word if ending == put else _smooth(word[: len(word) - len(ending)] + put)
    return _smooth(word)


def _smooth(stem: str) -> str:
    """Without a doubled last consonant and a silent e: planned, plan, planes."""
    if len(stem) > _SHORTEST_STEM and stem[-1] == stem[-2] and stem[-1] not in "aeiouls":
        stem = stem[:-1]
    return stem[:-1] if stem.endswith("e") and len(stem) > _SHORTEST_STEM else stem
