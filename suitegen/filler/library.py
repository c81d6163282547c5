"""The built-in filler library: scripts become dialogues, each with a number."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod

from suitegen.errors import AuthorError
from suitegen.filler.digest import text_hash
from suitegen.library.templates import Line, compile_line
from suitegen.model.background import Script, slot_group
from suitegen.model.history import Role, Turn, Written

Used = frozenset[str]
"""Groups of slots that occur in the lines chosen so far."""


@dataclass(frozen=True, slots=True)
class _Turn:
    """A turn with its lines compiled, and the groups of slots that each line uses."""

    role: Role
    name: str | None
    lines: tuple[tuple[Line, Used], ...]


@dataclass(frozen=True, slots=True)
class _Path:
    """The turns that are left when some optional ones are taken out."""

    turns: tuple[_Turn, ...]
    sizes: Mapping[str, int]
    """Group of slots to its number of alternatives."""
    endings: Mapping[tuple[int, Used], int]
    """How many dialogues go on from a position when the lines so far use these groups.

    Slots that no chosen line uses do not count: they change nothing.
    """

    @property
    def count(self) -> int:
        return self.endings[0, frozenset()]

    def lines(self, number: int) -> tuple[tuple[Line, ...], Used, int]:
        """The lines of the dialogue with that number, the groups they use, and the number among these groups' draws."""
        used: Used = frozenset()
        chosen: list[Line] = []
        for position, turn in enumerate(self.turns, 1):
            for line, more in turn.lines:
                size = self.endings[position, used | more]
                if number < size:
                    chosen.append(line)
                    used |= more
                    break
                number -= size
        return tuple(chosen), used, number


@dataclass(frozen=True, slots=True)
class _Topic:
    script: Script
    paths: tuple[_Path, ...]

    @property
    def count(self) -> int:
        return sum(path.count for path in self.paths)

    def dialogue(self, number: int) -> Written:
        rest = number
        for path in self.paths:
            if 0 <= rest < path.count:
                return self._written(path, rest)
            rest -= path.count
        raise IndexError(f"script {self.script.id!r} has no dialogue {number}")

    def _written(self, path: _Path, number: int) -> Written:
        lines, used, rest = path.lines(number)
        values: dict[str, str] = {}
        for group, names in self.script.groups().items():
            # A group that no line uses keeps its first alternative, unseen.
            rest, index = divmod(rest, path.sizes[group]) if group in used else (rest, 0)
            values |= {name: self.script.slots[name][index] for name in names}
        turns = tuple(
            Turn(role=turn.role, content=line.render(values), name=turn.name)
            for turn, line in zip(path.turns, lines, strict=True)
        )
        return Written(turns=turns, origin=f"library:{self.script.id}", license=self.script.license)


class Library:
    """Dialogues drawn from scripts; a topic is a script.

    Raises:
        AuthorError: a line uses a slot that the script does not have, or a slot is never used.
        TemplateError: a line is not valid.
    """

    def __init__(self, scripts: Iterable[Script]) -> None:
        self.scripts: tuple[Script, ...] = tuple(scripts)
        compiled = [(script, _compile(script)) for script in self.scripts]
        problems = [problem for script, turns in compiled for problem in _problems(script, turns)]
        if problems:
            raise AuthorError(problems, hint="every slot is used by some line, and lines use only the script's slots")
        self._topics = tuple(_Topic(script, _paths(script, turns)) for script, turns in compiled)
        self.counts: Sequence[int] = tuple(topic.count for topic in self._topics)
        """How many distinct dialogues each script gives."""

    @property
    def fingerprint(self) -> str:
        """A hash of the scripts."""
        return text_hash(*(script.model_dump_json() for script in self.scripts))

    def dialogue(self, topic: int, number: int) -> Written:
        """The dialogue of that number, from 0 to the script's count less one; another number, another text."""
        return self._topics[topic].dialogue(number)


def _compile(script: Script) -> tuple[_Turn, ...]:
    turns = []
    for index, turn in enumerate(script.turns):
        lines = [compile_line(line, f"script {script.id!r}, turn {index}") for line in turn.lines]
        used = [frozenset(slot_group(name) for name in line.variables) for line in lines]
        turns.append(_Turn(turn.role, turn.name, tuple(zip(lines, used, strict=True))))
    return tuple(turns)


def _problems(script: Script, turns: Sequence[_Turn]) -> list[str]:
    named = {name for turn in turns for line, _ in turn.lines for name in line.variables}
    slots = set(script.slots)
    return [
        *(f"script {script.id!r}: there is no slot {name!r}" for name in sorted(named - slots)),
        *(f"script {script.id!r}: no line uses the slot {name!r}" for name in sorted(slots - named)),
    ]


def _paths(script: Script, turns: Sequence[_Turn]) -> tuple[_Path, ...]:
    """One path for each choice of the optional exchanges, the fullest first."""
    starts = [index for index, turn in enumerate(turns) if turn.role == "user"]
    owner = [max(start for start in starts if start <= index) for index in range(len(turns))]
    sizes = {group: len(script.slots[names[0]]) for group, names in script.groups().items()}
    out = []
    for size in range(len(script.optional) + 1):
        for gone in combinations(script.optional, size):
            kept = tuple(turn for index, turn in enumerate(turns) if owner[index] not in gone)
            out.append(_Path(kept, sizes, _endings(kept, sizes)))
    return tuple(out)


def _endings(turns: Sequence[_Turn], sizes: Mapping[str, int]) -> dict[tuple[int, Used], int]:
    """Count backwards over the sets of groups that can be in use at each position."""
    reached: list[set[Used]] = [{frozenset()}]
    for turn in turns:
        reached.append({used | more for used in reached[-1] for _, more in turn.lines})
    counts = {(len(turns), used): prod(sizes[group] for group in used) for used in reached[-1]}
    for position in reversed(range(len(turns))):
        for used in reached[position]:
            counts[position, used] = sum(counts[position + 1, used | more] for _, more in turns[position].lines)
    return counts
