"""Talk tables: what a reader of dialogues has to know of a language beside its values."""

from __future__ import annotations

from suitegen.errors import SuitegenError
from suitegen.values.tables.talk import en
from suitegen.values.tables.talk.words import Talk

_TABLES = {"en": en.TALK}


def talk(language: str) -> Talk:
    """The talk table of a BCP 47 tag; a region or script is left aside.

    Raises:
        SuitegenError: there is no table for that language.
    """
    found = _TABLES.get(language.partition("-")[0].lower())
    if found is None:
        known = ", ".join(sorted(_TABLES))
        raise SuitegenError(f"there is no talk table for language {language!r}", hint=f"known languages: {known}")
    return found
