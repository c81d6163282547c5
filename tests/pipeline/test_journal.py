"""The journal keeps what is finished, whatever happens to the end of its file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from suitegen.errors import FolderBusy, SuiteError
from suitegen.model.episode import CaseRecord
from suitegen.pipeline.journal import Journal, Lock, text_of


def add(journal: Journal, made: CaseRecord, fingerprint: str) -> None:
    journal.add(made.case, text_of(made), fingerprint)


def record(name: str, error: str = "") -> CaseRecord:
    return CaseRecord(case=name, status="error", draw=0, error=error)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "journal.tsv"
    with Journal(path) as journal:
        for name in ("a", "b", "c"):
            add(journal, record(name, f"tab\there, line\nbreak, 日本\u2028 of {name}"), f"print-{name}")
    return path


def test_records_come_back_as_they_were(path: Path) -> None:
    journal = Journal(path)
    assert journal.keys() == ("a", "b", "c")
    assert journal.fingerprint("b") == "print-b"
    assert journal.read("b") == record("b", "tab\there, line\nbreak, 日本\u2028 of b")


@pytest.mark.parametrize("cut", [1, 2, 3, 30, 31, 32, 33, 34, 60])
def test_a_cut_last_record_is_done_again_and_no_other(path: Path, cut: int) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    kept = ("a", "b", "c") if cut == 1 else ("a", "b")
    assert Journal(path).keys() == kept
    for _ in range(2):
        with Journal(path) as journal:
            add(journal, record("c", "again"), "print-c2")
    journal = Journal(path)
    assert journal.keys() == ("a", "b", "c")
    assert journal.read("c").error == "again"
    assert path.read_bytes().endswith(b"\n")


def test_every_cut_leaves_the_records_before_it(path: Path) -> None:
    whole = path.read_bytes()
    ends = [i + 1 for i, byte in enumerate(whole) if byte == 10]
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        done = sum(length >= end - 1 for end in ends)
        assert len(Journal(path).keys()) == done


def test_damage_before_the_end_is_an_error_with_its_line(path: Path) -> None:
    lines = path.read_bytes().split(b"\n")
    lines[1] = lines[1][:20] + b"?" + lines[1][21:]
    path.write_bytes(b"\n".join(lines))
    with pytest.raises(SuiteError) as caught:
        Journal(path)
    assert caught.value.where.endswith(":2")


def test_a_later_record_of_a_case_is_the_one_that_counts(path: Path) -> None:
    with Journal(path) as journal:
        add(journal, record("a", "newer"), "print-a2")
    journal = Journal(path)
    assert (journal.fingerprint("a"), journal.read("a").error) == ("print-a2", "newer")


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / ".suitegen").write_text("a file where the folder should be")
    with pytest.raises(SuiteError) as caught, Lock(tmp_path):
        pass
    assert ".suitegen" in str(caught.value)


def test_a_second_build_is_refused_and_names_the_first(tmp_path: Path) -> None:
    with Lock(tmp_path), pytest.raises(FolderBusy, match=str(os.getpid())), Lock(tmp_path):
        pass
    with Lock(tmp_path):
        pass
