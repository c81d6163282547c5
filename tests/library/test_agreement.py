"""What the library knows of the floors above it, which it may not import, is what they know."""

from __future__ import annotations

from typing import get_args

import pytest

from suitegen.latent.gold import gold
from suitegen.library.rules.coverage import CLAUSES, FACETS
from suitegen.library.rules.wordings import FIELDS
from suitegen.model.latent import Member, Probe
from suitegen.model.words import ProbeType
from suitegen.writing import clauses

MEMBER = Member(name="target", fact_type="f", entity="user", attribute="a", values={"initial": "x"})


def test_the_variables_of_a_line_state_what_the_writer_takes_them_to_state():
    assert FACETS == clauses.FACETS
    assert CLAUSES.keys() == clauses.CLAUSES.keys()


@pytest.mark.parametrize("kind", get_args(ProbeType))
def test_the_fields_of_an_answer_are_those_of_its_gold(kind):
    probe = Probe(id="p", thread="t", type=kind, about="target", asked_after=0, rival="x", premise="x")
    assert FIELDS[kind] == tuple(field.name for field in gold([], [MEMBER], probe).fields)
