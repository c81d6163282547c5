"""Shortcuts: rules that remember nothing or next to nothing, and how often they are right all the same.

MemProbe (section 3.4 and appendix E) checks a suite with rule-based baselines that pick a candidate by
place or speaker. Here each has a ceiling of its own for each probe type: a mean over types would hide
a type that a rule solves.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from suitegen.model.episode import AskedProbe, Episode
from suitegen.model.finding import Finding, Measure
from suitegen.model.latent import Event
from suitegen.model.words import Facet, SessionKind
from suitegen.validation.options import limit, listed
from suitegen.validation.protocol import Example, Options, Outcome, SuiteText, Validator
from suitegen.validation.statistics import proportion

CODE = "U403"
_FACETS: tuple[Facet, ...] = ("old", "value")


@dataclass(frozen=True, slots=True)
class Said:
    """A value of the asked attribute where the visible history states it, of whatever entity."""

    value: str
    event: Event
    kind: SessionKind


Rule = Callable[[Sequence[Said], str], str | None]
"""From what was said, in order, and the member that is asked about, to an answer."""


def said(episode: Episode, asked: AskedProbe) -> tuple[Said, ...]:
    """Every value of the asked attribute that the sessions before the probe state, in order."""
    spec = episode.spec
    about = spec.member(asked.probe.about)
    attribute = (about.fact_type, about.attribute, about.confusable)
    same = {member.name for member in spec.cast if (member.fact_type, member.attribute, member.confusable) == attribute}
    kinds = {plan.index: plan.kind for plan in spec.sessions}
    return tuple(
        Said(value, event, kinds[event.session])
        for event in spec.events
        if event.target in same and event.session <= asked.question.visible_until
        for facet in _FACETS
        if event.states(facet) and (value := getattr(event, facet)) is not None
    )


def latest_mention(history: Sequence[Said], about: str) -> str | None:
    """The last value anywhere, of any entity."""
    return history[-1].value if history else None


def always_update(history: Sequence[Said], about: str) -> str | None:
    """The last value that is no filler's: takes over whatever comes up."""
    return next((each.value for each in reversed(history) if each.kind == "event"), None)


def always_preserve(history: Sequence[Said], about: str) -> str | None:
    """The first value of the target: never takes anything over."""
    return next((each.value for each in history if each.event.target == about), None)


def most_frequent(history: Sequence[Said], about: str) -> str | None:
    """The value said most often; of equally frequent ones the latest."""
    counts = Counter(each.value for each in history)
    latest = {each.value: place for place, each in enumerate(history)}
    return max(counts, key=lambda value: (counts[value], latest[value]), default=None)


def last_of_user(history: Sequence[Said], about: str) -> str | None:
    """The last value that the user says."""
    return next((each.value for each in reversed(history) if each.event.speaker == "user"), None)


RULES: Mapping[str, Rule] = {
    "latest mention": latest_mention,
    "always update": always_update,
    "always preserve": always_preserve,
    "most frequent": most_frequent,
    "last value of the user": last_of_user,
}
_CEILINGS: Mapping[str, str] = {
    "latest mention": "latest_mention",
    "always update": "always_update",
    "always preserve": "always_preserve",
}
"""Rules with a ceiling, by the name of its option; the others are only measured."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """One answer of a shortcut: of which case, and whether it is right."""

    case: str
    right: bool


def check_shortcuts(text: SuiteText, options: Options) -> Outcome:
    """No shortcut answers more probes of a type than its ceiling allows."""
    found: list[Finding] = []
    measures: list[Measure] = []
    for name, ceiling, halves, answers in _measured(text.episodes, options):
        right = sum(answer.right for answer in answers)
        measures.append(proportion(name, right, len(answers), ceiling))
        if ceiling is not None and right > _allowed(ceiling, halves, answers):
            message = f"{name}: {right} of {len(answers)} are right ({right / len(answers):.0%}, at most {ceiling:.0%})"
            found.append(Finding(code=CODE, message=message))
    return Outcome(tuple(found), tuple(measures))


def _measured(episodes: Sequence[Episode], options: Options) -> Iterator[tuple[str, float | None, bool, list[_Answer]]]:
    """Name, ceiling, whether half is the least that balance can reach, and the answers."""
    for name, rule in RULES.items():
        ceiling = limit(options, _CEILINGS[name]) if name in _CEILINGS else None
        yield f"current by {name}", ceiling, name.startswith("always"), list(_by_rule(episodes, rule))
    yield "current by modal gold", limit(options, "modal_gold"), False, list(_by_mode(episodes))
    gated = listed(options, "constant_fields")
    for (kind, field), labels in _enums(episodes).items():
        counts = Counter(label for _, label in labels)
        constant = max(sorted(counts), key=lambda label: counts[label])
        ceiling = limit(options, "constant") if field in gated else None
        answers = [_Answer(case, label == constant) for case, label in labels]
        yield f"{kind}.{field} by the best constant", ceiling, True, answers


def _allowed(ceiling: float, halves: bool, answers: Sequence[_Answer]) -> int:
    """How many may be right: the ceiling, but never less than one case, or half of an odd number, gives."""
    one_case = max(Counter(answer.case for answer in answers).values())
    half = (len(answers) + 1) // 2 if halves else 0
    return max(int(ceiling * len(answers) + 1e-9), one_case, half)


def _current(episodes: Sequence[Episode]) -> Iterator[tuple[Episode, AskedProbe]]:
    return ((episode, asked) for episode in episodes for asked in episode.probes if asked.probe.type == "current")


def _by_rule(episodes: Sequence[Episode], rule: Rule) -> Iterator[_Answer]:
    for episode, asked in _current(episodes):
        answer = rule(said(episode, asked), asked.probe.about)
        yield _Answer(episode.spec.case, answer == asked.gold.field("value").answer)


def _by_mode(episodes: Sequence[Episode]) -> Iterator[_Answer]:
    """The most frequent gold of the fact type in the other cases."""
    golds: dict[str, Counter[str]] = defaultdict(Counter)
    own: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for episode, asked in _current(episodes):
        answer = asked.gold.field("value").answer
        golds[episode.spec.fact_type][answer] += 1
        own[episode.spec.fact_type, episode.spec.case][answer] += 1
    for episode, asked in _current(episodes):
        spec = episode.spec
        others = golds[spec.fact_type] - own[spec.fact_type, spec.case]
        mode = max(sorted(others), key=lambda answer: others[answer], default=None)
        yield _Answer(spec.case, mode == asked.gold.field("value").answer)


def _enums(episodes: Sequence[Episode]) -> dict[tuple[str, str], list[tuple[str, str]]]:
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
        "latest_mention": 0.35, "always_update": 0.55, "always_preserve": 0.55, "modal_gold": 0.55, "constant": 0.55,
        "constant_fields": "changed source status",
    },
)  # fmt: skip
