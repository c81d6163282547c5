from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from suitegen.library.catalog import Loaded, load
from suitegen.library.lint import lint
from suitegen.library.problem import Problem
from suitegen.library.shelves import Shelves

FACT_TYPE = """\
id: standup_time
domain: work
attribute: standup time
noun: "the standup time of the {{ subject }}"
subject:
  pool: [platform team, mobile team, data team]
kind: time
mutability: dynamic
values:
  - {value: "9:30"}
  - {value: "9:45"}
  - {value: "10:00"}
  - {value: "10:30"}
  - {value: "11:00"}
  - {value: "11:30"}
cues: [standup]
changes:
  - id: lisbon
    trigger: two colleagues joined from Lisbon
    reason: the old slot clashed with their school run
    keys: [Lisbon, school run]
depends_on: []
contexts:
  - id: agenda
    open: [Help me with the agenda for the standup.]
    reply: [Gladly. What has to be on it?]
    follow: [Only the blockers.]
    answer: [Then keep it to one line each.]
confusables: []
phrasings:
  user:
    remember: ["the {{ subject }} has its standup at {{ value }}"]
tool_name: calendar_lookup
"""

PARADIGM = """\
id: interference
about: A first association, then a competing one.
conditions:
  moved:
    expects: update
    cast: {target: {}}
    phases:
      - encoding: [{events: [{id: first, op: remember, value: initial}]}]
      - perturbation: [{events: [{id: upd, op: update, value: new, says: [value, trigger, reason], change: c}]}]
    probes: [{type: current}]
  rumour:
    expects: preserve
    phases:
      - encoding: [{events: [{op: remember, value: initial}]}]
      - perturbation:
          - events: [{op: challenge, value: rival, source: third_party, strength: weak, says: [value, source]}]
    probes: [{type: current}]
"""

SUITE = """\
id: small
title: A small suite
language: en
seed: 7
fact_types: [standup_time]
cells:
  - {paradigm: interference, condition: [moved, rumour], count: 2}
mix: {background: 1}
mix_after: {background: 1}
gates: [session]
start: 2026-01-12
"""

GATE = """\
id: session
about: What one session has to be.
level: session
checks: [roles]
"""

ALL_OPS = "[remember, update, correct, forget, restore, reinforce, reactivate, challenge, mention, clue, reflect]"

SURFACES = f"""\
language: en
records:
  clauses: &clauses
    state: ["{{{{ noun }}}} is {{{{ value }}}}"]
    state_new: ["{{{{ noun }}}} is {{{{ value }}}} now"]
    considering: ["making it {{{{ value }}}}"]
    was: ["{{{{ noun }}}} was {{{{ old }}}}"]
  riders: &riders
    act: ["It is about {{{{ noun }}}}."]
    value: ["{{{{ state|cap }}}}."]
    old: ["Before, {{{{ was }}}}."]
    trigger: ["It came up because {{{{ trigger }}}}."]
    reason: ["The reason is that {{{{ reason }}}}."]
    source: ["I have that from {{{{ origin }}}}."]
    date: ["That was on {{{{ date }}}}.", "It holds from {{{{ effective }}}} on."]
    rejection: ["{{{{ rejected|cap }}}} is wrong."]
phrases:
  - op: {ALL_OPS}
    speaker: [user, assistant, tool]
    source: [user, assistant, tool, document, third_party]
    lines: ["{{{{ state|cap }}}}.", "{{{{ noun|cap }}}} comes up."]
  - op: {ALL_OPS}
    speaker: [user, assistant, tool]
    act: false
    lines: ["So {{{{ state }}}}."]
riders: *riders
exchanges:
  - {{speaker: user, turns: [{{user: ["{{{{ said }}}}"]}}, {{assistant: [I see.]}}]}}
  - {{speaker: assistant, turns: [{{user: [Go on.]}}, {{assistant: ["{{{{ said }}}}"]}}]}}
  - {{speaker: tool, turns: [{{user: ["{{{{ noun }}}}?"]}}, {{tool: ["{{{{ said }}}}"]}}, {{assistant: [There.]}}]}}
shapes:
  - [open, reply, said, follow, answer]
clauses: *clauses
words:
  me: {{user: me, assistant: you, tool: the user}}
  owned: "the {{{{ attribute }}}} of {{{{ subject }}}}"
  written: "the {{{{ attribute }}}}"
  origins: {{third_party: [somebody]}}
  rejected: {{third_party: [that person]}}
  tools: {{tool: lookup}}
  dates: ["{{{{ day }}}} {{{{ month }}}} {{{{ year }}}}"]
asides: [the sun is out]
"""

QUESTIONS = """\
language: en
asks:
  current: &any ["What about {{ noun }}?"]
  change: *any
  changes: *any
  trajectory: *any
  as_of: ["What was {{ noun }} on {{ date }}?"]
  premise: ["Is it true that {{ noun }} is {{ premise }}?"]
about_rival: {conflict: ["Is {{ rival }} right for {{ noun }}?"]}
answer_fields:
  value: The value.
  values: Every value.
  changed: Whether it changed.
  count: How often it changed.
  source: Who told it.
  status: How it stands.
  applies: Whether it is about that.
  holds: Whether it is so.
"""

SCRIPTS = """\
scripts:
  - id: tea
    slots: {kind: [green, black]}
    turns:
      - user: ["Which {{ kind }} tea keeps best?"]
      - assistant: [Loose leaves in a tin.]
      - user: [And how long?]
      - assistant: [About a year.]
"""

FILES: Mapping[str, tuple[str, str]] = {
    "fact-type": ("fact_types/work/standup_time.yaml", FACT_TYPE),
    "paradigm": ("specs/paradigms/interference.yaml", PARADIGM),
    "suite": ("specs/suites/small.yaml", SUITE),
    "gate": ("validators/session.yaml", GATE),
    "surfaces": ("templates/surfaces/en.yaml", SURFACES),
    "questions": ("templates/questions/en.yaml", QUESTIONS),
    "scripts": ("templates/background/tea.yaml", SCRIPTS),
}
"""A small library without any mistake: path and text by kind."""


@dataclass(frozen=True)
class Project:
    """A folder with the small library in it."""

    root: Path

    def write(self, path: str, text: str | bytes) -> Path:
        """Write a file below the folder."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
        return target

    def put(self, kind: str, keys: str, *, beside: str | None = None) -> None:
        """Replace top-level keys of a kind's file, in place or in another file beside it."""
        path, text = FILES[kind]
        self.write(beside or path, merged(text, keys))

    def put_condition(self, keys: str) -> None:
        """Replace keys of the condition ``moved``."""
        _, text = FILES["paradigm"]
        head, block, tail = re.split(r"(?<=  moved:\n)|(?=  rumour:\n)", text)
        self.write(FILES["paradigm"][0], head + textwrap.indent(merged(textwrap.dedent(block), keys), "    ") + tail)

    def load(self) -> Loaded:
        """Everything in the folder, and nothing else."""
        return load(Shelves((self.root,)))

    def lint(self, validators: frozenset[str] | None = frozenset({"roles"})) -> tuple[Problem, ...]:
        """All problems of the folder."""
        return lint(self.load(), validators)

    def codes(self) -> list[str]:
        """The codes of all problems."""
        return [problem.code for problem in self.lint()]

    def only(self, code: str) -> Problem:
        """The one problem that there is, which has that code."""
        problems = self.lint()
        assert [problem.code for problem in problems] == [code], "\n".join(map(str, problems))
        return problems[0]


def merged(text: str, keys: str) -> str:
    """A text of top-level keys with those of another text in their place, or behind them."""
    blocks = _blocks(text)
    return "".join(block + "\n" for block in {**blocks, **_blocks(keys)}.values())


def _blocks(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for number, block in enumerate(re.split(r"\n(?=[^\s#])", text.strip("\n"))):
        key = block.partition(":")[0]
        found[key if key not in found else f"{key}{number}"] = block
    return found


@pytest.fixture
def project(tmp_path: Path) -> Project:
    """The small library in a folder of its own."""
    made = Project(tmp_path)
    for path, text in FILES.values():
        made.write(path, text)
    return made


@pytest.fixture
def line_of() -> Callable[[Problem], str]:
    """The source line of a problem from its column on."""
    return lambda problem: problem.source_line[problem.col - 1 :]
