"""Each rule on suites passes what is right and finds what is wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection

import pytest

from suitegen.model.episode import AskedProbe, Episode
from suitegen.model.finding import Measure, Verdict
from suitegen.model.history import Turn
from suitegen.validation.protocol import SuiteText
from suitegen.validation.shortcuts import RULES as SHORTCUTS
from suitegen.validation.shortcuts import Task, keyword_overlap, named, said, task_of
from suitegen.values.licenses import conflicts
from tests.validation.suites import RULES, built, check, design, figures, of, plain, respec, shared, stating, talk


def updates(text: SuiteText) -> list[Episode]:
    return [episode for episode in text.episodes if episode.spec.expects == "update"]


def preserves(text: SuiteText) -> list[Episode]:
    return [episode for episode in text.episodes if episode.spec.expects == "preserve"]


def renamed(episodes: list[Episode], word: str) -> list[Episode]:
    """The episodes once more, as other cases."""
    return [respec(episode, case=f"{episode.spec.case}.{word}") for episode in episodes]


def without_probes(episode: Episode, kind: str) -> Episode:
    return episode.model_copy(update={"probes": tuple(p for p in episode.probes if p.probe.type != kind)})


def with_gold(episode: Episode, kind: str, field: str, answer: str) -> Episode:
    """The episode with another answer to all probes of a type."""

    def changed(asked: AskedProbe) -> AskedProbe:
        if asked.probe.type != kind:
            return asked
        fields = [f.model_copy(update={"answer": answer}) if f.name == field else f for f in asked.gold.fields]
        return asked.model_copy(update={"gold": asked.gold.model_copy(update={"fields": tuple(fields)})})

    return episode.model_copy(update={"probes": tuple(map(changed, episode.probes))})


def unanswered(episodes: Collection[Episode]) -> Episode:
    """An episode in which what is paired was never said either."""
    (episode,) = episodes
    return with_gold(episode, "current", "value", "absent")


def silent_after(episode: Episode) -> Episode:
    """The episode whose planned fillers say nothing, so that the last event is the last mention."""
    told = [
        session if plan.kind == "event" else session.model_copy(update={"turns": talk(episode.spec, plan).turns})
        for session, plan in zip(episode.sessions, episode.spec.sessions, strict=True)
    ]
    return episode.model_copy(update={"sessions": tuple(told)})


def task(episode: Episode, asked: AskedProbe) -> Task:
    return task_of(episode, asked, named(stating().kit, episode, asked.probe.about))


def licensed(episode: Episode, license: str) -> Episode:
    places = [
        place.model_copy(update={"license": license, "origin": "files:logs-7"}) for place in episode.placements[:1]
    ]
    return episode.model_copy(update={"placements": (*places, *episode.placements[1:])})


def read(episode: Episode, **rates: float) -> Episode:
    """The episode with the verdicts of reading checks, four answers each."""
    measures = tuple(Measure(name=name, value=value, n=4) for name, value in rates.items())
    verdict = Verdict(gate="reading", validator="any", level="episode", status="passed", measures=measures)
    return episode.model_copy(update={"verdicts": (verdict,)})


GOOD_READING = {
    "full_context": 0.95,
    "oracle": 1.0,
    "necessity": 1.0,
    "bm25": 0.75,
    "bm25_reach": 0.75,
    "bm25_use": 0.9,
}


def all_read(**rates: float) -> SuiteText:
    return of(plain(), [read(episode, **{**GOOD_READING, **rates}) for episode in plain().episodes])


GOOD: dict[str, Callable[[], SuiteText]] = {
    "coverage": plain,
    "balance": plain,
    "shortcuts": stating,
    "reading_rates": all_read,
    "near_duplicates": plain,
    "diversity": plain,
    "licenses": plain,
}


@pytest.mark.parametrize("name", GOOD)
def test_what_is_right_passes(name: str) -> None:
    outcome = check(name, GOOD[name]())
    assert not outcome.not_run
    assert outcome.findings == ()
    assert outcome.measures


def copies(text: SuiteText) -> SuiteText:
    """Every event's session says what the first one says."""
    first = text.episodes[0].sessions[0].turns
    episodes = []
    for episode in text.episodes:
        kinds = {plan.index: plan.kind for plan in episode.spec.sessions}
        sessions = [s.model_copy(update={"turns": first}) if kinds[s.index] == "event" else s for s in episode.sessions]
        episodes.append(episode.model_copy(update={"sessions": tuple(sessions)}))
    return of(text, episodes)


def monotonous(text: SuiteText) -> SuiteText:
    """Two phrases are all that is ever said."""
    first = text.episodes[0].sessions[0].turns
    turns = tuple(
        turn.model_copy(update={"content": "yes and no and so on " * 40 + str(n)}) for n, turn in enumerate(first)
    )
    sessions = [tuple(s.model_copy(update={"turns": turns}) for s in e.sessions) for e in text.episodes]
    return of(text, [e.model_copy(update={"sessions": s}) for e, s in zip(text.episodes, sessions, strict=True)])


def solved_by(rule: str) -> SuiteText:
    """Every current probe has the answer that a rule gives."""

    def solved(episode: Episode) -> Episode:
        asked = next(each for each in episode.probes if each.probe.type == "current")
        return with_gold(episode, "current", "value", SHORTCUTS[rule](task(episode, asked)) or "")

    return of(stating(), list(map(solved, stating().episodes)))


WRONG: list[tuple[str, str, Callable[[], SuiteText], str]] = [
    ("coverage", "an episode is missing", lambda: of(plain(), plain().episodes[1:]), "3 of 4 episodes|1 of 2 episodes"),
    ("coverage", "a cell is missing", lambda: of(plain(), updates(plain())), "0 of 4 episodes"),
    ("coverage", "one too many", lambda: of(plain(), [*plain().episodes, plain().episodes[0]]), "3 of 2 episodes"),
    ("coverage", "a case is reported missing", lambda: of(plain(), plain().episodes, 2), "2 planned cases"),
    ("balance", "updates only", lambda: of(plain(), updates(plain())), "update is expected in 100%"),
    ("balance", "too many to keep", lambda: of(plain(), preserves(plain()) + updates(plain())[:6]), "preserve"),
    (
        "balance", "a pair goes one way",
        lambda: of(plain(), [e for some in (updates, preserves) for w in "xyz" for e in renamed(some(plain())[:1], w)]),
        "times, the other way",
    ),
    (
        "balance", "asked after updates only",
        lambda: of(plain(), updates(plain()) + [without_probes(episode, "previous") for episode in preserves(plain())]),
        "previous is asked under update only",
    ),
    ("shortcuts", "latest mention", lambda: of(stating(), list(map(silent_after, stating().episodes))), ": 12 of 24"),
    ("shortcuts", "always update", lambda: of(plain(), updates(plain()) + preserves(plain())[:6]), "always update"),
    ("shortcuts", "always preserve", lambda: of(plain(), preserves(plain()) + updates(plain())[:6]), "always preserve"),
    ("shortcuts", "the question's words", lambda: solved_by("keyword overlap"), "keyword overlap"),
    ("shortcuts", "the longest value", lambda: solved_by("the longest value"), "the longest value"),
    ("shortcuts", "the shortest value", lambda: solved_by("the shortest value"), "the shortest value"),
    ("shortcuts", "one place", lambda: solved_by("first mention"), "the best place"),
    ("shortcuts", "one constant", lambda: of(plain(), updates(plain()) + preserves(plain())[:6]), "change.changed"),
    (
        "shortcuts", "the usual gold",
        lambda: of(plain(), [with_gold(episode, "current", "value", "Pulse Factory") for episode in plain().episodes]),
        "modal gold",
    ),
    (
        "shortcuts", "one source",
        lambda: of(plain(), [with_gold(episode, "source", "source", "user") for episode in plain().episodes]),
        "source.source by the best",
    ),
    ("reading_rates", "full context too low", lambda: all_read(full_context=0.85), "full_context is 85.0%"),
    ("reading_rates", "evidence is incomplete", lambda: all_read(oracle=0.9), "oracle is 90.0%"),
    ("reading_rates", "evidence is not needed", lambda: all_read(necessity=0.9), "necessity is 90.0%"),
    ("pairs", "nothing can be answered", lambda: of(shared(), [unanswered(shared().episodes)]), "refusing"),
    (
        "pairs", "every premise holds",
        lambda: of(shared(), [with_gold(e, "premise", "holds", "yes") for e in shared().episodes]), "agreeing",
    ),
    ("near_duplicates", "all alike", lambda: copies(plain()), "nearly repeat"),
    ("diversity", "all the same", lambda: monotonous(plain()), "pairs of words"),
    ("diversity", "the texts shrink", lambda: monotonous(plain()), "shrink"),
    ("licenses", "no commercial use", lambda: of(plain(), [licensed(plain().episodes[0], "CC-BY-NC-4.0")]), "comm"),
    ("licenses", "no licence", lambda: of(plain(), [licensed(plain().episodes[0], "")]), "no licence"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "what", "wrong", "words"), WRONG, ids=[f"{w[0]}: {w[1]}" for w in WRONG])
def test_what_is_wrong_is_found(name: str, what: str, wrong: Callable[[], SuiteText], words: str) -> None:
    outcome = check(name, wrong())
    assert any(words in f.message or any(w in f.message for w in words.split("|")) for f in outcome.findings), outcome
    assert {finding.code for finding in outcome.findings} == {RULES[name].code}
    assert any(finding.severity == "error" for finding in outcome.findings)


# -- coverage and balance ---------------------------------------------------------------------------------------


def test_a_suite_may_lack_what_its_gate_allows() -> None:
    assert not check("coverage", of(plain(), plain().episodes[1:], 1), missing=1).findings
    assert check("coverage", of(plain(), plain().episodes[2:], 2), missing=1).findings


def test_a_plan_that_cannot_be_made_again_is_not_run() -> None:
    unknown = design({"paradigm": "interference", "condition": "no_such_condition", "count": 1})
    kit = plain().kit
    text = SuiteText(type(kit)(kit.catalog, unknown, kit.lexicon), plain().episodes)
    assert "no_such_condition" in check("coverage", text).not_run


def test_published_designs_may_keep_their_leaks() -> None:
    leaky = [
        without_probes(episode, "previous") if episode.spec.expects == "preserve" else episode
        for episode in plain().episodes
    ]
    kit = plain().kit
    kept = type(kit)(kit.catalog, design(leaky_probes=True), kit.lexicon)
    assert not check("balance", SuiteText(kept, leaky)).findings


def test_an_unused_fact_type_is_a_warning() -> None:
    some = [episode for episode in plain().episodes if episode.spec.fact_type != "gym"]
    warnings = [finding for finding in check("balance", of(plain(), some)).findings if finding.severity == "warning"]
    assert [finding.message for finding in warnings] == ["the fact type gym is in no episode"]


def test_a_group_counts_once_for_its_pair() -> None:
    """Its members share their values on purpose."""
    cells = {
        "paradigm": "interference",
        "condition": "authoritative_update",
        "split": [False, True],
        "vary": "split",
        "count": 1,
    }
    other = {"paradigm": "interference", "condition": ["decoy_no_update"], "count": 2}
    outcome = check("balance", built(design(cells, other)))
    assert figures(outcome)["widest gap between a value's roles"].value == 1.0
    assert not [finding for finding in outcome.findings if "other way" in finding.message]


# -- shortcuts --------------------------------------------------------------------------------------------------


def test_shortcuts_answer_by_their_rule() -> None:
    """A decoy after the update is the latest mention; the update is what is taken over; the first value is kept."""
    episode = next(
        e
        for e in updates(stating())
        if any(p.kind == "decoy" and p.phase == "post_perturbation" for p in e.spec.sessions)
    )
    asked = next(p for p in episode.probes if p.probe.type == "current")
    values = episode.spec.member("target").values
    found = named(stating().kit, episode, "target")
    answers = {name: rule(task(episode, asked)) for name, rule in SHORTCUTS.items()}
    assert answers["always update"] == values["new"] == asked.gold.field("value").answer
    assert answers["always preserve"] == values["initial"]
    assert answers["latest mention"] == found[-1].value != values["new"]
    assert answers["last value of the user"] == [each.value for each in found if each.role == "user"][-1]
    assert answers["first mention"] == values["initial"]
    assert answers["refusing"] is None
    lengths = [len(each.value) for each in found]
    assert len(answers["the longest value"] or "") == max(lengths)
    assert len(answers["the shortest value"] or "") == min(lengths)
    counts = Counter(each.value for each in found)
    assert counts[answers["most frequent"] or ""] == max(counts.values())


def test_the_text_decides_what_was_mentioned_last_whatever_the_plan_calls_it() -> None:
    """A background session that names a value moves the rules that go by the text, and no rule that goes by events."""
    episode = updates(stating())[0]
    asked = next(p for p in episode.probes if p.probe.type == "current")
    other = next(
        v[0]
        for v in stating().kit.lexicon.values_of(episode.spec.fact_type).values
        if v[0] not in episode.spec.values()
    )
    last = episode.sessions[-1]
    line = Turn(role="user", content=f"My {episode.spec.member('target').attribute} is {other}.")
    changed = episode.model_copy(
        update={"sessions": (*episode.sessions[:-1], last.model_copy(update={"turns": (*last.turns, line)}))}
    )
    before, after = task(episode, asked), task(changed, asked)
    moved = {name for name, rule in SHORTCUTS.items() if rule(before) != rule(after)}
    assert SHORTCUTS["latest mention"](after) == other
    assert {"latest mention", "last value of the user"} <= moved
    assert not moved & {"always update", "always preserve", "first mention"}


def test_shortcuts_see_no_later_than_the_probe() -> None:
    episode = updates(stating())[0]
    asked = episode.probes[0]
    early = asked.model_copy(update={"question": asked.question.model_copy(update={"visible_until": 0})})
    assert {each.event.session for each in said(episode.spec, early.probe.about, 0)} == {0}
    assert {each.session for each in task(episode, early).named} == {0}
    assert len(task(episode, early).sessions) == 1


def test_without_anything_said_no_shortcut_answers() -> None:
    episode = updates(plain())[0]
    assert {
        rule(Task((), (), "target", len(episode.sessions), "What is my gym?", episode.sessions))
        for rule in SHORTCUTS.values()
    } == {None}


def test_the_session_that_is_most_like_the_question_answers() -> None:
    episode = updates(stating())[0]
    found = named(stating().kit, episode, "target")
    first = found[0]
    turns = (Turn(role="user", content="What is my present gym, then?"),)
    sessions = [s.model_copy(update={"turns": turns}) if s.index == first.session else s for s in episode.sessions]
    assert (
        keyword_overlap(Task(found, (), "target", len(sessions), "What is my present gym, then?", sessions))
        == first.value
    )


@pytest.mark.parametrize("size", [1, 2, 3, 5])
def test_small_suites_are_not_failed_for_their_size(size: int) -> None:
    """Of three episodes two must share a behaviour, and one of one is always all."""
    mixed = [each for pair in zip(updates(plain()), preserves(plain()), strict=True) for each in pair]
    outcome = check("shortcuts", of(plain(), mixed[:size]), constant_fields="changed")
    assert outcome.findings == ()


def test_a_ceiling_left_empty_is_measured_only() -> None:
    text = of(stating(), list(map(silent_after, stating().episodes)))
    outcome = check("shortcuts", text, latest_mention=None)
    assert not [finding for finding in outcome.findings if "latest mention" in finding.message]
    measure = figures(outcome)["current by latest mention"]
    assert (measure.value, measure.threshold, measure.n) == (0.5, None, 24)
    assert measure.low is not None
    assert measure.low < 0.5 < (measure.high or 0)


def test_a_ceiling_that_is_no_number_breaks_loudly() -> None:
    with pytest.raises(ValueError, match="latest_mention"):
        check("shortcuts", plain(), latest_mention="a third")


# -- reading rates ----------------------------------------------------------------------------------------------


def test_an_unread_suite_is_not_run() -> None:
    assert "no episode was read" in check("reading_rates", plain()).not_run


def test_the_gap_is_split_into_reach_and_use() -> None:
    found = figures(check("reading_rates", all_read()))
    assert found["gap"].value == pytest.approx(0.2)
    assert found["gap by use"].value == pytest.approx(0.75 * 0.05, abs=1e-4)
    assert found["gap by reach"].value == pytest.approx(0.2 - 0.75 * 0.05, abs=1e-4)
    assert found["full_context"].n == 4 * len(plain().episodes)


def test_no_gap_is_judged_in_large_suites_only() -> None:
    level = {"bm25": 0.95, "bm25_reach": 1.0, "bm25_use": 0.95}
    assert not check("reading_rates", all_read(**level)).findings
    (found,) = check("reading_rates", all_read(**level), gap_from=20).findings
    assert "ahead of retrieval" in found.message


def test_of_split_changes_retrieval_answers_a_share_of_full_context_at_most() -> None:
    def parted(text: SuiteText) -> SuiteText:
        return of(text, [respec(episode, split=True) for episode in text.episodes])

    level = {"full_context current": 1.0, "bm25 current": 0.6}
    assert not check("reading_rates", all_read(**level), split_current=0.5).findings, "none is split"
    assert not check("reading_rates", parted(all_read(**level)), split_current=0.6).findings
    assert not check("reading_rates", parted(all_read(**level)), split_current=0.5, split_from=100).findings
    outcome = check("reading_rates", parted(all_read(**level)), split_current=0.5)
    assert [f.message for f in outcome.findings] == [
        "of split changes, retrieval answers current at 60%, and full context at 100% (at most 50% of it)"
    ]
    assert figures(outcome)["bm25 current, split"].value == pytest.approx(0.6)


# -- texts and licences -----------------------------------------------------------------------------------------


def test_members_of_a_matched_group_may_share_their_text() -> None:
    base = plain().episodes[0]
    twins = [respec(base, variant=name) for name in ("whole", "split")]
    assert not check("near_duplicates", of(plain(), twins), most=0.0).findings
    assert check("near_duplicates", of(plain(), [base, respec(base, case="another")]), most=0.0).findings


def test_near_copies_are_found_behind_other_values() -> None:
    base = next(episode for episode in plain().episodes if episode.spec.fact_type == "standup_time")

    def saying(value: str, case: str) -> Episode:
        turns = [
            t.model_copy(update={"content": f"Standup is at {value}. {t.content}"}) for t in base.sessions[0].turns
        ]
        sessions = (base.sessions[0].model_copy(update={"turns": tuple(turns)}), *base.sessions[1:])
        return respec(base.model_copy(update={"sessions": sessions}), case=case, sessions=base.spec.sessions[:1])

    outcome = check(
        "near_duplicates", of(plain(), [saying("9:30", "a"), saying("quarter to ten", "b")]), most=0.0, near=100
    )
    assert len(outcome.findings) == 1


@pytest.mark.parametrize(
    ("license", "suite", "words"),
    [
        ("CC0-1.0", "CC-BY-4.0", ()),
        ("CC-BY-4.0", "CC-BY-4.0", ()),
        ("MIT", "CC-BY-4.0", ()),
        ("CC-BY-NC-4.0", "CC-BY-4.0", ("it allows no commercial use",)),
        ("CC-BY-NC-4.0", "CC-BY-NC-4.0", ()),
        ("CC-BY-ND-4.0", "CC-BY-4.0", ("it allows no derived works",)),
        ("CC-BY-SA-4.0", "CC-BY-4.0", ("derived works must keep its terms",)),
        ("CC-BY-SA-4.0", "CC-BY-SA-4.0", ()),
        ("GPL-3.0-only", "CC-BY-4.0", ("derived works must keep its terms",)),
        ("ODbL-1.0", "CC-BY-4.0", ("derived works must keep its terms",)),
        ("CC-BY-NC-SA-4.0", "CC-BY-4.0", ("derived works must keep its terms", "it allows no commercial use")),
        ("MIT AND CC-BY-NC-4.0", "CC-BY-4.0", ("it allows no commercial use",)),
        ("CC-BY-NC-4.0 OR CC-BY-4.0", "CC-BY-4.0", ()),
        ("NOASSERTION", "CC-BY-4.0", ("it has no licence",)),
        ("", "CC-BY-4.0", ("it has no licence",)),
    ],
)
def test_licences_are_held_against_the_suites_own(license: str, suite: str, words: tuple[str, ...]) -> None:
    assert conflicts(license, suite) == words


def test_a_licence_is_named_with_its_source() -> None:
    (found,) = check("licenses", of(plain(), [licensed(plain().episodes[0], "CC-BY-NC-4.0")])).findings
    assert "files (CC-BY-NC-4.0)" in found.message
    assert "CC-BY-4.0" in found.message


def test_every_rule_has_a_wrong_case() -> None:
    learnt = {"closed_book", "question_leak", "evidence_or_filler"}
    assert {rule for rule, *_ in WRONG} | learnt == set(RULES)
