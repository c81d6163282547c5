"""Questions presuppose nothing and name what they ask about; the answer format shows every possible answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, get_args

import pytest
from jsonschema import Draft202012Validator

from suitegen.errors import DesignError
from suitegen.library.templates import variables
from suitegen.model.catalog import Catalog
from suitegen.model.gold import Gold, GoldField
from suitegen.model.latent import LatentSpec, Probe
from suitegen.model.words import PREMISES, SOURCES, STATUSES, ProbeType
from suitegen.writing.questions import ENUMERATIONS, answer_format, ask

TYPES: tuple[ProbeType, ...] = get_args(ProbeType)
RIVALS = ("source", "status", "conflict")
ENUMS = {
    "change": {"changed": "no"},
    "source": {"source": "stale_tool"},
    "status": {"status": "stale"},
    "conflict": {"source": "user", "status": "past", "applies": "yes"},
    "direction": {"direction": "old_to_new"},
    "premise": {"holds": "no"},
    "original_premise": {"holds": "no"},
    "temporal": {"direction": "no_confirmed_change"},
}
TEXTS = {
    "trajectory": ("values",),
    "changes": ("count",),
    "temporal": ("old", "new", "trigger", "reason"),
    "trigger": ("trigger",),
    "reason": ("reason",),
    **dict.fromkeys(("current", "previous", "original", "as_of", *PREMISES), ("value",)),
}


def probe(kind: ProbeType, number: int = 0, **more: Any) -> Probe:
    named: dict[str, Any] = {"about": "target", "asked_after": 1, **more}
    if kind in RIVALS:
        named.setdefault("rival", "Pulse Factory")
    if kind in PREMISES:
        named.setdefault("premise", "Pulse Factory")
    if kind == "as_of":
        named.setdefault("as_of", 1)
    return Probe(id=f"p{number}", thread="t", type=kind, **named)


def spec_with(make_spec: Callable[..., LatentSpec], *probes: Probe, **more: Any) -> LatentSpec:
    return make_spec("gym", [{"op": "remember", "value": "initial"}], "near_miss", probes=probes, **more)


@pytest.mark.parametrize("kind", TYPES)
def test_a_question_names_what_it_asks_about(
    kind: ProbeType, catalog: Catalog, make_spec: Callable[..., LatentSpec]
) -> None:
    asked = probe(kind)
    for seed in range(5):
        spec = spec_with(make_spec, asked, seed=seed)
        question = ask(catalog, spec, asked, 0)
        assert "my gym" in question
        assert question.endswith((".", "?"))
        assert question[0].isupper()
        assert ("Pulse Factory" in question) == (kind in (*RIVALS, *PREMISES))
        assert ("2 March 2026" in question or "March 2, 2026" in question) == (kind == "as_of")


@pytest.mark.parametrize("kind", TYPES)
def test_every_probe_type_has_wordings_enough(kind: ProbeType, catalog: Catalog) -> None:
    questions = catalog.questions["en"]
    assert len(set(questions.asks[kind])) >= 4
    if kind in RIVALS:
        assert len(set(questions.about_rival[kind])) >= 4
        assert all("rival" in variables(line) for line in questions.about_rival[kind])


def test_only_a_premise_takes_something_for_granted(catalog: Catalog) -> None:
    for kind, lines in catalog.questions["en"].asks.items():
        for line in lines:
            assert ("premise" in variables(line)) == (kind in PREMISES)
            assert "rival" not in variables(line)


def test_the_wording_depends_on_the_draw_and_not_on_the_condition(
    catalog: Catalog, make_spec: Callable[..., LatentSpec]
) -> None:
    asked = probe("current")
    told = set()
    for seed in range(40):
        one = spec_with(make_spec, asked, seed=seed, condition="update", expects="update", variant="a")
        two = spec_with(make_spec, asked, probe("previous", 1), seed=seed, condition="decoy", expects="preserve")
        assert ask(catalog, one, asked, 0) == ask(catalog, two, asked, 0)
        told.add(ask(catalog, one, asked, 0))
    assert len(told) == len(catalog.questions["en"].asks["current"])


def test_questions_of_one_type_are_worded_apart(catalog: Catalog, make_spec: Callable[..., LatentSpec]) -> None:
    probes = tuple(probe("current", number, about=about) for number, about in enumerate(("target", "other", "target")))
    spec = spec_with(make_spec, *probes)
    asked = [ask(catalog, spec, each, 0) for each in probes]
    assert len(set(asked)) == 3
    assert "my brother Teo's gym" in asked[1]
    assert len({ask(catalog, spec, probes[0], attempt) for attempt in range(4)}) == 4


def test_values_are_put_in_as_they_are(catalog: Catalog, make_spec: Callable[..., LatentSpec]) -> None:
    for kind in (*RIVALS, *PREMISES):
        name = "premise" if kind in PREMISES else "rival"
        asked = probe(kind, **{name: "{{ 7 * 7 }} <b> %s"})  # type: ignore[arg-type]
        for attempt in range(5):
            assert "{{ 7 * 7 }} <b> %s" in ask(catalog, spec_with(make_spec, asked), asked, attempt)


def test_a_language_or_type_without_wordings_is_refused(catalog: Catalog, make_spec: Callable[..., LatentSpec]) -> None:
    asked = probe("current")
    with pytest.raises(DesignError, match="'tlh'"):
        ask(catalog, spec_with(make_spec, asked, language="tlh"), asked, 0)
    bare = catalog.questions["en"].model_copy(update={"asks": {}})
    names = [name for name in catalog.__slots__ if name != "questions"]
    poor = Catalog(**{name: getattr(catalog, name) for name in names}, questions={"en": bare})
    with pytest.raises(DesignError, match="current"):
        ask(poor, spec_with(make_spec, asked), asked, 0)


# -- the form of an answer --------------------------------------------------------------------------------------


def gold(kind: ProbeType, words: str = "Pulse Factory", **enums: str) -> Gold:
    fields = [
        GoldField(name=name, form="enum", answer=answer) for name, answer in {**ENUMS.get(kind, {}), **enums}.items()
    ]
    fields += [GoldField(name=name, form="value", answer=words) for name in TEXTS.get(kind, ())]
    return Gold(type=kind, fields=tuple(fields))


@pytest.mark.parametrize("kind", TYPES)
def test_the_format_shows_what_an_answer_may_hold_and_not_what_is_right(kind: ProbeType, catalog: Catalog) -> None:
    shown = answer_format(catalog, kind, gold(kind), "en")
    schema = json.loads(shown)
    Draft202012Validator.check_schema(schema)
    assert shown == json.dumps(schema, sort_keys=True, ensure_ascii=False)
    assert "Pulse Factory" not in shown
    assert schema["additionalProperties"] is False
    assert schema["required"] == sorted(schema["properties"]) == sorted(f.name for f in gold(kind).fields)
    assert all(made["type"] == "string" and made["description"] for made in schema["properties"].values())
    valid = {field.name: field.answer for field in gold(kind).fields}
    assert Draft202012Validator(schema).is_valid(valid)
    assert not Draft202012Validator(schema).is_valid({**valid, "more": "x"})


@pytest.mark.parametrize("kind", TYPES)
def test_the_format_is_the_same_for_every_answer(kind: ProbeType, catalog: Catalog) -> None:
    other = {name: ENUMERATIONS[name][0] for name in ENUMS.get(kind, {})}
    assert answer_format(catalog, kind, gold(kind), "en") == answer_format(
        catalog, kind, gold(kind, "none", **other), "en"
    )


def test_closed_lists_are_whole_and_in_a_fixed_order(catalog: Catalog) -> None:
    schema = json.loads(answer_format(catalog, "conflict", gold("conflict"), "en"))
    properties = schema["properties"]
    assert properties["source"]["enum"] == list(SOURCES)
    assert properties["status"]["enum"] == list(STATUSES)
    assert properties["applies"]["enum"] == ["yes", "no"]
    for name, words in (("source", SOURCES), ("status", STATUSES)):
        assert all(word in properties[name]["description"] for word in words)


def test_value_fields_say_what_to_write_when_there_is_none(catalog: Catalog) -> None:
    for kind, words in {
        "current": ("unknown", "absent", "forgotten", "uncertain"),
        "previous": ("none", "forgotten"),
    }.items():
        schema = json.loads(answer_format(catalog, kind, gold(kind), "en"))  # type: ignore[arg-type]
        assert all(word in schema["properties"]["value"]["description"] for word in words)


def test_a_field_that_nobody_described_is_refused(catalog: Catalog) -> None:
    odd = Gold(type="current", fields=(GoldField(name="shoe_size", form="value", answer="9"),))
    with pytest.raises(DesignError, match="shoe_size"):
        answer_format(catalog, "current", odd, "en")
