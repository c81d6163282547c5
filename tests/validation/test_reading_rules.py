"""The reading checks, with a reader that only knows clock times."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import pytest

from suitegen.model.episode import AskedProbe, Counterfactual, Episode
from suitegen.model.gold import Gold
from suitegen.model.history import Question, Session, Turn
from suitegen.reading.protocol import visible
from suitegen.validation.protocol import EpisodeText, Outcome
from suitegen.validation.reading_rules import validators, without
from tests.validation.stories import EVENTS, PROBES, QUESTIONS, story, texts
from tests.validation.world import episode, event, kit, probe, spec, written

CHECKED = tuple(
    probe for probe in PROBES if probe.type in ("current", "previous", "change") and probe.about == "target"
)


@dataclass(frozen=True)
class Scripted:
    """A reader that is a function."""

    answer: Callable[[Sequence[Session], Question], Mapping[str, str]]
    name: str = "scripted"

    def read(self, sessions: Sequence[Session], question: Question) -> Mapping[str, str]:
        return self.answer(sessions, question)


def clock(sessions: Sequence[Session], question: Question) -> Mapping[str, str]:
    """The last time that is named, the one before it, or whether there are two."""
    said = " ".join(turn.content for session in visible(sessions, question) for turn in session.turns)
    times = list(dict.fromkeys(re.findall(r"\d+:\d\d", said)))
    if "change" in question.question:
        return {"changed": "yes" if len(times) > 1 else "no"}
    if "before" in question.question:
        return {"value": times[-2] if len(times) > 1 else "none"}
    return {"value": times[-1] if times else "unknown"}


def told(**changes: object) -> Episode:
    """The story with the probes that the clock reader can answer."""
    base = story()
    probes = tuple(asked for asked in base.probes if asked.probe in CHECKED)
    return base.model_copy(update={"probes": probes, **changes})


def run(name: str, of: Episode, answer: Callable[[Sequence[Session], Question], Mapping[str, str]] = clock) -> Outcome:
    rules = {validator.name: validator for validator in validators(Scripted(answer))}
    return rules[name].check(EpisodeText(kit(), of), rules[name].options)


def measured(outcome: Outcome) -> dict[str, tuple[float | None, int]]:
    """The measures over all probes; those of one probe type have its name behind the check's."""
    return {m.name: (m.value, m.n) for m in outcome.measures if " " not in m.name}


def with_session(base: Episode, index: int, *contents: str) -> Episode:
    turns = [Turn.model_validate({"role": ("user", "assistant")[n % 2], "content": c}) for n, c in enumerate(contents)]
    sessions = [s.model_copy(update={"turns": tuple(turns)}) if s.index == index else s for s in base.sessions]
    return base.model_copy(update={"sessions": tuple(sessions)})


@pytest.mark.parametrize("name", ["full_context", "oracle", "necessity"])
def test_a_good_episode_passes(name: str) -> None:
    outcome = run(name, told())
    assert outcome.findings == ()
    assert measured(outcome) == {name: (1.0, 3)}


def test_each_probe_type_is_measured_by_itself() -> None:
    outcome = run("full_context", told(), lambda sessions, question: {"value": "10:00", "changed": "no"})
    by_type = {m.name: (m.value, m.n) for m in outcome.measures if " " in m.name}
    assert by_type == {
        "full_context change": (0.0, 1),
        "full_context current": (1.0, 1),
        "full_context previous": (0.0, 1),
    }


def test_full_context_finds_what_the_reader_cannot_answer() -> None:
    outcome = run("full_context", told(), lambda sessions, question: {"value": "9:30", "changed": "no"})
    assert [finding.code for finding in outcome.findings] == ["R301", "R301"]
    assert {finding.session for finding in outcome.findings} == {2}, (
        "the last session with evidence is to be written anew"
    )
    assert measured(outcome) == {"full_context": (pytest.approx(1 / 3), 3)}


def test_what_cannot_be_parsed_is_found_but_not_counted() -> None:
    outcome = run("full_context", told(), lambda sessions, question: {})
    assert len(outcome.findings) == 3
    assert measured(outcome) == {"full_context": (None, 0)}


def test_only_the_probe_types_of_the_option_send_an_episode_back() -> None:
    rule = next(
        v for v in validators(Scripted(lambda sessions, question: {"value": "1:00"})) if v.name == "full_context"
    )
    assert not rule.check(EpisodeText(kit(), told()), {"probes": ""}).findings
    assert len(rule.check(EpisodeText(kit(), told()), {"probes": "current"}).findings) == 1


def cut(asked: AskedProbe) -> AskedProbe:
    """The probe with evidence of its first event only."""
    fields = [
        found.model_copy(
            update={
                "groups": tuple(
                    group.model_copy(update={"of": tuple(atom.model_copy(update={"event": "e1"}) for atom in group.of)})
                    for group in found.groups
                )
            }
        )
        for found in asked.evidence
    ]
    return asked.model_copy(update={"evidence": tuple(fields)})


def test_oracle_finds_evidence_that_is_incomplete() -> None:
    base = told()
    outcome = run("oracle", told(probes=tuple(cut(asked) for asked in base.probes)))
    assert {finding.code for finding in outcome.findings} == {"R302"}
    assert measured(outcome)["oracle"] == (0.0, 3)


def test_necessity_finds_a_leak() -> None:
    leaky = with_session(told(), 3, "Who takes notes at 10:00?", "Let it go round.")
    outcome = run("necessity", leaky)
    assert {finding.code for finding in outcome.findings} == {"R303"}
    assert measured(outcome)["necessity"][0] == 0.0


def test_necessity_judges_only_what_is_answered() -> None:
    outcome = run("necessity", told(), lambda sessions, question: {"value": "1:00", "changed": "unknown"})
    assert measured(outcome) == {"necessity": (None, 0)}


def test_a_group_whose_events_bring_the_same_gold_about_proves_nothing() -> None:
    """Without a correction as a whole there is no former value either: only without its act there would be one."""
    events = (event("e1", "remember", "9:30"), event("fix", "correct", "10:00", session=2))
    latent = spec(events, ("event", "background", "event", "near_miss"), [probe("p2", "previous", 3)])
    talk = {**texts(), 2: written("user: [[fix:I told you wrong, standup is at 10:00.]]\nassistant: Thanks.")}
    corrected = episode(latent, talk, QUESTIONS)
    assert corrected.probes[0].evidence[0].groups, "the act of the correction is evidence"
    outcome = run("necessity", corrected, lambda sessions, question: {"value": "none"})
    assert outcome.findings == ()
    assert measured(outcome) == {"necessity": (None, 0)}


def test_a_cut_takes_the_reply_that_echoes_along() -> None:
    left = without(told(), frozenset({"upd"}))
    assert [turn.content for turn in left[2].turns] == [
        "I want a friendlier reminder for the standup bot of the data team.",
        "Something light, then. What should it know?",
    ]
    assert left[0] == told().sessions[0]


def test_a_cut_spares_a_reply_that_says_another_event() -> None:
    events = (
        event("recall", "reactivate", "9:30", "act old", old="9:30"),
        event("noise", "challenge", "10:00", speaker="assistant", source="assistant"),
    )
    text = (
        "user: [[recall:As I said, standup is at 9:30.]]\nassistant: [[noise:Since standup is at 10:00, I moved it.]]"
    )
    both = episode(spec(events), {0: written(text)}, {})
    assert [turn.role for turn in without(both, frozenset({"recall"}))[0].turns] == ["assistant"]
    assert [turn.role for turn in without(both, frozenset({"noise"}))[0].turns] == ["user"]
    assert without(both, frozenset({"recall", "noise"}))[0].turns == ()


def sibling(*contents: str) -> Counterfactual:
    """What the second event's session says under the sibling, with gold that nothing changed."""
    base = told()
    other = spec(EVENTS[:1], ("event", "background", "near_miss", "near_miss"), CHECKED, ("target", "gym"))
    flipped = episode(other, {**texts(), 2: written("user: Hello.\nassistant: Hello.")}, QUESTIONS)
    gold: dict[str, Gold] = {
        own.question.probe_id: asked.gold for own, asked in zip(base.probes, flipped.probes, strict=True)
    }
    turns = tuple(
        Turn.model_validate({"role": ("user", "assistant")[n % 2], "content": c}) for n, c in enumerate(contents)
    )
    return Counterfactual(condition="sibling", events=EVENTS[:1], sessions={2: turns}, gold=gold)


def test_a_sibling_flips_the_answers() -> None:
    outcome = run("counterfactual", told(counterfactual=sibling("What a day.", "Indeed.")))
    assert outcome.findings == ()
    assert measured(outcome) == {"counterfactual": (1.0, 3)}


def test_a_sibling_that_flips_nothing_is_found() -> None:
    outcome = run("counterfactual", told(counterfactual=sibling("What a day, up since 10:00.", "Indeed.")))
    assert {finding.code for finding in outcome.findings} == {"R304"}
    assert measured(outcome)["counterfactual"][0] == 0.0


def test_without_a_sibling_it_does_not_run() -> None:
    assert run("counterfactual", told()).not_run


@pytest.mark.parametrize("name", ["bm25", "bm25_time"])
def test_retrieval_is_measured_and_never_sends_an_episode_back(name: str) -> None:
    outcome = run(name, told())
    figures = measured(outcome)
    assert outcome.findings == ()
    assert figures[name][1] == 3
    # Four sessions are all among the first five, so that the evidence is always reached.
    assert figures[f"{name}_reach"] == (1.0, 3)
    assert figures[f"{name}_use"] == figures[name]


def test_without_any_history_nothing_is_known() -> None:
    seen: list[int] = []
    outcome = run("no_history", told(), lambda sessions, question: seen.append(len(sessions)) or {"value": "unknown"})
    assert set(seen) == {0}
    assert outcome.findings == ()
    assert measured(outcome)["no_history"] == (0.0, 2), "the change has no such field: that answer could not be read"


def test_what_is_not_reached_is_told_apart() -> None:
    """With ten sessions in the way that hold the question's words, the events are not among the first five."""
    kinds = ("event", *["near_miss"] * 10, "event")
    events = (EVENTS[0], EVENTS[1].model_copy(update={"session": 11}))
    noise = "user: When does the data team have its standup at present? Was the standup time before, did it change?"
    talk = {n: written(f"{noise}\nassistant: Version {n}.") for n in range(1, 11)}
    said = texts()
    latent = spec(events, kinds, [each.model_copy(update={"asked_after": 11}) for each in CHECKED])
    long = episode(latent, {**talk, 0: said[0], 11: said[2]}, QUESTIONS)
    figures = measured(run("bm25", long))
    assert figures["bm25_reach"][0] == 0.0
    assert figures["bm25_use"] == (None, 0)
