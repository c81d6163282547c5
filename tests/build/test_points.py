"""Knowledge points over memory age, figure by figure, from the files that a build leaves."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import pytest

from tests.build.test_published import Built, Rows, build
from tests.rederive.rederive import differences, faults, load, untimely

SUBSTANTIVE = ("static", "dynamic", "preference")
WINDOWS = tuple(f"w{number}" for number in range(1, 9))


@pytest.fixture(scope="module")
def published(tmp_path_factory: pytest.TempPathFactory) -> Built:
    return build("memtrace-835", tmp_path_factory)


def points(rows: Rows) -> dict[tuple[str, str], Rows]:
    """The rows of each knowledge point."""
    found: dict[tuple[str, str], Rows] = defaultdict(list)
    for row in rows:
        found[row["episode_id"], row["thread_id"]].append(row)
    return found


def base(rows: Rows, *conditions: str) -> set[tuple[str, str, str]]:
    """Base probes: a point at a window."""
    return {(r["episode_id"], r["thread_id"], r["window"]) for r in rows if r["condition"] in conditions}


# -- MemTrace, tables 2 and 6 -----------------------------------------------------------------------------------


def test_the_published_counts(published: Built) -> None:
    assert len(published.episodes) == 20
    kinds = Counter(rows[0]["condition"] for rows in points(published.probes).values())
    assert kinds.total() == 835
    assert sum(kinds[name] for name in SUBSTANTIVE) == 635
    assert (kinds["boundary"], kinds["conflict"]) == (100, 100)
    users = Counter(user for user, _ in points(published.probes))
    assert (min(users.values()), max(users.values())) == (35, 48)
    assert len(base(published.probes, *SUBSTANTIVE)) == 4077
    assert len(base(published.probes, "boundary", "conflict")) == 1600
    assert len(published.probes) == 15_422


def test_nine_rows_are_withheld_and_the_manifest_says_so(published: Built) -> None:
    rows = Counter((r["episode_id"], r["thread_id"], r["window"]) for r in published.probes)
    wanted = dict.fromkeys(base(published.probes, *SUBSTANTIVE), 3)
    wanted |= dict.fromkeys(base(published.probes, "boundary", "conflict"), 2)
    assert sum(wanted.values()) - sum(rows.values()) == 9
    assert published.manifest["withheld"] == 9


def test_five_and_five_distractors_a_user_at_every_window(published: Built) -> None:
    for condition in ("boundary", "conflict"):
        own = {key: rows for key, rows in points(published.probes).items() if rows[0]["condition"] == condition}
        assert set(Counter(user for user, _ in own).values()) == {5}
        assert all({row["window"] for row in rows} == set(WINDOWS) for rows in own.values())


def test_a_point_is_asked_at_every_window_after_it_came_up(published: Built) -> None:
    for rows in points(published.probes).values():
        asked = sorted({row["window"] for row in rows})
        assert asked == list(WINDOWS[len(WINDOWS) - len(asked) :])


def test_changes_lie_between_windows_two_and_seven(published: Built) -> None:
    for rows in points(published.probes).values():
        answers = {r["window"]: r["answer"] for r in rows if r["probe_type"] == "trajectory"}
        changed = [window for window in WINDOWS if " -> " in answers.get(window, "")]
        if rows[0]["condition"] == "dynamic":
            assert "w3" <= changed[0] <= "w7"
        else:
            assert not changed


def test_the_second_reading_of_the_files_finds_no_difference(published: Built, tmp_path_factory: Any) -> None:
    suite = load(published.out)
    assert differences(suite) == []
    assert untimely(suite) == []
    assert faults(suite) == []


def test_its_gates_pass(published: Built) -> None:
    assert {line["status"] for line in published.manifest["gates"]} <= {"passed", "not_run"}
    ceilings = {m["name"]: m for line in published.manifest["gates"] for m in line["measures"]}
    assert ceilings["refusing what is paired"]["value"] == 0.5
    assert ceilings["refusing what is paired"]["n"] > 3000
