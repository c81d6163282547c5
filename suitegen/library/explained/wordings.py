"""Codes of templates, surfaces, questions and scripts."""

from __future__ import annotations

from suitegen.library.explained.code import Code
from suitegen.library.kinds import FACT_TYPE, QUESTIONS, SCRIPTS, SURFACES

WORDINGS = (
    Code.of(
        "L401",
        "not a valid template",
        """
        Lines are Jinja templates with variables, filters, conditions and plain loops; single braces are
        plain text.
        """,
        FACT_TYPE,
        bad='noun: "the standup time of the {{ subject }"',
        good='noun: "the standup time of the {{ subject }}"',
    ),
    Code.of(
        "L402",
        "unknown variable",
        """
        A variable that a line does not get would stop the build in the middle, or leave a hole in a text.
        """,
        FACT_TYPE,
        bad='noun: "the standup time of the {{ subjct }}"',
        good='noun: "the standup time of the {{ subject }}"',
    ),
    Code.of(
        "L403",
        "an event that the surfaces cannot say",
        """
        Every event of a condition is put into words by a phrase and, for the facets left, riders; and into
        turns by an exchange.
        """,
        SURFACES,
        bad="""
        phrases:
          - {op: remember, lines: ["{{ state|cap }}."]}
        """,
        good="""
        phrases:
          - {op: remember, lines: ["{{ state|cap }}."]}
          - {op: update, lines: ["{{ trigger|cap }}, so {{ state_new }}, because {{ reason }}."]}
          - {op: challenge, speaker: [user], source: [third_party], lines: ["{{ origin|cap }} says that {{ state }}."]}
        """,
    ),
    Code.of(
        "L404",
        "template marks in a plain text",
        """
        Values, triggers and reasons are data: they are put in as they are, braces and all. That may be
        meant.
        """,
        FACT_TYPE,
        bad="""
        kind: text
        values:
          - {value: 'Bo {{ name }}'}
          - {value: ash}
          - {value: beech}
          - {value: cedar}
          - {value: elm}
          - {value: fir}
        """,
        good="""
        kind: text
        values:
          - {value: Bo}
          - {value: ash}
          - {value: beech}
          - {value: cedar}
          - {value: elm}
          - {value: fir}
        """,
        severity="warning",
    ),
    Code.of(
        "L405",
        "an exchange that does not hold what is said",
        """
        What is said stands in one turn of its speaker, in each of the turn's lines; the other turns are
        about nothing.
        """,
        SURFACES,
        bad="""
        exchanges:
          - {speaker: user, turns: [{user: ["{{ said }}", "Well."]}, {assistant: [I see.]}]}
        """,
        good="""
        exchanges:
          - {speaker: user, turns: [{user: ["{{ said }}", "Well. {{ said }}"]}, {assistant: [I see.]}]}
        """,
    ),
    Code.of(
        "L406",
        "a slot that no line uses",
        """
        Alternatives that are never used make a script look more varied than it is.
        """,
        SCRIPTS,
        bad="""
        scripts:
          - id: tea
            slots: {kind: [green, black], milk: [oat, cow]}
            turns:
              - user: ["Which {{ kind }} tea keeps best?"]
              - assistant: [Loose leaves in a tin.]
              - user: [And how long?]
              - assistant: [About a year.]
        """,
        good="""
        scripts:
          - id: tea
            slots: {kind: [green, black]}
            turns:
              - user: ["Which {{ kind }} tea keeps best?"]
              - assistant: [Loose leaves in a tin.]
              - user: [And how long?]
              - assistant: [About a year.]
        """,
        severity="warning",
    ),
    Code.of(
        "L407",
        "a shape that is no session",
        """
        A shape is an order of the scene's parts and what is said; each stands in it at most once, and said
        always.
        """,
        SURFACES,
        bad="""
        shapes:
          - [open, reply, follow, answer]
        """,
        good="""
        shapes:
          - [open, reply, said, follow, answer]
        """,
    ),
    Code.of(
        "L408",
        "a rider that says more than its facet",
        """
        A rider is added for one facet that is still open. Another facet in it would be said twice, or where
        it must not be.
        """,
        SURFACES,
        bad="""
        riders:
          trigger: ["It came up because {{ trigger }}."]
          reason: ["The reason is that {{ reason }}, so {{ state }}."]
          source: ["I have that from {{ origin }}."]
        """,
        good="""
        riders:
          trigger: ["It came up because {{ trigger }}."]
          reason: ["The reason is that {{ reason }}."]
          source: ["I have that from {{ origin }}."]
        """,
    ),
    Code.of(
        "L409",
        "a probe type without a question",
        """
        Every probe that a suite asks needs a wording; those that name a value need one that has {{ rival
        }}.
        """,
        QUESTIONS,
        bad='asks: {change: ["Has {{ noun }} changed?"]}',
        good='asks: {change: ["Has {{ noun }} changed?"], current: ["What is {{ noun }}?"]}',
    ),
    Code.of(
        "L410",
        "a question that does not say what it is about",
        """
        A question names the target; that of a rival, a premise or a date names that as well. Otherwise nobody
        could answer it.
        """,
        QUESTIONS,
        bad='about_rival: {conflict: ["Is that right for {{ noun }}?"]}',
        good='about_rival: {conflict: ["Is {{ rival }} right for {{ noun }}?"]}',
    ),
    Code.of(
        "L411",
        "an answer field without a description",
        """
        The format of an answer says what each field holds, and which words mean that there is nothing to give.
        """,
        QUESTIONS,
        bad="answer_fields: {changed: Whether it changed.}",
        good="answer_fields: {value: The value.}",
    ),
    Code.of(
        "L412",
        "a line that names what it is to leave unnamed",
        """
        The first part of a split goes by the value that ends, so that the words of a question do not lead to it:
        the line has that value, and neither the attribute nor whose it is.
        """,
        SURFACES,
        bad="""
        phrases:
          - {op: [remember, update, challenge], source: [user, third_party], lines: ["{{ state|cap }}."]}
          - {op: update, named: false, lines: ["Don't count on {{ old }} for {{ noun }}."]}
        """,
        good="""
        phrases:
          - {op: [remember, update, challenge], source: [user, third_party], lines: ["{{ state|cap }}."]}
          - {op: update, named: false, lines: ["Don't count on {{ old }}."]}
        """,
    ),
)
