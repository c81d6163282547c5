"""A file of the wrong shape has its other mistakes reported in the same run."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from suitegen.library.codes import CODES
from suitegen.library.kinds import KINDS
from suitegen.library.lint import lint
from suitegen.library.models import build
from suitegen.library.reshape import WAYS, Mender
from suitegen.library.unchecked import unchecked
from suitegen.library.yaml import parse, plain
from suitegen.model.paradigm import Phase
from suitegen.model.suite import Cell, SuiteSpec
from tests.library.conftest import FILES
from tests.library.test_codes import put


def places(project, kind):
    """Code and place of every problem of a kind's file, the place as the text from there on."""
    path = str(project.root / FILES[kind][0])
    return [(p.code, p.line, p.source_line[p.col - 1 :].rstrip()) for p in project.lint() if p.path == path]


# -- mistakes of both kinds, at once ----------------------------------------------------------------------------

FACT = """\
id: standup_time
domain: work
attribute: standup time
noun: "the standup time of the {{ sbject }}"
subject: {pool: [platform team, mobile team, data team]}
kind: tme
mutabilty: static
values:
  - {value: "9:30"}
  - {value: "09:30"}
  - 10:00
  - {value: "10:30", alias: [half past ten]}
  - {value: soon}
  - {value: "11:30"}
changes:
  - {id: lisbon, trigger: two colleagues joined from Lisbon, keys: [Lisbon, Porto]}
depends_on: [nothing]
contexts:
  - {id: agenda, open: Help me with the standup at 11:30., reply: [Yes?], follow: [No.], answer: [Fine.]}
phrasings:
  user: {remember: ["The standup is at {{ value }}"], was: ["it was early"]}
tool_name: Calendar Lookup
"""


def test_a_fact_type_with_mistakes_of_both_kinds(project):
    project.write(FILES["fact-type"][0], FACT)
    assert places(project, "fact-type") == [
        ("L402", 4, '"the standup time of the {{ sbject }}"'),
        ("L105", 6, "tme"),
        ("M004", 6, "tme"),
        ("M001", 7, "mutabilty: static"),
        ("L101", 10, '"09:30"}'),
        ("M003", 11, "10:00"),
        ("M001", 12, "alias: [half past ten]}"),
        ("L104", 13, "soon}"),
        ("M002", 16, "{id: lisbon, trigger: two colleagues joined from Lisbon, keys: [Lisbon, Porto]}"),
        ("L118", 17, "nothing]"),
        ("M003", 19, "Help me with the standup at 11:30., reply: [Yes?], follow: [No.], answer: [Fine.]}"),
        ("L113", 21, '"The standup is at {{ value }}"], was: ["it was early"]}'),
        ("L112", 21, '"it was early"]}'),
        ("M005", 22, "Calendar Lookup"),
    ]


PARADIGM = """\
id: interference
abuot: A first association, then a competing one.
conditions:
  moved:
    expects: updat
    cast: {target: {}}
    phases:
      encoding: [{events: [{id: first, op: remember, value: initial}]}]
      perturbation:
        - events:
            - {id: upd, op: updte, value: new, says: [value, trigger]}
            - {op: reinforce, value: initial}
            - {op: update, target: neighbour, value: new}
    probes:
      - {type: current, askd_after: upd}
      - type: premise
      - {type: current, asked_after: w9}
    sibling: [rumour]
  rumour:
    expects: preserve
    phases:
      - encoding: [{events: [{op: remember, vlaue: initial}]}]
    probes: [{type: status}]
"""


def test_a_paradigm_with_mistakes_of_both_kinds(project):
    project.write(FILES["paradigm"][0], PARADIGM)
    assert places(project, "paradigm") == [
        ("M002", 1, "id: interference"),
        ("M001", 2, "abuot: A first association, then a competing one."),
        ("M004", 5, "updat"),
        ("M003", 8, "encoding: [{events: [{id: first, op: remember, value: initial}]}]"),
        ("M007", 8, "encoding: [{events: [{id: first, op: remember, value: initial}]}]"),
        ("M004", 11, "updte, value: new, says: [value, trigger]}"),
        ("L206", 11, "trigger]}"),
        ("L214", 12, "initial}"),
        ("L201", 13, "neighbour, value: new}"),
        ("M001", 15, "askd_after: upd}"),
        ("L208", 16, "type: premise"),
        ("L203", 17, "w9}"),
        ("M003", 18, "[rumour]"),
        ("M001", 22, "vlaue: initial}]}]"),
        ("L208", 23, "{type: status}]"),
    ]


SUITE = """\
id: small
title: {}
langauge: en
seed: -7
fact_types: [standup_time, standup_tim]
cells:
  - {paradigm: interference, condition: [moved, rumor], count: two, split: true}
  - {paradigm: interference, condition: [moved, rumour], count: 3, each: 1, tier: hug}
  - {condition: moved, count: 1}
  - condition
mix: [{background: 1}, {event: 1}]
gates: sesion
start: someday
"""


def test_a_suite_with_mistakes_of_both_kinds(project):
    project.write(FILES["suite"][0], SUITE)
    assert places(project, "suite") == [
        ("M003", 2, "{}"),
        ("M001", 3, "langauge: en"),
        ("M006", 4, "-7"),
        ("L301", 5, "standup_tim]"),
        ("L302", 7, "rumor], count: two, split: true}"),
        ("M003", 7, "two, split: true}"),
        ("L305", 7, "true}"),
        ("M007", 8, "{paradigm: interference, condition: [moved, rumour], count: 3, each: 1, tier: hug}"),
        ("L307", 8, "3, each: 1, tier: hug}"),
        ("L308", 8, "hug}"),
        ("M002", 9, "{condition: moved, count: 1}"),
        ("M003", 10, "condition"),
        ("M003", 11, "[{background: 1}, {event: 1}]"),
        ("L315", 11, "event: 1}]"),
        ("L309", 12, "sesion"),
        ("M003", 12, "sesion"),
        ("L313", 13, "someday"),
    ]


SCRIPTS = """\
scripts:
  - id: tea
    slot: {kind: [green, black], year: ['1']}
    turns:
      - user: Which {{ knd }} tea keeps best?
      - assistant: [Loose leaves.]
        user: ["And {{ kind"]
      - user: [And how long?]
      - assistant: [About {{ yaer }} years.]
  - id: Tea
    turns: [{user: [a]}, {user: ["{{ b }}"]}]
"""


def test_scripts_with_mistakes_of_both_kinds(project):
    project.write(FILES["scripts"][0], SCRIPTS)
    assert places(project, "scripts") == [
        ("M001", 3, "slot: {kind: [green, black], year: ['1']}"),
        ("L406", 3, "kind: [green, black], year: ['1']}"),
        ("L406", 3, "year: ['1']}"),
        ("L402", 5, "Which {{ knd }} tea keeps best?"),
        ("M003", 5, "Which {{ knd }} tea keeps best?"),
        ("M007", 6, "assistant: [Loose leaves.]"),
        ("L401", 7, '"And {{ kind"]'),
        ("F003", 9, "About {{ yaer }} years.]"),
        ("L402", 9, "About {{ yaer }} years.]"),
        ("L003", 10, "Tea"),
        ("M005", 10, "Tea"),
        ("M006", 11, '[{user: [a]}, {user: ["{{ b }}"]}]'),
        ("L402", 11, '"{{ b }}"]}]'),
    ]


BROKEN = """\
id: standup_time
domain: wrk
attribute: standup time
noun: "the standup time of the {{ sbject }}"
subject:
  pool: [platform team, mobile team
  others: 5
kind: time
values:
  - {value: "9:30"}
  - {value: soon}
   - {value: "10:00"}
cues: []
changes: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]
contexts:
  - {id: agenda, open: [Help @me], reply: [Yes?], follow: [No: none.], answer: [Fine.]}
phrasings:
  user: {remember: ["The standup is at {{ value }}"]}
zzqq: 1
"""


def test_a_file_with_blocks_that_are_no_yaml_is_read_behind_them(project):
    project.write(FILES["fact-type"][0], BROKEN)
    found = [(code, line) for code, line, _ in places(project, "fact-type")]
    assert found == [
        ("L002", 2), ("L402", 4), ("F002", 6), ("L105", 8), ("F002", 12), ("F008", 14), ("M003", 16), ("L113", 18),
        ("M001", 19),
    ]  # fmt: skip
    assert len(found) == len(project.lint())


# -- every rule, beside a mistake of shape ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "code",
    [code for code in CODES.values() if code.code[0] == "L" and code.piece != "file"],
    ids=lambda code: code.code,
)
def test_an_unknown_key_hides_no_finding(project, code):
    put(project, code, code.bad)
    alone = [p for p in project.lint() if p.code[0] == "L"]
    path = project.root / FILES[code.kind.name][0]
    path.write_text(f"{path.read_text().rstrip()}\nzzqq: 1\n")
    beside = project.lint()
    assert [p for p in beside if p.code[0] == "L"] == alone
    assert [p.code for p in beside if p.code[0] == "M"] == ["M001"]


def test_mistakes_of_one_file_hide_no_finding_of_another(project):
    project.put("suite", "gates: [sesion]\nnote: x\n")
    project.put("surfaces", "shapes: [[open]]\nzzqq: 1")
    project.put("gate", "checks: [rolles]\nlevel: sesion\n")
    project.put("questions", "asks: {current: ['What?'], change: ['Has {{ noun }} changed?'], changes: 5}\n")
    project.put_condition("probes: [{type: current}, {type: chagne}]\n")
    found = [(p.path.rpartition("/")[2], p.code) for p in project.lint()]
    assert found == [
        ("interference.yaml", "M004"),
        ("small.yaml", "L314"),
        ("small.yaml", "L309"),
        ("small.yaml", "M001"),
        ("en.yaml", "L410"),
        ("en.yaml", "L410"),
        ("en.yaml", "M003"),
        ("en.yaml", "L407"),
        ("en.yaml", "M001"),
        ("session.yaml", "M004"),
        ("session.yaml", "L501"),
    ]


def test_a_file_whose_name_is_taken_has_its_own_mistakes(project):
    project.put("fact-type", "cues: []\nzzqq: 1", beside="fact_types/work/copy.yaml")
    assert sorted(project.codes()) == ["L001", "L003", "L105", "M001"]


def test_ids_are_compared_whatever_the_shape_of_their_files(project):
    project.put("fact-type", "id: Standup_Time\nzzqq: 1", beside="fact_types/work/Standup_Time.yaml")
    project.put("gate", "id: session\nlevel: zz", beside="validators/other.yaml")
    project.put("suite", "id: nul\nseed: x", beside="specs/suites/zzz.yaml")
    project.put("questions", "language: en\nasks: 1", beside="templates/questions/fr.yaml")
    found = [p.code for p in project.lint()]
    assert sorted(found) == sorted(["L003", "M005", "M001", "L003", "M004", "L004", "M003", "L001", "L003", "M003"])


def test_a_suite_of_a_wrong_id_is_the_one_that_is_meant(project):
    project.put("suite", "id: My Suite\nstart: someday", beside="specs/suites/mine.yaml")
    loaded = project.load()
    assert ("suite", "My Suite") in loaded.sources
    assert "L313" not in [p.code for p in lint(loaded, None, frozenset({"small"}))]
    assert "L313" in [p.code for p in lint(loaded, None, frozenset({"My Suite"}))]


# -- nothing follows from the mending ---------------------------------------------------------------------------


def at(tree, loc):
    for step in loc:
        tree = tree[step]
    return tree


def locs(tree, loc=()):
    yield from [loc] if loc else []
    for step in tree if isinstance(tree, dict) else range(len(tree)) if isinstance(tree, list) else ():
        yield from locs(tree[step], (*loc, step))


def changed(kind, changes):
    """The text of a kind's file with values replaced; places that a change has taken away are left alone."""
    tree = parse(FILES[kind][1], "f.yaml").tree
    for loc, value in changes:
        if loc in set(locs(tree)):
            at(tree, loc[:-1])[loc[-1]] = value
    return json.dumps(tree, indent=1)


@pytest.mark.parametrize("kind", KINDS)
def test_a_value_that_is_missing_is_one_mistake(project, kind):
    path, text = FILES[kind]
    for loc in list(locs(parse(text, "f.yaml").tree))[:: 3 if kind == "surfaces" else 1]:
        project.write(path, changed(kind, [(loc, None)]))
        found = project.lint()
        # What may be left out may be null as well, and what is then lacking is a mistake of its own.
        assert len({p.code[0] for p in found}) <= 1, "\n".join(map(str, found))
        assert [p.code for p in found if p.code[0] == "M"] in ([], ["M007"], ["M008"])


@pytest.mark.parametrize(
    ("kind", "keys"),
    [
        ("fact-type", "kind: zzz"),
        ("fact-type", "values: []"),
        ("fact-type", "subject: [a]"),
        ("fact-type", "language: English"),
        ("fact-type", "domain: {}"),
        ("fact-type", "id:"),
        ("fact-type", "contexts: {}"),
        ("fact-type", "phrasings: []"),
        ("paradigm", "conditions: []"),
        ("paradigm", "conditions: {}"),
        ("suite", "marks: [w1, w2]"),
        ("suite", "tiers: 5"),
        ("suite", "cells: []"),
        ("suite", "language: [en]"),
        ("suite", "mix: {confusable: many}"),
        ("gate", "checks: []"),
        ("surfaces", "riders: 5"),
        ("surfaces", "exchanges: []"),
        ("surfaces", "phrases: {a: b}"),
        ("questions", "asks: 5"),
        ("questions", "answer_fields: []"),
        ("scripts", "scripts: []"),
    ],
)
def test_a_part_that_cannot_be_read_has_no_consequences(project, kind, keys):
    project.put(kind, keys)
    found = project.lint()
    assert found
    assert {p.code[0] for p in found} == {"M"}, "\n".join(map(str, found))


def test_what_refers_to_a_part_that_cannot_be_read_is_not_to_blame(project):
    project.put_condition("probes: [{type: current, asked_after: w5, about: target}]\ncast: 5\n")
    project.put(
        "suite", "marks: w5\ncells: [{paradigm: interference, condition: [moved, rumour], tier: x, count: 2}]\n"
    )
    assert {p.code for p in project.lint()} == {"M003", "L308"}
    project.put("suite", "tiers: 5\ncells: [{paradigm: interference, condition: [moved, rumour], tier: x, count: 2}]\n")
    assert [p.code for p in project.lint() if p.path.endswith("small.yaml")] == ["L310", "M003"]


@pytest.mark.parametrize("text", ["just text", "- a", "[]", "5", "{}", "zz: 1", "'': ''", "? [a]\n: b"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_file_that_is_something_else_is_read_without_a_crash(project, kind, text):
    project.write(FILES[kind][0], text)
    found = project.lint()
    assert found
    # A suite that names no gates has those that every suite has.
    assert {p.code for p in found if p.code[0] == "L"} <= {"L309"}, "\n".join(map(str, found))


# -- properties -------------------------------------------------------------------------------------------------

VALUES = st.recursive(
    st.none() | st.sampled_from(["", "zz", "Zz zz!", "-1", "9" * 30, "{{ x }}", "{% for", "target.new", "0.5", "true", "x" * 99]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["id", "zz", "op", "Zz", "value"]), inner),
    max_leaves=4,
)  # fmt: skip


@given(data=st.data(), kind=st.sampled_from(sorted(KINDS)))
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_mending_never_fails_and_takes_no_problem_away(project, data, kind):
    path, text = FILES[kind]
    places = st.sampled_from(list(locs(parse(text, "f.yaml").tree)))
    project.write(path, changed(kind, data.draw(st.lists(st.tuples(places, VALUES), min_size=1, max_size=6))))
    document = parse((project.root / path).read_text(), str(project.root / path))
    _, shape = build(KINDS[kind].model, document, document.tree)
    loaded, found = project.load(), project.lint()
    project.write(path, text)
    if kind != "gate":
        assert set(shape) <= set(found)
    assert all(p.line for p in found)
    for mended in loaded.mended:
        assert isinstance(mended.declared, tuple)
        assert len(mended.declared) >= len(KINDS) - (kind == "scripts")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("way", WAYS)
def test_nothing_at_all_can_be_mended(kind, way):
    document = parse("zz: 1", "f.yaml")
    made = Mender(KINDS[kind].model, plain, way, {}, ("a", "b"), ("{{ a }}",)).reshape(document)
    assert isinstance(made.model, KINDS[kind].model)


def test_a_model_is_read_without_what_it_asks_of_its_keys_together():
    assert unchecked(Phase).model_validate({"encoding": "before", "filler": "after"}).encoding == "before"
    cell = {"paradigm": "p", "condition": "c", "count": "2", "each": 3, "length": {"tokens": 1, "sessions": 1}}
    made = unchecked(SuiteSpec).model_validate({"id": "a", "title": "A", "fact_types": ["x"], "cells": [cell]})
    assert isinstance(made, SuiteSpec)
    assert isinstance(made.cells[0], Cell)
    assert (made.cells[0].condition, made.cells[0].count, made.cells[0].each) == (("c",), 2, 3)
    with pytest.raises(ValidationError):
        unchecked(SuiteSpec).model_validate({"id": "A"})
