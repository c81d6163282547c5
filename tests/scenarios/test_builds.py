"""What goes wrong while suites are made: counts, journals, facts that were never said, validators of others."""

from __future__ import annotations

from pathlib import Path

import pytest

from suitegen import app
from suitegen.model.episode import Episode
from suitegen.model.history import Span, Turn, Written
from suitegen.model.latent import LatentSpec
from suitegen.pipeline.journal import FOLDER, JOURNAL
from suitegen.reading.lexical import LexicalReader
from suitegen.validation.builtin import builtin
from suitegen.validation.protocol import AnyValidator, EpisodeText, Kit, SessionText
from suitegen.values.lexicon import Lexicon
from tests.catalog import shipped
from tests.scenarios.conftest import SUITE, Project
from tests.scenarios.sample import episode

RULES: dict[str, AnyValidator] = dict(builtin(LexicalReader()))
MORE = "  - {paradigm: misinformation, condition: assistant_noise, count: 1}\n"
TWELVE = SUITE.replace("count: 1", "count: 6").replace(
    "gates: [session, episode, reading]", "gates: [session, episode]"
)


def spoil(project: Project, body: str) -> None:
    """A validator of the project's own, in front of the session gate."""
    (project.root / "validators" / "own_rule.py").write_text(
        "from suitegen.model.finding import Finding\n"
        "from suitegen.validation.protocol import Example, Outcome, Validator\n\n\n"
        f"def check(text, options):\n    {body}\n\n\n"
        'VALIDATOR = Validator("own_rule", "X900", "session", "x", "y", Example("a", "b"), check)\n',
        "utf-8",
    )
    gate = project.root / "validators" / "session.yaml"
    gate.write_text(gate.read_text("utf-8").replace("checks:\n", "checks:\n  - own_rule\n"), "utf-8")


REFUSE = (
    'return Outcome((Finding(code="X900", message="not this one"),)'
    ' if text.spec.case.endswith((".002", ".005")) else ())'
)


def test_everything_is_tried_and_packaged_only_within_what_is_allowed(project: Project) -> None:
    """Of twelve cases four fail for ever: all twelve are tried; three allowed is too few, four is enough."""
    project.suite(TWELVE)
    spoil(project, REFUSE)
    strict = project.build("strict")
    assert (strict.planned, strict.accepted, strict.missing, strict.packaged) == (12, 8, 4, False)
    failed = app.failures(project.root / "strict", None)
    assert [f.status for f in failed if f.status != "accepted"] == ["failed"] * 4
    assert not (project.root / "strict" / "manifest.json").exists()
    assert not project.build("three", max_failures=3).packaged
    four = project.build("four", max_failures=4)
    assert four.packaged
    assert "8 of 12" in (project.root / "four" / "README.md").read_text("utf-8")


def test_a_suite_of_nothing_is_never_written(project: Project) -> None:
    spoil(project, 'return Outcome((Finding(code="X900", message="none"),))')
    assert not project.build(max_failures=100).packaged
    assert not (project.root / "out" / "manifest.json").exists()


@pytest.mark.parametrize(
    ("body", "trace"),
    [("return text.nothing_such", "nothing_such"), ("return None", "own_rule"), ("return (1, 2)", "own_rule")],
)
def test_a_rule_that_breaks_is_an_error_with_its_name(project: Project, body: str, trace: str) -> None:
    spoil(project, body)
    result = project.build()
    assert (result.accepted, result.packaged) == (0, False)
    told = app.failures(project.root / "out", None)
    assert {view.status for view in told} == {"error"}
    assert all(trace in str(view) for view in told)


@pytest.mark.parametrize("cut", [30, 1, 2])
def test_a_damaged_end_of_the_journal_costs_its_record_alone(project: Project, cut: int) -> None:
    whole = project.build()
    path = project.root / "out" / FOLDER / JOURNAL
    data = path.read_bytes()
    for _ in range(2):
        path.write_bytes(data[:-cut])
        again = project.build()
        assert again.accepted == whole.accepted
        assert set(path.read_bytes().split()) == set(data.split())
    # A complete record without its line end is kept, and the next one starts a line of its own.
    project.replace("gates:", f"{MORE}gates:", project.root / "specs" / "suites" / "tiny.yaml")
    path.write_bytes(data[:-cut])
    assert project.build().accepted == whole.accepted + 1
    assert path.read_bytes().count(b"\n") == data.count(b"\n") + 1


def test_only_what_is_new_is_made_and_a_moved_folder_is_the_same(project: Project) -> None:
    project.build()
    journal = project.root / "out" / FOLDER / JOURNAL
    before = journal.read_bytes()
    suite = project.root / "specs" / "suites" / "tiny.yaml"
    suite.write_text(suite.read_text("utf-8").replace("title: A tiny suite", "title: Another title"), "utf-8")
    project.build()
    assert journal.read_bytes() == before, "a title is in no case"
    suite.write_text(suite.read_text("utf-8").replace("gates:", f"{MORE}gates:"), "utf-8")
    assert project.build().accepted == 3
    assert journal.read_bytes().startswith(before)
    assert journal.read_bytes().count(b"\n") == before.count(b"\n") + 1
    kept = journal.read_bytes()
    moved = Project(project.root.rename(project.root.with_name("moved")))
    moved.build()
    assert (moved.root / "out" / FOLDER / JOURNAL).read_bytes() == kept


# -- what was never said ----------------------------------------------------------------------------------------


def kit() -> Kit:
    catalog = shipped()
    return Kit(catalog, catalog.suites["starter"], Lexicon(catalog.fact_types))


def encoded() -> tuple[Kit, LatentSpec, Episode]:
    made = kit()
    sample = episode(made)
    return made, sample.spec, sample


def session(text: str, role: str = "user") -> SessionText:
    """The first session of a sample episode with another text for its one event."""
    made, spec, _ = encoded()
    plan = next(plan for plan in spec.sessions if plan.kind == "event").model_copy(update={"frame": "scene"})
    (event,) = spec.events_of(plan)
    turns = [Turn(role="user", content="Can you help me with the gym list?"), Turn(role="assistant", content="Sure.")]
    at = 2 if role == "user" else 3
    turns += [
        Turn(role="user", content=text if role == "user" else "And the rest?"),
        Turn(role="assistant", content=text if role == "assistant" else "Noted."),
    ]
    written = Written(turns=tuple(turns), spans=(Span(event=event.id, turn=at, start=0, end=len(text)),))
    return SessionText(made, spec, plan, written)


def codes(text: SessionText) -> set[str]:
    found = set()
    for name in ("spans", "facets", "silence", "weak"):
        found |= {finding.code for finding in RULES[name].check(text, RULES[name].options).findings}
    return found


def test_a_fact_that_no_turn_states_is_found() -> None:
    _, spec, _ = encoded()
    value = spec.member("target").values["initial"]
    assert codes(session(f"My gym is {value}.")) == set()
    assert codes(session("I got a new gym!")), "no value"
    assert codes(session(f"Your gym is {value}.", role="assistant")), "the user was to say it"
    other = next(v.value for v in shipped().fact_types["gym"].values if v.value not in spec.values())
    assert codes(session(f"My gym is {value}, or is my gym {other}.")), "two values"


def test_evidence_that_points_elsewhere_is_found() -> None:
    made, _, episode = encoded()
    rules = [rule for rule in RULES.values() if rule.level == "episode" and not rule.code.startswith("R")]

    def found(changed: Episode) -> set[str]:
        text = EpisodeText(made, changed)
        return {finding.code for rule in rules for finding in rule.check(text, rule.options).findings}

    assert found(episode) == set()
    first = episode.spans[0]
    for wrong in ({"turn": first.turn + 1}, {"start": first.start + 1}, {"session": first.session + 1}, {"quote": "x"}):
        spans = (first.model_copy(update=wrong), *episode.spans[1:])
        assert found(episode.model_copy(update={"spans": spans})), wrong


def test_background_that_answers_is_found_in_the_finished_history() -> None:
    made, spec, episode = encoded()
    target, value = spec.member("target"), spec.member("target").values["new"]
    index = next(plan.index for plan in spec.sessions if plan.kind == "background")
    turns = (Turn(role="user", content=f"My {target.attribute} is {value}."), Turn(role="assistant", content="Nice."))
    sessions = [s.model_copy(update={"turns": turns}) if s.index == index else s for s in episode.sessions]
    changed = episode.model_copy(update={"sessions": tuple(sessions)})
    rules = [rule for rule in RULES.values() if rule.level == "episode" and not rule.code.startswith("R")]
    text = EpisodeText(made, changed)
    assert {finding.session for rule in rules for finding in rule.check(text, rule.options).findings} >= {index}


@pytest.mark.parametrize(
    ("user", "assistant"),
    [
        ("Which example sentence could I put on the form?", "For instance: my {attribute} is {value}."),
        ("I heard that you know my {attribute}.", "I do. Your {attribute} is {value}."),
    ],
)
def test_what_the_assistant_says_by_itself_is_never_the_users_fact(user: str, assistant: str) -> None:
    """An example of the assistant's is no evidence where the user was to speak, and no background either."""
    made, spec, sample = encoded()
    target = spec.member("target")
    words = {"attribute": target.attribute, "value": target.values["initial"]}
    assert codes(session(assistant.format(**words), role="assistant")), "the user was to say it"
    index = next(plan.index for plan in spec.sessions if plan.kind == "background")
    turns = (
        Turn(role="user", content=user.format(**words)),
        Turn(role="assistant", content=assistant.format(**words)),
    )
    sessions = [s.model_copy(update={"turns": turns}) if s.index == index else s for s in sample.sessions]
    text = EpisodeText(made, sample.model_copy(update={"sessions": tuple(sessions)}))
    rules = [rule for rule in RULES.values() if rule.level == "episode" and not rule.code.startswith("R")]
    assert {finding.session for rule in rules for finding in rule.check(text, rule.options).findings} >= {index}


def test_evidence_moved_to_another_role_is_found() -> None:
    """The same words in the same place, from another mouth."""
    made, _, sample = encoded()
    span = sample.spans[0]
    turns = list(sample.sessions[span.session].turns)
    turns[span.turn] = turns[span.turn].model_copy(update={"role": "assistant"})
    sessions = [s.model_copy(update={"turns": tuple(turns)}) if s.index == span.session else s for s in sample.sessions]
    text = EpisodeText(made, sample.model_copy(update={"sessions": tuple(sessions)}))
    rules = [rule for rule in RULES.values() if rule.level == "episode" and not rule.code.startswith("R")]
    assert [finding.code for rule in rules for finding in rule.check(text, rule.options).findings]


def test_nothing_is_written_outside_of_the_folder(project: Project, tmp_path: Path) -> None:
    before = {path for path in tmp_path.rglob("*") if path.is_file()}
    project.build()
    after = {path for path in tmp_path.rglob("*") if path.is_file()}
    assert all((project.root / "out") in path.parents for path in after - before)
