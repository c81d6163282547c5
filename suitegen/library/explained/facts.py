"""Codes of ids and of fact types."""

from __future__ import annotations

from suitegen.library.explained.code import Code
from suitegen.library.kinds import FACT_TYPE, PARADIGM, SUITE

FACTS = (
    Code.of(
        "L001",
        "the id is not the file's name",
        """
        Fact types and wordings are looked for by their file's name.
        """,
        FACT_TYPE,
        bad="id: daily_standup",
        good="id: standup_time",
    ),
    Code.of(
        "L002",
        "the domain is not the folder's name",
        """
        Fact types stand in the folder of their domain.
        """,
        FACT_TYPE,
        bad="domain: office",
        good="domain: work",
    ),
    Code.of(
        "L003",
        "an id stands twice",
        """
        Two files of one shelf declare the same thing, or two things that a file system may take for one.
        Only a project's file may shadow a shipped one.
        """,
        PARADIGM,
        bad="id: interference",
        good="id: competition",
        piece="another",
    ),
    Code.of(
        "L004",
        "a reserved name",
        """
        Some systems cannot have a file of that name, so the data could not be unpacked there.
        """,
        SUITE,
        bad="id: nul",
        good="id: null-control",
    ),
    Code.of(
        "L101",
        "two values that mean the same",
        """
        If two values mean the same, a change from one to the other is none, and a right answer looks wrong.
        """,
        FACT_TYPE,
        bad="""
        values:
          - {value: "9:30"}
          - {value: half past nine}
          - {value: "10:00"}
          - {value: "10:30"}
          - {value: "11:00"}
          - {value: "11:30"}
        """,
        good="""
        values:
          - {value: "9:30", aliases: [half past nine]}
          - {value: "9:45"}
          - {value: "10:00"}
          - {value: "10:30"}
          - {value: "11:00"}
          - {value: "11:30"}
        """,
    ),
    Code.of(
        "L102",
        "a value inside another",
        """
        A text that states the longer value would state the shorter one too, and no check could tell which
        was meant.
        """,
        FACT_TYPE,
        bad="""
        kind: name
        values:
          - {value: Ana}
          - {value: Ana Costa}
          - {value: Bo}
          - {value: Chidi}
          - {value: Dara}
          - {value: Eve}
        """,
        good="""
        kind: name
        values:
          - {value: Ana Silva}
          - {value: Ana Costa}
          - {value: Bo}
          - {value: Chidi}
          - {value: Dara}
          - {value: Eve}
        """,
    ),
    Code.of(
        "L103",
        "too few values",
        """
        Roles are drawn from the values, and each value must be able to come first, later, or not at all.
        With fewer than six the draws repeat; with fewer than four they cannot be made.
        """,
        FACT_TYPE,
        bad="""
        values:
          - {value: "9:30"}
          - {value: "9:45"}
          - {value: "10:00"}
        """,
        good="""
        values:
          - {value: "9:30"}
          - {value: "9:45"}
          - {value: "10:00"}
          - {value: "10:30"}
          - {value: "11:00"}
          - {value: "11:30"}
        """,
    ),
    Code.of(
        "L104",
        "a value that is none of its kind",
        """
        Values of a kind are compared by what they mean. One that cannot be read can only be compared by its
        letters.
        """,
        FACT_TYPE,
        bad="""
        values:
          - {value: room four}
          - {value: "9:45"}
          - {value: "10:00"}
          - {value: "10:30"}
          - {value: "11:00"}
          - {value: "11:30"}
        """,
        good="""
        values:
          - {value: "9:30"}
          - {value: "9:45"}
          - {value: "10:00"}
          - {value: "10:30"}
          - {value: "11:00"}
          - {value: "11:30"}
        """,
    ),
    Code.of(
        "L105",
        "cues are missing",
        """
        Numbers, quantities, times, dates and everyday words turn up everywhere. They count as this
        attribute's value only near a word that says so.
        """,
        FACT_TYPE,
        bad="cues: []",
        good="cues: [standup, daily]",
    ),
    Code.of(
        "L106",
        "a key that occurs nowhere",
        """
        An answer is matched to a change by its keys. A key that stands in neither trigger nor reason
        matches nothing.
        """,
        FACT_TYPE,
        bad="""
        changes:
          - id: lisbon
            trigger: two colleagues joined from Lisbon
            reason: the old slot clashed with their school run
            keys: [Lisbon, school run, Porto]
        """,
        good="""
        changes:
          - id: lisbon
            trigger: two colleagues joined from Lisbon
            reason: the old slot clashed with their school run
            keys: [Lisbon, school run]
        """,
    ),
    Code.of(
        "L107",
        "a trigger or a reason without a key",
        """
        Trigger and reason are asked for one by one, so each needs a key of its own.
        """,
        FACT_TYPE,
        bad="""
        changes:
          - id: lisbon
            trigger: two colleagues joined from Lisbon
            reason: the old slot clashed with their school run
            keys: [Lisbon, two colleagues]
        """,
        good="""
        changes:
          - id: lisbon
            trigger: two colleagues joined from Lisbon
            reason: the old slot clashed with their school run
            keys: [Lisbon, school run]
        """,
    ),
    Code.of(
        "L108",
        "a key that two changes share",
        """
        An answer with that phrase would be right for both, so it would be right whatever happened.
        """,
        FACT_TYPE,
        bad="""
        changes:
          - id: lisbon
            trigger: two colleagues joined from Lisbon
            reason: the old slot clashed with their school run
            keys: [Lisbon, school run]
          - id: office
            trigger: the Lisbon office opened
            reason: the corridor is empty by then
            keys: [office opened, corridor]
        """,
        good="""
        changes:
          - id: lisbon
            trigger: two colleagues joined from Lisbon
            reason: the old slot clashed with their school run
            keys: [Lisbon, school run]
          - id: office
            trigger: the Porto office opened
            reason: the corridor is empty by then
            keys: [office opened, corridor]
        """,
    ),
    Code.of(
        "L109",
        "a direction without an order",
        """
        Up and down mean something for times, dates, numbers and quantities only.
        """,
        FACT_TYPE,
        bad="""
        kind: name
        changes:
          - {id: a, trigger: the lease ran out, reason: the rent is fair, keys: [lease, rent], direction: up}
        """,
        good="""
        kind: name
        changes:
          - {id: a, trigger: the lease ran out, reason: the rent is fair, keys: [lease, rent]}
        """,
    ),
    Code.of(
        "L110",
        "a trigger or reason that states a value",
        """
        The same trigger and reason are drawn for any pair of values. One that names a value says more than
        the event does.
        """,
        FACT_TYPE,
        bad="""
        changes:
          - id: slot
            trigger: the standup at 10:00 was taken
            reason: the kitchen is quiet then
            keys: [was taken, kitchen]
        """,
        good="""
        changes:
          - id: slot
            trigger: the earlier slot was taken
            reason: the kitchen is quiet then
            keys: [was taken, kitchen]
        """,
    ),
    Code.of(
        "L111",
        "a context that states a value",
        """
        A context is the scene for any value, and without anything to say it is filler. A value in it would
        be a second answer.
        """,
        FACT_TYPE,
        bad="""
        contexts:
          - id: agenda
            open: [Help me with the agenda for the standup at 10:00.]
            reply: [Gladly. What has to be on it?]
            follow: [Only the blockers.]
            answer: [Then keep it to one line each.]
        """,
        good="""
        contexts:
          - id: agenda
            open: [Help me with the agenda for the standup.]
            reply: [Gladly. What has to be on it?]
            follow: [Only the blockers.]
            answer: [Then keep it to one line each.]
        """,
    ),
    Code.of(
        "L112",
        "a clause that does not state its value",
        """
        A clause is there to state {{ value }} (of 'was': {{ old }}). Without it the event would be said and
        nothing known.
        """,
        FACT_TYPE,
        bad="""
        phrasings:
          user:
            remember:
              - the {{ subject }} has its standup in the morning
        """,
        good="""
        phrasings:
          user:
            remember:
              - the {{ subject }} has its standup at {{ value }}
        """,
    ),
    Code.of(
        "L113",
        "a clause written as a sentence",
        """
        Clauses are put into sentences, after 'since' or 'I think', so they have no capital and no full stop
        of their own.
        """,
        FACT_TYPE,
        bad="""
        phrasings:
          user:
            remember:
              - The {{ subject }} has its standup at {{ value }}.
        """,
        good="""
        phrasings:
          user:
            remember:
              - the {{ subject }} has its standup at {{ value }}
        """,
        severity="warning",
    ),
    Code.of(
        "L114",
        "a voice is missing",
        """
        Everything can be said with the user's clauses, except of the user by others: there assistant and
        other are needed too.
        """,
        FACT_TYPE,
        bad="""
        phrasings:
          tool:
            remember:
              - 'standup={{ value }}'
        """,
        good="""
        phrasings:
          user:
            remember:
              - the {{ subject }} has its standup at {{ value }}
        """,
    ),
    Code.of(
        "L115",
        "a subject that cannot be talked about",
        """
        An attribute of the user needs people who have one as well, and a noun as the assistant would say
        it.
        """,
        FACT_TYPE,
        bad="""
        noun: my standup
        subject: {}
        """,
        good="""
        noun: my standup
        noun_you: your standup
        subject: {others: [my sister Ana, my friend Bo]}
        phrasings:
          user: {remember: ["my standup is at {{ value }}"]}
          assistant: {remember: ["your standup is at {{ value }}"]}
          other: {remember: ["the standup of {{ subject }} is at {{ value }}"]}
        """,
    ),
    Code.of(
        "L116",
        "two entities that cannot be told apart",
        """
        If one name stands inside another, a text about the one looks like a text about the other.
        """,
        FACT_TYPE,
        bad="""
        subject:
          pool: [platform team, mobile platform team]
        """,
        good="""
        subject:
          pool: [platform team, mobile team]
        """,
    ),
    Code.of(
        "L117",
        "an id that stands twice in a fact type",
        """
        Changes, contexts and confusables are told apart by their ids in the data.
        """,
        FACT_TYPE,
        bad="""
        changes:
          - {id: a, trigger: the lease ran out, reason: the rent is fair, keys: [lease, rent]}
          - {id: a, trigger: the roof leaked, reason: the new place is dry, keys: [roof, dry]}
        """,
        good="""
        changes:
          - {id: a, trigger: the lease ran out, reason: the rent is fair, keys: [lease, rent]}
          - {id: b, trigger: the roof leaked, reason: the new place is dry, keys: [roof, dry]}
        """,
    ),
    Code.of(
        "L118",
        "a dependency that is not there",
        """
        depends_on names fact types by id, and never the fact type itself.
        """,
        FACT_TYPE,
        bad="depends_on: [standup_time]",
        good="depends_on: []",
    ),
    Code.of(
        "L119",
        "a language whose words are not known",
        """
        Values are recognised with the months, units and number words of a language. Without its table no
        check could be trusted.
        """,
        FACT_TYPE,
        bad="language: tlh",
        good="language: en-GB",
    ),
    Code.of(
        "L120",
        "a plain clause that tells of a change",
        """
        What stands under remember is said where a value simply holds, and surroundings where nothing happens. A word
        such as "now" or "went with" would make a change of it, and every session that says it would be rejected.
        """,
        FACT_TYPE,
        bad="""
        phrasings:
          user:
            remember: ["the {{ subject }} has its standup at {{ value }} now"]
        """,
        good="""
        phrasings:
          user:
            remember: ["the {{ subject }} has its standup at {{ value }}"]
            update: ["the {{ subject }} has its standup at {{ value }} now"]
        """,
    ),
)
