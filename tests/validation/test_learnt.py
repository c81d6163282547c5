"""Gates that learn: what can be guessed without a history, and what style gives away."""

from __future__ import annotations

from functools import lru_cache

import pytest

from suitegen.model.history import Turn, Written
from suitegen.model.latent import LatentSpec, Probe, SessionPlan
from suitegen.validation.bayes import Item, NaiveBayes, held_out
from suitegen.validation.protocol import SuiteText
from suitegen.validation.style import Told, columns, masked, style
from suitegen.values.normal import fold
from suitegen.values.tables import table
from tests.validation.suites import babble, built, check, design, figures, plain, talk, wonder

LEARNT = ("closed_book", "question_leak", "evidence_or_filler")
MANY = (
    {"paradigm": "interference", "condition": "authoritative_update", "count": 24},
    {"paradigm": "interference", "condition": "decoy_no_update", "count": 24},
)
MIX = {"mix": {"background": 50, "near_miss": 50}, "mix_after": {"background": 100}}


@lru_cache(maxsize=1)
def many() -> SuiteText:
    """A suite that is large enough to learn from, in which there is nothing to learn."""
    return built(design(*MANY, **MIX))


@pytest.mark.parametrize("name", LEARNT)
def test_small_suites_get_figures_and_no_verdict(name: str) -> None:
    outcome = check(name, plain())
    assert "24 episodes are too few" in outcome.not_run
    assert "from 200" in outcome.not_run
    assert outcome.findings == ()
    assert outcome.measures


@pytest.mark.parametrize("name", LEARNT)
def test_where_there_is_nothing_to_learn_all_pass(name: str) -> None:
    outcome = check(name, many(), **{"from": 48})
    assert outcome.not_run == ""
    assert outcome.findings == ()


@pytest.mark.parametrize("name", LEARNT)
def test_the_same_suite_gives_the_same_figures(name: str) -> None:
    assert check(name, many()) == check(name, many())


# -- closed book ------------------------------------------------------------------------------------------------


def telling(spec: LatentSpec, probe: Probe) -> str:
    """A question with a word for each answer: whoever has seen others knows what it stands for."""
    values = spec.member("target").values
    answer = values["new"] if spec.expects == "update" else values["initial"]
    code = "q".join(str(ord(letter)) for letter in answer)
    return f"{wonder(spec, probe)} {f'x{code}x ' * 5}"


def test_a_question_that_tells_its_answer_is_found() -> None:
    text = built(design(*MANY, fact_types=["gym"]), ask=telling)
    outcome = check("closed_book", text, **{"from": 48})
    assert any("current by question only" in finding.message for finding in outcome.findings)


def test_chance_is_the_majority_of_the_training_data() -> None:
    measure = figures(check("closed_book", many()))["change by modal gold"]
    # Without a case its own answer is the rarer one: half minus one against half.
    assert measure.threshold == pytest.approx(0.6, abs=0.05)
    assert measure.value is not None
    assert measure.value < 0.5


# -- question leak ----------------------------------------------------------------------------------------------


def polite(spec: LatentSpec, probe: Probe) -> str:
    return wonder(spec, probe) + (" Please." if spec.expects == "update" else " Thanks.")


def test_wordings_that_go_with_a_behaviour_are_found() -> None:
    outcome = check("question_leak", built(design(*MANY), ask=polite), **{"from": 48})
    (found,) = outcome.findings
    assert "question text: 100%" in found.message


def test_types_that_go_with_a_behaviour_are_found() -> None:
    cells = (
        {"paradigm": "interference", "condition": "rollback", "count": 12},
        {"paradigm": "interference", "condition": "decoy_no_update", "count": 12},
    )
    outcome = check("question_leak", built(design(*cells)), **{"from": 24})
    assert any("sibling types: 100%" in finding.message for finding in outcome.findings)


def test_a_published_design_is_held_to_what_any_plan_of_it_tells() -> None:
    cells = (
        {
            "paradigm": "interference",
            "condition": "authoritative_update",
            "count": 12,
            "probes": ["current", "temporal"],
        },
        {"paradigm": "interference", "condition": "decoy_no_update", "count": 12, "probes": ["current", "conflict"]},
    )
    leaky = check("question_leak", built(design(*cells, leaky_probes=True)), **{"from": 24})
    shown = figures(leaky)
    assert leaky.findings == ()
    assert shown["expected behaviour by sibling types, least of any plan"].value == 1.0
    # Of the questions half are of a type that goes with one behaviour; of the others half are guessed.
    assert shown["expected behaviour by question text, least of any plan"].value == 0.75
    assert check("question_leak", built(design(*cells)), **{"from": 24}).findings != ()


def test_a_published_design_may_tell_no_more_than_that() -> None:
    text = built(design(*MANY, leaky_probes=True), ask=polite)
    (found,) = check("question_leak", text, **{"from": 48}).findings
    assert "question text: 100%" in found.message


# -- evidence or filler -----------------------------------------------------------------------------------------


def with_ending(kinds: tuple[str, ...], ending: str) -> SuiteText:
    """A suite in which sessions of some kinds end in a certain way."""

    def say(spec: LatentSpec, plan: SessionPlan) -> Written:
        plainly = talk(spec, plan)
        if plan.kind not in kinds:
            return plainly
        last = plainly.turns[-1]
        ended = last.model_copy(update={"content": f"{last.content}{ending}"})
        return plainly.model_copy(update={"turns": (*plainly.turns[:-1], ended)})

    return built(design(*MANY, **MIX), say)


@pytest.mark.parametrize("ending", [" Yours, then!", "\n\n- and\n- so", "?!"])
def test_a_habit_of_evidence_is_found(ending: str) -> None:
    outcome = check("evidence_or_filler", with_ending(("event",), ending), **{"from": 48})
    assert [finding.message.split(" is ")[0] for finding in outcome.findings] == [
        "AUC of evidence against background",
        "AUC of evidence against near miss",
    ]


def test_a_habit_of_planned_sessions_is_told_from_background_only() -> None:
    outcome = check("evidence_or_filler", with_ending(("event", "near_miss"), " Yours, then!"), **{"from": 48})
    found = next(finding for finding in outcome.findings if "background" in finding.message)
    assert "assistant" in found.message, "it names what it is told by"
    areas = figures(outcome)
    assert (areas["AUC of evidence against background"].value or 0) > 0.8
    # Against those that share the habit what is left is chance.
    assert (areas["AUC of evidence against near miss"].value or 1) < 0.62


def test_longer_turns_are_found() -> None:
    def say(spec: LatentSpec, plan: SessionPlan) -> Written:
        words = 30 if plan.kind == "event" else 14
        turns = [
            Turn(role=role, content=babble(spec.case, plan.slot, role, words=words)) for role in ("user", "assistant")
        ]
        return Written(turns=tuple(turns))

    outcome = check("evidence_or_filler", built(design(*MANY, **MIX), say), **{"from": 48})
    assert any("length" in finding.message for finding in outcome.findings)


def test_the_classifier_has_the_power_to_find_a_tell() -> None:
    measure = figures(check("evidence_or_filler", many()))["AUC with a planted tell"]
    assert measure.value is not None
    assert measure.value > 0.95


def test_a_classifier_without_power_is_found() -> None:
    outcome = check("evidence_or_filler", many(), **{"from": 48, "planted": 1.01})
    assert ["planted tell" in finding.message for finding in outcome.findings] == [True]


def test_a_suite_without_near_misses_has_no_figure_for_them() -> None:
    text = built(design(*MANY[:1], mix={"background": 1}, mix_after={"background": 1}))
    assert figures(check("evidence_or_filler", text))["AUC of evidence against near miss"].value is None


KEPT = frozenset(fold(word) for word in table("en").function_words)


def test_topics_are_masked_and_style_stays() -> None:
    assert masked("The Lift Room is at 9:30, isn't it?! – yes.", KEPT - {"the"}, frozenset()) == (
        "W W W is at #, isn't it?! – w.", ("is", "at", "isn", "t", "it"),
    )  # fmt: skip


def test_two_sessions_about_different_things_look_alike() -> None:
    def of(text: str) -> dict[str, float]:
        return style(Told("event", "c", 9, (Turn(role="user", content=text),), KEPT, frozenset({"airfield"})))

    assert of("My gym is the Ironbark now.") == of("My bus is the Airline4 now.".replace("4", "r"))
    assert of("My gym is the Ironbark now.") != of("My gym is the Ironbark, now.")
    assert of("My gym is the Airfield now.") == of("My gym is the ironbark now."), "of a value not even the shape stays"


def test_columns_are_in_a_fixed_order() -> None:
    rows = [{"b": 1.0, "user 3-gram 'abc'": 2.0}, {"a": 1.0, "user 3-gram 'abd'": 1.0, "user 3-gram 'abc'": 1.0}]
    assert columns(rows) == ("a", "b", "user 3-gram 'abc'", "user 3-gram 'abd'") == columns(rows[::-1])


# -- naive Bayes ------------------------------------------------------------------------------------------------


def test_naive_bayes_learns_words() -> None:
    items = [Item(("tea", "please"), "yes", 1), Item(("tea", "now"), "yes", 2), Item(("mud", "please"), "no", 3)]
    taught = NaiveBayes(items)
    assert taught.predict(("tea",)) == "yes"
    assert taught.predict(("mud", "mud")) == "no"
    assert taught.predict(()) == "yes", "the majority where nothing is known"


def test_naive_bayes_without_items_knows_nothing() -> None:
    assert NaiveBayes([]).predict(("tea",)) is None


def test_no_item_is_answered_from_its_own_group() -> None:
    """Every label occurs in one group only, so no classifier that was taught without it can name it."""
    items = [Item((f"w{n}",), f"label {n}", n) for n in range(12)]
    answers = held_out(items, "x")
    assert all(answer != item.label for answer, item in zip(answers, items, strict=True))
