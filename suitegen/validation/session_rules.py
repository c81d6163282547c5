"""Rules on one written session: each facet that an event says is there, in the right mouth, and nothing else is."""

from __future__ import annotations

from suitegen.model.history import Span
from suitegen.validation.options import number
from suitegen.validation.protocol import Example, Options, Outcome, SessionText, Validator
from suitegen.validation.quotes import events_of, found_in, span_of, turn_of
from suitegen.validation.silence import check_silence
from suitegen.validation.stated import check_facets, check_weak
from suitegen.validation.tone import check_language, check_meta, check_refusal
from suitegen.values.tokens import tokens

FOLLOWS = frozenset({
    ("user", "assistant"), ("user", "tool"), ("assistant", "user"), ("assistant", "tool"), ("tool", "assistant"),
})  # fmt: skip


def check_roles(text: SessionText, options: Options) -> Outcome:
    """User first, assistant last, turns in turn; the assistant speaks after a tool."""
    turns = text.written.turns
    found = []
    lowest, highest = (int(number(options, name)) for name in ("min_turns", "max_turns"))
    if len(text.own) == len(turns) and not lowest <= len(turns) <= highest:
        found.append(found_in("S101", f"{len(turns)} turns", f"write between {lowest} and {highest} turns"))
    if turns and (turns[0].role != "user" or turns[-1].role != "assistant"):
        found.append(
            found_in("S101", "it does not run from user to assistant", "let the user start and the assistant end")
        )
    for index in range(1, len(turns)):
        pair = (turns[index - 1].role, turns[index].role)
        if pair not in FOLLOWS:
            found.append(found_in("S101", f"{pair[1]} follows {pair[0]}", "let the roles take turns", index))
    for index, turn in enumerate(turns):
        if not turn.content.strip():
            found.append(found_in("S101", "an empty turn", "leave no turn empty", index))
        elif index in text.own and len(turn.content) > number(options, "max_characters"):
            found.append(found_in("S101", f"a turn of {len(turn.content)} characters", "write shorter turns", index))
    return Outcome(tuple(found))


def check_spans(text: SessionText, options: Options) -> Outcome:
    """Every event has one verbatim span, of whole words, in a turn of its speaker."""
    found = []
    known = [event.id for event in events_of(text)]
    named = [span.event for span in text.written.spans]
    for name in dict.fromkeys(named):
        if name not in known or named.count(name) > 1:
            message = f"{name} has {named.count(name)} spans here"
            found.append(found_in("S102", message, "quote each event once, and no other"))
    for event in events_of(text):
        span = span_of(text, event)
        turn = turn_of(text, span) if span else None
        if span is None or turn is None or not 0 <= span.start < span.end <= len(turn.content):
            found.append(found_in("S102", f"{event.id} is said nowhere", f"say {event.op} and quote it verbatim"))
        elif turn.role != event.speaker:
            found.append(
                found_in("S102", f"{event.id} is said by {turn.role}", f"let the {event.speaker} say it", span=span)
            )
        elif _is_ragged(turn.content, span):
            found.append(found_in("S102", f"the quote of {event.id} cuts a word", "quote whole words", span=span))
    return Outcome(tuple(found))


def _is_ragged(content: str, span: Span) -> bool:
    """Whether the quote has blanks at its ends, or an end of it stands inside a word."""
    quote = content[span.start : span.end]
    cut = any(token.start < end < token.end for token in tokens(content) for end in (span.start, span.end))
    return cut or quote != quote.strip()


VALIDATORS: tuple[Validator[SessionText], ...] = (
    Validator(
        "roles", "S101", "session", "Turns out of order, empty, too many, too few or too long.",
        "Memory systems take turns by role; a broken order is read in different ways by each of them.",
        Example("user, assistant, user, assistant", "assistant, user, user"), check_roles,
        {"min_turns": 2, "max_turns": 16, "max_characters": 6000},
    ),
    Validator(
        "spans", "S102", "session", "An event that has no verbatim span in a turn of its speaker.",
        "Evidence that points nowhere cannot prove an answer, and a source probe needs the right mouth.",
        Example("the user says 'our standup is at 9:30', quoted", "the assistant says it in their place"), check_spans,
    ),
    Validator(
        "facets", "S103", "session", "A quote that does not state what its event says.",
        "A gold that the text does not state is unanswerable, and systems are blamed for it.",
        Example("'two colleagues joined from Lisbon, so it is at 10:00 now'", "'it is at another time now' for 10:00"),
        check_facets,
    ),
    Validator(
        "silence", "S104", "session", "A value, trigger, reason or change word where no event states it.",
        "A value that slips out in the wrong place makes the probe answerable from there, or makes its gold wrong.",
        Example("an encoding session that names 9:30 alone", "an encoding session that also names the later 10:00"),
        check_silence,
    ),
    Validator(
        "weak", "S105", "session", "Weak evidence that is said as if it were certain.",
        "Stability is measured by weak evidence; said firmly, it would be right to accept it.",
        Example("'I wonder whether 10:00 would be better'", "'it is at 10:00' for a weak challenge"), check_weak,
    ),
    Validator(
        "meta", "S106", "session", "Talk about the test, labels of the design, or leftovers of a template.",
        "A label in the text tells a system what is asked of it.",
        Example("'can you move the note?'", "'this is the perturbation session'"), check_meta,
    ),
    Validator(
        "refusal", "S107", "session", "A model's refusal or its thinking in the dialogue.",
        "Nobody has such a dialogue, and what was thought may hold the answer.",
        Example("'Sure, here is the draft.'", "'<think>the value is 10:00</think>'"), check_refusal,
    ),
    Validator(
        "language", "S108", "session", "A session in another language than the suite's.",
        "Mixed languages test something else than memory.",
        Example("an English session in a suite of language en", "a German session in it"), check_language,
        {"min_words": 25, "min_share": 0.25},
    ),
)  # fmt: skip
