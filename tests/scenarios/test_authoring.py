"""What authors write, and what other tools made of it: booleans, cut texts, templates that render their values."""

from __future__ import annotations

from pathlib import Path

import pytest

from suitegen import app
from suitegen.errors import AuthorError
from suitegen.library.templates import compile_line
from tests.scenarios.conftest import Project, listed

REST = ("Juniper", "Marigold", "Foxglove", "Hawthorn", "Bluebell", "Saffron")


def test_words_that_yaml_takes_for_truth_values_stay_text(project: Project) -> None:
    project.values(listed("no", "Yes", "off", "on", *REST))
    assert [value.value for value in project.fact_type().values][:4] == ["no", "Yes", "off", "on"]
    project.replace("kind: name", "kind: name\non: slot_change")
    assert any("'on'" in problem.message for problem in project.problems())


def test_a_key_that_stands_twice_names_both_lines(project: Project) -> None:
    text = project.fact_type_file.read_text("utf-8")
    first = text[: text.index("\nvalues:") + 2].count("\n") + 1
    project.fact_type_file.write_text(text + "\n" + listed(*REST), "utf-8")
    second = text.count("\n") + 2
    found = [problem for problem in project.problems() if "twice" in problem.message or "again" in problem.message]
    assert found, [str(problem) for problem in project.problems()]
    assert any(str(first) in str(problem) and problem.line == second for problem in found)


def test_merge_keys_with_an_override_work(project: Project) -> None:
    project.replace("  - id: price\n", "  - &base\n    id: price\n")
    text = project.fact_type_file.read_text("utf-8")
    at = text.index("  - id: move\n")
    project.fact_type_file.write_text(
        text[:at] + "  - {<<: *base, id: price_again, keys: [price went up, paid before]}\n" + text[at:], "utf-8"
    )
    changes = {change.id: change for change in project.fact_type().changes}
    assert changes["price_again"].trigger == changes["price"].trigger
    assert changes["price_again"].keys != changes["price"].keys


def shipped_templates() -> Path:
    return Path(__file__).parents[2] / "templates"


def test_braces_in_a_line_are_text(project: Project) -> None:
    line = 'Reply as {"turns": [{"role": "user"}]}, use {curly} once, and a lone } for my kiln slot'
    raw = "{% raw %}{{ name }}{% endraw %}"
    project.replace("  - id: overview\n    open:\n", f"  - id: overview\n    open:\n      - '{line} {raw}'\n")
    assert not [problem for problem in project.problems() if problem.severity == "error"]
    opening = project.fact_type().contexts[0].open[0]
    assert compile_line(opening, "a line").render({}) == f"{line} {{{{ name }}}}"


@pytest.mark.parametrize(
    ("line", "name", "near"),
    [
        ("my kiln slot is {{ valeu }}", "valeu", "value"),
        ("my kiln slot, {% if subjct %}yes{% endif %}", "subjct", "subject"),
    ],
)
def test_a_misspelled_variable_is_a_mistake_with_its_place_before_anything_is_built(
    project: Project, line: str, name: str, near: str
) -> None:
    project.replace("phrasings:\n  user:\n    remember:\n", f"phrasings:\n  user:\n    remember:\n      - '{line}'\n")
    found = [problem for problem in project.problems() if name in problem.message]
    assert found
    assert found[0].path.endswith("kiln_slot.yaml")
    assert found[0].line > 1
    assert near in f"{found[0].message} {found[0].hint}"
    with pytest.raises(AuthorError):
        project.build()
    assert not (project.root / "out").exists()


@pytest.mark.parametrize(
    ("line", "expression"),
    [
        ("{{ persona.job.title }}: my kiln slot is {{ value }}", "persona.job.title"),
        ("{{ subject.title }} {{ value }}", "subject.title"),
        ("{{ nickname }} {{ value }}", "nickname"),
    ],
)
def test_a_field_that_nothing_has_is_named_with_its_file_line_and_expression(
    project: Project, line: str, expression: str
) -> None:
    """One file of many is wrong: it alone is named, nothing is begun, and without it the others build."""
    for number in range(4):
        app.add_fact_type(project.root, f"spare_{number}", "home")
    bad = project.root / "fact_types" / "home" / "spare_2.yaml"
    project.replace(
        "phrasings:\n  user:\n    remember:\n", f"phrasings:\n  user:\n    remember:\n      - '{line}'\n", bad
    )
    (found,) = [problem for problem in project.problems() if problem.severity == "error"]
    assert Path(found.path) == bad
    assert bad.read_text("utf-8").splitlines()[found.line - 1].strip() == f"- '{line}'"
    assert repr(expression) in found.message
    with pytest.raises(AuthorError, match="1 mistake"):
        project.build()
    assert not (project.root / "out").exists()
    bad.unlink()
    assert project.build().accepted == 2


@pytest.mark.parametrize(
    ("folder", "old", "new"),
    [
        ("questions", "  current:\n", "  current:\n    - 'What about {{ noun.nickname }}?'\n"),
        ("surfaces", "phrases:\n", "phrases:\n  - {op: remember, lines: ['{{ state.loud }} then.']}\n"),
    ],
)
def test_a_field_that_nothing_has_in_a_template_of_the_projects_own_is_named_too(
    project: Project, folder: str, old: str, new: str
) -> None:
    file = project.root / "templates" / folder / "en.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    text = (shipped_templates() / folder / "en.yaml").read_text("utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), "utf-8")
    found = [problem for problem in project.problems() if Path(problem.path) == file and problem.severity == "error"]
    expression = "noun.nickname" if folder == "questions" else "state.loud"
    assert any(repr(expression) in problem.message for problem in found), [str(problem) for problem in found]
    written = file.read_text("utf-8").splitlines()
    assert all(expression in written[problem.line - 1] for problem in found if expression in problem.message)


@pytest.mark.parametrize("empty", ["''", '" "', "", "~"])
def test_a_field_that_is_empty_is_a_mistake_at_its_line(project: Project, empty: str) -> None:
    project.replace("noun: my kiln slot\n", f"noun: {empty}\n")
    found = [problem for problem in project.problems() if problem.severity == "error"]
    assert found
    assert {problem.line for problem in found} == {7}
    assert any("noun" in problem.message for problem in found), [str(problem) for problem in found]


HOSTILE = [
    "O'Brien & Co <Lot 7>",
    "{{ secret }}",
    "{# note",
    "{% raw %}",
    "50% off}",
    "${HOME}",
    "%s ovens",
    "<b>Juniper</b>",
]


def test_values_are_data_in_every_text(project: Project) -> None:
    """They stand in dialogue, question and gold as they are written: neither rendered, nor escaped."""
    project.values("values:\n" + "".join(f'  - {{value: "{value}"}}\n' for value in HOSTILE))
    assert not [problem for problem in project.problems() if problem.severity == "error"]
    assert project.build().accepted == 2
    for episode in project.episodes():
        drawn = episode.spec.member("target").values
        assert set(drawn.values()) <= set(HOSTILE)
        for event in episode.spec.events:
            if event.value is not None and event.states("value"):
                assert event.value in episode.span(event.id).quote
        for asked in episode.probes:
            for field in asked.gold.fields:
                if field.form == "value" and not field.refusal:
                    assert field.answer in HOSTILE


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("Room #4", "'#4'"),
        ("@home", "quotes"),
        ("*star", ""),
        ("%50", "quotes"),
        ("What is it: a or b?", "quotes"),
        ("{{ value }}", ""),
    ],
)
def test_everyday_text_that_is_no_yaml_is_one_line_with_its_place(project: Project, written: str, said: str) -> None:
    project.replace("attribute: kiln slot", f"attribute: {written}")
    found = [p for p in project.problems() if p.path.endswith("kiln_slot.yaml") and p.line == 6]
    assert found, [str(problem) for problem in project.problems()]
    assert any(said in f"{problem.message} {problem.hint}" for problem in found)
    assert all("\n" not in problem.message for problem in found)


def test_a_value_that_is_nothing_is_a_mistake(project: Project) -> None:
    project.values("values:\n  - value: #12\n" + listed(*REST)[8:])
    assert any(problem.severity == "error" for problem in project.problems())


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_block_text_line_ends_and_marks_change_no_value(project: Project, end: str, mark: str) -> None:
    block = (
        "values:\n  - value: |\n      Juniper\n  - value: >\n      Long\n      Lane   \n"
        + listed(*REST[1:], "Elder", "Rowan")[8:]
    )
    project.values(block)
    text = project.fact_type_file.read_text("utf-8")
    project.fact_type_file.write_bytes((mark + text.replace("\n", end)).encode())
    assert [value.value for value in project.fact_type().values][:2] == ["Juniper", "Long Lane"]


def test_an_id_that_is_used_twice_names_both_places(project: Project) -> None:
    twin = project.fact_type_file.with_name("again.yaml")
    twin.write_text(project.fact_type_file.read_text("utf-8"), "utf-8")
    found = [
        problem for problem in project.problems() if "kiln_slot" in problem.message and problem.severity == "error"
    ]
    assert any(
        "again.yaml" in f"{problem.path} {problem.message} {problem.hint}"
        and "kiln_slot.yaml" in f"{problem.path} {problem.message} {problem.hint}"
        for problem in found
    ), [str(p) for p in found]


@pytest.mark.parametrize("name", ["../../x", "a/b", "con:fig", "x" * 300, "Kiln", "trailing.", "😀"])
def test_ids_cannot_lead_out_of_the_folder(project: Project, name: str) -> None:
    project.replace("id: kiln_slot", f"id: '{name}'")
    assert any(p.line == 4 and p.severity == "error" for p in project.problems()), "an id is a plain word"
    project.suite((project.root / "specs/suites/tiny.yaml").read_text("utf-8").replace("id: tiny", f"id: '{name}'"))
    with pytest.raises(AuthorError):
        project.build()
    assert not (project.root / "out").exists()
