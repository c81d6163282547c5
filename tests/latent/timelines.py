"""Small timelines and casts for tests of the core."""

from __future__ import annotations

from suitegen.model.latent import Event, Member, Probe

CAST = (
    Member(name="target", fact_type="f", entity="user", attribute="slot", values={}),
    Member(name="other", fact_type="f", entity="Ana", attribute="slot", values={}),
    Member(name="neighbour", fact_type="f", entity="user", attribute="desk", values={}),
    Member(name="dependent", fact_type="g", entity="user", attribute="bus", values={}, depends_on="target"),
)
WHY = {"change_id": "c", "trigger": "the hall closed", "reason": "the new one is nearer"}
WHY_2 = {"change_id": "d", "trigger": "the hall opened again", "reason": "the old one is quieter"}


def event(id: str, op: str, value: str | None = None, says: str = "act value", **more: object) -> Event:
    """An event of the target unless another member is named."""
    fields = {"thread": "t1", "target": "target", "session": 0, **more}
    return Event.model_validate({"id": id, "op": op, "value": value, "says": tuple(says.split()), **fields})


def probe(type: str, about: str = "target", **more: object) -> Probe:
    """A probe asked at the end."""
    return Probe.model_validate({"id": "p", "thread": "t1", "type": type, "about": about, "asked_after": 99, **more})


ENCODED = (event("e1", "remember", "A"), event("e2", "remember", "A"))
FULL = "act value trigger reason"
UPDATE = event("u", "update", "B", FULL, **WHY)
PART_1 = event("p1", "update", None, "act trigger reason", **WHY)
PART_2 = event("p2", "update", "B", "value", refs={"completes": "p1"}, **WHY)
RECALL = event("r", "reactivate", None, "act old", old="A")
TOOL = event("out", "challenge", "R", "act value date", speaker="tool", source="tool")
EXPOSED = event("exp", "reinforce", "A", "act rejection", refs={"resolves": "out"})
RESTORE = event("back", "restore", "A", "act value trigger", refs={"restores": "e1"}, **WHY_2)
NEXT = event("u2", "update", "C", "act value trigger", **WHY_2)
FORMER = event("former", "mention", None, "act old", old="A")

TIMELINES: dict[str, tuple[Event, ...]] = {
    "update": (*ENCODED, UPDATE),
    "update, then the old value as past": (*ENCODED, UPDATE, FORMER),
    "update that says the old value": (*ENCODED, UPDATE.model_copy(update={"says": (*UPDATE.says, "old"), "old": "A"})),
    "update with nothing before": (UPDATE.model_copy(update={"says": (*UPDATE.says, "old"), "old": "A"}),),
    "split": (*ENCODED, PART_1, PART_2),
    "split, between the parts": (*ENCODED, PART_1),
    "recalled and split": (*ENCODED, RECALL, PART_1, PART_2),
    "tool exposed": (*ENCODED, TOOL, EXPOSED),
    "tool, not settled": (*ENCODED, TOOL),
    "rumour": (*ENCODED, event("t", "challenge", "R", "act value source", source="third_party", strength="weak")),
    "firm third party": (*ENCODED, event("t", "challenge", "R", "act value source", source="third_party")),
    "musing": (*ENCODED, event("w", "challenge", "R", strength="weak")),
    "assistant": (*ENCODED, event("n", "challenge", "R", speaker="assistant", source="assistant")),
    "rollback": (*ENCODED, UPDATE, RESTORE),
    "rollback without the value": (*ENCODED, UPDATE, RESTORE.model_copy(update={"says": ("act",)})),
    "chain": (*ENCODED, UPDATE, NEXT),
    "correction": (*ENCODED, event("c", "correct", "B")),
    "decoy": (*ENCODED, event("d", "remember", "R", target="other")),
    "forget": (*ENCODED, event("n0", "remember", "N", target="neighbour"), event("f", "forget", None, "act")),
    "document told": (*ENCODED, event("u", "update", "B", "act value trigger source", source="document", **WHY)),
    "tool opens, user completes": (
        *ENCODED,
        PART_1.model_copy(update={"speaker": "tool", "source": "tool"}),
        PART_2,
    ),
    "cascade open": (*ENCODED, event("x", "remember", "X", target="dependent"), UPDATE),
    "cascade": (
        *ENCODED, event("x", "remember", "X", target="dependent"), UPDATE,
        event("y", "update", "Y", target="dependent", refs={"cascades": "u"}),
    ),
    "nothing": (event("n0", "remember", "N", target="neighbour"),),
}  # fmt: skip
