"""What turns do to a target without stating a value that holds: announce, reject, retract, forget, restore, contradict."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from suitegen.reading.aim import Aim, belongs
from suitegen.reading.claims import Act, Claim, nearness, rest_of
from suitegen.reading.passages import Passage, Stretch
from suitegen.reading.voices import Heard, hedged, teller
from suitegen.reading.wording import Found

_LEAD = 4


def acts(aim: Aim, heard: Sequence[Heard], stated: Collection[Claim]) -> list[Act]:
    """All acts, in the order in which they are done."""
    holding = {(claim.session, claim.turn) for claim in stated if not (claim.past or claim.denied or claim.other)}
    return [act for each in heard for act in _acts(aim, each, (each.session, each.turn) in holding)]


def _acts(aim: Aim, heard: Heard, holds: bool) -> Iterator[Act]:
    """The acts of one turn, each kind at most once."""
    done: set[str] = set()
    for sentence in heard.said.sentences:
        for act in _of_sentence(aim, heard, sentence, holds):
            if act.kind not in done:
                done.add(act.kind)
                yield act


def _of_sentence(aim: Aim, heard: Heard, sentence: Stretch, holds: bool) -> Iterator[Act]:
    said = heard.said
    near = nearness(aim, heard, sentence)
    told = teller(heard, sentence, sentence.last - 1, aim.topic)

    def act(kind: str) -> Act:
        why = rest_of(said, None)
        return Act(kind, heard.session, heard.turn, heard.day, told, why, near)  # type: ignore[arg-type]

    if heard.role != "assistant" and _turns_down(said, sentence):
        yield act("reject")
    if heard.role == "assistant" or near < 2 or belongs(aim, heard, sentence, None) == "other":
        return
    if _asks_to_forget(said, sentence):
        yield act("forget")
    if said.has("retractions", sentence) or _slips(said, sentence):
        yield act("retract")
    if heard.role == "user" and said.has("contradictions", sentence):
        yield act("contradict")
    if holds or said.asks(sentence) or hedged(heard, sentence, sentence.first, told):
        return
    if said.has("restores", sentence):
        yield act("restore")
    elif said.has("announcements", sentence) and (near == 3 or _refers(said, sentence)):
        yield act("announce")


def _slips(said: Passage, sentence: Stretch) -> bool:
    """Whether the speaker owns up to a slip."""
    selves = said.wording.talk.self_subjects
    leads = (Stretch(max(sentence.first, found.first - _LEAD), found.first) for found in said.find("slips", sentence))
    return any(set(selves).intersection(said.slice(lead)) for lead in leads)


def _refers(said: Passage, sentence: Stretch) -> bool:
    """Whether a sentence that does not name the attribute stands for it by a pronoun."""
    return bool(set(said.wording.talk.pronouns).intersection(said.slice(sentence)))


def _turns_down(said: Passage, sentence: Stretch) -> bool:
    """Whether a sentence turns something down; single words of it, such as old, do not suffice."""
    if said.has("dismissals", sentence) or said.has("outdated", sentence):
        return True
    return any(found.last > found.first for found in said.find("rejections", sentence))


def _asks_to_forget(said: Passage, sentence: Stretch) -> bool:
    """Whether a word of forgetting is asked for and not just told: not 'I always forget'."""
    return any(not _told(said, sentence, found) for found in said.find("forgets", sentence))


def _told(said: Passage, sentence: Stretch, found: Found) -> bool:
    lead = said.slice(Stretch(max(sentence.first, found.first - _LEAD), found.first))
    talk = said.wording.talk
    barred = {*talk.subjects, *talk.others, *said.wording.table.negations}
    return bool(barred.intersection(lead) - set(talk.addressees)) or said.has("negations", _clamped(sentence, found))


def _clamped(sentence: Stretch, found: Found) -> Stretch:
    first = max(sentence.first, found.first - 2)
    return Stretch(first, max(found.first, first))
