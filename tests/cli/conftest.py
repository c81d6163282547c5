from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from suitegen.cli.main import program
from suitegen.library.problem import Problem
from suitegen.model.episode import AskedProbe, Attempt, Episode, PlacedSpan
from suitegen.model.finding import Finding, Measure, Verdict
from suitegen.model.gold import Atom, FieldEvidence, Gold, GoldField, Group
from suitegen.model.history import Placement, Question, Session, Turn
from suitegen.model.latent import Event, LatentSpec, Member, Probe, SessionPlan
from suitegen.pipeline.view import (
    BuildResult,
    FailureView,
    PlanRow,
    PlanView,
    ProgressEvent,
    Reason,
    RunOptions,
    StatusView,
    WriterOptions,
)
from suitegen.publish.stats import SuiteStats, measure
from suitegen.reading.profile import Profile, Scored, profile

CLEAR = "\x1b[2J"
"""What a hostile text would send to clear the screen."""


def episode() -> Episode:
    member = Member(name="target", fact_type="gym", entity="user", attribute="gym", values={"initial": "Corner Gym"})
    turns = (Turn(role="user", content=f"I train at Corner Gym.{CLEAR}"), Turn(role="assistant", content="Noted."))
    probe = Probe(id="p1", thread="t", type="current", about="target", asked_after=0)
    return Episode(
        episode_id="e1",
        group_id=None,
        spec=LatentSpec(
            suite="starter",
            case="c1",
            variant="",
            draw=0,
            seed=1,
            language="en",
            paradigm="interference",
            condition="decoy_no_update",
            expects="preserve",
            domain="personal",
            fact_type="gym",
            split=False,
            tier="short",
            cast=(member,),
            sessions=(
                SessionPlan(index=0, slot="s0", phase="encoding", kind="event", timestamp="2026-01-12T08:00+00:00"),
            ),
            events=(Event(id="ev1", thread="t", op="remember", target="target", session=0, value="Corner Gym"),),
            probes=(probe,),
        ),
        sessions=(Session(session_id="s1", index=0, timestamp="2026-01-12T09:00:00+00:00", turns=turns),),
        placements=(
            Placement(
                session_id="s1",
                first_turn=0,
                last_turn=1,
                phase="encoding",
                kind="event",
                origin="offline",
                license="CC0-1.0",
                content_hash="x",
            ),
        ),
        spans=(PlacedSpan(event="ev1", session_id="s1", session=0, turn=0, start=11, end=21, quote="Corner Gym"),),
        probes=(
            AskedProbe(
                probe=probe,
                question=Question(
                    probe_id="p1",
                    episode_id="e1",
                    asked_at="2026-01-13T09:00:00+00:00",
                    visible_until=0,
                    question="Where do I train?",
                    answer_format="{}",
                ),
                gold=Gold(type="current", fields=(GoldField(name="value", form="value", answer="Corner Gym"),)),
                evidence=(
                    FieldEvidence(field="value", groups=(Group(need=1, of=(Atom(event="ev1", facet="value"),)),)),
                ),
            ),
        ),
    )


PASSED = Verdict(
    gate="release",
    validator="balance",
    level="suite",
    status="passed",
    measures=(Measure(name="update share", value=0.5, threshold=0.55, low=0.4, high=0.6, n=28),),
)
NOT_RUN = Verdict(gate="judge", validator="grounding", level="session", status="not_run", why=f"no judge{CLEAR}")


@dataclass
class FakeApp:
    """Answers every command from what it was given, and keeps what it was asked."""

    SCHEMA_KINDS: Sequence[str] = ("fact-type", "suite")
    problems: Sequence[Problem] = ()
    verdicts: Sequence[Verdict] = (PASSED, NOT_RUN)
    events: Sequence[ProgressEvent] = (ProgressEvent("write", 1, 2, 1, 0), ProgressEvent("write", 2, 2, 2, 0))
    planned: int = 2
    missing: int = 0
    packaged: bool = True
    interrupted: bool = False
    raises: BaseException | None = None
    calls: list[tuple[object, ...]] = field(default_factory=list)

    def _asked(self, *call: object) -> None:
        self.calls.append(call)
        if self.raises is not None:
            raise self.raises

    def init(self, dir: Path) -> tuple[Path, ...]:
        self._asked("init", dir)
        return (dir / "suitegen.yaml",)

    def add_fact_type(self, project: Path, name: str, domain: str) -> Path:
        self._asked("add_fact_type", project, name, domain)
        return project / "fact_types" / domain / f"{name}.yaml"

    def lint(self, project: Path, paths: Sequence[Path]) -> Sequence[Problem]:
        self._asked("lint", project, tuple(paths))
        return self.problems

    def explain_code(self, code: str) -> str:
        self._asked("explain_code", code)
        return f"{code}: an explanation{CLEAR}"

    def explain_probe(self, out: Path, probe_id: str) -> str:
        self._asked("explain_probe", out, probe_id)
        return f"{probe_id}: a replay"

    def schema(self, kind: str) -> str:
        self._asked("schema", kind)
        return '{"type": "object"}'

    def plan(self, project: Path, suite: str | None, writer: WriterOptions | None, out: Path | None) -> PlanView:
        self._asked("plan", project, suite, *([writer, out] if writer else []))
        row = PlanRow("interference", "decoy_no_update", "preserve", "personal", False, "short", 4, 16, 52)
        return PlanView("starter", (row,), 4, 4, 16, 52, 20800, ("the release gate wants 200 episodes",))

    def preview(
        self, project: Path, suite: str | None, n: int, select: str | None, options: RunOptions, out: Path | None
    ) -> Iterator[Episode]:
        self._asked("preview", project, suite, n, select, *([options, out] if options.writer else []))
        return iter([episode()] * n)

    def build(
        self,
        project: Path,
        suite: str | None,
        out: Path,
        options: RunOptions,
        on_event: Callable[[ProgressEvent], None],
    ) -> BuildResult:
        for event in self.events:
            on_event(event)
        self._asked("build", project, suite, out, options)
        accepted = self.planned - self.missing
        return BuildResult(
            out, self.planned, accepted, self.missing, tuple(self.verdicts), self.packaged, self.interrupted
        )

    def status(self, out: Path) -> StatusView:
        self._asked("status", out)
        return StatusView(out, "starter", 4, 2, 1, 1, False, (Reason("S201", 3),))

    def failures(self, out: Path, case_id: str | None) -> Sequence[FailureView]:
        self._asked("failures", out, case_id)
        finding = Finding(code="S201", message=f"a forbidden value{CLEAR}")
        attempt = Attempt(draw=0, attempt=1, part="session 4", findings=(finding,), text="user: it is 9:30\nso there")
        return (FailureView("c1", "failed", (attempt,)),)

    def validate(self, out: Path) -> Sequence[Verdict]:
        self._asked("validate", out)
        return self.verdicts

    def view(self, out: Path) -> Path:
        self._asked("view", out)
        return out / "report.html"

    def stats(self, out: Path) -> SuiteStats:
        self._asked("stats", out)
        return measure([episode()])

    def score(self, out: Path, answers: bytes, name: str) -> tuple[Profile, Sequence[Scored]]:
        self._asked("score", out, answers, name)
        return profile((), [f"p9{CLEAR}"]), ()


Run = Callable[..., Result]


@pytest.fixture
def fake() -> FakeApp:
    return FakeApp()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to be in, with no SUITEGEN variable set."""
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith("SUITEGEN_") or name == "NO_COLOR"]:
        monkeypatch.delenv(name)
    return tmp_path


@pytest.fixture
def run(folder: Path, fake: FakeApp) -> Run:
    """Call the program with a fake application, in ``folder``."""

    def call(*args: str, **extra: object) -> Result:
        return CliRunner().invoke(program, args, prog_name="suitegen", obj=fake, **extra)  # type: ignore[arg-type]

    return call
