"""One case end to end: draw, write, check, write again what failed, draw anew when that does not help.

Repair is the smallest that can help: one session, one filler, one question; then other values for the threads that
something is wrong with, where several share the history; then a reserve draw.
Nothing here depends on another case.
"""

from __future__ import annotations

import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from suitegen.errors import BudgetError, ModelError, SuiteError
from suitegen.latent.coherence import problems
from suitegen.latent.compile import Case, compile_case
from suitegen.model.episode import Attempt, Call, CaseRecord, Episode
from suitegen.model.finding import Finding, Verdict
from suitegen.model.history import Written
from suitegen.model.latent import LatentSpec
from suitegen.pipeline.assemble import Attempts, assemble, write
from suitegen.pipeline.check import summed
from suitegen.pipeline.drafts import Drafts, Place, drafted, given_up
from suitegen.pipeline.kit import Workshop
from suitegen.validation.gate import BrokenValidator, doubts, errors, run
from suitegen.validation.protocol import EpisodeText, SessionText
from suitegen.values.tokens import contains_phrase
from suitegen.writing.model_writer import feedback

INCOHERENT = "P001"
"""Code of the finding that a draw's timeline or gold is unsound."""


@dataclass(frozen=True, slots=True)
class _Round:
    """What one writing of all members of a case gave."""

    episodes: tuple[Episode, ...]
    findings: tuple[tuple[LatentSpec, Finding], ...]
    written: Mapping[Place, Written]
    """The text that was looked at."""

    @property
    def sound(self) -> bool:
        """Whether nothing rejects it."""
        return bool(self.episodes) and all(finding.soft for _, finding in self.findings)


@dataclass(frozen=True, slots=True)
class _Drawn:
    """How a case is drawn: which draw, and which of its threads were drawn anew by themselves, how often."""

    draw: int = 0
    threads: Mapping[str, int] = field(default_factory=dict)

    def after(self, wrong: frozenset[str]) -> _Drawn:
        """The next draw: of the threads that are wrong; of all where that is nobody's in particular."""
        if not wrong:
            return _Drawn(self.draw + 1)
        return _Drawn(self.draw, {**self.threads, **{name: self.threads.get(name, 0) + 1 for name in sorted(wrong)}})


@dataclass(frozen=True, slots=True)
class _Tried:
    """What a draw gave: its episodes, or the threads that something is wrong with."""

    episodes: tuple[Episode, ...] = ()
    wrong: frozenset[str] = frozenset()


def build_case(workshop: Workshop, case: Case) -> CaseRecord:
    """The record of a case: accepted with its episodes, failed with its findings, or broken with a traceback.

    Raises:
        ModelError: a model cannot be asked; the case is not finished.
        BudgetError: the budget is spent; the case is not finished.
        SuiteError: a reply could not be kept; the case is not finished.
    """
    attempts: list[Attempt] = []
    draws = workshop.kit.suite.reserves + 1
    drawn = _Drawn()
    for draw in range(draws):
        try:
            tried = _draw(workshop, case, drawn, draw, attempts)
        except (ModelError, BudgetError, SuiteError):
            raise
        except BrokenValidator as error:
            return CaseRecord(case=case.key, status="error", draw=draw, attempts=tuple(attempts), error=str(error))
        except Exception as error:  # a part may be anybody's code: it stops its case, and the others go on
            trace = "".join(traceback.format_exception(error))
            return CaseRecord(case=case.key, status="error", draw=draw, attempts=tuple(attempts), error=trace)
        if tried.episodes:
            return CaseRecord(
                case=case.key, status="accepted", draw=draw, episodes=tried.episodes, attempts=tuple(attempts)
            )
        drawn = drawn.after(tried.wrong)
    return CaseRecord(case=case.key, status="failed", draw=draws - 1, attempts=tuple(attempts))


def _draw(workshop: Workshop, case: Case, drawn: _Drawn, draw: int, attempts: list[Attempt]) -> _Tried:
    """What a draw gives; no episodes when it was given up. What was rejected is added to ``attempts``."""
    specs = compile_case(workshop.kit.suite, workshop.kit.catalog, case, drawn.draw, drawn.threads)
    unsound = _unsound(workshop, specs)
    if unsound:
        attempts.append(Attempt(draw=draw, attempt=0, part="timeline", findings=unsound))
        return _Tried(wrong=_wrong_threads([(spec, finding) for spec in specs for finding in unsound]))
    tries, drafts = Attempts(), Drafts()
    sound: list[_Round] = []
    for attempt in range(workshop.rounds):
        drafts = drafted(workshop, specs, drafts)
        made = _round(workshop, case, specs, tries, drafts)
        if made.sound:
            sound.append(made)
        if not made.findings:
            break
        attempts.extend(_rejected(made, draw, attempt, drafts))
        tries, drafts = _repair(made, tries), drafts.without(_wrong(workshop, made))
        # Doubts alone are not worth more tries than a suite asks for.
        if given_up(workshop, drafts) or (sound and attempt >= workshop.kit.suite.repairs):
            break
    # Where only doubts are left, the try with the fewest is kept; its verdicts tell of them.
    if sound:
        return _Tried(min(sound, key=lambda made: len(made.findings)).episodes)
    return _Tried(wrong=_wrong_threads([pair for pair in made.findings if not pair[1].soft]))


def _wrong_threads(found: Sequence[tuple[LatentSpec, Finding]]) -> frozenset[str]:
    """The threads that findings are about, where several share the history; none where some finding is on no thread."""
    wrong: set[str] = set()
    for spec, finding in found:
        if finding.session is not None:
            named = {event.thread for event in spec.events if event.session == finding.session}
        elif finding.probe is not None:
            named = {probe.thread for probe in spec.probes if probe.id == finding.probe}
        else:
            # What is unsound names its events, members and probes, whose names begin with their thread's.
            named = {thread.id for thread in spec.shared if f"{thread.id}." in finding.message}
        if not named or not spec.shared:
            return frozenset()
        wrong |= named
    return frozenset(wrong)


def _unsound(workshop: Workshop, specs: Sequence[LatentSpec]) -> tuple[Finding, ...]:
    found = []
    for spec in specs:
        facts = workshop.kit.facts(spec)
        found += [Finding(code=INCOHERENT, message=text, episode=spec.variant) for text in problems(spec, facts)]
    return tuple(found)


def _round(workshop: Workshop, case: Case, specs: Sequence[LatentSpec], tries: Attempts, drafts: Drafts) -> _Round:
    """Write and check every member once: sessions first, whole episodes only when all sessions hold."""
    written = {spec.variant: write(workshop, spec, specs, tries, drafts) for spec in specs}
    texts = {
        (spec.variant, plan.slot): written[spec.variant].sessions[plan.index]
        for spec in specs
        for plan in spec.sessions
        if plan.index in written[spec.variant].sessions
    }
    found: list[tuple[LatentSpec, Finding]] = []
    sessions: dict[str, tuple[Verdict, ...]] = {}
    for spec in specs:
        sessions[spec.variant], wrong = _check_sessions(workshop, spec, written[spec.variant].sessions, drafts)
        found += [(spec, finding) for finding in wrong]
    if found:
        return _Round((), tuple(found), texts)
    episodes = []
    for spec in specs:
        episode = assemble(workshop, case, spec, written[spec.variant], tries)
        subject = EpisodeText(workshop.kit, episode)
        verdicts = [v for gate in workshop.of_level("episode") for v in run(gate, workshop.validators, subject)]
        found += [(spec, finding) for finding in (*errors(tuple(verdicts)), *doubts(tuple(verdicts)))]
        episodes.append(episode.model_copy(update={"verdicts": (*sessions[spec.variant], *verdicts)}))
    return _Round(tuple(episodes), tuple(found), texts)


def _check_sessions(
    workshop: Workshop, spec: LatentSpec, written: Mapping[int, Written], drafts: Drafts
) -> tuple[tuple[Verdict, ...], list[Finding]]:
    """One verdict for each validator over all sessions, and what rejects some session."""
    verdicts: list[Verdict] = []
    wrong: list[Finding] = []
    for plan in spec.sessions:
        draft = drafts.of(spec, plan)
        rejected = _framed(draft.findings, written.get(plan.index)) if draft else []
        # A reply that is no session has nothing to look at.
        for gate in workshop.of_level("session") if plan.index in written else ():
            said = run(gate, workshop.validators, SessionText(workshop.kit, spec, plan, written[plan.index]))
            verdicts += said
            rejected += errors(said)
            # What rules reject needs no judge.
            if rejected:
                break
        wrong += [finding.model_copy(update={"session": plan.index}) for finding in rejected]
    return summed(verdicts), wrong


def _framed(findings: Sequence[Finding], written: Written | None) -> list[Finding]:
    """Findings on what was drafted, with their turns where they stand in the dialogue that it was set into."""
    first = written.guest.first_turn if written and written.guest else 0
    return [f if f.turn is None else f.model_copy(update={"turn": f.turn + first}) for f in findings]


def _text(written: Written) -> str:
    return "\n".join(f"{turn.role}: {turn.content}" for turn in written.turns)


# -- repair -----------------------------------------------------------------------------------------------------


def _part(spec: LatentSpec, finding: Finding) -> tuple[str, str]:
    """What a finding asks to be made again: a slot, a probe, or the whole draw."""
    if finding.session is not None:
        return "session", spec.sessions[finding.session].slot
    if finding.probe is not None:
        return "question", finding.probe
    return "episode", spec.variant


def _rejected(made: _Round, draw: int, attempt: int, drafts: Drafts) -> list[Attempt]:
    """What was wrong, by part; members that share a text share the entry."""
    parts: dict[tuple[str, str, str, Call | None], list[Finding]] = {}
    for spec, finding in made.findings:
        kind, name = _part(spec, finding)
        place = (spec.variant, name)
        text = _text(made.written[place]) if kind == "session" and place in made.written else ""
        draft = drafts.standing.get(place) if kind == "session" else None
        parts.setdefault((kind, name, text, draft.call if draft else None), []).append(finding)
    return [
        Attempt(
            draw=draw, attempt=attempt, part=f"{kind} {name}".strip(), findings=tuple(findings), text=text, call=call
        )
        for (kind, name, text, call), findings in parts.items()
    ]  # fmt: skip


def _wrong(workshop: Workshop, made: _Round) -> dict[Place, list[str]]:
    """Feedback for the writer by place, without what tells of other sessions, of which a prompt holds nothing."""
    wrong: dict[Place, list[str]] = {}
    for spec, finding in made.findings:
        kind, name = _part(spec, finding)
        if kind == "session":
            place = (spec.variant, name)
            told = feedback(finding, made.written.get(place))
            kept = not made.episodes and not _tells_more(workshop, spec, finding, told, made.written.get(place))
            wrong.setdefault(place, []).extend([told] if kept else [])
        elif kind == "episode":
            wrong.update({(spec.variant, plan.slot): [] for plan in spec.sessions if plan.kind == "event"})
    return wrong


def _tells_more(workshop: Workshop, spec: LatentSpec, finding: Finding, told: str, written: Written | None) -> bool:
    """Whether feedback names a value of the cast that neither the session's events state nor its text names."""
    said = [turn.content for turn in written.turns] if written else []
    for event in (event for event in spec.events if event.session == finding.session):
        said += [event.value or ""] if event.states("value") else []
        said += [event.old or event.value or ""] if event.states("old") else []
    own = "\n".join(said)
    for member in spec.cast:
        for value in member.values.values():
            spellings = workshop.kit.lexicon.spellings(member.fact_type, value)
            if contains_phrase(told, spellings) and not contains_phrase(own, spellings):
                return True
    return False


def _repair(made: _Round, tries: Attempts) -> Attempts:
    """The parts to make again. A finding on no part in particular has all events said anew."""
    slots: set[str] = set()
    probes: set[str] = set()
    for spec, finding in made.findings:
        kind, name = _part(spec, finding)
        if kind == "session":
            slots.add(name)
        elif kind == "question":
            probes.add(name)
        else:
            slots.update(plan.slot for plan in spec.sessions if plan.kind == "event")
    return tries.again(frozenset(slots), frozenset(probes))
