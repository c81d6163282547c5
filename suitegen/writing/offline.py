"""The offline writer: sessions from the surfaces of a language and the fact types' own phrasings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from suitegen.errors import DesignError
from suitegen.model.catalog import Catalog
from suitegen.model.history import Written
from suitegen.model.latent import LatentSpec, SessionPlan
from suitegen.model.surface import Surfaces
from suitegen.writing.deal import place_of
from suitegen.writing.exchange import aside, exchange
from suitegen.writing.facts import matter
from suitegen.writing.session import scene, session
from suitegen.writing.topic import Topic, topics


@dataclass(frozen=True, slots=True)
class OfflineWriter:
    """Writes the planned sessions of an episode without a model: the same spec gives the same text."""

    catalog: Catalog

    def write(self, spec: LatentSpec, plan: SessionPlan, attempt: int) -> Written:
        """One session: a scene of the fact type, and an exchange for each event it says.

        Args:
            spec: the episode's latent spec.
            plan: one of its sessions, of any kind but background.
            attempt: 0 for the first; each further one gives another wording.

        Raises:
            DesignError: the surfaces or the fact type cannot say what the session says.
            TemplateError: a line of a file cannot be rendered.
            ValueError: the session is background, which is not written but chosen.
        """
        if plan.kind == "background":
            raise ValueError(f"session {plan.index} is background")
        surfaces = self._surfaces(spec.language)
        place, cast = place_of(spec, plan, attempt), topics(spec, self.catalog)
        events = spec.events_of(plan)
        said = tuple(
            piece
            for event in events
            for piece in exchange(matter(spec, plan, event, cast[event.target], surfaces, place))
        )
        about = cast[events[0].target] if events else _target(spec, cast)
        return session(scene(about.own, place), said or aside(about.own, surfaces, place), surfaces, place)

    def _surfaces(self, language: str) -> Surfaces:
        found = self.catalog.surfaces.get(language)
        if found is None:
            known = ", ".join(sorted(self.catalog.surfaces))
            raise DesignError(f"there are no surfaces for language {language!r}", hint=f"known languages: {known}")
        return found


def _target(spec: LatentSpec, cast: Mapping[str, Topic]) -> Topic:
    """The first member of the spec's own fact type, which a session without event is about."""
    own = (t for t in cast.values() if t.member.fact_type == spec.fact_type and t.confusable is None)
    return next(own, next(iter(cast.values())))
