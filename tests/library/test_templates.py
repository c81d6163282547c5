from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from suitegen.errors import TemplateError
from suitegen.library import templates
from suitegen.library.templates import LIMIT, TemplateFolder, cap, compile_line, uses, variables


def render(text, **values):
    return compile_line(text, "f.yaml:3").render(values)


# -- what comes out ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("at {{ value }}", "at 9:30"),
        ("at {{value}}.", "at 9:30."),
        ("{{ value }}{{ value }}", "9:309:30"),
        ("{{ word|cap }} is", "Émile is"),
        ("{{ word | cap }}", "Émile"),
        ('{"at": {{ value }}}', '{"at": 9:30}'),
        (
            'Reply as {"turns": [{"role": "user"}]}, {curly} and a lone }',
            'Reply as {"turns": [{"role": "user"}]}, {curly} and a lone }',
        ),
        ("{{ '{{name}}' }}", "{{name}}"),
        ("{% raw %}{{x}}{% endraw %}", "{{x}}"),
        ("{% if value %}yes{% else %}no{% endif %}", "yes"),
        ("{{ none_such | default('-') }}", "-"),
        ("{% if none_such is defined %}a{% endif %}b", "b"),
        ("{% for i in range(3) %}{{ i }}{% endfor %}", "012"),
        ("{{ value ~ '!' }}", "9:30!"),
        ("100 % {value}", "100 % {value}"),
        ("two\nlines {{ value }}", "two\nlines 9:30"),
    ],
)
def test_a_line_is_filled(text, expected):
    assert render(text, value="9:30", word="émile") == expected


@pytest.mark.parametrize(
    "value",
    [
        "{{ secret }}",
        "{# note",
        "{% raw %}",
        "50% off",
        "${HOME}",
        "%s",
        "{0}",
        "O'Brien & Co <Lot 7>",
        "a\\b",
        "\n",
        "{{",
        "&amp;",
    ],
)
def test_a_value_is_data(value):
    assert render("x {{ v }} y", v=value) == f"x {value} y"
    assert render("x {{ v ~ '' }} y", v=value) == f"x {value} y"
    assert render("{{ v | trim }}", v=f" {value}x ") == f"{value}x".strip()


@given(st.text(), st.text(max_size=20), st.text(max_size=20))
def test_the_short_way_of_filling_gives_what_jinja_gives(text, first, second):
    for line in (f"{text}{{{{ a }}}}", f"{{{{ a|cap }}}}{text}{{{{ b }}}}", text):
        values = {"a": first, "b": second}
        try:
            quick = compile_line(line).render(values)
        except TemplateError:
            continue
        if templates._parts(line) is not None and "\r" not in line:
            assert quick == templates._LINES.from_string(line).render(values)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("abc", "Abc"),
        ("", ""),
        ("'abc'", "'Abc'"),
        ("9 am", "9 am"),
        ("iPhone", "IPhone"),
        ("ßa", "SSa"),
        ("- é", "- É"),
        ("Ab", "Ab"),
    ],
)
def test_cap_changes_the_first_letter_only(text, expected):
    assert cap(text) == expected


# -- variables --------------------------------------------------------------------------------------------------


def test_variables_are_the_names_that_come_from_outside():
    assert variables("{{ a }} {{ b|cap }} {% if c %}{{ d.e }}{% endif %}") == {"a", "b", "c", "d"}
    assert variables("{% for x in items %}{{ x }}{{ loop.index }}{% endfor %}") == {"items"}
    assert variables("{% for i in range(n) %}{{ i }}{% endfor %}") == {"n"}
    assert variables("plain {x} text") == variables("{{ 'a' }}") == frozenset()
    assert variables("{{ x | default('') }}{{ y is defined }}") == {"x", "y"}


def test_every_use_knows_its_line():
    assert [(use.name, use.line) for use in uses("{{ a }}\n{{ b }}\n\n{{ a }}")] == [("a", 0), ("b", 1), ("a", 3)]
    assert [(use.name, use.line) for use in uses("{% if a %}\n{{ b.c }}\n{% endif %}")] == [("a", 0), ("b", 1)]


def test_an_unknown_name_is_named_with_the_nearest_one():
    for text in ("{{ valeu }}", "{{ valeu ~ '' }}"):
        with pytest.raises(TemplateError, match="'valeu' is not known here") as caught:
            render(text, value="x", old="y")
        assert caught.value.where == "f.yaml:3"
        assert caught.value.hint == "did you mean 'value'?"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("{{ persona.job.title }}", "persona.job.title"),
        ("{{ persona.name.first }}", "persona.name.first"),
        ("a\n{{ persona.nick }}", "persona.nick"),
    ],
)
def test_a_missing_part_is_named_by_its_whole_path(text, name):
    with pytest.raises(TemplateError) as caught:
        render(text, persona={"name": {"last": "Ito"}})
    assert caught.value.message == f"{name!r} is not known here"
    assert ("line 2" in caught.value.where) == ("\n" in text)


# -- what is refused --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    ["{{ value", "{{ value }", "{% if x %}", "{% endif %}", "{{ }}", "{# open", "{{ a b }}", "{% nope %}", "{{{ x }}"],
)
def test_a_text_that_is_no_template_is_an_error_of_its_author(text):
    for check in (compile_line, variables, uses):
        with pytest.raises(TemplateError, match="not a valid template") as caught:
            check(text, "f.yaml:3")
        assert caught.value.where.startswith("f.yaml:3")


@pytest.mark.parametrize(
    "text",
    [
        "{% set a = 'x' %}{{ a }}",
        "{% macro m() %}{% endmacro %}",
        "{% include 'x' %}",
        "{{ 'x' * 1000 }}",
        "{{ 2 ** 9 }}",
        "{{ '%9999d' % 1 }}",
        "{{ value.center(1000) }}",
        "{{ value.__class__ }}{{ value() }}",
        "{{ value | center(1000) }}",
        "{{ value | capp }}",
        "{% for a in x recursive %}{{ loop(a) }}{% endfor %}",
        "{% for a in x %}{% for b in x %}{% for c in x %}{% endfor %}{% endfor %}{% endfor %}",
        "{{ lipsum(100000) }}",
    ],
)
def test_what_could_grow_without_end_is_refused_before_it_runs(text):
    with pytest.raises(TemplateError, match="not a valid template"):
        compile_line(text)


def test_a_rendering_is_bounded():
    with pytest.raises(TemplateError, match="more than 10000 steps"):
        render("{% for i in range(9999) %}{% for j in range(9999) %}{% endfor %}{% endfor %}")
    with pytest.raises(TemplateError, match="longer than"):
        render("{{ a }}{{ a }}", a="x" * (LIMIT // 2 + 1))
    with pytest.raises(TemplateError, match="longer than"):
        render("{% for i in range(9) %}{{ a }}{% endfor %}", a="x" * (LIMIT // 4))


def test_an_expression_that_fails_is_a_template_error():
    with pytest.raises(TemplateError, match="cannot be rendered"):
        render("{{ a + 1 }}", a="x")
    with pytest.raises(TemplateError, match="cannot be rendered"):
        render("{{ a.__class__.__mro__ }}", a="x")


# -- files ------------------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path):
    near, far = tmp_path / "near", tmp_path / "far"
    for path, text in {
        far / "a.md.j2": "{% set x = name %}Hello {{ x }}\n{% for i in items %}\n- {{ i }}\n{% endfor %}\nend\n",
        far / "b.md.j2": "far",
        near / "b.md.j2": "near {{ v }}\n",
        far / "report.html.j2": "<p>{{ v }}</p>",
        far / "bad.md.j2": "a\n{% if %}\n",
        far / "loop.md.j2": "{% for i in range(99999) %}{% endfor %}",
        far / "star.md.j2": "{{ 'x' * 99999 }}",
        far / "sub/c.md.j2": "{% include 'b.md.j2' %}{{ w }}",
    }.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (far / "latin.md.j2").write_bytes(b"caf\xe9")
    return TemplateFolder([near, far])


def test_a_file_is_rendered_and_the_nearer_one_shadows(folder):
    assert (
        folder.render("a.md.j2", {"name": "O'Brien & Co", "items": ["<x>", "y"]})
        == "Hello O'Brien & Co\n- <x>\n- y\nend\n"
    )
    assert folder.render("b.md.j2", {"v": "1"}) == "near 1\n"
    assert folder.render("sub/c.md.j2", {"v": "1", "w": "2"}) == "near 1\n2"
    assert folder.variables("a.md.j2") == {"name", "items"}


def test_only_html_is_escaped(folder):
    assert folder.render("report.html.j2", {"v": "<b> & 'c'"}) == "<p>&lt;b&gt; &amp; &#39;c&#39;</p>"


@pytest.mark.parametrize(
    ("name", "message", "where"),
    [
        ("none.md.j2", "there is no template 'none.md.j2'", "none.md.j2"),
        ("../far/b.md.j2", "there is no template", "../far/b.md.j2"),
        ("bad.md.j2", "not a valid template", "bad.md.j2:2"),
        ("loop.md.j2", "more than 10000 steps", "loop.md.j2"),
        ("star.md.j2", "works on numbers", "star.md.j2"),
        ("a.md.j2", "'name' is not known here", "a.md.j2"),
        ("latin.md.j2", "cannot be read", "latin.md.j2"),
    ],
)
def test_a_file_that_fails_is_named_with_its_line(folder, name, message, where):
    with pytest.raises(TemplateError) as caught:
        folder.render(name, {"items": [], "names": ""})
    assert message in caught.value.message
    assert caught.value.where.endswith(where)


def test_a_files_length_is_bounded_by_its_caller(folder):
    assert len(folder.render("b.md.j2", {"v": "x" * LIMIT}, limit=2 * LIMIT)) > LIMIT
    with pytest.raises(TemplateError, match="longer than 10 characters"):
        folder.render("b.md.j2", {"v": "x" * 10}, limit=10)
