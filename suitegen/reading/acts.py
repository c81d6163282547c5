"""What turns do to a target without stating a value that holds."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from suitegen.reading.aim import Aim, belongs
from suitegen.reading.candidates import Nearness, nearness
from suitegen.reading.claims import Act, ActKind, Claim
from suitegen.reading.passages import Passage, Stretch
from suitegen.reading.sentences import rest_of, turns_down
from suitegen.reading.voices import Heard, hedged, teller
from suitegen.reading.wording import Found

_CUES = frozenset(
    (
        "rejections",
        "dismissals",
        "outdated",
        "forgets",
        "retractions",
        "slips",
        "contradictions",
        "restores",
        "announcements",
    )
)
"""Lists of phrases without which a turn does nothing."""
_LEAD = 4


def acts(aim: Aim, heard: Sequence[Heard], stated: Collection[Claim]) -> list[Act]:
    """All acts, in the order in which they are done."""
    holding = {claim.place for claim in stated if not (claim.past or claim.denied or claim.other or claim.asks)}
    return [act for each in heard for act in _acts(aim, each, (each.session, each.turn) in holding)]


def _acts(aim: Aim, heard: Heard, holds: bool) -> Iterator[Act]:
    """The acts of one turn, each kind at most once."""
    if _CUES.isdisjoint(heard.said.cues):
        return
    done: set[str] = set()
    for sentence in heard.said.sentences:
        for kind in _kinds(aim, heard, sentence, holds):
            if kind not in done:
                done.add(kind)
                yield _act(aim, heard, sentence, kind)


def _act(aim: Aim, heard: Heard, sentence: Stretch, kind: ActKind) -> Act:
    told = teller(heard, sentence, sentence.last - 1, aim.topic)
    near = nearness(aim, heard, sentence)
    return Act(kind, heard.session, heard.turn, heard.day, told, rest_of(heard.said, None), near)


def _kinds(aim: Aim, heard: Heard, sentence: Stretch, holds: bool) -> Iterator[ActKind]:
    """What a sentence does; ``holds`` where the turn also states a value that holds."""
    said = heard.said
    if heard.role == "assistant":
        return
    if turns_down(said, sentence) or (heard.role == "user" and said.has("outdated", sentence)):
        yield "reject"
    near = nearness(aim, heard, sentence)
    if (near < 2 and not holds) or belongs(aim, heard, sentence, None) == "other":
        return
    if said.has("retractions", sentence) or _slips(said, sentence):
        yield "retract"
    if near < 2:
        return
    if _asks_to_forget(said, sentence):
        yield "forget"
    if heard.role == "user" and said.has("contradictions", sentence):
        yield "contradict"
    if not holds and not said.asks(sentence):
        yield from _moves(aim, heard, sentence, near)


def _moves(aim: Aim, heard: Heard, sentence: Stretch, near: Nearness) -> Iterator[ActKind]:
    """Whether a sentence tells of a change, or takes one back, without a value."""
    said = heard.said
    restores = said.has("restores", sentence)
    if not restores and not (said.has("announcements", sentence) and (near == 3 or _refers(said, sentence))):
        return
    told = teller(heard, sentence, sentence.last - 1, aim.topic)
    if not hedged(heard, sentence, sentence.first, told):
        yield "restore" if restores else "announce"


def _slips(said: Passage, sentence: Stretch) -> bool:
    """Whether the speaker owns up to a slip."""
    selves = said.wording.talk.self_subjects
    leads = (Stretch(max(sentence.first, found.first - _LEAD), found.first) for found in said.find("slips", sentence))
    return any(set(selves).intersection(said.slice(lead)) for lead in leads)


def _refers(said: Passage, sentence: Stretch) -> bool:
    """Whether a sentence that does not name the attribute stands for it by a pronoun."""
    return bool(set(said.wording.talk.pronouns).intersection(said.slice(sentence)))


def _asks_to_forget(said: Passage, sentence: Stretch) -> bool:
    """Whether somebody is asked to forget: not 'I always forget', nor 'maybe you should forget'."""
    if said.has("hedges", sentence) and not said.has("requests", sentence):
        return False
    return any(_asked(said, sentence, found) for found in said.find("forgets", sentence))


def _asked(said: Passage, sentence: Stretch, found: Found) -> bool:
    """Whether a word of forgetting is told to the one spoken to, and not denied."""
    talk = said.wording.talk
    first = max(sentence.first, found.first - 2)
    if said.has("negations", Stretch(first, max(found.first, first))):
        return False
    lead = reversed(said.slice(Stretch(said.clause(found.first).first, found.first)))
    nearest = next((word for word in lead if word in {*talk.subjects, *talk.others, *talk.addressees}), None)
    return nearest in talk.addressees or (nearest is None and not said.asks(sentence))
