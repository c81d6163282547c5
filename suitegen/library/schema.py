"""JSON Schemas of the kinds of files, for editors; ``python -m suitegen.library.schema FOLDER`` writes them.

They are those of the models, and somewhat wider: editors read ``9`` and ``true`` as what they are to
YAML, while here every scalar is the text as it is written.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue

from suitegen.library.kinds import KINDS

_SCALARS = ["string", "number", "boolean"]
_LISTED = ("condition", "domain", "split", "tier", "vary", "fact_types")
"""Keys of a cell for which a single value may stand."""
_BASE = "https://json-schema.org/draft/2020-12/schema"


def schema(kind: str) -> JsonSchemaValue:
    """The JSON Schema (2020-12) of a kind of file.

    Raises:
        KeyError: there is no such kind; the kinds are the keys of ``KINDS``.
    """
    made = TypeAdapter(KINDS[kind].model).json_schema(by_alias=True, schema_generator=_Generator)
    widened = _widened(made)
    for name, widen in _WIDER.items():
        if name in widened.get("$defs", {}):
            widened["$defs"][name] = widen(widened["$defs"][name])
    return {"$schema": _BASE, **widened, "title": f"suitegen {kind}"}


def text(kind: str) -> str:
    """The schema as it stands in a file.

    Raises:
        KeyError: there is no such kind.
    """
    return json.dumps(schema(kind), indent=2, ensure_ascii=False) + "\n"


def write(folder: Path) -> tuple[Path, ...]:
    """Write every schema to a folder; the files."""
    folder.mkdir(parents=True, exist_ok=True)
    made = tuple(folder / f"{kind}.json" for kind in KINDS)
    for kind, path in zip(KINDS, made, strict=True):
        path.write_text(text(kind), encoding="utf-8")
    return made


class _Generator(GenerateJsonSchema):
    """Without the titles that only repeat a key."""

    def field_title_should_be_set(self, schema: object) -> bool:  # noqa: ARG002 - pydantic's signature
        """Never: an editor shows the key anyway."""
        return False


def _widened(node: object) -> JsonSchemaValue:
    """The schema with every plain text also taken as a number or a truth value."""
    widened = _wide(node)
    assert isinstance(widened, dict)
    return widened


def _wide(node: object) -> object:
    if isinstance(node, Mapping):
        made = {key: _wide(value) for key, value in node.items()}
        if made.get("type") == "string" and "enum" not in made and "const" not in made:
            made["type"] = _SCALARS
        return made
    return [_wide(item) for item in node] if isinstance(node, list) else node


def _cell(made: JsonSchemaValue) -> JsonSchemaValue:
    properties = {key: _or_one(value) if key in _LISTED else value for key, value in made["properties"].items()}
    return {**made, "properties": properties}


def _thread(made: JsonSchemaValue) -> JsonSchemaValue:
    """A single value may stand for a list of one, and so may a single mark."""
    properties = {
        key: _or_one(value) if value.get("type") == "array" else value for key, value in made["properties"].items()
    }
    stands = properties["stands"]
    properties["stands"] = {**stands, "additionalProperties": _or_one(stands["additionalProperties"])}
    return {**made, "properties": properties}


def _or_one(listed: JsonSchemaValue) -> JsonSchemaValue:
    return {"anyOf": [listed, listed["items"]]}


def _check(made: JsonSchemaValue) -> JsonSchemaValue:
    short = {
        "type": "object",
        "minProperties": 1,
        "maxProperties": 1,
        "additionalProperties": made["properties"]["options"],
    }
    return {"anyOf": [{"type": "string"}, made, short]}


def _phrase(made: JsonSchemaValue) -> JsonSchemaValue:
    """One op may stand for a list of one."""
    op = made["properties"]["op"]
    return {**made, "properties": {**made["properties"], "op": {"anyOf": [op, op["items"]]}}}


def _aside(made: JsonSchemaValue) -> JsonSchemaValue:
    """A text alone is its state."""
    return {"anyOf": [{"type": "string"}, made]}


_WIDER: Mapping[str, Callable[[JsonSchemaValue], JsonSchemaValue]] = {
    "Aside": _aside, "Cell": _cell, "Check": _check, "Phrase": _phrase,
    "ThreadCell": _thread,
}  # fmt: skip
"""Short forms that models take and their schemas do not show."""


if __name__ == "__main__":
    write(Path(sys.argv[1]))
