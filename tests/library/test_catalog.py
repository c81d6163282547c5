from __future__ import annotations

import pytest

from suitegen.library import shelves as shelf_module
from suitegen.library.catalog import load
from suitegen.library.kinds import FACT_TYPE, GATE, KINDS, SUITE
from suitegen.library.shelves import Shelves, shelves, shipped

FACT, PARADIGM, SUITE_FILE = (
    "fact_types/work/standup_time.yaml",
    "specs/paradigms/interference.yaml",
    "specs/suites/small.yaml",
)


def codes(loaded):
    return [problem.code for problem in loaded.problems]


# -- the catalogue ----------------------------------------------------------------------------------------------


def test_everything_is_read_by_its_id(project):
    loaded = project.load()
    assert loaded.problems == ()
    catalog = loaded.catalog
    assert [list(getattr(catalog, name)) for name in catalog.__slots__] == [
        ["standup_time"], ["interference"], ["small"], ["session"], ["tea"], ["en"], ["en"],
    ]  # fmt: skip
    assert catalog.fact_types["standup_time"].values[0].value == "9:30"
    assert loaded.source(FACT_TYPE, "standup_time").problem("X", "", ("values", 1, "value")).line == 11


def test_a_file_with_mistakes_stops_no_other_file(project):
    project.write("fact_types/work/bad.yaml", "id: bad\nkind: tiem\n\tx")
    project.write("validators/worse.yaml", b"\xff")
    project.write("specs/suites/empty.yaml", "")
    loaded = project.load()
    assert {"F001", "F004", "F009"} <= set(codes(loaded))
    assert list(loaded.catalog.fact_types) == ["standup_time"]
    assert loaded.knows(FACT_TYPE, "bad")
    assert loaded.knows(GATE, "worse")
    assert not loaded.knows(FACT_TYPE, "worse")


def test_a_broken_file_is_not_reported_as_missing(project):
    project.write("fact_types/work/gym.yaml", "id: gym\n")
    project.put("suite", "fact_types: [standup_time, gym]")
    assert {problem.code for problem in project.lint()} == {"M002"}


def test_options_of_checks_are_typed_when_they_are_plain(project):
    short = "{most: 0.35, n: 5, strict: true, words: '5', name: no, e: 1e-3, none: ~}"
    full = "{validator: roles, options: {most: .5, least: -2}, severity: warning}"
    project.put("gate", f"checks:\n  - roles\n  - roles: {short}\n  - {full}\n")
    first, second, third = project.load().catalog.gates["session"].checks
    assert first.options == {}
    assert second.options == {
        "most": 0.35,
        "n": 5,
        "strict": True,
        "words": "5",
        "name": "no",
        "e": 0.001,
        "none": None,
    }
    assert [type(value) for value in second.options.values()] == [float, int, bool, str, str, float, type(None)]
    assert third.options == {"most": 0.5, "least": -2}


# -- ids --------------------------------------------------------------------------------------------------------


def test_two_files_of_one_shelf_cannot_share_an_id(project):
    project.put("suite", "title: Another", beside="specs/suites/zzz.yaml")
    (problem,) = project.load().problems
    assert problem.code == "L003"
    assert "small.yaml:1:5" in problem.message
    assert problem.where.endswith("zzz.yaml:1:5")


def test_a_nearer_shelf_shadows_by_id(project, tmp_path):
    near = tmp_path / "near"
    for path, text in {
        "fact_types/home/standup_time.yaml": (project.root / FACT).read_text().replace("domain: work", "domain: home"),
        "specs/suites/mine.yaml": (project.root / SUITE_FILE).read_text().replace("small", "mine"),
    }.items():
        (near / path).parent.mkdir(parents=True, exist_ok=True)
        (near / path).write_text(text)
    project.put("fact-type", "kind: nonsense")
    loaded = load(Shelves((near, project.root)))
    assert loaded.problems == ()
    assert loaded.catalog.fact_types["standup_time"].domain == "home"
    assert set(loaded.catalog.suites) == {"mine", "small"}


def test_a_script_file_is_shadowed_script_by_script(project, tmp_path):
    near = tmp_path / "near/templates/background"
    near.mkdir(parents=True)
    text = (project.root / "templates/background/tea.yaml").read_text()
    (near / "mine.yaml").write_text(text.replace("How", "So how").replace("CC0", "X"))
    project.write(
        "templates/background/tea.yaml", text + text.replace("scripts:\n", "").replace("id: tea", "id: coffee")
    )
    loaded = load(Shelves((tmp_path / "near", project.root)))
    assert loaded.problems == ()
    assert set(loaded.catalog.scripts) == {"tea", "coffee"}


def test_names_inside_and_outside_of_a_file_agree(project):
    project.put("fact-type", "id: daily", beside="fact_types/home/standup.yaml")
    project.put("surfaces", "language: de", beside="templates/surfaces/fr.yaml")
    assert sorted(codes(project.load())) == ["L001", "L001", "L002"]


# -- shelves ----------------------------------------------------------------------------------------------------


def test_a_suite_may_stand_elsewhere(project, tmp_path):
    path = project.put("suite", "id: other", beside="elsewhere.yaml") or project.root / "elsewhere.yaml"
    loaded = load(Shelves((project.root,), (path,)))
    assert set(loaded.catalog.suites) == {"small", "other"}
    again = load(Shelves((project.root,), (project.root / SUITE_FILE,)))
    assert again.problems == ()
    assert set(again.catalog.suites) == {"small"}


@pytest.mark.parametrize(
    ("path", "hint"),
    [
        ("fact_types/loose.yaml", "put it in fact_types/DOMAIN/"),
        ("fact_types/a/b/deep.yaml", "put it in fact_types/DOMAIN/"),
        ("fact_types/work/x.yml", "name it .yaml"),
        ("fact_types/work/X.YAML", "name it .yaml"),
        ("specs/loose.yaml", "put it in specs/suites or specs/paradigms"),
        ("specs/suites/old/x.yaml", "put it directly in specs/suites/"),
        ("validators/sub/x.yaml", "put it directly in validators/"),
    ],
)
def test_a_file_that_is_not_read_is_pointed_out(project, path, hint):
    project.write(path, "not: read")
    (problem,) = project.lint()
    assert (problem.code, problem.severity, problem.hint) == ("F010", "warning", hint)
    assert problem.path.endswith(path)


@pytest.mark.parametrize(
    "path",
    [
        "fact_types/.hidden.yaml",
        "fact_types/.git/a/x.yaml",
        "specs/scenarios/a.yaml",
        "templates/prompts/a.md.j2",
        "notes.yaml",
    ],
)
def test_other_files_are_left_alone(project, path):
    project.write(path, "a: [")
    assert project.lint() == ()


def test_the_shipped_shelf_is_inside_the_package_or_beside_it(tmp_path, monkeypatch):
    monkeypatch.setattr(shelf_module, "_PACKAGE", tmp_path / "suitegen")
    assert shipped() == tmp_path
    (tmp_path / "suitegen/_library").mkdir(parents=True)
    assert shipped() == tmp_path / "suitegen/_library"


def test_a_project_comes_before_the_shipped_shelf(tmp_path):
    assert shelves().roots == (shipped(),)
    assert shelves(tmp_path).roots == (tmp_path, shipped())
    assert shelves(shipped()).roots == (shipped(),)
    assert shelves(tmp_path).templates == (tmp_path / "templates", shipped() / "templates")


def test_the_order_of_files_is_that_of_their_names(project):
    for name in ("b", "a", "c"):
        project.put("suite", f"id: {name}", beside=f"specs/suites/{name}.yaml")
    found = [item.path.stem for item in Shelves((project.root,)).files() if item.kind is SUITE]
    assert found == ["a", "b", "c", "small"]
    kinds = [item.kind.name for item in Shelves((project.root,)).files()]
    assert kinds == sorted(kinds, key=list(KINDS).index)


def test_a_shelf_that_is_not_there_is_empty(tmp_path):
    loaded = load(Shelves((tmp_path / "nowhere",)))
    assert loaded.problems == ()
    assert loaded.catalog.fact_types == {}
