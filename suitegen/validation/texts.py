"""Variety of the texts: near copies among what carries evidence, and how often the suite repeats itself."""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from rapidfuzz import fuzz

from suitegen.model.episode import Episode
from suitegen.model.finding import Finding, Measure
from suitegen.validation.options import limit, number
from suitegen.validation.protocol import Example, Kit, Options, Outcome, SuiteText, Validator
from suitegen.validation.statistics import DIGITS, proportion
from suitegen.values.normal import fold
from suitegen.values.tokens import words

COMPARED = 400
"""Most sessions of one fact type that are compared with each other, spread evenly over the suite."""
SAMPLE = 200_000
"""Characters that the figures of diversity read, so that suites of any size compare."""
SAMPLED = 500
"""Most episodes that those characters are taken from, spread evenly over the suite."""
_MASK = "_"


@dataclass(frozen=True, slots=True)
class _Text:
    """A session that holds evidence, with the values of its slots masked."""

    case: str
    variant: str
    where: str
    masked: str


def check_near_duplicates(text: SuiteText, options: Options) -> Outcome:
    """Few sessions with evidence nearly repeat one of another case, or of the same history."""
    near, most = number(options, "near"), number(options, "most")
    compared, copies = 0, []
    for texts in _by_fact_type(text).values():
        sample = texts[:: max(1, -(-len(texts) // COMPARED))]
        compared += len(sample)
        copies += list(_copies(sample, near))
    measure = proportion("near copies among sessions with evidence", len(copies), compared, most)
    if not compared or len(copies) / compared <= most:
        return Outcome((), (measure,))
    pairs = "; ".join(f"{one} and {other}" for one, other in copies[:3])
    share = f"{len(copies)} of {compared} sessions with evidence nearly repeat another (at most {most:.0%})"
    return Outcome((Finding(code="U408", message=f"{share}, such as {pairs}"),), (measure,))


def _by_fact_type(text: SuiteText) -> dict[str, list[_Text]]:
    """Only texts about the same attribute can be near copies once their values are masked."""
    found: dict[str, list[_Text]] = defaultdict(list)
    for episode in text.episodes:
        for name in dict.fromkeys(thread.fact_type for thread in episode.spec.threads):
            found[name] += _evidence(text.kit, episode, name)
    return found


def _evidence(kit: Kit, episode: Episode, fact_type: str) -> Iterator[_Text]:
    """The sessions with evidence of the threads that are about a fact type."""
    spec = episode.spec
    threads = {thread.id for thread in spec.threads if thread.fact_type == fact_type}
    spoken = {event.session for event in spec.events if event.thread in threads}
    for plan in spec.sessions:
        if plan.kind == "event" and plan.index in spoken:
            turns = episode.sessions[plan.index].turns
            masked = " ".join(_masked(kit, episode, turn.content) for turn in turns)
            yield _Text(spec.case, spec.variant, f"{episode.episode_id} session {plan.index}", masked)


def _masked(kit: Kit, episode: Episode, content: str) -> str:
    """The folded text with every value and entity of the cast taken out."""
    spans: list[tuple[int, int]] = []
    for name in sorted({member.fact_type for member in episode.spec.cast}):
        spans += [(m.start, m.end) for m in kit.lexicon.values_of(name).mentions(content, cued=False)]
    pieces, end = [], 0
    for start, stop in sorted(spans):
        if start >= end:
            pieces += [content[end:start], _MASK]
            end = stop
    text = fold("".join((*pieces, content[end:])))
    for entity in sorted({member.entity for member in episode.spec.cast if member.entity != "user"}):
        text = text.replace(fold(entity), _MASK)
    return text


def _copies(texts: Sequence[_Text], near: float) -> Iterator[tuple[str, str]]:
    """Texts that are near an earlier one; members of a matched group share theirs on purpose."""
    for place, text in enumerate(texts):
        for other in texts[:place]:
            if other.case == text.case and other.variant != text.variant:
                continue
            if fuzz.token_set_ratio(text.masked, other.masked, score_cutoff=near):
                yield text.where, other.where
                break


def check_diversity(text: SuiteText, options: Options) -> Outcome:
    """The suite's words and phrases do not repeat themselves beyond measure."""
    sample = _sample(text.episodes)
    if not sample:
        return Outcome(not_run="there is no text")
    pairs = [pair for content in sample for pair in pairwise(words(content))]
    distinct = len(set(pairs)) / len(pairs) if pairs else 0.0
    joined = "\n".join(sample).encode()
    ratio = len(joined) / len(zlib.compress(joined, 9))
    least, most = limit(options, "distinct_2"), limit(options, "compression")
    found = []
    if least is not None and distinct < least:
        found.append(f"only {distinct:.1%} of the pairs of words are different ones (at least {least:.0%})")
    if most is not None and ratio > most:
        found.append(f"the texts shrink to one part in {ratio:.1f} (at most {most:.0f})")
    measures = (
        Measure(name="distinct-2", value=round(distinct, DIGITS), threshold=least, n=len(pairs)),
        Measure(name="compression ratio", value=round(ratio, DIGITS), threshold=most, n=len(joined)),
    )
    return Outcome(tuple(Finding(code="U409", message=message) for message in found), measures)


def _sample(episodes: Collection[Episode]) -> list[str]:
    """Different turns, spread evenly over the suite, of ``SAMPLE`` characters in all."""
    some = islice(episodes, 0, None, max(1, -(-len(episodes) // SAMPLED)))
    turns = list(dict.fromkeys(t.content for e in some for s in e.sessions for t in s.turns if t.role != "tool"))
    step = max(1, sum(map(len, turns)) // SAMPLE)
    return turns[::step]


NEAR_DUPLICATES: Validator[SuiteText] = Validator(
    "near_duplicates", "U408", "suite", "Sessions with evidence that nearly repeat each other but for their values.",
    "Systems learn a form letter after a few episodes; what is measured then is the letter.",
    Example("two sessions about the standup in different scenes", "the same dialogue with 10:00 in place of 9:30"),
    check_near_duplicates, {"near": 95, "most": 0.1},
)  # fmt: skip

DIVERSITY: Validator[SuiteText] = Validator(
    "diversity", "U409", "suite", "Texts that repeat the same few phrases.",
    "In a small world of phrases every word that stands out points at the evidence.",
    Example("every third pair of words is a new one", "all assistants end with the same sentence"),
    check_diversity, {"distinct_2": 0.05, "compression": 12},
)  # fmt: skip
