from __future__ import annotations

import json
from dataclasses import replace

import pytest

from suitegen.cli.problems import FORMATS, count
from suitegen.library.problem import Problem

MISTAKE = Problem(
    code="F101",
    message="unknown key 'valeu'",
    path="fact_types/work/gym, new.yaml",
    line=3,
    col=5,
    source_line="    valeu: nine",
    hint="did you mean 'value'?",
)
HOSTILE = replace(MISTAKE, message="100%\x1b[2J\n::error::forged", hint="\u202ea:b")


def test_text_shows_place_source_caret_and_fix():
    assert FORMATS["text"]([MISTAKE]).splitlines() == [
        "fact_types/work/gym, new.yaml:3:5: error[F101] unknown key 'valeu'",
        "        valeu: nine",
        "        ^",
        "    hint: did you mean 'value'?",
    ]


def test_paths_under_the_current_folder_are_shown_from_there(folder):
    (shown, *_) = FORMATS["text"]([replace(MISTAKE, path=str(folder / "a.yaml"))]).splitlines()
    assert shown.startswith("a.yaml:3:5: ")


def test_json_keeps_every_part():
    document = json.loads(FORMATS["json"]([MISTAKE]))
    assert document["schema"] == 1
    assert Problem(**document["problems"][0]) == MISTAKE


def test_github_annotations_escape_what_would_end_them():
    place = "file=fact_types/work/gym%2C new.yaml,title=F101,line=3,col=5"
    assert FORMATS["github"]([MISTAKE]) == f"::error {place}::unknown key 'valeu'%0Adid you mean 'value'?"
    assert FORMATS["github"]([HOSTILE]).endswith("::100%25[2J%0A::error::forged%0Aa:b")


def test_github_annotations_of_a_whole_file_name_no_line():
    whole = replace(MISTAKE, line=0, col=0, severity="warning")
    assert FORMATS["github"]([whole]).startswith("::warning file=fact_types/work/gym%2C new.yaml,title=F101::")


def test_sarif_has_rules_places_and_levels():
    log = json.loads(FORMATS["sarif"]([MISTAKE, replace(MISTAKE, line=0, severity="warning")]))
    (run,) = log["runs"]
    assert log["version"] == "2.1.0"
    assert run["tool"]["driver"]["rules"] == [{"id": "F101"}]
    placed, whole = run["results"]
    assert placed["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "fact_types/work/gym%2C%20new.yaml"},
                "region": {"startLine": 3, "startColumn": 5},
            }
        }
    ]
    assert placed["level"] == "error"
    assert whole["level"] == "warning"
    assert "region" not in whole["locations"][0]["physicalLocation"]


@pytest.mark.parametrize("style", ["text", "github"])
def test_a_hostile_message_stays_on_its_line_and_steers_nothing(style):
    lines = FORMATS[style]([HOSTILE]).splitlines()
    assert not any(line.startswith("::error::") for line in lines)
    assert not set("".join(lines)) & {"\x1b", "\u202e"}


@pytest.mark.parametrize(
    ("severities", "expected"),
    [
        ([], "no mistakes found"),
        (["error"], "1 error"),
        (["error", "warning", "warning"], "1 error, 2 warnings"),
        (["warning"], "1 warning"),
    ],
)
def test_count(severities, expected):
    assert count([replace(MISTAKE, severity=severity) for severity in severities]) == expected
