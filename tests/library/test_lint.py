from __future__ import annotations

import json

import pytest

from suitegen.library.catalog import load
from suitegen.library.lint import lint
from suitegen.library.shelves import Shelves, shelves

HOURS = ["9:30", "9:45", "10:00", "10:30", "11:00", "11:30"]


def values(*texts):
    return "values:\n" + "".join(f"  - {{value: {json.dumps(text)}}}\n" for text in texts)


# -- the runner -------------------------------------------------------------------------------------------------


def test_the_shipped_files_have_no_errors_of_their_own():
    problems = lint(load(shelves()), None)
    assert not [p for p in problems if p.severity == "error"], "\n".join(map(str, problems))


def test_mistakes_of_all_files_come_in_one_run_and_in_order(project):
    project.put("fact-type", "cues: []\nattribute: '{{ x'\nmutabilty: static\n")
    project.put("gate", "checks: [rolles]")
    project.put("suite", "start: someday\nnote: @x")
    found = project.lint()
    assert [problem.code for problem in found] == ["L105", "M001", "L313", "M001", "F003", "L501"]
    project.put("fact-type", "cues: []\nnoun: '{{ x'\n")
    project.put("suite", "start: someday\n")
    found = project.lint()
    assert [problem.code for problem in found] == ["L401", "L105", "L313", "L501"]
    assert [problem.path for problem in found] == sorted(problem.path for problem in found)


def test_a_comment_silences_a_finding_on_its_line(project):
    project.put("fact-type", "cues: []\nkind: time # suitegen: ignore[L105]")
    assert project.lint() == ()
    project.put("fact-type", "cues: []\nkind: time # suitegen: ignore[L104]")
    project.only("L105")


def test_a_comment_silences_warnings_of_files_and_no_errors(project):
    project.put("fact-type", "tool_name: calendar #4 suitegen: ignore[F006]")
    assert project.codes() == ["F006"]
    project.put("fact-type", "tool_name: x &y # suitegen: ignore[M005]")
    assert project.codes() == ["M005"]


def test_gates_are_checked_against_the_validators_that_there_are(project):
    project.put("gate", "checks: [roles, rolles: {most: 1}]")
    problem = project.lint(frozenset({"roles", "length"}))[0]
    assert (problem.code, problem.hint) == ("L501", "did you mean 'roles'?")
    assert problem.source_line[problem.col - 1 :].startswith("rolles")
    assert project.lint(None) == ()


def test_a_project_need_not_serve_the_suites_of_farther_shelves(project, tmp_path):
    near = tmp_path / "near"
    (near / "templates/questions").mkdir(parents=True)
    (near / "specs/suites").mkdir(parents=True)
    (near / "templates/questions/en.yaml").write_text("language: en\nasks: {}\nanswer_fields: {}\n")
    both = Shelves((near, project.root))
    assert {p.code for p in lint(load(both))} == {"L409", "L411"}
    suite = (project.root / "specs/suites/small.yaml").read_text()
    (near / "specs/suites/mine.yaml").write_text(suite.replace("id: small", "id: mine").replace("start:", "start: x"))
    found = lint(load(both))
    assert {p.message.split()[0] for p in found if p.code == "L409"} == {"mine"}
    assert [p.path for p in found if p.code == "L313"] == [str(near / "specs/suites/mine.yaml")]
    assert {p.message.split()[0] for p in lint(load(both), None, frozenset({"small"})) if p.code == "L409"} == {"small"}


# -- fact types -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "texts"),
    [
        ("time", ["9:30", "09:30"]),
        ("time", ["9:30", "9.30 am"]),
        ("number", ["three", "3"]),
        ("quantity", ["1 km", "1000 m"]),
        ("date", ["3 January 2026", "2026-01-03"]),
        ("name", ["Zoë", "Zoe\u0308"]),
        ("name", ["Straße", "STRASSE"]),
        ("text", ["d'Arcy's slot", "d’Arcy’s slot"]),
    ],
)
def test_values_that_mean_the_same_are_found_by_kind(project, kind, texts):
    rest = {"time": HOURS[1:], "number": list("45678"), "quantity": ["2 km", "3 km", "4 km"], "date": ["2026-02-03"]}
    project.put("fact-type", f"kind: {kind}\n" + values(*texts, *rest.get(kind, ["ash", "elm", "fir", "oak"])))
    found = [problem for problem in project.lint() if problem.code == "L101"]
    assert len(found) == 1
    assert json.dumps(texts[1]) in found[0].source_line
    assert repr(texts[0]) in found[0].message


def test_an_alias_may_repeat_its_own_value_and_no_other(project):
    project.put("fact-type", "values:\n" + "".join(f"  - {{value: '{h}', aliases: ['{h} am']}}\n" for h in HOURS))
    assert project.lint() == ()
    project.put("fact-type", values(*HOURS) + "  - {value: '12:15', aliases: [half past nine]}\n")
    problem = project.only("L101")
    assert problem.source_line[problem.col - 1 :].startswith("half past nine")


@pytest.mark.parametrize(
    ("kind", "first", "second", "found"),
    [
        ("name", "Ana", "Ana Costa", True),
        ("name", "Ana", "Anabel", False),
        ("identifier", "fix", "fix/login", True),
        ("choice", "vegan", "mostly Vegan", True),
        ("number", "3", "30", False),
        ("number", "20", "20 000", False),
        ("quantity", "5 km", "15 km", False),
    ],
)
def test_containment_goes_by_words(project, kind, first, second, found):
    rest = (
        ["ash", "elm", "fir", "oak"] if kind in ("name", "identifier", "choice") else ["7 km", "8 km", "9 km", "11 km"]
    )
    if kind == "number":
        rest = ["7", "8", "9", "11"]
    project.put("fact-type", f"kind: {kind}\n" + values(first, second, *rest))
    assert ("L102" in project.codes()) == found


@pytest.mark.parametrize(("count", "severity"), [(2, "error"), (3, "error"), (4, "warning"), (5, "warning"), (6, None)])
def test_few_values_are_a_warning_and_very_few_an_error(project, count, severity):
    project.put("fact-type", values(*HOURS[:count]))
    assert [p.severity for p in project.lint() if p.code == "L103"] == ([severity] if severity else [])


@pytest.mark.parametrize(
    ("kind", "bad"), [("time", "Room 4"), ("date", "soon"), ("number", "a few"), ("quantity", "rather much")]
)
def test_a_value_is_of_its_kind(project, kind, bad):
    project.put("fact-type", f"kind: {kind}\n" + values(bad))
    problem = next(p for p in project.lint() if p.code == "L104")
    assert bad in problem.message
    for open_kind in ("name", "choice", "identifier", "text"):
        project.put("fact-type", f"kind: {open_kind}\n" + values(bad))
        assert "L104" not in project.codes()


def test_a_context_may_name_its_subject_and_other_numbers(project):
    context = "contexts:\n  - {id: a, open: ['%s'], reply: [Yes?], follow: [No.], answer: [Fine.]}\n"
    project.put("fact-type", context % "Help the {{ subject }} with the standup in room 12, it has 3 chairs")
    assert project.lint() == ()
    project.put("fact-type", context % "Move the standup of the {{ subject }} away from half past nine?")
    problem = project.only("L111")
    assert "'9:30'" in problem.message
    project.put("fact-type", context % "The standup of {{ team }}")
    assert project.only("L402").hint == "known are subject"


@pytest.mark.parametrize(
    ("clause", "codes"),
    [
        ("standup is at {{ value }}", []),
        ("I have standup at {{ value }}", []),
        ("I've got standup at {{ value }}", []),
        ("Priya has standup at {{ value }}", []),
        ("{{ value }} is when it starts", []),
        ("The standup is at {{ value }}", ["L113"]),
        ("We meet at {{ value }}", ["L113"]),
        ("standup is at {{ value }}.", ["L113"]),
        ("standup went with {{ value }}", ["L120"]),
        ("standup is early", ["L112"]),
        ("standup is at {{ valeu }}", ["L402", "L112"]),
        ("standup is at {{ value }", ["L401", "L112"]),
        ("standup is at {{ value | capp }}", ["L401", "L112"]),
    ],
)
def test_a_clause_is_part_of_a_sentence_and_states_its_value(project, clause, codes):
    project.put("fact-type", f'phrasings:\n  user:\n    remember:\n      - "{clause}"\n')
    assert sorted(project.codes()) == sorted(codes)


@pytest.mark.parametrize(
    ("clause", "codes"),
    [
        ("the standup has a song of its own", []),
        ("the standup was moved to another room", ["L120"]),
        ("the standup at 9:30 has a song", ["L111"]),
        ("the standup of {{ team }} has a song", ["L402"]),
        ("The standup has a song", ["L113"]),
    ],
)
def test_surroundings_come_near_and_tell_nothing(project, clause, codes):
    project.put("fact-type", f'surroundings:\n  - "{clause}"\n')
    assert project.codes() == codes


def test_records_may_look_as_they_like(project):
    project.put("fact-type", 'phrasings:\n  user: {remember: ["at {{ value }}"]}\n'
                '  tool: {remember: ["The entry: {{ value }}."], was: ["{{ value }}"]}\n')  # fmt: skip
    problem = project.only("L112")
    assert "{{ old }}" in problem.message


def test_a_line_of_a_block_text_is_named(project):
    project.put(
        "fact-type", "phrasings:\n  user:\n    remember:\n      - |\n        at {{ value }}\n        for {{ who }}\n"
    )
    problem = project.only("L402")
    assert "line 2 of the text" in problem.message


def test_an_attribute_of_the_user_needs_voices_of_others(project):
    own = 'noun: my standup\nsubject: {others: [my sister Ana]}\nphrasings: {user: {remember: ["at {{ value }}"]}}'
    project.put("fact-type", own)
    found = project.lint()
    assert sorted(p.code for p in found) == ["L114", "L114", "L115"]
    assert "noun_you" in next(p for p in found if p.code == "L115").message


def test_values_with_marks_stay_data_and_are_pointed_out(project):
    project.put("fact-type", "kind: text\n" + values("{{ secret }}", "{% raw %}", "ash", "elm", "fir", "oak"))
    assert project.codes() == ["L404", "L404"]


# -- conditions -------------------------------------------------------------------------------------------------

ENCODED = "phases:\n  - encoding: [{events: [{op: remember, value: initial}]}]\n  - perturbation:\n"


def perturbed(*events):
    return ENCODED + "".join(f"      - {{events: [{{{event}}}]}}\n" for event in events)


@pytest.mark.parametrize(
    ("keys", "code"),
    [
        (perturbed("op: update, value: new, target: neighbour"), "L201"),
        ("cast: {target: {}, other: {depends_on: targt}}", "L201"),
        (perturbed("op: update, value: other.new"), "L202"),
        (perturbed("op: update, value: new, old: other.initial, says: [value, old]"), "L202"),
        (perturbed("op: reinforce, value: initial, refs: {resolves: x}"), "L203"),
        ("sibling: rumor", "L203"),
        ("split: {event: updt}", "L203"),
        ("probes: [{type: as_of, as_of: w9}]", "L203"),
        ("twin: {event: updt, as: {op: update}}", "L203"),
        ("twin: {probe: p9, as: {premise: initial}}", "L203"),
        (perturbed("id: a, op: update, value: new, refs: {completes: a}"), "L204"),
        (perturbed("op: challenge, speaker: tool"), "L205"),
        (perturbed("op: reactivate"), "L206"),
        (perturbed("op: update, value: new, says: [value, trigger]"), "L206"),
        (perturbed("op: update, value: new, says: [value, source]"), "L206"),
        (perturbed("op: reinforce, value: initial, says: [rejection]"), "L206"),
        ("phases:\n  - encoding: [{events: [{op: correct, value: new, says: [old]}]}]", "L206"),
        ("split: {event: first}", "L207"),
        ("probes: [{type: status}]", "L208"),
        ("probes: [{type: current, about: target.new}]", "L208"),
        ("probes: [{type: premise}]", "L208"),
        ("probes: [{type: current, premise: new}]", "L208"),
        (perturbed("op: restore, value: initial, strength: weak"), "L209"),
        (perturbed("op: remember, value: new"), "L210"),
        (perturbed("op: reinforce, value: new"), "L214"),
        (perturbed("op: update, value: target.initial"), "L214"),
        ("cast: {other: {entity: other}}", "L212"),
        (perturbed("op: update, value: new", "op: restore, value: initial") + "probes: [{type: change}]", "L213"),
        ("twin: {event: upd, as: {op: updat}}", "M004"),
        ("twin: {event: upd, as: {opp: update}}", "M001"),
    ],
)
def test_a_timeline_that_makes_no_sense_is_found(project, keys, code):
    project.put_condition(keys)
    found = project.lint()
    assert code in [problem.code for problem in found], "\n".join(map(str, found))
    assert all(problem.line > 3 for problem in found if problem.code == code)


@pytest.mark.parametrize(
    "keys",
    [
        perturbed("op: update, value: new", "op: update, value: third", "op: restore, value: new")
        + "probes: [{type: changes}]",
        perturbed("op: reactivate, value: initial, says: [old]"),
        perturbed("op: correct, value: new, says: [value, old]"),
        perturbed("op: forget, scope: value, says: []", "op: remember, value: new"),
        perturbed("id: out, op: challenge, value: rival, speaker: tool, says: [value, date]",
                  "op: reinforce, value: initial, says: [rejection], refs: {resolves: out}"),
        perturbed("op: update, value: new", "op: restore, value: initial")
        + "probes: [{type: change, asked_after: first}]",
        "split: {event: upd}",
        "twin: {event: upd, as: {value: third}}",
        "sibling: rumour",
    ],
)  # fmt: skip
def test_a_sound_timeline_has_no_mistakes(project, keys):
    if "asked_after: first" in keys:
        keys = keys.replace("{op: remember, value: initial}", "{id: first, op: remember, value: initial}")
    project.put_condition(keys)
    assert [p.code for p in project.lint() if p.severity == "error"] == []


def test_a_mark_is_known_once_a_suite_declares_it(project):
    project.put_condition("probes: [{type: current, asked_after: w5}]")
    assert set(project.codes()) == {"L203", "L310"}
    project.put("suite", "marks: {w5: 12}")
    assert project.lint() == ()


def test_a_place_is_that_of_the_right_word(project):
    project.put_condition(perturbed("op: update, value: new, says: [value, trigger]"))
    problem = project.only("L206")
    assert problem.source_line[problem.col - 1 :].startswith("trigger]")


# -- suites -----------------------------------------------------------------------------------------------------

CELL = "cells:\n  - {paradigm: interference, condition: [moved, rumour], count: 2}\n"


@pytest.mark.parametrize(
    ("keys", "code", "at"),
    [
        ("fact_types: [standup_time, standup_tim]", "L301", "standup_tim]"),
        ("fact_types: [standup_time, standup_time]", "L301", "standup_time]"),
        (CELL.replace("paradigm: interference", "paradigm: interferance"), "L302", "interferance"),
        (CELL.replace("rumour", "rumor"), "L302", "rumor"),
        (CELL.replace("count", "domain: wrk, count"), "L303", "wrk"),
        (CELL.replace("count", "fact_types: [gym], count"), "L303", "gym"),
        (CELL.replace("count", "split: true, count"), "L305", "true"),
        (CELL.replace("count", "twin: true, count"), "L305", "true"),
        (CELL.replace("[moved, rumour]", "moved"), "L306", "cells"),
        (CELL.replace("count: 2", "count: 3"), "L307", "3}"),
        (CELL.replace("count", "after: [2, 3, 4], count"), "L307", "[2, 3, 4]"),
        (CELL.replace("count", "tier: [core, hug], count"), "L308", "hug"),
        ("gates: [session, sesion]", "L309", "sesion"),
        ("start: 2026-02-30", "L313", "2026-02-30"),
        ("mix: {background: 4, event: 1}", "L315", "event"),
        (CELL.replace("count", "vary: tier, count"), "L316", "tier"),
        (CELL.replace("count", "probes: [current, changes], count"), "L317", "changes"),
        ("fillers: [{source: files, path: a.jsonl, license: CC-BY-NC-4.0}]", "L318", "CC-BY-NC-4.0"),
        ("fillers: [{source: files, path: a.jsonl, license: none}]", "L318", "none"),
        ("mix: {background: 4, confusable: 1}", "L304", "standup_time"),
        ("language: de", "L311", "de"),
    ],
)
def test_a_design_that_cannot_be_met_is_found(project, keys, code, at):
    project.put("suite", keys)
    found = [problem for problem in project.lint() if problem.code == code]
    assert found, "\n".join(map(str, project.lint()))
    assert any(problem.source_line[problem.col - 1 :].startswith(at) for problem in found)


@pytest.mark.parametrize(
    ("counts", "leaky", "warned"),
    [
        ((5, 5), False, False),
        ((6, 4), False, False),
        ((7, 3), False, True),
        ((7, 3), True, False),
        ((3, 7), False, True),
    ],
)
def test_balance_goes_by_episodes(project, counts, leaky, warned):
    cells = "".join(
        f"  - {{paradigm: interference, condition: {name}, count: {count}}}\n"
        for name, count in zip(("moved", "rumour"), counts, strict=True)
    )
    project.put("suite", f"cells:\n{cells}leaky_probes: {str(leaky).lower()}\n")
    assert ("L306" in project.codes()) == warned


def test_matched_groups_count_as_often_as_they_have_members(project):
    group = "{paradigm: interference, condition: [moved, rumour], vary: condition, count: 3}"
    tiers = "{paradigm: interference, condition: moved, tier: [short, core], vary: tier, each: 2}"
    project.put("suite", f"cells:\n  - {group}\n  - {tiers}\n")
    problem = project.only("L306")
    assert problem.message.startswith("7 episodes expect an update and 3 ")


@pytest.mark.parametrize(
    ("cast", "says"),
    [
        ("{target: {}, other: {entity: other}}", None),
        ("{target: {}, neighbour: {attribute: other}}", "lacks confusables"),
        ("{target: {}, dependent: {depends_on: target}}", "depends on it"),
        ("{target: {}, a: {entity: other}, b: {entity: other}, c: {entity: other}}", "lacks other entities"),
    ],
)
def test_a_fact_type_has_to_serve_the_conditions(project, cast, says):
    project.put_condition(f"cast: {cast}")
    if says is None:
        assert project.lint() == ()
    else:
        assert says in project.only("L304").message


def test_what_never_changes_serves_no_condition_that_moves_it(project):
    project.put("fact-type", "mutability: static")
    assert "standup_time lacks values that may change" in project.only("L304").message


def test_roles_need_values_and_fillers_a_spare_one(project):
    project.put("fact-type", values(*HOURS[:4]))
    roles = perturbed("op: update, value: b", "op: update, value: c", "op: update, value: d")
    project.put_condition(roles)
    assert project.codes() == ["L103"]
    project.put("suite", "mix: {background: 1, decoy: 1}")
    found = [p for p in project.lint() if p.code == "L304"]
    assert len(found) == 1
    assert "needs 5 values" in found[0].message


# -- wordings ---------------------------------------------------------------------------------------------------


def test_a_phrase_that_a_condition_needs_is_missed(project):
    lines = 'phrases:\n  - {op: [remember, update], lines: ["{{ state|cap }}.", "{{ noun }} comes up."]}\n'
    project.put("surfaces", lines)
    problem = project.only("L403")
    assert "a weak challenge by user on the word of third_party that says act, source, value" in problem.message
    assert "small needs it" in problem.message


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("{{ origin }} says that {{ state }}.", False),
        ("{{ origin }} mentioned something.", True),
        ("Somebody says that {{ considering }}.", False),
        ("Since {{ trigger }}, {{ origin }} says that {{ state }}.", True),
    ],
)
def test_a_weak_value_stands_in_its_phrase_and_what_is_left_in_riders(project, line, found):
    phrases = 'phrases:\n  - {op: [remember, update], lines: ["{{ state }}."]}\n'
    phrases += f'  - {{op: challenge, source: [third_party], lines: ["{line}"]}}\n'
    project.put("surfaces", phrases)
    assert ("L403" in project.codes()) == found


def test_a_rider_is_missed_when_no_line_states_the_facet(project):
    project.put("surfaces", 'riders: {trigger: ["Because {{ trigger }}."], source: ["{{ origin }} said so."]}')
    assert "says act, reason, trigger, value" in project.only("L403").message


def test_the_second_part_of_a_split_has_phrases_of_its_own(project):
    project.put_condition("split: {event: upd}")
    cells = ["{paradigm: interference, condition: moved, split: true, count: 1}"]
    cells += ["{paradigm: interference, condition: rumour, count: 1}"]
    project.put("suite", "cells:\n" + "".join(f"  - {cell}\n" for cell in cells))
    assert project.lint() == ()
    turns = '[{user: ["{{ said }}"]}, {assistant: [Yes.]}]'
    project.put("surfaces", f"exchanges:\n  - {{speaker: user, op: [remember, challenge], turns: {turns}}}\n")
    assert project.codes() == ["L403"] * 3


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("Not {{ old }} any more, as {{ trigger }} and {{ reason }}.", []),
        ("Not {{ old }} any more.", []),
        ("Something ends, as {{ trigger }}.", ["L412"]),
        ("The {{ attribute }} won't be {{ old }} any more.", ["L412"]),
    ],
)
def test_a_first_part_can_go_by_the_value_that_ends(project, line, found):
    project.put_condition("split: {event: upd}")
    cells = ["{paradigm: interference, condition: moved, split: true, count: 1}"]
    cells += ["{paradigm: interference, condition: rumour, count: 1}"]
    project.put("suite", "cells:\n" + "".join(f"  - {cell}\n" for cell in cells))
    known = 'phrases:\n  - {op: [remember, update, challenge], source: [user, third_party], lines: ["{{ state }}."]}\n'
    known += '  - {op: update, act: false, lines: ["So {{ state }}."]}\n'
    project.put("surfaces", f'{known}  - {{op: update, named: false, lines: ["{line}"]}}\n')
    assert project.codes() == found


def test_what_comes_up_unasked_is_not_asked_for(project):
    turns = '[{user: ["What about {{ noun }}?"]}, {tool: ["{{ said }}"]}, {assistant: [There.]}]'
    known = '  - {speaker: user, turns: [{user: ["{{ said }}"]}, {assistant: [I see.]}]}\n'
    project.put("surfaces", f"exchanges:\n{known}  - {{speaker: tool, op: [update], asked: false, turns: {turns}}}\n")
    assert project.codes() == ["L412"]


@pytest.mark.parametrize(
    "turns",
    [
        '[{user: ["{{ said }}"]}, {assistant: ["{{ said }}"]}]',
        "[{user: [Hm.]}, {assistant: [Yes.]}]",
        '[{user: [Hm.]}, {assistant: ["{{ said }}"]}]',
        '[{user: ["{{ said }}"]}, {user: [Hm.]}]',
        '[{user: ["{{ echo }}. {{ said }}"]}, {assistant: [Yes.]}]',
        '[{user: ["{{ said }}"], assistant: [Yes.]}, {assistant: [Yes.]}]',
    ],
)
def test_an_exchange_holds_what_is_said_once_in_its_speakers_turn(project, turns):
    good = '{speaker: user, turns: [{user: ["{{ said }}"]}, {assistant: ["So {{ echo }}."]}]}'
    project.put("surfaces", f"exchanges:\n  - {good}\n")
    assert project.lint() == ()
    project.put("surfaces", f"exchanges:\n  - {good}\n  - {{speaker: user, turns: {turns}}}\n")
    assert set(project.codes()) == {"L405"}


def test_a_question_is_needed_for_each_probe_type(project):
    project.put_condition("probes: [{type: current}, {type: conflict, about: target.new}, {type: source}]")
    project.put("questions", "about_rival: {}\nasks: {current: ['What is {{ noun }}, {{ rivl }}?']}")
    found = [p for p in project.lint() if p.severity == "error"]
    assert sorted(p.code for p in found) == ["L402", "L409", "L409"]


def test_a_script_uses_its_slots_and_no_others(project):
    turns = ["user: ['{{ knd }}?']", "assistant: [a]", "user: [b]", "assistant: [c]"]
    text = "scripts:\n  - id: tea\n    slots: {kind: [green]}\n    turns:\n"
    project.put("scripts", text + "".join(f"      - {turn}\n" for turn in turns))
    found = project.lint()
    assert sorted(p.code for p in found) == ["L402", "L406"]
    assert next(p for p in found if p.code == "L402").hint == "did you mean 'kind'?"


def test_names_that_no_file_may_have_are_refused(project):
    project.put("suite", "id: con", beside="specs/suites/con.yaml")
    project.only("L004")


# -- histories that threads share -------------------------------------------------------------------------------

SHARED = """
marks: {w1: 8, w2: 14}
histories:
  - count: 1
    sessions: 14
    threads:
      - {paradigm: interference, condition: moved, count: 1, stands: {encoding: w1, perturbation: w2}}
"""


def test_a_sound_history_has_no_mistakes(project):
    project.put("suite", SHARED)
    assert [problem.code for problem in project.lint() if problem.severity == "error"] == []


@pytest.mark.parametrize(
    ("old", "new", "code", "at"),
    [
        ("interference", "interferance", "L302", "interferance"),
        ("moved", "movd", "L302", "movd"),
        ("count: 1, stands", "count: 1, beside: rumour, stands", "L302", "rumour"),
        ("count: 1, stands", "count: 1, fact_types: [gym], stands", "L303", "gym"),
        ("count: 1, stands", "count: 1, split: true, stands", "L305", "true"),
        ("encoding: w1", "encoding: w9", "L310", "w9"),
        ("encoding: w1, perturbation: w2", "encoding: w2, perturbation: w1", "L319", "w1"),
        ("w2: 14", "w2: 15", "L319", "15"),
    ],
)
def test_a_history_that_cannot_be_met_is_found(project, old, new, code, at):
    project.put("suite", SHARED.replace(old, new, 1))
    problem = next(problem for problem in project.lint() if problem.code == code)
    assert problem.source_line[problem.col - 1 :].startswith(at)


def test_a_thread_that_changes_what_was_never_introduced_is_found(project):
    project.put_condition("phases: [{perturbation: [{events: [{op: update, value: new}]}]}]")
    project.put("suite", SHARED.replace("encoding: w1, ", ""))
    problem = project.only("L319")
    assert problem.source_line[problem.col - 1 :].startswith("moved")
    assert "'target', which was never introduced" in problem.message
