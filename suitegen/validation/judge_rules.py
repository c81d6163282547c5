"""Checks by a judge: of sessions and gold answers, and of the judge itself.

A judge that passes everything looks like a good suite. So its errors are counted apart,
known-wrong answers and broken dialogues are put before it (negative controls), and a second
judge looks at a sample (Cohen 1960).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import zip_longest
from typing import NamedTuple, TypeVar

from suitegen.latent.seeds import shuffled
from suitegen.model.episode import AskedProbe, Episode
from suitegen.model.finding import Finding, Measure
from suitegen.model.history import Turn, Written
from suitegen.validation.judge import CRITERIA, Judge, Judgement
from suitegen.validation.options import limit, number
from suitegen.validation.protocol import (
    EpisodeText,
    Example,
    Kit,
    Options,
    Outcome,
    SessionText,
    SuiteText,
    Validator,
    session_text,
)
from suitegen.validation.quotes import events_of, span_of
from suitegen.validation.statistics import DIGITS, proportion

NO_JUDGE = "no judge model was named"
NO_SECOND = "no second judge model was named"
ERRORS = "judge errors"
_Item = TypeVar("_Item")


def validators(judge: Judge | None, second: Judge | None) -> tuple[
    Validator[SessionText], Validator[EpisodeText], Validator[SuiteText], Validator[SuiteText], Validator[SuiteText]
]:  # fmt: skip
    """The judge's validators. Without a judge they do not run, and say so."""
    return (
        Validator(
            "judged_session", "J501", "session", "A session that a model finds not to say what its events say.",
            "Rules see words; that somebody takes a rumour for settled, or answers past the question, a reader sees.",
            Example("the user confirms the new room, as listed", "'it is settled then', where only an idea is listed"),
            _sessions(judge),
        ),
        Validator(
            "judged_gold", "J601", "episode", "A gold answer that the dialogues do not bear out, or not alone.",
            "A question with two right answers measures the taste of its author.",
            Example("two sessions say 9:30, the last one changes it", "both rooms are said to hold on the same day"),
            _gold(judge),
        ),
        Validator(
            "judge_errors", "J701", "suite", "A judge that often gives no verdict that can be read.",
            "What was not judged did not pass; where verdicts are missing, those that are there are a selection.",
            Example("2 of 400 replies were no verdict", "every tenth reply was cut"),
            _errors(judge), {"most": 0.05},
        ),
        Validator(
            "judge_controls", "J702", "suite", "A judge that accepts known-wrong answers or broken dialogues.",
            "The verdicts of a judge are worth as much as what it turns down.",
            Example("3 of 120 planted faults are accepted", "the old value passes as the current one"),
            _controls(judge), {"sample": 40, "false_accept": 0.1},
        ),
        Validator(
            "judge_agreement", "J703", "suite", "Two judges that agree no better than by chance.",
            "A verdict that depends on who is asked is no property of the text.",
            Example("kappa .81 over 200 verdicts", "kappa .05: one of them passes everything"),
            _agreement(judge, second), {"sample": 40, "kappa": None},
        ),
    )  # fmt: skip


# -- sessions and gold answers ----------------------------------------------------------------------------------


def _sessions(judge: Judge | None) -> Callable[[SessionText, Options], Outcome]:
    def check(text: SessionText, options: Options) -> Outcome:
        """The judge passes the session by every criterion."""
        if judge is None:
            return Outcome(not_run=NO_JUDGE)
        if text.plan.kind == "background":
            return Outcome(not_run="background was not written for the suite")
        judged = judge.session(text)
        if judged.trouble:
            return _no_verdict(judged)
        found = tuple(
            Finding(code="J501", message=f"{name}: {reason}", feedback=f"{name.replace('_', ' ')}: {reason}")
            for name, reason in judged.failed.items()
        )
        measures = [_share(f"judge {name}", name not in judged.failed) for name in CRITERIA]
        return Outcome(found, (*measures, _share(ERRORS, False)))

    return check


def _gold(judge: Judge | None) -> Callable[[EpisodeText, Options], Outcome]:
    def check(text: EpisodeText, options: Options) -> Outcome:
        """The judge takes every gold answer for the only right one."""
        if judge is None:
            return Outcome(not_run=NO_JUDGE)
        found: list[Finding] = []
        passed = judged = errors = 0
        for asked in text.episode.probes:
            said = judge.gold(text.episode, asked, gold_of(asked))
            if said.trouble:
                errors += 1
                continue
            judged += 1
            passed += not said.failed
            for reason in said.failed.values():
                message = f"{asked.probe.id} ({asked.probe.type}): {reason}"
                found.append(Finding(code="J601", message=message, feedback=reason))
        measures = (proportion("judge gold", passed, judged), proportion(ERRORS, errors, judged + errors))
        return Outcome(tuple(found), measures)

    return check


def gold_of(asked: AskedProbe) -> dict[str, str]:
    """The gold answer by field."""
    return {part.name: "; ".join(a[0] for a in part.answers) or part.answer for part in asked.gold.fields}


def _no_verdict(judged: Judgement) -> Outcome:
    return Outcome(measures=(_share(ERRORS, True),), not_run=f"the judge gave no verdict: {judged.trouble}")


def _share(name: str, is_so: bool) -> Measure:
    return Measure(name=name, value=float(is_so), n=1)


# -- the judge itself -------------------------------------------------------------------------------------------


def _errors(judge: Judge | None) -> Callable[[SuiteText, Options], Outcome]:
    def check(text: SuiteText, options: Options) -> Outcome:
        """Few of the judge's replies could not be read."""
        if judge is None:
            return Outcome(not_run=NO_JUDGE)
        measures = [m for e in text.episodes for v in e.verdicts for m in v.measures if m.name == ERRORS]
        total, most = sum(measure.n for measure in measures), number(options, "most")
        wrong = round(sum((measure.value or 0.0) * measure.n for measure in measures))
        figure = proportion(ERRORS, wrong, total, most)
        if not total or wrong / total <= most:
            return Outcome((), (figure,))
        return Outcome((Finding(code="J701", message=f"{wrong} of {total} replies were no verdict"),), (figure,))

    return check


class _Control(NamedTuple):
    """Something that is wrong for certain, or right as far as is known, and how it is judged."""

    kind: str
    judge: Callable[[], Judgement]


def _controls(judge: Judge | None) -> Callable[[SuiteText, Options], Outcome]:
    def check(text: SuiteText, options: Options) -> Outcome:
        """The judge turns planted faults down."""
        if judge is None:
            return Outcome(not_run=NO_JUDGE)
        accepted: Counter[str] = Counter()
        judged: Counter[str] = Counter()
        for control in _planted(judge, text, int(number(options, "sample"))):
            said = control.judge()
            if not said.trouble:
                judged[control.kind] += 1
                accepted[control.kind] += not said.failed
        ceiling = number(options, "false_accept")
        figures = [proportion(f"false accepts, {kind}", accepted[kind], judged[kind]) for kind in sorted(judged)]
        overall = proportion("false accepts", accepted.total(), judged.total(), ceiling)
        if not judged.total():
            return Outcome(not_run="the judge gave no verdict on any control", measures=(overall,))
        share = accepted.total() / judged.total()
        message = (
            f"{accepted.total()} of {judged.total()} planted faults are accepted ({share:.0%}, at most {ceiling:.0%})"
        )
        found = (Finding(code="J702", message=message),) if share > ceiling else ()
        return Outcome(found, (overall, *figures))

    return check


def _planted(judge: Judge, text: SuiteText, size: int) -> Iterator[_Control]:
    """Wrong answers to a sample of probes, and broken versions of a sample of sessions."""
    for episode, asked in _probes(text, size):
        for kind, claimed in _wrong_answers(asked):
            yield _Control(f"answer: {kind}", partial(judge.gold, episode, asked, claimed))
    for whole in _told(text, size):
        for kind, broken in _broken(text.kit, whole):
            yield _Control(f"dialogue: {kind}", partial(judge.session, broken))


def _wrong_answers(asked: AskedProbe) -> Iterator[tuple[str, dict[str, str]]]:
    """The gold answer with one field of it wrong for certain: a rival, or the opposite."""
    gold = gold_of(asked)
    for part in asked.gold.fields:
        if part.form == "value" and part.rivals:
            yield "a rival", {**gold, part.name: part.rivals[0][0]}
            return
        if part.form == "enum" and part.answer in _OPPOSITES:
            yield "the opposite", {**gold, part.name: _OPPOSITES[part.answer]}
            return


_OPPOSITES = {
    "yes": "no",
    "no": "yes",
    "user": "third_party",
    "third_party": "user",
    "tool": "user",
    "assistant": "tool",
}
"""Answers from a closed list, with one that cannot be right beside them."""


def _broken(kit: Kit, text: SessionText) -> Iterator[tuple[str, SessionText]]:
    """The session with its first stated value swapped, its subject swapped, or the turn that says it cut out."""
    event = next((each for each in events_of(text) if each.value is not None and each.states("value")), None)
    span = span_of(text, event) if event is not None else None
    if event is None or span is None or event.value is None:
        return
    member = text.spec.member(event.target)
    fact_type = kit.catalog.fact_types[member.fact_type]
    used = text.spec.values()
    other = next((each.value for each in fact_type.values if each.value not in used), None)
    turns = text.written.turns
    if other is not None and member.fact_type == text.spec.thread(event.thread).fact_type:
        yield (
            "another value",
            _with(text, [_swapped(kit, member.fact_type, turn, event.value, other) for turn in turns]),
        )
    elsewhere = next((name for name in fact_type.subject.pool if all(name != m.entity for m in text.spec.cast)), None)
    if elsewhere is not None and any(member.entity in turn.content for turn in turns):
        replaced = [
            turn.model_copy(update={"content": turn.content.replace(member.entity, elsewhere)}) for turn in turns
        ]
        yield "another subject", _with(text, replaced)
    left = [turn for number, turn in enumerate(turns) if number not in (span.turn, span.turn + 1)]
    if left:
        yield "nothing said", _with(text, left)


def _swapped(kit: Kit, fact_type: str, turn: Turn, value: str, other: str) -> Turn:
    content = turn.content
    for mention in reversed(kit.lexicon.values_of(fact_type).mentions(content, cued=False)):
        if mention.value == value:
            content = content[: mention.start] + other + content[mention.end :]
    return turn.model_copy(update={"content": content})


def _with(text: SessionText, turns: Sequence[Turn]) -> SessionText:
    return SessionText(text.kit, text.spec, text.plan, Written(turns=tuple(turns)))


# -- a second judge ---------------------------------------------------------------------------------------------


def _agreement(judge: Judge | None, second: Judge | None) -> Callable[[SuiteText, Options], Outcome]:
    def check(text: SuiteText, options: Options) -> Outcome:
        """The judges agree on a sample of sessions and gold answers, beyond chance."""
        if judge is None or second is None:
            return Outcome(not_run=NO_JUDGE if judge is None else NO_SECOND)
        pairs = _both(judge, second, text, int(number(options, "sample")))
        if not any(pairs.values()):
            return Outcome(not_run="the judges gave no verdict on the same thing")
        least = limit(options, "kappa")
        every = [pair for same in pairs.values() for pair in same]
        overall = kappa(every)
        measures = [Measure(name="kappa", value=overall, threshold=least, n=len(every))]
        measures += [Measure(name=f"kappa, {name}", value=kappa(same), n=len(same)) for name, same in pairs.items()]
        measures.append(proportion("same verdict", sum(one == other for one, other in every), len(every)))
        low = least is not None and overall is not None and overall < least
        found = (Finding(code="J703", message=f"kappa is {overall} (at least {least})"),) if low else ()
        return Outcome(found, tuple(measures))

    return check


def _both(judge: Judge, second: Judge, text: SuiteText, size: int) -> dict[str, list[tuple[bool, bool]]]:
    """Pairs of verdicts by criterion, of what both judges could judge."""
    pairs: dict[str, list[tuple[bool, bool]]] = defaultdict(list)
    for session in _told(text, size):
        one, other = judge.session(session), second.session(session)
        if not (one.trouble or other.trouble):
            for name in CRITERIA:
                pairs[name].append((name not in one.failed, name not in other.failed))
    for episode, asked in _probes(text, size):
        one, other = judge.gold(episode, asked, gold_of(asked)), second.gold(episode, asked, gold_of(asked))
        if not (one.trouble or other.trouble):
            pairs["gold"].append((not one.failed, not other.failed))
    return dict(pairs)


def kappa(pairs: Sequence[tuple[bool, bool]]) -> float | None:
    """Cohen's kappa of two judges' verdicts; None where chance alone would have them agree on everything."""
    n = len(pairs)
    if not n:
        return None
    agreed = sum(one == other for one, other in pairs) / n
    first, second = sum(one for one, _ in pairs) / n, sum(other for _, other in pairs) / n
    chance = first * second + (1 - first) * (1 - second)
    return None if chance == 1 else round((agreed - chance) / (1 - chance), DIGITS)


# -- samples ----------------------------------------------------------------------------------------------------


def _probes(text: SuiteText, size: int) -> Iterator[tuple[Episode, AskedProbe]]:
    """A sample of the probes, as even over the probe types as they allow."""
    keys = [(a.probe.type, (e.episode_id, a.probe.id)) for e in text.episodes for a in e.probes]
    chosen = _stratified(keys, size)
    for episode in text.episodes:
        yield from ((episode, asked) for asked in episode.probes if (episode.episode_id, asked.probe.id) in chosen)


def _told(text: SuiteText, size: int) -> Iterator[SessionText]:
    """A sample of the sessions that have something to say, as even over their kinds as they allow."""
    keys = [(p.kind, (e.episode_id, p.index)) for e in text.episodes for p in e.spec.sessions if p.kind != "background"]
    chosen = _stratified(keys, size)
    for episode in text.episodes:
        for plan in episode.spec.sessions:
            if (episode.episode_id, plan.index) in chosen:
                yield session_text(text.kit, episode, plan.index)


def _stratified(keys: Iterable[tuple[str, _Item]], size: int) -> frozenset[_Item]:
    """So many items, dealt from each stratum in turn, in an order that is fixed and tells nothing."""
    strata: dict[str, list[_Item]] = defaultdict(list)
    for stratum, item in keys:
        strata[stratum].append(item)
    dealt = zip_longest(*(shuffled(items, "sample", name) for name, items in sorted(strata.items())))
    flat = [item for row in dealt for item in row if item is not None]
    return frozenset(flat[:size])
