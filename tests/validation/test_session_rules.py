"""Each rule on sessions passes what is right and finds what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from suitegen.model.finding import Finding
from suitegen.model.history import Span, Turn
from suitegen.validation.protocol import Outcome, SessionText
from suitegen.validation.session_rules import VALIDATORS
from tests.catalog import tree
from tests.validation.scenes import HERE, scene, scenes

RULES = {validator.name: validator for validator in VALIDATORS}


def outcome(name: str, text: SessionText, **options: int | float | str) -> Outcome:
    return RULES[name].check(text, {**RULES[name].options, **options})


def findings(name: str, text: SessionText) -> tuple[Finding, ...]:
    return outcome(name, text).findings


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("name", scenes())
def test_what_is_right_passes(name: str, rule: str) -> None:
    assert findings(rule, scene(name)) == ()


FAULTS: Any = tree(HERE / "faults.yaml")
WRONG = [(rule, fault) for rule in FAULTS for fault in FAULTS[rule]]


@pytest.mark.parametrize(("rule", "fault"), WRONG, ids=[f"{rule}: {fault['what']}" for rule, fault in WRONG])
def test_what_is_wrong_is_found(rule: str, fault: Any) -> None:
    found = findings(rule, scene(fault["scene"], *fault["replace"]))
    assert found
    assert {finding.code for finding in found} == {RULES[rule].code}
    assert all(finding.message and finding.feedback for finding in found)


def with_span(text: SessionText, change: Callable[[Span], Span | None]) -> SessionText:
    changed = tuple(span for old in text.written.spans if (span := change(old)) is not None)
    return SessionText(text.kit, text.spec, text.plan, text.written.model_copy(update={"spans": changed}))


SPANS: dict[str, Callable[[Span], Span | None]] = {
    "it starts one letter late": lambda span: span.model_copy(update={"start": span.start + 1}),
    "it starts one blank early": lambda span: span.model_copy(update={"turn": 4, "start": 5, "end": 9}),
    "it ends inside the value": lambda span: span.model_copy(update={"end": span.end - 3}),
    "it is the turn before": lambda span: span.model_copy(update={"turn": span.turn - 1}),
    "it is the turn after": lambda span: span.model_copy(update={"turn": span.turn + 1, "end": span.start + 4}),
    "it ends behind the turn": lambda span: span.model_copy(update={"end": 4000}),
    "it is empty": lambda span: span.model_copy(update={"end": span.start}),
    "its turn is not there": lambda span: span.model_copy(update={"turn": 40}),
    "it is of an unknown event": lambda span: span.model_copy(update={"event": "e9"}),
    "there is none": lambda span: None,
}


@pytest.mark.parametrize("what", SPANS)
def test_a_wrong_span_is_found(what: str) -> None:
    assert findings("spans", with_span(scene("encoding"), SPANS[what])), what


def test_a_second_span_of_an_event_is_found() -> None:
    text = scene("encoding")
    twice = text.written.model_copy(update={"spans": text.written.spans * 2})
    assert findings("spans", SessionText(text.kit, text.spec, text.plan, twice))


def with_turns(text: SessionText, turns: list[Turn]) -> SessionText:
    return SessionText(text.kit, text.spec, text.plan, text.written.model_copy(update={"turns": tuple(turns)}))


TURNS: dict[str, Callable[[list[Turn]], list[Turn]]] = {
    "the assistant starts": lambda turns: turns[1:],
    "the user ends": lambda turns: turns[:-1],
    "the user twice": lambda turns: [turns[0], *turns],
    "the assistant twice": lambda turns: [*turns, turns[-1]],
    "the user answers a tool": lambda turns: [turns[0], Turn(role="tool", content="{}", name="x"), *turns[2:]],
    "an empty turn": lambda turns: [turns[0].model_copy(update={"content": "  "}), *turns[1:]],
    "a turn without end": lambda turns: [turns[0].model_copy(update={"content": "on and on " * 700}), *turns[1:]],
    "too many turns": lambda turns: turns * 4,
    "no turn": lambda turns: [],
}


@pytest.mark.parametrize("what", TURNS)
def test_a_wrong_order_of_turns_is_found(what: str) -> None:
    text = scene("encoding")
    assert findings("roles", with_turns(text, TURNS[what](list(text.written.turns)))), what


FOREIGN = {
    "German": "Kannst du mir bitte helfen, meinen Kalender für die nächste Woche zu ordnen? Ich will jeden Tag zwei "
    "Blöcke, in denen mich niemand stört, und am Ende des Tages soll nichts mehr liegen.",
    "French": "Peux-tu m'aider à ranger mon agenda pour la semaine prochaine ? Je voudrais deux plages de travail "
    "par jour pendant lesquelles personne ne me dérange, et rien le soir.",
    "Spanish": "Puedes ayudarme a ordenar mi agenda de la semana que viene? Quiero dos bloques de trabajo al día en "
    "los que nadie me moleste, y que la tarde se quede libre para otras cosas.",
    "Dutch": "Kun je me helpen mijn agenda voor de volgende week te ordenen? Ik wil elke dag twee blokken waarin "
    "niemand mij stoort, en aan het einde van de dag moet alles klaar zijn.",
    "a list of words": "calendar meeting block focus team standup notes list agenda plan mail review " * 4,
}


@pytest.mark.parametrize("language", FOREIGN)
def test_another_language_is_found(language: str) -> None:
    turns = [Turn(role="user", content=FOREIGN[language]), Turn(role="assistant", content=FOREIGN[language])]
    assert findings("language", with_turns(scene("near miss"), turns))


def test_the_language_of_a_few_words_is_not_judged() -> None:
    turns = [Turn(role="user", content="Danke dir!"), Turn(role="assistant", content="Gerne.")]
    assert "too few words" in outcome("language", with_turns(scene("near miss"), turns)).not_run


def test_limits_are_options() -> None:
    text = scene("encoding")
    assert outcome("roles", text, max_turns=len(text.written.turns) - 1).findings
    assert outcome("roles", text, min_turns=len(text.written.turns) + 1).findings
    assert outcome("roles", text, max_characters=20).findings
    assert outcome("language", text, min_share=0.9).findings


def test_a_finding_says_where() -> None:
    (found,) = findings("silence", scene("encoding", ("around standup with", "around standup at 9:30 with")))
    turn = scene("encoding", ("around standup with", "around standup at 9:30 with")).written.turns[found.turn or 0]
    assert turn.content[found.start : found.end] == "9:30"
