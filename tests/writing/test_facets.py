"""What an event's quote states: exactly the facets it says, for events of every kind."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, pairwise, product
from typing import Any, get_args

import pytest

from suitegen.model.catalog import Catalog
from suitegen.model.history import Span, Written
from suitegen.model.latent import Event, LatentSpec
from suitegen.model.words import Facet, Op, Source, Speaker, Strength
from suitegen.values.kinds import readings
from suitegen.values.lexicon import Lexicon
from suitegen.values.tables import table
from suitegen.values.tokens import contains_phrase, scan
from suitegen.writing.offline import OfflineWriter

FACT_TYPES = ("standup_time", "gym", "retry_limit", "mug_colour")
COMBINATIONS: tuple[tuple[Facet, ...], ...] = tuple(
    says for count in range(4) for says in combinations(("value", "old", "trigger", "reason", "date"), count)
)
CHANGES = ("update", "correct", "restore")
ACCEPTED = ("remember", "reinforce", *CHANGES)
FOLLOWS = {("user", "assistant"), ("assistant", "user"), ("assistant", "tool"), ("tool", "assistant")}


def kinds_of_events() -> Iterator[dict[str, Any]]:
    """Every op, speaker, source and strength, each with some of the combinations of facets."""
    matrix = product(get_args(Op), get_args(Speaker), get_args(Source), get_args(Strength))
    for number, (op, speaker, source, strength) in enumerate(matrix):
        told: tuple[Facet, ...] = ("source",) if source != speaker else ()
        for says in COMBINATIONS[number % 5 :: 5]:
            yield {
                "op": op,
                "speaker": speaker,
                "source": source,
                "strength": strength,
                "says": ("act", *says, *told),
                "value": "new",
                "old": "initial",
                "origin": "Ines Okafor" if source != speaker else None,
            }


Case = tuple[dict[str, Any], LatentSpec, Written, str]
"""An event in short form, its spec, the session that says it, and the quote."""


@pytest.fixture(scope="module", params=FACT_TYPES)
def cases(request: pytest.FixtureRequest, writer: OfflineWriter, make_spec: Callable[..., LatentSpec]) -> list[Case]:
    found = []
    for seed, short in enumerate(kinds_of_events()):
        spec = make_spec(request.param, [short], seed=seed)
        written = writer.write(spec, spec.sessions[0], 0)
        found.append((short, spec, written, quote_of(written, written.spans[0])))
    return found


def quote_of(written: Written, span: Span) -> str:
    return written.turns[span.turn].content[span.start : span.end]


def stated_values(lexicon: Lexicon, spec: LatentSpec, written: Written, event: Event) -> set[str]:
    """Values of the event's attribute within its span."""
    (span,) = (span for span in written.spans if span.event == event.id)
    found = lexicon.of(spec.member(event.target)).mentions(written.turns[span.turn].content, cued=False)
    return {mention.value for mention in found if span.start <= mention.start and mention.end <= span.end}


def lines_that_state(event: Event, quote: str) -> dict[str, bool]:
    """Which of trigger, reason and source the quote holds, word for word but for a capital."""
    folded = quote.casefold()
    texts = {"trigger": event.trigger, "reason": event.reason, "source": event.origin}
    return {facet: text is not None and text.casefold() in folded for facet, text in texts.items()}


def test_a_quote_states_exactly_what_its_event_says(cases: list[Case], lexicon: Lexicon) -> None:
    cues = (*table("en").change_cues, *table("en").rejections)
    for short, spec, written, quote in cases:
        (event,) = spec.events
        wanted = {facet: event.states(facet) for facet in ("trigger", "reason", "source")}
        assert lines_that_state(event, quote) == wanted, (short, quote)
        values = {event.value: event.states("value"), event.old: event.states("old")}
        assert stated_values(lexicon, spec, written, event) == {v for v, said in values.items() if said}, (short, quote)
        dated = bool(readings("date", scan(quote), "en"))
        assert dated == event.states("date"), (short, quote)
        if event.op in CHANGES and event.speaker != "tool" and not event.states("trigger"):
            assert contains_phrase(quote, cues), (short, quote)


def test_roles_take_turns_and_the_speaker_says_it(cases: list[Case]) -> None:
    for short, _, written, _ in cases:
        roles = [turn.role for turn in written.turns]
        assert roles[0] == "user"
        assert roles[-1] == "assistant"
        assert set(pairwise(roles)) <= FOLLOWS
        assert 2 <= len(roles) <= 8
        assert written.turns[written.spans[0].turn].role == short["speaker"]
        assert all((turn.name is not None) == (turn.role == "tool") for turn in written.turns)
        assert all(turn.content == turn.content.strip() for turn in written.turns)


def test_no_value_stands_outside_the_quote_but_an_echo_of_what_is_accepted(cases: list[Case], lexicon: Lexicon) -> None:
    echoed = 0
    for short, spec, written, _ in cases:
        (event,), (span,) = spec.events, written.spans
        for index, turn in enumerate(written.turns):
            for mention in lexicon.values_of(spec.fact_type).mentions(turn.content):
                if index == span.turn and span.start <= mention.start and mention.end <= span.end:
                    continue
                echoed += 1
                assert (turn.role, mention.value) == ("assistant", event.value), (short, turn.content)
                assert event.op in ACCEPTED, (short, turn.content)
                assert (event.speaker, event.strength, event.states("value")) == ("user", "strong", True)
    assert echoed


def test_weak_values_are_hedged(cases: list[Case]) -> None:
    for short, _, _, quote in cases:
        if short["strength"] == "weak" and "value" in short["says"]:
            assert contains_phrase(quote, table("en").hedges), (short, quote)


@pytest.mark.parametrize("fact_type", FACT_TYPES)
@pytest.mark.parametrize("attempt", range(12))
def test_the_second_part_of_a_split_is_said_like_any_fact(
    fact_type: str, attempt: int, writer: OfflineWriter, lexicon: Lexicon, make_spec: Callable[..., LatentSpec]
) -> None:
    spec = make_spec(fact_type, [{"op": "update", "value": "new", "says": ("value",)}], seed=attempt)
    written = writer.write(spec, spec.sessions[0], attempt)
    quote = quote_of(written, written.spans[0])
    assert stated_values(lexicon, spec, written, spec.events[0]) == {spec.events[0].value}
    assert not contains_phrase(quote, table("en").change_cues)


@pytest.mark.parametrize("fact_type", FACT_TYPES)
@pytest.mark.parametrize("attempt", range(12))
def test_the_first_part_of_a_split_keeps_the_value_back(
    fact_type: str, attempt: int, writer: OfflineWriter, lexicon: Lexicon, make_spec: Callable[..., LatentSpec]
) -> None:
    short = {"op": "update", "value": "new", "says": ("act", "trigger", "reason")}
    spec = make_spec(fact_type, [short], seed=attempt)
    written = writer.write(spec, spec.sessions[0], attempt)
    assert not any(lexicon.values_of(fact_type).mentions(turn.content) for turn in written.turns)
    assert lines_that_state(spec.events[0], quote_of(written, written.spans[0])) == {
        "trigger": True,
        "reason": True,
        "source": False,
    }


@pytest.mark.parametrize("fact_type", FACT_TYPES)
@pytest.mark.parametrize("why", [("trigger", "reason"), ("trigger",), ("reason",), ()])
def test_the_first_part_of_a_split_can_go_by_the_value_that_ends(
    fact_type: str, why: tuple[str, ...], writer: OfflineWriter, catalog: Catalog, make_spec: Callable[..., LatentSpec]
) -> None:
    first = {"id": "upd", "op": "update", "value": "new", "old": "initial", "says": ("act", "old", *why)}
    second = {"op": "update", "value": "new", "says": ("value",), "refs": {"completes": "upd"}}
    quotes = []
    for attempt in range(12):
        spec = make_spec(fact_type, [first], [second], seed=attempt)
        written = writer.write(spec, spec.sessions[0], attempt)
        quotes.append(quote_of(written, written.spans[0]))
        member = spec.member("target")
        assert member.values["initial"] in quotes[-1]
        assert member.values["new"] not in quotes[-1]
        assert not contains_phrase(quotes[-1], (member.attribute, member.entity, *catalog.fact_types[fact_type].cues))
        assert lines_that_state(spec.events[0], quotes[-1]) == {
            "trigger": "trigger" in why, "reason": "reason" in why, "source": False,
        }  # fmt: skip
    assert len(set(quotes)) > 3


@pytest.mark.parametrize("fact_type", FACT_TYPES)
def test_the_first_part_of_a_split_comes_up_unasked_in_a_record(
    fact_type: str, writer: OfflineWriter, make_spec: Callable[..., LatentSpec]
) -> None:
    first = {
        "id": "upd",
        "op": "update",
        "value": "new",
        "speaker": "tool",
        "source": "tool",
        "says": ("act", "trigger"),
    }
    second = {"op": "update", "value": "new", "says": ("value",), "refs": {"completes": "upd"}}
    for attempt in range(6):
        spec = make_spec(fact_type, [first], [second], seed=attempt)
        written = writer.write(spec, spec.sessions[0].model_copy(update={"frame": "host"}), attempt)
        attribute = spec.member("target").attribute
        assert attribute in quote_of(written, written.spans[0])
        assert not [turn for turn in written.turns if turn.role != "tool" and attribute in turn.content]


@pytest.mark.parametrize("source", ["tool", "document", "third_party", "assistant"])
@pytest.mark.parametrize("seed", range(8))
def test_a_rejection_says_who_is_wrong_and_no_value(
    source: str, seed: int, writer: OfflineWriter, lexicon: Lexicon, make_spec: Callable[..., LatentSpec]
) -> None:
    speaker = {"tool": "tool", "document": "tool", "third_party": "user", "assistant": "assistant"}[source]
    told = ("source",) if source != speaker else ()
    claim = {
        "id": "claim",
        "op": "challenge",
        "speaker": speaker,
        "source": source,
        "value": "rival",
        "says": ("act", "value", *told),
        "origin": "Ines Okafor" if told else None,
    }
    rejection = {"op": "reinforce", "says": ("act", "rejection"), "refs": {"resolves": "claim"}}
    spec = make_spec("standup_time", [claim], [rejection], seed=seed)
    written = writer.write(spec, spec.sessions[1], 0)
    quote = quote_of(written, written.spans[0])
    assert contains_phrase(quote, table("en").rejections)
    assert ("Ines Okafor" in quote) == bool(told)
    assert not any(lexicon.values_of("standup_time").mentions(turn.content) for turn in written.turns)


def test_what_is_recalled_is_said_as_what_holds(writer: OfflineWriter, make_spec: Callable[..., LatentSpec]) -> None:
    for seed in range(12):
        spec = make_spec("gym", [{"op": "reactivate", "old": "initial", "says": ("act", "old")}], seed=seed)
        written = writer.write(spec, spec.sessions[0], 0)
        quote = quote_of(written, written.spans[0])
        assert "Ironbark Fitness" in quote
        assert not contains_phrase(quote, table("en").change_cues), quote


def test_a_former_value_is_mentioned_as_past(writer: OfflineWriter, make_spec: Callable[..., LatentSpec]) -> None:
    past = ("used to be", "used to", "was", "for a good while", "former", "old")
    for seed in range(12):
        spec = make_spec("gym", [{"op": "mention", "old": "initial", "says": ("act", "old")}], seed=seed)
        written = writer.write(spec, spec.sessions[0], 0)
        quote = quote_of(written, written.spans[0])
        assert "Ironbark Fitness" in quote
        assert contains_phrase(quote, past), quote
