from __future__ import annotations

import base64
import hashlib
import json
import re
import weakref
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from suitegen.model.finding import Finding, Measure, Verdict
from suitegen.model.gold import Gold, GoldField
from suitegen.publish.episode_page import episode_data
from suitegen.publish.excerpt import excerpt, script_data
from suitegen.publish.manifest import assemble
from suitegen.publish.pages import shipped_templates
from suitegen.publish.report import report
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
    return [json.loads(text) for _, attrs, text in Page(text).blocks if "data-episode" in attrs]


@pytest.fixture(scope="module")
def hostile(make_suite, wording):
    return make_suite(2, wording(filler=HOSTILE, title=HOSTILE, question=HOSTILE), about=HOSTILE)


def test_hostile_text_becomes_no_element(hostile):
    page = Page(made(hostile))
    names = [tag for tag, _ in page.tags]
    assert names.count("script") == 1 + 2
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


def test_the_static_part_tells_gates_shortcuts_balance_and_failures(make_suite):
    text = made(make_suite(3))
    assert "\u2713</span> passed" in text
    assert "\u2013</span> not run" in text
    assert "no judge model was named" in text
    assert '<th scope="row">current</th>' in text
    assert '<td class="n">0.25</td><td class="n">0.35</td><td class="n far soft">0.1 to 0.4</td>' in text
    assert "<code>no_echo</code>" in text
    assert "authoritative update" in text


def test_a_rule_above_its_ceiling_is_marked(make_build):
    measures = (
        Measure(name="current by latest mention", value=0.4, threshold=0.35, n=56),
        Measure(name="current by always update", value=0.5, threshold=0.55, n=56),
        Measure(name="previous by first mention", value=1.0, n=28),
    )
    verdict = Verdict(gate="release", validator="shortcuts", level="suite", status="failed", measures=measures)
    text = made(assemble(replace(make_build(2), verdicts=[verdict])))
    rows = re.findall(
        r'<tr( class="over")?><th scope="row">([^<]*)</th><td class="chart">.*?<td class="n">([^<]*)</td>', text
    )
    assert (' class="over"', "latest mention", "40 %") in rows
    assert ("", "always update", "50 %") in rows
    assert ("", "first mention", "100 %") in rows
    assert "1 above the ceiling" in text


def test_an_episode_is_readable(make_suite):
    first, *_ = data(made(make_suite(2)))
    encoding, background, perturbation, _ = first["sessions"]
    assert encoding["places"] == [[0, 1, "encoding", "event", "offline, CC0-1.0"]]
    assert background["places"][0][3] == "background"
    (mark,) = perturbation["marks"]
    quote = perturbation["turns"][0][2][mark["start"] : mark["end"]]
    assert quote == "The standup moved to 10:15, two people joined from Lisbon."
    assert first["events"]["e2"] == {
        "op": "update", "about": "target", "value": "10:15", "who": "user", "says": "act, value, trigger", "at": 2,
        "more": [["trigger", "two people joined from Lisbon"], ["resolves", "e1"]],
    }  # fmt: skip
    current, temporal = first["probes"]
    assert current["gold"] == [["value", "10:15", ["10.15"], ["9:30 / half past nine"]]]
    assert current["evidence"] == [["value", [[1, [["e2", "value"]]]]]]
    assert current["sibling"] is None
    assert current["replay"] == temporal["replay"]
    assert first["replays"] == [[["e1", "active", "9:30", "none"], ["e2", "active", "10:15", "9:30"]]]


def test_the_counterfactual_tells_what_the_answer_would_have_been(make_episode):
    episode = make_episode()
    other = episode.counterfactual.model_copy(
        update={
            "gold": {"ep-0000-p1": Gold(type="current", fields=(GoldField(name="value", form="value", answer="9:30"),))}
        }
    )
    data = episode_data(episode.model_copy(update={"counterfactual": other}))
    assert [probe["sibling"] for probe in data["probes"]] == [["decoy_no_update", [["value", "9:30"]]], None]


# -- which episodes are shown -----------------------------------------------------------------------------------


def judged(episode, status):
    verdict = Verdict(gate="episode", validator="dates", level="episode", status=status)
    return episode.model_copy(update={"verdicts": (verdict,)})


def of_condition(episode, condition):
    return episode.model_copy(update={"spec": episode.spec.model_copy(update={"condition": condition})})


class Once:
    """Episodes that can be gone through once, and tell how many of them are still in memory."""

    def __init__(self, number, make):
        self.number, self.make = number, make
        self.most = 0

    def __iter__(self):
        number, self.number = self.number, 0
        alive = []
        for index in range(number):
            episode = self.make(index)
            alive = [ref for ref in alive if ref() is not None]
            alive.append(weakref.ref(episode))
            self.most = max(self.most, len(alive))
            yield episode
            del episode


def test_a_large_suite_is_gone_through_once_and_never_held(make_episode):
    episodes = Once(400, make_episode)
    found = excerpt(episodes, 100_000)
    assert episodes.most <= 3
    assert found.episodes == 400
    assert 10 < len(found.shown) < 40
    assert len({shown.id for shown in found.shown}) == len(found.shown)


def test_what_failed_comes_first_and_leaves_room(make_episode):
    failed = [judged(make_episode(index), "failed" if index % 100 == 99 else "passed") for index in range(400)]
    found = excerpt(failed, 100_000)
    assert (found.failed, found.failed_shown) == (4, 4)
    assert len(found.shown) > 4
    every = excerpt([judged(episode, "failed") for episode in failed[:399]] + failed[399:400], 100_000)
    assert every.failed == 400
    assert 0 < every.failed_shown < 400


def test_failures_take_half_of_the_room_at_most(make_episode):
    episodes = [judged(make_episode(index), "failed" if index % 2 else "passed") for index in range(400)]
    found = excerpt(episodes, 100_000)
    half = len(found.shown) / 2
    assert abs(found.failed_shown - half) <= 1


def test_every_condition_has_its_share(make_episode):
    rare = {17: "rare", 350: "rare", 399: "last"}
    episodes = [of_condition(make_episode(index), rare.get(index, "frequent")) for index in range(400)]
    shown = [(shown.id, shown.condition) for shown in excerpt(episodes, 100_000).shown]
    assert ("ep-0017", "rare") in shown
    assert ("ep-0350", "rare") in shown
    assert ("ep-0399", "last") in shown
    assert shown == sorted(shown)


@given(st.integers(0, 200_000))
def test_the_sample_fits_and_is_the_same_every_time(made_episodes, room):
    found = excerpt(made_episodes, room)
    assert sum(len(shown.data.encode()) for shown in found.shown) <= room
    assert found == excerpt(made_episodes, room)


@pytest.fixture(scope="module")
def made_episodes(make_episode):
    return [judged(make_episode(index), "failed" if index % 5 == 0 else "passed") for index in range(12)]


def test_a_long_episode_loses_its_background_first(make_episode, wording):
    episode = make_episode(0, wording(filler="so long " * 5_000))
    (whole,) = excerpt([episode], 1_000_000).shown
    found = excerpt([episode], 200_000)
    (cut,) = found.shown
    assert whole.whole
    assert found.cut == 1
    turns = [session["turns"] for session in json.loads(cut.data.unescape())["sessions"]]
    assert [all(turn is None for turn in found) for found in turns] == [False, True, False, True]
    assert excerpt([episode], 10_000).shown == ()


def test_the_page_says_what_it_leaves_out(make_suite, wording):
    text = made(make_suite(40, wording(filler="so long " * 500)), room=100_000)
    shown = len(data(text))
    assert 0 < shown < 40
    assert f"{shown} of 40 episodes are shown" in text
    assert f"Of {shown} the text of background dialogues is left out" not in text
    assert "episodes are shown" not in made(make_suite(2))


def test_the_page_stays_small_whatever_the_suite(make_build):
    build = make_build(30)
    many = tuple(
        Measure(name=f"current by {HOSTILE} {number}", value=0.5, threshold=0.4, n=9) for number in range(2_000)
    )
    findings = tuple(Finding(code=f"C{number}", message=HOSTILE * 100) for number in range(2_000))
    verdicts = [
        Verdict(gate="release", validator="shortcuts", level="suite", status="failed", measures=many, findings=findings)
    ]
    planned = {f"case-{index}": 1 for index in range(20_000)}
    text = made(assemble(replace(build, planned=planned, verdicts=verdicts)))
    assert len(text.encode()) < 1_000_000
    assert "and 19,870 more cases" in text
    assert "and 1,980 more findings" in text
