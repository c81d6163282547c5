from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from suitegen.errors import SuiteError, TemplateError
from suitegen.library.templates import TemplateFolder
from suitegen.publish.package import (
    CHANGED,
    GONE,
    INCONSISTENT,
    UNLISTED,
    read,
    read_manifest,
    verify_checksums,
    verify_rows,
    write,
)
from suitegen.publish.tables import CONFIGS

LOADED = (*CONFIGS, "full_context", "multiple_choice")
PUBLISHED = {
    "CHANGELOG.md",
    "LICENSE",
    "README.md",
    "checksums.sha256",
    "manifest.json",
    "spec.json",
    "report.html",
    "croissant.json",
    "eval.yaml",
    *(f"{config}/test-00000-of-00001.parquet" for config in LOADED),
}


def test_a_suite_is_written_and_read_back(make_suite, files, tmp_path):
    suite = make_suite(3)
    write(tmp_path, suite)
    assert set(files(tmp_path)) == PUBLISHED
    assert not (tmp_path / ".suitegen" / "package").exists()
    assert read(tmp_path) == suite
    assert read_manifest(tmp_path) == suite.manifest
    assert verify_checksums(tmp_path) == ()
    assert verify_rows(tmp_path) == ()


def test_hostile_text_comes_back(make_suite, wording, tmp_path):
    text = "</script><!-- author:end --> | `x`\r\n\u2028\x00{{ 7 * 7 }} \U0001f389 <!-- author:begin -->"
    suite = make_suite(2, wording(filler=text, title=f"Title {text}", question=text))
    write(tmp_path, suite)
    write(tmp_path, read(tmp_path))
    assert read(tmp_path) == suite
    assert (tmp_path / "README.md").read_text("utf-8").count("<!-- author:begin -->") == 1


def test_the_same_suite_gives_the_same_bytes(make_suite, files, tmp_path):
    write(tmp_path / "a", make_suite(3))
    write(tmp_path / "b" / "deep", make_suite(3))
    first = files(tmp_path / "a")
    assert first == files(tmp_path / "b" / "deep")
    write(tmp_path / "a", make_suite(3))
    assert first == files(tmp_path / "a")


def test_the_hash_seed_of_python_changes_nothing(files, tmp_path):
    code = (
        "import importlib.util, pathlib, sys\n"
        "spec = importlib.util.spec_from_file_location('fixtures', sys.argv[1])\n"
        "fixtures = sys.modules['fixtures'] = importlib.util.module_from_spec(spec)\n"
        "spec.loader.exec_module(fixtures)\n"
        "from suitegen.publish.package import write\n"
        "write(pathlib.Path(sys.argv[2]), fixtures.suite(2))\n"
    )
    for seed in ("1", "2"):
        command = [sys.executable, "-c", code, str(Path(__file__).with_name("conftest.py")), str(tmp_path / seed)]
        root = str(Path(__file__).parents[2])
        subprocess.run(command, check=True, cwd=root, env={"PYTHONHASHSEED": seed, "PYTHONPATH": root})
    assert files(tmp_path / "1") == files(tmp_path / "2")


def test_no_file_knows_the_folder_or_the_day(make_suite, files, tmp_path):
    write(tmp_path, make_suite(2))
    for name, content in files(tmp_path).items():
        assert str(tmp_path).encode() not in content, name
        if not name.endswith(".parquet"):
            days = set(re.findall(rb"20\d\d-\d\d-\d\d", content))
            assert days <= {b"2026-01-%d" % day for day in range(12, 17)}, name


def test_json_files_are_sorted_and_end_with_a_line_break(make_suite, wording, tmp_path):
    write(tmp_path, make_suite(2, wording(title="Größe")))
    text = (tmp_path / "manifest.json").read_text("utf-8")
    assert text == json.dumps(json.loads(text), sort_keys=True, ensure_ascii=False, indent=2) + "\n"
    assert "Größe" in text


def test_the_authors_text_survives_a_rebuild(make_suite, tmp_path):
    write(tmp_path, make_suite(2))
    readme, changelog = tmp_path / "README.md", tmp_path / "CHANGELOG.md"
    mine = "\n\n## About us\r\n\n<b>Wir</b> | {{ mine }} <!-- author:end? -->\n\n"
    readme.write_bytes(readme.read_bytes().replace(b"begin -->\n<!--", f"begin -->{mine}<!--".encode()))
    changelog.write_bytes(changelog.read_bytes() + b"\n## Errata\r\n\n- none {{ yet }}\n")
    write(tmp_path, make_suite(3, version="2.0.0"))
    assert f"<!-- author:begin -->{mine}<!-- author:end -->".encode() in readme.read_bytes()
    assert b"version 2.0.0" in readme.read_bytes()
    text = changelog.read_bytes().decode()
    assert text.startswith("# Changelog of Standup times\n\nThe files are version 2.0.0,")
    assert text.endswith("<!-- generated:end -->\n\n## 0.1.0\n\n- First build.\n\n## Errata\r\n\n- none {{ yet }}\n")


def test_a_changelog_without_its_mark_is_kept_whole(make_suite, tmp_path):
    (tmp_path / "CHANGELOG.md").write_text("# Ours\n\n- one\n")
    write(tmp_path, make_suite(2))
    assert (tmp_path / "CHANGELOG.md").read_text().endswith("<!-- generated:end -->\n\n# Ours\n\n- one\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [(b"# My own\n", "marks of the author's text are gone"), (b"\xff", "not UTF-8 text")],
)
def test_a_card_that_would_lose_text_is_not_touched(make_suite, files, tmp_path, text, message):
    (tmp_path / "README.md").write_bytes(text)
    with pytest.raises(SuiteError, match=message):
        write(tmp_path, make_suite(2))
    assert files(tmp_path) == {"README.md": text}


def test_a_failed_write_changes_nothing(make_suite, files, tmp_path):
    out, bad = tmp_path / "out", tmp_path / "templates"
    bad.mkdir()
    (bad / "card.md.j2").write_text("{{ nothing }}")
    write(out, make_suite(2))
    before = files(out)
    with pytest.raises(TemplateError, match="nothing"):
        write(out, make_suite(3), templates=TemplateFolder([bad]))
    assert files(out) == before


def test_a_write_that_stops_on_a_row_changes_nothing(make_suite, wording, files, tmp_path):
    write(tmp_path, make_suite(2))
    before = files(tmp_path)
    with pytest.raises(SuiteError, match="cannot be shown"):
        write(tmp_path, make_suite(3, wording(filler="x" * 2_000_000)))
    assert files(tmp_path) == before
    assert not (tmp_path / ".suitegen" / "package").exists()


def test_what_a_killed_write_left_does_not_get_in(make_suite, files, tmp_path):
    left = tmp_path / ".suitegen" / "package" / "probes"
    left.mkdir(parents=True)
    (left / "test-00007-of-00009.parquet").write_bytes(b"half")
    write(tmp_path, make_suite(2))
    assert set(files(tmp_path)) == PUBLISHED


def test_shards_of_an_earlier_build_go(make_suite, files, tmp_path):
    write(tmp_path, make_suite(3), rows_per_shard=1)
    write(tmp_path, make_suite(2))
    assert set(files(tmp_path)) == PUBLISHED
    assert verify_checksums(tmp_path) == ()


def test_other_files_of_the_folder_stay(make_suite, tmp_path):
    (tmp_path / "run.json").write_text("{}")
    write(tmp_path, make_suite(2))
    assert (tmp_path / "run.json").read_text() == "{}"
    assert "run.json" not in (tmp_path / "checksums.sha256").read_text()


def test_checksums_tell_what_was_touched(make_suite, tmp_path):
    write(tmp_path, make_suite(2))
    listed = (tmp_path / "checksums.sha256").read_text().splitlines()
    assert [line[66:] for line in listed] == sorted(PUBLISHED - {"checksums.sha256"})
    (tmp_path / "README.md").write_text("other")
    (tmp_path / "LICENSE").unlink()
    (tmp_path / "probes" / "test-extra.parquet").write_bytes(b"")
    found = {finding.code: finding.message for finding in verify_checksums(tmp_path)}
    assert set(found) == {CHANGED, GONE, UNLISTED}
    assert "README.md" in found[CHANGED]
    assert "LICENSE" in found[GONE]
    assert "probes/test-extra.parquet" in found[UNLISTED]


@pytest.mark.parametrize("line", ["nonsense", "00  /etc/passwd", "00  ../outside", "00  "])
def test_checksums_stay_inside_the_folder(tmp_path, line):
    (tmp_path / "checksums.sha256").write_text(f"{line}\n")
    with pytest.raises(SuiteError, match="not a checksum line"):
        verify_checksums(tmp_path)


def test_without_checksums_there_is_nothing_to_verify(tmp_path):
    with pytest.raises(SuiteError, match="checksums cannot be read"):
        verify_checksums(tmp_path)


def test_computed_columns_are_compared_with_the_rest(make_suite, tmp_path):
    write(tmp_path, make_suite(2))
    path = tmp_path / "probes" / "test-00000-of-00001.parquet"
    table = pq.read_table(path)
    answers = ["11:00", *table["answer"].to_pylist()[1:]]
    pq.write_table(table.set_column(table.schema.get_field_index("answer"), "answer", [answers]), path)
    (finding,) = verify_rows(tmp_path)
    assert (finding.code, finding.episode) == (INCONSISTENT, "ep-0000")
    assert finding.message.startswith("probes ep-0000-p1: answer ")


def test_a_folder_that_is_no_suite_is_named(tmp_path):
    with pytest.raises(SuiteError, match=r"manifest.json: there is no manifest"):
        read(tmp_path)
    (tmp_path / "manifest.json").write_text('{"suite": ')
    with pytest.raises(SuiteError, match=r"manifest.json: the manifest cannot be read"):
        read(tmp_path)


def test_a_manifest_of_other_episodes_is_refused(make_suite, tmp_path):
    write(tmp_path / "two", make_suite(2))
    write(tmp_path / "three", make_suite(3))
    (tmp_path / "two" / "manifest.json").write_bytes((tmp_path / "three" / "manifest.json").read_bytes())
    with pytest.raises(SuiteError, match=r"manifest.json: the counts are not those"):
        read(tmp_path / "two")
    mixed = replace(make_suite(2), manifest=make_suite(3).manifest)
    with pytest.raises(SuiteError, match="counts"):
        write(tmp_path / "mixed", mixed)


def test_ids_are_used_once(make_suite, make_episode, tmp_path):
    suite = make_suite(2)
    first, second = suite.episodes
    with pytest.raises(SuiteError, match="ep-0000: the episode id is used twice"):
        write(tmp_path, replace(suite, episodes=(first, first)))
    asked = second.probes[0]
    doubled = asked.question.model_copy(update={"probe_id": first.probes[0].question.probe_id})
    probes = (asked.model_copy(update={"question": doubled}), *second.probes[1:])
    with pytest.raises(SuiteError, match="ep-0000-p1: the probe id is used twice"):
        write(tmp_path, replace(suite, episodes=(first, second.model_copy(update={"probes": probes}))))
