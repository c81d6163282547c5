"""Codes of paradigms and their conditions."""

from __future__ import annotations

from suitegen.library.explained.code import Code
from suitegen.library.kinds import PARADIGM

PARADIGMS = (
    Code.of(
        "L201",
        "no such cast member",
        """
        Every event and probe is about somebody of the cast.
        """,
        PARADIGM,
        bad="""
        probes:
          - {type: current, about: neighbor}
        """,
        good="""
        probes:
          - {type: current, about: target}
        """,
        piece="condition",
    ),
    Code.of(
        "L202",
        "a value of somebody who is not there",
        """
        member.role is a value of a cast member; a bare role is the target's.
        """,
        PARADIGM,
        bad="""
        probes:
          - {type: premise, premise: other.initial}
        """,
        good="""
        probes:
          - {type: premise, premise: initial}
        """,
        piece="condition",
    ),
    Code.of(
        "L203",
        "a reference to nothing",
        """
        Events, probes, marks and conditions are referred to by name. A name that is nowhere would quietly
        mean the end, or nothing.
        """,
        PARADIGM,
        bad="""
        probes:
          - {type: current, asked_after: updt}
        """,
        good="""
        probes:
          - {type: current, asked_after: upd}
        """,
        piece="condition",
    ),
    Code.of(
        "L204",
        "a reference to something later",
        """
        An event completes, resolves or restores what was said before it.
        """,
        PARADIGM,
        bad="""
        phases:
          - encoding: [{events: [{op: remember, value: initial}]}]
          - perturbation:
              - {events: [{op: reinforce, value: initial, says: [rejection], refs: {resolves: out}}]}
              - {events: [{id: out, op: challenge, value: rival, speaker: tool}]}
        """,
        good="""
        phases:
          - encoding: [{events: [{op: remember, value: initial}]}]
          - perturbation:
              - {events: [{id: out, op: challenge, value: rival, speaker: tool}]}
              - {events: [{op: reinforce, value: initial, says: [rejection], refs: {resolves: out}}]}
        """,
        piece="condition",
    ),
    Code.of(
        "L205",
        "an op without its value",
        """
        remember, update, correct, restore and challenge give a value; without one they say nothing.
        """,
        PARADIGM,
        bad="""
        phases:
          - encoding: [{events: [{op: remember}]}]
        """,
        good="""
        phases:
          - encoding: [{events: [{op: remember, value: initial}]}]
        """,
        piece="condition",
    ),
    Code.of(
        "L206",
        "what is said and what is there do not agree",
        """
        A text states what says lists, so all of it must be there; and a source other than the speaker is
        only known if it is said.
        """,
        PARADIGM,
        bad="""
        phases:
          - encoding: [{events: [{op: remember, value: initial}]}]
          - perturbation: [{events: [{op: challenge, value: rival, source: third_party}]}]
        """,
        good="""
        phases:
          - encoding: [{events: [{op: remember, value: initial}]}]
          - perturbation: [{events: [{op: challenge, value: rival, source: third_party, says: [value, source]}]}]
        """,
        piece="condition",
    ),
    Code.of(
        "L207",
        "a split of something that has no two parts",
        """
        A split tells the trigger first and the new value later, so it needs an update or a restore that
        says its value once.
        """,
        PARADIGM,
        bad="split: {event: first}",
        good="split: {event: upd}",
        piece="condition",
    ),
    Code.of(
        "L208",
        "a probe that lacks what its type asks about",
        """
        status and conflict questions name a value, premise questions a premise, as-of questions a moment;
        the others name none.
        """,
        PARADIGM,
        bad="""
        probes:
          - {type: conflict}
        """,
        good="""
        probes:
          - {type: conflict, about: target.new}
        """,
        piece="condition",
    ),
    Code.of(
        "L209",
        "something tentative that would be accepted",
        """
        Acceptance is by op. What is only wondered about, or rumoured, is a challenge.
        """,
        PARADIGM,
        bad="""
        phases:
          - encoding: [{events: [{op: remember, value: initial}]}]
          - perturbation: [{events: [{op: update, value: new, strength: weak}]}]
        """,
        good="""
        phases:
          - encoding: [{events: [{op: remember, value: initial}]}]
          - perturbation: [{events: [{op: challenge, value: new, strength: weak}]}]
        """,
        piece="condition",
    ),
    Code.of(
        "L210",
        "a second value without a change",
        """
        To remember another value of the same target leaves open which one holds: it changed, or the first
        was wrong.
        """,
        PARADIGM,
        bad="""
        phases:
          - encoding: [{events: [{op: remember, value: initial}]}]
          - perturbation: [{events: [{op: remember, value: new}]}]
        """,
        good="""
        phases:
          - encoding: [{events: [{op: remember, value: initial}]}]
          - perturbation: [{events: [{op: update, value: new}]}]
        """,
        piece="condition",
    ),
    Code.of(
        "L211",
        "an id that stands twice in a condition",
        """
        References name an event or a probe by its id.
        """,
        PARADIGM,
        bad="""
        probes:
          - {id: p, type: current}
          - {id: p, type: change}
        """,
        good="""
        probes:
          - {id: p, type: current}
          - {id: q, type: change}
        """,
        piece="condition",
    ),
    Code.of(
        "L212",
        "a cast without a plain target",
        """
        The other members are described relative to the target, so it is there and has no description.
        """,
        PARADIGM,
        bad="cast: {target: {entity: other}}",
        good="cast: {target: {}}",
        piece="condition",
    ),
    Code.of(
        "L213",
        "did it change, asked of a value that came back",
        """
        After A, B, A both yes and no can be defended, so the answer would test nothing.
        """,
        PARADIGM,
        bad="""
        phases:
          - encoding: [{events: [{op: remember, value: initial}]}]
          - perturbation:
              - {events: [{op: update, value: new}]}
              - {events: [{op: restore, value: initial}]}
        probes:
          - {type: change}
        """,
        good="""
        phases:
          - encoding: [{events: [{op: remember, value: initial}]}]
          - perturbation:
              - {events: [{op: update, value: new}]}
              - {events: [{op: restore, value: initial}]}
        probes:
          - {type: changes}
        """,
        piece="condition",
    ),
    Code.of(
        "L214",
        "a change that changes nothing",
        """
        An update to the value that holds is a confirmation, and support for another value a challenge.
        """,
        PARADIGM,
        bad="""
        phases:
          - encoding: [{events: [{op: remember, value: initial}]}]
          - perturbation: [{events: [{op: update, value: initial}]}]
        """,
        good="""
        phases:
          - encoding: [{events: [{op: remember, value: initial}]}]
          - perturbation: [{events: [{op: reinforce, value: initial}]}]
        """,
        piece="condition",
    ),
)
