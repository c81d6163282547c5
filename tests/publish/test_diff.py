"""What changed from one suite to another."""

from __future__ import annotations

from dataclasses import replace

import pytest

from suitegen.cli.commands.diff import _markdown, _text
from suitegen.errors import SuitegenError
from suitegen.publish.diff import diff
from suitegen.publish.fetched import fetched
from suitegen.publish.manifest import assemble
from suitegen.publish.package import write


def regold(suite, answer, number=0):
    """The suite with another right answer to the first question of an episode."""
    episodes = list(suite.episodes)
    asked, *others = episodes[number].probes
    field = asked.gold.fields[0].model_copy(update={"answer": answer, "accepts": (answer,)})
    changed = asked.model_copy(update={"gold": asked.gold.model_copy(update={"fields": (field,)})})
    episodes[number] = episodes[number].model_copy(update={"probes": (changed, *others)})
    return replace(suite, episodes=tuple(episodes))


@pytest.fixture
def compared(tmp_path):
    def found(before, after):
        for name, suite in (("before", before), ("after", after)):
            write(tmp_path / name, suite)
        return diff(tmp_path / "before", tmp_path / "after")

    return found


def test_the_same_suite(make_suite, compared):
    found = compared(make_suite(3), make_suite(3))
    assert found.same
    assert (found.change, found.warnings) == ("patch", ())
    assert next(_text(found)) == "standups 0.1.0 to standups 0.1.0: nothing changed"


def test_changed_gold_comes_first_and_the_version_has_to_tell(make_suite, compared):
    found = compared(make_suite(3), regold(make_suite(3), "11:00", 1))
    (gold,) = found.gold
    assert (gold.probe_id, gold.episode_id, gold.before, gold.after) == ("ep-0001-p1", "ep-0001", "10:15", "11:00")
    assert found.changed == (("ep-0001", ("probes",)),)
    assert found.warnings == (
        "the gold of 1 probes changed and the version did not: both are 0.1.0; raise version: in the suite's file",
    )
    text = "\n".join(_text(found))
    assert text.index("ep-0001-p1") < text.index("episodes: 1 changed")


@pytest.mark.parametrize(
    ("before", "after", "warns"),
    [
        ("0.1.0", "0.2.0", ""),
        ("0.1.0", "0.1.1", "0.1.1 is too small a step from 0.1.0"),
        ("1.0.0", "1.1.0", "1.1.0 is too small a step from 1.0.0"),
        ("1.0.0", "2.0.0", ""),
        ("2.0.0", "1.0.0", "1.0.0 is too small a step from 2.0.0"),
    ],
)
def test_the_version_has_to_be_raised_by_enough(make_suite, compared, before, after, warns):
    found = compared(make_suite(2, version=before), regold(make_suite(2, version=after), "11:00"))
    assert [warning.partition(":")[0] for warning in found.warnings] == ([warns] if warns else [])


def test_episodes_and_composition(make_suite, wording, compared):
    found = compared(make_suite(4), make_suite(2, wording(filler="I took the train.")))
    assert found.gold == ()
    assert found.removed == ("ep-0002", "ep-0003")
    assert found.added == ()
    assert found.changed == (("ep-0000", ("sessions",)), ("ep-0001", ("sessions",)))
    (shift,) = found.composition
    assert shift.name == "interference / authoritative_update / update / work"
    assert (shift.before, shift.after) == (4, 2)
    assert found.warnings[0].startswith("what a system reads or is asked changed and the version did not")
    back = compared(make_suite(2), make_suite(3))
    assert (back.added, back.change) == (("ep-0002",), "minor")
    assert back.warnings[0].startswith("episodes were added and the version did not")


def test_scores_of_validators(make_build, compared):
    old = make_build(2)
    gate, idle = old.verdicts
    (measure,) = gate.measures
    failed = gate.model_copy(
        update={"status": "failed", "why": "above", "measures": (measure.model_copy(update={"value": 0.5}),)}
    )
    found = compared(assemble(old), assemble(replace(old, verdicts=[failed])))
    assert [(shift.name, shift.before, shift.after) for shift in found.scores] == [
        ("release/latest_mention", "passed", "failed"),
        ("release/latest_mention current", 0.25, 0.5),
        ("release/judge", "not_run", None),
    ]
    assert not found.same
    assert found.change == "patch"
    assert idle.validator in "\n".join(_text(found))


def test_two_suites_are_no_versions_of_each_other(make_suite, compared):
    found = compared(make_suite(2), make_suite(2, id="gyms"))
    assert found.warnings == ("these are two suites, standups and gyms",)


def test_markdown_shows_text_as_it_is(make_suite, wording, compared):
    odd = wording(question="a | b `c` <b>?\nnext")
    found = compared(make_suite(2, odd), regold(make_suite(2, odd), "x | y"))
    page = "\n\n".join(_markdown(found))
    assert "<b>" not in page
    (row,) = [line for line in page.splitlines() if line.startswith("| ep-0000-p1")]
    assert row.count("|") == 5
    assert (
        page.index("## Gold") < page.index("## Episodes") < page.index("## Composition") < page.index("## Validators")
    )
    assert "**Warning:**" in page


def test_a_folder_that_is_none(tmp_path):
    assert fetched(str(tmp_path)) == tmp_path
    with pytest.raises(SuitegenError, match="there is no such folder") as missing:
        fetched("neither a folder nor a name")
    assert "ORG/NAME@REVISION" in missing.value.hint
