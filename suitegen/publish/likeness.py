"""Near duplicates among texts: every pair is compared while that is fast, and above that those that share a sketch."""

from __future__ import annotations

import math
import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

NEAR = 0.9
"""Similarity from which two texts count as near duplicates."""
EXACT = 5000
"""So many texts are compared pair by pair, at most."""
MASK = "\u25a1"
"""Stands for a value."""
WORD = re.compile(rf"\w+|{MASK}")

_BANDS, _ROWS = 32, 4
"""Of a sketch: texts of which two thirds of the pairs of words are the same meet in some band in 999 of 1,000 cases,
unrelated ones (one pair in twenty) in 1 of 5,000 (Leskovec et al., Mining of Massive Datasets, 3.4)."""
_CODE_POINTS = 0x110000


def near_duplicates(texts: Sequence[str], near: float = NEAR, exact: int = EXACT) -> int:
    """How many texts nearly repeat another one: 1 for a pair, n - 1 for n alike.

    Two texts are as similar as the words that they share in order: twice their number over that of all words. Of more
    than ``exact`` texts only those are compared whose MinHash sketches meet (Broder 1997), so that the time is linear
    in their number; no pair that is counted is less similar for it, and one in a thousand may be missed.
    """
    ordered = sorted(set(_spelled(texts)), key=lambda text: (len(text), text))
    kept = _compared(ordered, near) if len(ordered) <= exact else _sketched(ordered, near)
    return len(texts) - kept


def _compared(ordered: Sequence[str], near: float) -> int:
    """How many of the texts, the shortest first, are near no earlier one that is kept.

    A text is held only against those with which it shares one of the rarest words of both: texts that are near
    share more than what is left without these (prefix filtering: Chaudhuri et al. 2006).
    """
    from rapidfuzz.distance import Indel

    often = Counter(word for text in ordered for word in set(text))
    holders: dict[tuple[str, int], list[str]] = defaultdict(list)
    kept = 0
    for text in ordered:
        size, words = len(text), _by_rarity(text, often)
        # Indel similarity is twice the shared words over all, so at most 2 * shorter / (shorter + longer).
        shortest = near * size / (2 - near)
        rivals = {other for word in words[: size - _ceil(shortest) + 1] for other in holders.get(word, ())}
        if not any(len(other) >= shortest and Indel.normalized_similarity(text, other) >= near for other in rivals):
            kept += 1
            for word in words[: size - _ceil(near * size) + 1]:
                holders[word].append(text)
    return kept


def _by_rarity(text: str, often: Mapping[str, int]) -> list[tuple[str, int]]:
    """The words of a text, each with how many of the same come before it, the rarest first."""
    before: Counter[str] = Counter()
    words = []
    for word in text:
        words.append((word, before[word]))
        before[word] += 1
    return sorted(words, key=lambda word: (often[word[0]], word))


def _ceil(length: float) -> int:
    return math.ceil(length - 1e-9)


def _sketched(ordered: Sequence[str], near: float) -> int:
    from datasketch import MinHash, MinHashLSH
    from rapidfuzz.distance import Indel

    index, kept = MinHashLSH(num_perm=_BANDS * _ROWS, params=(_BANDS, _ROWS)), 0
    for number, text in enumerate(ordered):
        sketch = MinHash(num_perm=_BANDS * _ROWS, hashfunc=zlib.crc32)
        sketch.update_batch(_pairs(text))
        rivals = (ordered[place] for place in index.query(sketch))
        if not any(Indel.normalized_similarity(text, other, score_cutoff=near) for other in rivals):
            index.insert(number, sketch, check_duplication=False)
            kept += 1
    return kept


def _pairs(spelled: str) -> list[bytes]:
    """The pairs of words of a spelled text; its one word where it has no pair."""
    pairs = sorted({one + other for one, other in pairwise(spelled)}) or [spelled]
    return [pair.encode("utf-8", "surrogatepass") for pair in pairs]


def _spelled(texts: Iterable[str]) -> Iterator[str]:
    """Texts with one character for each word, the same for the same word: what can be compared fast.

    With more words than there are characters some share one, which can only make texts more alike.
    """
    letters: dict[str, str] = {}
    for text in texts:
        words = WORD.findall(text.casefold())
        yield "".join(letters.setdefault(word, chr(len(letters) % _CODE_POINTS)) for word in words)
