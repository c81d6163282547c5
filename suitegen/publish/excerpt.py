"""Which episodes a report shows: as many as fit, chosen in one pass over a suite of any size.

Those that failed a check come first, up to their part of the room. Of the others each
condition gives its first one, then its second, and so on, in the order of the suite;
that is the order of ids, which tells nothing of the design, so it is as good as a draw.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from markupsafe import Markup

from suitegen.model.episode import Episode
from suitegen.publish.canonical import compact
from suitegen.publish.episode_page import episode_data

FAILED_PART = 2
"""Failed episodes may take this part of the room (a half)."""
LARGEST_PART = 8
"""No episode may take more than this part of the room (an eighth); it loses the text of its background first."""
FRAME = 1500
"""Bytes for what the page writes around the data of an episode."""
UNSAFE = "<>&\u2028\u2029"

_Rank = tuple[int, int]
"""Running number within its condition, and in the suite; the least come first."""


@dataclass(frozen=True, slots=True)
class Shown:
    """An episode that the report shows."""

    id: str
    paradigm: str
    condition: str
    expects: str
    domain: str
    fact_type: str
    entity: str
    split: bool
    status: str
    """``failed`` a check, ``noted`` when only something was found, else ``clear``."""
    codes: tuple[str, ...]
    """Of its findings."""
    whole: bool
    """Whether the text of its background is there."""
    data: Markup
    """JSON that can stand in a script element."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """The episodes that are shown, in the order of the suite, and what was counted of all."""

    shown: tuple[Shown, ...]
    episodes: int
    failed: int
    found: Counter[str]
    """Episodes by the code of a finding in them."""

    @property
    def failed_shown(self) -> int:
        """How many of the failed ones are shown."""
        return sum(shown.status == "failed" for shown in self.shown)

    @property
    def cut(self) -> int:
        """How many are shown without the text of their background."""
        return sum(not shown.whole for shown in self.shown)


def excerpt(episodes: Iterable[Episode], room: int) -> Excerpt:
    """The episodes that fit in so many bytes; each is looked at once, and few are in memory.

    Args:
        episodes: of the suite, in its order.
        room: most bytes of UTF-8 that they may take in the page.
    """
    failed, others = _Best(room // FAILED_PART), _Best(room)
    seen: Counter[tuple[str, str, bool]] = Counter()
    found: Counter[str] = Counter()
    for number, episode in enumerate(episodes):
        bad = _status(episode) == "failed"
        place = (episode.spec.label("paradigm"), episode.spec.label("condition"), bad)
        found.update(_codes(episode))
        (failed if bad else others).offer((seen[place], number), partial(_shown, episode, room // LARGEST_PART))
        seen[place] += 1
        others.shrink(room - failed.size)
    kept = sorted([*failed.kept(), *others.kept()], key=lambda pair: pair[0])
    return Excerpt(tuple(shown for _, shown in kept), seen.total(), sum(n for key, n in seen.items() if key[2]), found)


def script_data(text: str) -> Markup:
    """JSON text that can stand in a script element: nothing in it can end the element or start a comment."""
    for char in UNSAFE:
        text = text.replace(char, f"\\u{ord(char):04x}")
    return Markup(text)


class _Best:
    """Of what is offered the best that together fit: the longest run of ranks that does, whatever the order."""

    def __init__(self, room: int) -> None:
        self._room = room
        self._heap: list[tuple[int, int, int, Shown]] = []
        self._bar: _Rank | None = None
        """The best rank for which there was no room."""
        self.size = 0

    def offer(self, rank: _Rank, make: Callable[[], Shown | None]) -> None:
        """Take it in if its rank may be good enough; only then it is made."""
        if self._bar is not None and rank > self._bar:
            return
        shown = make()
        if shown is not None:
            size = _size(shown)
            heapq.heappush(self._heap, (-rank[0], -rank[1], size, shown))
            self.size += size
            self.shrink(self._room)

    def shrink(self, room: int) -> None:
        """Let the worst go until the others fit."""
        self._room = room
        while self.size > room:
            first, second, size, _ = heapq.heappop(self._heap)
            self.size -= size
            self._bar = (-first, -second)

    def kept(self) -> list[tuple[int, Shown]]:
        """What was taken in, each with its running number."""
        return [(-number, shown) for _, number, _, shown in self._heap]


def _shown(episode: Episode, most: int) -> Shown | None:
    """The episode whole, else without its background, else not at all."""
    spec = episode.spec
    for whole in (True, False):
        data = script_data(compact(episode_data(episode, background=whole)))
        shown = Shown(
            id=episode.episode_id,
            paradigm=spec.label("paradigm"),
            condition=spec.label("condition"),
            expects=spec.label("expects"),
            domain=spec.label("domain"),
            fact_type=spec.label("fact_type"),
            entity=spec.cast[0].entity if spec.cast else "",
            split=spec.split,
            status=_status(episode),
            codes=tuple(_codes(episode)),
            whole=whole,
            data=data,
        )
        if _size(shown) <= most:
            return shown
    return None


def _size(shown: Shown) -> int:
    labels = (shown.id, shown.paradigm, shown.condition, shown.domain, shown.fact_type, shown.entity, *shown.codes)
    # A label may stand in the page several times, and each of its characters may become an entity.
    return len(shown.data.encode()) + FRAME + 20 * sum(map(len, labels))


def _status(episode: Episode) -> str:
    if any(verdict.status == "failed" for verdict in episode.verdicts):
        return "failed"
    return "noted" if _codes(episode) else "clear"


def _codes(episode: Episode) -> list[str]:
    return list(dict.fromkeys(finding.code for verdict in episode.verdicts for finding in verdict.findings))
