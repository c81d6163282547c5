"""A file of the wrong shape, read as far as it goes: for the lint alone, which looks for the mistakes behind it.

The nodes are mended, error by error, until they make a model. What is put in stands nowhere in the
file, nor does what holds it, so a finding about either has no line. What the author meant is a guess
where no word is near: so a file is mended in several ways (``WAYS``), which leave out what they can,
or put in plenty. What is found in all of them does not follow from the mending.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from types import UnionType
from typing import Annotated, Any, Literal, TypeAlias, Union, get_args, get_origin

from pydantic import BaseModel, ValidationError, create_model, model_validator

from suitegen.library.faults import Fault, grouped, literals
from suitegen.library.models import told
from suitegen.library.nearest import nearest, slug
from suitegen.library.problem import Problem
from suitegen.library.shapes import allowed, fields, members, models, only_key
from suitegen.library.yaml import NOWHERE, Document, Entry, Items, Loc, Node, Scalar, Table, parse, plain

_ROUNDS = 24
"""How often a file is looked at anew; each look mends all that is wrong, and may show what was behind it."""
_MANY, _FEW = 8, 3
"""How many items plenty is: of a list that cannot be read, and of the lists inside what is put in."""
_ANY = "xx"
"""A text that is legal wherever a text or a name is."""
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_NAMES = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)?")
_USED = re.compile(r"\{\{[-+]?\s*([a-z][a-z0-9_]*)")

_Made: TypeAlias = tuple[Sequence[Node], bool]
"""What becomes of a node (none, one, or several where a list holds it), and whether anything is lost or made up."""
_Edit: TypeAlias = Callable[[Node], _Made]


@dataclass(frozen=True, slots=True)
class Way:
    """A way to mend what no near word tells how to."""

    plenty: bool
    """Whether what cannot be read is filled with plenty; else it is left out where that is possible."""
    word: float
    """Which word of a closed list is taken: 0 for its first one, 1 for its last."""


WAYS = (Way(False, 0.0), Way(True, 1.0), Way(True, 0.5))


@dataclass(frozen=True, slots=True)
class Reshaped:
    """What became of a file."""

    model: BaseModel | None
    """None if it cannot be mended: it is no mapping."""
    document: Document
    """The mended nodes, with the places of what was there."""
    problems: tuple[Problem, ...]
    """Mistakes of shape that were found on the way; those of the first look among them."""


@dataclass(frozen=True, slots=True)
class Mender:
    """Mends files of one kind."""

    model: type[BaseModel]
    tree: Callable[[Node], object]
    """The plain tree that the model is made of."""
    way: Way
    known: Mapping[str, str]
    """What a missing key at the top most likely says."""
    names: Sequence[str]
    """Names that a mapping that cannot be read might have had."""
    uses: Sequence[str]
    """Variables that a text that cannot be read might have used."""

    def reshape(self, document: Document) -> Reshaped:
        """The file as a model, as far as it goes."""
        problems: list[Problem] = []
        for _ in range(_ROUNDS):
            if not isinstance(document.root, Table):
                break
            made, groups = self._look(self.model, document, document.root)
            problems += self._told(groups, document)
            edits = self._edits(groups, document)
            if made is None and not edits:
                made, groups = self._look(unchecked(self.model), document, document.root)
                problems += self._told(groups, document)
                edits = self._edits(groups, document)
            if made is not None:
                return Reshaped(made, document, tuple(problems))
            nodes, _ = _edited(document.root, edits)
            document = replace(document, root=nodes[0] if nodes else None)
        return Reshaped(None, document, tuple(problems))

    def _look(
        self, model: type[BaseModel], document: Document, root: Node
    ) -> tuple[BaseModel | None, Sequence[Sequence[Fault]]]:
        try:
            return model.model_validate(self.tree(root)), ()
        except ValidationError as error:
            return None, tuple(grouped(error, document))

    def _told(self, groups: Sequence[Sequence[Fault]], document: Document) -> Iterator[Problem]:
        for group in groups:
            if document.offset(group[0].loc) != NOWHERE:
                yield told(group, self.model, document)

    def _edits(self, groups: Sequence[Sequence[Fault]], document: Document) -> dict[Loc, list[_Edit]]:
        """What mends the faults, by place; keys that do not fit together need no mending."""
        edits: dict[Loc, list[_Edit]] = {}
        # A key that is missing may turn out to be a misspelled one.
        for group in sorted(groups, key=lambda group: group[0].type == "missing"):
            fault = group[0]
            around = _around(document, fault.loc if fault.type == "missing" else fault.loc[:-1])
            if fault.type == "missing":
                edit: _Edit = partial(self._filled, fault.loc, fault.details["loc"][-1], around)
                edits.setdefault(fault.loc, []).append(edit)
            elif fault.of_key:
                edit = partial(_renamed, str(fault.loc[-1]), self._key(group))
                edits.setdefault(fault.loc[:-1], []).append(edit)
            elif fault.type != "value_error":
                item = isinstance(document.node(fault.loc[:-1]), Items)
                edits.setdefault(fault.loc, []).append(partial(self._mended, group, item, around))
        return edits

    # -- keys ---------------------------------------------------------------------------------------------------

    def _key(self, group: Sequence[Fault]) -> str:
        """The key that was meant; empty if none is near."""
        fault = group[0]
        given = str(fault.loc[-1])
        if fault.type == "string_pattern_mismatch":
            return _legal(fault, given)
        words = literals(group)
        if fault.type == "extra_forbidden":
            words = [key for model in models(self.model, fault.loc[:-1]) for key in fields(model)]
        return nearest(given, words) or ""

    def _filled(self, loc: Loc, step: str | int, around: Sequence[str], node: Node) -> _Made:
        """A mapping with a key, or a list with an item, that it lacks."""
        annotation = next(allowed(self.model, (*loc, step)), str)
        if isinstance(node, Items) and isinstance(step, int):
            return (replace(node, items=(*node.items, self._stand_in(annotation, around))),), True
        if not isinstance(node, Table) or str(step) in node.entries:
            return (node,), False
        known = self.known.get(str(step)) if not loc else None
        value = _scalar(known) if known else self._stand_in(annotation, around)
        return (_with(node, str(step), value),), True

    # -- values -------------------------------------------------------------------------------------------------

    def _mended(self, group: Sequence[Fault], item: bool, around: Sequence[str], node: Node) -> _Made:
        """A value of the wrong kind or size as the nearest right one, else left out or stood in for."""
        fault = group[0]
        if isinstance(node, Scalar) and node.text and (word := nearest(node.text, literals(group))):
            return (replace(node, text=word),), False
        if item and isinstance(node, Items) and node.items:
            return node.items, False
        kept = self._rearranged(group, node)
        if kept is not None:
            return (kept,), False
        near = self._near(fault, node) or self._resized(fault, node, around)
        if near is not None:
            return (near,), True
        if not self.way.plenty and (item or self._optional(fault.loc)):
            return (), True
        if fault.type == "string_pattern_mismatch":
            return (_scalar(_ANY),), True
        wanted = self._wanted(fault.loc)
        if item and self.way.plenty:
            return tuple(self._items(wanted, around, _FEW)), True
        return (self._stand_in(wanted, around),), True

    def _optional(self, loc: Loc) -> bool:
        found = [fields(model).get(str(loc[-1])) for model in models(self.model, loc[:-1])] if loc else []
        return any(found) and not any(field and field.is_required() for field in found)

    def _rearranged(self, group: Sequence[Fault], node: Node) -> Node | None:
        """A list of the only item that was written, or a mapping of the parts or the value that were."""
        types = {fault.type for fault in group}
        written = isinstance(node, Table) or (isinstance(node, Scalar) and bool(node.text))
        if types & {"tuple_type", "list_type"} and written:
            return Items((node,), node.at)
        if not types & {"model_type", "dict_type"}:
            return None
        if isinstance(node, Items) and node.items and all(isinstance(item, Table) for item in node.items):
            entries: dict[str, Entry] = {}
            for item in node.items:
                entries = {**entries, **item.entries} if isinstance(item, Table) else entries
            return Table(entries, node.at)
        only = only_key(self.model, group[0].loc)
        return Table({only: Entry(node.at, node)}, node.at) if isinstance(node, Scalar) and written and only else None

    def _near(self, fault: Fault, node: Node) -> Node | None:
        """The legal text that is nearest to a text."""
        if not isinstance(node, Scalar) or not node.text:
            return None
        if fault.type == "string_pattern_mismatch":
            near = _legal(fault, node.text) if node.at != NOWHERE else _ANY
        elif fault.type == "string_too_long":
            near = node.text[: fault.details["ctx"]["max_length"]].rstrip("_-")
        else:
            near = _bound(fault)
        return _scalar(near) if near else None

    def _resized(self, fault: Fault, node: Node, around: Sequence[str]) -> Node | None:
        """A list or mapping with as many items as it has to have."""
        if fault.type == "too_long" and isinstance(node, Items):
            return replace(node, items=node.items[: fault.details["ctx"]["max_length"]])
        if fault.type != "too_short":
            return None
        made = self._stand_in(self._wanted(fault.loc), around)
        if isinstance(node, Items) and isinstance(made, Items):
            lacking = fault.details["ctx"]["min_length"] - len(node.items)
            more = made.items or [self._stand_in(self._wanted((*fault.loc, 0)), around)] * lacking
            return replace(node, items=(*node.items, *more))
        one = _with(Table({}, NOWHERE), _ANY, self._stand_in(self._wanted((*fault.loc, _ANY)), around))
        return made if isinstance(made, Table) and made.entries else one

    # -- what is put in -----------------------------------------------------------------------------------------

    def _wanted(self, loc: Loc) -> Any:
        found = list(allowed(self.model, loc)) or [str]
        return found[-1 if self.way.plenty else 0]

    def _stand_in(self, annotation: Any, around: Sequence[str], many: int = _MANY) -> Node:
        """Something of a kind that stands nowhere; what it still lacks shows when it is looked at anew.

        Args:
            annotation: the kind.
            around: the texts beside it, which in plenty it says as well.
            many: how many items plenty is.
        """
        each = members(annotation)[-1 if self.way.plenty else 0]
        origin, arguments = get_origin(each), get_args(each)
        if origin is Literal:
            return _scalar(str(arguments[round(self.way.word * (len(arguments) - 1))]))
        if origin is tuple:
            return Items(tuple(self._items(arguments[0], around, many)) if self.way.plenty else (), NOWHERE)
        if origin is dict:
            named = self._keys(arguments[0], many) if self.way.plenty else ()
            value = self._bare(arguments[1])
            return Table({key: Entry(NOWHERE, value) for key in named}, NOWHERE)
        if isinstance(each, type) and issubclass(each, BaseModel):
            parts = fields(each).items() if self.way.plenty else ()
            made = {key: Entry(NOWHERE, self._stand_in(part.annotation, (), _FEW)) for key, part in parts}
            return Table(made, NOWHERE)
        return _scalar(self._text(each, around))

    def _bare(self, annotation: Any) -> Node:
        """The least that a kind takes, complete: there may be many of it."""
        (each, *_) = members(annotation)
        bare = replace(self, way=replace(self.way, plenty=False))
        if not (isinstance(each, type) and issubclass(each, BaseModel)):
            return bare._stand_in(each, ())
        empty = replace(parse("", ""), root=Table({}, NOWHERE))
        return replace(bare, model=each, tree=plain).reshape(empty).document.root or Table({}, NOWHERE)

    def _items(self, annotation: Any, around: Sequence[str], many: int) -> Iterator[Node]:
        (each, *_) = members(annotation)
        if get_origin(each) is Literal:
            yield from (_scalar(str(word)) for word in get_args(each))
        elif each is str:
            yield from (_scalar(text) for text in (*[_ANY] * many, self._text(each, around), *around))
        else:
            yield from [self._stand_in(each, (), _FEW)] * many

    def _text(self, each: Any, around: Sequence[str]) -> str:
        if each in (int, float):
            return str(_MANY if self.way.plenty else 0)
        if each is bool:
            return str(self.way.plenty).lower()
        return " ".join((_ANY, *around, *self.uses)) if self.way.plenty else _ANY

    def _keys(self, annotation: Any, many: int) -> Sequence[str]:
        (each,) = members(annotation)
        if get_origin(each) is Literal:
            return get_args(each)
        return self.names if many == _MANY else (_ANY,)


# -- nodes ------------------------------------------------------------------------------------------------------


def names(node: Node | None) -> Iterator[str]:
    """Every name that a text of a node is, or that a template of it uses."""
    if isinstance(node, Scalar) and node.text:
        yield from node.text.split(".") if _NAMES.fullmatch(node.text) else _USED.findall(node.text)
    for each in _below(node):
        yield from names(each)


def keys(node: Node | None) -> Iterator[str]:
    """Every key of a node that is a name."""
    if isinstance(node, Table):
        yield from (key for key in node.entries if _NAME.fullmatch(key))
    for each in _below(node):
        yield from keys(each)


def _below(node: Node | None) -> list[Node]:
    if isinstance(node, Table):
        return [entry.value for entry in node.entries.values()]
    return list(node.items) if isinstance(node, Items) else []


def _texts(node: Node) -> list[str]:
    """The texts that a node is, or holds itself."""
    each = [node] if isinstance(node, Scalar) else _below(node)
    return [scalar.text for scalar in each if isinstance(scalar, Scalar) and scalar.text]


def _around(document: Document, loc: Loc) -> tuple[str, ...]:
    """The texts of the innermost mapping at or above a place, and of the lists in it."""
    while not isinstance(here := document.node(loc), Table):
        loc = loc[:-1]
    return tuple(text for each in _below(here) for text in _texts(each))


def _scalar(text: str) -> Scalar:
    return Scalar(text, NOWHERE, plain=True)


def _edited(node: Node, edits: Mapping[Loc, Sequence[_Edit]], loc: Loc = ()) -> _Made:
    """A node with everything below it edited, and then itself; what holds something lost or made up loses its place."""
    made: Sequence[Node] = (node,)
    lost = False
    if isinstance(node, Table):
        below = {key: _edited(entry.value, edits, (*loc, key)) for key, entry in node.entries.items()}
        lost = any(gone for _, gone in below.values())
        kept = {
            k: Entry(NOWHERE if below[k][1] else e.key_at, below[k][0][0])
            for k, e in node.entries.items()
            if below[k][0]
        }
        made = (Table(kept, node.at),)
    elif isinstance(node, Items):
        each = [_edited(item, edits, (*loc, index)) for index, item in enumerate(node.items)]
        lost = any(gone for _, gone in each)
        made = (Items(tuple(item for items, _ in each for item in items), node.at),)
    for edit in edits.get(loc, ()):
        changed = [edit(part) for part in made]
        made = [part for parts, _ in changed for part in parts]
        lost = lost or any(gone for _, gone in changed)
    return [replace(part, at=NOWHERE) for part in made] if lost and loc else made, lost


def _renamed(key: str, to: str, node: Node) -> _Made:
    """A mapping with a key renamed, or left out if there is no other name for it."""
    if not isinstance(node, Table):
        return (node,), False
    free = to and to not in node.entries
    entries = {to if name == key else name: entry for name, entry in node.entries.items() if name != key or free}
    return (replace(node, entries=entries),), False


def _with(table: Table, key: str, value: Node) -> Table:
    return replace(table, entries={**table.entries, key: Entry(NOWHERE, value)})


# -- what is let pass -------------------------------------------------------------------------------------------


@lru_cache(maxsize=256)
def unchecked(model: type[BaseModel]) -> type[BaseModel]:
    """The model without what it and the models in it ask of their keys together."""
    checks = model.__pydantic_decorators__.model_validators
    passed: dict[str, Any] = {
        name: model_validator(mode="after")(_as_it_is) for name, check in checks.items() if check.info.mode == "after"
    }
    parts: dict[str, Any] = {name: (_unchecked(field.annotation), field) for name, field in model.model_fields.items()}
    return create_model(model.__name__, __base__=model, __validators__=passed, **parts)


def _as_it_is(made: BaseModel) -> BaseModel:
    return made


def _unchecked(annotation: Any) -> Any:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return unchecked(annotation)
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is None or origin is Literal:
        return annotation
    made = tuple(_unchecked(argument) for argument in arguments)
    if origin is Annotated:
        return Annotated[(made[0], *arguments[1:])]
    return Union[made] if origin in (Union, UnionType) else origin[made]  # noqa: UP007 - of as many as there are


# -- the nearest ------------------------------------------------------------------------------------------------


def _legal(fault: Fault, given: str) -> str:
    """The legal name nearest to a given one; empty if there is none."""
    near = slug(given)
    return near if re.search(str(fault.details["ctx"]["pattern"]), near) else ""


_PAST: Mapping[str, tuple[str, int]] = {
    "greater_than_equal": ("ge", 0),
    "greater_than": ("gt", 1),
    "less_than_equal": ("le", 0),
    "less_than": ("lt", -1),
}
"""Faults of numbers out of bounds: where the bound stands, and what is to be added to it."""


def _bound(fault: Fault) -> str:
    """The number nearest to one that is out of bounds."""
    if fault.type not in _PAST:
        return ""
    name, step = _PAST[fault.type]
    return str(fault.details["ctx"][name] + step)
