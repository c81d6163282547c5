"""A deterministic reader: finds statements about what is asked by shared words, judges and replays them.

It sees sessions and questions only and knows no template, writer or fact type. Its
figures test a suite; they say nothing of what a language model would reach.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from suitegen.model.history import Question, Session, Turn
from suitegen.model.words import Status
from suitegen.reading.acts import acts
from suitegen.reading.aim import Aim, aim, also_called, resolved
from suitegen.reading.asked import Asked, asked
from suitegen.reading.assent import with_agreed
from suitegen.reading.claims import Claim, claims
from suitegen.reading.expiry import expiries, without_ended
from suitegen.reading.guess import aliases, value_kind
from suitegen.reading.passages import passage
from suitegen.reading.protocol import visible
from suitegen.reading.spans import same_value
from suitegen.reading.state import Rival, State, replay
from suitegen.reading.voices import Heard

UNKNOWN = "unknown"
NONE = "none"
UNCERTAIN = "uncertain"


@dataclass(frozen=True, slots=True)
class LexicalReader:
    """Reads by words: stems of the question, forms of values, and cues of the language's tables."""

    language: str = "en"
    name: str = "lexical"

    def read(self, sessions: Sequence[Session], question: Question) -> Mapping[str, str]:
        """The answer by field, in the order of the answer format."""
        heard = _heard(visible(sessions, question), self.language)
        wanted = resolved(asked(question, self.language), heard)
        state = _state(wanted, heard)
        if wanted.fields == ("source",) and wanted.names_value and not wanted.framed and not _was_said(wanted, state):
            wanted = asked(question, self.language, naming=False)
            state = _state(wanted, heard)
        return {field: _FIELDS.get(field, _nothing)(wanted, state) for field in wanted.fields}


class _Turns(NamedTuple):
    """The turns of a session, told apart by being the very same, since most readings share theirs."""

    turns: tuple[Turn, ...]

    def __hash__(self) -> int:
        return id(self.turns)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Turns) and self.turns is other.turns


def _heard(sessions: Sequence[Session], language: str) -> list[Heard]:
    """All turns in the order in which the sessions are given."""
    each = (_in(_Turns(s.turns), place, s.timestamp[:10], language) for place, s in enumerate(sessions))
    return [heard for turns in each for heard in turns]


@lru_cache(maxsize=2048)
def _in(session: _Turns, place: int, day: str, language: str) -> tuple[Heard, ...]:
    """The turns of a session that is at a place in the history."""
    found: list[Heard] = []
    before: frozenset[str] = frozenset()
    request: frozenset[str] = frozenset()
    for index, turn in enumerate(session.turns):
        said = passage(turn.content, language)
        answered = request if turn.role == "tool" else frozenset()
        found.append(Heard(place, index, day, turn.role, turn.name or "", said, before, answered))
        before |= said.topics
        request = said.topics if turn.role == "user" else request
    return tuple(found)


def _state(wanted: Asked, heard: Sequence[Heard]) -> State:
    meant = aim(wanted, heard)
    kind = value_kind(meant, _about(meant, heard), wanted.kinds, wanted.named.kind if wanted.named else None)
    first = claims(meant, _about(meant, heard), kind)
    meant = also_called(meant, aliases(meant, heard, first))
    near = _about(meant, heard)
    stated = with_agreed(claims(meant, near, kind) if meant.alias else first, near)
    ended = expiries(meant, heard, stated, kind)
    stated = without_ended(stated, ended, kind)
    done = [*ended, *acts(meant, near, stated)]
    if wanted.moment == "dated":
        stated = [claim for claim in stated if claim.day <= wanted.day]
        done = [act for act in done if act.day <= wanted.day]
    return replay(stated, done, kind)


def _about(meant: Aim, heard: Sequence[Heard]) -> list[Heard]:
    """The turns that can say something of the target, with what the assistant takes up of it."""
    words = meant.topic | meant.alias | meant.named
    near = [not words.isdisjoint(each.said.topics) or meant.names(each.context) for each in heard]
    taken = [after and each.role == "assistant" for each, after in zip(heard[1:], near[1:], strict=True)]
    follows = [*taken, False][: len(heard)]
    return [each for each, own, after in zip(heard, near, follows, strict=True) if own or after]


# -- what a state answers -------------------------------------------------------------------------------------------


def _current(state: State) -> str:
    if state.standing == "disputed":
        values = [state.intervals[-1].text, *(rival.claim.text for rival in state.disputes)]
        return f"{UNCERTAIN}: {'; '.join(dict.fromkeys(values))}"
    return state.intervals[-1].text if state.standing == "active" else UNKNOWN


def _previous(state: State) -> str:
    if state.standing in ("forgotten", "never"):
        return UNKNOWN
    index = len(state.intervals) - (1 if state.standing == "pending" else 2)
    return state.intervals[index].text if index >= 0 else NONE


def _value(wanted: Asked, state: State) -> str:
    if wanted.moment == "previous":
        return _previous(state)
    if wanted.moment == "original":
        return state.intervals[0].text if state.intervals and state.standing != "forgotten" else UNKNOWN
    return _current(state)


def _values(wanted: Asked, state: State) -> str:
    if state.standing == "forgotten" or not state.intervals:
        return UNKNOWN
    return "; ".join(interval.text for interval in state.intervals)


def _changed(wanted: Asked, state: State) -> str:
    if state.standing in ("disputed", "forgotten"):
        return UNKNOWN
    ended = any(interval.ended for interval in state.intervals)
    return "yes" if state.steps or ended or len(state.intervals) > 1 else "no"


def _count(wanted: Asked, state: State) -> str:
    return str(max(len(state.steps), len(state.intervals) - 1, 0))


def _moved(state: State) -> bool:
    return state.standing == "active" and bool(state.steps)


def _direction(wanted: Asked, state: State) -> str:
    return "old_to_new" if _moved(state) else "no_confirmed_change"


def _old(wanted: Asked, state: State) -> str:
    return _previous(state) if _moved(state) else NONE


def _new(wanted: Asked, state: State) -> str:
    return _current(state) if _moved(state) else NONE


def _why(wanted: Asked, state: State) -> str:
    if "direction" in wanted.fields and not _moved(state):
        return NONE
    told = "; ".join(why for why in state.steps[-1].why if why) if state.steps else ""
    return told or NONE


def _nothing(wanted: Asked, state: State) -> str:
    return UNKNOWN


# -- the value that a question names ------------------------------------------------------------------------------


def _is_named(wanted: Asked, state: State, claim: Claim) -> bool:
    """Whether a claim states the value that the question names."""
    if wanted.named is not None and wanted.named.kind == state.kind != "phrase":
        return same_value(state.kind, wanted.named.keys, claim.span.keys)
    return 2 * len(wanted.spelled & claim.stems) > len(wanted.spelled) > 0


def _rival(wanted: Asked, state: State) -> Rival | None:
    return next((each for each in reversed(state.rivals) if _is_named(wanted, state, each.claim)), None)


def _status(wanted: Asked, state: State) -> Status:
    last = len(state.intervals) - 1
    held = [at for at, each in enumerate(state.intervals) if _is_named(wanted, state, each.claim)]
    if last in held and state.standing == "active":
        return "accepted"
    if held:
        return "disputed" if last in held and state.standing == "disputed" else "past"
    if any(_is_named(wanted, state, claim) for claim in state.others):
        return "other_entity"
    if any(_is_named(wanted, state, claim) for claim in state.retracted):
        return "retracted"
    rival = _rival(wanted, state)
    if rival is None:
        return "never_said"
    return "not_accepted" if rival.status == "disputed" and state.standing != "disputed" else rival.status


def _was_said(wanted: Asked, state: State) -> bool:
    """Whether anything that was said of the attribute, or of another's, is the named value."""
    told = [*(each.claim for each in state.intervals), *(each.claim for each in state.rivals)]
    said = [*told, *state.retracted, *state.others]
    return any(_is_named(wanted, state, claim) for claim in said)


def _teller(wanted: Asked, state: State) -> str:
    """Who told the latest change, where that is asked for, else who told what holds or held last."""
    if wanted.of_change or not state.intervals:
        return state.steps[-1].teller if state.steps else NONE
    return state.intervals[0 if wanted.moment == "original" else -1].source


def _source(wanted: Asked, state: State) -> str:
    if not wanted.names_value:
        return _teller(wanted, state)
    rival = _rival(wanted, state)
    if rival is not None:
        return rival.source
    said = [(each.claim, each.source) for each in reversed(state.intervals)]
    said += [(claim, claim.teller) for claim in (*state.retracted, *state.others)]
    return next((source for claim, source in said if _is_named(wanted, state, claim)), NONE)


def _applies(wanted: Asked, state: State) -> str:
    return "no" if _status(wanted, state) in ("other_entity", "never_said") else "yes"


def _holds(wanted: Asked, state: State) -> str:
    now = state.now if state.standing == "active" else None
    return "yes" if now is not None and _is_named(wanted, state, now) else "no"


_FIELDS = {
    "value": _value,
    "values": _values,
    "changed": _changed,
    "count": _count,
    "source": _source,
    "status": _status,
    "applies": _applies,
    "direction": _direction,
    "old": _old,
    "new": _new,
    "trigger": _why,
    "reason": _why,
    "holds": _holds,
}
