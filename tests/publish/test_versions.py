"""Names on the hub, tags, and what a new version has to be called."""

from __future__ import annotations

import pytest

from suitegen.errors import SuitegenError
from suitegen.publish.package import write
from suitegen.publish.target import Target
from suitegen.publish.versions import change, check_step, check_tag, last_before


@pytest.mark.parametrize(
    "name",
    ["acme", "acme/my suite", "acme/a--b", "acme/x.git", "a/b/c", "acme/-x", "acme/..", "/x", "acme/", "", "My Suite",
     "acme/" + "x" * 97, "datasets/acme/x", "https://huggingface.co/acme/x", "acme/ü"],
)  # fmt: skip
def test_a_name_that_the_hub_does_not_take_is_refused_with_the_rule(name):
    with pytest.raises(SuitegenError) as refused:
        Target(name)
    assert refused.value.exit_code == 2
    assert "ORG/NAME" in refused.value.hint


@pytest.mark.parametrize("branch", ["", "a" * 40, "refs/pr/1", "-x", "a b"])
def test_files_go_to_a_branch(branch):
    with pytest.raises(SuitegenError, match="branch"):
        Target("acme/x", branch)


@pytest.mark.parametrize("more", [{"tag": "v1.0.0"}, {"public": True}, {"gated": "auto"}])
def test_a_proposal_changes_nothing_else(more):
    with pytest.raises(SuitegenError, match="proposes"):
        Target("acme/x", pr=True, **more)


def test_a_tag_is_the_version_of_the_files():
    check_tag(None, "anything")
    check_tag("v1.2.0", "1.2.0")
    check_tag("1.2.0-rc.1", "1.2.0-rc.1")
    for tag in ("first", "v1.2", "v1.2.0.0", "1.2.x", "", "v1.2.1", "v1.2.0-rc.1"):
        with pytest.raises(SuitegenError):
            check_tag(tag, "1.2.0")


def test_the_last_version_is_the_greatest_below():
    tags = ["v1.9.0", "v1.10.0", "v2.0.0", "nightly", "0.9.0"]
    assert last_before("v2.0.0", tags) == "v1.10.0"
    assert last_before("v1.9.5", tags) == "v1.9.0"
    assert last_before("v0.1.0", tags) is None
    assert last_before("v1.0.0", []) is None


@pytest.mark.parametrize(
    ("before", "tag", "changed", "fits"),
    [
        ("v1.2.3", "v2.0.0", "major", True),
        ("v1.2.3", "v1.3.0", "major", False),
        ("v1.2.3", "v1.3.0", "minor", True),
        ("v1.2.3", "v1.2.4", "minor", False),
        ("v1.2.3", "v1.2.4", "patch", True),
        ("v0.1.0", "v0.2.0", "major", True),
        ("v0.1.0", "v0.1.1", "major", False),
    ],
)
def test_the_step_is_as_large_as_the_change(before, tag, changed, fits):
    if fits:
        check_step(before, tag, changed)
        return
    with pytest.raises(SuitegenError, match="too small a step"):
        check_step(before, tag, changed)


def test_changed_rows_are_major_new_ones_minor_and_the_canary_counts_for_nothing(make_suite, wording, tmp_path):
    made = {
        "three": make_suite(3),
        "again": make_suite(3, version="9.9.9"),
        "four": make_suite(4),
        "two": make_suite(2),
        "asked": make_suite(3, wording(question="When do we meet?")),
        "told": make_suite(3, wording(filler="Another walk altogether.")),
    }
    for name, suite in made.items():
        write(tmp_path / name, suite)
    found = {name: change(tmp_path / "three", tmp_path / name) for name in made}
    assert found == {
        "three": "patch", "again": "patch", "four": "minor", "two": "major", "asked": "major", "told": "major",
    }  # fmt: skip
    probes = "probes/test-00000-of-00001.parquet"
    assert (tmp_path / "three" / probes).read_bytes() != (tmp_path / "again" / probes).read_bytes()


def test_tables_that_can_no_longer_be_read_count_as_changed(make_suite, tmp_path):
    write(tmp_path / "new", make_suite(2))
    (tmp_path / "old").mkdir()
    assert change(tmp_path / "old", tmp_path / "new") == "major"
