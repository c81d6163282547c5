from __future__ import annotations

import unicodedata

from hypothesis import example, given
from hypothesis import strategies as st

from suitegen.cli.talk import clean, line


@given(st.text())
@example("\x1b]0;title\x07\x9b31m\u202e\r")
def test_clean_text_has_no_control_but_breaks_and_tabs(text):
    assert {c for c in clean(text) if unicodedata.category(c) == "Cc"} <= {"\n", "\t"}
    assert not {unicodedata.bidirectional(c) for c in clean(text)} & {
        "LRE",
        "RLE",
        "LRO",
        "RLO",
        "PDF",
        "LRI",
        "RLI",
        "FSI",
        "PDI",
    }


@given(st.text(st.characters(exclude_categories=["Cc", "Cf"])))
def test_clean_leaves_other_text_alone(text):
    assert clean(text) == text


@given(st.text())
def test_a_line_is_one_line(text):
    assert not set(line(text)) & {"\n", "\r", "\t", "\x0b", "\x0c", "\x1c", "\x85"}


def test_joined_characters_stay():
    assert (
        clean("\N{WOMAN}\N{ZERO WIDTH JOINER}\N{PERSONAL COMPUTER}")
        == "\N{WOMAN}\N{ZERO WIDTH JOINER}\N{PERSONAL COMPUTER}"
    )
