from __future__ import annotations

from pathlib import Path

import pytest

from suitegen.errors import SuitegenError
from suitegen.library.scaffold import add_fact_type, lay_down
from suitegen.library.yaml import read
from suitegen.model.fact_type import FactType

CHECKOUT = Path(__file__).parents[2]
SUITE = """\
id: starter
title: A start
fact_types: [gym, diet]
cells:
  - {paradigm: interference, condition: decoy_no_update, count: 2}
  - {paradigm: interference, condition: authoritative_update, count: 2}
gates: [session]
"""


@pytest.fixture
def shipped(tmp_path: Path) -> Path:
    root = tmp_path / "shipped"
    for name, text in {
        "specs/suites/starter.yaml": SUITE,
        "specs/suites/other.yaml": SUITE,
        "specs/paradigms/interference.yaml": "id: interference\n",
        "specs/paradigms/consolidation.yaml": "id: consolidation\n",
        "fact_types/personal/gym.yaml": "id: gym\n",
        "fact_types/personal/diet.yaml": "id: diet\n",
        "fact_types/work/standup_time.yaml": "id: standup_time\n",
        "validators/session.yaml": "id: session\n",
        "validators/release.yaml": "id: release\n",
        "templates/questions/en.yaml": "language: en\n",
        "schemas/suite.json": "{}\n",
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (root / "templates/project").symlink_to(CHECKOUT / "templates/project")
    return root


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def test_a_project_gets_the_starter_suite_with_what_it_names_and_nothing_else(shipped, tmp_path):
    made = lay_down(tmp_path / "mine", shipped)
    assert files(tmp_path / "mine") == [
        ".env.example",
        ".gitignore",
        "README.md",
        "fact_types/personal/diet.yaml",
        "fact_types/personal/gym.yaml",
        "schemas/suite.json",
        "specs/paradigms/interference.yaml",
        "specs/suites/starter.yaml",
        "suitegen.yaml",
        "templates/questions/en.yaml",
        "validators/session.yaml",
    ]
    assert sorted(str(path.relative_to(tmp_path / "mine")) for path in made) == files(tmp_path / "mine")
    assert (tmp_path / "mine/specs/suites/starter.yaml").read_text() == SUITE


def test_no_file_is_changed(shipped, tmp_path):
    (tmp_path / "README.md").write_text("mine")
    (tmp_path / "specs/suites").mkdir(parents=True)
    (tmp_path / "specs/suites/starter.yaml").write_text("mine as well")
    made = lay_down(tmp_path, shipped)
    assert (tmp_path / "README.md").read_text() == "mine"
    assert (tmp_path / "specs/suites/starter.yaml").read_text() == "mine as well"
    assert tmp_path / "suitegen.yaml" in made
    assert tmp_path / "README.md" not in made
    assert lay_down(tmp_path, shipped) == ()


@pytest.mark.parametrize(
    "lost", ["fact_types/personal/gym.yaml", "specs/paradigms/interference.yaml", "validators/session.yaml"]
)
def test_a_shelf_that_lacks_a_file_is_no_project(shipped, tmp_path, lost):
    (shipped / lost).unlink()
    with pytest.raises(SuitegenError, match="which is not there"):
        lay_down(tmp_path / "mine", shipped)
    assert not (tmp_path / "mine").exists()


def test_the_shipped_shelves_make_a_project(tmp_path):
    made = {str(path.relative_to(tmp_path)) for path in lay_down(tmp_path, CHECKOUT)}
    assert {"suitegen.yaml", "specs/suites/starter.yaml"} <= made
    for shelf in ("fact_types", "specs", "templates", "validators"):
        assert any(path.startswith(f"{shelf}/") for path in made)


def test_a_new_fact_type_is_complete(tmp_path):
    path = add_fact_type(tmp_path, "ward_round", "clinic", CHECKOUT)
    assert path == tmp_path / "fact_types/clinic/ward_round.yaml"
    document = read(path, "ward_round.yaml")
    assert document.problems == ()
    made = FactType.model_validate(document.tree)
    assert (made.id, made.domain, made.attribute) == ("ward_round", "clinic", "ward round")
    assert "@" not in path.read_text()


def test_a_fact_type_that_is_there_stays(tmp_path):
    path = add_fact_type(tmp_path, "gym", "personal", CHECKOUT)
    path.write_text("mine")
    with pytest.raises(SuitegenError, match="there already"):
        add_fact_type(tmp_path, "gym", "personal", CHECKOUT)
    assert path.read_text() == "mine"


@pytest.mark.parametrize(
    "name", ["", "Ward", "ward round", "../ward", "ward__round", "1ward", "ward_", "wärd", "a/b", "a" * 65]
)
def test_only_names_that_are_safe_as_files(tmp_path, name):
    with pytest.raises(SuitegenError, match="is no name"):
        add_fact_type(tmp_path, name, "clinic", CHECKOUT)
    with pytest.raises(SuitegenError, match="is no name"):
        add_fact_type(tmp_path, "ward", name, CHECKOUT)
    assert files(tmp_path) == []
