"""Codes of files as YAML, and of their shape."""

from __future__ import annotations

from suitegen.library.explained.code import Code
from suitegen.library.kinds import FACT_TYPE, SUITE

FILES = (
    Code.of(
        "F001",
        "the file cannot be read",
        """
        A file is UTF-8 text of a moderate size. Anything else would be guessed at, and a guess can change a
        value.
        """,
        FACT_TYPE,
        bad="attribute: café  # saved as Latin-1",
        good="attribute: café  # saved as UTF-8",
        piece="name",
    ),
    Code.of(
        "F002",
        "the file is not valid YAML",
        """
        The parser cannot tell what belongs to what. Nothing behind such a place is read, so mend it first.
        """,
        FACT_TYPE,
        bad="""
        subject:
          pool: [platform team, mobile team
        kind: time
        """,
        good="""
        subject:
          pool: [platform team, mobile team]
        kind: time
        """,
    ),
    Code.of(
        "F003",
        "a text needs quotes",
        """
        Some characters mean something to YAML at the start of a text, and ': ' does inside it. Quotes keep
        the text as it is.
        """,
        FACT_TYPE,
        bad="noun: {{ subject }} standup",
        good='noun: "{{ subject }} standup"',
    ),
    Code.of(
        "F004",
        "a tab where YAML takes only spaces",
        """
        YAML has no tabs in its indentation, since their width differs from editor to editor.
        """,
        FACT_TYPE,
        bad="""
        subject:
        \tpool: [platform team, mobile team]
        """,
        good="""
        subject:
          pool: [platform team, mobile team]
        """,
    ),
    Code.of(
        "F005",
        "a key stands twice",
        """
        Most readers of YAML silently keep the last one, so half of what was written would be lost.
        """,
        FACT_TYPE,
        bad="""
        kind: time
        attribute: standup time
        kind: text
        """,
        good="""
        kind: time
        attribute: standup time
        """,
    ),
    Code.of(
        "F006",
        "a text is cut short",
        """
        ' #' starts a comment and '&' an anchor, so what stands behind them is dropped without a word.
        """,
        FACT_TYPE,
        bad="attribute: standup of room #4",
        good='attribute: "standup of room #4"',
        severity="warning",
    ),
    Code.of(
        "F007",
        "a character that cannot stand in a text",
        """
        Control characters, halves of characters and private-use characters break readers of the data, and
        nobody sees them.
        """,
        FACT_TYPE,
        bad=r"""
        attribute: "standup\u0007 time"
        """,
        good='attribute: "standup time"',
    ),
    Code.of(
        "F008",
        "the file is too large once it is written out",
        """
        Aliases of aliases grow without bound, and no file of ours nests as deep as this.
        """,
        FACT_TYPE,
        bad="""
        values: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]
        """,
        good="""
        values:
          - {value: "9:30"}
          - {value: "10:30"}
          - {value: "11:30"}
          - {value: "12:30"}
          - {value: "13:30"}
          - {value: "14:30"}
        """,
    ),
    Code.of(
        "F009",
        "not one document",
        """
        A file holds one thing. An empty one, or a second document behind '---', is most likely an accident.
        """,
        FACT_TYPE,
        bad="# nothing but a comment",
        good="""
        id: standup_time
        # and everything else
        """,
        piece="file",
    ),
    Code.of(
        "F010",
        "a file that is not read",
        """
        Files are found by their folder and their ending. One that stands elsewhere has no effect, which is
        easily missed.
        """,
        FACT_TYPE,
        bad="fact_types/standup_time.yaml",
        good="fact_types/work/standup_time.yaml",
        severity="warning",
        piece="name",
    ),
    Code.of(
        "M001",
        "unknown key",
        """
        A key that is not known would be ignored, and what it says with it.
        """,
        FACT_TYPE,
        bad="mutabilty: preference",
        good="mutability: preference",
    ),
    Code.of(
        "M002",
        "a key is missing",
        """
        Without it the file says too little to be used.
        """,
        FACT_TYPE,
        bad="""
        changes:
          - id: lisbon
            trigger: two colleagues joined from Lisbon
            keys: [Lisbon, school run]
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
        "M003",
        "a value of the wrong kind",
        """
        A list, a mapping, a number or a text stands where something else is needed.
        """,
        FACT_TYPE,
        bad="cues: standup",
        good="cues: [standup]",
    ),
    Code.of(
        "M004",
        "none of the words that are allowed",
        """
        The field's words are closed lists, so that data from different suites can be compared.
        """,
        FACT_TYPE,
        bad="mutability: changing",
        good="mutability: dynamic",
    ),
    Code.of(
        "M005",
        "not a legal name",
        """
        Names become file names, columns and labels, and must be safe everywhere.
        """,
        FACT_TYPE,
        bad="tool_name: Calendar Lookup",
        good="tool_name: calendar_lookup",
    ),
    Code.of(
        "M006",
        "too many, too few, too large or too small",
        """
        A count or a length is outside what can be used.
        """,
        SUITE,
        bad="seed: -1",
        good="seed: 1",
    ),
    Code.of(
        "M007",
        "parts that do not fit together",
        """
        Each key is fine by itself, but not beside the others.
        """,
        SUITE,
        bad="""
        cells:
          - {paradigm: interference, condition: [moved, rumour], count: 2, each: 1}
        """,
        good="""
        cells:
          - {paradigm: interference, condition: [moved, rumour], count: 2}
        """,
    ),
    Code.of(
        "M008",
        "an empty text",
        """
        A plain null, ~ or nothing is no text. If the word itself is meant, it needs quotes.
        """,
        FACT_TYPE,
        bad="attribute: null",
        good='attribute: "null"',
    ),
)
