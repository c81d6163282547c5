"""What is said in its turns: who asks, who says it, and what comes back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from suitegen.errors import DesignError, TemplateError
from suitegen.library.templates import compile_line, variables
from suitegen.model.history import Role
from suitegen.model.surface import Exchange, Surfaces
from suitegen.model.words import Op, Source, Speaker, Strength
from suitegen.writing.clauses import clauses
from suitegen.writing.deal import Place
from suitegen.writing.facts import Matter
from suitegen.writing.remark import Remark
from suitegen.writing.statement import Statement, opened, statement
from suitegen.writing.topic import Topic

MOVING: frozenset[Op] = frozenset({"remember", "reinforce", "update", "correct", "restore"})
"""Ops whose value is accepted, and so may be repeated by the assistant."""
REPEATS = frozenset({"echo", "draft"})
"""Variables of a line that repeat what was said."""
PRIVATE_USE = range(0xE000, 0xF900)


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of one turn; ``said`` is where in it an event is said: id, start and end."""

    role: Role
    text: str
    name: str | None = None
    said: tuple[tuple[str, int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class _Talk:
    """What is to be put into turns, and how: the text with who says it on whose word."""

    said: Statement
    topic: Topic
    surfaces: Surfaces
    place: Place
    kind: tuple[Op, Speaker, Source, Strength]
    nth: int = 0
    event: str | None = None
    echo: str | None = None
    tool: str | None = None
    draft: str | None = None
    opens: bool = False
    apart: bool = False


def exchange(matter: Matter) -> tuple[Piece, ...]:
    """The turns in which an event is said.

    Raises:
        DesignError: the surfaces have no phrase or no exchange for such an event.
        TemplateError: a line of the exchange cannot be rendered, or does not hold what is said once.
    """
    event, surfaces = matter.event, matter.surfaces
    kind = (event.op, event.speaker, event.source, event.strength)
    return _turns(
        _Talk(
            statement(matter),
            matter.topic,
            surfaces,
            matter.place,
            kind,
            matter.nth,
            event.id,
            echo=_echo(matter, "assistant"),
            tool=matter.topic.tool(event.source),
            draft=_echo(matter, "user"),
            opens=matter.opens,
            apart=matter.apart,
        )
    )


def aside(remark: Remark) -> tuple[Piece, ...]:
    """The turns of a remark without any value of the cast, in the manner in which facts are said."""
    manner, tool = remark.manner, remark.topic.tool(remark.manner.source)
    heard = manner.speaker == manner.source == "user" and manner.strength == "strong" and manner.op in MOVING
    echo, draft = (remark.echo, remark.draft) if heard else (None, None)
    return _turns(
        _Talk(
            remark.said,
            remark.topic,
            remark.surfaces,
            remark.place,
            manner,
            echo=echo,
            tool=tool,
            draft=draft,
            apart=remark.apart,
        )
    )


def _turns(talk: _Talk) -> tuple[Piece, ...]:
    op, speaker, source, strength = talk.kind
    fitting = [chosen for chosen in talk.surfaces.exchanges if _fits(chosen, talk)]
    fitting = [chosen for chosen in fitting if chosen.answered or not talk.apart]
    unasked = [chosen for chosen in fitting if not chosen.asked] if talk.opens else []
    found = unasked or [chosen for chosen in fitting if chosen.asked]
    if not found:
        raise DesignError(
            f"no exchange for a {strength} {op} by {speaker} on the word of {source}",
            where=f"surfaces {talk.surfaces.language}",
            hint="add an exchange for that speaker and source",
        )
    # Exchanges change from place to place; the lines within one, each time it comes up.
    numbers = {talk.surfaces.exchanges.index(each): each.weight for each in found}
    name = ("exchange", speaker, source, op, strength, int(talk.apart))
    number, around = talk.place.pick(numbers, *name, ahead=talk.nth)
    chosen = talk.surfaces.exchanges[number]
    return tuple(
        _piece(talk, role, lines, around, f"{number}.{nth}")
        for nth, turns in enumerate(chosen.turns)
        for role, lines in turns.items()
    )


def _fits(chosen: Exchange, talk: _Talk) -> bool:
    op, speaker, source, strength = talk.kind
    return (
        chosen.speaker == speaker
        and (not chosen.source or source in chosen.source)
        and (not chosen.op or op in chosen.op)
        and strength in chosen.strength
    )


def _piece(talk: _Talk, role: Role, lines: tuple[str, ...], around: int, name: str) -> Piece:
    where = f"surfaces {talk.surfaces.language}, exchange turn {name}"
    facts = talk.topic.names(role)
    if role == "assistant":
        facts |= {name: text for name, text in (("echo", talk.echo), ("draft", talk.draft)) if text is not None}
    # The deck is that of all lines, whichever of them this place can use.
    deck = talk.place.order(tuple(dict.fromkeys(lines)), "turn", name)
    usable = [line for line in deck if variables(line, where) & REPEATS <= facts.keys()]
    if talk.said.opened:
        # Two openings in a row, "Before I forget. By the way", nobody says.
        usable = [line for line in usable if "said" not in variables(line, where) or not opened(line)] or usable
    if not usable:
        raise DesignError("every line of a turn repeats the value", where=where, hint="add one that does not")
    # What stands apart is dealt from a deck of its own, and begins half way through the lines.
    line = usable[(around + talk.apart * (len(usable) // 2)) % len(usable)]
    tool = talk.tool if role == "tool" else None
    if "said" not in variables(line, where):
        return Piece(role, compile_line(line, where).render(facts), tool)
    mark = _mark(line, facts)
    before, *after = compile_line(line, where).render({**facts, "said": mark}).split(mark)
    if len(after) != 1:
        raise TemplateError(f"what is said stands {len(after)} times in {line!r}", where=where)
    text = talk.said.text
    span = (talk.event, len(before), len(before) + len(text)) if talk.event is not None else None
    return Piece(role, before + text + after[0], tool, (span,) if span else ())


def _mark(line: str, facts: Mapping[str, str]) -> str:
    """A character that neither the line nor its values hold: what is said never goes through a template."""
    used = {line, *facts.values()}
    return next(char for char in map(chr, PRIVATE_USE) if not any(char in text for text in used))


def _echo(matter: Matter, voice: Speaker) -> str | None:
    """The value as it is repeated in a voice, where it is accepted and the user stated it."""
    event = matter.event
    heard = event.speaker == "user" and event.strength == "strong" and event.states("value")
    # Another attribute has no phrasings in the assistant's voice, and made of its noun they sound odd.
    mute = voice == "assistant" and matter.topic.confusable
    if not heard or event.op not in MOVING or mute:
        return None
    facts = {**matter.topic.names(voice), "value": matter.facts["value"]}
    found = clauses("state", matter.topic, matter.surfaces, voice, voice, frozenset({"value"}), facts)
    return matter.place.deal(found, "echo", voice, ahead=matter.nth).render(facts) if found else None
