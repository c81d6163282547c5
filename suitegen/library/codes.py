"""Every code of the library's problems.

F: the file as YAML. M: its shape. L0: ids. L1: fact types. L2: paradigms. L3: suites.
L4: wordings. L5: gates.
"""

from __future__ import annotations

from collections.abc import Mapping

from suitegen.library.explained.code import Code
from suitegen.library.explained.facts import FACTS
from suitegen.library.explained.files import FILES
from suitegen.library.explained.paradigms import PARADIGMS
from suitegen.library.explained.suites import SUITES
from suitegen.library.explained.wordings import WORDINGS

CODES: Mapping[str, Code] = {code.code: code for code in (*FILES, *FACTS, *PARADIGMS, *SUITES, *WORDINGS)}
"""All codes, by code."""


def explain(code: str) -> str | None:
    """What a code means, for people; None for a code that is none of the library's."""
    found = CODES.get(code.strip().upper())
    return None if found is None else str(found)
