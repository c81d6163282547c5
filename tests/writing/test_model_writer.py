"""The model writer: what a prompt holds, what a reply becomes, and what goes back when it was wrong."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence

import pytest

from suitegen.latent.compile import compile_case
from suitegen.llm.protocol import ChatRequest, Reply, Usage
from suitegen.llm.structured import Answer
from suitegen.model.finding import Finding
from suitegen.model.history import Turn, Written
from suitegen.model.latent import LatentSpec, SessionPlan
from suitegen.pipeline.drafts import planned
from suitegen.reading.lexical import LexicalReader
from suitegen.validation.builtin import builtin
from suitegen.validation.gate import errors, run
from suitegen.validation.protocol import Kit, SessionText
from suitegen.values.lexicon import Lexicon
from suitegen.values.tables import table
from suitegen.values.tokens import contains_phrase
from suitegen.writing.brief import brief
from suitegen.writing.model_writer import Draft, Rejected, Task, feedback
from suitegen.writing.offline import OfflineWriter
from suitegen.writing.replies import ECHOED
from tests import ghost
from tests.catalog import shipped

Place = tuple[LatentSpec, SessionPlan]
VALIDATORS = builtin(LexicalReader())


def places(suite: str, every: int = 1) -> Iterator[Place]:
    catalog = shipped()
    spec = catalog.suites[suite]
    for case in ghost.cases(spec, catalog)[::every]:
        yield from planned(compile_case(spec, catalog, case, 0))


def first(wanted: Callable[[LatentSpec, SessionPlan], bool]) -> Place:
    return next(place for place in places("memprobe-56") if wanted(*place))


def says(op: str, **more: object) -> Callable[[LatentSpec, SessionPlan], bool]:
    """Whether a session says one thing, of this kind."""

    def holds(spec: LatentSpec, plan: SessionPlan) -> bool:
        events = spec.events_of(plan)
        return len(events) == 1 and events[0].op == op and all(getattr(events[0], k) == v for k, v in more.items())

    return holds


def offline(place: Place) -> Written:
    return ghost.unlike(OfflineWriter(shipped()), *place, 0, brief(*place, shipped()))


def sound(place: Place) -> dict[str, object]:
    """An answer that is right, to be spoilt."""
    return json.loads(ghost.answered(offline(place), brief(*place, shipped())))


def answer(value: object) -> Answer:
    return Answer("answered", value, asked=(SOME,), reply=Reply(json.dumps(value), usage=Usage(1000, 500)))


SOME = ChatRequest(ghost.MODEL, ())


def drafted(place: Place, given: Answer) -> Draft:
    def ask(requests: Sequence[ChatRequest]) -> Sequence[Answer]:
        return [given for _ in requests]

    return ghost.model_writer(shipped(), ask).draft([Task(*place)])[0]


def found(place: Place, draft: Draft) -> list[str]:
    """The codes of all that is wrong with a draft: the writer's own, and those of the shipped session gate."""
    assert draft.written
    catalog, (spec, plan) = shipped(), place
    kit = Kit(catalog, catalog.suites["memprobe-56"], Lexicon(catalog.fact_types))
    text = SessionText(kit, spec, plan, draft.written)
    checked = errors(run(catalog.gates["session"], VALIDATORS, text))
    return [finding.code for finding in (*draft.findings, *checked)]


# -- prompts ----------------------------------------------------------------------------------------------------


def stated(spec: LatentSpec, plan: SessionPlan) -> set[str]:
    pairs = [(e.value, e.states("value")) for e in spec.events_of(plan)]
    pairs += [(e.old if e.old is not None else e.value, e.states("old")) for e in spec.events_of(plan)]
    return {value for value, is_said in pairs if value is not None and is_said}


def spoken_of(spec: LatentSpec, plan: SessionPlan) -> set[str]:
    """The fact types of the cast; of a history that threads share those that the session is about.

    A scene may speak of two weeks where the return window of another thread is two weeks: what comes of it the rules see.
    """
    events = spec.events_of(plan)
    near = [spec.thread(plan.thread).fact_type] if plan.thread else []
    own = {spec.member(event.target).fact_type for event in events}.union(near)
    return own if spec.shared else {member.fact_type for member in spec.cast}


@pytest.mark.parametrize("suite", sorted(shipped().suites))
def test_a_prompt_holds_no_value_that_its_session_does_not_state(suite: str) -> None:
    catalog = shipped()
    writer, lexicon = ghost.model_writer(catalog), Lexicon(catalog.fact_types)
    conditions = set()
    for spec, plan in places(suite, every=max(1, len(ghost.cases(catalog.suites[suite], catalog)) // 60)):
        prompt = "\n".join(message.content for message in writer.request(Task(spec, plan)).messages)
        held = {mention.value for name in spoken_of(spec, plan) for mention in lexicon.values_of(name).mentions(prompt)}
        untold = (held & spec.values()) - stated(spec, plan)
        assert not untold, (spec.condition, plan.slot, untold)
        conditions.add(spec.condition)
    assert conditions


def test_a_prompt_holds_no_word_of_the_design() -> None:
    """Names of one plain word, such as update, are words of the language too."""
    writer = ghost.model_writer(shipped())
    for spec, plan in places("memprobe-56"):
        prompt = "\n".join(message.content for message in writer.request(Task(spec, plan)).messages)
        labels = (spec.suite, spec.case, spec.condition, spec.paradigm, plan.slot, plan.kind, plan.phase)
        ids = [event.id for event in spec.events_of(plan) if "_" in event.id]
        named = [label for label in (*labels, *ids) if label not in ("event", "decoy")]
        assert not contains_phrase(prompt, named)
        assert not contains_phrase(prompt, table("en").meta_words)


def test_what_no_facet_states_is_not_in_the_prompt() -> None:
    spec, plan = first(lambda s, p: any(not e.states("value") and e.value for e in s.events_of(p)))
    event = next(e for e in spec.events_of(plan) if not e.states("value"))
    item = next(item for item in brief(spec, plan, shipped()).items if item.event == event.id)
    assert event.value
    assert item.value is None


def test_members_that_share_a_session_ask_the_same_and_other_places_do_not() -> None:
    writer, catalog = ghost.model_writer(shipped()), shipped()
    suite = catalog.suites["starter"]
    group = next(s for c in ghost.cases(suite, catalog) if len(s := compile_case(suite, catalog, c, 0)) > 1)
    shared: dict[str, set[object]] = {}
    for spec, plan in planned(group):
        request = writer.request(Task(spec, plan))
        said = [(e.op, e.value, e.says) for e in spec.events_of(plan)]
        shared.setdefault(f"{plan.slot} {plan.timestamp} {said}", set()).add((request.messages, request.template))
    assert all(len(asked) == 1 for asked in shared.values())
    assert len({asked for each in shared.values() for asked in each}) == len(shared)


# -- replies ----------------------------------------------------------------------------------------------------


def test_what_the_offline_writer_writes_comes_back_as_it_was() -> None:
    for place in places("memprobe-56", every=3):
        draft = drafted(place, answer(sound(place)))
        written = offline(place)
        assert draft.written
        # The offline writer can draw the very opening that a model is shown.
        assert {finding.code for finding in draft.findings} <= {ECHOED}
        said = [[(turn.role, turn.content) for turn in each.turns] for each in (draft.written, written)]
        assert said[0] == said[1]
        assert set(draft.written.spans) == set(written.spans)
        assert (draft.written.origin, draft.written.license) == ("openai:ghost", "CC-BY-4.0")


def test_a_sound_reply_passes_the_gate_and_its_cost_is_told() -> None:
    place = first(says("update", says=("act", "value", "trigger", "reason")))
    draft = drafted(place, answer(sound(place)))
    assert found(place, draft) == []
    assert (draft.call.outcome, draft.call.input, draft.call.output, draft.call.cost) == (
        "answered",
        1000,
        500,
        "0.002",
    )


def test_a_quote_is_found_whatever_marks_and_case_it_is_copied_with() -> None:
    place = first(says("remember"))
    value = sound(place)
    value["evidence"] = {"e1": value["evidence"]["e1"].upper().replace("'", "’")}
    draft = drafted(place, answer(value))
    assert found(place, draft) == []
    assert draft.written
    assert draft.written.spans == offline(place).spans


@pytest.mark.parametrize("quote", ["that was never said", "", "   "])
def test_a_quote_that_stands_nowhere_is_a_finding_with_feedback(quote: str) -> None:
    place = first(says("remember"))
    draft = drafted(place, answer({**sound(place), "evidence": {"e1": quote}}))
    assert found(place, draft)[:1] == ["W502"]
    assert "e1" in draft.findings[0].feedback
    assert "user" in draft.findings[0].feedback


def test_a_quote_in_another_mouth_is_found_there_and_rejected() -> None:
    place = first(says("remember"))
    value = sound(place)
    quote = value["evidence"]["e1"]
    for exchange in value["exchanges"]:
        if quote in exchange["user"]:
            exchange["user"], exchange["assistant"] = "Did you keep that note of mine?", f"Yes: {quote}"
    assert "S102" in found(place, drafted(place, answer(value)))


def test_a_value_of_another_time_is_a_leak() -> None:
    place = first(says("remember", target="target"))
    spec, plan = place
    other = next(v.value for v in shipped().fact_types[spec.fact_type].values if v.value not in spec.values())
    value = sound(place)
    event = spec.events_of(plan)[0]
    assert event.value
    value["exchanges"][-1]["assistant"] += f" The {spec.member('target').attribute} is not {other}, right?"
    assert "S104" in found(place, drafted(place, answer(value)))


def test_a_turn_that_repeats_the_task_is_rejected() -> None:
    place = first(says("remember"))
    value = sound(place)
    value["exchanges"][-1]["assistant"] = (
        "Noted: a plain fact, as something that simply holds; nothing in it sounds new."
    )
    assert found(place, drafted(place, answer(value))) == ["W503"]
    value["exchanges"][-1]["assistant"] = str(brief(*place, shipped()).values["opening"])
    assert found(place, drafted(place, answer(value))) == ["W503"]


def test_a_mended_text_may_keep_what_its_feedback_quotes() -> None:
    place = first(says("remember"))
    value = sound(place)
    passage = value["exchanges"][-1]["assistant"]
    last = Rejected(json.dumps(value), (f"{json.dumps(passage)}: write shorter turns",))

    def ask(requests: Sequence[ChatRequest]) -> Sequence[Answer]:
        assert passage[:40] in requests[0].messages[-1].content
        return [answer(value)]

    draft = ghost.model_writer(shipped(), ask).draft([Task(*place, (last,))])[0]
    assert not draft.findings


def test_what_is_given_may_be_taken_over_as_it_stands() -> None:
    place = first(says("update", says=("act", "value", "trigger", "reason")))
    event = place[0].events_of(place[1])[0]
    value = sound(place)
    value["exchanges"][-1]["user"] += f" Anyway, {event.trigger}, and {event.reason}."
    assert "W503" not in found(place, drafted(place, answer(value)))


def test_a_tool_turn_has_the_name_of_the_fact_types_tool() -> None:
    place = first(lambda s, p: any(e.speaker == "tool" for e in s.events_of(p)))
    draft = drafted(place, answer(sound(place)))
    assert draft.written
    names = [turn.name for turn in draft.written.turns if turn.role == "tool"]
    assert names == [turn.name for turn in offline(place).turns if turn.role == "tool"]
    assert all(names)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (Answer("cut", trouble="the reply was cut", asked=(SOME,), reply=Reply('{"exch', "cut")), "cut"),
        (
            Answer("refused", trouble="the model refused: no", asked=(SOME,), reply=Reply("", "refused", refusal="no")),
            "refused",
        ),
        (Answer("malformed", trouble="the answer is not JSON", asked=(SOME,), reply=Reply("Sure!")), "not JSON"),
        (Answer("empty", trouble="the reply holds no answer", asked=(SOME,), reply=Reply("", "empty")), "no answer"),
        (Answer("failed", trouble="500", asked=(SOME,)), "500"),
    ],
    ids=lambda given: given.outcome if isinstance(given, Answer) else "",
)
def test_a_reply_that_is_no_session_is_a_finding_that_says_why(given: Answer, why: str) -> None:
    draft = drafted(first(says("remember")), given)
    assert draft.written is None
    assert [finding.code for finding in draft.findings] == ["W501"]
    assert why in draft.findings[0].message
    assert draft.call.outcome == given.outcome


# -- what goes back ---------------------------------------------------------------------------------------------


def test_what_was_wrong_goes_back_then_the_session_is_asked_for_afresh() -> None:
    place, writer = first(says("remember")), ghost.model_writer(shipped(), corrections=2, restarts=1)
    assert writer.tries == 6
    rejected = [Rejected(f"text {n}", (f"mend {n}",)) for n in range(6)]
    requests = [writer.request(Task(*place, tuple(rejected[:n]))) for n in range(6)]
    assert [len(request.messages) for request in requests] == [2, 4, 4, 2, 4, 4]
    assert [len({request.messages[:2] for request in requests[n : n + 3]}) for n in (0, 3)] == [1, 1]
    assert requests[0].messages != requests[3].messages
    assert [request.attempt for request in requests] == list(range(6))
    assert (requests[2].messages[2].content, requests[2].messages[3].role) == ("text 1", "user")
    assert "- mend 1" in requests[2].messages[3].content
    assert "mend 0" not in requests[2].messages[3].content


@pytest.mark.parametrize("last", [Rejected("", ("no reply",)), Rejected("a text", ())])
def test_without_a_text_or_a_reason_there_is_nothing_to_mend(last: Rejected) -> None:
    place, writer = first(says("remember")), ghost.model_writer(shipped())
    request = writer.request(Task(*place, (last,)))
    assert len(request.messages) == 2
    assert request.attempt == 1
    assert request.messages != writer.request(Task(*place)).messages


def test_a_later_draw_is_never_served_what_was_rejected_in_an_earlier_one() -> None:
    (spec, plan), writer = first(says("remember")), ghost.model_writer(shipped())
    later = spec.model_copy(update={"draw": 1})
    assert writer.request(Task(spec, plan)).attempt != writer.request(Task(later, plan)).attempt


def test_feedback_shows_the_passage_that_it_is_about() -> None:
    written = Written(turns=(Turn(role="user", content='we meet at "9:30" now'),))
    finding = Finding(code="S104", message="m", feedback="leave out '9:30'", turn=0, start=12, end=16)
    assert feedback(finding, written) == "\"9:30\": leave out '9:30'"
    assert feedback(finding.model_copy(update={"turn": None}), written) == "leave out '9:30'"
    assert feedback(Finding(code="X", message="only this", turn=7), None) == "only this"
