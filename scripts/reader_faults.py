#!/usr/bin/env python3
"""Faults put into dialogues that the lexical reader reads right when whole: how many of them it does not overlook.

    scripts/reader_faults.py [--faults 500] [--json]

Each fault changes what an episode says and leaves its gold as it was: a value is dropped, or becomes another one of its
fact type; a statement comes to be about somebody else; a rejection becomes an acceptance; what set a change off is cut;
somebody else comes to have told a value. A fault is noticed where the answer that was right no longer is. Faults are
put in where the trace says that events stand, which the reader never sees. Printed are the shares by kind.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from reader_halves import READER, Draws

from suitegen.latent.seeds import rng
from suitegen.library.catalog import load
from suitegen.library.shelves import shelves
from suitegen.model.episode import AskedProbe, Episode
from suitegen.model.history import Session, Span, Turn
from suitegen.model.latent import Event
from suitegen.reading.scoring import score
from suitegen.values.vocabulary import Vocabulary

Edit = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Scene:
    """An episode with a probe that was answered right, and what its fact type can say."""

    draws: Draws
    episode: Episode
    asked: AskedProbe

    @property
    def values(self) -> Vocabulary:
        """The values of the target."""
        return self.draws.lexicon.values_of(self.episode.spec.member(self.asked.probe.about).fact_type)

    @property
    def evidence(self) -> list[Event]:
        """The events that the answer rests on, in order."""
        ids = {atom.event for field in self.asked.evidence for group in field.groups for atom in group.of}
        return [event for event in self.episode.spec.events if event.id in ids]

    def span(self, event: Event) -> Span | None:
        """Where an event is said."""
        return next((span for span in self.episode.spans if span.event == event.id), None)

    def about(self, event: Event) -> bool:
        """Whether an event is about what the probe asks."""
        return event.target == self.asked.probe.about


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault, and whether it was noticed."""

    kind: str
    fact_type: str
    probe_type: str
    noticed: bool


# -- faults ---------------------------------------------------------------------------------------------------------


def _holding(scene: Scene) -> list[Event]:
    """The events that state the value which is the answer."""
    answer = scene.asked.gold.fields[0].answer
    return [event for event in scene.episode.spec.events if scene.about(event) and event.value == answer]


def _edited(
    scene: Scene, events: Sequence[Event], edit: Edit, echo: Edit | None = None, role: str | None = None
) -> tuple[Session, ...] | None:
    """The history with the texts of events changed, and with them what the assistant takes up of them."""
    sessions = [list(session.turns) for session in scene.episode.sessions]
    changed = False
    for event in events:
        span = scene.span(event)
        if span is None:
            return None
        turns = sessions[span.session]
        turn = turns[span.turn]
        text = turn.content[: span.start] + edit(turn.content[span.start : span.end]) + turn.content[span.end :]
        changed = changed or text != turn.content or role is not None
        turns[span.turn] = turn.model_copy(update={"content": text, **({"role": role, "name": None} if role else {})})
        after = span.turn + 1
        if echo and after < len(turns) and turns[after].role == "assistant":
            turns[after] = turns[after].model_copy(update={"content": echo(turns[after].content)})
    kept = zip(scene.episode.sessions, sessions, strict=True)
    whole = (session.model_copy(update={"turns": tuple(_told(turns))}) for session, turns in kept)
    return tuple(whole) if changed else None


def _told(turns: Sequence[Turn]) -> Iterator[Turn]:
    """The turns that still say something."""
    yield from (turn for turn in turns if turn.content.strip())


def _replaced(values: Vocabulary, old: str, new: str) -> Edit:
    def edit(text: str) -> str:
        """The text with one value for another."""
        for mention in reversed(values.mentions(text, cued=False)):
            if mention.value == old:
                text = text[: mention.start] + new + text[mention.end :]
        return text

    return edit


def dropped(scene: Scene) -> tuple[Session, ...] | None:
    """The value is left out wherever it was stated."""
    if scene.asked.probe.type != "current" or not (held := _holding(scene)):
        return None
    edit = _replaced(scene.values, scene.asked.gold.fields[0].answer, "")
    return _edited(scene, held, edit, edit)


def swapped(scene: Scene) -> tuple[Session, ...] | None:
    """The value is another one, of which the episode knows nothing."""
    if scene.asked.probe.type != "current" or not (held := _holding(scene)):
        return None
    spec = scene.episode.spec
    known = {value for member in spec.cast for value in member.values.values()}
    free = [spelled[0] for spelled in scene.values.values if spelled[0] not in known]
    if not free:
        return None
    edit = _replaced(scene.values, scene.asked.gold.fields[0].answer, rng(spec.seed, "swap").choice(free))
    return _edited(scene, held, edit, edit)


def given_away(scene: Scene) -> tuple[Session, ...] | None:
    """The value is said of somebody else, in words by which the episode says such things."""
    if scene.asked.probe.type != "current" or not (held := _holding(scene)):
        return None
    spec, answer = scene.episode.spec, scene.asked.gold.fields[0].answer
    lent = [event for event in spec.events if _is_anothers(scene, event)]
    if not lent:
        return None
    text = _quote(scene, lent[0])
    theirs = _replaced(scene.values, lent[0].value or "", answer)(text)
    gone = _replaced(scene.values, answer, "")
    return _edited(scene, held, lambda _: theirs, gone, role="user")


def _is_anothers(scene: Scene, event: Event) -> bool:
    """Whether an event tells plainly of another owner's attribute of the same kind."""
    own, member = scene.episode.spec.member(scene.asked.probe.about), scene.episode.spec.member(event.target)
    same = member.fact_type == own.fact_type and member.confusable is None and member.entity != own.entity
    plain = event.speaker == "user" and event.strength == "strong" and event.op in ("mention", "remember")
    return same and plain and event.value is not None and scene.span(event) is not None


def _quote(scene: Scene, event: Event) -> str:
    span = scene.span(event)
    assert span is not None
    return scene.episode.sessions[span.session].turns[span.turn].content[span.start : span.end]


def accepted(scene: Scene) -> tuple[Session, ...] | None:
    """What was turned down is taken over."""
    turned = [event for event in scene.evidence if event.states("rejection")]
    if scene.asked.probe.type not in ("current", "conflict") or not turned:
        return None
    spec = scene.episode.spec
    rival = next((event for event in spec.events if event.id == turned[0].refs.get("resolves")), None)
    if rival is None or rival.value is None or not scene.about(rival):
        return None
    told = _rendered(scene, rival, "update")
    return _edited(scene, turned, lambda _: f"Yes, that's right. {told}", lambda _: "I have noted that.")


def uncaused(scene: Scene) -> tuple[Session, ...] | None:
    """What set a change off is cut out."""
    if scene.asked.probe.type not in ("temporal", "trigger"):
        return None
    cause = scene.asked.gold.field("trigger").answer
    moved = [event for event in scene.evidence if event.states("trigger") and event.trigger == cause]
    return _edited(scene, moved, lambda text: _without(text, moved[0].trigger or ""))


def _without(text: str, clause: str) -> str:
    at = text.casefold().find(clause.casefold())
    return text if at < 0 else text[:at] + text[at + len(clause) :]


def retold(scene: Scene) -> tuple[Session, ...] | None:
    """Somebody else tells it."""
    if scene.asked.probe.type not in ("source", "conflict") or not scene.evidence:
        return None
    teller = scene.asked.gold.field("source").answer
    told = [event for event in scene.evidence if event.source == teller.removeprefix("stale_")]
    told = [event for event in told if not event.states("rejection")]
    if not told:
        return None
    if teller == "user":
        return _edited(scene, told, lambda text: f"{text.rstrip()} I have that from Tobias on the third floor.")
    if teller in ("third_party", "document"):
        plain = _rendered(scene, told[-1], "remember")
        return _edited(scene, told, lambda _: plain, lambda _: "I have noted that.", role="user")
    return _edited(scene, told, lambda text: text, role="user" if teller == "assistant" else "assistant")


def _rendered(scene: Scene, event: Event, op: str) -> str:
    """The value of an event as the user states it."""
    member = scene.episode.spec.member(event.target)
    lines = getattr(scene.draws.catalog.fact_types[member.fact_type].phrasings["user"], op)
    told = lines[0].replace("{{ subject }}", member.entity).replace("{{ value }}", event.value or "")
    return f"{told[:1].upper()}{told[1:]}."


KINDS: Mapping[str, tuple[Callable[[Scene], tuple[Session, ...] | None], str]] = {
    "value dropped": (dropped, "value"),
    "value swapped": (swapped, "value"),
    "entity swapped": (given_away, "value"),
    "rejection accepted": (accepted, ""),
    "trigger cut": (uncaused, "trigger"),
    "source changed": (retold, "source"),
}
"""Each fault with the field that it makes wrong; empty: any."""


# -- running --------------------------------------------------------------------------------------------------------


def faults(draws: Draws, wanted: int) -> list[Fault]:
    """So many faults, evenly over the kinds as far as the episodes allow."""
    each = -(-wanted // len(KINDS))
    found: dict[str, list[Fault]] = {kind: [] for kind in KINDS}
    for episode in draws.mixed(1):
        for asked in episode.probes:
            for kind in KINDS:
                if len(found[kind]) < each and (fault := _fault(Scene(draws, episode, asked), kind)):
                    found[kind].append(fault)
        if all(len(of) >= each for of in found.values()):
            break
    return [fault for of in found.values() for fault in of]


def _fault(scene: Scene, kind: str) -> Fault | None:
    """The fault of a kind in an episode; None where it cannot be put in, or the reader was wrong before."""
    make, field = KINDS[kind]
    hurt = make(scene)
    if hurt is None or not all(_points(scene, scene.episode.sessions, field)):
        return None
    points = _points(scene, hurt, field)
    return Fault(kind, scene.episode.spec.fact_type, scene.asked.probe.type, not all(points))


def _points(scene: Scene, sessions: Sequence[Session], field: str) -> list[bool]:
    """Whether each field that counts is right."""
    gold = scene.asked.gold
    given = score(READER.read(sessions, scene.asked.question), gold, scene.episode.spec.language).fields
    return [given.get(each.name, 0.0) == 1.0 for each in gold.fields if field in ("", each.name)]


def main() -> None:
    """Put in, read, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--faults", type=int, default=500, help="how many")
    parser.add_argument("--json", action="store_true", help="print JSON")
    given = parser.parse_args()
    found = faults(Draws.of(load(shelves(None)).catalog), given.faults)
    by = {kind: [fault.noticed for fault in found if fault.kind == kind] for kind in KINDS}
    by["all"] = [fault.noticed for fault in found]
    if given.json:
        print(json.dumps({kind: {"noticed": sum(of), "faults": len(of)} for kind, of in by.items()}, indent=1))
        return
    for kind, of in by.items():
        print(f"{kind:20} {sum(of):4} of {len(of):4} noticed")


if __name__ == "__main__":
    main()
