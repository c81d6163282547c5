"""One case end to end: draw, write, check, write again what failed, draw anew when that does not help.

Repair is the smallest that can help: one session, one filler, one question; then a reserve draw.
Nothing here depends on another case.
"""

from __future__ import annotations

import traceback
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from suitegen.latent.coherence import problems
from suitegen.latent.compile import Case, compile_case
from suitegen.latent.draw import facts_of
from suitegen.model.episode import Attempt, CaseRecord, Episode
from suitegen.model.finding import Finding, Verdict
from suitegen.model.history import Written
from suitegen.model.latent import LatentSpec
from suitegen.pipeline.assemble import Attempts, assemble, write
from suitegen.pipeline.check import summed
from suitegen.pipeline.kit import Workshop
from suitegen.validation.gate import BrokenValidator, doubts, errors, run
from suitegen.validation.protocol import EpisodeText, SessionText

INCOHERENT = "P001"
"""Code of the finding that a draw's timeline or gold is unsound."""


@dataclass(frozen=True, slots=True)
class _Round:
    """What one writing of all members of a case gave."""

    episodes: tuple[Episode, ...]
    findings: tuple[tuple[LatentSpec, Finding], ...]
    texts: Mapping[str, str]
    """By slot, the text that was looked at."""

    @property
    def sound(self) -> bool:
        """Whether nothing rejects it."""
        return bool(self.episodes) and all(finding.soft for _, finding in self.findings)


def build_case(workshop: Workshop, case: Case) -> CaseRecord:
    """The record of a case: accepted with its episodes, failed with its findings, or broken with a traceback."""
    attempts: list[Attempt] = []
    draws = workshop.kit.suite.reserves + 1
    for draw in range(draws):
        try:
            episodes = _draw(workshop, case, draw, attempts)
        except BrokenValidator as error:
            return CaseRecord(case=case.key, status="error", draw=draw, attempts=tuple(attempts), error=str(error))
        except Exception as error:  # a part may be anybody's code: it stops its case, and the others go on
            trace = "".join(traceback.format_exception(error))
            return CaseRecord(case=case.key, status="error", draw=draw, attempts=tuple(attempts), error=trace)
        if episodes:
            return CaseRecord(case=case.key, status="accepted", draw=draw, episodes=episodes, attempts=tuple(attempts))
    return CaseRecord(case=case.key, status="failed", draw=draws - 1, attempts=tuple(attempts))


def _draw(workshop: Workshop, case: Case, draw: int, attempts: list[Attempt]) -> tuple[Episode, ...]:
    """The episodes of a draw; empty when it was given up. What was rejected is added to ``attempts``."""
    specs = compile_case(workshop.kit.suite, workshop.kit.catalog, case, draw)
    unsound = _unsound(workshop, specs)
    if unsound:
        attempts.append(Attempt(draw=draw, attempt=0, part="timeline", findings=unsound))
        return ()
    tries = Attempts()
    sound: list[_Round] = []
    for attempt in range(workshop.kit.suite.repairs + 1):
        made = _round(workshop, case, specs, tries)
        if made.sound:
            sound.append(made)
        if not made.findings:
            break
        attempts.extend(_rejected(made, draw, attempt))
        tries = _repair(made, tries)
    # Where only doubts are left, the try with the fewest is kept; its verdicts tell of them.
    return min(sound, key=lambda made: len(made.findings)).episodes if sound else ()


def _unsound(workshop: Workshop, specs: Sequence[LatentSpec]) -> tuple[Finding, ...]:
    found = []
    for spec in specs:
        facts = facts_of(workshop.kit.fact_type(spec))
        found += [Finding(code=INCOHERENT, message=text, episode=spec.variant) for text in problems(spec, facts)]
    return tuple(found)


def _round(workshop: Workshop, case: Case, specs: Sequence[LatentSpec], tries: Attempts) -> _Round:
    """Write and check every member once: sessions first, whole episodes only when all sessions hold."""
    written = {spec.variant: write(workshop, spec, specs, tries) for spec in specs}
    texts = {plan.slot: _text(written[spec.variant].sessions[plan.index]) for spec in specs for plan in spec.sessions}
    found: list[tuple[LatentSpec, Finding]] = []
    sessions: dict[str, tuple[Verdict, ...]] = {}
    for spec in specs:
        sessions[spec.variant], wrong = _check_sessions(workshop, spec, written[spec.variant].sessions)
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
    workshop: Workshop, spec: LatentSpec, written: Mapping[int, Written]
) -> tuple[tuple[Verdict, ...], list[Finding]]:
    """One verdict for each validator over all sessions, and what rejects some session."""
    verdicts: list[Verdict] = []
    wrong: list[Finding] = []
    for plan in spec.sessions:
        for gate in workshop.of_level("session"):
            said = run(gate, workshop.validators, SessionText(workshop.kit, spec, plan, written[plan.index]))
            verdicts += said
            wrong += [finding.model_copy(update={"session": plan.index}) for finding in errors(said)]
    return summed(verdicts), wrong


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


def _rejected(made: _Round, draw: int, attempt: int) -> list[Attempt]:
    parts: dict[tuple[str, str], list[Finding]] = {}
    for spec, finding in made.findings:
        parts.setdefault(_part(spec, finding), []).append(finding)
    return [
        Attempt(
            draw=draw, attempt=attempt, part=f"{kind} {name}".strip(), findings=tuple(findings),
            text=made.texts.get(name, "") if kind == "session" else "",
        )
        for (kind, name), findings in parts.items()
    ]  # fmt: skip


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
