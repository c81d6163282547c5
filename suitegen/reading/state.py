"""The state of a target as its statements leave it: a small replay of claims and acts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from suitegen.model.words import Status
from suitegen.reading.claims import Act, ActKind, Claim
from suitegen.reading.spans import SpanKind, same_value

Standing = Literal["never", "active", "pending", "disputed", "forgotten"]


@dataclass(slots=True)
class Interval:
    """A stretch of time with one value."""

    claim: Claim
    source: str
    ended: bool = False

    @property
    def text(self) -> str:
        """The value as it was said."""
        return self.claim.text


@dataclass(slots=True)
class Step:
    """A change, from the turn that first shows it."""

    teller: str
    why: list[str]
    settled: bool = False


@dataclass(slots=True)
class Rival:
    """A value that was said and not accepted."""

    claim: Claim
    status: Status
    source: str
    disputes: bool = False
    resolved: bool = False


@dataclass(slots=True)
class State:
    """What is known of a target, with all that led to it."""

    kind: SpanKind
    standing: Standing = "never"
    intervals: list[Interval] = field(default_factory=list)
    steps: list[Step] = field(default_factory=list)
    rivals: list[Rival] = field(default_factory=list)
    retracted: list[Claim] = field(default_factory=list)
    others: list[Claim] = field(default_factory=list)

    @property
    def now(self) -> Claim | None:
        """The claim of the last interval."""
        return self.intervals[-1].claim if self.intervals else None

    def same(self, one: Claim, other: Claim) -> bool:
        """Whether two claims state the same value."""
        return same_value(self.kind, one.span.keys, other.span.keys)

    def held(self, claim: Claim) -> Interval | None:
        """The latest interval with the claim's value."""
        return next((each for each in reversed(self.intervals) if self.same(each.claim, claim)), None)

    @property
    def disputes(self) -> list[Rival]:
        """Rivals that still stand against the current value."""
        return [rival for rival in self.rivals if rival.disputes and not rival.resolved]


def replay(claims: Sequence[Claim], acts: Sequence[Act], kind: SpanKind) -> State:
    """The state after all claims and acts, turn by turn."""
    state = State(kind)
    places = sorted({claim.place for claim in claims} | {act.place for act in acts})
    for place in places:
        done = {act.kind: act for act in acts if act.place == place}
        _turn(state, [claim for claim in claims if claim.place == place], done)
    return state


def _turn(state: State, claims: list[Claim], done: Mapping[ActKind, Act]) -> None:
    holding = [claim for claim in claims if not claim.past and not claim.denied]
    own = [claim for claim in holding if not claim.other]
    state.others.extend(claim for claim in claims if claim.other and not claim.asks)
    if "forget" in done and "retract" not in done:
        state.standing = "forgotten" if state.intervals else state.standing
        return
    if "reject" in done:
        _reject(state, done["reject"], claims)
    if "retract" in done:
        _retract(state, own)
    for claim in claims:
        if (claim.past or claim.denied) and not (claim.other or claim.hedged or claim.asks) and "retract" not in done:
            _past(state, claim, bool(own))
    for claim in own:
        _hold(state, claim, "retract" in done, "contradict" in done)
    if "restore" in done:
        _restore(state, done["restore"])
    elif "announce" in done and not own:
        _announce(state, done["announce"])


def _reject(state: State, act: Act, claims: list[Claim]) -> None:
    """The latest open rival is turned down, where the act speaks of it."""
    named = [claim for claim in claims if claim.denied or claim.past]
    for rival in reversed(state.rivals):
        near = act.near >= 2 or act.session == rival.claim.session
        foreign = rival.source != "user" or rival.disputes
        if rival.resolved or not foreign or not (near or any(state.same(claim, rival.claim) for claim in named)):
            continue
        rival.resolved = True
        for same in state.rivals:
            if same.claim.session == rival.claim.session and state.same(same.claim, rival.claim):
                _turn_down(same)
        break
    else:
        _reject_record(state, act)
    if state.standing == "disputed" and not state.disputes:
        state.standing = "active"


def _turn_down(rival: Rival) -> None:
    """A rival is rejected; a tool's was stale."""
    rival.resolved = True
    tool = rival.source == "tool"
    rival.status, rival.source = ("stale", "stale_tool") if tool else ("not_accepted", rival.source)


def _reject_record(state: State, act: Act) -> None:
    """A record that is turned down was no value at all, where it is the only one that is known."""
    if len(state.intervals) != 1 or state.intervals[0].source != "tool":
        return
    claim = state.intervals[0].claim
    if act.near >= 2 or act.session == claim.session:
        state.rivals.append(Rival(claim, "stale", "stale_tool", resolved=True))
        state.intervals.clear()
        state.standing = "never"


def _retract(state: State, own: Sequence[Claim]) -> None:
    """The last value was none. Where nothing else takes its place, the change to it was none either."""
    if not state.intervals:
        return
    state.retracted.append(state.intervals.pop().claim)
    state.standing = "active" if state.intervals else "never"
    if state.intervals and state.steps and all(state.same(claim, state.intervals[-1].claim) for claim in own):
        state.intervals[-1].ended = False
        state.steps.pop()


def _past(state: State, claim: Claim, with_new: bool) -> None:
    """A former value: known from then on, and over."""
    if claim.denied:
        return
    held = state.held(claim)
    if held is not None:
        held.ended = held.ended or held is not state.intervals[-1] or not with_new
        return
    if claim.teller == "assistant":
        return
    index = len(state.intervals) if with_new or not state.intervals else len(state.intervals) - 1
    state.intervals.insert(index, Interval(claim, claim.teller, ended=True))
    if len(state.intervals) == 1:
        state.standing = "pending"


def _hold(state: State, claim: Claim, corrects: bool, contradicts: bool) -> None:
    """A value that is said to hold."""
    now = state.now
    if claim.asks and (now is None or any(state.same(rival.claim, claim) for rival in state.rivals)):
        return
    accepted = claim.agreed or (claim.teller in ("user", "tool") and not claim.hedged and not claim.asks)
    if now is not None and state.same(now, claim) and state.standing != "forgotten":
        if accepted and state.standing == "pending":
            _settle(state)
        return
    if not accepted:
        _rival(state, claim)
    elif now is None or state.standing == "forgotten":
        _begin(state, claim, corrects)
    elif (claim.teller == "tool" and not claim.changes and state.standing == "active") or (
        contradicts and not claim.changes
    ):
        state.rivals.append(Rival(claim, "disputed", claim.teller, disputes=True))
        state.standing = "disputed"
    elif corrects:
        state.intervals.append(Interval(claim, claim.teller))
        state.standing = "active"
    elif _plausible(state, claim):
        _update(state, claim)


def _plausible(state: State, claim: Claim) -> bool:
    """Whether a bare statement of another value can be meant as a change."""
    if claim.changes or claim.restores or state.standing == "pending":
        return True
    if state.kind == "phrase":
        return claim.echo and claim.near == 3 and claim.span.sure and claim.firm
    return claim.firm


def _rival(state: State, claim: Claim) -> None:
    known = any(state.same(rival.claim, claim) and rival.claim.session == claim.session for rival in state.rivals)
    if known and claim.teller == "assistant":
        return
    status: Status = "not_accepted"
    if claim.hedged or claim.asks:
        status = "hypothetical" if claim.teller == "user" else "unreliable"
    state.rivals.append(Rival(claim, status, claim.teller))


def _begin(state: State, claim: Claim, corrects: bool) -> None:
    """The first value, or one after all was forgotten; it settles a change that was announced before."""
    open_step = state.steps[-1] if state.steps and not state.steps[-1].settled else None
    state.intervals.append(Interval(claim, open_step.teller if open_step else claim.teller))
    state.standing = "active"
    if open_step is not None:
        open_step.settled = True
    elif claim.changes and not corrects and claim.why and claim.near == 3 and _announced(claim):
        state.steps.append(Step(claim.teller, [claim.why], settled=True))


def _announced(claim: Claim) -> bool:
    return claim.changes


def _settle(state: State) -> None:
    state.standing = "active"
    if state.steps:
        state.steps[-1].settled = True


def _update(state: State, claim: Claim) -> None:
    if state.standing == "pending" and state.steps and not state.steps[-1].settled:
        state.steps[-1].why.append(claim.why)
        state.steps[-1].settled = True
    else:
        state.steps.append(Step(claim.teller, [claim.why], settled=True))
    state.intervals[-1].ended = True
    state.intervals.append(Interval(claim, state.steps[-1].teller))
    state.standing = "active"


def _restore(state: State, act: Act) -> None:
    """The value before the current one holds again."""
    if len(state.intervals) < 2:
        return
    state.steps.append(Step(act.teller, [act.why], settled=True))
    state.intervals.append(Interval(state.intervals[-2].claim, act.teller))
    state.standing = "active"


def _announce(state: State, act: Act) -> None:
    """A change whose new value is still to be said."""
    if act.ends is not None and not (state.now and same_value(state.kind, act.ends.keys, state.now.span.keys)):
        return
    if state.steps and not state.steps[-1].settled:
        state.steps[-1].why.append(act.why)
        return
    state.steps.append(Step(act.teller, [act.why]))
    state.standing = "pending"
