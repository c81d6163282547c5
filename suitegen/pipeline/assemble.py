"""Put an episode together: woven history, questions, gold, evidence, and the counterfactual's text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from suitegen.filler.choose import TRIES, backgrounds
from suitegen.filler.harmless import Matter, is_harmless, matters
from suitegen.filler.host import hosted
from suitegen.filler.weave import weave
from suitegen.latent.calendar import asked_at
from suitegen.latent.compile import Case, counterfactual
from suitegen.latent.draw import facts_of
from suitegen.latent.evidence import evidence_of
from suitegen.latent.gold import Facts, gold_of
from suitegen.latent.seeds import opaque
from suitegen.model.episode import AskedProbe, Counterfactual, Episode
from suitegen.model.gold import Gold
from suitegen.model.history import Question, Turn, Written
from suitegen.model.latent import LatentSpec, Probe, SessionPlan
from suitegen.pipeline.drafts import Drafts
from suitegen.pipeline.kit import Workshop
from suitegen.writing.questions import answer_format, ask


@dataclass(frozen=True, slots=True)
class Attempts:
    """How often each part was written before, by slot or probe; a part that is not named is at its first."""

    slots: Mapping[str, int] = field(default_factory=dict)
    probes: Mapping[str, int] = field(default_factory=dict)

    def again(self, slots: frozenset[str], probes: frozenset[str]) -> Attempts:
        """One more try for these parts."""
        return Attempts(
            {**self.slots, **{slot: self.slots.get(slot, 0) + 1 for slot in slots}},
            {**self.probes, **{probe: self.probes.get(probe, 0) + 1 for probe in probes}},
        )


def episode_id(spec: LatentSpec) -> str:
    """An id in which nothing of the design can be read."""
    return opaque("e", spec.suite, spec.case, spec.variant)


@dataclass(frozen=True, slots=True)
class Text:
    """All sessions of a spec, written, by index."""

    sessions: Mapping[int, Written]
    hosts: Mapping[int, Written]
    """The background dialogues that frame some of them."""


def write(
    workshop: Workshop, spec: LatentSpec, group: Sequence[LatentSpec], attempts: Attempts, drafts: Drafts
) -> Text:
    """The text of every session of a spec: chosen, written, or written and set into what was chosen.

    A session whose draft is no text has none.

    Args:
        workshop: with the writer and the sources of background.
        spec: the spec.
        group: all members of its matched group.
        attempts: how often each slot was written before.
        drafts: what a model wrote.
    """
    redraws = {plan.index: attempts.slots[plan.slot] for plan in spec.sessions if plan.slot in attempts.slots}
    hosts = backgrounds(spec, workshop.sources, workshop.kit.lexicon, redraws, group)
    about = matters(group, workshop.kit.lexicon)
    sessions = {}
    for plan in spec.sessions:
        if plan.kind == "background" and plan.frame == "scene":
            sessions[plan.index] = _elsewhere(workshop, spec, plan, about, attempts)
            continue
        draft = drafts.of(spec, plan)
        if draft is None or draft.written is not None:
            sessions[plan.index] = framed(workshop, spec, plan, hosts, attempts, draft.written if draft else None)
    return Text(sessions, hosts)


def framed(
    workshop: Workshop,
    spec: LatentSpec,
    plan: SessionPlan,
    hosts: Mapping[int, Written],
    attempts: Attempts,
    drafted: Written | None = None,
) -> Written:
    """A session in its frame: what was drafted for it, else what the workshop's writer says."""
    if plan.frame == "plain":
        return hosts[plan.index]
    attempt = attempts.slots.get(plan.slot, 0)
    told = drafted or workshop.writer.write(spec, plan, attempt)
    return hosted(hosts[plan.index], told, spec.seed, plan.slot, attempt) if plan.frame == "host" else told


def _elsewhere(
    workshop: Workshop, spec: LatentSpec, plan: SessionPlan, about: Sequence[Matter], attempts: Attempts
) -> Written:
    """A scene for a background place: the first try that says nothing about the episode, else the last one."""
    first = attempts.slots.get(plan.slot, 0) * TRIES
    tries = [workshop.writer.write(spec, plan, first)]
    while not is_harmless(tries[-1].turns, about) and len(tries) < TRIES:
        tries.append(workshop.writer.write(spec, plan, first + len(tries)))
    return tries[-1]


def assemble(workshop: Workshop, case: Case, spec: LatentSpec, text: Text, attempts: Attempts) -> Episode:
    """The episode of a spec whose every session is written."""
    name = episode_id(spec)
    woven = weave(spec, text.sessions, name)
    fact_types = workshop.kit.catalog.fact_types
    known = {each: facts_of(fact_types[each]) for each in {member.fact_type for member in spec.cast}}
    grouped = len(case.variants) > 1
    return Episode(
        episode_id=name,
        group_id=opaque("g", spec.suite, spec.case) if grouped else None,
        spec=spec,
        sessions=woven.sessions,
        placements=woven.placements,
        spans=woven.spans,
        probes=tuple(_asked(workshop, spec, probe, name, attempts, known) for probe in spec.probes),
        counterfactual=_counterfactual(workshop, case, spec, text.hosts, attempts),
    )


def _asked(
    workshop: Workshop, spec: LatentSpec, probe: Probe, episode: str, attempts: Attempts, known: Mapping[str, Facts]
) -> AskedProbe:
    catalog = workshop.kit.catalog
    facts = known[spec.member(probe.about).fact_type]
    gold = gold_of(spec, probe, facts)
    question = Question(
        probe_id=opaque("p", spec.suite, spec.case, spec.variant, probe.id),
        episode_id=episode,
        asked_at=asked_at(spec.sessions[probe.asked_after].timestamp, spec.seed, probe.id),
        visible_until=probe.asked_after,
        question=ask(catalog, spec, probe, attempts.probes.get(probe.id, 0)),
        answer_format=answer_format(catalog, probe.type, gold, spec.language),
    )
    return AskedProbe(probe=probe, question=question, gold=gold, evidence=evidence_of(spec, probe, facts))


def _counterfactual(
    workshop: Workshop, case: Case, spec: LatentSpec, hosts: Mapping[int, Written], attempts: Attempts
) -> Counterfactual | None:
    catalog = workshop.kit.catalog
    other = counterfactual(workshop.kit.suite, catalog, case, spec)
    if other is None:
        return None
    sessions: dict[int, tuple[Turn, ...]] = {}
    for own, plan in zip(spec.sessions, other.sessions, strict=True):
        if plan != own or other.events_of(plan) != spec.events_of(own):
            sessions[plan.index] = framed(workshop, other, plan, hosts, attempts).turns
    gold: dict[str, Gold] = {}
    for probe in other.probes:
        facts = facts_of(catalog.fact_types[other.member(probe.about).fact_type])
        answer = gold_of(other, probe, facts)
        if _key(answer) != _key(gold_of(spec, probe, facts)):
            gold[opaque("p", spec.suite, spec.case, spec.variant, probe.id)] = answer
    (thread,) = spec.threads
    sibling = catalog.paradigms[thread.paradigm].conditions[thread.condition].sibling or ""
    return Counterfactual(condition=sibling, events=other.events, sessions=sessions, gold=gold)


def _key(gold: Gold) -> list[tuple[str, str]]:
    return [(field.name, field.answer) for field in gold.fields]
