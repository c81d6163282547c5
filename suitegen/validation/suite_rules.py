"""Rules on a whole suite: what no single episode can show."""

from __future__ import annotations

from suitegen.validation.balance import BALANCE, COVERAGE
from suitegen.validation.learnt import CLOSED_BOOK, QUESTION_LEAK
from suitegen.validation.licenses import LICENSES
from suitegen.validation.protocol import SuiteText, Validator
from suitegen.validation.rates import READING_RATES
from suitegen.validation.shortcuts import SHORTCUTS
from suitegen.validation.tells import EVIDENCE_OR_FILLER
from suitegen.validation.texts import DIVERSITY, NEAR_DUPLICATES
from suitegen.validation.window_rules import PAIRS

VALIDATORS: tuple[Validator[SuiteText], ...] = (
    COVERAGE,
    BALANCE,
    SHORTCUTS,
    READING_RATES,
    CLOSED_BOOK,
    QUESTION_LEAK,
    EVIDENCE_OR_FILLER,
    NEAR_DUPLICATES,
    DIVERSITY,
    LICENSES,
    PAIRS,
)
