"""One probe under every setting: what a reader is shown of its history, and what the answer is worth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from suitegen.model.episode import AskedProbe, Episode
from suitegen.reading.profile import Key, Scored
from suitegen.reading.protocol import Reader
from suitegen.reading.readings import Setting
from suitegen.reading.scoring import score
from suitegen.validation.protocol import EpisodeText
from suitegen.validation.reading_rules import evidence_sessions, proving, still_right


@dataclass(frozen=True, slots=True)
class Panel:
    """A reader under its name, and the same behind each retrieval that there is."""

    name: str
    reader: Reader
    retrievals: Mapping[Setting, Reader]


def keys(episode: Episode) -> dict[str, Key]:
    """The probes of an episode with their place in the design, by id."""
    spec = episode.spec
    return {
        asked.question.probe_id: Key(
            probe_id=asked.question.probe_id, episode_id=episode.episode_id,
            cluster=episode.group_id or episode.episode_id, paradigm=thread.paradigm, condition=thread.condition,
            expects=thread.expects, domain=thread.domain, fact_type=thread.fact_type, probe_type=asked.probe.type,
            split=thread.split, language=spec.language, gold=asked.gold,
        )
        for asked in episode.probes
        for thread in (spec.thread(asked.probe.thread),)
    }  # fmt: skip


def settings(panel: Panel, text: EpisodeText, asked: AskedProbe, key: Key) -> Iterator[tuple[Setting, Scored]]:
    """The probe's answers, scored, under each setting that applies to it.

    Raises:
        ModelError, BudgetError: as the reader does.
    """
    episode, question, reader = text.episode, asked.question, panel.reader
    whole = _scored(key, reader.read(episode.sessions, question))
    yield "full_context", whole
    evidence = [episode.sessions[index] for index in evidence_sessions(asked, episode)]
    if evidence:
        yield "oracle", _scored(key, reader.read(evidence, question))
    yield "closed_book", _scored(key, reader.read((), question))
    for setting, retrieval in panel.retrievals.items():
        yield setting, _scored(key, retrieval.read(episode.sessions, question))
    groups = proving(text, asked) if whole.points == 1.0 else ()
    if groups:
        held = [still_right(reader, episode, asked, field, group) for field, group in groups]
        yield "leave_one_group_out", Scored(key, "scored", 0.0 if any(held) else 1.0, {})


def _scored(key: Key, answer: Mapping[str, str]) -> Scored:
    found = score(answer, key.gold, key.language)
    return Scored(key, "scored" if found.parsed else "unparsable", found.points, found.fields)
