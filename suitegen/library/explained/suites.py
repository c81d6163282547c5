"""Codes of suites and gates."""

from __future__ import annotations

from suitegen.library.explained.code import Code
from suitegen.library.kinds import FACT_TYPE, GATE, PARADIGM, SUITE

SUITES = (
    Code.of(
        "L301",
        "a fact type that is not there, or twice",
        """
        A suite names its fact types by id, each once.
        """,
        SUITE,
        bad="fact_types: [standup_tim]",
        good="fact_types: [standup_time]",
    ),
    Code.of(
        "L302",
        "no such paradigm or condition",
        """
        A cell names a paradigm and conditions of it.
        """,
        SUITE,
        bad="""
        cells:
          - {paradigm: interference, condition: [moved, rumor], count: 2}
        """,
        good="""
        cells:
          - {paradigm: interference, condition: [moved, rumour], count: 2}
        """,
    ),
    Code.of(
        "L303",
        "a cell that asks for what the suite has not",
        """
        A cell picks among the suite's own fact types and their domains.
        """,
        SUITE,
        bad="""
        cells:
          - {paradigm: interference, condition: [moved, rumour], domain: [home], count: 2}
        """,
        good="""
        cells:
          - {paradigm: interference, condition: [moved, rumour], domain: [work], count: 2}
        """,
    ),
    Code.of(
        "L304",
        "a fact type that cannot serve a condition",
        """
        A condition may need changes, other entities, confusables, dependents, or more values than a fact
        type has.
        """,
        FACT_TYPE,
        bad="changes: []",
        good="""
        changes:
          - id: lisbon
            trigger: two colleagues joined from Lisbon
            reason: the old slot clashed with their school run
            keys: [Lisbon, school run]
        """,
    ),
    Code.of(
        "L305",
        "a split or twin that the condition does not declare",
        """
        How an event comes in two parts, and what the paired control replaces, is said by the condition.
        """,
        SUITE,
        bad="""
        cells:
          - {paradigm: interference, condition: [moved, rumour], split: [true], count: 2}
        """,
        good="""
        cells:
          - {paradigm: interference, condition: [moved, rumour], split: [false], count: 2}
        """,
    ),
    Code.of(
        "L306",
        "one behaviour is expected much more often",
        """
        If most episodes expect an update, a memory that believes everything looks good; if few do, one that
        learns nothing.
        """,
        SUITE,
        bad="""
        cells:
          - {paradigm: interference, condition: moved, count: 6}
          - {paradigm: interference, condition: rumour, count: 2}
        """,
        good="""
        cells:
          - {paradigm: interference, condition: moved, count: 4}
          - {paradigm: interference, condition: rumour, count: 4}
        """,
        severity="warning",
    ),
    Code.of(
        "L307",
        "a count that cannot be spread evenly",
        """
        The count of a cell is dealt over the combinations of its lists, and the numbers in `after`
        over its cases; what is left over makes some combinations larger, or some numbers rarer.
        """,
        SUITE,
        bad="""
        cells:
          - {paradigm: interference, condition: [moved, rumour], count: 3}
        """,
        good="""
        cells:
          - {paradigm: interference, condition: [moved, rumour], count: 4}
        """,
        severity="warning",
    ),
    Code.of(
        "L308",
        "no such tier",
        """
        Tiers are short, core and long, unless the suite declares its own.
        """,
        SUITE,
        bad="""
        cells:
          - {paradigm: interference, condition: [moved, rumour], tier: [huge], count: 2}
        """,
        good="""
        cells:
          - {paradigm: interference, condition: [moved, rumour], tier: [long], count: 2}
        """,
    ),
    Code.of(
        "L309",
        "no such gate",
        """
        Gates are the files of validators/, by id.
        """,
        SUITE,
        bad="gates: [sesion]",
        good="gates: [session]",
    ),
    Code.of(
        "L310",
        "a mark without a place",
        """
        A condition that stands at a mark, or asks after one, needs the suite to say at which session that
        is.
        """,
        PARADIGM,
        bad="""
        phases:
          - encoding: [{at: w1, events: [{op: remember, value: initial}]}]
          - perturbation: [{events: [{id: upd, op: update, value: new, says: [value, trigger, reason], change: c}]}]
        """,
        good="""
        phases:
          - encoding: [{events: [{op: remember, value: initial}]}]
          - perturbation: [{events: [{id: upd, op: update, value: new, says: [value, trigger, reason], change: c}]}]
        """,
        piece="condition",
    ),
    Code.of(
        "L311",
        "a language that is not there",
        """
        A suite is in one language: its fact types, surfaces, questions and fillers must speak it.
        """,
        SUITE,
        bad="language: de",
        good="language: en",
    ),
    Code.of(
        "L313",
        "no day to start at",
        """
        Histories are dated from that day on.
        """,
        SUITE,
        bad="start: 12 January 2026",
        good="start: 2026-01-12",
    ),
    Code.of(
        "L314",
        "a probe type that gives the behaviour away",
        """
        If a question is asked only after updates, that it is asked already answers whether there was one.
        """,
        PARADIGM,
        bad="""
        probes:
          - {type: current}
          - {type: trajectory}
        """,
        good="""
        probes:
          - {type: current}
        """,
        severity="warning",
        piece="condition",
    ),
    Code.of(
        "L315",
        "no filler of that kind",
        """
        A mix holds kinds of filler; events stand in conditions, and what is former is former only after a
        change.
        """,
        SUITE,
        bad="mix: {background: 50, stale_reference: 50}",
        good="mix: {background: 50, near_miss: 50}",
    ),
    Code.of(
        "L316",
        "a group whose members do not differ",
        """
        vary names the axes along which the members of a matched group differ, so each needs two levels or
        more.
        """,
        SUITE,
        bad="""
        cells:
          - {paradigm: interference, condition: [moved, rumour], vary: [split], count: 2}
        """,
        good="""
        cells:
          - {paradigm: interference, condition: [moved, rumour], vary: [condition], count: 2}
        """,
        severity="warning",
    ),
    Code.of(
        "L318",
        "fillers whose licence forbids the suite's",
        """
        A suite passes its fillers on, so it has to keep their terms: text that allows no commercial use, no derived
        works, or asks for its own terms, cannot stand in a suite that promises less. What is under no licence cannot
        be passed on at all.
        """,
        SUITE,
        bad="""
        license: CC-BY-4.0
        fillers:
          - {source: files, path: chats.jsonl, license: CC-BY-NC-4.0}
        """,
        good="""
        license: CC-BY-NC-4.0
        fillers:
          - {source: files, path: chats.jsonl, license: CC-BY-NC-4.0}
        """,
    ),
    Code.of(
        "L319",
        "a mark in the wrong place",
        """
        What changes is introduced before it changes, with a window between where it is asked at windows; a window lies
        within the history, and after the first fact that it asks about.
        """,
        SUITE,
        bad="""
        marks: {w1: 8, w2: 14}
        histories:
          - count: 1
            sessions: 14
            threads:
              - {paradigm: interference, condition: moved, count: 1, stands: {encoding: w2, perturbation: w1}}
        """,
        good="""
        marks: {w1: 8, w2: 14}
        histories:
          - count: 1
            sessions: 14
            threads:
              - {paradigm: interference, condition: moved, count: 1, stands: {encoding: w1, perturbation: w2}}
        """,
    ),
    Code.of(
        "L317",
        "a probe type that the condition does not ask",
        """
        probes keeps some of the probes that a condition asks; it cannot add any, since each says in the condition
        what it is about.
        """,
        SUITE,
        bad="""
        cells:
          - {paradigm: interference, condition: moved, probes: [current, trajectory], count: 2}
        """,
        good="""
        cells:
          - {paradigm: interference, condition: moved, probes: [current], count: 2}
        """,
    ),
    Code.of(
        "L501",
        "no such validator",
        """
        A gate runs validators by name. One that is not there would be a check that never failed.
        """,
        GATE,
        bad="checks: [rolles]",
        good="checks: [roles]",
    ),
)
