"""A turn's text as sentences and clauses of words: what every judgement of a turn rests on."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

from suitegen.reading.wording import Found, Wording, wording
from suitegen.values.tokens import tokens

_SENTENCE_GAP = re.compile(r"[.!?…]+[\"'”’)\]*]*\s|[\r\n]")
_QUOTE_GAP = re.compile(r"[\"'”’]\s+$")
"""The end of a quotation, after which a capital begins a sentence."""
_CLAUSE_GAP = re.compile(r"[,;:(){}\[\]|=]|\s[-–]+\s|—")
_OPEN_QUOTE = re.compile(r"[\"“‘']$")
_PATH = re.compile(r"(?=\S*-)[\w.-]+(?:/[\w.-]+)+")


@dataclass(frozen=True, slots=True)
class Stretch:
    """A row of words of a passage: a sentence or a clause; ``last`` is exclusive."""

    first: int
    last: int

    def holds(self, word: int) -> bool:
        """Whether a word lies within."""
        return self.first <= word < self.last


@dataclass(frozen=True, eq=False)
class Passage:
    """A text with its folded words, where they stand, and how they group."""

    text: str
    language: str
    words: tuple[str, ...]
    starts: tuple[int, ...]
    ends: tuple[int, ...]

    @cached_property
    def wording(self) -> Wording:
        """The language's wording."""
        return wording(self.language)

    @cached_property
    def stems(self) -> tuple[str, ...]:
        """The stem of each word; that of a short word after a verb is the whole verb's: time out, timeout."""
        found = list(map(self.wording.stem, self.words))
        for at in range(1, len(found)):
            if self.words[at] in self.wording.talk.particles and self.gap(at - 1) in (" ", "-"):
                found[at] = found[at - 1] + self.words[at]
        return tuple(found)

    @cached_property
    def topics(self) -> frozenset[str]:
        """Stems of the topical words, compounds with a hyphen written together included."""
        topical = self.wording.topical
        particles = self.wording.talk.particles
        words = zip(self.stems, self.words, strict=True)
        found = {stem for stem, word in words if topical(word) or word in particles}
        joined = (at for at in range(len(self.words) - 1) if self.gap(at) == "-")
        return frozenset(found | {self.wording.stem(self.words[at] + self.words[at + 1]) for at in joined})

    def gap(self, word: int) -> str:
        """The text between a word and the next; what follows the last word."""
        return self._gaps[word]

    @cached_property
    def _gaps(self) -> tuple[str, ...]:
        following = (*self.starts[1:], len(self.text))
        return tuple(self.text[end:start] for end, start in zip(self.ends, following, strict=False))

    @cached_property
    def sentences(self) -> tuple[Stretch, ...]:
        """The sentences, in order."""
        cuts = [at + 1 for at in range(len(self.words) - 1) if self._ends_sentence(at)]
        return _stretches(cuts, len(self.words))

    @property
    def whole(self) -> Stretch:
        """All words."""
        return Stretch(0, len(self.words))

    @cached_property
    def clauses(self) -> tuple[Stretch, ...]:
        """The clauses, in order; each lies within one sentence."""
        cuts = {sentence.first for sentence in self.sentences[1:]}
        cuts.update(at + 1 for at in range(len(self.words) - 1) if _CLAUSE_GAP.search(self.gap(at)))
        cuts.update(found.first for found in self.find("clause_openers") if found.first)
        for found in self.find("joiners"):
            if found.first and found.last + 1 < len(self.words) and self._subject(found.last + 1):
                cuts.add(found.first)
        for found in self.find("roles"):
            if (
                found.first
                and found.last + 1 < len(self.words)
                and self.words[found.last + 1] in self.wording.talk.subjects
            ):
                cuts.add(found.first)
        return _stretches(sorted(cuts), len(self.words))

    @cached_property
    def people(self) -> frozenset[int]:
        """Words that are somebody around the speaker: my brother-in-law Goran, a friend."""
        found = [*self.find("kinship_words"), *self.find("relatives")]
        spots = {at for each in found for at in range(each.first, each.last + 1)}
        for each in found:
            at = each.last + 1
            while at < len(self.words) and (self.gap(at - 1) == "-" or (self.capital(at) and self.gap(at - 1) == " ")):
                spots.add(at)
                at += 1
        return frozenset(spots)

    def sentence(self, word: int) -> Stretch:
        """The sentence of a word."""
        return self.sentences[bisect_right(self._openings, word) - 1]

    @cached_property
    def _openings(self) -> tuple[int, ...]:
        """The first word of each sentence."""
        return tuple(sentence.first for sentence in self.sentences)

    def clause(self, word: int) -> Stretch:
        """The clause of a word."""
        return self.clauses[self.clause_number(word)]

    def clause_number(self, word: int) -> int:
        """Which clause a word is in, from 0."""
        return self._clause_numbers[word]

    @cached_property
    def _clause_numbers(self) -> tuple[int, ...]:
        """For each word."""
        return tuple(number for number, clause in enumerate(self.clauses) for _ in range(clause.first, clause.last))

    def wide(self, word: int) -> Stretch:
        """The clause of a word with those beside it that no mark parts from it."""
        at = self.clause_number(word)
        first, last = at, at
        while first and self.gap(self.clauses[first].first - 1) == " ":
            first -= 1
        while last + 1 < len(self.clauses) and self.gap(self.clauses[last].last - 1) == " ":
            last += 1
        return Stretch(self.clauses[first].first, self.clauses[last].last)

    def asks(self, sentence: Stretch) -> bool:
        """Whether a sentence ends with a question mark."""
        return "?" in self.gap(sentence.last - 1).split("\n")[0]

    def cued(self, word: int) -> bool:
        """Whether a word is part of a phrase of the tables that makes a statement tentative or second-hand."""
        lists = ("hedges", "guesses", "hearsay", "reporters", "wishes", "change_cues")
        return any(found.first <= word <= found.last for name in lists for found in self.cues.get(name, ()))

    def slice(self, stretch: Stretch) -> tuple[str, ...]:
        """The words of a stretch."""
        return self.words[stretch.first : stretch.last]

    def cut(self, stretch: Stretch) -> str:
        """The original text of a stretch."""
        return self.text[self.starts[stretch.first] : self.ends[stretch.last - 1]]

    @cached_property
    def cues(self) -> Mapping[str, Sequence[Found]]:
        """Where phrases of the tables stand, by the name of their list."""
        found = self.wording.find(self.words)
        if not self._paths and "_" not in self.text and not any(map(self.is_month, range(len(self.words)))):
            return found
        kept = {name: [each for each in spots if not self._written_together(each)] for name, spots in found.items()}
        return {name: spots for name, spots in kept.items() if spots}

    def _written_together(self, found: Found) -> bool:
        """Whether a phrase is part of a path, of one name such as a record's key (as_of), or no phrase but a month."""
        joints = range(found.first, found.last)
        if found.first == found.last and self.is_month(found.first):
            return True
        return found.first in self._paths or any("_" in self.gap(at) for at in joints)

    def is_month(self, word: int) -> bool:
        """Whether a word that is dull or a cue elsewhere names a month: May."""
        if self.words[word] not in self.wording.months or not self.capital(word):
            return False
        after = self.words[word + 1] if word + 1 < len(self.words) else ""
        return not self.opens(word) or after in self.wording.talk.copulas

    @cached_property
    def _paths(self) -> frozenset[int]:
        """Words within a path, which say nothing there: cache in spike/offline-cache."""
        spots: set[int] = set()
        for match in _PATH.finditer(self.text):
            spots.update(at for at, start in enumerate(self.starts) if match.start() <= start < match.end())
        return frozenset(spots)

    def find(self, name: str, stretch: Stretch | None = None) -> Sequence[Found]:
        """Where phrases of a list stand in a stretch, by the passage's word numbers."""
        found = self.cues.get(name, ())
        if stretch is None or not found:
            return found
        return [each for each in found if stretch.first <= each.first and each.last < stretch.last]

    def has(self, name: str, stretch: Stretch | None = None) -> bool:
        """Whether some phrase of a list stands in a stretch."""
        return bool(self.find(name, stretch))

    def capital(self, word: int) -> bool:
        """Whether a word is written with a capital."""
        return self._capitals[word]

    @cached_property
    def _capitals(self) -> tuple[bool, ...]:
        return tuple(self.text[start].isupper() for start in self.starts)

    @cached_property
    def lower(self) -> frozenset[str]:
        """Words written without a capital."""
        return frozenset(word for at, word in enumerate(self.words) if not self.capital(at))

    @cached_property
    def capitals(self) -> frozenset[str]:
        """Words written with one where it tells something."""
        return frozenset(word for at, word in enumerate(self.words) if self.capital(at) and not self.opens(at))

    @cached_property
    def doubtful(self) -> frozenset[str]:
        """Words whose capital may prove nothing: at the start of a sentence or a quotation, or of capitals alone."""
        spots = (at for at in range(len(self.words)) if self.capital(at))
        return frozenset(self.words[at] for at in spots if self.opens(at) or self.cut(Stretch(at, at + 1)).isupper())

    def opens(self, word: int) -> bool:
        """Whether a capital there says nothing: at the start of a sentence or a quotation."""
        return word in self._openings or (word > 0 and (":" in self.gap(word - 1) or self.quoted(word)))

    def quoted(self, word: int) -> bool:
        """Whether a quotation begins with a word."""
        return word > 0 and bool(_OPEN_QUOTE.search(self.gap(word - 1)))

    def _ends_sentence(self, word: int) -> bool:
        gap = self.gap(word)
        if _QUOTE_GAP.match(gap) and self.capital(word + 1):
            return True
        if not _SENTENCE_GAP.search(gap):
            return False
        stop = gap.strip() == "."
        return not (
            stop
            and (
                self.words[word] in self.wording.talk.titles
                or (len(self.words[word]) == 1 and self.words[word].isalpha())
            )
        )

    def _subject(self, word: int) -> bool:
        talk = self.wording.talk
        return self.words[word] in {*talk.selves, *talk.pronouns, *talk.others, *talk.addressees}


@lru_cache(maxsize=16384)
def passage(text: str, language: str) -> Passage:
    """The passage of a text; analysed once for all readings that meet it."""
    parts = tokens(text)
    return Passage(
        text=text,
        language=language,
        words=tuple(part.text for part in parts),
        starts=tuple(part.start for part in parts),
        ends=tuple(part.end for part in parts),
    )


def _stretches(cuts: Sequence[int], size: int) -> tuple[Stretch, ...]:
    bounds = [0, *cuts, size]
    return tuple(Stretch(first, last) for first, last in pairwise(bounds) if first < last)
