"""The shipped English surfaces: enough of everything, no unknown variable, the right words in the right place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise, product
from typing import get_args

import pytest

from suitegen.library.templates import variables
from suitegen.model.catalog import Catalog
from suitegen.model.surface import Phrase, Surfaces
from suitegen.model.words import Facet, Op, Source, Speaker, Strength
from suitegen.values.tables import table
from suitegen.values.tokens import contains_phrase
from suitegen.writing.clauses import CLAUSES, FACETS

NOUNS = {"noun", "subject", "attribute"}
STATES = {**FACETS, "state": "value", "state_new": "value", "considering": "value", "was": "old", "known": "old"}


@pytest.fixture(scope="module")
def surfaces(catalog: Catalog) -> Surfaces:
    return catalog.surfaces["en"]


def facets(line: str) -> frozenset[str]:
    return frozenset(STATES[name] for name in variables(line) if name in STATES)


def phrases(
    surfaces: Surfaces, op: Op, speaker: Speaker = "user", source: Source | None = None, strength: Strength = "strong"
) -> Iterator[Phrase]:
    for phrase in surfaces.phrases:
        fits = op in phrase.op and speaker in phrase.speaker and (source or speaker) in (phrase.source or (speaker,))
        if fits and strength in phrase.strength and phrase.scope is None:
            yield phrase


def lines(surfaces: Surfaces, op: Op, stated: set[str], act: bool = True, **which: object) -> set[str]:
    found = phrases(surfaces, op, **which)  # type: ignore[arg-type]
    return {line for phrase in found if phrase.act == act for line in phrase.lines if facets(line) == stated}


def all_lines(surfaces: Surfaces) -> Iterator[str]:
    for phrase in surfaces.phrases:
        yield from phrase.lines
    for exchange in surfaces.exchanges:
        for turn in exchange.turns:
            for alternatives in turn.values():
                yield from alternatives
    for aside in surfaces.asides:
        yield from (text for _, text in aside if text is not None)
    for riders in (surfaces.riders, surfaces.records.riders):
        for alternatives in riders.values():
            yield from alternatives


def test_lines_use_only_what_they_are_given(surfaces: Surfaces) -> None:
    known = NOUNS | STATES.keys()
    for phrase in surfaces.phrases:
        assert all(variables(line) <= known for line in phrase.lines)
    for riders in (surfaces.riders, surfaces.records.riders):
        assert all(variables(line) <= known for alternatives in riders.values() for line in alternatives)
    for clauses in (surfaces.clauses, surfaces.records.clauses):
        assert all(
            variables(line) <= NOUNS | {"value", "old"} for alternatives in clauses.values() for line in alternatives
        )
    turns = [
        line for e in surfaces.exchanges for turn in e.turns for alternatives in turn.values() for line in alternatives
    ]
    assert all(variables(line) <= NOUNS | {"said", "echo", "draft"} for line in turns)


def test_a_rider_states_its_facet_alone(surfaces: Surfaces) -> None:
    for riders in (surfaces.riders, surfaces.records.riders):
        assert riders.keys() == set(get_args(Facet))
        for facet, alternatives in riders.items():
            assert len(alternatives) >= 5
            assert all(facets(line) <= {facet} for line in alternatives)


def test_no_speaker_has_a_line_twice(surfaces: Surfaces) -> None:
    for speaker in get_args(Speaker):
        spoken = Counter(line for phrase in surfaces.phrases if speaker in phrase.speaker for line in phrase.lines)
        assert [line for line, count in spoken.items() if count > 1 and len(variables(line)) != 1] == []


def test_what_is_said_often_has_many_wordings(surfaces: Surfaces) -> None:
    assert len(lines(surfaces, "remember", {"value"})) >= 16
    assert len(lines(surfaces, "update", {"value", "trigger", "reason"})) >= 10
    assert len(lines(surfaces, "update", {"trigger", "reason"})) >= 8
    assert len(lines(surfaces, "update", {"value"}, act=False)) >= 8
    assert len(lines(surfaces, "reinforce", {"rejection"})) >= 6
    assert len(lines(surfaces, "mention", {"old"})) >= 8
    assert len(lines(surfaces, "reactivate", {"old"})) >= 6
    assert len(lines(surfaces, "forget", set())) >= 6
    assert len(lines(surfaces, "challenge", {"value"}, strength="weak")) >= 6
    assert len(lines(surfaces, "challenge", {"value"}, speaker="assistant")) >= 6
    assert len(lines(surfaces, "challenge", {"value"}, speaker="tool")) >= 5
    assert len(lines(surfaces, "challenge", {"value", "date"}, speaker="tool")) >= 5
    for strength in ("strong", "weak"):
        assert len(lines(surfaces, "challenge", {"value", "source"}, source="third_party", strength=strength)) >= 6
    assert len(lines(surfaces, "challenge", {"value", "source"}, speaker="tool", source="document")) >= 5


@pytest.mark.parametrize("speaker", get_args(Speaker))
def test_every_op_has_phrases_in_every_mouth(speaker: Speaker, surfaces: Surfaces) -> None:
    for op, strength in product(get_args(Op), get_args(Strength)):
        found = [line for p in phrases(surfaces, op, speaker, None, strength) if p.act for line in p.lines]
        assert found, (op, strength)
        # The target can always be named alone, and the value always be put in.
        assert any(not facets(line) for line in found), (op, strength)
        assert any(facets(line) == {"value"} for line in found), (op, strength)


def test_exchanges_are_enough_and_whole(surfaces: Surfaces) -> None:
    for speaker, source in product(get_args(Speaker), get_args(Source)):
        for op, strength in product(get_args(Op), get_args(Strength)):
            fitting = [
                exchange
                for exchange in surfaces.exchanges
                if exchange.speaker == speaker
                and source in (exchange.source or get_args(Source))
                and op in (exchange.op or get_args(Op))
                and strength in exchange.strength
                and exchange.answered
            ]
            assert len(fitting) >= 3, (speaker, source, op, strength)
    for exchange in surfaces.exchanges:
        turns = [(role, alternatives) for turn in exchange.turns for role, alternatives in turn.items()]
        holding = [(role, a) for role, a in turns if any("said" in variables(line) for line in a)]
        ((role, alternatives),) = holding
        assert role == exchange.speaker
        assert all("said" in variables(line) for line in alternatives)
        if not exchange.answered:
            assert turns == [("user", ("{{ said }}",))]
            continue
        assert all(len(a) >= 4 or a == ("{{ said }}",) for r, a in turns if r != "tool")
        assert (turns[0][0], turns[-1][0]) == ("user", "assistant")
        assert all(a != b for a, b in pairwise(r for r, _ in turns))


def test_weak_lines_are_hedged_and_firm_ones_are_not(surfaces: Surfaces) -> None:
    hedges = table("en").hedges
    firm = {"remember", "reinforce", "update", "correct", "restore"}
    for phrase in surfaces.phrases:
        for line in phrase.lines:
            if phrase.strength == ("weak",) and "value" in facets(line):
                assert contains_phrase(line, hedges), line
            if (
                phrase.strength == ("strong",)
                and phrase.speaker == ("user",)
                and not phrase.source
                and firm & set(phrase.op)
            ):
                assert not contains_phrase(line, hedges), line


def test_changes_say_so_and_plain_statements_do_not(surfaces: Surfaces) -> None:
    language = table("en")
    for phrase in surfaces.phrases:
        changing = {"update", "correct", "restore"} & set(phrase.op)
        for line in phrase.lines:
            if (
                changing
                and phrase.act
                and "tool" not in phrase.speaker
                and not {"trigger", "state_new"} & variables(line)
            ):
                assert contains_phrase(line, (*language.change_cues, *language.rejections)), line
            plain = not phrase.act or {"remember", "reactivate"} & set(phrase.op)
            if plain and phrase.strength == ("strong",) and not {"was", "old"} & variables(line):
                assert not contains_phrase(line, language.change_cues), line


def test_turns_around_it_neither_hedge_nor_reject_nor_change(surfaces: Surfaces) -> None:
    language = table("en")
    for exchange in surfaces.exchanges:
        for turn in exchange.turns:
            for line in (line for alternatives in turn.values() for line in alternatives):
                assert not contains_phrase(line, (*language.hedges, *language.declines, *language.meta_words)), line
                assert not contains_phrase(line, language.change_cues), line


def test_no_line_speaks_of_tests_or_holds_a_figure(surfaces: Surfaces) -> None:
    for line in all_lines(surfaces):
        assert not contains_phrase(line, table("en").meta_words), line
        assert not any(character.isdigit() for character in line), line


def test_clause_variables_are_those_of_the_model() -> None:
    assert set(CLAUSES) == {"state", "known", "state_new", "considering", "was"}
    assert set(FACETS.values()) == set(get_args(Facet)) - {"act"}
