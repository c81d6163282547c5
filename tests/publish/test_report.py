from __future__ import annotations

import base64
import hashlib
import json
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from suitegen.publish.pages import shipped_templates
from suitegen.publish.report import report, script_data
from suitegen.publish.stats import measure

HOSTILE = "</script></style><img src=x onerror=alert(1)><!--<script> | \u2028 & {{ 7 * 7 }}"


class Page(HTMLParser):
    """The elements of a page and the text of its scripts and styles."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.blocks, self._open = [], [], None
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag in ("script", "style", "title", "h1"):
            self._open = tag
            self.blocks.append([tag, dict(attrs), ""])

    def handle_endtag(self, tag):
        if tag == self._open:
            self._open = None

    def handle_data(self, data):
        if self._open:
            self.blocks[-1][2] += data

    def texts(self, tag):
        return [text for name, _, text in self.blocks if name == tag]


def made(suite, **options):
    return report(suite, measure(suite.episodes), shipped_templates(), **options)


def data(text):
    (found,) = [text for name, attrs, text in Page(text).blocks if attrs.get("id") == "data"]
    return json.loads(found)


@pytest.fixture(scope="module")
def hostile(make_suite, wording):
    return make_suite(2, wording(filler=HOSTILE, title=HOSTILE, question=HOSTILE), about=HOSTILE)


def test_hostile_text_becomes_no_element(hostile):
    page = Page(made(hostile))
    names = [tag for tag, _ in page.tags]
    assert names.count("script") == 2
    assert names.count("style") == 1
    assert not {"img", "iframe", "link", "object", "embed"} & set(names)
    assert not [attrs for _, attrs in page.tags if any(name.startswith("on") for name in attrs)]
    assert page.texts("title")[0].strip().startswith("</script></style><img")


def test_the_episodes_are_in_the_page_as_they_are(hostile):
    first, _ = data(made(hostile))
    assert first["probes"][0]["question"] == HOSTILE
    assert first["sessions"][1]["turns"][0] == ["user", "", HOSTILE]


@given(st.text())
def test_any_text_in_a_script_comes_back_and_ends_nothing(text):
    block = str(script_data(json.dumps(text, ensure_ascii=False)))
    assert json.loads(block) == text
    assert not set("<>&\u2028\u2029") & set(block)


def test_the_policy_names_the_very_blocks_of_the_page(make_suite):
    page = Page(made(make_suite(2)))
    (policy,) = [a["content"] for tag, a in page.tags if tag == "meta" and "http-equiv" in a]
    (style,) = page.texts("style")
    script = page.texts("script")[-1]
    for block, rule in ((style, "style-src"), (script, "script-src")):
        hashed = base64.b64encode(hashlib.sha256(block.encode()).digest()).decode()
        assert f"{rule} 'sha256-{hashed}'" in policy
    assert policy.startswith("default-src 'none'")
    assert "unsafe" not in policy


def test_the_page_loads_nothing(make_suite):
    page = Page(made(make_suite(2)))
    links = [a[name] for _, a in page.tags for name in ("src", "href", "action") if name in a]
    assert links
    assert all(link.startswith("#") for link in links)
    assert not [
        word
        for word in ("innerHTML", "insertAdjacentHTML", "document.write", "eval(")
        if word in page.texts("script")[-1]
    ]
    assert "style" not in {name for _, attrs in page.tags for name in attrs}


def test_the_static_part_tells_gates_balance_and_failures(make_suite):
    text = made(make_suite(3))
    assert "\u2713 passed" in text
    assert "\u2013 not run" in text
    assert "no judge model was named" in text
    assert "current 0.25 (threshold 0.35, 95 % interval 0.1 to 0.4, n = 3)" in text
    assert "<code>no_echo</code>" in text
    assert "authoritative_update" in text


def test_an_episode_is_readable(make_suite):
    first, *_ = data(made(make_suite(2)))
    encoding, background, perturbation, _ = first["sessions"]
    assert [session["filler"] for session in first["sessions"]] == [False, True, False, True]
    assert encoding["places"] == [[0, 1, "encoding", "event", "offline, CC0-1.0"]]
    (mark,) = perturbation["marks"]
    quote = perturbation["turns"][0][2][mark["start"] : mark["end"]]
    assert quote == "The standup moved to 10:15, two people joined from Lisbon."
    assert first["events"]["e2"] == "update; target; 10:15; by user; strong; states act, value, trigger"
    assert background["turns"][1][0] == "assistant"
    current = first["probes"][0]
    assert current["gold"] == [["value", "10:15", "9:30 / half past nine"]]
    assert current["evidence"] == [{"field": "value", "groups": [{"need": 1, "of": [["e2", "value", "ep-0000-2"]]}]}]


def test_background_is_left_out_of_a_large_report(make_suite):
    text = made(make_suite(2), full=10)
    assert "The text of background sessions is left out" in text
    assert [session["turns"] is None for session in data(text)[0]["sessions"]] == [False, True, False, True]
    assert "The text of background sessions is left out" not in made(make_suite(2))
