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
from functools import partial
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel, ValidationError

from suitegen.library.editing import Edit, Made, edited, made_up, renamed, texts_around, with_entry
from suitegen.library.faults import Fault, grouped, literals
from suitegen.library.models import told
from suitegen.library.nearest import nearest, slug
from suitegen.library.problem import Problem
from suitegen.library.shapes import allowed, fields, members, models, only_key
from suitegen.library.unchecked import unchecked
from suitegen.library.yaml import NOWHERE, Document, Entry, Items, Loc, Node, Scalar, Table, parse, plain

_ROUNDS = 24
"""How often a file is looked at anew; each look mends all that is wrong, and may show what was behind it."""
_MANY, _FEW = 8, 3
"""How many items plenty is: of a list that cannot be read, and of the lists inside what is put in."""
_ANY = "xx"
"""A text that is legal wherever a text or a name is."""


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
        lost: dict[Loc, list[Edit]] = {(key,): [partial(self._unread, (key,), False, ())] for key in document.lost}
        document = _after(document, lost)
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
            document = _after(document, edits)
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

    def _edits(self, groups: Sequence[Sequence[Fault]], document: Document) -> dict[Loc, list[Edit]]:
        """What mends the faults, by place; keys that do not fit together need no mending."""
        edits: dict[Loc, list[Edit]] = {}
        keys: dict[Loc, dict[str, str]] = {}
        for group in groups:
            fault = group[0]
            around = texts_around(document, fault.loc if fault.type == "missing" else fault.loc[:-1])
            if fault.type == "missing":
                edit: Edit = partial(self._filled, fault.loc, fault.details["loc"][-1], around)
                edits.setdefault(fault.loc, []).append(edit)
            elif fault.of_key:
                keys.setdefault(fault.loc[:-1], {})[str(fault.loc[-1])] = self._key(group)
            elif fault.type != "value_error":
                item = isinstance(document.node(fault.loc[:-1]), Items)
                edits.setdefault(fault.loc, []).append(partial(self._mended, group, item, around))
        for loc, named in keys.items():
            # A key that is missing may turn out to be a misspelled one.
            edits.setdefault(loc, []).insert(0, partial(renamed, named))
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

    def _filled(self, loc: Loc, step: str | int, around: Sequence[str], node: Node) -> Made:
        """A mapping with a key, or a list with an item, that it lacks."""
        annotation = next(allowed(self.model, (*loc, step)), str)
        if isinstance(node, Items) and isinstance(step, int):
            return (replace(node, items=(*node.items, self._stand_in(annotation, around))),), True
        if not isinstance(node, Table) or str(step) in node.entries:
            return (node,), False
        known = self.known.get(str(step)) if not loc else None
        value = made_up(known) if known else self._stand_in(annotation, around)
        return (with_entry(node, str(step), value),), True

    # -- values -------------------------------------------------------------------------------------------------

    def _mended(self, group: Sequence[Fault], item: bool, around: Sequence[str], node: Node) -> Made:
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
        return self._unread(fault.loc, item, around, node)

    def _unread(self, loc: Loc, item: bool, around: Sequence[str], _: Node) -> Made:
        """What becomes of a value that cannot be read: nothing, or something of the right kind."""
        if not self.way.plenty and (item or self._optional(loc)):
            return (), True
        wanted = self._wanted(loc)
        if item and self.way.plenty:
            return tuple(self._items(wanted, around, _FEW)), True
        return (self._stand_in(wanted, around),), True

    def _optional(self, loc: Loc) -> bool:
        found = [fields(model).get(str(loc[-1])) for model in models(self.model, loc[:-1])] if loc else []
        return any(found) and not any(field and field.is_required() for field in found)

    def _rearranged(self, group: Sequence[Fault], node: Node) -> Node | None:
        """A list of the one item written, a mapping of the parts or the value written, or a text with a colon."""
        types = {fault.type for fault in group}
        written = isinstance(node, Table) or (isinstance(node, Scalar) and bool(node.text))
        if types & {"tuple_type", "list_type"} and written and "literal_error" not in types:
            return Items((node,), node.at)
        if types == {"string_type"} and isinstance(node, Table) and len(node.entries) == 1:
            ((key, entry),) = node.entries.items()
            said = entry.value.text if isinstance(entry.value, Scalar) else None
            return Scalar(f"{key}: {said}", node.at, plain=True) if said else None
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
        return made_up(near) if near else None

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
        one = with_entry(Table({}, NOWHERE), _ANY, self._stand_in(self._wanted((*fault.loc, _ANY)), around))
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
            return made_up(str(arguments[round(self.way.word * (len(arguments) - 1))]))
        if origin is tuple:
            return Items(tuple(self._items(arguments[0], around, many)) if self.way.plenty else (), NOWHERE)
        if origin is dict:
            return Table(self._entries(arguments, many) if self.way.plenty else {}, NOWHERE)
        if isinstance(each, type) and issubclass(each, BaseModel):
            parts = fields(each).items() if self.way.plenty else ()
            made = {key: Entry(NOWHERE, self._stand_in(part.annotation, (), _FEW)) for key, part in parts}
            return Table(made, NOWHERE)
        return made_up(self._text(each, around))

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
            yield from (made_up(str(word)) for word in get_args(each))
        elif each is str:
            yield from (made_up(text) for text in (*[_ANY] * many, self._text(each, around), *around))
        else:
            yield from [self._stand_in(each, (), _FEW)] * many

    def _text(self, each: Any, around: Sequence[str]) -> str:
        if each in (int, float):
            return str(_MANY if self.way.plenty else 0)
        if each is bool:
            return str(self.way.plenty).lower()
        return " ".join((_ANY, *around, *self.uses)) if self.way.plenty else _ANY

    def _entries(self, arguments: tuple[Any, Any], many: int) -> dict[str, Entry]:
        """Every key that a mapping may have, or may be asked for."""
        (kind,) = members(arguments[0])
        named = get_args(kind) if get_origin(kind) is Literal else self.names if many == _MANY else (_ANY,)
        value = Entry(NOWHERE, self._bare(arguments[1]))
        return dict.fromkeys(named, value)


# -- the nearest ------------------------------------------------------------------------------------------------


def _after(document: Document, edits: Mapping[Loc, Sequence[Edit]]) -> Document:
    nodes = edited(document.root, edits)[0] if document.root is not None else ()
    return replace(document, root=nodes[0] if nodes else None)


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
