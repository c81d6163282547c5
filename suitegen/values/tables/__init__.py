"""Language tables: everything the code knows about words of a language."""

from __future__ import annotations

from suitegen.errors import SuitegenError
from suitegen.values.tables import en
from suitegen.values.tables.table import LanguageTable

_TABLES = {"en": en.TABLE}


def table(language: str) -> LanguageTable:
    """The table of a BCP 47 tag; a region or script is left aside (``en-GB`` reads ``en``).

    Raises:
        SuitegenError: there is no table for that language.
    """
    found = _TABLES.get(language.partition("-")[0].lower())
    if found is None:
        known = ", ".join(sorted(_TABLES))
        raise SuitegenError(f"there is no word table for language {language!r}", hint=f"known languages: {known}")
    return found
