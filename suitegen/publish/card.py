"""The dataset card: README.md, generated from the manifest; one marked part of it is the author's."""

from __future__ import annotations

import io
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass

from ruamel.yaml import YAML
from ruamel.yaml.scalarstring import DoubleQuotedScalarString

from suitegen.errors import SuiteError
from suitegen.library.templates import TemplateFolder
from suitegen.model.finding import Measure
from suitegen.publish.manifest import Block, GateLine, Manifest, Missing, Status
from suitegen.publish.pages import PAGE_LIMIT, markdown, markdown_values
from suitegen.publish.tables import COLUMNS, CONFIGS, FLAT, Config
from suitegen.reading.readings import sheets

BEGIN = "<!-- author:begin -->"
END = "<!-- author:end -->"
_NAMELESS = '"ORG/NAME"  # its name on the Hub, or the path of a folder that holds these files'
"""How the card's template calls a suite that is not published yet."""
_RUN = "hf/ORG/NAME"
TAGS = ("memory", "long-term-memory", "agent-memory", "benchmark", "evaluation", "synthetic", "suitegen")

_UNQUOTABLE = re.compile(r"[<>{}`\\]")
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_./*<-]*")
_WORDS_OF_YAML = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
"""What a reader of YAML 1.1 or 1.2 takes for something other than text."""

_VERDICTS: dict[Status, str] = {"passed": "passed", "failed": "**failed**", "not_run": "*not run*"}

_HUB_LICENSES = frozenset(
    {
        "afl-3.0", "agpl-3.0", "apache-2.0", "artistic-2.0", "bsd-2-clause", "bsd-3-clause", "bsl-1.0", "cc-by-2.0",
        "cc-by-2.5", "cc-by-3.0", "cc-by-4.0", "cc-by-nc-2.0", "cc-by-nc-3.0", "cc-by-nc-4.0", "cc-by-nc-nd-3.0",
        "cc-by-nc-nd-4.0", "cc-by-nc-sa-2.0", "cc-by-nc-sa-3.0", "cc-by-nc-sa-4.0", "cc-by-nd-4.0", "cc-by-sa-3.0",
        "cc-by-sa-4.0", "cc0-1.0", "cdla-permissive-1.0", "cdla-permissive-2.0", "cdla-sharing-1.0", "ecl-2.0",
        "epl-1.0", "epl-2.0", "eupl-1.1", "eupl-1.2", "gpl-2.0", "gpl-3.0", "isc", "lgpl-2.1", "lgpl-3.0", "mit",
        "mpl-2.0", "ms-pl", "ncsa", "odbl", "odc-by", "osl-3.0", "pddl", "postgresql", "unlicense", "wtfpl", "zlib",
    }
)  # fmt: skip
"""What the Hub knows a licence by: mostly its SPDX id in lower case."""
_HUB_NAMES = {
    "gfdl-1.3-only": "gfdl",
    "odbl-1.0": "odbl",
    "odc-by-1.0": "odc-by",
    "pddl-1.0": "pddl",
    **{f"{name}-{suffix}": name for name in ("gpl-2.0", "gpl-3.0", "lgpl-2.1", "lgpl-3.0", "agpl-3.0")
       for suffix in ("only", "or-later")},
}  # fmt: skip


def card(manifest: Manifest, notes: str, templates: TemplateFolder) -> str:
    """The dataset card; ``notes`` is the author's text with its line breaks, as it stood between the marks.

    Raises:
        TemplateError: the template cannot be rendered.
    """
    domains = _domains(manifest.blocks)
    values = {
        "manifest": markdown_values(manifest.model_dump(mode="json")),
        "front_matter": front_matter(manifest),
        "notes": f"{BEGIN}{notes}{END}",
        "domains": markdown_values(domains),
        "composition": markdown_values([asdict(line) for line in composition(manifest.blocks)]),
        "gates": [_gate(line) for line in manifest.gates],
        "sheets": [markdown_values(sheet._asdict()) for sheet in sheets(manifest.readings)],
        "idle": markdown(", ".join(line.validator for line in manifest.gates if line.not_run)),
        "failed": markdown(", ".join(f"{line.gate}/{line.validator}" for line in manifest.gates if line.failed)),
        "missing": [_missing(case) for case in manifest.missing],
        "context": manifest.context,
        "citation": _citation(manifest),
        "configs": [(name, ", ".join(COLUMNS[name])) for name in configs(manifest)],
    }
    return templates.render("card.md.j2", values, limit=PAGE_LIMIT)


def authors_notes(readme: str, where: str) -> str:
    """The author's text in a card.

    Raises:
        SuiteError: the card lacks its marks, so that rewriting it would lose text.
    """
    start, end = readme.find(BEGIN), readme.rfind(END)
    if start < 0 or end < start:
        raise SuiteError(
            "the marks of the author's text are gone, so it cannot be written again without losing text",
            where=where,
            hint=f"put your text between {BEGIN} and {END}, or move the file away",
        )
    return readme[start + len(BEGIN) : end]


def addressed(readme: str, repo: str) -> str:
    """The card under its name on the Hub, so that its example can be run as it stands; the author's text stays."""
    before, mark, generated = readme.rpartition(END)
    named = generated.replace(_NAMELESS, f'"{repo}"  # add revision="..." below to keep to one version')
    return before + mark + named.replace(_RUN, f"hf/{repo}")


def front_matter(manifest: Manifest) -> str:
    """The card's YAML, without its dashes; text that a reader of YAML 1.1 would take for something else is quoted."""
    primary, *rest = manifest.language.split("-")
    data = {
        "language": [primary],
        **({"language_bcp47": [manifest.language]} if rest else {}),
        **_license(manifest.license),
        "pretty_name": manifest.title,
        "size_categories": [size_category(manifest.counts.probes)],
        "task_categories": ["question-answering"],
        "annotations_creators": ["machine-generated"],
        "language_creators": ["machine-generated"],
        "source_datasets": ["original"],
        "tags": [*TAGS, *sorted({block.paradigm for block in manifest.blocks} - set(TAGS))],
        "configs": [_config(name, default=name == CONFIGS[0]) for name in configs(manifest)],
    }
    # No text of the front matter may pass for a mark of the author's text; "<" starts no plain scalar of ours.
    return yaml_text(data).replace("<!", "\\x3C!")


def configs(manifest: Manifest) -> tuple[Config, ...]:
    """The configs of a suite, in the order in which they are listed."""
    return (*CONFIGS, manifest.context, FLAT[-1])


def yaml_text(data: object) -> str:
    """Data as YAML that readers of 1.1 and 1.2 take for the same."""
    yaml = YAML()
    yaml.width = 1_000_000
    yaml.indent(mapping=2, sequence=2, offset=0)
    stream = io.StringIO()
    yaml.dump(_quoted(data), stream)
    return stream.getvalue()


def size_category(rows: int) -> str:
    """The Hub's word for a number of rows."""
    if rows < 1000:
        return "n<1K"
    steps = ("1K", "10K", "100K", "1M", "10M", "100M", "1B")
    step = min(len(str(rows)) - 4, len(steps) - 2)
    return f"{steps[step]}<n<{steps[step + 1]}"


def figures(measures: Sequence[Measure]) -> str:
    """Measures as one line of plain text."""
    return "; ".join(_figure(measure) for measure in measures)


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the composition table: a condition, with its episodes by domain."""

    paradigm: str
    condition: str
    expects: str
    domains: tuple[int, ...]
    """Episodes by domain, in the order of the table's columns."""
    split: int
    episodes: int
    probes: int


def composition(blocks: Sequence[Block]) -> tuple[Line, ...]:
    """The design as a table: conditions down, domains across."""
    domains = _domains(blocks)
    found: dict[tuple[str, str, str], list[Block]] = {}
    for block in blocks:
        found.setdefault((block.paradigm, block.condition, block.expects or ""), []).append(block)
    return tuple(
        Line(
            *key,
            domains=tuple(sum(block.episodes for block in members if block.domain == name) for name in domains),
            split=sum(block.episodes for block in members if block.split),
            episodes=sum(block.episodes for block in members),
            probes=sum(block.probes for block in members),
        )
        for key, members in found.items()
    )


def _citation(manifest: Manifest) -> str:
    """An entry of BibTeX; what would end its fields, its block or the author's text is left out."""
    title = " ".join(_UNQUOTABLE.sub(" ", manifest.title).split())
    note = f"Diagnostic suite for long-term memory, version {manifest.version}, spec {manifest.hashes['spec'][:16]}"
    return f"@misc{{{manifest.suite},\n  title = {{{title}}},\n  note = {{{note}}}\n}}"


def _domains(blocks: Sequence[Block]) -> tuple[str, ...]:
    return tuple(sorted({block.domain for block in blocks}))


def _gate(line: GateLine) -> dict[str, str]:
    """A line of the table of checks, in Markdown."""
    cells = {
        "gate": line.gate,
        "validator": line.validator,
        "level": line.level,
        "counts": f"{line.passed:,} / {line.failed:,} / {line.not_run:,}",
        "figures": figures(line.measures),
        "why": "; ".join(line.why),
    }
    return {**{name: markdown(cell) for name, cell in cells.items()}, "verdict": _VERDICTS[line.status]}


def _missing(case: Missing) -> str:
    noun = "episode" if case.episodes == 1 else "episodes"
    codes = f" ({', '.join(case.codes)})" if case.codes else ""
    return markdown(f"{case.case}: {case.episodes:,} {noun}, {case.status.replace('_', ' ')}{codes}")


def _figure(measure: Measure) -> str:
    text = f"{measure.name} {_number(measure.value)}"
    notes = []
    if measure.threshold is not None:
        notes.append(f"threshold {_number(measure.threshold)}")
    if measure.low is not None and measure.high is not None:
        notes.append(f"95 % interval {_number(measure.low)} to {_number(measure.high)}")
    if measure.n:
        notes.append(f"n = {measure.n:,}")
    return f"{text} ({', '.join(notes)})" if notes else text


def _number(value: float | None) -> str:
    return "not measured" if value is None else f"{value:.4g}"


def _license(spdx: str) -> dict[str, object]:
    name = _HUB_NAMES.get(spdx.lower(), spdx.lower())
    if name in _HUB_LICENSES or name == "gfdl":
        return {"license": name}
    return {"license": "other", "license_name": spdx, "license_link": "LICENSE"}


def _config(name: str, *, default: bool) -> dict[str, object]:
    files = [{"split": "test", "path": f"{name}/test-*.parquet"}]
    return {"config_name": name, "data_files": files, **({"default": True} if default else {})}


def _quoted(value: object) -> object:
    match value:
        case dict():
            return {key: _quoted(item) for key, item in value.items()}
        case list():
            return [_quoted(item) for item in value]
        case str() if not _PLAIN.fullmatch(value) or value.lower() in _WORDS_OF_YAML:
            return DoubleQuotedScalarString(value)
        case _:
            return value
