"""Evidence or filler: whether a classifier of style alone can tell which sessions matter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Any

from suitegen.model.finding import Finding, Measure
from suitegen.model.words import SessionKind
from suitegen.validation.learnt import not_yet
from suitegen.validation.options import limit
from suitegen.validation.protocol import Example, Options, Outcome, SuiteText, Validator
from suitegen.validation.statistics import DIGITS, auc, auc_interval, folds
from suitegen.validation.style import Told, columns, style, told, with_tell

CODE = "U407"
SAMPLE = 800
"""Most sessions of one kind that are looked at, spread evenly over the suite."""
FOLDS = 5
PENALTY = 300.0
"""Weight of the squared norm against the sum of squared errors over standardised features."""
SIGNS = 5
"""How many features a finding names."""
_SCORE_DIGITS = 6
_AGAINST: tuple[tuple[str, SessionKind], ...] = (("background", "background"), ("near_miss", "near_miss"))
"""Options that hold a ceiling, with the kind of filler that evidence is held against."""


@dataclass(frozen=True, slots=True)
class _Side:
    """Sessions of one class: the features of each, and the case it comes from."""

    rows: tuple[Mapping[str, float], ...]
    groups: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Judged:
    """How well evidence is told from filler, on sessions that were not learnt from."""

    area: float
    low: float
    high: float
    n: int
    signs: tuple[str, ...]
    """The features that tell most."""


def check_evidence_or_filler(text: SuiteText, options: Options) -> Outcome:
    """Style alone does not tell sessions that hold evidence from those that do not."""
    found: list[Finding] = []
    measures: list[Measure] = []
    sessions = _sampled(text)
    evidence = _side(sessions["event"])
    for name, kind in _AGAINST:
        ceiling, judged = limit(options, name), _judge(evidence, _side(sessions[kind]))
        title = f"AUC of evidence against {name.replace('_', ' ')}"
        measures.append(_measure(title, judged, ceiling))
        if judged is not None and ceiling is not None and judged.high > ceiling:
            figures = f"{title} is {judged.area:.2f}, up to {judged.high:.2f} (at most {ceiling:.2f})"
            found.append(Finding(code=CODE, message=f"{figures}; it is told by {', '.join(judged.signs)}"))
    least, judged = limit(options, "planted"), _judge(*_planted(sessions["event"]))
    measures.append(_measure("AUC with a planted tell", judged, least))
    if judged is not None and least is not None and judged.area < least:
        message = f"a planted tell is found with an AUC of {judged.area:.2f} only (at least {least:.2f})"
        found.append(Finding(code=CODE, message=message))
    idle = not_yet(text.episodes, options)
    return Outcome((), tuple(measures), idle) if idle else Outcome(tuple(found), tuple(measures))


def _sampled(text: SuiteText) -> Mapping[SessionKind, Sequence[Told]]:
    """Sessions by kind, at most ``SAMPLE`` of each, spread evenly over the suite."""
    total = Counter(plan.kind for episode in text.episodes for plan in episode.spec.sessions)
    kinds: tuple[SessionKind, ...] = ("event", *(kind for _, kind in _AGAINST))
    chosen = {kind: {n * total[kind] // SAMPLE for n in range(SAMPLE)} for kind in kinds if total[kind] > SAMPLE}
    seen: Counter[SessionKind] = Counter()
    found: dict[SessionKind, list[Told]] = {kind: [] for kind in kinds}
    for session in told(text.kit, text.episodes, kinds):
        if session.kind not in chosen or seen[session.kind] in chosen[session.kind]:
            found[session.kind].append(session)
        seen[session.kind] += 1
    return found


def _planted(sessions: Sequence[Told]) -> tuple[_Side, _Side]:
    """Evidence of every second case with a tell, and evidence of the others without one."""
    halves = dict(zip(dict.fromkeys(session.group for session in sessions), cycle((True, False)), strict=False))
    marked = [with_tell(session) for session in sessions if halves[session.group]]
    return _side(marked), _side([session for session in sessions if not halves[session.group]])


def _side(sessions: Sequence[Told]) -> _Side:
    return _Side(tuple(style(session) for session in sessions), tuple(session.group for session in sessions))


def _measure(name: str, judged: _Judged | None, threshold: float | None) -> Measure:
    if judged is None:
        return Measure(name=name, value=None, threshold=threshold)
    area, low, high = (round(value, DIGITS) for value in (judged.area, judged.low, judged.high))
    return Measure(name=name, value=area, threshold=threshold, low=low, high=high, n=judged.n)


# -- the classifier ---------------------------------------------------------------------------------------------


def _judge(evidence: _Side, filler: _Side) -> _Judged | None:
    """The area of held-out scores; None where either side comes from too few cases."""
    if min(len(set(evidence.groups)), len(set(filler.groups))) < FOLDS:
        return None
    rows, count = (*evidence.rows, *filler.rows), len(evidence.rows)
    names = columns(rows)
    scores, weights = _scores(rows, names, count, folds((*evidence.groups, *filler.groups), FOLDS, "style"))
    area = auc(scores[:count], scores[count:])
    low, high = auc_interval(area, count, len(filler.rows))
    strongest = sorted(zip(names, weights, strict=True), key=lambda pair: (-abs(pair[1]), pair[0]))
    return _Judged(area, low, high, len(rows), tuple(name for name, _ in strongest[:SIGNS]))


def _scores(
    rows: Sequence[Mapping[str, float]], names: Sequence[str], positive: int, dealt: Sequence[int]
) -> tuple[list[float], list[float]]:
    """Each row's score by a classifier that saw no row of its fold, and the mean weights of the classifiers.

    Args:
        rows: features by name, the positive rows first.
        names: the features that are looked at.
        positive: how many rows are positive.
        dealt: the fold of each row.
    """
    import numpy as np

    matrix = np.array([[row.get(name, 0.0) for name in names] for row in rows])
    labels = np.where(np.arange(len(rows)) < positive, 1.0, -1.0)
    fold = np.array(dealt)
    scores, total = np.zeros(len(rows)), np.zeros(len(names))
    for number in sorted(set(dealt)):
        train, test = fold != number, fold == number
        middle, spread, weights = _learnt(matrix[train], labels[train])
        scores[test] = (matrix[test] - middle) / spread @ weights[:-1] + weights[-1]
        total += weights[:-1]
    return np.round(scores, _SCORE_DIGITS).tolist(), np.round(total / FOLDS, _SCORE_DIGITS).tolist()


def _learnt(features: Any, labels: Any) -> tuple[Any, Any, Any]:
    """Mean, deviation and weights (the last one constant) of a ridge classifier in which both classes count the same.

    With labels of 1 and -1 this is a linear discriminant with a shrunk covariance (Hastie et al. 1995).
    """
    import numpy as np

    middle, spread = features.mean(axis=0), features.std(axis=0)
    spread[spread == 0] = 1.0
    rows = np.hstack([(features - middle) / spread, np.ones((len(features), 1))])
    share = (labels > 0).mean()
    balance = np.where(labels > 0, 0.5 / share, 0.5 / (1 - share))[:, None]
    penalty = np.diag([PENALTY] * features.shape[1] + [1e-6])
    weights = np.linalg.solve((rows * balance).T @ rows + penalty, (rows * balance).T @ labels)
    return middle, spread, weights


EVIDENCE_OR_FILLER: Validator[SuiteText] = Validator(
    "evidence_or_filler", CODE, "suite", "Sessions with evidence that are told from fillers by style alone.",
    "A retriever that learns the style of evidence finds it without understanding the question.",
    Example("evidence and near misses end alike", "only after evidence does the assistant say 'Noted.'"),
    check_evidence_or_filler, {"background": 0.7, "near_miss": 0.65, "planted": 0.9, "from": 200},
)  # fmt: skip
