"""Rules on one written session: each facet that an event says is there, in the right mouth, and nothing else is."""

from __future__ import annotations

import re
from collections.abc import Iterator

from suitegen.model.finding import Finding
from suitegen.model.history import Span, Turn
from suitegen.model.latent import Event
from suitegen.validation.protocol import Example, Options, Outcome, SessionText, Validator
from suitegen.values.tables import table
from suitegen.values.tokens import contains_phrase, words
from suitegen.values.vocabulary import Vocabulary

CHANGES = ("update", "restore", "correct")
ACCEPTED = ("remember", "reinforce", "update", "restore", "correct", "reactivate")
RESIDUE = re.compile(r"\{\{|\}\}|\{%|%\}|\[(?:PLACEHOLDER|INSERT|NAME|VALUE)\b|<(?:fact|value|name)>|_alt_\d|\bTODO\b")
REASONING = re.compile(r"</?think(?:ing)?>|\[/?THINK\]|<\|[a-z_]+\|>", re.IGNORECASE)


def _finding(code: str, message: str, feedback: str, turn: int | None = None, span: Span | None = None) -> Finding:
    return Finding(
        code=code, message=message, feedback=feedback, turn=span.turn if span else turn,
        start=span.start if span else None, end=span.end if span else None,
    )  # fmt: skip


def _turn(text: SessionText, span: Span) -> Turn | None:
    turns = text.written.turns
    return turns[span.turn] if 0 <= span.turn < len(turns) else None


def _events(text: SessionText) -> tuple[Event, ...]:
    return text.spec.events_of(text.plan)


def _span(text: SessionText, event: Event) -> Span | None:
    return next((span for span in text.written.spans if span.event == event.id), None)


def _quotes(text: SessionText) -> Iterator[tuple[Event, Span, str]]:
    """Events with their span and quote; those without a usable span are left to the rule on spans."""
    for event in _events(text):
        span = _span(text, event)
        turn = _turn(text, span) if span else None
        if span is not None and turn is not None and 0 <= span.start < span.end <= len(turn.content):
            yield event, span, turn.content[span.start : span.end]


def _vocabulary(text: SessionText, event: Event) -> Vocabulary:
    return text.kit.lexicon.of(text.spec.member(event.target))


# -- roles and spans --------------------------------------------------------------------------------------------


def check_roles(text: SessionText, options: Options) -> Outcome:
    """User first, assistant last, turns in turn; tool turns only between assistant turns."""
    turns = text.written.turns
    found = []
    lowest, highest = int(options["min_turns"] or 0), int(options["max_turns"] or 0)
    if not lowest <= len(turns) <= highest:
        found.append(_finding("S101", f"{len(turns)} turns", f"write between {lowest} and {highest} turns"))
    if turns and (turns[0].role != "user" or turns[-1].role != "assistant"):
        found.append(_finding("S101", "it does not run from user to assistant", "start with the user, end with the assistant"))
    for index in range(1, len(turns)):
        pair = (turns[index - 1].role, turns[index].role)
        if pair not in {("user", "assistant"), ("assistant", "user"), ("assistant", "tool"), ("tool", "assistant")}:
            found.append(_finding("S101", f"{pair[1]} follows {pair[0]}", "let the roles take turns", index))
    for index, turn in enumerate(turns):
        if not turn.content.strip():
            found.append(_finding("S101", "an empty turn", "leave no turn empty", index))
        elif len(turn.content) > int(options["max_characters"] or 0):
            found.append(_finding("S101", f"a turn of {len(turn.content)} characters", "write shorter turns", index))
    return Outcome(tuple(found))


def check_spans(text: SessionText, options: Options) -> Outcome:
    """Every event has one verbatim span in a turn of its speaker."""
    found = []
    for event in _events(text):
        span = _span(text, event)
        turn = _turn(text, span) if span else None
        if span is None or turn is None or not 0 <= span.start < span.end <= len(turn.content):
            found.append(_finding("S102", f"{event.id} is said nowhere", f"say {event.op} and quote it verbatim"))
        elif turn.role != event.speaker:
            found.append(
                _finding("S102", f"{event.id} is said by {turn.role}", f"let the {event.speaker} say it", span=span)
            )
    return Outcome(tuple(found))


# -- what is said -----------------------------------------------------------------------------------------------


def check_facets(text: SessionText, options: Options) -> Outcome:
    """Each facet that an event says is in its quote."""
    found: list[Finding] = []
    for event, span, quote in _quotes(text):
        for facet, wanted in _missing(text, event, span, quote):
            found.append(_finding("S103", f"{event.id} does not state its {facet}", f"state the {facet}: {wanted}", span=span))
    return Outcome(tuple(found))


def _missing(text: SessionText, event: Event, span: Span, quote: str) -> Iterator[tuple[str, str]]:
    words_of = table(text.spec.language)
    for facet, value in (("value", event.value), ("old", event.old)):
        if event.states(facet) and value is not None and value not in _said(text, event, span):  # type: ignore[arg-type]
            yield facet, value
    for facet, why in (("trigger", event.trigger), ("reason", event.reason)):
        if event.states(facet) and why is not None and not _told(text, event, quote, facet):  # type: ignore[arg-type]
            yield facet, why
    if event.states("source") and event.origin and not contains_phrase(quote, (event.origin,)):
        yield "source", event.origin
    if event.states("date") and not any(character.isdigit() for character in quote):
        yield "date", "as of which day"
    if event.states("rejection") and not contains_phrase(quote, words_of.rejections):
        yield "rejection", "that the other value is not right"
    cues = (*words_of.change_cues, *words_of.rejections)
    if event.op in CHANGES and event.states("act") and not event.states("trigger") and event.speaker != "tool" and not contains_phrase(quote, cues):
        yield "act", "that it is newly so"
    if event.states("act") and not _names_target(text, event):
        yield "act", f"what it is about ({text.spec.member(event.target).attribute})"


def _said(text: SessionText, event: Event, span: Span) -> set[str]:
    """Values that stand inside the event's span."""
    content = text.written.turns[span.turn].content
    mentions = _vocabulary(text, event).mentions(content)
    return {m.value for m in mentions if span.start <= m.start and m.end <= span.end}


def _told(text: SessionText, event: Event, quote: str, facet: str) -> bool:
    facts = text.kit.facts(text.spec)
    keys = (facts.triggers if facet == "trigger" else facts.reasons).get(event.change_id or "", ())
    return contains_phrase(quote, keys) is not None


def _names_target(text: SessionText, event: Event) -> bool:
    """Whether the session names the attribute, by its cues or words, or the entity."""
    member = text.spec.member(event.target)
    fact_type = text.kit.catalog.fact_types[member.fact_type]
    content = " ".join(turn.content for turn in text.written.turns)
    names = (*fact_type.cues, member.attribute, member.entity, *words(member.attribute))
    return contains_phrase(content, names) is not None


# -- what is not said -------------------------------------------------------------------------------------------


def check_silence(text: SessionText, options: Options) -> Outcome:
    """No value stands in the session but those its events state, where they state them."""
    spans = list(_quotes(text))
    found = []
    for index, turn in enumerate(text.written.turns):
        for mention in _mentions(text, turn.content):
            inside = [e for e, s, _ in spans if s.turn == index and s.start <= mention.start and mention.end <= s.end]
            if any(mention.value in _stated(event) for event in inside):
                continue
            if _is_echo(text, index, turn, mention.value):
                continue
            span = Span(event="", turn=index, start=mention.start, end=mention.end)
            found.append(
                _finding("S104", f"{mention.value!r} is said where it should not be", f"leave out {mention.value!r}", span=span)
            )
    found.extend(_untold(text))
    return Outcome(tuple(found))


def _stated(event: Event) -> set[str]:
    pairs = (("value", event.value), ("old", event.old))
    return {value for facet, value in pairs if value is not None and event.states(facet)}  # type: ignore[arg-type]


def _mentions(text: SessionText, content: str) -> list[_Mention]:
    seen: dict[tuple[int, int, str], _Mention] = {}
    for member in {m.fact_type: m for m in text.spec.cast if m.confusable is None}.values():
        for mention in text.kit.lexicon.of(member).mentions(content):
            seen.setdefault((mention.start, mention.end, mention.value), _Mention(mention.value, mention.start, mention.end))
    return list(seen.values())


class _Mention:
    """A value with its place in a turn."""

    __slots__ = ("end", "start", "value")

    def __init__(self, value: str, start: int, end: int) -> None:
        self.value, self.start, self.end = value, start, end


def _is_echo(text: SessionText, index: int, turn: Turn, value: str) -> bool:
    """The assistant may repeat a value that the user has just stated as holding."""
    if turn.role != "assistant":
        return False
    return any(
        event.op in ACCEPTED and event.strength == "strong" and event.speaker != "assistant" and span.turn < index
        and value in _stated(event)
        for event, span, _ in _quotes(text)
    )  # fmt: skip


def _untold(text: SessionText) -> Iterator[Finding]:
    """Triggers, reasons and change words that no event of the session states."""
    content = "\n".join(turn.content for turn in text.written.turns)
    events = _events(text)
    for event in events:
        for facet, why in (("trigger", event.trigger), ("reason", event.reason)):
            if why and not any(e.states(facet) and e.change_id == event.change_id for e in events):  # type: ignore[arg-type]
                if contains_phrase(content, (why,)):
                    yield _finding("S104", f"the {facet} is said, which {event.id} does not state", f"leave out the {facet}")
    completing = [event for event in events if event.op in CHANGES and not event.states("act")]
    if completing and not any(e.op in CHANGES and e.states("act") for e in events):
        for event, span, quote in _quotes(text):
            cue = contains_phrase(quote, table(text.spec.language).change_cues) if event in completing else None
            if cue:
                yield _finding("S104", f"{cue!r} says that something changed", "state the value plainly, as if it always held", span=span)


def check_weak(text: SessionText, options: Options) -> Outcome:
    """Weak evidence is hedged or passed on as hearsay."""
    found = []
    language = table(text.spec.language)
    for event, span, quote in _quotes(text):
        weak = event.strength == "weak" and event.states("value")
        if weak and not contains_phrase(quote, (*language.hedges, *language.other_person_cues)):
            found.append(_finding("S105", f"{event.id} sounds certain", "say it as a guess or as hearsay", span=span))
    return Outcome(tuple(found))


# -- tone -------------------------------------------------------------------------------------------------------


def check_meta(text: SessionText, options: Options) -> Outcome:
    """No talk about the test, no labels, no leftovers of a template."""
    found = []
    values = text.spec.values()
    for index, turn in enumerate(text.written.turns):
        word = contains_phrase(turn.content, table(text.spec.language).meta_words)
        if word:
            found.append(_finding("S106", f"it names {word!r}", "do not speak of the test", index))
        rest = turn.content
        for value in values:
            rest = rest.replace(value, "")
        residue = RESIDUE.search(rest)
        if residue:
            found.append(_finding("S106", f"leftover {residue.group()!r}", "write the finished text", index))
    return Outcome(tuple(found))


def check_refusal(text: SessionText, options: Options) -> Outcome:
    """No refusal of a model and none of its thinking in the dialogue."""
    found = []
    for index, turn in enumerate(text.written.turns):
        if turn.role == "assistant" and (words_said := contains_phrase(turn.content, table(text.spec.language).declines)):
            found.append(_finding("S107", f"a refusal: {words_said!r}", "let the assistant help", index))
        if thought := REASONING.search(turn.content):
            found.append(_finding("S107", f"a thinking mark: {thought.group()!r}", "write only the dialogue", index))
    return Outcome(tuple(found))


def check_language(text: SessionText, options: Options) -> Outcome:
    """The session is in the suite's language, by its share of that language's function words."""
    spoken = [w for turn in text.written.turns if turn.role != "tool" for w in words(turn.content)]
    known = frozenset(table(text.spec.language).function_words)
    if len(spoken) < int(options["min_words"] or 0) or not known:
        return Outcome(not_run="too few words to tell")
    share = sum(word in known for word in spoken) / len(spoken)
    least = float(options["min_share"] or 0)
    if share >= least:
        return Outcome()
    message = f"only {share:.0%} of its words are function words of {text.spec.language!r}"
    return Outcome((_finding("S108", message, f"write in the language {text.spec.language!r}"),))


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
        Example("the user says 'our standup is at 9:30', quoted", "the assistant says what the user should have"), check_spans,
    ),
    Validator(
        "facets", "S103", "session", "A quote that does not state what its event says.",
        "A gold that the text does not state is unanswerable, and systems are blamed for it.",
        Example("'two colleagues joined from Lisbon, so it is at 10:00 now'", "'it is at a different time now' for value 10:00"),
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
        {"min_words": 25, "min_share": 0.15},
    ),
)  # fmt: skip
