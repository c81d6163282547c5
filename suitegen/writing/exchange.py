"""What is said in its turns: who asks, who says it, and what comes back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from suitegen.errors import DesignError, TemplateError
from suitegen.library.templates import compile_line, variables
from suitegen.model.history import Role
from suitegen.model.surface import Exchange
from suitegen.model.words import Op
from suitegen.writing.clauses import clauses
from suitegen.writing.facts import Matter
from suitegen.writing.statement import statement

MOVING: frozenset[Op] = frozenset({"remember", "reinforce", "update", "correct", "restore"})
"""Ops whose value is accepted, and so may be repeated by the assistant."""
PRIVATE_USE = range(0xE000, 0xF900)


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of one turn; ``said`` is where in it an event is said: id, start and end."""

    role: Role
    text: str
    name: str | None = None
    said: tuple[tuple[str, int, int], ...] = ()


def exchange(matter: Matter) -> tuple[Piece, ...]:
    """The turns in which an event is said.

    Raises:
        DesignError: the surfaces have no exchange for such an event.
        TemplateError: a line of the exchange cannot be rendered, or does not hold what is said once.
    """
    text = statement(matter)
    found = [chosen for chosen in matter.surfaces.exchanges if _fits(chosen, matter)]
    event, place = matter.event, matter.place
    if not found:
        raise DesignError(
            f"no exchange for a {event.strength} {event.op} by {event.speaker} on the word of {event.source}",
            where=f"surfaces {matter.surfaces.language}",
            hint="add an exchange for that speaker and source",
        )
    # Exchanges change from place to place; the lines within one, each time it comes round.
    turn = place.number + matter.nth
    deck = place.order(range(len(found)), "exchange", event.speaker, event.source, event.op, event.strength)
    chosen = found[deck[turn % len(deck)]]
    around = turn // len(deck) + (matter.nth if len(deck) == 1 else 0)
    number = matter.surfaces.exchanges.index(chosen)
    return tuple(
        _piece(matter, role, lines, text, around, f"{number}.{nth}")
        for nth, turns in enumerate(chosen.turns)
        for role, lines in turns.items()
    )


def _fits(chosen: Exchange, matter: Matter) -> bool:
    event = matter.event
    return (
        chosen.speaker == event.speaker
        and (not chosen.source or event.source in chosen.source)
        and (not chosen.op or event.op in chosen.op)
        and event.strength in chosen.strength
    )


def _piece(matter: Matter, role: Role, lines: tuple[str, ...], text: str, around: int, name: str) -> Piece:
    where = f"surfaces {matter.surfaces.language}, exchange turn {name}"
    facts = matter.topic.names(role)
    if role == "assistant" and (echo := _echo(matter)) is not None:
        facts["echo"] = echo
    known = facts.keys() | {"said"}
    usable = [line for line in dict.fromkeys(lines) if "echo" not in variables(line, where) or "echo" in known]
    if not usable:
        raise DesignError("every line of a turn repeats the value", where=where, hint="add one that does not")
    line = matter.place.order(usable, "turn", name)[around % len(usable)]
    if "said" not in variables(line, where):
        return Piece(role, compile_line(line, where).render(facts))
    mark = _mark(line, facts)
    before, *after = compile_line(line, where).render({**facts, "said": mark}).split(mark)
    if len(after) != 1:
        raise TemplateError(f"what is said stands {len(after)} times in {line!r}", where=where)
    span = (matter.event.id, len(before), len(before) + len(text))
    return Piece(role, before + text + after[0], _tool(matter) if role == "tool" else None, (span,))


def _mark(line: str, facts: Mapping[str, str]) -> str:
    """A character that neither the line nor its values hold: what is said never goes through a template."""
    used = {line, *facts.values()}
    return next(char for char in map(chr, PRIVATE_USE) if not any(char in text for text in used))


def _echo(matter: Matter) -> str | None:
    """The value as the assistant repeats it, where it is accepted and the user stated it."""
    event = matter.event
    heard = event.speaker == "user" and event.strength == "strong" and event.states("value")
    if not heard or event.op not in MOVING:
        return None
    facts = {**matter.topic.names("assistant"), "value": matter.facts["value"]}
    found = clauses("state", matter.topic, matter.surfaces, "assistant", "assistant", frozenset({"value"}), facts)
    return matter.place.deal(found, "echo", ahead=matter.nth).render(facts) if found else None


def _tool(matter: Matter) -> str | None:
    """The tool's name: the fact type's own, where the tool itself is the source."""
    tools = matter.surfaces.words.tools
    if matter.event.source == "document":
        return tools.get("document")
    return matter.topic.fact_type.tool_name or tools.get("tool")
