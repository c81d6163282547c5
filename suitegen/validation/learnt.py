"""What can be learnt from questions and answers alone: closed-book accuracy, and leaks of the expected behaviour."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Hashable, Iterator, Sequence
from dataclasses import dataclass
from sys import intern

from suitegen.model.episode import AskedProbe, Episode
from suitegen.model.finding import Finding
from suitegen.model.gold import Gold
from suitegen.model.words import Behavior
from suitegen.validation.bayes import Item, held_out
from suitegen.validation.options import limit, number
from suitegen.validation.protocol import Example, Options, Outcome, SuiteText, Validator
from suitegen.validation.statistics import proportion, wilson
from suitegen.values.tokens import words


def not_yet(episodes: Collection[Episode], options: Options) -> str:
    """Why a learnt gate does not judge yet; empty when there are episodes enough to learn from."""
    least = int(number(options, "from"))
    if len(episodes) >= least:
        return ""
    return f"{len(episodes)} episodes are too few to learn from: figures only, the gate runs from {least}"


# -- closed book ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Rate:
    """How often a way of guessing is right, and how often the majority of its training data would be."""

    name: str
    right: int
    n: int
    chance: float

    @property
    def excess(self) -> float:
        """Points above chance."""
        return self.right / self.n - self.chance


@dataclass(frozen=True, slots=True)
class _Row:
    """A field of a probe: what is known without any history, and the answer."""

    fact_type: str
    item: Item


def check_closed_book(text: SuiteText, options: Options) -> Outcome:
    """Neither the usual answer of a fact type nor the question alone gives the gold."""
    margin = number(options, "margin")
    found, measures = [], []
    for rate in _closed_book(text.episodes):
        measures.append(proportion(rate.name, rate.right, rate.n, min(1.0, rate.chance + margin)))
        # Rare probe types: only what is above chance beyond doubt counts.
        if rate.excess > margin and wilson(rate.right, rate.n)[0] > rate.chance:
            share = f"{rate.right / rate.n:.0%} of {rate.n} are right without any history"
            found.append(Finding(code="U405", message=f"{rate.name}: {share}, chance is {rate.chance:.0%}"))
    idle = not_yet(text.episodes, options)
    return Outcome((), tuple(measures), idle) if idle else Outcome(tuple(found), tuple(measures))


def _closed_book(episodes: Collection[Episode]) -> Iterator[_Rate]:
    """For each probe type and way of guessing the rate of the field that is guessed best."""
    fields: dict[str, dict[str, list[_Row]]] = defaultdict(lambda: defaultdict(list))
    for episode in episodes:
        for asked in _different(episode):
            spoken = _spoken(asked)
            fact_type = intern(episode.spec.thread(asked.probe.thread).fact_type)
            for field in asked.gold.fields:
                item = Item(spoken, intern(field.answer), episode.spec.case)
                fields[asked.probe.type][field.name].append(_Row(fact_type, item))
    for kind in sorted(fields):
        for name, guess in (("modal gold", _by_mode), ("question only", _by_question)):
            rates = [guess(f"{kind} by {name}", rows) for rows in fields[kind].values()]
            yield max(rates, key=lambda rate: rate.excess)


def _different(episode: Episode) -> Iterator[AskedProbe]:
    """The probes of an episode; of what is asked in the same words at several windows those with another answer."""
    seen: set[tuple[str, Gold]] = set()
    for asked in episode.probes:
        key = (asked.question.question, asked.gold)
        if asked.probe.window is None or key not in seen:
            yield asked
        seen.add(key)


def _spoken(asked: AskedProbe) -> tuple[str, ...]:
    """The words of a question; the same words of many questions are held once."""
    return tuple(map(intern, words(asked.question.question)))


def _by_mode(name: str, rows: Sequence[_Row]) -> _Rate:
    """The most frequent answer of the same fact type in the other cases."""
    modes = _modes(rows)
    right = sum(mode == row.item.label for row, (mode, _) in zip(rows, modes, strict=True))
    return _Rate(name, right, len(rows), sum(share for _, share in modes) / len(rows))


def _by_question(name: str, rows: Sequence[_Row]) -> _Rate:
    """What a classifier of questions answers; chance is the same as for the most frequent answer."""
    answers = held_out([row.item for row in rows], "closed book")
    right = sum(answer == row.item.label for row, answer in zip(rows, answers, strict=True))
    return _Rate(name, right, len(rows), sum(share for _, share in _modes(rows)) / len(rows))


def _modes(rows: Sequence[_Row]) -> list[tuple[str | None, float]]:
    """For each row the majority answer of its fact type outside of its case, and the majority's rate there."""
    every: dict[str, Counter[str]] = defaultdict(Counter)
    own: dict[tuple[str, object], Counter[str]] = defaultdict(Counter)
    for row in rows:
        every[row.fact_type][row.item.label] += 1
        own[row.fact_type, row.item.group][row.item.label] += 1
    found: dict[tuple[str, object], tuple[str | None, float]] = {}
    for key, counts in own.items():
        others = every[key[0]] - counts
        mode = max(sorted(others), key=lambda label: others[label], default=None)
        found[key] = (mode, others[mode] / others.total() if mode is not None else 0.0)
    return [found[row.fact_type, row.item.group] for row in rows]


# -- question leak ----------------------------------------------------------------------------------------------


def check_question_leak(text: SuiteText, options: Options) -> Outcome:
    """Neither a question's words nor the types asked in an episode tell which behaviour is expected.

    A published design that asks a type under one behaviour only cannot meet the ceiling. It is
    held to the least that any plan of it can reach, which is reported beside the figure.
    """
    ceiling = limit(options, "ceiling")
    found, measures = [], []
    for name, items, kinds in _leaks(text.episodes):
        answers = held_out(items, name)
        right = sum(answer == item.label for item, answer in zip(items, answers, strict=True))
        measures.append(proportion(name, right, len(items), ceiling))
        most = ceiling
        if ceiling is not None and text.kit.suite.leaky_probes:
            told = _told(items, kinds)
            measures.append(proportion(f"{name}, least of any plan", told, len(items)))
            most = max(ceiling, told / len(items)) if items else ceiling
        if most is not None and items and right / len(items) > most:
            message = f"{name}: {right / len(items):.0%} of the expected behaviours can be told (at most {most:.0%})"
            found.append(Finding(code="U406", message=message))
    idle = not_yet(text.episodes, options)
    return Outcome((), tuple(measures), idle) if idle else Outcome(tuple(found), tuple(measures))


def _told(items: Sequence[Item], kinds: Sequence[Hashable]) -> int:
    """How many behaviours the kinds alone tell: the design fixes both, so no plan of it has less."""
    under: dict[Hashable, Counter[str]] = defaultdict(Counter)
    for item, kind in zip(items, kinds, strict=True):
        under[kind][item.label] += 1
    return sum(max(counts.values()) for counts in under.values())


def _leaks(episodes: Collection[Episode]) -> tuple[tuple[str, list[Item], list[Hashable]], ...]:
    """What may tell the behaviour: a name, the items to learn from, and what the design fixes of each."""
    questions: list[Item] = []
    kinds: list[Hashable] = []
    siblings: list[Item] = []
    for episode in episodes:
        expects = {thread.id: thread.expects for thread in episode.spec.threads}
        for asked in episode.probes:
            if behavior := episode.spec.thread(asked.probe.thread).expects:
                questions.append(_question(episode, asked, behavior))
                kinds.append(asked.probe.type)
        siblings += [_siblings(episode, name, behavior) for name, behavior in expects.items() if behavior]
    return (
        ("expected behaviour by question text", questions, kinds),
        ("expected behaviour by sibling types", siblings, [item.words for item in siblings]),
    )


def _question(episode: Episode, asked: AskedProbe, expects: Behavior) -> Item:
    text = (*_spoken(asked), intern(f"type:{asked.probe.type}"))
    return Item(text, expects, episode.spec.case)


def _siblings(episode: Episode, thread: str, expects: Behavior) -> Item:
    """The probe types of a thread with their number; which of them is asked first says nothing new."""
    own = (asked for asked in episode.probes if not episode.spec.shared or asked.probe.thread == thread)
    kinds = Counter(asked.probe.type for asked in own)
    asked = tuple(intern(f"{kind} {number}") for kind, count in sorted(kinds.items()) for number in range(1, count + 1))
    return Item(asked, expects, episode.spec.case)


CLOSED_BOOK: Validator[SuiteText] = Validator(
    "closed_book", "U405", "suite", "Answers that can be guessed from the fact type or the question alone.",
    "A gold that is usual for its attribute, or that the question gives away, is no test of memory.",
    Example("modal gold is right for 14 %, chance is 13 %", "every second new gym is the same one"),
    check_closed_book, {"margin": 0.1, "from": 200},
)  # fmt: skip

QUESTION_LEAK: Validator[SuiteText] = Validator(
    "question_leak", "U406", "suite", "Questions, or types asked together, that tell the expected behaviour.",
    "A system that knows from the question that something changed need not have remembered it.",
    Example("the classifier is right for 50 %", "'what was it before the change?' is asked after changes only"),
    check_question_leak, {"ceiling": 0.55, "from": 200},
)  # fmt: skip
