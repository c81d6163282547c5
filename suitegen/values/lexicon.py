"""The vocabularies of all fact types."""

from __future__ import annotations

import re
from collections.abc import Mapping

from suitegen.model.fact_type import Confusable, FactType
from suitegen.model.latent import Member
from suitegen.values.tables import table
from suitegen.values.tokens import words
from suitegen.values.vocabulary import Vocabulary

_VARIABLE = re.compile(r"\{\{.*?\}\}")


class Lexicon:
    """What is known of the values of some fact types; vocabularies are made once and shared."""

    def __init__(self, fact_types: Mapping[str, FactType]) -> None:
        self._own = {name: _vocabulary(fact_type, fact_type.cues) for name, fact_type in fact_types.items()}
        self._confusable = {
            (name, confusable.id): _vocabulary(fact_type, _cues(fact_type, confusable))
            for name, fact_type in fact_types.items()
            for confusable in fact_type.confusables
        }

    def of(self, member: Member) -> Vocabulary:
        """The vocabulary of a cast member's attribute.

        A confusable attribute has the values of its fact type, and cues of its own.

        Raises:
            KeyError: the fact type or its confusable is not known.
        """
        if member.confusable is None:
            return self._own[member.fact_type]
        return self._confusable[member.fact_type, member.confusable]

    def values_of(self, fact_type_id: str) -> Vocabulary:
        """The vocabulary of a fact type.

        Raises:
            KeyError: it is not known.
        """
        return self._own[fact_type_id]

    def spellings(self, fact_type_id: str, value: str) -> tuple[str, ...]:
        """The value and its aliases.

        Raises:
            KeyError: the fact type is not known, or has no such value.
        """
        for spellings in self._own[fact_type_id].values:
            if spellings[0] == value:
                return spellings
        raise KeyError(value)


def _vocabulary(fact_type: FactType, cues: tuple[str, ...]) -> Vocabulary:
    values = tuple((value.value, *value.aliases) for value in fact_type.values)
    return Vocabulary(fact_type.kind, values, cues, fact_type.language)


def _cues(fact_type: FactType, confusable: Confusable) -> tuple[str, ...]:
    """What the confusable is called, and the words of it that do not also call the fact type's own attribute."""
    own = {word for text in (fact_type.attribute, fact_type.noun, *fact_type.cues) for word in _named(text)}
    idle = own.union(table(fact_type.language).stop_words)
    telling = [word for text in (confusable.attribute, confusable.noun) for word in _named(text) if word not in idle]
    return tuple(dict.fromkeys((confusable.attribute, *telling)))


def _named(text: str) -> tuple[str, ...]:
    return words(_VARIABLE.sub(" ", text))
