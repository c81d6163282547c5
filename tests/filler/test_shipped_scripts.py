"""The library that is shipped: what must hold of every script."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest
from rapidfuzz import fuzz

from suitegen.filler.library import Library
from suitegen.latent.seeds import rng
from suitegen.library.templates import compile_line
from suitegen.model.background import Script

CLOCK = re.compile(
    r"\b\d{1,2}[:.]\d{2}\b(?! ?(?:kg|m|EUR))|\b\d{1,2} ?(?:am|pm|o'clock)\b|\b(?:noon|midnight|half past|quarter to)\b",
    re.I,
)
WEEKDAY = re.compile(r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b", re.I)
MONTH = re.compile(
    r"\b(?:January|February|March|April|June|July|August|September|October|November|December)\b|\bMay \d|\bin May\b"
)
ATTRIBUTES = re.compile(
    r"\b(?:gyms?|workouts?|diets?|dietary|vegan|vegetarian|commut\w*|stand-?ups?|meetings?|project owner|deadlines?"
    r"|review\w*|retr(?:y|ies|ied|ying)|attempts?|branch(?:es)?|ports?|coffee|databases?|deploy\w*|routine)\b",
    re.I,
)
PERSONAL = re.compile(
    r"\b(?:I live in|I work (?:at|as|for)|my name is|I(?:'m| am) (?:a|an) \w+ (?:from|at)"
    r"|my (?:favourite|birthday|address|boss|wife|husband|son|daughter|sister|brother|mother|father)"
    r"|my (?:job|company|doctor|car|flat|house))\b",
    re.I,
)
LIKE_A_PORT = re.compile(r"(?<![\d_])\d{4,5}(?![\d_])")


@pytest.fixture(scope="module")
def library(shipped: Sequence[Script]) -> Library:
    return Library(shipped)


def rendered(script: Script) -> Iterator[tuple[str, str]]:
    """Every alternative with every draw of the slots it uses, with its role."""
    for turn in script.turns:
        for text in turn.lines:
            line = compile_line(text)
            used = [name for name in script.slots if name in line.variables]
            for index in range(max((len(script.slots[name]) for name in used), default=1)):
                values = {name: script.slots[name][index % len(script.slots[name])] for name in used}
                yield turn.role, line.render(values)


def test_there_are_enough_topics_of_their_own(shipped: Sequence[Script]) -> None:
    assert len(shipped) >= 48
    assert len({script.id for script in shipped}) == len(shipped)
    assert {script.license for script in shipped} == {"CC0-1.0"}


def test_every_script_has_turns_alternatives_and_slots_to_vary(shipped: Sequence[Script]) -> None:
    for script in shipped:
        assert 4 <= len(script.turns) <= 10, script.id
        assert len(script.slots) >= 2, script.id
        assert all(4 <= len(values) <= 8 for values in script.slots.values()), script.id
        for turn in script.turns:
            assert 3 <= len(turn.lines) <= 4, script.id
            assert len(set(turn.lines)) == len(turn.lines), script.id


def test_some_scripts_call_a_tool(shipped: Sequence[Script]) -> None:
    assert sum(any(turn.role == "tool" for turn in script.turns) for script in shipped) >= 4


def test_every_script_gives_many_dialogues(library: Library) -> None:
    few = {script.id: count for script, count in zip(library.scripts, library.counts, strict=True) if count < 1000}
    assert few == {}


@pytest.mark.parametrize(
    "pattern", [CLOCK, WEEKDAY, MONTH, ATTRIBUTES, PERSONAL, LIKE_A_PORT], ids=lambda p: p.pattern[:20]
)
def test_no_line_holds_what_an_attribute_could_be(shipped: Sequence[Script], pattern: re.Pattern[str]) -> None:
    found = [
        (script.id, hit[0], text)
        for script in shipped
        for _, text in rendered(script)
        for hit in pattern.finditer(text)
    ]
    assert found == []


def test_lines_are_clean_text(shipped: Sequence[Script]) -> None:
    for script in shipped:
        for role, text in rendered(script):
            assert text == text.strip(), text
            assert not re.search(r"\{\{|\}\}|\{%| {2,}(?!\S*[=+{}<>]|\w)|\bTODO\b", text.split("```")[0]), text
            assert text.count("```") % 2 == 0, text
            assert not re.search(r"\b(an? an?|the the|a the|the a)\b", text), text
            if role == "assistant":
                assert len(text) > 15, text


def test_dialogues_of_different_scripts_are_far_apart(library: Library) -> None:
    texts = {}
    for topic, script in enumerate(library.scripts):
        random = rng("similarity", script.id)
        drawn = [library.dialogue(topic, random.randrange(library.counts[topic])) for _ in range(2)]
        texts[script.id] = [" ".join(turn.content for turn in each.turns) for each in drawn]
    for (name, some), (other, more) in combinations(texts.items(), 2):
        closest = max(fuzz.token_set_ratio(a, b) for a in some for b in more)
        assert closest < 80, (name, other, closest)
