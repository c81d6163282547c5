"""Shortcuts: rules that remember nothing or next to nothing, and how often they are right all the same.

MemProbe (section 3.4 and appendix E) checks a suite with rule-based baselines that pick a candidate by
place or speaker. Here each has a ceiling of its own for each probe type: a mean over types would hide
a type that a rule solves.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from suitegen.model.episode import AskedProbe, Episode
from suitegen.model.finding import Finding, Measure
from suitegen.model.history import Role, Session
from suitegen.model.latent import Event, LatentSpec, Probe
from suitegen.model.words import Facet, ProbeType, SessionKind
from suitegen.validation.options import limit, listed
from suitegen.validation.protocol import Example, Kit, Options, Outcome, SuiteText, Validator
from suitegen.validation.statistics import proportion
from suitegen.values.tokens import words

CODE = "U403"
_FACETS: tuple[Facet, ...] = ("old", "value")


@dataclass(frozen=True, slots=True)
class Said:
    """A value of the asked attribute where the visible history states it, of whatever entity."""

    value: str
    event: Event
    kind: SessionKind


@dataclass(frozen=True, slots=True)
class Named:
    """A value that a turn names so that it could be one of the asked attribute, whatever the turn is there for."""

    value: str
    session: int
    role: Role


@dataclass(frozen=True, slots=True)
class Task:
    """A probe that asks for a value, as a rule sees it."""

    named: Sequence[Named]
    """What the text of the visible sessions names, in order: what a rule that goes by the text has."""
    told: Sequence[Said]
    """What the events of the visible sessions state, in order: what a rule goes by that takes over all, or nothing."""
    about: str
    """The member that is asked about."""
    length: int
    """How many sessions are visible."""
    question: str = ""
    sessions: Sequence[Session] = ()
    """The visible ones; none where there is only a plan."""


Rule = Callable[[Task], str | None]
VALUE_TYPES: tuple[ProbeType, ...] = ("current", "previous", "original", "as_of")
"""Probe types that ask for one value."""
PLACES = 10
"""Into so many stretches a history is cut by the rule that goes by the place alone."""


def said(spec: LatentSpec, about: str, until: int) -> tuple[Said, ...]:
    """Every value of a member's attribute that the events of the sessions up to an index state, in order."""
    member = spec.member(about)
    attribute = (member.fact_type, member.attribute, member.confusable)
    same = {other.name for other in spec.cast if (other.fact_type, other.attribute, other.confusable) == attribute}
    kinds = {plan.index: plan.kind for plan in spec.sessions}
    return tuple(
        Said(value, event, kinds[event.session])
        for event in spec.events
        if event.target in same and event.session <= until
        for facet in _FACETS
        if event.states(facet) and (value := getattr(event, facet)) is not None
    )


def named(kit: Kit, episode: Episode, about: str) -> tuple[Named, ...]:
    """Every value that the text of a history names as one of a member's attribute, in order.

    Fillers count as anything else does, and so does a value of another attribute that the words do not tell apart.
    """
    vocabulary = kit.lexicon.of(episode.spec.member(about))
    return tuple(
        Named(mention.value, session.index, turn.role)
        for session in episode.sessions
        for turn in session.turns
        for mention in vocabulary.mentions(turn.content)
    )


def latest_mention(task: Task) -> str | None:
    """The last value anywhere, of any entity."""
    return task.named[-1].value if task.named else None


def first_mention(task: Task) -> str | None:
    """The first value anywhere, of any entity."""
    return task.named[0].value if task.named else None


def always_update(task: Task) -> str | None:
    """The last value that is no filler's: takes over whatever comes up."""
    return next((each.value for each in reversed(task.told) if each.kind == "event"), None)


def always_preserve(task: Task) -> str | None:
    """The first value of the target: never takes anything over."""
    return next((each.value for each in task.told if each.event.target == task.about), None)


def most_frequent(task: Task) -> str | None:
    """The value said most often; of equally frequent ones the latest."""
    counts = Counter(each.value for each in task.named)
    latest = {each.value: place for place, each in enumerate(task.named)}
    return max(counts, key=lambda value: (counts[value], latest[value]), default=None)


def last_of_user(task: Task) -> str | None:
    """The last value that the user says."""
    return next((each.value for each in reversed(task.named) if each.role == "user"), None)


def always_refuse(task: Task) -> str | None:
    """That there is nothing to say, whatever is asked."""
    return None


def keyword_overlap(task: Task) -> str | None:
    """The last value in the session that shares most words with the question, of those that state any."""
    asked, stated = frozenset(words(task.question)), {each.session for each in task.named}
    best = max(
        (session for session in task.sessions if session.index in stated),
        key=lambda session: (len(asked & _spoken(session)), session.index),
        default=None,
    )
    return next((each.value for each in reversed(task.named) if best and each.session == best.index), None)


def _spoken(session: Session) -> frozenset[str]:
    return frozenset(word for turn in session.turns for word in words(turn.content))


def longest(task: Task) -> str | None:
    """The longest of the values that came up; of equally long ones the latest."""
    return max(reversed([each.value for each in task.named]), key=len, default=None)


def shortest(task: Task) -> str | None:
    """The shortest of the values that came up; of equally short ones the latest."""
    return min(reversed([each.value for each in task.named]), key=len, default=None)


def _at(place: int) -> Rule:
    """The last value up to a fixed share of the history."""

    def rule(task: Task) -> str | None:
        until = (place + 1) * task.length / PLACES
        return next((each.value for each in reversed(task.named) if each.session < until), None)

    return rule


RULES: Mapping[str, Rule] = {
    "latest mention": latest_mention,
    "first mention": first_mention,
    "always update": always_update,
    "always preserve": always_preserve,
    "most frequent": most_frequent,
    "last value of the user": last_of_user,
    "refusing": always_refuse,
    "keyword overlap": keyword_overlap,
    "the longest value": longest,
    "the shortest value": shortest,
}
PLACE_RULES: Mapping[str, Rule] = {f"place {place}": _at(place) for place in range(PLACES)}
CEILINGS: Mapping[str, str] = {
    "latest mention": "latest_mention",
    "always update": "always_update",
    "always preserve": "always_preserve",
    "keyword overlap": "keyword_overlap",
    "the longest value": "value_length",
    "the shortest value": "value_length",
    "the best place": "place",
}
"""Rules with a ceiling on current probes, by the name of its option; all else is only measured."""
FEW = 20
"""Below so many probes, what is drawn and not planned is measured only."""
DRAWN = frozenset({"keyword overlap", "the longest value", "the shortest value"})
HALVES = frozenset({"always update", "always preserve", "the best place"})
"""Rules of which one behaviour is always right: balance cannot bring them below half."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """One answer of a shortcut: of which case, and whether it is right."""

    case: str
    right: bool


def check_shortcuts(text: SuiteText, options: Options) -> Outcome:
    """No shortcut answers more probes of a type than its ceiling allows."""
    found: list[Finding] = []
    measures: list[Measure] = []
    for name, ceiling, halves, answers in _measured(text, options):
        right = sum(answer.right for answer in answers)
        measures.append(proportion(name, right, len(answers), ceiling))
        if ceiling is not None and right > allowed(ceiling, halves, [answer.case for answer in answers]):
            message = f"{name}: {right} of {len(answers)} are right ({right / len(answers):.0%}, at most {ceiling:.0%})"
            found.append(Finding(code=CODE, message=message))
    return Outcome(tuple(found), tuple(measures))


def _measured(text: SuiteText, options: Options) -> Iterator[tuple[str, float | None, bool, list[_Answer]]]:
    """Name, ceiling, whether half is the least that balance can reach, and the answers."""
    answers = _answers(text)
    for kind in (kind for kind in VALUE_TYPES if kind in answers):
        own = answers[kind]
        best = max(PLACE_RULES, key=lambda name: sum(answer.right for answer in own[name]))
        for name, given in {**{name: own[name] for name in RULES}, "the best place": own[best]}.items():
            judged = kind == "current" and name in CEILINGS and (name not in DRAWN or len(given) >= FEW)
            ceiling = limit(options, CEILINGS[name]) if judged else None
            yield f"{kind} by {name}", ceiling, name in HALVES, given
    yield "current by modal gold", limit(options, "modal_gold"), False, list(_by_mode(text.episodes))
    gated = listed(options, "constant_fields")
    for (asked, field), labels in _enums(text.episodes).items():
        counts = Counter(label for _, label in labels)
        constant = max(sorted(counts), key=lambda label: counts[label])
        ceiling = limit(options, "constant") if field in gated else None
        constants = [_Answer(case, label == constant) for case, label in labels]
        yield f"{asked}.{field} by the best constant", ceiling, True, constants


def allowed(ceiling: float, halves: bool, cases: Sequence[str]) -> int:
    """How many answers may be right: the ceiling, but never less than one case, or half of an odd number, gives.

    Args:
        ceiling: the largest share.
        halves: whether half is the least that balance can reach.
        cases: the case of each answer; at least one.
    """
    one_case = max(Counter(cases).values())
    half = (len(cases) + 1) // 2 if halves else 0
    return max(int(ceiling * len(cases) + 1e-9), one_case, half)


def _current(episodes: Collection[Episode]) -> Iterator[tuple[Episode, AskedProbe]]:
    return ((episode, asked) for episode in episodes for asked in episode.probes if asked.probe.type == "current")


def _answers(text: SuiteText) -> dict[ProbeType, dict[str, list[_Answer]]]:
    """What every rule answers to every probe that asks for a value."""
    found: dict[ProbeType, dict[str, list[_Answer]]] = {}
    for episode in text.episodes:
        asked_for = [asked for asked in episode.probes if asked.probe.type in VALUE_TYPES]
        values = _named_by(text.kit, episode, {asked.probe.about for asked in asked_for})
        for asked in asked_for:
            given = found.setdefault(asked.probe.type, {name: [] for name in (*RULES, *PLACE_RULES)})
            task = task_of(episode, asked, values[asked.probe.about])
            right = asked.gold.field("value")
            for name, rule in (*RULES.items(), *PLACE_RULES.items()):
                answer = rule(task)
                # Without a value the answer is that there is none to give.
                given[name].append(
                    _Answer(episode.spec.case, right.refusal if answer is None else answer == right.answer)
                )
    return found


def _named_by(kit: Kit, episode: Episode, members: Collection[str]) -> Mapping[str, Sequence[Named]]:
    """What the history names for each member; those of one attribute share it."""
    shared: dict[tuple[str, str | None], Sequence[Named]] = {}
    found = {}
    for about in members:
        member = episode.spec.member(about)
        key = (member.fact_type, member.confusable)
        if key not in shared:
            shared[key] = named(kit, episode, about)
        found[about] = shared[key]
    return found


def task_of(episode: Episode, asked: AskedProbe, values: Sequence[Named]) -> Task:
    """A probe as a rule sees it; ``values`` is what the whole history names."""
    about, last = asked.probe.about, asked.question.visible_until
    visible = [each for each in values if each.session <= last]
    sessions = episode.sessions[: last + 1]
    return Task(visible, said(episode.spec, about, last), about, len(sessions), asked.question.question, sessions)


def planned_task(spec: LatentSpec, probe: Probe) -> Task:
    """A probe as a rule would see it if the text said what the events state, and nothing else."""
    told = said(spec, probe.about, probe.asked_after)
    stated = [Named(each.value, each.event.session, each.event.speaker) for each in told]
    return Task(stated, told, probe.about, probe.asked_after + 1)


def _by_mode(episodes: Collection[Episode]) -> Iterator[_Answer]:
    """The most frequent gold of the fact type in the other cases."""
    golds: dict[str, Counter[str]] = defaultdict(Counter)
    own: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for episode, asked in _current(episodes):
        answer = asked.gold.field("value").answer
        fact_type = episode.spec.thread(asked.probe.thread).fact_type
        golds[fact_type][answer] += 1
        own[fact_type, episode.spec.case][answer] += 1
    for episode, asked in _current(episodes):
        spec, fact_type = episode.spec, episode.spec.thread(asked.probe.thread).fact_type
        others = golds[fact_type] - own[fact_type, spec.case]
        mode = max(sorted(others), key=lambda answer: others[answer], default=None)
        yield _Answer(spec.case, mode == asked.gold.field("value").answer)


def _enums(episodes: Collection[Episode]) -> dict[tuple[str, str], list[tuple[str, str]]]:
    """Case and label of every answer from a closed list, by probe type and field."""
    found: dict[tuple[str, str], list[tuple[str, str]]] = defaultdict(list)
    for episode in episodes:
        for asked in episode.probes:
            for field in asked.gold.fields:
                if field.form == "enum":
                    found[asked.probe.type, field.name].append((episode.spec.case, field.answer))
    return found


SHORTCUTS: Validator[SuiteText] = Validator(
    "shortcuts", CODE, "suite", "A rule without memory that answers more probes of a type than its ceiling.",
    "A suite that is solved by taking the latest value, or by one constant answer, says nothing about memory.",
    Example("the latest mention is the current value in 20 of 100 probes", "'yes' is right for 70 of 100 changes"),
    check_shortcuts,
    {
        "latest_mention": 0.35, "always_update": 0.55, "always_preserve": 0.55, "keyword_overlap": 0.55,
        "value_length": 0.55, "place": 0.55, "modal_gold": 0.55, "constant": 0.55,
        "constant_fields": "changed source status",
    },
)  # fmt: skip
