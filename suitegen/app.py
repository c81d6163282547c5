"""The composition root: picks the concrete parts and offers every command as a function."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path

from suitegen.errors import SuiteError, SuitegenError
from suitegen.filler.records import told
from suitegen.filler.source import mean_tokens, open_sources
from suitegen.latent.compile import Case
from suitegen.latent.plan import plan as plan_cases
from suitegen.library import scaffold
from suitegen.library.catalog import load, refuse
from suitegen.library.codes import CODES
from suitegen.library.codes import explain as explain_file_code
from suitegen.library.kinds import KINDS
from suitegen.library.lint import lint as lint_catalog
from suitegen.library.problem import Problem
from suitegen.library.schema import text as schema_text
from suitegen.library.shelves import shelves, shipped
from suitegen.library.templates import TemplateFolder
from suitegen.llm import anthropic, openai
from suitegen.llm.account import Account, Tally
from suitegen.llm.cache import Cache, Measured
from suitegen.llm.client import Client, Line
from suitegen.llm.faults import at
from suitegen.llm.limits import Limits, SystemClock, Throttle
from suitegen.llm.names import Endpoint, ModelName, endpoint, parse
from suitegen.llm.prices import Prices
from suitegen.llm.protocol import Chat
from suitegen.model.catalog import Catalog
from suitegen.model.episode import Episode
from suitegen.model.episodes import changed
from suitegen.model.finding import Verdict
from suitegen.model.gate import GateSpec
from suitegen.model.suite import SuiteSpec
from suitegen.pipeline import progress
from suitegen.pipeline.calls import check_prompts, foreseen
from suitegen.pipeline.case import build_case
from suitegen.pipeline.check import check_episode, check_suite
from suitegen.pipeline.counterbalance import counterbalanced
from suitegen.pipeline.design import design
from suitegen.pipeline.desk import Desk
from suitegen.pipeline.explain import explain
from suitegen.pipeline.harvest import Harvest, harvest
from suitegen.pipeline.identity import common, fingerprint
from suitegen.pipeline.journal import FOLDER, JOURNAL, Journal, Lock
from suitegen.pipeline.kit import Workshop
from suitegen.pipeline.readings import STAGE as READ
from suitegen.pipeline.readings import read_suite
from suitegen.pipeline.run import check_supply, run, selected
from suitegen.pipeline.view import (
    BuildResult,
    FailureView,
    ModelOptions,
    PlanView,
    ProgressEvent,
    RunOptions,
    StatusView,
    WriterOptions,
)
from suitegen.publish.diff import Diff
from suitegen.publish.diff import diff as diff_folders
from suitegen.publish.fetched import fetched
from suitegen.publish.fitness import check_files, check_fit
from suitegen.publish.formats.blind import export_blind
from suitegen.publish.formats.builtin import exporter
from suitegen.publish.formats.frame import Export, Source
from suitegen.publish.formats.frame import export as write_export
from suitegen.publish.hub import Hub, Publication
from suitegen.publish.keys import read_keys
from suitegen.publish.manifest import Build, Suite, assemble
from suitegen.publish.outgoing import outgoing
from suitegen.publish.package import read, verify_checksums, verify_rows, write
from suitegen.publish.stats import SuiteStats, measure
from suitegen.publish.target import Target
from suitegen.publish.versions import change, check_step, check_tag
from suitegen.reading.answers import parse_answers
from suitegen.reading.dense import Dense
from suitegen.reading.lexical import LexicalReader
from suitegen.reading.model_reader import ModelReader
from suitegen.reading.profile import Profile, Scored, profile, scored
from suitegen.reading.readings import Reading, Setting
from suitegen.reading.remembering import Remembering
from suitegen.reading.retrieval import Retrieval, Scorer, bm25
from suitegen.validation.builtin import builtin
from suitegen.validation.dropins import with_dropins
from suitegen.validation.gate import leveled
from suitegen.validation.judge import Judge
from suitegen.validation.protocol import AnyValidator, Kit
from suitegen.validation.settings import Panel
from suitegen.values.lexicon import Lexicon
from suitegen.writing.model_writer import Ask, ModelWriter
from suitegen.writing.offline import OfflineWriter
from suitegen.writing.replies import CODES as WRITER_CODES

SCHEMA_KINDS: Sequence[str] = tuple(KINDS)
_DEFAULTS = RunOptions()


@dataclass(frozen=True, slots=True)
class _Project:
    """A suite with everything it is made with."""

    spec: SuiteSpec
    workshop: Workshop
    sources: tuple[str, ...]
    """Hashes of the filler sources."""
    notes: tuple[str, ...]

    @property
    def catalog(self) -> Catalog:
        """The files that the suite draws on."""
        return self.workshop.kit.catalog

    def cases(self) -> tuple[Case, ...]:
        """The planned cases, whose supply of background is checked."""
        mean = round(mean_tokens(self.workshop.sources, self.spec.seed)) or 1
        cases = counterbalanced(self.spec, self.catalog, plan_cases(self.spec, self.catalog, mean))
        check_supply(self.spec, self.workshop, cases)
        return cases

    def fingerprints(self, cases: Sequence[Case]) -> dict[str, str]:
        """What each case depends on, by key."""
        shared = common(self.workshop, self.sources)
        return {case.key: fingerprint(self.workshop, case, shared) for case in cases}

    def written_by(self, options: WriterOptions | None, project: Path, ask: Ask) -> _Project:
        """The same with a model as its writer."""
        if options is None:
            return self
        name = _name(options)
        model = ModelWriter(
            self.catalog,
            TemplateFolder(shelves(project).templates),
            name,
            options.parameters,
            ask,
            _prices([options]),
            self.spec.license,
            options.corrections,
            options.restarts,
        )
        return replace(self, workshop=replace(self.workshop, model=model, fallback=options.fallback is not None))

    def judged_by(self, judge: ModelOptions | None, second: ModelOptions | None, project: Path, desk: Desk) -> _Project:
        """The same with models as its judges."""
        if judge is None:
            return self
        templates, catalog = TemplateFolder(shelves(project).templates), self.catalog
        named = {role: each for role, each in (("judge", judge), ("second_judge", second)) if each}
        judges = [Judge(desk.ask_one, _name(each), templates, each.parameters) for each in named.values()]
        validators = _validators(project, [catalog.gates[name] for name in self.spec.gates], *judges)
        models = {role: _published(_name(each)) for role, each in named.items()}
        return replace(self, workshop=replace(self.workshop, validators=validators, judges=models))


# -- files ------------------------------------------------------------------------------------------------------


def init(dir: Path) -> tuple[Path, ...]:
    """Lay down a project that lints and builds as it stands; returns the new files."""
    return scaffold.lay_down(dir, shipped())


def add_fact_type(project: Path, name: str, domain: str) -> Path:
    """Write a fact type to start from; returns its file."""
    return scaffold.add_fact_type(project, name, domain, shipped())


def _validators(
    project: Path, gates: Iterable[GateSpec], judge: Judge | None = None, second: Judge | None = None
) -> Mapping[str, AnyValidator]:
    return with_dropins(builtin(Remembering(LexicalReader()), judge, second), project / "validators", gates)


def lint(project: Path, paths: Sequence[Path]) -> tuple[Problem, ...]:
    """Every mistake of the files under ``paths``, or of the whole project where no path is given."""
    loaded = load(shelves(project, suites=[path for path in paths if _is_loose_suite(project, path)]))
    problems = lint_catalog(loaded, validators=frozenset(_validators(project, loaded.gates)))
    wanted = [path.resolve() for path in paths] or [project.resolve()]
    return tuple(problem for problem in problems if _below(Path(problem.path).resolve(), wanted))


def _is_loose_suite(project: Path, path: Path) -> bool:
    """Whether the path is a suite file that stands on no shelf."""
    shelf = (project / "specs" / "suites").resolve()
    loose = (
        path.suffix == ".yaml"
        and path.is_file()
        and not any(parent.name in _SHELVES for parent in path.resolve().parents)
    )
    return loose and path.resolve().parent != shelf


_SHELVES = ("fact_types", "templates", "validators", "specs")


def _below(path: Path, wanted: Sequence[Path]) -> bool:
    return any(path == root or root in path.parents for root in wanted)


def schema(kind: str) -> str:
    """The JSON Schema of a kind of file, as text."""
    return schema_text(kind)


def explain_code(code: str) -> str:
    """What a finding means: of a file (lint), or of a text (validators).

    Raises:
        SuitegenError: there is no such code.
    """
    told = explain_file_code(code) or WRITER_CODES.get(code.strip().upper())
    if told is not None:
        return told
    validators = builtin(Remembering(LexicalReader()))
    found = next((v for v in validators.values() if code.strip().upper() == v.code or code == v.name), None)
    if found is None:
        known = sorted([*CODES, *WRITER_CODES, *(validator.code for validator in validators.values())])
        raise SuitegenError(f"there is no code {code!r}", hint=f"codes: {', '.join(known)}")
    return found.explain()


# -- the suite of a command -------------------------------------------------------------------------------------


def _open(project: Path, suite: str | None) -> _Project:
    """A suite by name, by path, or the project's only one, with all parts it needs.

    Raises:
        AuthorError: any file of the shelves is wrong; carries every mistake.
        SuitegenError: there is no such suite, or the project has several.
    """
    path = Path(suite) if suite and suite.endswith(".yaml") else None
    if path is not None and not path.is_file():
        raise SuitegenError("there is no such file", where=str(path), hint="name a suite of the project, or a file")
    loose = [path] if path is not None and _is_loose_suite(project, path) else []
    loaded = load(shelves(project, suites=loose))
    validators = _validators(project, loaded.gates)
    name = _choose(project, suite, path)
    refuse(lint_catalog(loaded, validators=frozenset(validators), suites=frozenset({name})))
    if name not in loaded.catalog.suites:
        raise SuitegenError(f"there is no suite {name!r}", hint=f"known: {', '.join(sorted(loaded.catalog.suites))}")
    spec = loaded.catalog.suites[name]
    scripts = loaded.catalog.scripts.values()
    sources, skipped = open_sources(spec.fillers, scripts, spec.language, project, spec.license)
    kit = Kit(loaded.catalog, spec, Lexicon(loaded.catalog.fact_types))
    gates = leveled((loaded.catalog.gates[name] for name in spec.gates), validators)
    workshop = Workshop(kit, OfflineWriter(loaded.catalog), sources, gates, validators)
    return _Project(spec, workshop, tuple(source.fingerprint for source in sources), told(skipped))


def _choose(project: Path, suite: str | None, path: Path | None) -> str:
    """The name of the suite that is meant."""
    if path is not None:
        suites = [
            (name, at) for (kind, name), at in load(shelves(None, suites=[path])).sources.items() if kind == "suite"
        ]
        return next((name for name, at in suites if at.document.path == str(path)), path.stem)
    if suite is not None:
        return suite
    own = sorted(file.stem for file in (project / "specs" / "suites").glob("*.yaml"))
    if len(own) != 1:
        raise SuitegenError(f"the project has {len(own)} suites: {', '.join(own) or 'none'}", hint="name one")
    return own[0]


# -- models -----------------------------------------------------------------------------------------------------

REPLIES = "replies.sqlite"
"""The file of kept replies, beside the journal."""
_ADAPTERS = {"openai": openai.connect, "anthropic": anthropic.connect}


def _name(model: ModelOptions) -> ModelName:
    return parse(model.model, os.environ)


def _published(model: ModelName) -> str:
    """A model in what is published: without the address of its server."""
    return f"{model.provider}:{model.name}"


def _prices(models: Sequence[ModelOptions]) -> Prices:
    return Prices({str(_name(each)): each.price for each in models if each.price})


def _client(models: Sequence[ModelOptions], options: RunOptions, replies: Path) -> Client:
    """The way to every model of a run; the first that names a model says how it is asked.

    Raises:
        SuitegenError: a name is no model's.
        ModelError: a key or an SDK is missing.
    """
    names = [_name(each) for each in models]
    embedding = _embedding(options.embedder, names) if options.embedder else None
    lines: dict[ModelName, Line] = {}
    for name, each in zip(names, models, strict=True):
        lines.setdefault(name, _line(each, _ADAPTERS[name.provider]))
    if embedding and options.embedder:
        lines[embedding] = _line(options.embedder, openai.embedder)
        models = [*models, options.embedder]
    return Client(lines, Cache(replies), Account(options.budget, _prices(models)))


def _line(model: ModelOptions, connect: Callable[[ModelName, Endpoint, Limits], Chat]) -> Line:
    name = _name(model)
    where = endpoint(name, os.environ, variable=model.key)
    chat = connect(name, where, model.limits)
    return Line(chat, where.url, Throttle(model.limits, SystemClock(), at(name, where)))


def _embedding(model: ModelOptions, taken: Collection[ModelName]) -> ModelName:
    """The name of a model of vectors.

    Raises:
        SuitegenError: nobody offers it, or it is to chat as well.
    """
    name = _name(model)
    if name.provider != "openai":
        raise SuitegenError(
            f"{name} gives no vectors", hint="name one as openai:NAME or openai:NAME@http://host:port/v1"
        )
    if name in taken:
        raise SuitegenError(f"{name} is named to chat and to give vectors", hint="name a model of embeddings")
    return name


@contextmanager
def _asking(options: RunOptions, out: Path | None) -> Iterator[Desk | None]:
    """Where the models of a run are asked; None where there are none.

    Raises:
        SuitegenError: a model's name is none, or there is no folder for its replies.
        ModelError: a key or an SDK is missing.
    """
    models = [each for each in (options.writer, options.judge, options.second_judge, *options.readers) if each]
    if not models:
        yield None
        return
    if out is None:
        hint = "name that of the suite with -o: they are kept for its build"
        raise SuitegenError("paid replies need a folder", hint=hint)
    with Desk(lambda: _client(models, options, out / FOLDER / REPLIES)) as desk:
        yield desk


@contextmanager
def _modelled(
    opened: _Project, project: Path, options: RunOptions, out: Path | None
) -> Iterator[tuple[_Project, Desk | None]]:
    """The suite with the models that make it, and where they are asked; raises as ``_asking`` does."""
    with _asking(options, out) as desk:
        if desk:
            written = opened.written_by(options.writer, project, desk.ask)
            opened = written.judged_by(options.judge, options.second_judge, project, desk)
        yield opened, desk


def _panels(options: RunOptions, templates: TemplateFolder, desk: Desk | None) -> tuple[Panel, ...]:
    """The readers of a finished suite, each by itself and behind each retrieval."""
    if desk is None:
        return ()
    scores: dict[Setting, Scorer] = {"bm25": bm25}
    if options.embedder:
        scores["dense"] = Dense(desk.ask_one, _name(options.embedder))
    panels = []
    for each in options.readers:
        reader = ModelReader(desk.ask_one, _name(each), templates, each.parameters, READ)
        retrievals = {setting: Retrieval(reader, score, setting) for setting, score in scores.items()}
        panels.append(Panel(_published(_name(each)), reader, retrievals))
    return tuple(panels)


# -- plan, preview, build ---------------------------------------------------------------------------------------


def plan(project: Path, suite: str | None, writer: WriterOptions | None = None, out: Path | None = None) -> PlanView:
    """The design table of a suite; nothing is written or spent.

    Args:
        project: the project's folder.
        suite: its name, a path, or None for the only one.
        writer: the model whose calls are foreseen.
        out: the folder of the build, whose replies tell how long they are.
    """
    opened = _open(project, suite).written_by(writer, project, lambda _: ())
    cases = opened.cases()
    view = design(
        opened.spec, opened.catalog, cases, mean_tokens(opened.workshop.sources, opened.spec.seed), opened.notes
    )
    return replace(view, calls=foreseen(opened.workshop, cases, _measured(out)))


def _measured(out: Path | None) -> Mapping[tuple[str, str, str], Measured]:
    """What the replies kept in a folder have used; nothing is made where there are none."""
    replies = out / FOLDER / REPLIES if out else None
    return Cache(replies).measured() if replies and replies.is_file() else {}


def preview(
    project: Path,
    suite: str | None,
    n: int,
    select: str | None,
    options: RunOptions = _DEFAULTS,
    out: Path | None = None,
) -> Iterator[Episode]:
    """The first ``n`` episodes of a suite, made as a build makes them; of them only paid replies are kept."""
    with _modelled(_open(project, suite), project, options, out) as (opened, _):
        left = n
        for case in selected(opened.cases(), select):
            record = build_case(opened.workshop, case)
            if record.status == "error":
                raise SuitegenError(record.error, where=case.key)
            yield from record.episodes[:left]
            left -= len(record.episodes[:left])
            if left <= 0:
                return


def build(
    project: Path, suite: str | None, out: Path, options: RunOptions, on_event: Callable[[ProgressEvent], None]
) -> BuildResult:
    """Build a suite, or go on with a build: what is finished under the same spec is kept.

    Raises:
        AuthorError: a file is wrong; nothing was written.
        DesignError: the design cannot be met; nothing was written.
        FolderBusy: another build is at work in the folder.
        SuiteError: the folder cannot be written; what was finished is kept.
        ModelError: a model cannot be asked; what was answered and finished is kept.
        BudgetError: the budget is spent; likewise.
    """
    started = datetime.now(UTC)
    plain = _open(project, suite)
    cases = plain.cases()
    chosen = selected(cases, options.select)
    try:
        with ExitStack() as stack:
            opened, desk = stack.enter_context(_modelled(plain, project, options, out))
            check_prompts(opened.workshop, chosen)
            prints = opened.fingerprints(cases)
            stack.enter_context(Lock(out))
            journal = stack.enter_context(Journal(out / FOLDER / JOURNAL))
            progress.write_plan(out, opened.spec.id, prints)
            stopped = run(opened.workshop, chosen, prints, journal, options, on_event)
            made = harvest(journal, prints)
            panels = _panels(options, TemplateFolder(shelves(project).templates), desk)
            ended = _finish(opened, cases, made, out, options, panels, on_event) if not stopped else None
            account = desk.account if desk else Account()
            accepted = sum(case.status == "accepted" for case in made.cases)
            missing = len(cases) - accepted
            if ended is not None:
                ended_at = datetime.now(UTC)
                progress.write_run(out, options.workers, started, ended_at, accepted, missing, account.tallies)
    except OSError as error:
        raise SuiteError(
            f"cannot write: {error.strerror or error}",
            where=str(error.filename or out),
            hint="make room or fix the folder's rights, then build again: finished cases are kept",
        ) from error
    verdicts, readings = ended or ((), ())
    return BuildResult(
        out, len(cases), accepted, missing, verdicts, packaged=ended is not None, interrupted=stopped,
        used=account.total if account.tallies else None, readings=readings,
    )  # fmt: skip


def _finish(
    opened: _Project,
    cases: Sequence[Case],
    made: Harvest,
    out: Path,
    options: RunOptions,
    panels: Sequence[Panel],
    on_event: Callable[[ProgressEvent], None],
) -> tuple[tuple[Verdict, ...], tuple[Reading, ...]] | None:
    """Run the suite's gates, have it read and package it; None when a case was not tried or too many are missing."""
    done, accepted = len(made.cases), sum(case.status == "accepted" for case in made.cases)
    missing = len(cases) - accepted
    if done < len(cases) or missing > options.max_failures or not accepted:
        return None
    shop = opened.workshop
    on_event(ProgressEvent("gates", done, len(cases), accepted, missing))
    verdicts = check_suite(shop.kit, shop.gates, shop.validators, made.episodes, missing)
    readings = read_suite(shop.kit, made.episodes, panels, on_event) if panels else ()
    on_event(ProgressEvent("package", done, len(cases), accepted, missing))
    planned = {case.key: len(case.variants) for case in cases}
    models = {
        **shop.models,
        **{("reader" if not number else f"reader_{number + 1}"): panel.name for number, panel in enumerate(panels)},
    }
    models |= {"embedder": _published(_name(options.embedder))} if panels and options.embedder else {}
    write(
        out,
        assemble(
            Build(opened.spec, opened.catalog, planned, made.cases, made.episodes, verdicts, models, readings=readings)
        ),
    )
    return verdicts, readings


# -- a built suite ----------------------------------------------------------------------------------------------


def status(out: Path) -> StatusView:
    """How far the build in a folder is."""
    return progress.status(out)


def failures(out: Path, case_id: str | None) -> tuple[FailureView, ...]:
    """The cases in which something was rejected, or the one that is named."""
    return progress.failures(out, case_id)


def _read(out: Path) -> tuple[Suite, Kit, tuple[GateSpec, ...], Mapping[str, AnyValidator]]:
    """A built suite with the declarations that stand beside it."""
    suite = read(out)
    declared = suite.declared
    kit = Kit(declared.catalog, declared.suite, Lexicon(declared.catalog.fact_types))
    declared_gates = [declared.catalog.gates[name] for name in declared.suite.gates]
    validators = with_dropins(builtin(Remembering(LexicalReader())), Path.cwd() / "validators", declared_gates)
    return suite, kit, leveled(declared_gates, validators), validators


def read_by(
    project: Path, out: Path, options: RunOptions, on_event: Callable[[ProgressEvent], None]
) -> tuple[tuple[Reading, ...], Tally]:
    """What the readers of the options reach on a built suite, and what their calls used; replies are kept beside it.

    Raises:
        SuiteError: as ``validate`` does.
        ModelError, BudgetError: as ``build`` does.
    """
    suite = read(out)
    declared = suite.declared
    kit = Kit(declared.catalog, declared.suite, Lexicon(declared.catalog.fact_types))
    with _asking(options, out) as desk:
        panels = _panels(options, TemplateFolder(shelves(project).templates), desk)
        found = read_suite(kit, suite.episodes, panels, on_event)
        return found, desk.account.total if desk else Tally()


def validate(out: Path) -> tuple[Verdict, ...]:
    """The verdicts of all gates on the files as they are, and of the files themselves.

    Raises:
        SuiteError: a file is missing, damaged, or does not agree with the others.
    """
    suite, kit, gates, validators = _read(out)
    checked = {episode.episode_id: check_episode(kit, gates, validators, episode) for episode in suite.episodes}
    # Gates of the suite read the figures of its episodes: they are to be those of now.
    episodes = changed(suite.episodes, lambda e: e.model_copy(update={"verdicts": checked[e.episode_id]}))
    missing = suite.manifest.counts.episodes_missing
    findings = (*verify_checksums(out), *verify_rows(out))
    files = Verdict(
        gate="files", validator="checksums", level="file", status="failed" if findings else "passed",
        why=f"{len(findings)} findings" if findings else "", findings=findings,
    )  # fmt: skip
    of_suite = check_suite(kit, gates, validators, episodes, missing)
    return (files, *chain.from_iterable(checked.values()), *of_suite)


def explain_probe(out: Path, probe_id: str) -> str:
    """How a probe's gold follows from the timeline.

    Raises:
        SuitegenError: there is no such probe.
    """
    for episode in read(out).episodes:
        for asked in episode.probes:
            if probe_id in (asked.question.probe_id, f"{episode.episode_id}/{asked.probe.id}"):
                return explain(episode, asked)
    raise SuitegenError(f"there is no probe {probe_id!r}", where=str(out), hint="ids stand in the probes table")


def view(out: Path) -> Path:
    """The report's file."""
    path = out / "report.html"
    if not path.is_file():
        raise SuitegenError("there is no report here", where=str(out), hint="suitegen build writes it")
    return path


def stats(out: Path) -> SuiteStats:
    """The figures of a suite."""
    return measure(read(out).episodes)


def score(out: Path, answers: bytes, name: str) -> tuple[Profile, tuple[Scored, ...]]:
    """The profile of an answers file, and what each probe's answer is worth.

    Args:
        out: a built suite; its keys are read, its histories are not.
        answers: the file's bytes, JSON Lines.
        name: how the file is called in messages.

    Raises:
        AuthorError: lines that are no answers.
        SuiteError: the suite cannot be read.
    """
    given = parse_answers(answers, name)
    keys = read_keys(out)
    rows = scored(keys.probes, given)
    return profile(rows, given, keys.windows), rows


def export(out: Path, name: str, folder: Path, *, blind: bool = False) -> Export:
    """Write a built suite in another format.

    Args:
        out: the suite's folder, which is not changed.
        name: of the format.
        folder: a new one.
        blind: write the inputs alone, under new ids; the key to them goes beside the folder.

    Raises:
        SuitegenError: there is no such format, or the folder holds something.
        SuiteError: the suite cannot be read.
    """
    source = Source(out, read(out))
    return export_blind(name, source, folder) if blind else write_export(name, exporter(name), source, folder)


def diff(before: str, after: str) -> Diff:
    """What changed from one suite to another; each is a folder, or ``ORG/NAME@REVISION`` of the Hub.

    Raises:
        SuitegenError: there is no such suite.
        SuiteError: one cannot be read.
        PublishError: one cannot be fetched.
    """
    return diff_folders(fetched(before), fetched(after))


def publish(out: Path, target: Target, *, dry: bool, say: Callable[[str], None]) -> Publication:
    """Publish a built suite on the Hugging Face Hub, in one commit, with its tag last.

    Everything that can be refused is refused before anything is sent; the folder is never changed.

    Args:
        out: the suite's folder.
        target: where it goes.
        dry: only look; the result says what would change.
        say: told what is going on.

    Raises:
        Unfit: its files are not those that were built, a gate fails, a licence forbids it, or a secret is in it.
        SuiteError: the folder holds no suite, or one that cannot be read.
        SuitegenError: the repository holds something else, is public, has the tag for other files, or the tag is
            too small a step from the version before.
        PublishError: no token, no rights, no network, or a fault of the Hub; says what stands there now.
    """
    manifest = check_files(out)
    check_tag(target.tag, manifest.version)
    hub = Hub(target, say)
    files = outgoing(out, target.repo)
    plan = hub.look(manifest, files)
    earlier = hub.earlier(plan)
    if target.tag and earlier:
        check_step(earlier[0], target.tag, change(earlier[1], out))
    say("running all gates on the files as they are")
    verdicts = validate(out)
    check_fit(out, manifest, verdicts, files)
    plan = replace(plan, verdicts=verdicts)
    return plan if dry else hub.send(plan, f"Publish {manifest.suite} {manifest.version}")
