from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from suitegen.publish.likeness import near_duplicates
from suitegen.publish.stats import compression_ratio, distinct, masked, measure, percentiles


def test_the_figures_of_a_suite(make_suite):
    stats = measure(make_suite(4).episodes)
    assert stats.counts.episodes == 4
    assert stats.behaviors == {"update": 4}
    assert stats.split_share == 0.0
    assert stats.kinds == {"background": 8, "event": 8}
    assert stats.evidence_position == (4, 0, 0, 0, 0, 4, 0, 0, 0, 0)
    assert {line.kind: (line.compared, line.near) for line in stats.duplicates} == {
        "background": (8, 6),
        "event": (8, 6),
    }
    assert json.loads(stats.to_json())["tokens"]["median"] == stats.tokens.median
    assert ("episodes", "4") in stats.rows()
    assert ("sessions by kind", "background 8, event 8") in stats.rows()


def test_nothing_has_figures_too():
    stats = measure(())
    assert (stats.tokens, stats.split_share, stats.compression_ratio, stats.distinct) == (None, None, None, {})
    assert ("episodes with a split perturbation", "-") in stats.rows()
    assert json.loads(stats.to_json())["counts"]["probes"] == 0


def test_members_of_a_group_are_compared_once(make_episode):
    first = make_episode(0)
    twin = first.model_copy(update={"episode_id": "ep-twin"})
    assert measure([first]).duplicates == measure([first, twin]).duplicates


def test_percentiles_are_of_nearest_rank():
    found = percentiles(range(1, 101))
    assert found.model_dump() == {"least": 1, "p25": 25, "median": 50, "p75": 75, "p95": 95, "most": 100}
    assert percentiles([7]).model_dump() == dict.fromkeys(("least", "p25", "median", "p75", "p95", "most"), 7)
    assert percentiles([]) is None


def test_distinct_counts_n_grams_within_texts():
    assert distinct(["a b a b"], 1) == 0.5
    assert distinct(["a b a b"], 2) == pytest.approx(2 / 3, abs=1e-4)
    assert distinct(["a b", "A, b!"], 2) == 0.5
    assert distinct(["a"], 2) is None


def test_repetition_compresses():
    varied = [f"{number * 7919 % 10007} {number * 104729 % 10009}" for number in range(500)]
    assert compression_ratio(["the same words again"] * 500) > 5 * compression_ratio(varied)
    assert compression_ratio([]) is None


def test_near_duplicates_are_counted_beyond_the_first():
    base = "We walked along the river until the rain began and then took the tram home."
    other = "Something else altogether, in other words."
    assert near_duplicates([base, base.upper(), base.replace("tram", "bus"), other]) == 2
    assert near_duplicates([base, base.replace("river", "sea").replace("tram", "bus"), other]) == 0
    assert near_duplicates([]) == 0
    assert near_duplicates(["", ""]) == 1


@settings(max_examples=50, deadline=None)
@given(st.lists(st.lists(st.sampled_from("ab"), max_size=12), max_size=12))
def test_near_duplicates_agree_with_a_plain_search(texts):
    spelled = sorted({tuple(text) for text in texts}, key=lambda text: (len(text), code(texts, text)))
    kept = []
    for text in spelled:
        if all(2 * common(text, other) < 0.9 * (len(text) + len(other)) for other in kept):
            kept.append(text)
    assert near_duplicates([" ".join(text) for text in texts]) == len(texts) - len(kept)


def code(texts, text):
    """The order of words is that of their first use."""
    seen = list(dict.fromkeys(word for other in texts for word in other))
    return [seen.index(word) for word in text]


def common(first, second):
    """Length of the longest common subsequence, by the textbook."""
    row = [0] * (len(second) + 1)
    for word in first:
        before = 0
        for place, other in enumerate(second, 1):
            before, row[place] = row[place], before + 1 if word == other else max(row[place], row[place - 1])
    return row[-1]


def test_values_are_masked_in_every_spelling(make_episode):
    first, *_ = masked(make_episode())
    assert first == "Hi. Our standup is at \u25a1 for now.\nNoted."
    episode = make_episode()
    turn = (
        episode.sessions[0].turns[0].model_copy(update={"content": "HALF PAST NINE, 19:30, atlas and atlases at 10.15"})
    )
    session = episode.sessions[0].model_copy(update={"turns": (turn,)})
    changed = episode.model_copy(update={"sessions": (session,)})
    assert masked(changed) == ("\u25a1, 19:30, \u25a1 and atlases at \u25a1",)
