"""What a model wrote for the places of a case, and what of it was rejected."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from suitegen.model.latent import LatentSpec, SessionPlan
from suitegen.pipeline.kit import Workshop
from suitegen.writing.model_writer import Draft, Rejected, Task

Place = tuple[str, str]
"""The variant of a member, and the slot of one of its sessions."""


@dataclass(frozen=True, slots=True)
class Drafts:
    """The drafts that stand, and the rejected ones. Without a model there are none."""

    standing: Mapping[Place, Draft] = field(default_factory=dict)
    rejected: Mapping[Place, tuple[Rejected, ...]] = field(default_factory=dict)

    def of(self, spec: LatentSpec, plan: SessionPlan) -> Draft | None:
        """The draft of a session; None where a model does not write it."""
        return self.standing.get((spec.variant, plan.slot))

    def without(self, wrong: Mapping[Place, Sequence[str]]) -> Drafts:
        """The drafts without those that are wrong, each with its feedback; none of it: it is to be written afresh.

        Members that share a session share its faults, so that they go on sharing it.
        """
        shared: dict[tuple[str, str], list[str]] = {}
        for place, feedback in wrong.items():
            if place in self.standing:
                shared.setdefault(self._text(place), []).extend(feedback)
        gone = {place for place in self.standing if self._text(place) in shared}
        added = {
            place: Rejected(self.standing[place].call.reply, tuple(dict.fromkeys(shared[self._text(place)])))
            for place in gone
        }
        return Drafts(
            {place: draft for place, draft in self.standing.items() if place not in gone},
            {**self.rejected, **{place: (*self.rejected.get(place, ()), each) for place, each in added.items()}},
        )

    def _text(self, place: Place) -> tuple[str, str]:
        """What members share: the slot, and what was asked and replied for it."""
        call = self.standing[place].call
        return place[1], f"{call.prompt}\x1f{call.reply}"


def planned(specs: Iterable[LatentSpec]) -> Iterator[tuple[LatentSpec, SessionPlan]]:
    """The sessions that a model writes, where there is one: all but background."""
    return ((spec, plan) for spec in specs for plan in spec.sessions if plan.kind != "background")


def drafted(workshop: Workshop, specs: Sequence[LatentSpec], drafts: Drafts) -> Drafts:
    """The drafts with one for every place that lacks one and has tries left.

    Raises:
        ModelError: the model cannot be asked at all.
        BudgetError: a call would pass the budget.
    """
    if workshop.model is None:
        return drafts
    tasks = {
        (spec.variant, plan.slot): Task(spec, plan, drafts.rejected.get((spec.variant, plan.slot), ()))
        for spec, plan in planned(specs)
        if (spec.variant, plan.slot) not in drafts.standing
    }
    left = {place: task for place, task in tasks.items() if len(task.rejected) < workshop.model.tries}
    made = workshop.model.draft(tuple(left.values()))
    return Drafts({**drafts.standing, **dict(zip(left, made, strict=True))}, drafts.rejected)


def given_up(workshop: Workshop, drafts: Drafts) -> bool:
    """Whether a session has no tries left, and nobody else may write it."""
    model = workshop.model
    if model is None or workshop.fallback:
        return False
    return any(len(rejected) >= model.tries for rejected in drafts.rejected.values())
