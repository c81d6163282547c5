"""Many episodes, of which few are in memory."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

from suitegen.model.episode import Episode

KEPT = 100
"""So many episodes are held in memory rather than read again."""


def stored(ids: Sequence[str], read: Callable[[str], Episode]) -> Collection[Episode]:
    """The episodes of these ids, in their order: held when they are few, else read anew whenever they are gone through.

    Args:
        ids: whose episodes.
        read: gives the episode of an id.
    """
    return tuple(map(read, ids)) if len(ids) <= KEPT else _Read(ids, read)


def changed(episodes: Collection[Episode], change: Callable[[Episode], Episode]) -> Collection[Episode]:
    """The same episodes, each changed when it is come to; their ids stay."""
    return _Changed(episodes, change)


class _Read(Collection[Episode]):
    """Episodes that are read one at a time, so that a suite may be larger than memory."""

    def __init__(self, ids: Sequence[str], read: Callable[[str], Episode]) -> None:
        self._ids = tuple(ids)
        self._read = read

    def __len__(self) -> int:
        return len(self._ids)

    def __iter__(self) -> Iterator[Episode]:
        return map(self._read, self._ids)

    def __contains__(self, episode: object) -> bool:
        return any(episode == each for each in self)


class _Changed(Collection[Episode]):
    def __init__(self, episodes: Collection[Episode], change: Callable[[Episode], Episode]) -> None:
        self._episodes = episodes
        self._change = change

    def __len__(self) -> int:
        return len(self._episodes)

    def __iter__(self) -> Iterator[Episode]:
        return map(self._change, self._episodes)

    def __contains__(self, episode: object) -> bool:
        return any(episode == each for each in self)
