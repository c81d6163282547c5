"""A whole small episode that is right: two events, a background dialogue and a near miss."""

from __future__ import annotations

from functools import lru_cache

from suitegen.model.episode import Episode
from suitegen.model.history import Written
from tests.validation.world import episode, event, probe, spec, written

EVENTS = (
    event("e1", "remember", "9:30"),
    event("upd", "update", "10:00", "act value trigger reason", "halifax", session=2),
)
PROBES = (
    probe("p1", "current", 3),
    probe("p2", "previous", 3),
    probe("p3", "change", 3),
    probe("p4", "temporal", 3),
    probe("p5", "conflict", 3, rival="10:00"),
    probe("p6", "current", 3, about="gym"),
    probe("p7", "premise", 3, premise="10:00"),
    probe("p8", "trajectory", 3),
)
QUESTIONS = {
    "p1": "When does the data team have its standup at present?",
    "p2": "When was the standup of the data team before, if it was at another time?",
    "p3": "Did the standup time of the data team change?",
    "p4": "What is known of how the standup time of the data team went?",
    "p5": "Who said 10:00 for the standup of the data team, and does it hold?",
    "p6": "Which gym do I go to, if you know?",
    "p7": "Since the standup is at 10:00, what do you have for it?",
    "p8": "Which standup times did the data team have, in order?",
}
UPDATE = (
    "Three testers in Halifax came on board, so standup for the data team is at 10:00 now. "
    "The slot has to suit people across the ocean."
)
TEXTS = {
    0: """
user: Help me sort my week around standup with the data team, please.
assistant: What is fixed, and what can be moved?
user: [[e1:The standup of the data team is at 9:30.]]
assistant: Okay, 9:30 for standup. Put a block behind it.""",
    1: """
user: My sourdough is as flat as a board. What could be wrong?
assistant: Most often the starter was not lively enough. Feed it twice before you bake.""",
    2: f"""
user: I want a friendlier reminder for the standup bot of the data team.
assistant: Something light, then. What should it know?
user: [[upd:{UPDATE}]]
assistant: Clear, 10:00 for standup it is.""",
    3: """
user: Who could take notes in the standup of the data team?
assistant: Let it go round by the alphabet, so that nobody has to volunteer.""",
}


def texts() -> dict[int, Written]:
    """The sessions' texts by index."""
    return {index: written(text) for index, text in TEXTS.items()}


@lru_cache(maxsize=1)
def story() -> Episode:
    """The episode, woven, with its questions, gold and evidence."""
    latent = spec(EVENTS, ("event", "background", "event", "near_miss"), PROBES, ("target", "gym"))
    return episode(latent, texts(), QUESTIONS)
