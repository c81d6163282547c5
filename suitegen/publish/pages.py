"""What pages of a suite are made with: their templates, and values that show as they are."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from collections.abc import Mapping, Sequence
from functools import cache

from suitegen.library.shelves import shelves
from suitegen.library.templates import TemplateFolder

PAGE_LIMIT = 1_000_000_000
"""Most characters of a page; a report holds a whole suite."""

_SPECIAL = re.compile(r"([`*_\[\]~$])")
_OPENING = re.compile(r"^(?:([-+=#])|(\d+)([.)])(?=\s|$))")


def markdown(text: str) -> str:
    """A text as one line of Markdown that shows it as it is: no markup, no HTML, no table bar."""
    line = html.escape(" ".join(text.split()), quote=False)
    # Entities, since readers differ in what a backslash means before the bar that ends a table's cell.
    line = line.replace("\\", "&#92;").replace("|", "&#124;")
    return _OPENING.sub(_held, _SPECIAL.sub(r"\\\1", line))


def markdown_values(value: object) -> object:
    """Plain data with every text in it made safe for Markdown; keys stay."""
    match value:
        case str():
            return markdown(value)
        case Mapping():
            return {key: markdown_values(item) for key, item in value.items()}
        case Sequence():
            return [markdown_values(item) for item in value]
        case _:
            return value


def hash_source(block: str) -> str:
    """What a content security policy calls an inline script or style by."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(block.encode()).digest()).decode()}'"


@cache
def shipped_templates() -> TemplateFolder:
    """The templates that come with suitegen."""
    return TemplateFolder(shelves().templates)


def _held(match: re.Match[str]) -> str:
    return f"\\{match[1]}" if match[1] else f"{match[2]}\\{match[3]}"
