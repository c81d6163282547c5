"""The offline writer: the same spec gives the same text, further attempts other text, and values are data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from suitegen.errors import DesignError, TemplateError
from suitegen.library.templates import compile_line, variables
from suitegen.model.catalog import Catalog
from suitegen.model.fact_type import FactType
from suitegen.model.history import Written
from suitegen.model.latent import LatentSpec
from suitegen.model.surface import Exchange, Phrase
from suitegen.values.lexicon import Lexicon
from suitegen.writing.offline import OfflineWriter

from .conftest import read_catalog, spec_of

REMEMBER = {"op": "remember", "value": "initial"}
UPDATE = {"op": "update", "value": "new", "says": ("act", "value", "trigger", "reason")}
WHOLE: tuple[Any, ...] = (
    [REMEMBER],
    "near_miss",
    [REMEMBER],
    [{"op": "remember", "target": "other", "value": "rival"}],
    "near_miss",
    [REMEMBER],
    [{"op": "mention", "value": "rival", "strength": "weak"}],
    "near_miss",
    [UPDATE],
    [{"op": "mention", "old": "initial", "says": ("act", "old")}],
    [{"op": "remember", "target": "other", "value": "rival"}],
    [{"op": "mention", "old": "initial", "says": ("act", "old")}],
)


def text_of(written: Written) -> str:
    return "\n".join(turn.content for turn in written.turns)


def quotes(written: Written) -> list[str]:
    return [written.turns[span.turn].content[span.start : span.end] for span in written.spans]


# -- the same and not the same ----------------------------------------------------------------------------------


def test_the_same_place_is_written_alike_whatever_the_condition(
    writer: OfflineWriter, make_spec: Callable[..., LatentSpec]
) -> None:
    one = make_spec("gym", *WHOLE, condition="high", variant="a")
    two = make_spec("gym", *WHOLE, condition="low", variant="b", expects="preserve", paradigm="q", tier="long")
    for plan in one.sessions:
        moved = plan.model_copy(update={"index": plan.index})
        assert writer.write(one, plan, 0) == writer.write(two, moved, 0)


def test_a_member_that_says_less_says_the_rest_alike(
    writer: OfflineWriter, make_spec: Callable[..., LatentSpec]
) -> None:
    high = make_spec("gym", [REMEMBER], [REMEMBER], [REMEMBER], [UPDATE])
    low = make_spec("gym", "background", [REMEMBER], "background", [UPDATE])
    for index in (1, 3):
        assert text_of(writer.write(high, high.sessions[index], 0)) == text_of(
            writer.write(low, low.sessions[index], 0)
        )


def test_an_update_is_worded_alike_with_and_without_a_recall_before_it(
    writer: OfflineWriter, make_spec: Callable[..., LatentSpec]
) -> None:
    recall = {"op": "reactivate", "old": "initial", "says": ("act", "old")}
    reactivated, direct = make_spec("gym", [recall, UPDATE]), make_spec("gym", [UPDATE])
    (_, update), (alone,) = (quotes(writer.write(spec, spec.sessions[0], 0)) for spec in (reactivated, direct))
    assert update == alone


@pytest.mark.parametrize("fact_type", ["standup_time", "gym", "retry_limit"])
def test_every_attempt_is_worded_in_its_own_way(
    fact_type: str, writer: OfflineWriter, make_spec: Callable[..., LatentSpec]
) -> None:
    spec = make_spec(fact_type, *WHOLE)
    for plan in spec.sessions:
        texts = {text_of(writer.write(spec, plan, attempt)) for attempt in range(4)}
        assert len(texts) == 4


def test_draws_differ(writer: OfflineWriter, make_spec: Callable[..., LatentSpec]) -> None:
    texts = set()
    for seed in range(6):
        spec = make_spec("gym", [REMEMBER], seed=seed)
        texts.add(text_of(writer.write(spec, spec.sessions[0], 0)))
    assert len(texts) == 6


@pytest.mark.parametrize("fact_type", ["standup_time", "gym", "retry_limit"])
@pytest.mark.parametrize("seed", range(5))
def test_no_wording_comes_twice_in_one_episode(
    fact_type: str, seed: int, writer: OfflineWriter, make_spec: Callable[..., LatentSpec]
) -> None:
    spec = make_spec(fact_type, *WHOLE, seed=seed)
    written = [writer.write(spec, plan, 0) for plan in spec.sessions]
    said = Counter(quote for session in written for quote in quotes(session))
    assert max(said.values()) == 1
    turns = Counter(turn.content for session in written for turn in session.turns if len(turn.content) > 60)
    assert max(turns.values()) == 1
    opened = Counter(session.turns[0].content.split("\n")[0] for session in written)
    assert max(opened.values()) == 1


def test_a_remark_is_said_in_the_manner_of_a_fact_and_never_in_the_same_words(
    catalog: Catalog, writer: OfflineWriter, make_spec: Callable[..., LatentSpec]
) -> None:
    surfaces = catalog.surfaces["en"]
    lines = [
        line
        for phrase in surfaces.phrases
        if "remember" in phrase.op
        and phrase.speaker == ("user",)
        and not phrase.source
        and phrase.strength == ("strong",)
        for line in phrase.lines
        if variables(line) == {"state"}
    ]
    gym = catalog.fact_types["gym"]
    said = (*(aside.state for aside in surfaces.asides), *gym.surroundings, *gym.phrasings["user"].remember)
    spec = make_spec("gym", *[[REMEMBER], "near_miss"] * 8)
    used: list[str] = []
    for plan in spec.sessions:
        asked = "\n".join(turn.content for turn in writer.write(spec, plan, 0).turns if turn.role == "user")
        clauses = [compile_line(clause).render(value="Ironbark Fitness") for clause in said]
        found = [line for line in lines if any(compile_line(line).render(state=c) in asked for c in clauses)]
        # The barest line is part of longer ones.
        used += [max(found, key=len)] if found else []
    own = Counter(line for line in used if line != "{{ state|cap }}.")
    assert len(used) >= 12
    assert len(own) >= 6
    assert max(own.values()) == 1


def test_sessions_have_many_shapes(writer: OfflineWriter, make_spec: Callable[..., LatentSpec]) -> None:
    spec = make_spec("gym", *[[REMEMBER]] * 40)
    written = [writer.write(spec, plan, 0) for plan in spec.sessions]
    assert len({(len(session.turns), session.spans[0].turn) for session in written}) >= 4
    bare = make_spec("gym", *["near_miss"] * 40)
    lengths = {len(writer.write(bare, plan, 0).turns) for plan in bare.sessions}
    assert lengths >= {2, 4, 6}
    assert {len(session.turns) for session in written} >= {2, 4, 6}


# -- who is meant -----------------------------------------------------------------------------------------------


def test_a_session_without_event_names_no_value(
    writer: OfflineWriter, lexicon: Lexicon, make_spec: Callable[..., LatentSpec]
) -> None:
    for fact_type in ("standup_time", "gym", "retry_limit", "mug_colour"):
        spec = make_spec(fact_type, *["near_miss"] * 20)
        for plan in spec.sessions:
            written = writer.write(spec, plan, 0)
            assert written.spans == ()
            assert not any(lexicon.values_of(fact_type).mentions(turn.content) for turn in written.turns)


def test_a_confusable_is_said_in_its_own_words(writer: OfflineWriter, make_spec: Callable[..., LatentSpec]) -> None:
    for op in ("remember", "mention"):
        spec = make_spec("gym", *[[{"op": op, "target": "swim_course", "value": "rival"}]] * 8)
        for plan in spec.sessions:
            (quote,) = quotes(writer.write(spec, plan, 0))
            assert "swim course" in quote
            assert "The Lift Room" in quote


def test_another_entity_is_named_by_each_in_their_own_voice(
    writer: OfflineWriter, make_spec: Callable[..., LatentSpec]
) -> None:
    spec = make_spec("gym", *[[{"op": "remember", "target": "other", "value": "rival"}]] * 30)
    echoed = 0
    for plan in spec.sessions:
        written = writer.write(spec, plan, 0)
        (quote,) = quotes(written)
        assert "my brother Teo" in quote[0].lower() + quote[1:]
        replies = [turn.content for turn in written.turns if turn.role == "assistant" and "Teo" in turn.content]
        # What is drafted in the user's name is in the user's voice.
        replies = [reply for reply in replies if "\n\n" not in reply and '"' not in reply]
        echoed += len(replies)
        assert all("your brother Teo" in reply[0].lower() + reply[1:] for reply in replies)
        assert not any("my brother" in reply.lower() for reply in replies)
    assert echoed


def test_the_assistant_turns_names_to_its_own_voice(
    writer: OfflineWriter, make_spec: Callable[..., LatentSpec]
) -> None:
    short = {
        "op": "challenge",
        "speaker": "assistant",
        "source": "third_party",
        "value": "rival",
        "says": ("act", "value", "source"),
        "origin": "my aunt Rosalind",
    }
    for seed in range(6):
        spec = make_spec("gym", [short], seed=seed)
        (quote,) = quotes(writer.write(spec, spec.sessions[0], 0))
        assert "our aunt Rosalind" in quote
        assert "my aunt" not in quote.lower()


def test_tools_are_named_by_the_fact_type_and_documents_are_searched(
    writer: OfflineWriter, make_spec: Callable[..., LatentSpec]
) -> None:
    told = {"op": "challenge", "speaker": "tool", "value": "rival"}
    sources: list[list[dict[str, Any]]] = [
        [{**told, "source": "tool"}],
        [{**told, "source": "document", "says": ("act", "value", "source")}],
    ]
    names = []
    for fact_type in ("gym", "mug_colour"):
        spec = make_spec(fact_type, *sources)
        for plan in spec.sessions:
            written = writer.write(spec, plan, 0)
            (turn,) = (turn for turn in written.turns if turn.role == "tool")
            names.append(turn.name)
    assert names == ["membership_lookup", "search_documents", "lookup", "search_documents"]


def test_a_record_is_dated_before_its_session_and_a_later_start_by_its_day(
    writer: OfflineWriter, make_spec: Callable[..., LatentSpec]
) -> None:
    stale = {"op": "challenge", "speaker": "tool", "source": "tool", "value": "rival", "says": ("act", "value", "date")}
    late = {"op": "update", "value": "new", "says": ("act", "value", "date"), "effective": "2026-05-17"}
    spec = make_spec("retry_limit", [stale], [late])
    (record,) = quotes(writer.write(spec, spec.sessions[0], 0))
    assert "2025-" in record or "2026-0" in record
    assert "2026-03-01" not in record
    (update,) = quotes(writer.write(spec, spec.sessions[1], 0))
    assert "17 May 2026" in update or "May 17, 2026" in update


# -- values are data --------------------------------------------------------------------------------------------

HOSTILE = (
    "{{ noun }}",
    "{% raw %}",
    "{{ 7 * 7 }}",
    "100%s",
    "<b>bold</b> & co",
    'it\'s "quoted"',
    "\ue000mark\ue001",
    "svc_{name}-2",
    "naïve café",
    "{# note #}",
)


@cache
def hostile_catalog() -> Catalog:
    catalog = read_catalog()
    given = catalog.fact_types["mug_colour"].model_dump()
    given["values"] = [{"value": value} for value in HOSTILE]
    given["kind"] = "text"
    plain = FactType.model_validate(given)
    return Catalog(
        **{name: getattr(catalog, name) for name in catalog.__slots__ if name != "fact_types"},
        fact_types={"mug_colour": plain},
    )


def test_values_are_put_in_as_they_are() -> None:
    catalog = hostile_catalog()
    writer = OfflineWriter(catalog)
    for value, other in zip(HOSTILE, HOSTILE[1:] + HOSTILE[:1], strict=True):
        short = {"value": "new", "old": "initial", "says": ("act", "value", "old", "trigger", "reason")}
        spec = spec_of(
            catalog,
            "mug_colour",
            [{"op": "update", **short}],
            [{"op": "remember", "value": "new"}],
            [{"op": "challenge", "speaker": "tool", "source": "tool", "value": "new"}],
            [{"op": "challenge", "value": "new", "strength": "weak"}],
            values={"new": value, "initial": other},
        )
        for plan, expected in zip(spec.sessions, ((value, other), (value,), (value,), (value,)), strict=True):
            for attempt in range(3):
                (quote,) = quotes(writer.write(spec, plan, attempt))
                assert all(text in quote for text in expected), quote


@settings(max_examples=40, deadline=None)
@given(
    value=st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1).map(str.strip).filter(bool),
    entity=st.sampled_from(["{{ value }}", "a % b", "\ue000"]),
    seed=st.integers(0, 10**6),
)
def test_spans_hold_whatever_the_values_are(value: str, entity: str, seed: int) -> None:
    catalog = hostile_catalog()
    spec = spec_of(catalog, "mug_colour", [{"op": "remember", "value": "new"}], values={"new": value}, seed=seed)
    spec = spec.model_copy(update={"cast": tuple(m.model_copy(update={"entity": entity}) for m in spec.cast)})
    written = OfflineWriter(catalog).write(spec, spec.sessions[0], 0)
    (quote,) = quotes(written)
    assert value.casefold() in quote.casefold()
    assert quote == quote.strip()


# -- what cannot be written -------------------------------------------------------------------------------------


def test_background_is_not_written(writer: OfflineWriter, make_spec: Callable[..., LatentSpec]) -> None:
    spec = make_spec("gym", "background")
    with pytest.raises(ValueError, match="background"):
        writer.write(spec, spec.sessions[0], 0)


@pytest.mark.parametrize(
    ("short", "message"),
    [
        ({"op": "update", "says": ("act", "value")}, "'value'"),
        ({"op": "update", "says": ("act", "trigger"), "trigger": None}, "'trigger'"),
        ({"op": "update", "says": ()}, "states nothing"),
    ],
)
def test_an_event_without_what_it_states_is_refused(
    short: dict[str, Any], message: str, writer: OfflineWriter, make_spec: Callable[..., LatentSpec]
) -> None:
    spec = make_spec("gym", [short])
    with pytest.raises(DesignError, match=message):
        writer.write(spec, spec.sessions[0], 0)


def test_a_language_without_surfaces_is_refused(writer: OfflineWriter, make_spec: Callable[..., LatentSpec]) -> None:
    spec = make_spec("gym", [REMEMBER], language="tlh")
    with pytest.raises(DesignError, match="'tlh'"):
        writer.write(spec, spec.sessions[0], 0)


def with_surfaces(catalog: Catalog, **changed: Any) -> OfflineWriter:
    surfaces = catalog.surfaces["en"].model_copy(update=changed)
    names = [name for name in catalog.__slots__ if name != "surfaces"]
    return OfflineWriter(Catalog(**{name: getattr(catalog, name) for name in names}, surfaces={"en": surfaces}))


def test_surfaces_that_lack_a_phrase_say_so(catalog: Catalog, make_spec: Callable[..., LatentSpec]) -> None:
    only = Phrase(op=("remember",), lines=("{{ state|cap }}.",))
    poor = with_surfaces(catalog, phrases=(only,))
    spec = make_spec("gym", [UPDATE])
    with pytest.raises(DesignError, match="no phrase for a strong update by user"):
        poor.write(spec, spec.sessions[0], 0)


def test_surfaces_without_a_line_for_the_source_fall_back_to_the_speaker(
    catalog: Catalog, make_spec: Callable[..., LatentSpec]
) -> None:
    only = Phrase(op=("remember",), lines=("{{ state|cap }}.",))
    poor = with_surfaces(catalog, phrases=(only,))
    short = {**REMEMBER, "source": "third_party", "says": ("act", "value", "source"), "origin": "Ines Okafor"}
    spec = make_spec("gym", [short])
    (quote,) = quotes(poor.write(spec, spec.sessions[0], 0))
    assert "Ironbark Fitness" in quote
    assert "Ines Okafor" in quote


def test_an_exchange_that_says_it_twice_is_refused(catalog: Catalog, make_spec: Callable[..., LatentSpec]) -> None:
    twice = Exchange(speaker="user", turns=({"user": ("{{ said }} {{ said }}",)}, {"assistant": ("Okay.",)}))
    odd = with_surfaces(catalog, exchanges=(twice,))
    spec = make_spec("gym", [REMEMBER])
    with pytest.raises(TemplateError, match="2 times"):
        odd.write(spec, spec.sessions[0], 0)


def test_a_line_with_an_unknown_variable_is_refused(catalog: Catalog, make_spec: Callable[..., LatentSpec]) -> None:
    wrong = Exchange(speaker="user", turns=({"user": ("{{ said }}",)}, {"assistant": ("Okay, {{ nobody }}.",)}))
    odd = with_surfaces(catalog, exchanges=(wrong,))
    spec = make_spec("gym", [REMEMBER])
    with pytest.raises(TemplateError, match="nobody"):
        odd.write(spec, spec.sessions[0], 0)


def test_an_opening_comes_alone(catalog: Catalog, writer: OfflineWriter, make_spec: Callable[..., LatentSpec]) -> None:
    surfaces = catalog.surfaces["en"]
    before = [
        line.removesuffix("{{ said }}")
        for exchange in surfaces.exchanges
        for turn in exchange.turns
        for line in turn.get("user", ())
        if line.endswith(" {{ said }}")
    ]
    openings = [
        line.partition("{{")[0]
        for phrase in surfaces.phrases
        for line in phrase.lines
        if "user" in phrase.speaker and not line.startswith("{{")
    ]
    asked: list[str] = []
    for seed in range(6):
        spec = make_spec("gym", *[[REMEMBER], "near_miss"] * 8, seed=seed)
        asked += [turn.content for plan in spec.sessions for turn in writer.write(spec, plan, 0).turns]
    opened = [text for text in asked if any(line in text for line in before)]
    assert opened
    assert [text for text in opened if any(line + opening in text for line in before for opening in openings)] == []
