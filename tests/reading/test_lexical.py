from __future__ import annotations

import ast
import importlib.util
import sys
import time
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from suitegen.model.history import Session, Turn
from suitegen.reading.lexical import LexicalReader
from suitegen.reading.scoring import score


def _sibling(name: str):
    """A module beside this one: test folders are no packages."""
    spec = importlib.util.spec_from_file_location(f"reading_{name}", Path(__file__).parent / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


table = _sibling("dialogues")
PROBES = list(table.asked())
READER = LexicalReader()


def session(*turns: tuple[str, str], index: int = 0) -> Session:
    said = tuple(Turn(role=role, content=content) for role, content in turns)
    return Session(session_id=f"s{index}", index=index, timestamp=f"2026-05-{index + 1:02d}T10:00:00+00:00", turns=said)


def ask(probe: str, text: str, *sessions: Session) -> dict[str, str]:
    return dict(READER.read(sessions, table.question(text, probe)))


def test_the_table_is_large_enough_to_mean_something() -> None:
    assert len({probe.dialogue for probe in PROBES}) >= 50
    assert len({probe.type for probe in PROBES}) == 15


def test_at_least_95_percent_of_each_probe_type_are_right() -> None:
    points, wrong = defaultdict(list), defaultdict(list)
    for probe in PROBES:
        answer = READER.read(probe.sessions, probe.question)
        found = score(answer, probe.gold).points
        points[probe.type].append(found)
        if found != 1.0:
            wrong[probe.type].append((probe.dialogue, probe.question.question, answer))
    low = {kind: wrong[kind] for kind, all_ in points.items() if sum(all_) < 0.95 * len(all_)}
    assert not low


def test_nothing_is_answered_once_its_evidence_is_gone() -> None:
    cut = [probe for probe in PROBES if probe.cut is not None]
    still = [
        (probe.dialogue, probe.question.question)
        for probe in cut
        if score(READER.read(probe.cut, probe.question), probe.gold).points == 1.0
    ]
    assert len(cut) > 100
    assert not still


def test_answers_have_the_fields_that_are_asked_for_and_words_of_their_lists() -> None:
    for probe in PROBES:
        answer = READER.read(probe.sessions, probe.question)
        assert set(answer) == set(table.FIELDS[probe.type])
        assert all(answer[name] in words for name, words in table.CHOICES.items() if name in answer)


def test_reading_twice_gives_the_same() -> None:
    for probe in PROBES[::7]:
        assert READER.read(probe.sessions, probe.question) == READER.read(list(probe.sessions), probe.question)


def test_a_warm_read_is_quick() -> None:
    probes = PROBES[::10]
    for probe in probes:
        READER.read(probe.sessions, probe.question)
    start = time.perf_counter()
    for probe in probes:
        READER.read(probe.sessions, probe.question)
    assert (time.perf_counter() - start) / len(probes) < 0.05


def test_sessions_after_the_question_are_not_used() -> None:
    early = session(("user", "My dentist is Dr Oduya."), index=0)
    late = session(("user", "My dentist is Dr Lind now."), index=3)
    asked = table.question("Who is my dentist?", "current").model_copy(update={"visible_until": 2})
    assert READER.read((early, late), asked) == {"value": "Dr Oduya"}


def test_nothing_said_is_unknown() -> None:
    assert ask("current", "Who is my dentist?") == {"value": "unknown"}
    assert ask("conflict", "Dr Oduya was named as my dentist. Who said it, how does it stand, does it apply?") == {
        "source": "none",
        "status": "never_said",
        "applies": "no",
    }


def test_an_unsettled_contradiction_names_both_values() -> None:
    told = session(("user", "The gate code of the yard is 4411."), index=0)
    record = Turn(role="tool", content='{"place": "yard", "gate_code": "9020"}', name="site_lookup")
    looked = session(("user", "Look up the gate code of the yard."), index=1)
    looked = looked.model_copy(update={"turns": (*looked.turns, record)})
    answer = ask("current", "What is the gate code of the yard?", told, looked)
    assert "4411" in answer["value"]
    assert "9020" in answer["value"]
    assert answer["value"].startswith("uncertain")


def test_a_change_without_its_value_makes_the_present_unknown() -> None:
    told = session(("user", "The gate code of the yard is 4411."), index=0)
    news = session(
        ("user", "The gate code of the yard has changed because a key went missing, details to follow."), index=1
    )
    assert ask("current", "What is the gate code of the yard?", told, news) == {"value": "unknown"}
    assert ask("previous", "What was the gate code of the yard before the present one?", told, news) == {
        "value": "4411"
    }
    assert (
        "key went missing"
        in ask("trigger", "What set off the change of the gate code of the yard?", told, news)["trigger"]
    )


YARD = ("user", "The gate code of the yard is 4411.")
CHANGED = "Has the gate code of the yard changed?"


@pytest.mark.parametrize(
    "news",
    [
        "Don't count on 4411 any longer, because a key went missing.",
        "A key went missing, so it won't be 4411 for much longer.",
        "I told you 4411. That no longer holds, a key went missing.",
        "So much for 4411: a key went missing.",
    ],
)
def test_a_known_value_that_ends_is_a_change(news: str) -> None:
    told, ended = session(YARD, index=0), session(("user", news), index=1)
    assert ask("change", CHANGED, told, ended) == {"changed": "yes"}
    assert ask("current", "What is the gate code of the yard?", told, ended) == {"value": "unknown"}
    assert (
        "key went missing"
        in ask("trigger", "What set off the change of the gate code of the yard?", told, ended)["trigger"]
    )
    assert ask("change", CHANGED, ended) == {"changed": "no"}
    later = session(("user", "For the delivery: the gate code of the yard is 9020."), index=2)
    assert ask("current", "What is the gate code of the yard?", told, ended, later) == {"value": "9020"}


@pytest.mark.parametrize(
    ("before", "news"),
    [
        ("By the way, my bike has gears.", "The locker can't be 4411 any more, because a key went missing."),
        ("By the way, my bike has gears.", "Don't count on 9020 any longer, because a key went missing."),
        ("By the way, my bike has gears.", "Maybe it won't be 4411 for much longer."),
        ("By the way, my bike has gears.", "My sister says it won't be 4411 for much longer."),
        ("By the way, my bike has gears.", "Is it true that it won't be 4411 for much longer?"),
        ("The gate code of the harbour is 4411 too.", "Don't count on 4411 any longer, because a key went missing."),
    ],
)
def test_what_ends_is_a_value_that_only_the_target_holds(before: str, news: str) -> None:
    told = session(YARD, index=0), session(("user", before), index=1), session(("user", news), index=2)
    assert ask("change", CHANGED, *told) == {"changed": "no"}


def test_a_former_value_does_not_end_again() -> None:
    moved = session(("user", "The gate code of the yard has changed, it is 9020 now."), index=1)
    again = session(("user", "It's no longer 4411, so don't count on 4411 any longer."), index=2)
    assert ask("current", "What is the gate code of the yard?", session(YARD), moved, again) == {"value": "9020"}


def test_an_answer_format_without_properties_is_refused() -> None:
    bad = table.question("Who is my dentist?", "current").model_copy(update={"answer_format": '["value"]'})
    with pytest.raises(ValueError, match="JSON Schema"):
        READER.read((), bad)


_TEXTS = st.text(alphabet=st.sampled_from("ab Z19:.,;?!\"'{}[]=|-–\n\té“”/_@ß"), max_size=80) | st.sampled_from(
    ["", "My gym is The Lift Room now.", '{"gym": ""}', "??", "gym", "my gym is", "I said that that that", ": : :"]
)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from(["user", "assistant", "tool"]), _TEXTS), max_size=6),
    st.sampled_from(list(table.FIELDS)),
    _TEXTS,
)
def test_any_text_can_be_read(turns: list[tuple[str, str]], probe: str, tail: str) -> None:
    answer = ask(
        probe, f"What is my gym? {tail}", session(*turns), session(("user", "My gym is Pulse Factory."), index=1)
    )
    assert set(answer) == set(table.FIELDS[probe])


def test_the_reader_knows_nothing_of_golds_writers_or_templates() -> None:
    """It may import what it reads, words and values; of the reading folder only parts that keep to this as well."""
    folder = Path(sys.modules["suitegen.reading.lexical"].__file__).parent
    allowed = ("suitegen.model.history", "suitegen.model.words", "suitegen.values", "suitegen.reading")
    seen, todo = set(), ["lexical"]
    while todo:
        name = todo.pop()
        if name in seen:
            continue
        seen.add(name)
        for node in ast.walk(ast.parse((folder / f"{name}.py").read_text(encoding="utf-8"))):
            module = getattr(node, "module", None) or ""
            if isinstance(node, ast.ImportFrom) and module.startswith("suitegen"):
                assert module.startswith(allowed), f"{name} imports {module}"
                if module.startswith("suitegen.reading."):
                    todo.append(module.rpartition(".")[2])
    assert "scoring" not in seen
