"""Rules on what is asked at windows: when, on both sides of changes, and with its paired control."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from suitegen.model.episode import AskedProbe, Episode
from suitegen.model.finding import Finding, Measure
from suitegen.model.gold import Gold
from suitegen.model.latent import Member, Thread
from suitegen.validation.options import limit
from suitegen.validation.protocol import EpisodeText, Example, Options, Outcome, SuiteText, Validator
from suitegen.validation.statistics import proportion
from suitegen.values.tokens import contains_phrase

MOVES = ("update", "restore", "correct")
SELF = "user"


# -- windows ----------------------------------------------------------------------------------------------------


def check_windows(text: EpisodeText, options: Options) -> Outcome:
    """Probes stand at their windows, after what they ask about came up, and on both sides of every change."""
    episode, marks = text.episode, text.kit.suite.marks
    found = [
        Finding(code="E209", message=problem, episode=episode.episode_id, probe=asked.probe.id)
        for asked in episode.probes
        for problem in _misplaced(episode, asked, marks)
    ]
    for thread in episode.spec.threads:
        found += [
            Finding(code="E209", message=f"{thread.id}: {problem}", episode=episode.episode_id)
            for problem in _one_sided(episode, thread)
        ]
    return Outcome(tuple(found))


def _misplaced(episode: Episode, asked: AskedProbe, marks: Mapping[str, int]) -> Iterator[str]:
    window, last = asked.probe.window, asked.question.visible_until
    if window is None:
        return
    if marks.get(window) != last + 1:
        yield f"it is asked at {window}, and may see {last + 1} sessions, not {marks.get(window)}"
    said = [event.session for event in episode.spec.events if event.target == asked.probe.about]
    if said and min(said) > last:
        yield f"it is asked at {window}, before its subject comes up in session {min(said)}"


def _one_sided(episode: Episode, thread: Thread) -> Iterator[str]:
    """Changes of the thread's target without a window before or after them."""
    seen = {
        asked.question.visible_until
        for asked in episode.probes
        if asked.probe.window is not None and asked.probe.thread == thread.id
    }
    for event in episode.spec.events if seen else ():
        if event.target == thread.target and event.op in MOVES:
            if min(seen) >= event.session:
                yield f"{event.id} has no window before it"
            if max(seen) < event.session:
                yield f"{event.id} has no window after it"


# -- what was never said ----------------------------------------------------------------------------------------


def check_unanswerable(text: EpisodeText, options: Options) -> Outcome:
    """Of what was never said, no turn of the whole history gives a value, be it after the question."""
    episode, found = text.episode, []
    for name in dict.fromkeys(asked.probe.about for asked in episode.probes if _is_absent(asked.gold)):
        member = episode.spec.member(name)
        for session, turn in _told(text, member):
            message = f"session {session} turn {turn} gives a value of what {name} was never said to be"
            found.append(Finding(code="E210", message=message, episode=episode.episode_id, session=session, turn=turn))
    return Outcome(tuple(found))


def _is_absent(gold: Gold) -> bool:
    return any(field.form in ("value", "values") and field.answer == "absent" for field in gold.fields)


def _told(text: EpisodeText, member: Member) -> Iterator[tuple[int, int]]:
    """Session and turn where a value of the member's attribute stands that is not told of somebody else."""
    episode = text.episode
    others = {
        (span.session, span.turn)
        for span in episode.spans
        for event in episode.spec.events
        if event.id == span.event and episode.spec.member(event.target).entity != member.entity
    }
    # The reply to what somebody else's value is said in may repeat it.
    others |= {(session, turn + 1) for session, turn in others}
    vocabulary = text.kit.lexicon.of(member)
    for session in episode.sessions:
        for number, turn in enumerate(session.turns):
            named = member.entity == SELF or contains_phrase(turn.content, (member.entity,))
            if named and (session.index, number) not in others and vocabulary.mentions(turn.content):
                yield session.index, number


# -- pairs ------------------------------------------------------------------------------------------------------


def check_pairs(text: SuiteText, options: Options) -> Outcome:
    """Neither refusing throughout nor agreeing throughout is right for more of what is paired than the ceiling."""
    ceiling = limit(options, "ceiling")
    refused: list[bool] = []
    agreed: list[bool] = []
    for episode in text.episodes:
        for pair in _pairs(episode):
            if any(_refuses(gold) for gold in pair):
                refused += [_refuses(gold) for gold in pair]
            holds = [field.answer == "yes" for gold in pair for field in gold.fields if field.name == "holds"]
            agreed += holds if len(holds) == len(pair) else []
    found: list[Finding] = []
    measures: list[Measure] = []
    for name, answers in (("refusing what is paired", refused), ("agreeing with a paired premise", agreed)):
        right = sum(answers)
        measures.append(proportion(name, right, len(answers), ceiling))
        if ceiling is not None and answers and right / len(answers) > ceiling:
            message = f"{name} is right for {right} of {len(answers)} (at most {ceiling:.0%})"
            found.append(Finding(code="U411", message=message))
    return Outcome(tuple(found), tuple(measures))


def _pairs(episode: Episode) -> Iterator[tuple[Gold, Gold]]:
    """The golds of the same question, at the same window, of a thread and of its paired control."""
    golds = {(a.probe.thread, a.probe.type, a.probe.window): a.gold for a in episode.probes}
    for (name, kind, window), gold in golds.items():
        control = golds.get((episode.spec.thread(name).twin or "", kind, window))
        if control is not None:
            yield gold, control


def _refuses(gold: Gold) -> bool:
    return any(field.refusal for field in gold.fields)


EPISODE: tuple[Validator[EpisodeText], ...] = (
    Validator(
        "windows", "E209", "episode", "A window before its subject came up, or a change seen from one side only.",
        "A curve over windows compares the same fact at different ages; a point that is none bends it.",
        Example("told in session 9, asked at windows after 12 and 20 sessions", "told in session 9, asked after 8"),
        check_windows,
    ),
    Validator(
        "unanswerable", "E210", "episode", "A value, anywhere in the history, of what was never to be said.",
        "A question that can be answered after all scores the better memory as the worse one.",
        Example("the port of the other daemon is named", "a filler that names the port of this one"),
        check_unanswerable,
    ),
)  # fmt: skip
PAIRS: Validator[SuiteText] = Validator(
    "pairs", "U411", "suite", "Pairs of questions that one answer throughout gets right more often than by half.",
    "Who refuses everything is safe, and knows nothing; so is who agrees with every question.",
    Example("half of the paired questions have an answer", "every question about a port is one that was never named"),
    check_pairs, {"ceiling": 0.55},
)  # fmt: skip
