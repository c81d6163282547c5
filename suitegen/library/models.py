"""Trees to models: every error of pydantic becomes a problem at the right place, in an author's words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import NoneType, UnionType
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, StringConstraints, ValidationError
from pydantic_core import ErrorDetails

from suitegen.library.nearest import did_you_mean, nearest
from suitegen.library.problem import Problem
from suitegen.library.yaml import Document, Items, Loc, Node, Scalar, Table, child
from suitegen.model.base import Identifier, Language
from suitegen.model.paradigm import Name, Role

M = TypeVar("M", bound=BaseModel)


def build(model: type[M], document: Document, tree: object, base: Loc = ()) -> tuple[M | None, tuple[Problem, ...]]:
    """A model from a file's tree, or all that is wrong with it.

    Args:
        model: what the tree should be.
        document: the file, for places.
        tree: plain lists, mappings and texts; pydantic turns texts into numbers and truth values where they are due.
        base: where in the file the tree stands.
    """
    try:
        return model.model_validate(tree), ()
    except ValidationError as error:
        faults = [_Fault.of(details, document, base) for details in error.errors(include_url=False)]
        return None, tuple(_problem(group, model, document) for group in _grouped(faults))


# -- errors to places -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Fault:
    """One error of pydantic with the place that its loc means in the file."""

    details: ErrorDetails
    loc: Loc
    """The steps of the loc that lead somewhere in the file."""
    of_key: bool
    last: str
    """The last step of the loc: of a missing or unknown key, its name."""

    @property
    def type(self) -> str:
        return self.details["type"]

    @classmethod
    def of(cls, details: ErrorDetails, document: Document, base: Loc) -> _Fault:
        steps: list[str | int] = list(base)
        here: Node | None = document.node(base)
        of_key = False
        for step in details["loc"]:
            below = child(here, step)
            if step == "[key]":
                of_key = True
            elif below is not None:
                # What leads nowhere is the tag of a union, an index of a single value, or a missing key.
                steps.append(step)
                here = below
        last = str(details["loc"][-1]) if details["loc"] else ""
        return cls(details, tuple(steps), of_key or details["type"] == "extra_forbidden", last)

    @property
    def depth(self) -> int:
        return len(self.loc)


_MISFITS = frozenset({
    "literal_error", "tuple_type", "list_type", "dict_type", "model_type", "string_type", "int_type", "int_parsing",
    "bool_type", "bool_parsing", "float_type", "float_parsing", "none_required", "too_long", "too_short",
})  # fmt: skip
"""Errors that say what kind of thing was expected: of a union, each member may add one."""


def _grouped(faults: Sequence[_Fault]) -> Iterator[list[_Fault]]:
    """Faults that belong together: one group for each place, without the union members that were not meant."""
    groups: dict[tuple[object, ...], list[_Fault]] = {}
    for fault in faults:
        apart = (fault.last,) if fault.type in ("missing", "extra_forbidden") else ()
        groups.setdefault((fault.loc, fault.of_key, *apart), []).append(fault)
    for group in groups.values():
        if group[0].type in _MISFITS and _deeper(group[0], faults):
            continue
        yield group


def _deeper(fault: _Fault, faults: Sequence[_Fault]) -> bool:
    """Whether another member of the same union fits and is wrong further inside."""
    inside = [f for f in faults if f.depth > fault.depth and f.loc[: fault.depth] == fault.loc]
    return any(f.details["loc"][: _shared(f, fault)] != f.details["loc"] for f in inside)


def _shared(one: _Fault, other: _Fault) -> int:
    pairs = zip(one.details["loc"], other.details["loc"], strict=False)
    count = 0
    for left, right in pairs:
        if left != right:
            break
        count += 1
    return count


def _problem(group: Sequence[_Fault], model: type[BaseModel], document: Document) -> Problem:
    first = group[0]
    words = _worded(group, model, document.node(first.loc))
    at_key = first.of_key or first.type in ("missing", "value_error")
    return document.problem(words.code, words.message, first.loc, key=at_key, hint=words.hint)


# -- errors to words --------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Words:
    code: str
    message: str
    hint: str = ""


def _worded(group: Sequence[_Fault], model: type[BaseModel], node: Node | None) -> _Words:
    fault = group[0]
    name = _named(fault)
    if fault.type == "missing" and isinstance(fault.details["loc"][-1], int):
        return _Words("M006", f"{name} needs at least {fault.details['loc'][-1] + 1} entries")
    if fault.type == "missing":
        return _Words("M002", f"the key {fault.last!r} is missing{_inside(fault)}", _described(model, fault))
    if fault.type == "extra_forbidden":
        known = _keys(model, fault.details["loc"][:-1])
        return _Words(
            "M001", f"unknown key {fault.last!r}{_inside(fault, outer=True)}", did_you_mean(fault.last, known)
        )
    if fault.type == "string_pattern_mismatch":
        return _pattern(fault, name)
    if fault.type in _SIZES:
        return _size(fault, name)
    if fault.type == "value_error":
        return _Words("M007", str(fault.details["ctx"]["error"]))
    if fault.of_key:
        return _unknown_key(group)
    if isinstance(node, Scalar) and node.text is None:
        return _Words("M008", f"{name} is empty", "write a value; a plain null, ~ or nothing is no text")
    return _kind(group, name, node, _short(model, fault))


def _unknown_key(group: Sequence[_Fault]) -> _Words:
    """A key that is none of a closed list."""
    given = str(group[0].loc[-1])
    words = [word for fault in group for word in _literals(fault)]
    near = did_you_mean(given, words)
    hint = near if near.startswith("did") else f"it takes {' or '.join(_listed(words))}"
    return _Words("M001", f"unknown key {given!r}", hint)


def _named(fault: _Fault) -> str:
    """What to call the thing that is wrong: its key, or the list it is an item of."""
    keys = [step for step in fault.loc if isinstance(step, str)]
    if fault.of_key:
        return "this key"
    if not keys:
        return "the file" if not fault.loc else f"item {fault.loc[-1]}"
    return f"an item of {keys[-1]!r}" if isinstance(fault.loc[-1], int) else f"{keys[-1]!r}"


def _inside(fault: _Fault, *, outer: bool = False) -> str:
    keys = [step for step in fault.loc[: -1 if outer else None] if isinstance(step, str)]
    return f" in {keys[-1]!r}" if keys else ""


def _patterns(*types: Any) -> dict[str, str]:
    words = iter((
        "lower-case letters, digits, '_' and '-', starting with a letter",
        "a language tag such as en or pt-BR",
        "lower-case letters, digits and '_', starting with a letter",
        "a role such as initial, or another member's such as neighbour.initial",
    ))  # fmt: skip
    found = {}
    for kind, meant in zip(types, words, strict=True):
        for constraint in get_args(kind)[1:]:
            if isinstance(constraint, StringConstraints) and isinstance(constraint.pattern, str):
                found[constraint.pattern] = meant
    return found


_PATTERN_WORDS: Mapping[str, str] = _patterns(Identifier, Language, Name, Role)


def _pattern(fault: _Fault, name: str) -> _Words:
    given = str(fault.details["input"])
    meant = _PATTERN_WORDS.get(str(fault.details["ctx"]["pattern"]), f"text like {fault.details['ctx']['pattern']}")
    slug = re.sub(r"[^a-z0-9]+", "_", given.casefold()).lstrip("_0123456789").rstrip("_")
    legal = f"for instance {slug!r}" if slug and "language" not in meant and "role" not in meant else ""
    return _Words("M005", f"{name} is {given!r}; it takes {meant}", legal)


_SIZES: Mapping[str, str] = {
    "too_short": "min_length",
    "too_long": "max_length",
    "string_too_short": "min_length",
    "string_too_long": "max_length",
    "greater_than_equal": "ge",
    "greater_than": "gt",
    "less_than_equal": "le",
    "less_than": "lt",
}


def _size(fault: _Fault, name: str) -> _Words:
    bound = fault.details["ctx"][_SIZES[fault.type]]
    if fault.type == "string_too_short":
        return _Words("M008", f"{name} is empty", "write a text")
    if fault.type == "string_too_long":
        return _Words("M006", f"{name} is longer than {bound} characters")
    if fault.type in ("too_short", "too_long"):
        has = fault.details["ctx"].get("actual_length")
        few = "at least" if fault.type == "too_short" else "at most"
        return _Words("M006", f"{name} needs {few} {bound} {'entry' if bound == 1 else 'entries'}, and has {has}")
    side = {"g": "at least" if fault.type.endswith("equal") else "more than"}.get(
        fault.type[0], "at most" if fault.type.endswith("equal") else "less than"
    )
    return _Words("M006", f"{name} is {fault.details['input']}; it must be {side} {bound}")


_KINDS: Mapping[str, str] = {
    "tuple_type": "a list",
    "list_type": "a list",
    "dict_type": "a mapping (key: value)",
    "model_type": "a mapping (key: value)",
    "model_attributes_type": "a mapping (key: value)",
    "string_type": "a text",
    "int_type": "a whole number",
    "int_parsing": "a whole number",
    "int_from_float": "a whole number",
    "float_type": "a number",
    "float_parsing": "a number",
    "bool_type": "true or false",
    "bool_parsing": "true or false",
}


def _kind(group: Sequence[_Fault], name: str, node: Node | None, short: str | None) -> _Words:
    """A thing of the wrong kind, or a word that is none of those allowed; unions name all that is allowed."""
    words = [word for fault in group for word in _literals(fault)]
    kinds = [_KINDS[fault.type] for fault in group if fault.type in _KINDS]
    if not words and not kinds:
        return _Words("M003", f"{name}: {group[0].details['msg']}")
    meant = " or ".join(dict.fromkeys([*kinds, *_listed(words)]))
    is_text = isinstance(node, Scalar)
    code = "M004" if words and is_text else "M003"
    given = (
        repr(node.text)
        if isinstance(node, Scalar)
        else {Items: "a list", Table: "a mapping"}.get(type(node), "nothing")
    )
    near = nearest(node.text, words) if isinstance(node, Scalar) and node.text else None
    hint = f"did you mean {near!r}?" if near else ""
    if not hint and isinstance(node, Scalar):
        hint = f"write [{node.text}]" if "a list" in kinds else f"write {{{short}: {node.text}}}" if short else ""
    return _Words(code, f"{name} is {given}; it takes {meant}", hint)


def _literals(fault: _Fault) -> list[str]:
    if fault.type != "literal_error":
        return []
    return re.findall(r"'([^']*)'", str(fault.details["ctx"]["expected"]))


def _listed(words: Sequence[str]) -> list[str]:
    if len(words) < 2:
        return [repr(word) for word in words]
    return [f"one of {', '.join(dict.fromkeys(words))}"]


# -- models -----------------------------------------------------------------------------------------------------


def _keys(model: type[BaseModel], loc: Sequence[str | int]) -> list[str]:
    """The keys that the models at a loc have."""
    return [key for found in _models(model, loc) for key in _fields(found)]


def _short(model: type[BaseModel], fault: _Fault) -> str | None:
    """The only key that a mapping at the fault's place must have."""
    if fault.type != "model_type":
        return None
    needed = [
        key for m in _models(model, fault.details["loc"]) for key, field in _fields(m).items() if field.is_required()
    ]
    return needed[0] if len(needed) == 1 else None


def _described(model: type[BaseModel], fault: _Fault) -> str:
    """What a missing key is for, where its model says so."""
    for found in _models(model, fault.details["loc"][:-1]):
        field = _fields(found).get(fault.last)
        if field is not None and field.description:
            return str(field.description)
    return ""


def _fields(model: type[BaseModel]) -> dict[str, Any]:
    return {field.alias or name: field for name, field in model.model_fields.items()}


def _models(annotation: Any, loc: Sequence[str | int]) -> list[type[BaseModel]]:
    """The models that an annotation leads to along a loc; tags of unions are passed over."""
    return [
        found for found in _walk(annotation, tuple(loc)) if isinstance(found, type) and issubclass(found, BaseModel)
    ]


def _walk(annotation: Any, loc: Loc) -> Iterator[Any]:
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        yield from _walk(arguments[0], loc)
    elif origin in (Union, UnionType):
        for argument in arguments:
            if argument is not NoneType:
                yield from _walk(argument, loc)
    elif not loc:
        yield annotation
    elif isinstance(annotation, type) and issubclass(annotation, BaseModel):
        field = _fields(annotation).get(str(loc[0]))
        yield from _walk(field.annotation, loc[1:]) if field is not None else _walk(annotation, loc[1:])
    elif origin is tuple:
        yield from _walk(arguments[0], loc[1:])
    elif origin is dict:
        yield from _walk(arguments[1], loc[1:])
