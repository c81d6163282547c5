"""The shipped files as a catalogue, read once for all tests."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from suitegen.library.catalog import load
from suitegen.library.shelves import shelves
from suitegen.library.yaml import Tree, read
from suitegen.model.catalog import Catalog

ROOT = Path(__file__).parent.parent


def tree(path: Path) -> Tree:
    """A YAML file as plain data, every scalar as text."""
    document = read(path, str(path))
    assert not document.problems, document.problems
    return document.tree


@lru_cache(maxsize=1)
def shipped() -> Catalog:
    """All shipped files."""
    found = load(shelves(None))
    assert not [p for p in found.problems if p.severity == "error"], found.problems
    return found.catalog
