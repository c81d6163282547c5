from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from suitegen.library import events
from suitegen.library.yaml import SIZE_LIMIT, TEXT_LIMIT, child, parse, read


def codes(document):
    return [problem.code for problem in document.problems]


def places(document):
    return [(problem.code, problem.line, problem.col) for problem in document.problems]


def tree(text):
    document = parse(text, "f.yaml")
    assert document.problems == (), document.problems
    return document.tree


# -- text as it is written --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "scalar",
    [
        "no", "Yes", "off", "on", "true", "007", "12:30", "9:30", "12:30:45", "1.10", "08080", "0x1F", "1_000",
        "2026-01-03", "1e3", ".5", "+1", "-3", "inf", ".nan", "50%", "C#", "a#b", "x:y", "http://a.b/c", "null island",
        "~/bin", "${HOME}", "a %s {0}", "O'Brien & Co <Lot 7>", "50% off", "a - b", "naïve", "Zoe\u0308", "日本", "😀",
    ],
)  # fmt: skip
def test_a_plain_scalar_is_the_text_as_it_is_written(scalar):
    assert tree(f"v: {scalar}\nl: [1, 2]\n") == {"v": scalar, "l": ["1", "2"]}
    assert tree(f"- {scalar}\n") == [scalar]


@pytest.mark.parametrize("null", ["", "~", "null", "Null", "NULL"])
def test_a_plain_null_is_none_and_a_quoted_one_is_text(null):
    assert tree(f"v: {null}\nw: '{null}'\nl: [a, '{null}']") == {"v": None, "w": null, "l": ["a", null]}


def test_keys_are_text_too():
    assert tree("on: 1\nno: 2\n1: 3\n~: 4\nnull: 5\n") == {"on": "1", "no": "2", "1": "3", "~": "4", "null": "5"}


def test_block_text_is_trimmed_and_keeps_its_lines():
    assert tree("v: |\n  14\n") == {"v": "14"}
    assert tree("v: |+\n  a\n  b: c #d\n\n\nw: >\n  x\n  y\n") == {"v": "a\nb: c #d", "w": "x y"}
    assert tree("v: |\n  ---\n  - {{ x }}\n  %TAG @home\n") == {"v": "---\n- {{ x }}\n%TAG @home"}


@pytest.mark.parametrize("end", ["\r\n", "\r", "\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_line_ends_and_byte_order_marks_change_nothing(end, mark):
    text = "a: |\n  x\n  y\nb: 'p\n  q'\nc: [1,\n  2]\n"
    document = parse(mark + text.replace("\n", end), "f.yaml")
    assert document.problems == ()
    assert document.tree == {"a": "x\ny", "b": "p q", "c": ["1", "2"]}
    assert document.problem("X", "", ("c", 1)).where == "f.yaml:7:3"


def test_merge_keys_work_and_what_stands_there_wins():
    text = "base: &base {a: 1, b: 2}\nmore: &more {b: 3, c: 4}\nx:\n  <<: *base\n  b: 9\ny:\n  <<: [*base, *more]\n"
    assert tree(text)["x"] == {"a": "1", "b": "9"}
    assert tree(text)["y"] == {"a": "1", "b": "2", "c": "4"}
    assert tree("'<<': 1") == {"<<": "1"}


def test_an_alias_is_the_thing_it_names_with_the_place_where_it_stands():
    document = parse("a: &x\n  k: v\nb: *x\n", "f.yaml")
    assert document.tree == {"a": {"k": "v"}, "b": {"k": "v"}}
    assert document.problem("X", "", ("b", "k")).line == 2


@given(st.text(st.characters(exclude_categories=["Cs", "Co", "Cc"], exclude_characters="\ufffe\uffff"), max_size=40))
@example("\u2028x")
@example(" lead and trail ")
def test_a_quoted_text_comes_back_as_it_is(text):
    assert tree(f"v: {json.dumps(text)}\n") == {"v": text}
    assert tree(f"v: {json.dumps(text, ensure_ascii=False)}\n")["v"].split() == text.split()


# -- places -----------------------------------------------------------------------------------------------------


def test_everything_has_a_place():
    document = parse("a:\n  - b: 1\n    cé: [x, {d: y}]\ne:\n", "f.yaml")

    def at(*loc, key=False):
        problem = document.problem("X", "", loc, key=key)
        return problem.line, problem.col

    assert at() == (1, 1)
    assert at("a") == (2, 3)
    assert at("a", key=True) == (1, 1)
    assert at("a", 0, "b") == (2, 8)
    assert at("a", 0, "b", key=True) == (2, 5)
    assert at("a", 0, "cé", 1, "d") == (3, 17)
    assert at("a", 0, "missing") == (2, 5)
    assert at("a", 9) == (2, 3)
    assert at("e") == (4, 1)


def test_a_comment_names_the_codes_it_silences():
    document = parse("a: 1  # suitegen: ignore[L101]\nb: 2  #suitegen: ignore[L101, L102] because\nc: 3\n", "f.yaml")
    assert document.ignores(1) == {"L101"}
    assert document.ignores(2) == {"L101", "L102"}
    assert document.ignores(3) == document.ignores(99) == document.ignores(0) == frozenset()


# -- mistakes ---------------------------------------------------------------------------------------------------

MISTAKES = {
    "v: @home": [("F003", 1, 4)],
    "v: `code`": [("F003", 1, 4)],
    "v: %50": [("F003", 1, 4)],
    "v: *star": [("F003", 1, 4)],
    "v: *": [("F003", 1, 4)],
    "v: !important": [("F003", 1, 4)],
    "v: !!int 3": [("F003", 1, 4)],
    "v: !x [a]": [("F003", 1, 4)],
    "v: =": [("F003", 1, 4)],
    "v: {{ value }}": [("F003", 1, 4)],
    "v: {{ value }} more": [("F003", 1, 4)],
    "v: {% if x %}": [("F003", 1, 4)],
    "- {{ value }}": [("F003", 1, 3)],
    "l: [a, {{ b }}, c]": [("F003", 1, 8)],
    "l: [a, at 9:30 {{ b }} or {{ c }}, d]": [("F003", 1, 8)],
    "- {lines: [It is {{ b }}.]}": [("F003", 1, 12)],
    "- {line: It is {{ b }}, c: d}": [("F003", 1, 10)],
    "{{ k }}: 1": [("F003", 1, 1)],
    "ask: What is it: a or b?": [("F003", 1, 6)],
    'v: "a" b': [("F003", 1, 4)],
    "v: 'it's'": [("F003", 1, 4)],
    'v: "open\nw: 1': [("F003", 1, 4)],
    "v: [a] b": [("F003", 1, 4)],
    "v: > 5": [("F003", 1, 4)],
    "v: | x": [("F003", 1, 4)],
    "v: ? x": [("F003", 1, 4)],
    "v: ]": [("F003", 1, 4)],
    "v: , x": [("F003", 1, 4)],
    "- {value: @Pulse}": [("F003", 1, 11)],
    "- {value: Pulse, aliases: [`a`, b]}": [("F003", 1, 28)],
    "l: [a, %b, c]": [("F003", 1, 8)],
    "- {value: {{ x }} more, aliases: []}": [("F003", 1, 11)],
    "- {value: What: now}": [("F003", 1, 11)],
    "- {value: 'it's', b: c}": [("F003", 1, 11)],
    '- {value: "a" b}': [("F003", 1, 11)],
    "v:\n\t- x": [("F004", 2, 1)],
    "v:\n  a: 1\n\tb: 2\n\tc: 3": [("F004", 3, 1)],
    "a:\tb": [("F004", 1, 3)],
    "a: 1\nb: 2\na: 3": [("F005", 3, 1)],
    "- {a: 1, a: 2}": [("F005", 1, 10)],
    "place: Room #4": [("F006", 1, 13)],
    "v: #12": [("F006", 1, 4)],
    "- #12": [("F006", 1, 3)],
    "l: [a,\n  b #c\n  ]": [("F006", 2, 5)],
    "v: &co Ltd": [("F006", 1, 4)],
    "v: a\u0001b": [("F007", 1, 5)],
    "v: \u0085": [("F007", 1, 4)],
    "v: \ue123": [("F007", 1, 4)],
    "v: \ud83d": [("F007", 1, 4)],
    'v: "\\ud83d"': [("F007", 1, 4)],
    'v: "\\x07"': [("F007", 1, 4)],
    "v: " + "[" * 60 + "]" * 60: [("F008", 1, 43)],
    "": [("F009", 1, 1)],
    "# only a comment\n": [("F009", 1, 1)],
    "a: 1\n---\nb: 2\n": [("F009", 2, 1)],
    "a: [1, 2\nb: 3": [("F002", 1, 4)],
    "a: {x: 1\nb: 2\n": [("F002", 1, 4)],
    "a: 1\n b: 2": [("F002", 2, 3)],
    " a: 1\nb: 2": [("F002", 2, 1)],
    "a: - b": [("F002", 1, 4)],
    "- a\nb: c": [("F002", 2, 1)],
    'a: "x\\q"': [("F002", 1, 6)],
    "? [a]\n: b": [("F002", 1, 3)],
    "l:\n  - a\n   - b": [("F002", 3, 4)],
    ": b": [("F002", 1, 1)],
    "<<: 3": [("F002", 1, 1)],
    "%TAG x\na: 1": [("F002", 1, 6)],
}


@pytest.mark.parametrize("text", MISTAKES, ids=lambda text: repr(text)[:30])
def test_a_mistake_has_one_problem_at_its_place(text):
    document = parse(text, "f.yaml")
    assert places(document) == MISTAKES[text], document.problems
    assert all(problem.path == "f.yaml" for problem in document.problems)


def test_most_mistakes_say_what_to_do():
    for text, found in MISTAKES.items():
        if found[0][0] in ("F003", "F004", "F006", "F007"):
            for problem in parse(text, "f.yaml").problems:
                assert problem.hint


def test_every_line_that_lacks_quotes_is_found_in_one_run():
    text = "a: @x\nb: {{ y }} z\nc:\n  - *q\n  - `r`\n  - it's: fine: really\nd: 1\nd: 2\ne: ok # c\nf: x #y\n"
    document = parse(text, "f.yaml")
    assert sorted(places(document)) == [
        ("F003", 1, 4),
        ("F003", 2, 4),
        ("F003", 4, 5),
        ("F003", 5, 5),
        ("F003", 6, 11),
        ("F005", 8, 1),
        ("F006", 10, 6),
    ]
    assert document.tree["a"] == "@x"
    assert document.tree["b"] == "{{ y }} z"
    assert document.tree["c"] == ["*q", "`r`", {"it's": "fine: really"}]


def test_a_line_may_lack_quotes_in_several_places():
    text = "- {value: %x, aliases: [@y, `z`], k: @q}\n- {a: [1, @b], c: What: now, d: 1, d: 2}\n"
    document = parse(text, "f.yaml")
    assert [(line, text.split("\n")[line - 1][col - 1 :][:2]) for _, line, col in places(document)] == [
        (1, "%x"), (1, "@y"), (1, "`z"), (1, "@q"), (2, "@b"), (2, "Wh"), (2, "d:"),
    ]  # fmt: skip
    assert document.tree[0] == {"value": "%x", "aliases": ["@y", "`z`"], "k": "@q"}
    assert document.tree[1]["c"] == "What: now"


def test_a_block_that_is_no_yaml_does_not_hide_the_others():
    text = "a: 1\nb:\n  c: [x, y\n  d: 5\ne: @f\ng:\n - h\n  - i\nj: 1\nj: 2\nk: [[" + "[" * 60 + "\nl: m\n"
    document = parse(text, "f.yaml")
    assert places(document) == [("F002", 3, 6), ("F003", 5, 4), ("F008", 11, 43), ("F002", 8, 3), ("F005", 10, 1)]
    assert document.lost == ("b", "k")
    assert document.tree == {"a": "1", "e": "@f", "g": ["h - i"], "j": "1", "l": "m", "b": None, "k": None}
    assert document.problem("X", "", ("b",)).line == 0


def test_all_lines_of_a_large_file_that_lack_quotes_are_found():
    text = "".join(f"k{number}: @x\n" for number in range(150))
    assert codes(parse(text, "f.yaml")) == ["F003"] * 150
    text = "".join(f"k{number}: @x\n" for number in range(500))
    found = parse(text, "f.yaml").problems
    assert len(found) < 500
    assert "more mistakes of this kind" in found[-1].message


def test_a_text_has_a_length():
    document = parse(f"a: {'x' * 30000}\nb: '{'y' * 30000}'\n", "f.yaml")
    assert places(document) == [("F008", 1, 4), ("F008", 2, 4)]
    assert {len(text) for text in document.tree.values()} == {TEXT_LIMIT}


def test_a_second_key_names_both_lines():
    (problem,) = parse("values: [a]\n" + "# filler\n" * 40 + "values: [b]\n", "f.yaml").problems
    assert "on line 1 and on line 42" in problem.message
    assert parse("a: 1\na: 2", "f.yaml").tree == {"a": "1"}


def test_a_comment_after_a_space_is_no_loss():
    assert codes(parse("a: b # c\nd: e ## f\ng: h\n# i\nl: # the list\n  - x\n", "f.yaml")) == []
    assert codes(parse("a: 'b' #c\n", "f.yaml")) == []


def test_an_alias_bomb_is_stopped():
    lines = ["x0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    lines += [f"x{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 12)]
    document = parse("\n".join(lines), "f.yaml")
    assert codes(document) == ["F008"]
    assert document.root is None
    assert codes(parse("x: &a [*a]", "f.yaml"))[0] == "F003"


def test_only_twenty_bad_characters_of_a_file_are_reported():
    assert codes(parse("a: '" + "\u0001" * 50 + "'", "f.yaml")) == ["F007"] * 20


@pytest.mark.parametrize(
    ("data", "part"),
    [
        (b"a: caf\xe9", "not UTF-8 (byte 7)"),
        ("a: b".encode("utf-16"), "not UTF-8 (byte 1)"),
        (b"#" * (SIZE_LIMIT + 1), "the most is"),
    ],
)
def test_a_file_that_is_no_text_is_one_problem(tmp_path, data, part):
    path = tmp_path / "f.yaml"
    path.write_bytes(data)
    document = read(path, "f.yaml")
    assert codes(document) == ["F001"]
    assert part in document.problems[0].message
    assert document.root is None
    assert document.tree is None


def test_a_file_that_is_not_there_is_a_problem(tmp_path):
    assert codes(read(tmp_path / "none.yaml", "none.yaml")) == ["F001"]
    assert codes(read(tmp_path, "folder")) == ["F001"]


# -- the two parsers --------------------------------------------------------------------------------------------

PIECES = [
    "a", "b: ", "key: ", "- ", "\n", "\n  ", "\n    ", "  ", "\n- ", "\n  - ", ": ", "#", " #x", " # c", "'",
    '"', "[", "]", "{", "}", ", ", ",", "&x ", "*x", "!t ", "!!str ", "|\n", "|-\n", ">\n", ">+\n", "9:30",
    "007", "no", "null", "~", "%", "@", "`", "?", "? ", "-", "--- ", "\n---\n", "...", "\t", "=", "<<: ",
    "{{ v }}", "\\n", "\\x41", "é", "😀", ":", "::", "a:b", "'it''s'", '"q"', "|2\n", "word word", "x-y", "- - ",
    "http://a.b", "\u2028", "\ufeff",
]  # fmt: skip
SOUP = st.lists(st.sampled_from(PIECES), max_size=14).map("".join)


@given(SOUP)
def test_both_parsers_read_alike(text):
    text = f"top:\n  {text}"
    fast = parse(text, "f.yaml")
    kept, events._FAST = events._FAST, None
    try:
        slow = parse(text, "f.yaml")
    finally:
        events._FAST = kept
    assert fast.tree == slow.tree
    assert fast.problems == slow.problems


@given(st.one_of(st.text(), SOUP))
@example("\x00")
@example("a: &a\n  b: *a")
@example("!<x> y")
def test_no_text_breaks_the_reader(text):
    document = parse(text, "f.yaml")
    assert document.root is not None or document.problems
    for problem in document.problems:
        assert 1 <= problem.line <= len(document.lines)
        assert str(problem)


def test_a_child_that_is_not_there_is_none():
    root = parse("a: [x]", "f.yaml").root
    assert child(root, "b") is None
    assert child(child(root, "a"), 1) is None
    assert child(child(root, "a"), "x") is None
    assert child(None, "a") is None
