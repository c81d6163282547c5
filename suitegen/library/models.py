"""Trees to models: every error of pydantic becomes a problem at the right place, in an author's words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, StringConstraints, ValidationError

from suitegen.library.faults import Fault, grouped, literals
from suitegen.library.nearest import did_you_mean, nearest, slug
from suitegen.library.problem import Problem
from suitegen.library.shapes import fields, models, only_key
from suitegen.library.yaml import Document, Items, Loc, Node, Scalar, Table
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
        problems = (told(group, model, document) for group in grouped(error, document, base))
        return None, tuple(problem for problem in problems if problem.line)


def told(group: Sequence[Fault], model: type[BaseModel], document: Document) -> Problem:
    """Faults of one place as the problem that they are."""
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


def _worded(group: Sequence[Fault], model: type[BaseModel], node: Node | None) -> _Words:
    fault = group[0]
    name = _named(fault)
    if fault.type == "missing" and isinstance(fault.details["loc"][-1], int):
        return _Words("M006", f"{name} needs at least {fault.details['loc'][-1] + 1} entries")
    if fault.type == "missing":
        return _Words("M002", f"the key {fault.last!r} is missing{_inside(fault)}", _described(model, fault))
    if fault.type == "extra_forbidden":
        known = [key for found in models(model, fault.details["loc"][:-1]) for key in fields(found)]
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
    short = only_key(model, fault.details["loc"]) if fault.type == "model_type" else None
    return _kind(group, name, node, short)


def _unknown_key(group: Sequence[Fault]) -> _Words:
    """A key that is none of a closed list."""
    given = str(group[0].loc[-1])
    words = literals(group)
    near = did_you_mean(given, words)
    hint = near if near.startswith("did") else f"it takes {' or '.join(_listed(words))}"
    return _Words("M001", f"unknown key {given!r}", hint)


def _named(fault: Fault) -> str:
    """What to call the thing that is wrong: its key, or the list it is an item of."""
    keys = [step for step in fault.loc if isinstance(step, str)]
    if fault.of_key:
        return "this key"
    if not keys:
        return "the file" if not fault.loc else f"item {fault.loc[-1]}"
    return f"an item of {keys[-1]!r}" if isinstance(fault.loc[-1], int) else f"{keys[-1]!r}"


def _described(model: type[BaseModel], fault: Fault) -> str:
    """What a missing key is for, where its model says so."""
    for found in models(model, fault.details["loc"][:-1]):
        field = fields(found).get(fault.last)
        if field is not None and field.description:
            return str(field.description)
    return ""


def _inside(fault: Fault, *, outer: bool = False) -> str:
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


def _pattern(fault: Fault, name: str) -> _Words:
    given = str(fault.details["input"])
    meant = _PATTERN_WORDS.get(str(fault.details["ctx"]["pattern"]), f"text like {fault.details['ctx']['pattern']}")
    near = slug(given)
    hint = f"for instance {near!r}" if near and "language" not in meant and "role" not in meant else ""
    return _Words("M005", f"{name} is {given!r}; it takes {meant}", hint)


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


def _size(fault: Fault, name: str) -> _Words:
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


def _kind(group: Sequence[Fault], name: str, node: Node | None, short: str | None) -> _Words:
    """A thing of the wrong kind, or a word that is none of those allowed; unions name all that is allowed."""
    words = literals(group)
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
    if isinstance(node, Table) and len(node.entries) == 1 and "a text" in kinds:
        hint = "': ' inside a text is read as a key; if it is meant as text, put it in quotes"
    if isinstance(node, Table) and "a list" in kinds:
        hint = "if it is the only item, put '- ' before it"
    if isinstance(node, Items) and node.items and all(isinstance(item, Table) for item in node.items) and not words:
        hint = "leave the '- ' out before each key" if "a mapping (key: value)" in kinds else ""
    return _Words(code, f"{name} is {given}; it takes {meant}", hint)


def _listed(words: Sequence[str]) -> list[str]:
    if len(words) < 2:
        return [repr(word) for word in words]
    return [f"one of {', '.join(dict.fromkeys(words))}"]
