"""The offline writer: sessions from the surfaces of a language and the fact types' own phrasings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from suitegen.errors import DesignError
from suitegen.model.catalog import Catalog
from suitegen.model.fact_type import FactType
from suitegen.model.history import Written
from suitegen.model.latent import LatentSpec, Member, SessionPlan
from suitegen.model.surface import Surfaces
from suitegen.writing.deal import Place, place_of
from suitegen.writing.exchange import aside, exchange
from suitegen.writing.facts import matter
from suitegen.writing.remark import remark
from suitegen.writing.session import alone, scene, session
from suitegen.writing.topic import Topic, topics
from suitegen.writing.typing import typed


@dataclass(frozen=True, slots=True)
class OfflineWriter:
    """Writes the planned sessions of an episode without a model: the same spec gives the same text."""

    catalog: Catalog

    def write(self, spec: LatentSpec, plan: SessionPlan, attempt: int) -> Written:
        """What a session says, an exchange for each event or one for a small fact, with the scene that frames it.

        Args:
            spec: the episode's latent spec.
            plan: one of its sessions, in any frame but a plain one.
            attempt: 0 for the first; each further one gives another wording.

        Returns:
            The session; where a background dialogue frames it, only the turns that are set into it.

        Raises:
            DesignError: the surfaces or the fact type cannot say what the session says.
            TemplateError: a line of a file cannot be rendered.
            ValueError: the session is a plain background dialogue, which is not written but chosen.
        """
        if plan.frame == "plain":
            raise ValueError(f"session {plan.index} is a plain background dialogue")
        surfaces = self._surfaces(spec.language)
        place, cast = place_of(spec, plan, attempt), topics(spec, self.catalog)
        events = spec.events_of(plan)
        said = tuple(
            piece
            for event in events
            for piece in exchange(matter(spec, plan, event, cast[event.target], surfaces, place))
        )
        about = self._about(spec, plan, place, cast)
        said = said or aside(remark(spec, plan, about, surfaces, place))
        parts = scene(about, place, surfaces) if plan.frame == "scene" else {}
        written = session(parts, said, surfaces, place) if parts else alone(said)
        return typed(written, spec.seed, about.fact_type, surfaces, _values(spec, about.fact_type))

    def _about(self, spec: LatentSpec, plan: SessionPlan, place: Place, cast: Mapping[str, Topic]) -> Topic:
        """Whose scene it is: the first event's, the target's, or for background that of another fact type."""
        events = spec.events_of(plan)
        if events:
            return cast[events[0].target].own
        if plan.thread is not None:
            return cast[spec.thread(plan.thread).target].own
        if plan.kind != "background" or plan.frame != "scene" or not spec.elsewhere:
            return _target(spec, cast).own
        kind = self.catalog.fact_types[spec.elsewhere[place.number % len(spec.elsewhere)]]
        entity = place.random("entity").choice(kind.subject.pool) if kind.subject.pool else "user"
        member = Member(name=kind.id, fact_type=kind.id, entity=entity, attribute=kind.attribute, values={})
        return Topic(member, kind, self.catalog.surfaces[spec.language].words, other=False)

    def _surfaces(self, language: str) -> Surfaces:
        found = self.catalog.surfaces.get(language)
        if found is None:
            known = ", ".join(sorted(self.catalog.surfaces))
            raise DesignError(f"there are no surfaces for language {language!r}", hint=f"known languages: {known}")
        return found


def _values(spec: LatentSpec, fact_type: FactType) -> tuple[str, ...]:
    """Every spelling of every value of the fact type, and the values of the cast."""
    spelled = (text for value in fact_type.values for text in (value.value, *value.aliases))
    return tuple(dict.fromkeys((*spelled, *(value for member in spec.cast for value in member.values.values()))))


def _target(spec: LatentSpec, cast: Mapping[str, Topic]) -> Topic:
    """The first member of the spec's own fact type, which a session without event is about."""
    own = (t for t in cast.values() if t.member.fact_type == spec.fact_type and t.confusable is None)
    return next(own, next(iter(cast.values())))
