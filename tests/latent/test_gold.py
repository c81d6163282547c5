"""Gold by replay, case by case."""

from __future__ import annotations

import pytest

from suitegen.latent.gold import gold
from tests.latent.timelines import CAST, TIMELINES, probe

EXPECTED = [
    ("update", "current", {}, {"value": "B"}),
    ("update", "previous", {}, {"value": "A"}),
    ("update", "original", {}, {"value": "A"}),
    ("update", "trajectory", {}, {"values": "A -> B"}),
    ("update", "change", {}, {"changed": "yes"}),
    ("update", "changes", {}, {"count": "1"}),
    ("update", "source", {}, {"source": "user"}),
    ("update", "conflict", {"rival": "B"}, {"source": "user", "status": "accepted", "applies": "yes"}),
    ("update", "conflict", {"rival": "A"}, {"source": "user", "status": "past", "applies": "yes"}),
    ("update", "conflict", {"rival": "Z"}, {"source": "none", "status": "never_said", "applies": "no"}),
    (
        "update", "temporal", {},
        {
            "direction": "old_to_new", "old": "A", "new": "B",
            "trigger": "the hall closed", "reason": "the new one is nearer",
        },
    ),
    ("update", "premise", {"premise": "A"}, {"holds": "no", "value": "B"}),
    ("update", "premise", {"premise": "B"}, {"holds": "yes", "value": "B"}),
    ("split", "current", {}, {"value": "B"}),
    ("split, between the parts", "current", {}, {"value": "unknown"}),
    ("split, between the parts", "previous", {}, {"value": "A"}),
    ("split, between the parts", "change", {}, {"changed": "yes"}),
    ("tool opens, user completes", "source", {}, {"source": "tool"}),
    ("tool, not settled", "current", {}, {"value": "uncertain"}),
    ("tool, not settled", "status", {"rival": "R"}, {"status": "disputed"}),
    ("tool, not settled", "change", {}, {"changed": "unknown"}),
    ("tool exposed", "current", {}, {"value": "A"}),
    ("tool exposed", "status", {"rival": "R"}, {"status": "stale"}),
    ("tool exposed", "source", {"rival": "R"}, {"source": "stale_tool"}),
    ("tool exposed", "change", {}, {"changed": "no"}),
    ("rumour", "status", {"rival": "R"}, {"status": "unreliable"}),
    ("rumour", "source", {"rival": "R"}, {"source": "third_party"}),
    ("firm third party", "status", {"rival": "R"}, {"status": "not_accepted"}),
    ("musing", "status", {"rival": "R"}, {"status": "hypothetical"}),
    ("assistant", "status", {"rival": "R"}, {"status": "not_accepted"}),
    ("assistant", "previous", {}, {"value": "none"}),
    ("rollback", "current", {}, {"value": "A"}),
    ("rollback", "previous", {}, {"value": "B"}),
    ("rollback", "original", {}, {"value": "A"}),
    ("rollback", "trajectory", {}, {"values": "A -> B -> A"}),
    ("rollback", "changes", {}, {"count": "2"}),
    ("rollback without the value", "current", {}, {"value": "A"}),
    ("chain", "previous", {}, {"value": "B"}),
    ("chain", "status", {"rival": "A"}, {"status": "past"}),
    ("correction", "current", {}, {"value": "B"}),
    ("correction", "previous", {}, {"value": "none"}),
    ("correction", "change", {}, {"changed": "no"}),
    ("correction", "status", {"rival": "A"}, {"status": "retracted"}),
    ("decoy", "current", {}, {"value": "A"}),
    ("decoy", "conflict", {"rival": "R"}, {"source": "user", "status": "other_entity", "applies": "no"}),
    ("forget", "current", {}, {"value": "forgotten"}),
    ("forget", "current", {"about": "neighbour"}, {"value": "N"}),
    ("cascade open", "current", {"about": "dependent"}, {"value": "unknown"}),
    ("cascade open", "change", {"about": "dependent"}, {"changed": "unknown"}),
    ("cascade", "current", {"about": "dependent"}, {"value": "Y"}),
    ("cascade", "previous", {"about": "dependent"}, {"value": "X"}),
    ("nothing", "current", {}, {"value": "absent"}),
]  # fmt: skip


@pytest.mark.parametrize(("timeline", "type", "how", "fields"), EXPECTED)
def test_gold(timeline: str, type: str, how: dict[str, str], fields: dict[str, str]) -> None:
    found = gold(TIMELINES[timeline], CAST, probe(type, **how))
    assert {field.name: field.answer for field in found.fields} == fields


def test_a_disputed_value_names_both() -> None:
    field = gold(TIMELINES["tool, not settled"], CAST, probe("current")).field("value")
    assert field.answers == (("A",), ("R",))
    assert field.rivals == ()


def test_a_value_gold_knows_its_rivals() -> None:
    assert gold(TIMELINES["update"], CAST, probe("current")).field("value").rivals == (("A",),)


def test_current_at_a_date_follows_the_effective_date() -> None:
    said = {"session": 1, "effective": "2026-03-10", "says": ("act", "value", "date")}
    later = TIMELINES["update"][-1].model_copy(update=said)
    dates = {0: "2026-03-01", 1: "2026-03-02", 2: "2026-03-12"}
    events = (*TIMELINES["update"][:2], later)
    at = {
        session: gold(events, CAST, probe("as_of", as_of=session), dates=dates).field("value").answer
        for session in dates
    }
    assert at == {0: "A", 1: "A", 2: "B"}
