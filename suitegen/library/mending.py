"""What the author of broken YAML most likely meant: words for the mistake, and the text with quotes where they lack."""

from __future__ import annotations

import re
from dataclasses import dataclass

from suitegen.library.events import YamlError

_QUOTE_IT = "put it in quotes"

_VALUE = re.compile(
    r"""^(?P<prefix>\s*(?:-\s+)*(?:(?:"[^"]*"|'[^']*'|[^\s"'#&*!|>%@`{\[\]},:-][^:]*?):\s+)?)(?P<value>\S.*?)\s*$"""
)
"""A line as indentation, dashes and a key, and the value behind them."""

_IN_FLOW = re.compile(
    r"""(?<=[\[{,:])\s*(?P<value>
        (?:[^\s"'\[\]{},:](?:[^,\[\]{}:]|:(?=\S))*)?(?:\{(?:\{.*?\}|%.*?%)\}[^,\[\]{}]*)+  # a text with templates
      | [@`%|>][^,\[\]{}]*
      | '[^']*'[^\s,\]}:][^,\[\]{}]*  # text behind a closing quote
      | "[^"]*"\s*[^\s,\]}:][^,\[\]{}]*
      | (?<=:\s)[^\s"'\[\]{},][^,\[\]{}]*:\s[^,\[\]{}]*  # a colon inside a text
    )""",
    re.VERBOSE,
)
"""An item of a list or mapping in brackets that needs quotes."""

_WORDS = {
    "@": "a text cannot start with '@'",
    "`": "a text cannot start with '`'",
    "%": "a text cannot start with '%'",
    "*": "a text that starts with '*' is read as an alias",
    "&": "a text that starts with '&' is read as an anchor",
    "!": "a text that starts with '!' is read as a tag",
    "|": "a text that starts with '|' is read as the start of a block",
    ">": "a text that starts with '>' is read as the start of a block",
    "[": "a text that starts with '[' is read as a list",
    "]": "a text cannot start with ']'",
    "}": "a text cannot start with '}'",
    ",": "a text cannot start with ','",
    "?": "a text that starts with '?' is read as a key",
}

_PLAIN = {
    "expected <block end>": "this line does not fit the indentation of the lines above it",
    "expected ',' or ']'": "a '[' is not closed, or a ',' is missing",
    "expected ',' or '}'": "a '{' is not closed, or a ',' is missing",
    "expected the node content": "a value is missing here",
    "could not find expected ':'": "a ':' is missing after a key",
    "sequence entries are not allowed here": "a list item cannot start here",
    "mapping keys are not allowed here": "a key cannot start here",
    "mapping values are not allowed": "this line does not fit the indentation of the lines above it",
    "expected '<document start>'": "this line does not fit the indentation of the lines above it",
}


@dataclass(frozen=True, slots=True)
class Mending:
    """A mistake with its offset, and the text to go on with; None where no guess is safe."""

    code: str
    message: str
    hint: str
    at: int
    text: str | None


def mend(text: str, error: YamlError) -> Mending:
    """Say what is wrong and how the text would have to be."""
    if "'\\t'" in error.problem:
        return _untabbed(text, error.at)
    if "unknown escape" in error.problem:
        doubled = text[: error.at] + "\\" + text[error.at :]
        return Mending(
            "F002", "this '\\' starts no known escape", "write '\\\\', or use single quotes", error.at - 1, doubled
        )
    at = min(error.at, len(text))
    if error.opened is not None and _unclosed(text, error):
        at = error.opened
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at) % (len(text) + 1)
    match = _VALUE.match(text[start:end])
    flow = _in_flow(text, start, end, at)
    if flow is not None:
        return flow
    own_colon = match is not None and "mapping values" in error.problem and at < start + match.start("value")
    words = _cause(match["value"], error.problem) if match and match["prefix"] and not own_colon else ""
    if match is None or not words:
        message, hint = _described(error)
        return Mending("F002", message, hint, at, None)
    whole = text[:start] + match["prefix"] + _quoted(match["value"]) + text[end:]
    return Mending("F003", words, _hint(match["value"]), start + match.start("value"), whole)


def _in_flow(text: str, start: int, end: int, at: int) -> Mending | None:
    """The mistake of an item in brackets: the last one up to the error that needs quotes."""
    found = [match for match in _IN_FLOW.finditer(text, start, end) if match.start("value") <= at]
    if (
        not found
        or text[start : found[-1].start("value")].count("[") + text[start : found[-1].start("value")].count("{") == 0
    ):
        return None
    value = found[-1]["value"].rstrip()
    first = found[-1].start("value")
    template = any(mark in value for mark in ("{{", "{%"))
    words = (not template and _WORDS.get(value[0])) or _cause(value, "mapping values are not allowed")
    whole = text[:first] + _quoted(value) + text[first + len(value) :]
    return Mending("F003", words, _hint(value), first, whole)


def _quoted(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _unclosed(text: str, error: YamlError) -> bool:
    """Whether the mistake is rather where something was opened than where that shows."""
    at_end = "end of stream" in error.problem or "stream end" in error.problem
    in_brackets = error.problem.startswith(("expected ',' or", "expected the node content"))
    return at_end or (in_brackets and "\n" in text[error.opened : error.at])


def _untabbed(text: str, at: int) -> Mending:
    """Tabs in the offending line and in all indentation become spaces."""
    start = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at) % (len(text) + 1)
    whole = text[:start] + text[start:end].replace("\t", "  ") + text[end:]
    whole = re.sub(r"^[ \t]*\t[ \t]*", lambda match: match[0].replace("\t", "  "), whole, flags=re.MULTILINE)
    return Mending("F004", "a tab stands where YAML takes only spaces", "indent with spaces", at, whole)


def _cause(value: str, problem: str) -> str:
    """Why a value that lacks quotes breaks the file; empty if quotes would not mend it."""
    for mark in ("{{", "{%"):
        if mark in value and value[0] not in "\"'":
            return f"{mark!r} without quotes starts a YAML mapping, not a template"
    if value[0] in "\"'":
        return _quote_cause(value)
    if "mapping values are not allowed" in problem:
        return "': ' inside a text without quotes is read as a key"
    if value[0] in "[{" and not _closed_early(value):
        return ""
    return _WORDS.get(value[0], "")


def _quote_cause(value: str) -> str:
    quote = value[0]
    body = value[1:].replace("\\" + quote, "") if quote == '"' else value[1:].replace("''", "")
    if quote not in body:
        return "a quote is opened and not closed on this line"
    return f"the text goes on after the closing {quote}" if not body.endswith(quote) or body.count(quote) > 1 else ""


def _closed_early(value: str) -> bool:
    """Whether the bracket that a value starts with is closed before the value ends."""
    close = {"[": "]", "{": "}"}[value[0]]
    return close in value[:-1] and not value.endswith(close)


def _hint(value: str) -> str:
    if value[0] == "'":
        return "put the whole text in double quotes"
    return "put the whole text in single quotes" if value[0] == '"' else _QUOTE_IT


def _described(error: YamlError) -> tuple[str, str]:
    if "end of stream" in error.problem or "stream end" in error.problem:
        return "what is opened here is not closed before the end of the file", ""
    for start, words in _PLAIN.items():
        if error.problem.startswith(start):
            return words, ""
    return f"not valid YAML: {error.problem}", ""
