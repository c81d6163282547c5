"""Rules on how a session sounds: no talk of the test, no leftovers, no refusals, the right language."""

from __future__ import annotations

import re
from collections.abc import Iterable

from suitegen.validation.options import number
from suitegen.validation.protocol import Options, Outcome, SessionText
from suitegen.validation.quotes import found_in
from suitegen.values.tables import table
from suitegen.values.tokens import contains_phrase, words

RESIDUE = re.compile(
    r"\{\{\s*[\w.]+\s*(?:\|[^{}]*)?\}\}|\{%.*?%\}|\[(?:PLACEHOLDER|INSERT|NAME|VALUE)\b|<(?:fact|value|name)>|_alt_\d"
)
HALF_RESIDUE = re.compile(r"\{\{|\}\}|\{%|%\}")
"""Halves of a template's marks; in tool turns they are ordinary JSON."""
REASONING = re.compile(r"</?think(?:ing)?>|\[/?THINK\]|<\|[a-z_]+\|>", re.IGNORECASE)

_TWICE = re.compile(r"\b([^\W\d_]{2,})[ \t]+\1\b", re.IGNORECASE)


def doubled(content: str, language: str, known: Iterable[str] = ()) -> str | None:
    """A word that stands twice in a row and may not, as a template and what fills it leave behind.

    Args:
        content: a text.
        language: whose words may stand twice.
        known: texts that may be as they are.
    """
    allowed = table(language).doubled_words
    for found in _TWICE.finditer(content):
        if found[1].casefold() not in allowed and not any(found[0] in text for text in known):
            return found[0]
    return None


def check_meta(text: SessionText, options: Options) -> Outcome:
    """No talk about the test, no labels, no leftovers of a template."""
    found = []
    values = sorted(text.spec.values(), key=lambda value: (-len(value), value))
    for index in text.own:
        turn = text.written.turns[index]
        word = contains_phrase(turn.content, table(text.spec.language).meta_words)
        if word:
            found.append(found_in("S106", f"it names {word!r}", "do not speak of the test", index))
        rest = turn.content
        for value in values:
            rest = rest.replace(value, "")
        residue = RESIDUE.search(rest) or (HALF_RESIDUE.search(rest) if turn.role != "tool" else None)
        if residue:
            found.append(found_in("S106", f"leftover {residue.group()!r}", "write the finished text", index))
        if turn.role != "tool" and (twice := doubled(turn.content, text.spec.language, values)):
            found.append(found_in("S106", f"it says {twice!r}", "say the word once", index))
    return Outcome(tuple(found))


def check_refusal(text: SessionText, options: Options) -> Outcome:
    """No refusal of a model and none of its thinking in the dialogue."""
    found = []
    declines = table(text.spec.language).declines
    for index in text.own:
        turn = text.written.turns[index]
        if turn.role == "assistant" and (refused := contains_phrase(turn.content, declines)):
            found.append(found_in("S107", f"a refusal: {refused!r}", "let the assistant help", index))
        if thought := REASONING.search(turn.content):
            found.append(found_in("S107", f"a thinking mark: {thought.group()!r}", "write only the dialogue", index))
    return Outcome(tuple(found))


def check_language(text: SessionText, options: Options) -> Outcome:
    """The session is in the suite's language, by its share of that language's function words."""
    turns = [text.written.turns[index] for index in text.own]
    spoken = [w for turn in turns if turn.role != "tool" for w in words(turn.content)]
    known = frozenset(table(text.spec.language).function_words)
    if len(spoken) < number(options, "min_words") or not known:
        return Outcome(not_run="too few words to tell")
    share = sum(word in known for word in spoken) / len(spoken)
    if share >= number(options, "min_share"):
        return Outcome()
    message = f"only {share:.0%} of its words are function words of {text.spec.language!r}"
    return Outcome((found_in("S108", message, f"write in the language {text.spec.language!r}"),))
