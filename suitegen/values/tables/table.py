"""What a language has to tell the code: one frozen table of words for each."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

DayHalf = Literal["am", "pm", "night"]
"""``night`` is before noon for the small hours, else after noon."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit with the spellings by which it is recognised.

    An amount of it is ``factor`` amounts of ``base``; only exact conversions are given.
    """

    name: str
    spellings: tuple[str, ...]
    base: str = ""
    factor: Fraction = Fraction(1)
    before: tuple[str, ...] = ()
    """Spellings that stand before the amount, as currency signs do."""


@dataclass(frozen=True, slots=True)
class LanguageTable:
    """Word lists and small grammars of one language. Phrases are matched on folded tokens."""

    language: str

    change_cues: tuple[str, ...]
    """Words that say that something is newly so."""
    hedges: tuple[str, ...]
    """Words that make a statement tentative or hearsay."""
    rejections: tuple[str, ...]
    """Words that turn a value down or hold on to the present one."""
    takeovers: tuple[str, ...]
    """Words by which somebody confirms or adopts what another one claimed."""
    negations: tuple[str, ...]
    refusals: tuple[str, ...]
    """Answers that give no value because none is known."""
    declines: tuple[str, ...]
    """What a model writes when it will not do as it is asked."""
    none_words: tuple[str, ...]
    """Answers that say that there is no such value."""
    meta_words: tuple[str, ...]
    """Labels of the design, which never occur in a dialogue."""
    kinship_words: tuple[str, ...]
    stop_words: tuple[str, ...]
    """Words that carry no topic; for retrieval."""
    function_words: tuple[str, ...]
    """Closed-class words; for style."""
    other_person_cues: tuple[str, ...]
    """Words that say that somebody else is meant."""
    doubled_words: tuple[str, ...]
    """Words that may stand twice in a row."""

    month_names: tuple[str, ...]
    """Twelve, January first."""
    month_short: tuple[tuple[str, ...], ...]
    """Short forms of each month."""
    weekday_names: tuple[str, ...]
    """Seven, Monday first."""
    ordinal_words: tuple[str, ...]
    """First to thirty-first."""
    ordinal_endings: tuple[str, ...]
    date_phrases: tuple[str, ...]
    """Orders of ``{month}`` and ``{day}``; a year may follow each."""
    day_first: bool
    """Whether 3/4/2026 is rather the third of April."""

    hour_words: tuple[str, ...]
    """One to twelve."""
    minute_zero: tuple[str, ...]
    """What stands before a single minute: oh five."""
    clock_phrases: tuple[tuple[str, int], ...]
    """Spoken times over ``{hour}`` and ``{minute}``, or ``{fives}``, a minute in words that five divides.

    With each the minutes after the hour, or the sign of the minute where there is one.
    """
    clock_names: tuple[tuple[str, str], ...]
    day_halves: tuple[tuple[str, DayHalf], ...]

    number_words: tuple[str, ...]
    number_joiners: tuple[str, ...]
    """Words inside a number: and, point."""
    minus_words: tuple[str, ...]
    articles: tuple[str, ...]
    """Words for one before a scale: a hundred."""
    half_before: tuple[str, ...]
    """Half of what follows: half an hour."""
    half_after: tuple[str, ...]
    """A half more: two and a half."""
    scales: tuple[tuple[str, int], ...]
    decimal_mark: Literal[".", ","]
    pronoun_numbers: tuple[str, ...]
    """Number words that are no numbers after ``pronoun_before`` or before ``pronoun_after``."""
    pronoun_before: tuple[str, ...]
    pronoun_after: tuple[str, ...]
    units: tuple[Unit, ...]
    plural_endings: tuple[tuple[str, str], ...]
    """Endings with those of the singular, the first that fits."""
