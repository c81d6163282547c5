from __future__ import annotations

from dataclasses import replace

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from ruamel.yaml import YAML

from suitegen.errors import SuiteError
from suitegen.model.finding import Measure, Verdict
from suitegen.publish.card import BEGIN, END, authors_notes, card, figures, front_matter, size_category
from suitegen.publish.manifest import assemble
from suitegen.publish.pages import markdown, shipped_templates


def made(manifest, notes="\n"):
    return card(manifest, notes, shipped_templates())


def body(text):
    return text.split("\n---\n", 1)[1]


@pytest.mark.parametrize(
    "title",
    ["12:30", "no", "1.10", "2026-01-03", "~", "Größe: 3 # x", "a\nb", "\u2028 'x' \"y\"", "<!-- author:begin -->"],
)
def test_readers_of_yaml_1_1_and_1_2_agree(make_suite, title):
    manifest = make_suite(2).manifest.model_copy(update={"title": title, "language": "no"})
    text = front_matter(manifest)
    assert yaml.safe_load(text) == YAML(typ="safe").load(text)
    assert yaml.safe_load(text)["pretty_name"] == title
    assert yaml.safe_load(text)["language"] == ["no"]
    assert BEGIN not in text


def test_the_front_matter_says_what_the_hub_asks(make_suite):
    data = yaml.safe_load(front_matter(make_suite(2).manifest))
    assert "dataset_info" not in data
    assert data["license"] == "cc-by-4.0"
    assert data["size_categories"] == ["n<1K"]
    assert data["task_categories"] == ["question-answering"]
    assert {"memory", "suitegen", "interference"} <= set(data["tags"])
    assert [config["config_name"] for config in data["configs"] if config.get("default")] == ["probes"]
    assert data["configs"][1]["data_files"] == [{"split": "test", "path": "sessions/test-*.parquet"}]


@pytest.mark.parametrize(
    ("spdx", "expected"),
    [
        ("MIT", {"license": "mit"}),
        ("CC0-1.0", {"license": "cc0-1.0"}),
        ("ODC-By-1.0", {"license": "odc-by"}),
        ("GPL-3.0-or-later", {"license": "gpl-3.0"}),
        ("LicenseRef-Ours", {"license": "other", "license_name": "LicenseRef-Ours", "license_link": "LICENSE"}),
    ],
)
def test_licences_get_the_names_of_the_hub(make_suite, spdx, expected):
    data = yaml.safe_load(front_matter(make_suite(2).manifest.model_copy(update={"license": spdx})))
    assert {key: data.get(key) for key in expected} == expected


def test_a_language_with_a_region_is_told_twice(make_suite):
    data = yaml.safe_load(front_matter(make_suite(2).manifest.model_copy(update={"language": "pt-BR"})))
    assert (data["language"], data["language_bcp47"]) == (["pt"], ["pt-BR"])


@pytest.mark.parametrize(
    ("rows", "word"),
    [
        (0, "n<1K"),
        (999, "n<1K"),
        (1000, "1K<n<10K"),
        (9999, "1K<n<10K"),
        (10_000, "10K<n<100K"),
        (5_000_000, "1M<n<10M"),
    ],
)
def test_sizes_have_the_words_of_the_hub(rows, word):
    assert size_category(rows) == word


@given(st.text(alphabet=st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"])))
def test_any_text_shows_as_it_is(text):
    plain = " ".join(text.split())
    html = MarkdownIt("commonmark").enable("table").render(f"|a|\n|-|\n|x {markdown(text)}|\n")
    parsed = MarkdownIt("commonmark").enable("table").parse(f"|a|\n|-|\n|x {markdown(text)}|\n")
    cells = [token for token in parsed if token.type == "inline"]
    assert len(cells) == 2, html
    assert {child.type for child in cells[1].children} <= {"text", "text_special"}
    assert "".join(child.content for child in cells[1].children) == f"x {plain}".strip()


@pytest.mark.parametrize(
    "text", ["- item", "1. item", "+ x", "# head", "=", "> quote", "```", "---", "<b>x</b>", "&amp;"]
)
def test_a_paragraph_stays_one(text):
    tokens = MarkdownIt("commonmark").parse(markdown(text))
    assert [token.type for token in tokens] == ["paragraph_open", "inline", "paragraph_close"]
    assert "".join(child.content for child in tokens[1].children) == text


def test_the_card_shows_what_did_not_run(make_suite):
    text = made(make_suite(2).manifest)
    assert "| release | judge | suite | *not run* | 0 / 0 / 1 |  | no judge model was named |" in text
    assert "Nothing is claimed about what did not run: judge." in text
    assert "current 0.25 (threshold 0.35, 95 % interval 0.1 to 0.4, n = 2)" in text


def test_the_card_shows_what_failed_and_what_is_missing(make_build):
    build = make_build(2)
    verdict = Verdict(gate="release", validator="balance", level="suite", status="failed", why="3 of 5")
    broken = replace(build, verdicts=[verdict], planned={**build.planned, "case|9": 2}, models={"writer": "m|x"})
    text = made(assemble(broken).manifest)
    assert "**failed**" in text
    assert "- These checks failed: release/balance." in text
    assert "- case&#124;9: 2 episodes, not built" in text
    assert "2 planned episodes are missing" in text
    assert "| Model: writer | m&#124;x |" in text
    assert "without a language model" not in text


def test_the_card_says_that_a_design_leaks(make_suite):
    assert "gives the behaviour away" in made(make_suite(2, leaky_probes=True).manifest)
    assert "gives the behaviour away" not in made(make_suite(2).manifest)


def test_hostile_text_stays_text(make_suite, wording):
    hostile = "</td><script>x</script> | **b** `c`\n\n# Head <!-- author:end --> [l](javascript:x)"
    manifest = make_suite(2, wording(title=hostile, question=hostile), about=hostile).manifest
    example = manifest.example.model_copy(update={"question": hostile, "answer": hostile})
    text = made(manifest.model_copy(update={"example": example}))
    assert text.count(BEGIN) == text.count(END) == 1
    tokens = MarkdownIt("commonmark").enable("table").parse(body(text))
    children = [child for token in tokens for child in token.children or ()]
    assert not [child for child in children if child.type in ("html_inline", "link_open", "image")]
    assert all(token.content.startswith("<!-- ") for token in tokens if token.type == "html_block")
    assert [token.tag for token in tokens if token.type == "heading_open"].count("h1") == 1


def test_tables_keep_their_columns(make_suite):
    tokens = MarkdownIt("commonmark").enable("table").parse(body(made(make_suite(3).manifest)))
    assert sum(token.type == "table_open" for token in tokens) == 7
    heads = sum(token.type == "th_open" for token in tokens)
    assert heads == 2 + 7 + 2 + 2 + 2 + 7 + 4


def test_the_authors_notes_are_found_again(make_suite):
    text = made(make_suite(2).manifest, "\nmine <b>\n")
    assert authors_notes(text, "README.md") == "\nmine <b>\n"
    with pytest.raises(SuiteError, match=r"README.md: the marks"):
        authors_notes(text.replace(END, ""), "README.md")
    with pytest.raises(SuiteError, match="the marks"):
        authors_notes(f"{END} {BEGIN}", "README.md")


def test_figures_say_what_they_are():
    measures = [Measure(name="auc", value=0.61234, threshold=0.7, n=1200), Measure(name="kappa", value=None)]
    assert figures(measures) == "auc 0.6123 (threshold 0.7, n = 1,200); kappa not measured"
