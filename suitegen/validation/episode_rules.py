"""Rules on a woven episode: dates, spans, fillers, gold, questions and ids."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise

from suitegen.latent.coherence import problems
from suitegen.latent.draw import facts_of
from suitegen.latent.evidence import evidence_of
from suitegen.latent.gold import gold_of
from suitegen.model.episode import AskedProbe, Episode, PlacedSpan
from suitegen.model.finding import Finding
from suitegen.model.gold import GoldField
from suitegen.model.history import Session
from suitegen.model.latent import Event
from suitegen.model.words import Facet
from suitegen.validation.protocol import EpisodeText, Example, Options, Outcome, Validator
from suitegen.validation.tone import doubled
from suitegen.values.kinds import readings
from suitegen.values.normal import fold
from suitegen.values.tables import table
from suitegen.values.tokens import contains_phrase, scan, words

ID = re.compile(r"[a-z][0-9a-f]{12}")


def _finding(episode: Episode, code: str, message: str, **place: int | str | None) -> Finding:
    return Finding.model_validate({"code": code, "message": message, "episode": episode.episode_id, **place})


# -- dates and spans --------------------------------------------------------------------------------------------


def check_dates(text: EpisodeText, options: Options) -> Outcome:
    """Sessions follow one another in time; a question comes after the last session it may use."""
    episode, found = text.episode, []
    for before, after in pairwise(episode.sessions):
        if _moment(before.timestamp) >= _moment(after.timestamp):
            message = f"session {after.index} is not after the one before it"
            found.append(_finding(episode, "E201", message, session=after.index))
    for number, session in enumerate(episode.sessions):
        if session.index != number:
            found.append(_finding(episode, "E201", f"session {number} has index {session.index}", session=number))
    last = len(episode.sessions) - 1
    for asked in episode.probes:
        seen = asked.question.visible_until
        if not 0 <= seen <= last:
            found.append(_finding(episode, "E201", f"it may see session {seen} of {last + 1}", probe=asked.probe.id))
        elif _moment(asked.question.asked_at) <= _moment(episode.sessions[seen].timestamp):
            found.append(_finding(episode, "E201", "it is asked before a session it may use", probe=asked.probe.id))
    return Outcome(tuple(found))


def _moment(timestamp: str) -> datetime:
    return datetime.fromisoformat(timestamp)


def check_evidence_spans(text: EpisodeText, options: Options) -> Outcome:
    """Every event has one span that resolves, verbatim, to a turn of its speaker."""
    episode, found = text.episode, []
    placed = {span.event: span for span in episode.spans}
    for event in episode.spec.events:
        span = placed.get(event.id)
        why = "it has no span" if span is None else _unresolved(episode, event, span)
        if why:
            found.append(_finding(episode, "E202", f"{event.id}: {why}", session=event.session))
    known = {event.id for event in episode.spec.events}
    found += [_finding(episode, "E202", f"a span of {name}, which is no event") for name in placed if name not in known]
    counts = Counter(span.event for span in episode.spans)
    found += [_finding(episode, "E202", f"{name}: it has {count} spans") for name, count in counts.items() if count > 1]
    return Outcome(tuple(found))


def _unresolved(episode: Episode, event: Event, span: PlacedSpan) -> str:
    if not 0 <= span.session < len(episode.sessions) or episode.sessions[span.session].session_id != span.session_id:
        return "its session is not there"
    if span.session != event.session:
        return "it stands in another session than its event"
    turns = episode.sessions[span.session].turns
    if not 0 <= span.turn < len(turns):
        return "its turn is not there"
    turn = turns[span.turn]
    if turn.role != event.speaker:
        return f"it is said by {turn.role}, not by {event.speaker}"
    return "" if turn.content[span.start : span.end] == span.quote != "" else "its quote is not what stands there"


# -- fillers ----------------------------------------------------------------------------------------------------


def check_fillers(text: EpisodeText, options: Options) -> Outcome:
    """No session names a value of the episode's attribute but where an event says it; background not even that."""
    episode, found = text.episode, []
    own = [member for member in episode.spec.cast if member.confusable is None]
    background = {plan.index for plan in episode.spec.sessions if plan.kind == "background"}
    for session in episode.sessions:
        for turn, value in _strays(text, session):
            message = f"session {session.index} names {value!r}, which no event says there"
            found.append(_finding(episode, "E203", message, session=session.index, turn=turn))
        content = "\n".join(turn.content for turn in session.turns)
        named = contains_phrase(content, [member.attribute for member in own]) if session.index in background else None
        if named:
            message = f"session {session.index} is background and speaks of the {named}"
            found.append(_finding(episode, "E203", message, session=session.index))
    return Outcome(tuple(found))


def _strays(text: EpisodeText, session: Session) -> Iterator[tuple[int, str]]:
    spec = text.episode.spec
    events = [event for event in spec.events if event.session == session.index]
    pairs = [(facet, value) for event in events for facet, value in _values(event) if event.states(facet)]
    said = {value for _, value in pairs if value is not None}
    vocabularies = {text.kit.lexicon.of(member) for member in spec.cast if member.confusable is None}
    for index, turn in enumerate(session.turns):
        values = {mention.value for vocabulary in vocabularies for mention in vocabulary.mentions(turn.content)}
        for value in sorted(values - said):
            yield index, value


def _values(event: Event) -> tuple[tuple[Facet, str | None], ...]:
    return ("value", event.value), ("old", event.old)


def check_repeats(text: EpisodeText, options: Options) -> Outcome:
    """No session's wording stands twice in a history."""
    episode, found = text.episode, []
    seen: dict[tuple[str, ...], int] = {}
    for session in episode.sessions:
        wording = tuple(word for turn in session.turns for word in words(turn.content))
        if wording in seen:
            message = f"session {session.index} repeats session {seen[wording]}"
            found.append(_finding(episode, "E204", message, session=session.index))
        seen.setdefault(wording, session.index)
    return Outcome(tuple(found))


# -- gold -------------------------------------------------------------------------------------------------------


def check_replay(text: EpisodeText, options: Options) -> Outcome:
    """Gold and evidence are those of the replay, and the timeline is coherent."""
    episode, spec = text.episode, text.episode.spec
    found = []
    known = {name: facts_of(text.kit.catalog.fact_types[name]) for name in {m.fact_type for m in spec.cast}}
    for asked in episode.probes:
        facts = known[spec.member(asked.probe.about).fact_type]
        if gold_of(spec, asked.probe, facts) != asked.gold:
            found.append(_finding(episode, "E205", "its gold is not the replay's", probe=asked.probe.id))
        if evidence_of(spec, asked.probe, facts) != asked.evidence:
            found.append(_finding(episode, "E205", "its evidence is not the replay's", probe=asked.probe.id))
    found += [_finding(episode, "E205", problem) for problem in problems(spec, text.kit.facts(spec))]
    return Outcome(tuple(found))


def check_absent(text: EpisodeText, options: Options) -> Outcome:
    """Where the gold is that nothing was ever said, the whole history says nothing."""
    episode, found = text.episode, []
    for asked in episode.probes:
        absent = [field for field in asked.gold.fields if field.form == "value" and field.answer == "absent"]
        if not absent:
            continue
        member = episode.spec.member(asked.probe.about)
        for session in episode.sessions[: asked.question.visible_until + 1]:
            content = " ".join(turn.content for turn in session.turns)
            others = {e.id for e in episode.spec.events if e.session == session.index and e.target != member.name}
            if not others and text.kit.lexicon.of(member).mentions(content):
                message = f"session {session.index} names a value of what was never said"
                found.append(_finding(episode, "E206", message, session=session.index))
    return Outcome(tuple(found))


# -- questions and ids ------------------------------------------------------------------------------------------


def check_questions(text: EpisodeText, options: Options) -> Outcome:
    """No question holds the gold of a field that it asks for, how many values it has, a label, or a word twice over."""
    episode, found = text.episode, []
    labels = _labels(episode)
    for asked in episode.probes:
        for field in asked.gold.fields:
            if gift := _gives_away(text, asked, field):
                message = f"the question names {gift!r}, the gold of its field {field.name}"
                found.append(_finding(episode, "E207", message, probe=asked.probe.id))
        label = contains_phrase(asked.question.question, labels)
        if label:
            found.append(_finding(episode, "E207", f"the question holds the label {label!r}", probe=asked.probe.id))
        if count := _counted(episode, asked):
            found.append(_finding(episode, "E207", f"the question says that there are {count}", probe=asked.probe.id))
        if twice := doubled(asked.question.question, episode.spec.language, episode.spec.values()):
            found.append(_finding(episode, "E207", f"the question says {twice!r}", probe=asked.probe.id))
    questions = [fold(asked.question.question) + str(asked.question.visible_until) for asked in episode.probes]
    for number, asked in enumerate(episode.probes):
        if questions[number] in questions[:number]:
            found.append(_finding(episode, "E207", "the question is asked twice", probe=asked.probe.id))
    return Outcome(tuple(found))


def _gives_away(text: EpisodeText, asked: AskedProbe, field: GoldField) -> str | None:
    """What the question says of a field's gold; a premise is named on purpose."""
    question = asked.question.question
    if field.form == "change":
        return contains_phrase(question, field.accepts)
    if field.form not in ("value", "values") or asked.probe.premise is not None:
        return None
    member = text.episode.spec.member(asked.probe.about)
    named = {mention.value for mention in text.kit.lexicon.of(member).mentions(question, cued=False)}
    right = {field.answer, *(spellings[0] for spellings in field.answers)}
    return min(named & right, default=None)


def _counted(episode: Episode, asked: AskedProbe) -> str | None:
    """The number of values that are asked for, two or more, where the question names it."""
    counts = {str(len(field.answers)) for field in asked.gold.fields if field.form == "values" and field.answers[1:]}
    if not counts:
        return None
    # What the question is about may have a number in its name.
    question = asked.question.question.replace(episode.spec.member(asked.probe.about).entity, "")
    named = readings("number", scan(question), episode.spec.language)
    return next((count for reading in named for count in reading.keys if count in counts), None)


def _labels(episode: Episode) -> tuple[str, ...]:
    """Names of the design that no input may hold: those that are no everyday words."""
    names = dict.fromkeys(name for thread in episode.spec.threads for name in (thread.condition, thread.paradigm))
    return tuple(name for name in names if len(words(name)) > 1) + table(episode.spec.language).meta_words


def check_ids(text: EpisodeText, options: Options) -> Outcome:
    """Ids tell nothing: hashes, unique, one prefix for each kind."""
    episode = text.episode
    probes = [asked.question.probe_id for asked in episode.probes]
    names = [episode.episode_id, *(session.session_id for session in episode.sessions), *probes]
    found = [_finding(episode, "E208", f"the id {name!r} is not opaque") for name in names if not ID.fullmatch(name)]
    if len(set(names)) != len(names):
        found.append(_finding(episode, "E208", "an id is used twice"))
    return Outcome(tuple(found))


VALIDATORS: tuple[Validator[EpisodeText], ...] = (
    Validator(
        "dates", "E201", "episode", "Sessions out of order in time, or a question asked before what it may use.",
        "What is current depends on the order of time; a system that sorts by date would read another history.",
        Example("12 March, then 14 March, asked on 15 March", "14 March, then 12 March"), check_dates,
    ),
    Validator(
        "evidence_spans", "E202", "episode", "An event without a verbatim span in the final history.",
        "Evidence that points at the wrong turn makes retrieval scores meaningless.",
        Example("turn 2, characters 0 to 31, is the quote", "turn 2 holds another sentence"), check_evidence_spans,
    ),
    Validator(
        "fillers", "E203", "episode", "A value of the episode's attribute in a session where no event says it.",
        "A filler that states another value changes the right answer, and nobody notices.",
        Example("a dialogue about sourdough", "a dialogue in which the user's standup is at 9:45"), check_fillers,
    ),
    Validator(
        "repeats", "E204", "episode", "The same wording twice in one history.",
        "A repeated session strengthens what it says, and no real history has one.",
        Example("two dialogues about sourdough in other words", "the same dialogue under two dates"), check_repeats,
    ),
    Validator(
        "replay", "E205", "episode", "Gold or evidence that is not the replay's, or a timeline that says nonsense.",
        "A typed or outdated label is wrong sooner or later; a computed one cannot be.",
        Example("current 10:00 after an update to 10:00", "current 9:30 after an update to 10:00"), check_replay,
    ),
    Validator(
        "absent", "E206", "episode", "A question about what was never said, in a history that says it.",
        "A system that answers from the history would be scored as hallucinating.",
        Example("no dentist anywhere, asked for the dentist's name", "a filler that names the dentist"), check_absent,
    ),
    Validator(
        "questions", "E207", "episode",
        "A question that holds its own answer, how many there are, a label, a doubled word, or is asked twice.",
        "A question that gives its answer away measures reading, not memory.",
        Example("'what is my gym at the moment?'", "'is my gym Northside?' with gold Northside"), check_questions,
    ),
    Validator(
        "ids", "E208", "episode", "Ids from which the design can be read, or that are used twice.",
        "Systems have been seen to score by the id of the evidence session.",
        Example("s3fa09b2c17de", "perturbation_03"), check_ids,
    ),
)  # fmt: skip
