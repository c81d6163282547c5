from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from ruamel.yaml import YAML

from suitegen.library.kinds import KINDS
from suitegen.library.schema import schema, text, write
from suitegen.library.shelves import shelves, shipped
from tests.library.conftest import FILES

FOLDER = Path(__file__).parents[2] / "schemas"
SHIPPED = list(shelves().files())


def as_editors_read(source):
    """As YAML 1.2 has it: numbers and truth values are typed, dates are text."""
    return json.loads(json.dumps(YAML(typ="safe", pure=True).load(source), default=str))


def faults(kind, data):
    return [error.message for error in Draft202012Validator(schema(kind)).iter_errors(data)]


@pytest.mark.parametrize("kind", KINDS)
def test_the_schemas_on_disk_are_those_of_the_models(kind):
    path = FOLDER / f"{kind}.json"
    assert path.read_text(encoding="utf-8") == text(kind), "run python -m suitegen.library.schema schemas"
    Draft202012Validator.check_schema(json.loads(path.read_text(encoding="utf-8")))


def test_there_is_a_schema_for_each_kind_and_no_other(tmp_path):
    assert sorted(path.stem for path in FOLDER.iterdir()) == sorted(KINDS)
    assert [path.name for path in write(tmp_path / "new")] == [f"{kind}.json" for kind in KINDS]


@pytest.mark.parametrize("found", SHIPPED, ids=lambda found: str(found.path.relative_to(shipped())))
def test_every_shipped_file_fits_its_schema(found):
    assert faults(found.kind.name, as_editors_read(found.path.read_text(encoding="utf-8"))) == []


@pytest.mark.parametrize("kind", KINDS)
def test_the_small_library_fits_and_an_unknown_key_does_not(kind):
    data = as_editors_read(FILES[kind][1])
    assert faults(kind, data) == []
    assert faults(kind, {**data, "zzz": 1})


def test_what_editors_take_for_numbers_and_truth_values_is_fine():
    data = as_editors_read(FILES["fact-type"][1])
    data["values"] = as_editors_read("[{value: 9}, {value: 1.5}, {value: true}, {value: 2026-01-03}]")
    assert faults("fact-type", data) == []
    assert faults("fact-type", {**data, "values": [{"value": None}]})
    assert faults("fact-type", {**data, "kind": "tiem"})


def test_short_forms_fit():
    gate = as_editors_read(FILES["gate"][1])
    for check in ("roles", {"roles": {"most": 0.3}}, {"validator": "roles", "severity": "warning"}):
        assert faults("gate", {**gate, "checks": [check]}) == []
    assert faults("gate", {**gate, "checks": [3.5]})
    suite = as_editors_read(FILES["suite"][1])
    cell = {
        "paradigm": "p",
        "condition": "c",
        "split": True,
        "tier": "core",
        "vary": "split",
        "domain": "work",
        "each": 1,
    }
    assert faults("suite", {**suite, "cells": [cell]}) == []
    assert faults("suite", {**suite, "cells": [{**cell, "vary": "colour"}]})


def test_an_unknown_kind_has_no_schema():
    with pytest.raises(KeyError):
        schema("scenario")
