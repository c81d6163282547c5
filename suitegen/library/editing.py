"""Nodes of a file as they would be after edits, and the texts and names in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TypeAlias

from suitegen.library.yaml import NOWHERE, Document, Entry, Items, Loc, Node, Scalar, Table

Made: TypeAlias = tuple[Sequence[Node], bool]
"""What becomes of a node (none, one, or several where a list holds it), and whether anything is lost or made up."""
Edit: TypeAlias = Callable[[Node], Made]

_ENOUGH = 40
"""How many texts around a place are looked at."""
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_NAMES = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)?")
_USED = re.compile(r"\{\{[-+]?\s*([a-z][a-z0-9_]*)")


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


def _below(node: Node | None) -> Iterator[Node]:
    if isinstance(node, Table):
        yield from (entry.value for entry in node.entries.values())
    elif isinstance(node, Items):
        yield from node.items


def texts_around(document: Document, loc: Loc) -> tuple[str, ...]:
    """Texts of the innermost mapping at or above a place, and of the lists in it."""
    while not isinstance(here := document.node(loc), Table):
        loc = loc[:-1]
    near = (scalar for each in _below(here) for scalar in ([each] if isinstance(each, Scalar) else _below(each)))
    texts = (scalar.text for scalar in near if isinstance(scalar, Scalar) and scalar.text)
    return tuple(islice(texts, _ENOUGH))


def made_up(text: str) -> Scalar:
    """A text that stands nowhere."""
    return Scalar(text, NOWHERE, plain=True)


def edited(node: Node, edits: Mapping[Loc, Sequence[Edit]], loc: Loc = ()) -> Made:
    """A node with everything below it edited, and then itself; what holds something lost or made up loses its place."""
    made: Sequence[Node] = (node,)
    lost = False
    if isinstance(node, Table):
        below = {key: edited(entry.value, edits, (*loc, key)) for key, entry in node.entries.items()}
        lost = any(gone for _, gone in below.values())
        kept = {
            k: Entry(NOWHERE if below[k][1] else e.key_at, below[k][0][0])
            for k, e in node.entries.items()
            if below[k][0]
        }
        made = (Table(kept, node.at),)
    elif isinstance(node, Items):
        each = [edited(item, edits, (*loc, index)) for index, item in enumerate(node.items)]
        lost = any(gone for _, gone in each)
        made = (Items(tuple(item for items, _ in each for item in items), node.at),)
    for edit in edits.get(loc, ()):
        changed = [edit(part) for part in made]
        made = [part for parts, _ in changed for part in parts]
        lost = lost or any(gone for _, gone in changed)
    return [replace(part, at=NOWHERE) for part in made] if lost and loc else made, lost


def renamed(names: Mapping[str, str], node: Node) -> Made:
    """A mapping with keys renamed, or left out where there is no other name that is free.

    Args:
        names: the new names by the old ones; empty for none.
        node: the mapping; anything else stays as it is.
    """
    if not isinstance(node, Table):
        return (node,), False
    kept = {key: entry for key, entry in node.entries.items() if key not in names}
    entries: dict[str, Entry] = {}
    for key, entry in node.entries.items():
        name = names.get(key, key)
        if name and (key in kept or name not in kept):
            entries.setdefault(name, entry)
    return (replace(node, entries=entries),), False


def with_entry(table: Table, key: str, value: Node) -> Table:
    """A mapping with an entry more."""
    return replace(table, entries={**table.entries, key: Entry(NOWHERE, value)})
