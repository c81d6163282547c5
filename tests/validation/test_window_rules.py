"""Rules on windows and on what was never said: they pass what is right and find what is wrong."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from suitegen.model.episode import Episode
from suitegen.model.finding import Finding
from suitegen.model.history import Turn
from suitegen.validation.protocol import EpisodeText
from suitegen.validation.window_rules import EPISODE
from tests.validation.suites import shared

RULES = {validator.name: validator for validator in EPISODE}


def story() -> Episode:
    (episode,) = shared().episodes
    return episode


def findings(name: str, episode: Episode) -> tuple[Finding, ...]:
    return RULES[name].check(EpisodeText(shared().kit, episode), RULES[name].options).findings


@pytest.mark.parametrize("name", RULES)
def test_what_is_right_passes(name: str) -> None:
    assert findings(name, story()) == ()


def asked_early() -> Episode:
    """A probe moved to a window before its subject came up, question and all."""
    base = story()
    events = [event.model_copy(update={"session": event.session + 6}) for event in base.spec.events]
    return base.model_copy(update={"spec": base.spec.model_copy(update={"events": tuple(events)})})


def seen_too_far() -> Episode:
    base = story()
    first, *rest = base.probes
    question = first.question.model_copy(update={"visible_until": first.question.visible_until + 1})
    return base.model_copy(update={"probes": (first.model_copy(update={"question": question}), *rest)})


def only_late() -> Episode:
    """A thread whose windows before its change are not asked."""
    base = story()
    kept = tuple(asked for asked in base.probes if asked.probe.thread != "t01" or asked.probe.window == "w3")
    return base.model_copy(update={"probes": kept})


def only_early() -> Episode:
    base = story()
    kept = tuple(asked for asked in base.probes if asked.probe.thread != "t01" or asked.probe.window == "w1")
    return base.model_copy(update={"probes": kept})


def given_away(last: bool) -> Episode:
    """What was never said is said after all, in the last session or in the first."""
    base = story()
    boundary = next(thread for thread in base.spec.threads if thread.condition == "boundary")
    member = base.spec.member(boundary.target)
    value = shared().kit.catalog.fact_types[boundary.fact_type].values[0].value
    free = [s.index for s in base.sessions if all(event.session != s.index for event in base.spec.events)]
    at = free[-1] if last else free[0]
    told = Turn(role="user", content=f"The {member.attribute} of the {member.entity} is {value}.")
    sessions = [
        session.model_copy(update={"turns": (*session.turns, told)}) if session.index == at else session
        for session in base.sessions
    ]
    return base.model_copy(update={"sessions": tuple(sessions)})


@pytest.mark.parametrize(
    ("name", "wrong", "message"),
    [
        ("windows", asked_early, "before its subject comes up"),
        ("windows", seen_too_far, "and may see 9 sessions, not 8"),
        ("windows", only_late, "has no window before it"),
        ("windows", only_early, "has no window after it"),
        ("unanswerable", lambda: given_away(last=False), "was never said to be"),
        ("unanswerable", lambda: given_away(last=True), "was never said to be"),
    ],
)
def test_what_is_wrong_is_found(name: str, wrong: Callable[[], Episode], message: str) -> None:
    assert any(message in finding.message for finding in findings(name, wrong()))
