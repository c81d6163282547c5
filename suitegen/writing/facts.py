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

OLDEST, NEWEST = 120, 21
"""How many days before its session a record is dated."""


@dataclass(frozen=True, slots=True)
class Matter:
    """An event on its way to text: what it is about, where it stands, and what can be said of it."""

    event: Event
    topic: Topic
    surfaces: Surfaces
    place: Place
    nth: int
    """Its position among the events of its session."""
    facts: Mapping[str, str]
    """Variables by name: those that the event has."""


def matter(spec: LatentSpec, plan: SessionPlan, nth: int, topic: Topic, surfaces: Surfaces, place: Place) -> Matter:
    """The matter of the session's nth event.

    Raises:
        DesignError: the event is to state something that it does not have, or nothing at all.
    """
    event = spec.events_of(plan)[nth]
    facts = {**topic.names(event.speaker), **_values(event), **_people(spec, event, surfaces.words)}
    facts |= _dates(event, plan, topic, surfaces.words, place, nth)
    for facet, variables in _NEEDS.items():
        if event.states(facet) and not facts.keys() & set(variables):
            raise DesignError(f"event {event.id!r} states {facet!r}, but has none", hint=f"give it one, or drop {facet} from says")
    if not event.says:
        raise DesignError(f"event {event.id!r} states nothing", hint="an event states at least its act")
    return Matter(event, topic, surfaces, place, nth, facts)


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


def _dates(
    event: Event, plan: SessionPlan, topic: Topic, words: SmallWords, place: Place, nth: int
) -> dict[str, str]:
    """The day of a record, some weeks before its session; or the day from which the event's value holds."""
    as_code = event.speaker == "tool"
    if event.effective is not None:
        return {"effective": written_date(date.fromisoformat(event.effective[:10]), words, topic, place, as_code)}
    today = datetime.fromisoformat(plan.timestamp).date()
    random = place.random("date", nth)
    days = [today - timedelta(days=back) for back in random.sample(range(NEWEST, OLDEST + 1), 40)]
    forms = [written_date(day, words, topic, place, as_code) for day in days]
    values = tuple((value.value, *value.aliases) for value in topic.fact_type.values)
    known = Vocabulary(topic.fact_type.kind, values, topic.fact_type.cues, topic.fact_type.language)
    # A date that reads like one of the attribute's values would say more than the event does.
    return {"date": next((form for form in forms if not known.mentions(form, cued=False)), forms[0])}


def written_date(day: date, words: SmallWords, topic: Topic, place: Place, as_code: bool = False) -> str:
    """A date as people write it, or ISO 8601 as records have it."""
    if as_code:
        return day.isoformat()
    language = topic.fact_type.language
    form = compile_line(rng(place.seed, place.slot, "date form").choice(words.dates), f"surfaces {language}: dates")
    return form.render(day=day.day, month=table(language).month_names[day.month - 1], year=day.year)
