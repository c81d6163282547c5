"""What an event's text can draw on: its values, names, people and dates, as its speaker puts them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from suitegen.errors import DesignError
from suitegen.latent.seeds import rng
from suitegen.library.templates import compile_line
from suitegen.model.latent import Event, LatentSpec, SessionPlan
from suitegen.model.surface import SmallWords, Surfaces
from suitegen.model.words import Facet
from suitegen.values.tables import table
from suitegen.values.vocabulary import Vocabulary
from suitegen.writing.deal import Place
from suitegen.writing.topic import Topic, turned

NEWEST, OLDEST = 21, 120
"""How many days before its session a record is dated."""
TRIED_DAYS = 40
"""Days that are tried until one does not read like a value."""


@dataclass(frozen=True, slots=True)
class Matter:
    """An event on its way to text: what it is about, where it stands, and what can be said of it."""

    event: Event
    topic: Topic
    surfaces: Surfaces
    place: Place
    nth: int
    """How many events of its kind come before it in its session."""
    facts: Mapping[str, str]
    """Variables by name: those that the event has."""
    opens: bool = False
    """Whether another event will say the value of this one."""
    apart: bool = False
    """Whether it is no part of a scene, so that it needs an answer of its own."""

    @property
    def by_value(self) -> bool:
        """Whether the target goes by the value that ends, and is not named."""
        return self.opens and self.event.states("old")


def matter(spec: LatentSpec, plan: SessionPlan, event: Event, topic: Topic, surfaces: Surfaces, place: Place) -> Matter:
    """The matter of one of a session's events.

    Raises:
        DesignError: the event is to state something that it does not have, or nothing at all.
    """
    events = spec.events_of(plan)
    # Counted by kind, so that an event is worded alike whatever else its session says.
    nth = [other.id for other in events if _kind(other) == _kind(event)].index(event.id)
    facts = {**topic.names(event.speaker, event.source), **_values(event), **_people(spec, event, surfaces.words)}
    facts |= _dates(event, plan, topic, surfaces.words, place, nth)
    for facet, variables in _NEEDS.items():
        if event.states(facet) and not facts.keys() & set(variables):
            message = f"event {event.id!r} states {facet!r}, but has none"
            raise DesignError(message, hint=f"give it one, or drop {facet} from says")
    if not event.says:
        raise DesignError(f"event {event.id!r} states nothing", hint="an event states at least its act")
    return Matter(event, topic, surfaces, place, nth, facts, spec.opens(event), _is_apart(plan, topic))


def _is_apart(plan: SessionPlan, topic: Topic) -> bool:
    """Whether it stands outside of any scene: so does what is said of others, which no scene asks for."""
    return plan.frame != "scene" or topic.other or topic.confusable is not None


def _kind(event: Event) -> tuple[str, ...]:
    return event.op, event.speaker, event.source, event.strength


_NEEDS: Mapping[Facet, tuple[str, ...]] = {
    "value": ("value",), "old": ("old",), "trigger": ("trigger",), "reason": ("reason",),
    "source": ("origin",), "date": ("date", "effective"),
}  # fmt: skip


def _values(event: Event) -> dict[str, str]:
    old = event.old if event.old is not None or event.states("value") else event.value
    named = {"value": event.value, "old": old, "trigger": event.trigger, "reason": event.reason}
    return {name: text for name, text in named.items() if text is not None}


# -- people -----------------------------------------------------------------------------------------------------


def _people(spec: LatentSpec, event: Event, words: SmallWords) -> dict[str, str]:
    found = {}
    origin = event.origin if event.source != event.speaker else None
    if event.source != event.speaker or event.states("source"):
        found["origin"] = origin or _drawn(spec, event, words.origins[event.source])
    earlier = next((e for e in spec.events if e.id == event.refs.get("resolves")), None)
    if earlier is not None and (rejected := _rejected(spec, event, earlier, words)):
        found["rejected"] = rejected
    return {name: turned(words, text) for name, text in found.items()} if event.speaker == "assistant" else found


def _rejected(spec: LatentSpec, event: Event, earlier: Event, words: SmallWords) -> str | None:
    """Who told what is rejected: by the name it was given then."""
    if earlier.origin is not None and earlier.states("source"):
        return earlier.origin
    if earlier.speaker == "assistant" and event.speaker == "assistant":
        return None
    return _drawn(spec, earlier, words.rejected[earlier.source])


def _drawn(spec: LatentSpec, event: Event, names: tuple[str, ...]) -> str:
    slot = next((plan.slot for plan in spec.sessions if plan.index == event.session), "")
    return rng(spec.seed, slot, "origin", event.source).choice(names)


# -- dates ------------------------------------------------------------------------------------------------------


def _dates(event: Event, plan: SessionPlan, topic: Topic, words: SmallWords, place: Place, nth: int) -> dict[str, str]:
    """The day of a record, some weeks before its session; or the day from which the event's value holds."""
    if not event.states("date"):
        return {}
    language = topic.fact_type.language
    form = None if event.speaker == "tool" else rng(place.seed, place.slot, "date form").choice(words.dates)
    if event.effective is not None:
        return {"effective": written_date(date.fromisoformat(event.effective[:10]), form, language)}
    today = datetime.fromisoformat(plan.timestamp).date()
    days = [today - timedelta(back) for back in place.random("date", nth).sample(range(NEWEST, OLDEST + 1), TRIED_DAYS)]
    values = tuple((value.value, *value.aliases) for value in topic.fact_type.values)
    known = Vocabulary(topic.fact_type.kind, values, topic.fact_type.cues, language)
    # A date that reads like one of the attribute's values would say more than the event does.
    forms = (written_date(day, form, language) for day in days)
    clear = (text for text in forms if not known.mentions(text, cued=False))
    return {"date": next(clear, written_date(days[0], form, language))}


def written_date(day: date, form: str | None, language: str) -> str:
    """A date in a form over ``day``, ``month`` and ``year``; without a form ISO 8601, as records have it."""
    if form is None:
        return day.isoformat()
    month = table(language).month_names[day.month - 1]
    return compile_line(form, f"surfaces {language}: dates").render(day=day.day, month=month, year=day.year)
