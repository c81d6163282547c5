"""A file of the wrong shape, read as far as it goes: for the lint alone, which looks for the mistakes behind it.

The nodes are mended, error by error, until they make a model. What is put in stands nowhere in the
file, so a finding about it has no line. What the author meant is a guess where no word is near: so a
file is mended in several ways (``WAYS``), which leave out what they can, or put in plenty. What is
found in all of them does not follow from the mending.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal, TypeAlias, get_args, get_origin

from pydantic import BaseModel, ValidationError

from suitegen.library.faults import Fault, grouped, literals
from suitegen.library.models import told
from suitegen.library.nearest import nearest, slug
from suitegen.library.problem import Problem
from suitegen.library.shapes import allowed, fields, members, models, only_key
from suitegen.library.yaml import NOWHERE, Document, Entry, Items, Loc, Node, Scalar, Table, plain

_ROUNDS = 24
"""How often a file is looked at anew; each look mends all that is wrong, and may show what was behind it."""
_MANY, _FEW = 8, 3
"""How many items plenty is: of a list that cannot be read, and of the lists inside what is put in."""
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_USED = re.compile(r"\{\{[-+]?\s*([a-z][a-z0-9_]*)")

_Edit: TypeAlias = Callable[[Node], Sequence[Node]]
"""What becomes of a node: none, one, or several where a list holds it."""


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
    """Mistakes of shape that were found on the way; the first look's among them."""


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

    def reshape(self, document: Document) -> Reshaped:
        """The file as a model, as far as it goes."""
        problems: list[Problem] = []
        for _ in range(_ROUNDS):
            if not isinstance(document.root, Table):
                break
            try:
                made = self.model.model_validate(self.tree(document.root))
            except ValidationError as error:
                groups = list(grouped(error, document))
            else:
                return Reshaped(made, document, tuple(problems))
            problems += (told(group, self.model, document) for group in groups)
            mended = _edited(document.root, self._edits(groups, document))
            document = replace(document, root=mended[0] if mended else None)
        return Reshaped(None, document, tuple(problems))

    def _edits(self, groups: Sequence[Sequence[Fault]], document: Document) -> dict[Loc, list[_Edit]]:
        edits: dict[Loc, list[_Edit]] = {}
        # A key that is missing may turn out to be a misspelled one.
        for group in sorted(groups, key=lambda group: group[0].type == "missing"):
            loc, edit = self._edit(group, document)
            edits.setdefault(loc, []).append(edit)
        return edits

    def _edit(self, group: Sequence[Fault], document: Document) -> tuple[Loc, _Edit]:
        """What mends a fault, and where."""
        fault = group[0]
        if fault.type == "missing":
            return fault.loc, partial(self._filled, fault.loc, fault.details["loc"][-1])
        if fault.of_key:
            return fault.loc[:-1], partial(_renamed, str(fault.loc[-1]), self._key(group))
        if fault.type == "value_error":
            return fault.loc, partial(self._fitted, fault.loc)
        return fault.loc, partial(self._mended, group, isinstance(document.node(fault.loc[:-1]), Items))

    # -- keys ---------------------------------------------------------------------------------------------------

    def _key(self, group: Sequence[Fault]) -> str:
        """The key that was meant; empty if none is near."""
        fault = group[0]
        if fault.type == "extra_forbidden":
            return (
                nearest(fault.last, (key for model in models(self.model, fault.loc[:-1]) for key in fields(model)))
                or ""
            )
        given = str(fault.loc[-1])
        if fault.type == "string_pattern_mismatch":
            return _legal(fault, given)
        return nearest(given, literals(group)) or ""

    def _filled(self, loc: Loc, step: str | int, node: Node) -> Sequence[Node]:
        """A mapping with a key, or a list with an item, that it lacks."""
        annotation = next(allowed(self.model, (*loc, step)), str)
        if isinstance(node, Items) and isinstance(step, int):
            return (replace(node, items=(*node.items, self._stand_in(annotation))),)
        if not isinstance(node, Table) or str(step) in node.entries:
            return (node,)
        told_by = self.known.get(str(step)) if not loc else None
        value = Scalar(told_by, NOWHERE, plain=True) if told_by else self._stand_in(annotation)
        return (_with(node, str(step), value),)

    # -- values -------------------------------------------------------------------------------------------------

    def _mended(self, group: Sequence[Fault], item: bool, node: Node) -> Sequence[Node]:
        """A value of the wrong kind or size as the nearest right one, else left out or stood in for."""
        fault = group[0]
        near = self._near(group, node) or self._resized(fault, node) or self._rearranged(group, node)
        if near is not None:
            return (near,)
        found = (
            [fields(model).get(str(fault.loc[-1])) for model in models(self.model, fault.loc[:-1])] if fault.loc else []
        )
        optional = item or (any(found) and not any(field and field.is_required() for field in found))
        if optional and not self.way.plenty:
            return ()
        return (self._stand_in(self._wanted(fault.loc)),)

    def _near(self, group: Sequence[Fault], node: Node) -> Node | None:
        """The permitted text that is nearest to a text."""
        if not isinstance(node, Scalar) or not node.text:
            return None
        fault = group[0]
        if fault.type == "string_pattern_mismatch":
            near = _legal(fault, node.text)
        elif fault.type == "string_too_long":
            near = node.text[: fault.details["ctx"]["max_length"]].rstrip("_-")
        else:
            near = _bound(fault) or nearest(node.text, literals(group)) or ""
        return Scalar(near, NOWHERE, plain=True) if near else None

    def _resized(self, fault: Fault, node: Node) -> Node | None:
        """A list or mapping with as many items as it has to have."""
        if fault.type == "too_long" and isinstance(node, Items):
            return replace(node, items=node.items[: fault.details["ctx"]["max_length"]])
        if fault.type != "too_short":
            return None
        if isinstance(node, Items):
            lacking = fault.details["ctx"]["min_length"] - len(node.items)
            return replace(node, items=(*node.items, *[self._stand_in(self._wanted((*fault.loc, 0)))] * lacking))
        made = self._stand_in(self._wanted(fault.loc))
        one = _with(Table({}, NOWHERE), "xx", self._stand_in(self._wanted((*fault.loc, "xx"))))
        return made if isinstance(made, Table) and made.entries else one

    def _rearranged(self, group: Sequence[Fault], node: Node) -> Node | None:
        """A list of the only item that was written, or a mapping of the parts or the value that were."""
        types = {fault.type for fault in group}
        if types & {"tuple_type", "list_type"} and (
            isinstance(node, Table) or (isinstance(node, Scalar) and node.text)
        ):
            return Items((node,), node.at)
        if not types & {"model_type", "dict_type"}:
            return None
        if isinstance(node, Items) and node.items and all(isinstance(item, Table) for item in node.items):
            parts = [item.entries for item in node.items if isinstance(item, Table)]
            return Table({key: entry for part in reversed(parts) for key, entry in part.items()}, node.at)
        only = only_key(self.model, group[0].loc)
        if isinstance(node, Scalar) and node.text and only:
            return Table({only: Entry(node.at, node)}, node.at)
        return None

    def _fitted(self, loc: Loc, node: Node) -> Sequence[Node]:
        """A mapping whose keys do not fit together: in parts, or with a key less or more; else it is left out."""
        for model in models(self.model, loc):
            for candidate in self._candidates(model, node) if isinstance(node, Table) else ():
                if all(_fits(model, part) for part in candidate):
                    return candidate
        return ()

    def _candidates(self, model: type[BaseModel], table: Table) -> Iterator[Sequence[Node]]:
        keys = list(reversed(table.entries) if self.way.plenty else table.entries)
        if len(keys) > 1:
            yield [replace(table, entries={key: entry}) for key, entry in table.entries.items()]
        for gone in keys:
            yield [replace(table, entries={key: entry for key, entry in table.entries.items() if key != gone})]
        lacking = [(key, field) for key, field in fields(model).items() if key not in table.entries]
        for key, field in reversed(lacking) if self.way.plenty else lacking:
            yield [_with(table, key, self._stand_in(field.annotation))]

    # -- what is put in -----------------------------------------------------------------------------------------

    def _wanted(self, loc: Loc) -> Any:
        found = list(allowed(self.model, loc)) or [str]
        return found[-1 if self.way.plenty else 0]

    def _stand_in(self, annotation: Any, many: int = _MANY) -> Node:
        """Something of a kind that stands nowhere; what it still lacks shows when it is looked at anew."""
        each = members(annotation)[-1 if self.way.plenty else 0]
        origin, arguments = get_origin(each), get_args(each)
        if origin is Literal:
            return Scalar(str(arguments[round(self.way.word * (len(arguments) - 1))]), NOWHERE, plain=True)
        if origin is tuple:
            item = self._stand_in(arguments[0], _FEW)
            return Items((item,) * many if self.way.plenty else (), NOWHERE)
        if origin is dict:
            keys = self._keys(arguments[0], many) if self.way.plenty else ()
            value = replace(self, way=replace(self.way, plenty=False))._stand_in(arguments[1])
            return Table({key: Entry(NOWHERE, value) for key in keys}, NOWHERE)
        if isinstance(each, type) and issubclass(each, BaseModel):
            parts = fields(each).items() if self.way.plenty else ()
            return Table({key: Entry(NOWHERE, self._stand_in(part.annotation, _FEW)) for key, part in parts}, NOWHERE)
        return Scalar(self._text(each), NOWHERE, plain=True)

    def _text(self, each: Any) -> str:
        if each in (int, float):
            return str(_MANY if self.way.plenty else 0)
        return str(self.way.plenty).lower() if each is bool else "xx"

    def _keys(self, annotation: Any, many: int) -> Sequence[str]:
        (each,) = members(annotation)
        if get_origin(each) is Literal:
            return get_args(each)
        return self.names if many == _MANY else ("xx",)


# -- nodes ------------------------------------------------------------------------------------------------------


def names(node: Node | None) -> Iterator[str]:
    """Every text or key of a node that is a legal name, and every name that a template of it uses."""
    if isinstance(node, Table):
        for key, entry in node.entries.items():
            yield from _NAME.findall(key) if _NAME.fullmatch(key) else ()
            yield from names(entry.value)
    elif isinstance(node, Items):
        for item in node.items:
            yield from names(item)
    elif node is not None and node.text:
        yield from [node.text] if _NAME.fullmatch(node.text) else _USED.findall(node.text)


def _edited(node: Node, edits: Mapping[Loc, Sequence[_Edit]], loc: Loc = ()) -> Sequence[Node]:
    """A node with everything below it edited, and then itself."""
    if isinstance(node, Table):
        below = {key: _edited(entry.value, edits, (*loc, key)) for key, entry in node.entries.items()}
        kept = {key: Entry(node.entries[key].key_at, made[0]) for key, made in below.items() if made}
        found: Sequence[Node] = (replace(node, entries=kept),)
    elif isinstance(node, Items):
        items = [made for index, item in enumerate(node.items) for made in _edited(item, edits, (*loc, index))]
        found = (replace(node, items=tuple(items)),)
    else:
        found = (node,)
    for edit in edits.get(loc, ()):
        found = [made for each in found for made in edit(each)]
    return found


def _renamed(key: str, to: str, node: Node) -> Sequence[Node]:
    """A mapping with a key renamed, or left out if there is no other name for it."""
    if not isinstance(node, Table):
        return (node,)
    free = to and to not in node.entries
    entries = {to if name == key else name: entry for name, entry in node.entries.items() if name != key or free}
    return (replace(node, entries=entries),)


def _with(table: Table, key: str, value: Node) -> Table:
    return replace(table, entries={**table.entries, key: Entry(NOWHERE, value)})


def _fits(model: type[BaseModel], node: Node) -> bool:
    try:
        model.model_validate(plain(node))
    except ValidationError:
        return False
    return True


def _legal(fault: Fault, given: str) -> str:
    """The legal name nearest to a given one; empty if there is none."""
    near = slug(given)
    return near if re.search(str(fault.details["ctx"]["pattern"]), near) else ""


def _bound(fault: Fault) -> str:
    """The number nearest to one that is out of bounds."""
    past = {
        "greater_than_equal": ("ge", 0),
        "greater_than": ("gt", 1),
        "less_than_equal": ("le", 0),
        "less_than": ("lt", -1),
    }
    if fault.type not in past:
        return ""
    name, step = past[fault.type]
    return str(fault.details["ctx"][name] + step)
