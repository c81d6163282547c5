"""A finished suite read by models: every probe under every setting, many at a time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice

from suitegen.model.episode import AskedProbe, Episode
from suitegen.pipeline.run import Listener
from suitegen.pipeline.view import ProgressEvent
from suitegen.reading.profile import Key, Scored
from suitegen.reading.readings import Reading, Setting, summed
from suitegen.validation.protocol import EpisodeText, Kit
from suitegen.validation.settings import Panel, keys, settings

STAGE = "read"
_EPISODES = 32
"""Episodes that are in memory at a time."""
_WAITING = 64
"""Probes that wait for their model at a time; how many calls that is, the model's own limits say."""

_Read = list[tuple[Setting, Scored]]


def read_suite(
    kit: Kit, episodes: Collection[Episode], panels: Sequence[Panel], listener: Listener
) -> tuple[Reading, ...]:
    """What each panel's reader reaches on the episodes.

    Raises:
        ModelError: a model cannot be asked; what was answered is kept.
        BudgetError: the budget is spent; likewise.
    """
    found: dict[str, dict[Setting, list[Scored]]] = {panel.name: defaultdict(list) for panel in panels}
    rest, done = iter(episodes), 0
    total = len(episodes)
    # Whatever stops it, the answers in flight are waited for: they are paid.
    with ThreadPoolExecutor(_WAITING) as pool:
        while batch := list(islice(rest, _EPISODES)):
            listener(ProgressEvent(STAGE, done, total, done, 0))
            for name, future in _asked(pool, kit, batch, panels):
                for setting, row in _result(pool, future):
                    found[name][setting].append(row)
            done += len(batch)
    listener(ProgressEvent(STAGE, done, total, done, 0))
    return tuple(reading for name, rows in found.items() for reading in summed(name, rows))


def _asked(
    pool: ThreadPoolExecutor, kit: Kit, batch: Sequence[Episode], panels: Sequence[Panel]
) -> list[tuple[str, Future[_Read]]]:
    return [
        (panel.name, pool.submit(_read, panel, EpisodeText(kit, episode), asked, key))
        for episode in batch
        for asked, key in zip(episode.probes, keys(episode).values(), strict=True)
        for panel in panels
    ]


def _read(panel: Panel, text: EpisodeText, asked: AskedProbe, key: Key) -> _Read:
    return list(settings(panel, text, asked, key))


def _result(pool: ThreadPoolExecutor, future: Future[_Read]) -> Iterator[tuple[Setting, Scored]]:
    try:
        yield from future.result()
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        raise
