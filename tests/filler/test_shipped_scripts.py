"""The library that is shipped: what must hold of every script."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from statistics import mean

import pytest
from rapidfuzz import fuzz, process

from suitegen.filler.harmless import Matter, matters
from suitegen.filler.library import Library
from suitegen.latent.seeds import rng
from suitegen.library.templates import compile_line
from suitegen.library.yaml import parse, plain
from suitegen.model.background import Script
from suitegen.model.fact_type import FactType
from suitegen.model.latent import LatentSpec, Member
from suitegen.values.lexicon import Lexicon
from suitegen.values.tokens import occurrences, scan

FACT_TYPES = Path(__file__).parents[2] / "fact_types"
NEAR = 80
"""Token-set similarity, 0 to 100, from which two dialogues are near copies."""

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


@pytest.fixture(scope="module")
def fact_types() -> Mapping[str, FactType]:
    documents = [parse(path.read_text(encoding="utf-8"), path.name) for path in sorted(FACT_TYPES.rglob("*.yaml"))]
    found = [FactType.model_validate(plain(document.root)) for document in documents if document.root is not None]
    assert len(found) == len(documents) > 0
    return {each.id: each for each in found}


@pytest.fixture(scope="module")
def about(fact_types: Mapping[str, FactType], spec: Callable[..., LatentSpec]) -> Mapping[str, Matter]:
    lexicon = Lexicon(fact_types)
    out = {}
    for each in fact_types.values():
        values = {"initial": each.values[0].value}
        member = Member(name="target", fact_type=each.id, entity="x", attribute=each.attribute, values=values)
        (out[each.id],) = matters([spec(cast=[member])], lexicon)
    return out


@pytest.fixture(scope="module")
def touched(shipped: Sequence[Script], about: Mapping[str, Matter]) -> Mapping[str, Sequence[tuple[str, str]]]:
    """By fact type, the scripts and texts that an episode about it could not use."""
    texts = sorted({(script.id, text) for script in shipped for _, text in rendered(script)})
    return {name: [pair for pair in texts if matter.touched_by(pair[1])] for name, matter in about.items()}


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
    assert len(shipped) >= 122
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


def test_shapes_differ_and_some_scripts_call_a_tool(shipped: Sequence[Script]) -> None:
    assert {len(script.turns) for script in shipped} == {4, 6, 8, 10}
    assert sum(any(turn.role == "tool" for turn in script.turns) for script in shipped) >= 8


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


def test_no_line_names_an_attribute_or_a_value_of_a_shipped_fact_type(
    touched: Mapping[str, Sequence[tuple[str, str]]], about: Mapping[str, Matter]
) -> None:
    found = [
        (name, *pair)
        for name, pairs in touched.items()
        for pair in pairs
        if any(occurrences(scan(pair[1]).words, about[name].attribute))
        # Five minutes are a value of whatever is measured in minutes; those are counted below.
        or (about[name].vocabulary.kind != "quantity" and about[name].vocabulary.mentions(pair[1]))
    ]
    assert found == []


def test_every_fact_type_leaves_nearly_all_topics_to_choose_from(
    shipped: Sequence[Script], touched: Mapping[str, Sequence[tuple[str, str]]]
) -> None:
    lost = {name: sorted({script for script, _ in pairs}) for name, pairs in touched.items()}
    assert {name: scripts for name, scripts in lost.items() if len(scripts) > len(shipped) / 10} == {}


def test_lines_are_clean_text(shipped: Sequence[Script]) -> None:
    for script in shipped:
        for role, text in rendered(script):
            assert text == text.strip(), text
            assert not re.search(r"\{\{|\}\}|\{%| {2,}(?!\S*[=+{}<>]|\w)|\bTODO\b", text.split("```")[0]), text
            assert text.count("```") % 2 == 0, text
            assert not re.search(r"\b(an? an?|the the|a the|the a|(?:my|our|your) (?:an?|the|my))\b", text), text
            if role == "assistant":
                assert len(text) > 4, text


def words(texts: Sequence[str]) -> float:
    return mean(len(text.split()) for text in texts)


def test_turns_are_as_long_as_those_of_the_scenes(library: Library, fact_types: Mapping[str, FactType]) -> None:
    # Else length alone would tell which sessions of a history matter.
    opening, follow_ups, closing = [], [], []
    for topic, script in enumerate(library.scripts):
        random = rng("lengths", script.id)
        for _ in range(4):
            turns = library.dialogue(topic, random.randrange(library.counts[topic])).turns
            opening.append(turns[0].content)
            follow_ups += [turn.content for turn in turns[1:] if turn.role == "user"]
            closing.append(turns[-1].content)
    scenes = [context for each in fact_types.values() for context in each.contexts]
    pairs = {
        "open": (opening, [line for scene in scenes for line in scene.open]),
        "follow": (follow_ups, [line for scene in scenes for line in scene.follow]),
        "answer": (closing, [line for scene in scenes for line in scene.answer]),
    }
    ratios = {part: words(ours) / words(theirs) for part, (ours, theirs) in pairs.items()}
    assert all(0.75 <= ratio <= 1.35 for ratio in ratios.values()), ratios


def masked(script: Script) -> Iterator[str]:
    """Dialogues of a script that hold every line once, its slots masked."""
    for number in range(max(len(turn.lines) for turn in script.turns)):
        lines = [turn.lines[number % len(turn.lines)] for turn in script.turns]
        yield " ".join(compile_line(line).render(dict.fromkeys(script.slots, "x")) for line in lines)


def test_dialogues_of_different_scripts_are_far_apart(shipped: Sequence[Script]) -> None:
    named = [(script.id, text) for script in shipped for text in masked(script)]
    drawn = [text for _, text in named]
    scores = process.cdist(drawn, drawn, scorer=fuzz.token_set_ratio, score_cutoff=NEAR)
    near = {
        (named[one][0], named[other][0])
        for one, row in enumerate(scores)
        for other, score in enumerate(row[:one])
        if score and named[one][0] != named[other][0]
    }
    assert near == set()


def apart(library: Library, topic: int, most: int, draws: int) -> int:
    """How many of some drawn dialogues of a topic share at most .8 of their words, slots masked, with any other."""
    random = rng("apart", topic)
    kept: list[frozenset[str]] = []
    for _ in range(draws):
        turns = library.dialogue(topic, random.randrange(library.counts[topic])).turns
        spoken = frozenset(word for turn in turns for word in turn.content.casefold().split())
        if len(kept) < most and all(len(spoken & other) <= 0.8 * len(spoken | other) for other in kept):
            kept.append(spoken)
    return len(kept)


def test_there_are_five_thousand_dialogues_that_are_no_near_copies(shipped: Sequence[Script]) -> None:
    """Within a topic by the words that two share; those of different topics are far apart anyway, see above."""
    masks = [{name: ["x"] * len(values) for name, values in script.slots.items()} for script in shipped]
    plain = [s.model_copy(update={"slots": mask}) for s, mask in zip(shipped, masks, strict=True)]
    library = Library(plain)
    assert sum(apart(library, topic, 60, 150) for topic in range(len(plain))) > 5000
