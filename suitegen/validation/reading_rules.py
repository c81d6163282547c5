"""Reading checks: whole histories answer, evidence alone answers, and without it nothing does.

They need a reader, which sees inputs only. With the option ``sample`` only so many probes of a history are read, drawn
by their ids. What is removed is the span's turn and the reply
that echoes it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from suitegen.latent.draw import facts_of
from suitegen.latent.gold import gold_of, same_answer
from suitegen.latent.seeds import derive
from suitegen.model.episode import AskedProbe, Episode
from suitegen.model.finding import Finding, Measure
from suitegen.model.gold import Gold, Group
from suitegen.model.history import Session, Turn
from suitegen.reading.protocol import Reader
from suitegen.reading.retrieval import Retrieval
from suitegen.reading.scoring import score
from suitegen.validation.options import limit, listed
from suitegen.validation.protocol import EpisodeText, Example, Options, Outcome, Validator


def right(
    reader: Reader, sessions: Sequence[Session], asked: AskedProbe, language: str, gold: Gold | None = None
) -> float | None:
    """The points of the reader's answer from these sessions; None when it cannot be parsed."""
    return score(reader.read(sessions, asked.question), gold or asked.gold, language).points


def evidence_sessions(asked: AskedProbe, episode: Episode) -> tuple[int, ...]:
    """Indexes of the sessions that hold any evidence of a probe."""
    events = {atom.event for field in asked.evidence for group in field.groups for atom in group.of}
    return tuple(sorted({span.session for span in episode.spans if span.event in events}))


def without(episode: Episode, events: frozenset[str]) -> tuple[Session, ...]:
    """The history with the turns of these events cut out, and with them the replies that echo them.

    A reply that says another event stays.
    """
    kept = {(span.session, span.turn) for span in episode.spans if span.event not in events}
    cut: dict[int, set[int]] = {}
    for span in episode.spans:
        if span.event in events:
            turns = episode.sessions[span.session].turns
            gone = cut.setdefault(span.session, set())
            gone.add(span.turn)
            reply = span.turn + 1
            answered = reply < len(turns) and turns[span.turn].role == "user" and turns[reply].role == "assistant"
            if answered and (span.session, reply) not in kept:
                gone.add(reply)
    return tuple(_shortened(session, cut.get(session.index, set())) for session in episode.sessions)


def _shortened(session: Session, gone: set[int]) -> Session:
    if not gone:
        return session
    turns: tuple[Turn, ...] = tuple(turn for index, turn in enumerate(session.turns) if index not in gone)
    return session.model_copy(update={"turns": turns})


def _summed(episode: Episode, name: str, results: Mapping[str, float | None], code: str, options: Options) -> Outcome:
    """Findings for the probes that came out wrong, and the mean over those that could be scored, by type as well."""
    types = listed(options, "probes")
    found = tuple(
        Finding(
            code=code,
            message=f"{name}: the reader's answer to {asked.probe.id} ({asked.probe.type}) is wrong",
            episode=episode.episode_id,
            session=_last(episode, asked),
            feedback="say plainly what the event states",
        )
        for asked in episode.probes
        if results.get(asked.probe.id, 1.0) in (None, 0.0) and asked.probe.type in types
    )
    kinds = {asked.probe.id: asked.probe.type for asked in episode.probes}
    by_type = tuple(
        _mean(f"{name} {kind}", [points for probe, points in results.items() if kinds[probe] == kind])
        for kind in sorted({kinds[probe] for probe in results})
    )
    return Outcome(found, (_mean(name, results.values()), *by_type))


def _last(episode: Episode, asked: AskedProbe) -> int | None:
    """The last session with evidence: the one to be written anew."""
    sessions = evidence_sessions(asked, episode)
    return sessions[-1] if sessions else None


def validators(reader: Reader) -> tuple[Validator[EpisodeText], ...]:
    """The reading validators with a reader."""
    return (
        Validator(
            "full_context", "R301", "episode", "A probe that the reader cannot answer from the whole history.",
            "A probe that is not answerable with everything in view measures nothing about memory.",
            Example("the history states both values and the change", "the new value is only hinted at"),
            _full_context(reader), {"probes": "current previous change", "sample": None},
        ),
        Validator(
            "oracle", "R302", "episode", "A probe that its evidence sessions alone do not answer.",
            "Evidence labels must be complete, or retrieval is scored against the wrong target.",
            Example("the labelled sessions hold the answer", "the answer stands in an unlabelled session"),
            _oracle(reader), {"probes": "current previous change", "sample": None},
        ),
        Validator(
            "necessity", "R303", "episode", "A probe that is still answered without one whole group of its evidence.",
            "A probe that needs no memory of its evidence can be solved by a shortcut.",
            Example("without the update the old value is answered", "the new value leaks from a filler"),
            _necessity(reader), {"probes": "current previous change", "sample": None},
        ),
        Validator(
            "counterfactual", "R304", "episode", "A probe whose answer stays the same with the sibling's perturbation.",
            "That nothing changed is proved by showing that a change would have been seen.",
            Example("with the update put in, the reader answers the new value", "it answers the old one either way"),
            _counterfactual(reader), {"probes": "current change", "sample": None},
        ),
        Validator(
            "bm25", "R305", "episode", "Nothing: it measures naive retrieval, and how much of its loss is reach.",
            "A suite on which retrieval equals full context does not test memory.",
            Example("a gap to full context", "no gap"), _bm25(reader, time_aware=False), {"probes": "", "sample": None},
        ),
        Validator(
            "bm25_time", "R306", "episode", "Nothing: it measures retrieval with dates.",
            "Order in time is what naive retrieval loses.",
            Example("a gap to full context", "no gap"), _bm25(reader, time_aware=True), {"probes": "", "sample": None},
        ),
        Validator(
            "no_history", "R307", "episode", "Nothing: it measures what the reader answers with no session in view.",
            "A reader that is right without a history knows the answer from elsewhere, or guesses it.",
            Example("only what was never said is answered right", "half of the changes are guessed"),
            _no_history(reader), {"probes": "", "sample": None},
        ),
    )  # fmt: skip


_Check = Callable[[EpisodeText, Options], Outcome]


def _full_context(reader: Reader) -> _Check:
    def check(text: EpisodeText, options: Options) -> Outcome:
        """The whole history answers."""
        episode = text.episode
        results = {asked.probe.id: _read(reader, episode, asked) for asked in _sampled(episode, options)}
        return _summed(episode, "full_context", results, "R301", options)

    return check


def _read(reader: Reader, episode: Episode, asked: AskedProbe) -> float | None:
    """The points of the reader's answer from the whole history."""
    return right(reader, episode.sessions, asked, episode.spec.language)


def _sampled(episode: Episode, options: Options) -> tuple[AskedProbe, ...]:
    """The probes that are read: all, or so many as a sample has, drawn by their ids."""
    most = limit({"sample": None, **options}, "sample")
    if most is None or len(episode.probes) <= most:
        return episode.probes
    drawn = sorted(episode.probes, key=lambda asked: derive("sample", asked.question.probe_id))[: int(most)]
    return tuple(asked for asked in episode.probes if asked in drawn)


def _answered(reader: Reader, episode: Episode, options: Options) -> Iterator[AskedProbe]:
    """Probes that the reader answers right from the whole history; the others prove nothing here."""
    for asked in _sampled(episode, options):
        if _read(reader, episode, asked) == 1.0:
            yield asked


def _oracle(reader: Reader) -> _Check:
    def check(text: EpisodeText, options: Options) -> Outcome:
        """Whole evidence sessions answer."""
        episode = text.episode
        results: dict[str, float | None] = {}
        for asked in _answered(reader, episode, options):
            indexes = evidence_sessions(asked, episode)
            if indexes:
                evidence = [episode.sessions[index] for index in indexes]
                results[asked.probe.id] = right(reader, evidence, asked, episode.spec.language)
        return _summed(episode, "oracle", results, "R302", options)

    return check


def _necessity(reader: Reader) -> _Check:
    def check(text: EpisodeText, options: Options) -> Outcome:
        """With any one group gone, the probe is not answered."""
        episode = text.episode
        results: dict[str, float | None] = {}
        for asked in _answered(reader, episode, options):
            groups = proving(text, asked)
            if groups:
                held = [still_right(reader, episode, asked, name, group) for name, group in groups]
                results[asked.probe.id] = 0.0 if any(held) else 1.0
        return _summed(episode, "necessity", results, "R303", options)

    return check


def proving(text: EpisodeText, asked: AskedProbe) -> tuple[tuple[str, Group], ...]:
    """The groups of a probe's evidence, each with the gold's field that is another one without it."""
    groups = ((found.field, group) for found in asked.evidence for group in found.groups)
    return tuple(pair for pair in groups if _proves(text, asked, *pair))


def _proves(text: EpisodeText, asked: AskedProbe, field: str, group: Group) -> bool:
    """Whether another answer is right once the group's events are gone as a whole.

    A group may hold one facet of an event whose other facets, gone with it, bring the same gold about:
    without the act of a correction the first value is a former one, without the correction it is not.
    """
    spec, gone = text.episode.spec, {atom.event for atom in group.of}
    facts = facts_of(text.kit.catalog.fact_types[spec.member(asked.probe.about).fact_type])
    cut = spec.model_copy(update={"events": tuple(event for event in spec.events if event.id not in gone)})
    return not same_answer(gold_of(cut, asked.probe, facts).field(field), asked.gold.field(field))


def still_right(reader: Reader, episode: Episode, asked: AskedProbe, field: str, group: Group) -> bool:
    """Whether the field is right although the events of the group are gone."""
    events = frozenset(atom.event for atom in group.of)
    answer = reader.read(without(episode, events), asked.question)
    return score(answer, asked.gold, episode.spec.language).fields.get(field, 0.0) == 1.0


def _counterfactual(reader: Reader) -> _Check:
    def check(text: EpisodeText, options: Options) -> Outcome:
        """The sibling's perturbation flips gold and answer."""
        episode, other = text.episode, text.episode.counterfactual
        if other is None:
            return Outcome(not_run="the condition has no sibling")
        sessions = [
            session.model_copy(update={"turns": other.sessions.get(session.index, session.turns)})
            for session in episode.sessions
        ]
        results: dict[str, float | None] = {}
        for asked in _answered(reader, episode, options):
            gold = other.gold.get(asked.question.probe_id)
            if gold is not None:
                results[asked.probe.id] = right(reader, sessions, asked, episode.spec.language, gold)
        return _summed(episode, "counterfactual", results, "R304", options)

    return check


def _bm25(reader: Reader, *, time_aware: bool) -> _Check:
    def check(text: EpisodeText, options: Options) -> Outcome:
        """Answers from retrieved sessions; whether the evidence was among them, and what was made of it."""
        episode = text.episode
        retrieval = Retrieval(reader, time_aware=time_aware)
        name = "bm25_time" if time_aware else "bm25"
        sample = _sampled(episode, options)
        results = {asked.probe.id: _read(retrieval, episode, asked) for asked in sample}
        reached = {asked.probe.id: _reached(retrieval, episode, asked) for asked in sample}
        outcome = _summed(episode, name, results, "R306" if time_aware else "R305", options)
        reach = _mean(f"{name}_reach", reached.values())
        use = _mean(f"{name}_use", [results[probe] for probe, there in reached.items() if there == 1.0])
        return Outcome(outcome.findings, (*outcome.measures, reach, use))

    return check


def _no_history(reader: Reader) -> _Check:
    def check(text: EpisodeText, options: Options) -> Outcome:
        """Answers from nothing."""
        episode = text.episode
        sample = _sampled(episode, options)
        results = {asked.probe.id: right(reader, (), asked, episode.spec.language) for asked in sample}
        return _summed(episode, "no_history", results, "R307", options)

    return check


def _mean(name: str, points: Iterable[float | None]) -> Measure:
    known = [value for value in points if value is not None]
    return Measure(name=name, value=sum(known) / len(known) if known else None, n=len(known))


def _reached(retrieval: Retrieval, episode: Episode, asked: AskedProbe) -> float | None:
    """Whether the hits hold, for every group, enough of its members; None without evidence."""
    groups = [group for found in asked.evidence for group in found.groups]
    if not groups:
        return None
    hits = set(retrieval.hits(episode.sessions, asked.question))
    where = {span.event: span.session for span in episode.spans}
    ok = all(sum(where.get(atom.event) in hits for atom in group.of) >= group.need for group in groups)
    return 1.0 if ok else 0.0
