"""The report as a browser shows it. Without a Chromium these tests are skipped, unless one is required."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass, field, replace
from urllib.parse import quote

import pytest
from playwright.sync_api import expect, sync_playwright

from suitegen.model.episode import PlacedSpan
from suitegen.model.finding import Finding, Verdict
from suitegen.publish.manifest import assemble
from suitegen.publish.pages import shipped_templates
from suitegen.publish.report import report
from suitegen.publish.stats import measure

CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
FLAGS = ("--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update")
CHROMIUM = next(filter(None, map(shutil.which, CHROMIUMS)), None)
MISSING = f"the report was opened in no browser: no Chromium is installed (one of {', '.join(CHROMIUMS)})"
DESKTOP = {"width": 1440, "height": 900}
PHONE = {"width": 390, "height": 844}

HOSTILE = {
    "markup": "</script></style></textarea><img src=x onerror=document.title='owned'><!--<script>document.title='owned'//",
    "quotes": '"\'`&quot;&#39; onclick="x" {{ 7 * 7 }} ${7 * 7} \\u003c \\',
    "right to left": "שעת הישיבה היא עשר \u202etxt.exe\u2066 مرحبا",
    "unbroken": "Donaudampfschifffahrtsgesellschaft" * 40,
    "control": "one\x01two\x1b[31mthree\x7f",
    "links": "javascript:alert(1) https://example.org/a.png data:text/html,<b>x</b>",
    "astral": "𝒳𝒴 👩‍👩‍👧 \U0010ffff e\u0301",
}
SHOWN = {**HOSTILE, "control": "one\u2401two\u241b[31mthree\u2421"}
"""What a reader sees of each: control characters are shown by their pictures."""

if CHROMIUM is None and not os.environ.get("REQUIRE_CHROMIUM"):
    pytest.skip(MISSING, allow_module_level=True)


@dataclass
class Tab:
    """A page of the browser with what it asked for and complained of."""

    page: object
    file: str
    requests: list = field(default_factory=list)
    errors: list = field(default_factory=list)

    def open(self, hash=""):
        self.page.goto("about:blank")
        self.page.goto(self.file + hash)
        return self.page


@pytest.fixture(scope="module")
def browser():
    assert CHROMIUM, MISSING
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def tab(browser, tmp_path):
    """Opens a suite's report at a size of the window; in the end nothing was asked for but the file."""
    tabs = []

    def opened(suite, size=DESKTOP, **options):
        file = tmp_path / f"report-{len(tabs)}.html"
        file.write_bytes(report(suite, measure(suite.episodes), shipped_templates(), **options).encode())
        context = browser.new_context(viewport=size, reduced_motion="reduce")
        tab = Tab(context.new_page(), file.as_uri())
        context.route("**/*", lambda route: (tab.requests.append(route.request.url), route.continue_()))
        tab.page.on("console", lambda message: tab.errors.append(message.text))
        tab.page.on("pageerror", lambda error: tab.errors.append(str(error)))
        tabs.append((tab, context))
        return tab

    yield opened
    for tab, context in tabs:
        context.close()
        assert {url.partition("#")[0] for url in tab.requests} <= {tab.file, "about:blank"}
        assert tab.errors == []


@pytest.fixture(scope="module")
def suite(make_build):
    """Six episodes of two conditions; one failed a check, one has a remark."""
    build = make_build(6)
    episodes = [
        episode.model_copy(
            update={"spec": episode.spec.model_copy(update={"condition": condition, "paradigm": paradigm})}
        )
        for episode, (paradigm, condition) in zip(
            build.episodes, [("interference", "decoy"), ("misinformation", "stale_tool")] * 3, strict=True
        )
    ]
    remark = Finding(code="R301", message="the answer to p1 is wrong", severity="warning", soft=True, session=2)
    for number, status in ((1, "failed"), (4, "passed")):
        verdict = Verdict(gate="episode", validator="dates", level="episode", status=status, why="", findings=(remark,))
        episodes[number] = episodes[number].model_copy(update={"verdicts": (verdict,)})
    return assemble(replace(build, episodes=tuple(episodes)))


def listed(page):
    return page.eval_on_selector_all(".list li:not([hidden])", "items => items.map(item => item.dataset.id)")


def overflow(page):
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


# -- text is text -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_shown_as_it_is(tab, make_suite, wording, name):
    text = HOSTILE[name]
    tab = tab(make_suite(2, wording(filler=text, title=text, question=text), about=text))
    page = tab.open("#ep-0000")
    page.get_by_role("button", name="Unfold all").click()
    assert page.locator(".probe .question").first.inner_text() == SHOWN[name]
    assert page.locator(".turn.user .text").nth(1).inner_text() == SHOWN[name]
    assert page.locator("img, iframe, object, embed, form[action]").count() == 0
    assert not page.title().startswith("owned")
    assert overflow(page) == 0
    page.goto(tab.file + "#overview")
    assert page.locator(".about").text_content() == text
    assert overflow(page) == 0


def test_an_id_may_hold_anything(tab, make_build):
    build = make_build(2)
    odd = "a\"b'c</script> #%/é"
    first = build.episodes[0]
    rename = {"episode_id": odd, "probes": tuple(
        asked.model_copy(update={"question": asked.question.model_copy(update={"episode_id": odd})}) for asked in first.probes
    )}  # fmt: skip
    episodes = (first.model_copy(update=rename), build.episodes[1])
    page = tab(assemble(replace(build, episodes=episodes))).open("#" + quote(odd, safe=""))
    assert page.locator(".episode").get_attribute("aria-label") == f"Episode {odd}"
    page.locator(".probe .needs a").first.click()
    assert page.locator(".hit").get_attribute("data-part") == "s2"


# -- reading an episode -----------------------------------------------------------------------------------------


def test_a_deep_link_opens_the_episode(tab, suite):
    page = tab(suite).open("#ep-0003")
    assert page.locator(".episode").get_attribute("aria-label") == "Episode ep-0003"
    assert page.locator(".list a[aria-current]").count() == 1
    assert page.locator(".list li:has(a[aria-current])").get_attribute("data-id") == "ep-0003"
    assert not page.locator("#overview").is_visible()
    assert page.evaluate("document.activeElement.tagName") == "H2"


def test_a_deep_link_opens_a_session_and_a_question(tab, suite):
    tab = tab(suite)
    page = tab.open("#ep-0003/s1")
    assert page.locator(".hit").get_attribute("data-part") == "s1"
    assert page.locator(".hit").get_attribute("open") is not None
    page = tab.open("#ep-0003/p2")
    assert page.locator(".hit .question").inner_text() == "What happened to the standup?"
    assert page.locator(".hit").is_visible()


def test_an_unknown_address_shows_the_overview(tab, suite):
    page = tab(suite).open("#nothing%E0%A4%A")
    assert page.locator("#overview").is_visible()
    assert not page.locator("#episodes").is_visible()


def test_fillers_are_folded_and_unfold(tab, suite):
    page = tab(suite).open("#ep-0000")
    folded, told = page.locator(".session.folded"), page.locator(".session:not(.folded)")
    assert (folded.count(), told.count()) == (2, 2)
    assert not page.get_by_text("Shall we look at a map?").is_visible()
    assert page.get_by_text("Noted.").is_visible()
    folded.first.locator("summary").click()
    assert page.get_by_text("Shall we look at a map?").is_visible()
    page.get_by_role("button", name="Unfold all").click()
    assert page.get_by_text("Hardly anything.").is_visible()
    page.get_by_role("button", name="Fold fillers").click()
    assert not page.get_by_text("Hardly anything.").is_visible()


def test_phases_differ_in_colour_and_in_words(tab, suite):
    page = tab(suite).open("#ep-0000")
    heads = [" ".join(text.split()) for text in page.locator(".session > :first-child").all_inner_texts()]
    words = ["0 encoding, event", "1 filler background", "2 perturbation, event", "3 post perturbation, background"]
    assert [head.startswith(word) for head, word in zip(heads, words, strict=True)] == [True] * 4
    colours = page.eval_on_selector_all(".session", "found => found.map(box => getComputedStyle(box).borderLeftColor)")
    assert len(set(colours)) == 4


def test_evidence_turns_are_marked_on_the_very_words(tab, suite):
    page = tab(suite).open("#ep-0000")
    turns = page.locator(".turn.proof")
    assert turns.locator("mark.proof").evaluate_all("marks => marks.map(mark => mark.firstChild.data)") == [
        "Our standup is at 9:30 for now.",
        "The standup moved to 10:15, two people joined from Lisbon.",
    ]
    assert turns.locator(".proves").all_inner_texts() == ["evidence for temporal", "evidence for current, temporal"]
    assert turns.locator("sup").all_inner_texts() == ["e1", "e2"]
    assert page.locator(".strip .proof").all_inner_texts() == ["0", "2"]


def test_what_is_said_and_proves_nothing_is_marked_otherwise(tab, make_build):
    build = make_build(1)
    (episode,) = build.episodes
    session = episode.sessions[3]
    quoted = PlacedSpan(
        event="e9", session_id=session.session_id, session=3, turn=0, start=0, end=11, quote="What rhymes"
    )
    event = episode.spec.events[0].model_copy(update={"id": "e9", "session": 3, "op": "mention"})
    spec = episode.spec.model_copy(update={"events": (*episode.spec.events, event)})
    changed = episode.model_copy(update={"spec": spec, "spans": (*episode.spans, quoted)})
    page = tab(assemble(replace(build, episodes=(changed,)))).open("#ep-0000/s3")
    assert page.locator(".hit mark").get_attribute("class") == "said"
    assert page.locator(".hit .turn.proof").count() == 0


def test_gold_and_replay_stand_beside_each_question(tab, suite):
    page = tab(suite).open("#ep-0000")
    card = page.locator(".probe").first
    assert card.locator(".gold").all_inner_texts() == ["10:15"]
    steps = [" ".join(text.split()) for text in card.locator(".replay li").all_inner_texts()]
    assert steps == [
        "e1 session 0, remember: 9:30 by user → active, current 9:30, previous none",
        "e2 session 2, update: 10:15 by user → active, current 10:15, previous 9:30",
    ]
    question, replay = card.locator(".question").bounding_box(), card.locator(".replay").bounding_box()
    assert replay["x"] > question["x"] + question["width"] - 1
    assert abs(replay["y"] - question["y"]) < 100


def test_evidence_leads_to_its_session_and_back(tab, suite):
    page = tab(suite).open("#ep-0000")
    page.locator(".probe .needs a").first.click()
    assert page.locator(".hit").get_attribute("data-part") == "s2"
    assert page.url.endswith("#ep-0000/s2")
    page.go_back()
    page.wait_for_function("document.querySelector('.hit').dataset.part === 'p1'")


# -- finding an episode -----------------------------------------------------------------------------------------


def test_the_filter_narrows_by_paradigm_condition_checks_and_text(tab, suite):
    page = tab(suite).open("#episodes")
    assert len(listed(page)) == 6
    page.get_by_role("combobox", name="Paradigm").select_option("misinformation")
    assert listed(page) == ["ep-0001", "ep-0003", "ep-0005"]
    assert page.get_by_role("status").inner_text() == "3 of 6"
    page.get_by_role("button", name="Show all").click()
    expect(page.get_by_role("status")).to_have_text("6 of 6")
    page.get_by_role("combobox", name="Condition").select_option("interference/decoy")
    assert listed(page) == ["ep-0000", "ep-0002", "ep-0004"]
    page.get_by_role("combobox", name="Condition").select_option("")
    page.get_by_role("combobox", name="Checks").select_option("failed")
    assert listed(page) == ["ep-0001"]
    page.get_by_role("combobox", name="Checks").select_option("noted")
    assert listed(page) == ["ep-0001", "ep-0004"]
    page.get_by_role("combobox", name="Checks").select_option("code:R301")
    assert listed(page) == ["ep-0001", "ep-0004"]
    page.get_by_role("combobox", name="Checks").select_option("")
    page.get_by_role("searchbox").fill("WALKS-5")
    expect(page.get_by_role("status")).to_have_text("1 of 6")
    assert listed(page) == ["ep-0005"]


def test_the_search_finds_quotes_and_letters_of_any_case(tab, make_suite, wording):
    page = tab(make_suite(2, wording(filler='He said "NO" to <b>Zürich</b>'))).open("#episodes")
    page.get_by_role("searchbox").fill('"no" <b>zürich</b>')
    expect(page.get_by_role("status")).to_have_text("2 of 2")
    page.get_by_role("searchbox").fill("nowhere-to-be-found")
    expect(page.get_by_role("status")).to_have_text("0 of 2")


def test_a_finding_leads_to_its_episodes(tab, suite):
    page = tab(suite).open("#failures")
    page.get_by_role("link", name="R301").click()
    expect(page.get_by_role("status")).to_have_text("2 of 6")
    page.locator(".list li:not([hidden]) a").first.click()
    expect(page.locator(".remarks").first).to_contain_text("the answer to p1 is wrong")


def test_next_and_previous_follow_the_filter(tab, suite):
    page = tab(suite).open("#ep-0000")
    page.get_by_role("combobox", name="Paradigm").select_option("interference")
    page.get_by_role("link", name="Next").click()
    page.wait_for_function("document.querySelector('.episode').getAttribute('aria-label') === 'Episode ep-0002'")


def test_the_keyboard_is_enough(tab, suite):
    page = tab(suite).open("#episodes")
    page.get_by_role("combobox", name="Condition").focus()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_function("location.hash === '#ep-0001'")
    page.locator(".session.folded > summary").first.focus()
    page.keyboard.press("Enter")
    assert page.get_by_text("Shall we look at a map?").is_visible()
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"


# -- every window -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("hash", ["", "#episodes", "#ep-0000"])
def test_a_phone_never_scrolls_sideways(tab, suite, hash):
    page = tab(suite, PHONE).open(hash)
    page.evaluate("document.querySelectorAll('details').forEach(node => { node.open = true; })")
    assert overflow(page) == 0


def test_names_without_a_place_to_break_fit_a_phone(tab, make_build):
    long = "x" * 300
    build = make_build(1)
    (episode,) = build.episodes
    spec = episode.spec
    member = spec.cast[0].model_copy(update={"entity": long, "attribute": long, "values": {long: long}})
    named = {"paradigm": long, "condition": long, "domain": long, "fact_type": long, "cast": (member,)}
    finding = Finding(code=long, message=long, session=2)
    verdict = Verdict(gate=long, validator=long, level="episode", status="failed", why=long, findings=(finding,))
    places = tuple(place.model_copy(update={"origin": long, "license": long}) for place in episode.placements)
    changed = episode.model_copy(
        update={"spec": spec.model_copy(update=named), "verdicts": (verdict,), "placements": places}
    )
    tab = tab(assemble(replace(build, episodes=(changed,))), PHONE)
    for hash in ("", "#episodes", "#ep-0000"):
        page = tab.open(hash)
        page.evaluate("document.querySelectorAll('details').forEach(node => { node.open = true; })")
        assert overflow(page) == 0


def test_the_skip_link_leads_past_the_list(tab, suite):
    page = tab(suite).open("#ep-0001")
    page.locator(".skip").focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "pane"
    assert page.url.endswith("#ep-0001")


def test_on_a_phone_the_list_makes_way_for_the_episode(tab, suite):
    page = tab(suite, PHONE).open("#episodes")
    page.locator(".list a").nth(2).click()
    page.wait_for_function("location.hash === '#ep-0002'")
    assert not page.locator(".index").is_visible()
    assert page.locator(".episode h2").is_visible()
    page.get_by_role("link", name="All episodes").click()
    expect(page.locator(".index")).to_be_visible()
    expect(page.locator(".episode")).not_to_be_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("hash", ["", "#episodes", "#ep-0001"])
def test_text_stands_out_from_its_ground(tab, suite, hash, scheme):
    page = tab(suite).open(hash)
    page.emulate_media(color_scheme=scheme)
    page.evaluate("document.querySelectorAll('details').forEach(node => { node.open = true; })")
    assert page.evaluate(CONTRAST) == []


CONTRAST = """() => {
  const paint = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const over = (colours) => {
    paint.clearRect(0, 0, 1, 1);
    for (const colour of colours) { paint.fillStyle = colour; paint.fillRect(0, 0, 1, 1); }
    return [...paint.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const light = (rgb) => {
    const [r, g, b] = rgb.map((c) => c / 255).map((c) => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const faint = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || !node.checkVisibility() || node.closest(".unseen, option, svg")) continue;
    const grounds = [];
    for (let up = node; up; up = up.parentElement) grounds.unshift(getComputedStyle(up).backgroundColor);
    const [a, b] = [light(over(grounds)), light(over([...grounds, getComputedStyle(node).color]))];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) faint.push([walk.currentNode.data.slice(0, 30), node.className, ratio.toFixed(2)]);
  }
  return faint;
}"""


# -- many episodes ----------------------------------------------------------------------------------------------


def test_a_page_of_a_large_suite_says_that_it_is_a_sample(tab, make_suite):
    page = tab(make_suite(60), room=60_000).open("#episodes")
    shown = len(listed(page))
    assert 0 < shown < 60
    assert page.locator("#sample").inner_text().startswith(f"{shown} of 60 episodes are shown")


def test_a_page_with_room_for_none_still_opens(tab, make_suite):
    page = tab(make_suite(3), room=100).open("#episodes")
    assert page.locator("#sample").inner_text().startswith("0 of 3 episodes are shown")
    page.get_by_role("link", name="Overview").click()
    expect(page.locator("#gates")).to_be_visible()
