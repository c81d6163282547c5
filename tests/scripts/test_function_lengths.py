from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture(scope="module")
def lengths() -> Iterator[ModuleType]:
    path = Path(__file__).parents[2] / "scripts" / "function_lengths.py"
    spec = importlib.util.spec_from_file_location("function_lengths", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # where dataclasses look for a class's module
    spec.loader.exec_module(module)
    yield module
    del sys.modules[spec.name]


def test_docstrings_do_not_count_and_nested_functions_do(lengths):
    source = 'def outer():\n    """One.\n\n    Two.\n    """\n    def inner():\n        return 1\n    return inner\n'
    found = {function.name: function.lines for function in lengths.functions(source, "x.py")}
    assert found == {"outer": 4, "inner": 2}


def test_p95_is_the_nearest_rank(lengths):
    found = [lengths.Function(lines, "x.py:1", "f") for lines in range(1, 101)]
    assert lengths.p95(found) == 95


def function(lines: int) -> str:
    return "def f():\n" + "    x = 1\n" * (lines - 1)


@pytest.mark.parametrize(
    ("sizes", "code"), [([3, 80] + [5] * 38, 0), ([81] + [5] * 39, 1), ([40] * 20, 1), ([39] * 20, 0)]
)
def test_long_functions_fail(lengths, tmp_path, capsys, sizes, code):
    for number, size in enumerate(sizes):
        (tmp_path / f"m{number}.py").write_text(function(size))
    assert lengths.main(str(tmp_path)) == code
    assert f"longest {max(sizes)} (80)" in capsys.readouterr().out


def test_an_empty_folder_is_no_success(lengths, tmp_path, capsys):
    assert lengths.main(str(tmp_path)) == 1
    assert capsys.readouterr().out.startswith("no function")
