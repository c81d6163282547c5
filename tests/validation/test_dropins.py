"""Validators from a project's files and from installed packages."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from suitegen.errors import SuitegenError
from suitegen.model.gate import GateSpec
from suitegen.validation import dropins
from suitegen.validation.builtin import catalogue
from suitegen.validation.dropins import DropinError, load, with_dropins
from suitegen.validation.protocol import AnyValidator, Example, Outcome, Validator

GOOD = '''\
"""Tea must be had."""

from suitegen.validation.protocol import Example, Outcome, Validator


def check(text, options):
    """Pass."""
    return Outcome()


VALIDATOR = Validator("tea_time", "X901", "episode", "No tea.", "To try.", Example("tea", "water"), check)
'''


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "validators"
    folder.mkdir()
    before = set(sys.modules)
    yield folder
    for name in set(sys.modules) - before:
        if name.startswith("_suitegen_dropin_"):
            del sys.modules[name]


def gates(*names: str) -> list[GateSpec]:
    return [GateSpec.model_validate({"id": "trial", "about": "To try.", "level": "episode", "checks": names})]


def known(*pairs: tuple[str, str]) -> Mapping[str, AnyValidator]:
    return catalogue(
        Validator(name, code, "episode", "x", "x", Example("x", "x"), lambda text, options: Outcome())
        for name, code in pairs
    )


def test_a_file_that_a_gate_names_is_loaded(folder: Path) -> None:
    (folder / "tea_time.py").write_text(GOOD)
    found = with_dropins(known(("dates", "E201")), folder, gates("dates", "tea_time"))
    assert list(found) == ["dates", "tea_time"]
    assert found["tea_time"].code == "X901"


def test_a_file_that_no_gate_names_is_not_even_read(folder: Path) -> None:
    (folder / "tea_time.py").write_text("raise RuntimeError('read after all')")
    assert list(with_dropins(known(("dates", "E201")), folder, gates("dates"))) == ["dates"]


def test_a_name_without_a_file_is_left_to_the_lint(folder: Path) -> None:
    assert list(with_dropins(known(), folder, gates("tea_time", "../tea", "a-b"))) == []


def test_a_project_needs_no_folder(tmp_path: Path) -> None:
    assert list(with_dropins(known(("dates", "E201")), tmp_path / "nowhere", gates("dates"))) == ["dates"]


def test_the_module_cannot_be_imported_by_its_own_name(folder: Path) -> None:
    (folder / "tea_time.py").write_text(GOOD)
    load(folder / "tea_time.py")
    assert "tea_time" not in sys.modules


BROKEN = {
    "it raises": (GOOD + "\n\nraise RuntimeError('no cups')\n", "no cups", ":14"),
    "it is no Python": ("def check(:\n", "invalid syntax", ":1"),
    "it leaves": ("import sys\nsys.exit('bye')\n", "bye", ":2"),
    "an import is missing": ("import no_such_module_at_all\n", "no_such_module_at_all", ":1"),
    "it defines nothing": ('"""Nothing."""\n', "VALIDATOR is nothing, not a Validator", ""),
    "it defines a function": ("def VALIDATOR(text, options):\n    return None\n", "a function, not a Validator", ""),
    "its name differs": (GOOD.replace('"tea_time"', '"coffee"'), "named 'coffee'", ""),
}


@pytest.mark.parametrize("what", BROKEN)
def test_a_broken_file_is_named(folder: Path, what: str) -> None:
    body, words, line = BROKEN[what]
    path = folder / "tea_time.py"
    path.write_text(body)
    with pytest.raises(DropinError) as caught:
        with_dropins(known(), folder, gates("tea_time"))
    assert words in caught.value.message
    assert caught.value.where == f"{path}{line}"
    assert caught.value.hint


def test_a_broken_file_leaves_no_module_behind(folder: Path) -> None:
    (folder / "tea_time.py").write_text("raise RuntimeError")
    before = {name for name in sys.modules if name.startswith("_suitegen_dropin_")} - {"_suitegen_dropin_tea_time"}
    with pytest.raises(DropinError):
        load(folder / "tea_time.py")
    assert {name for name in sys.modules if name.startswith("_suitegen_dropin_")} == before


@pytest.mark.parametrize("taken", [("tea_time", "E201"), ("dates", "X901")])
def test_names_and_codes_are_not_taken_twice(folder: Path, taken: tuple[str, str]) -> None:
    (folder / "tea_time.py").write_text(GOOD)
    with pytest.raises(SuitegenError, match=f"{taken[0]}"):
        with_dropins(known(taken), folder, gates("tea_time"))


# -- installed packages -----------------------------------------------------------------------------------------


def tea() -> Mapping[str, AnyValidator]:
    return known(("tea", "X902"))


def no_mapping() -> object:
    return [tea()]


def misnamed() -> Mapping[str, AnyValidator]:
    return {"coffee": tea()["tea"]}


def raises() -> Mapping[str, AnyValidator]:
    raise RuntimeError("no water")


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Put entry points in the place of those that are installed here."""

    def put(*functions: str) -> None:
        points = [EntryPoint(f"p{n}", f"{__name__}:{function}", dropins.GROUP) for n, function in enumerate(functions)]
        monkeypatch.setitem(sys.modules, __name__, sys.modules[__name__])
        monkeypatch.setattr(dropins, "entry_points", lambda group: [p for p in points if p.group == group])

    return put


def test_installed_validators_are_known(installed: Callable[..., None], folder: Path) -> None:
    installed("tea")
    assert list(with_dropins(known(("dates", "E201")), folder, gates("dates"))) == ["dates", "tea"]


@pytest.mark.parametrize(
    ("function", "words"),
    [
        ("no_mapping", "a list, not a mapping"),
        ("misnamed", "'coffee' is no validator"),
        ("raises", "no water"),
        ("nothing", "nothing"),
    ],
)
def test_a_broken_package_is_named(installed: Callable[..., None], folder: Path, function: str, words: str) -> None:
    installed(function)
    with pytest.raises(DropinError, match=words) as caught:
        with_dropins(known(), folder, gates("dates"))
    assert "entry point p0" in caught.value.where


def test_two_packages_may_not_share_a_name(installed: Callable[..., None], folder: Path) -> None:
    installed("tea", "tea")
    with pytest.raises(SuitegenError, match="two validators 'tea'"):
        with_dropins(known(), folder, gates("dates"))
