from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from suitegen.errors import AuthorError
from suitegen.filler.files import Files
from suitegen.filler.library import Library
from suitegen.filler.source import mean_tokens, open_sources
from suitegen.model.background import Script
from suitegen.model.history import Turn, Written
from suitegen.model.suite import FillerSource


def script(name: str, language: str) -> Script:
    turns = [{"user": ["a"]}, {"assistant": ["b"]}, {"user": ["c"]}, {"assistant": ["d"]}]
    return Script.model_validate({"id": name, "language": language, "turns": turns})


def test_the_suites_sources_are_opened_in_order(tmp_path: Path) -> None:
    record = {"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]}
    (tmp_path / "own.jsonl").write_text(json.dumps(record) + "\noops\n")
    fillers = [FillerSource(source="files", path="own.jsonl", license="MIT"), FillerSource()]
    scripts = [script("one", "en"), script("two", "de"), script("three", "en-GB")]
    (files, library), skipped = open_sources(fillers, scripts, "en-US", tmp_path, "CC-BY-4.0")
    assert isinstance(files, Files)
    assert files.dialogues[0].license == "MIT"
    assert isinstance(library, Library)
    assert [each.id for each in library.scripts] == ["one", "three"]
    assert [skip.where for skip in skipped] == ["own.jsonl:2"]


def test_a_missing_file_is_the_authors_mistake(tmp_path: Path) -> None:
    with pytest.raises(AuthorError):
        open_sources([FillerSource(source="files", path="no.jsonl", license="MIT")], [], "en", tmp_path, "MIT")


def test_mean_tokens_are_characters_by_four() -> None:
    turns = (Turn(role="user", content="a" * 100), Turn(role="assistant", content="b" * 60))
    assert mean_tokens([Files([Written(turns=turns)])], 3) == 40
    assert mean_tokens([], 3) == 0
    assert mean_tokens([Files([])], 3) == 0


def test_mean_tokens_of_the_library_hardly_depend_on_the_seed(shipped: Sequence[Script]) -> None:
    library = Library(shipped)
    means = [mean_tokens([library], seed) for seed in range(5)]
    assert means[0] == mean_tokens([library], 0)
    assert 100 < min(means) < max(means) < 200


def test_dialogues_under_terms_that_the_suite_does_not_keep_are_refused_with_their_places(tmp_path: Path) -> None:
    said = [[{"role": "user", "content": f"a{n}"}, {"role": "assistant", "content": "b"}] for n in range(4)]
    terms = ["MIT", "CC-BY-NC-4.0", "CC-BY-NC-4.0", "CC-BY-SA-4.0"]
    records = [json.dumps({"messages": each, "license": own}) for each, own in zip(said, terms, strict=True)]
    (tmp_path / "own.jsonl").write_text("\n".join(records))
    fillers = [FillerSource(source="files", path="own.jsonl", license="MIT")]
    with pytest.raises(AuthorError) as caught:
        open_sources(fillers, [], "en", tmp_path, "CC-BY-4.0")
    noncommercial, alike = caught.value.problems
    assert noncommercial.startswith(
        "files:own.jsonl:2: text under CC-BY-NC-4.0 may not go into a suite under CC-BY-4.0"
    )
    assert noncommercial.endswith("; so are 1 more")
    assert alike.startswith("files:own.jsonl:4: text under CC-BY-SA-4.0")
    assert len(open_sources(fillers, [], "en", tmp_path, "CC-BY-NC-SA-4.0")[0][0].counts) == 4
