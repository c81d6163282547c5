"""A language's tables, made ready for reading: stems, and phrases that can be looked up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
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
    phrases: Index
    """Every phrase of both tables."""
    owners: Sequence[str]
    """The name of the list that each phrase is of."""
    dull: frozenset[str]
    """Words without a topic."""
    frame: frozenset[str]
    """Words that name no attribute in a question."""
    plain: frozenset[str]
    """Words that name no attribute in a statement."""
    affirms: frozenset[str]
    """Words that say yes."""
    months: frozenset[str]
    """Names of months that are other words as well."""
    light: frozenset[str]
    """Verbs that say little, in the forms that are no nouns: takes and took, but not taking."""

    def find(self, words: Sequence[str]) -> dict[str, list[Found]]:
        """Where phrases stand in the words, by the name of their list."""
        found: dict[str, list[Found]] = {}
        for number, first, last in occurrences(words, self.phrases):
            found.setdefault(self.owners[number], []).append(Found(first, last))
        return found

    def stem(self, word: str) -> str:
        """What is left of a word without its ending; the same for retry, retries and retrying."""
        return _stem(word, self.talk.language)

    def common(self, word: str) -> bool:
        """Whether a word is in the language's list of irregular forms, so that it is no name: people."""
        return word in _irregular(self.talk.language)

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
    listed = [*_listed(words), *_listed(spoken)]
    return Wording(
        talk=spoken,
        table=words,
        phrases=index_phrases([phrase for _, phrase in listed]),
        owners=[name for name, _ in listed],
        dull=frozenset(fold(word) for word in words.stop_words) | {word for word, _ in spoken.times},
        frame=frozenset(spoken.frame_words),
        plain=frozenset(spoken.plain_words),
        affirms=frozenset(spoken.yes_words),
        months=frozenset(map(fold, words.month_names)) & frozenset(map(fold, words.stop_words)),
        light=_light(spoken),
    )


def _light(spoken: Talk) -> frozenset[str]:
    """Light verbs as they are, with the ending of the third person, and in irregular forms."""
    verbs = frozenset(spoken.light_verbs)
    irregular = {form for form, verb in spoken.irregular if verb in verbs}
    return verbs | {verb + spoken.verb_ending for verb in verbs} | irregular


def _listed(source: LanguageTable | Talk) -> Iterator[tuple[str, str]]:
    """Every phrase of a table's lists, with the list's name."""
    for each in fields(source):
        phrases = getattr(source, each.name)
        if isinstance(phrases, tuple) and all(isinstance(phrase, str) for phrase in phrases):
            yield from ((each.name, phrase) for phrase in phrases)


@lru_cache(maxsize=65536)
def _stem(word: str, language: str) -> str:
    irregular = _irregular(language)
    base = irregular.get(word, word)
    if irregular.get(base) == base or not base.isalpha():
        return base
    whole = _with_particle(base, language)
    if whole is not None:
        return whole
    endings = talk(language).endings
    return _cut(_cut(base, endings), endings)


def _with_particle(word: str, language: str) -> str | None:
    """The stem of a word that ends as 'timeout' does, the same as that of 'times out'; None for any other."""
    spoken = talk(language)
    single = word.removesuffix(spoken.verb_ending)
    for particle in spoken.particles:
        rest = single.removesuffix(particle)
        if rest != single and len(rest) >= _SHORTEST_STEM:
            return _stem(rest, language) + particle
    return None


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
