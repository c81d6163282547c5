"""How people and models write values: punctuation, units, unicode, typographic signs."""

from __future__ import annotations

import unicodedata

import pytest

from suitegen.values.kinds import same
from suitegen.values.vocabulary import Vocabulary
from tests.scenarios.conftest import Project, listed


@pytest.mark.parametrize(
    "text", ["it's (42)!", "42: that is it", "#42", "№42", "“42”", "42.", "the number is 42, I think"]
)
def test_punctuation_hides_no_number(text: str) -> None:
    assert Vocabulary("number", (("42",),), ()).mentions_value(text, "42", cued=False)


@pytest.mark.parametrize("text", ["142", "4.2", "42.5", "420", "4 2"])
def test_a_number_is_not_part_of_another(text: str) -> None:
    assert not Vocabulary("number", (("42",),), ()).mentions_value(f"it is {text} here", "42", cued=False)


@pytest.mark.parametrize(
    ("kind", "one", "other"),
    [
        ("quantity", "60%", "60 %"),
        ("quantity", "60%", "60 percent"),
        ("quantity", "$1,200", "1200 dollars"),
        ("time", "14h30", "14:30"),
        ("time", "3 pm", "15:00"),
        ("number", "18000", "eighteen thousand"),
        ("number", "18,000", "18000"),
    ],
)
def test_ways_to_write_a_value_are_the_same_value(kind: str, one: str, other: str) -> None:
    assert same(kind, one, other)  # type: ignore[arg-type]


WORDS = ["Zoë", "한글", "Hiếu", "Ångström"]


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
def test_every_normal_form_is_the_same_word(word: str, form: str) -> None:
    known = Vocabulary("name", ((word,), ("Ada",)), ())
    written = unicodedata.normalize(form, word)  # type: ignore[arg-type]
    (mention,) = known.mentions(f"It was {written}, again.")
    assert mention.value == word
    assert f"It was {written}, again."[mention.start : mention.end] == written, "the text keeps its form"


def test_full_width_digits_are_digits() -> None:
    assert Vocabulary("number", (("14",),), ()).mentions_value("slot １４ it is", "14", cued=False)


def test_values_that_are_one_in_another_normal_form_are_a_mistake(project: Project) -> None:
    forms = [unicodedata.normalize(form, "Zoë") for form in ("NFC", "NFD")]
    project.values(listed(*forms, "Juniper", "Marigold", "Foxglove", "Hawthorn", "Bluebell"))
    assert any("Zoë" in unicodedata.normalize("NFC", p.message) for p in project.problems() if p.severity == "error")


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("d'Arcy's 3 pm slot", "d’Arcy’s 3\u202fpm slot"),
        ("12-14", "12–14"),
        ("Juniper Lane", "Juni\u00adper\u00a0Lane"),
        ("Juniper Lane", "Juniper\u200d Lane"),
        ("مكتبة", "\u2067مكتبة\u2069"),
    ],
)
def test_typographic_signs_and_invisible_characters_hide_nothing(value: str, written: str) -> None:
    assert Vocabulary("name", ((value,), ("Ada",)), ()).mentions_value(f"We said {written} then.", value)
