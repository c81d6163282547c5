"""The report: one HTML file that shows a suite's checks, its design, its failures, and episodes to read.

It loads nothing, and its content security policy lets nothing load. Episodes lie in it as
JSON and become elements by ``textContent`` only, when they are opened. Its size is
bounded: of a large suite a sample is shown, and of every long list the first ones.
"""

from __future__ import annotations

from collections import Counter
from itertools import groupby

from markupsafe import Markup

from suitegen.library.templates import TemplateFolder
from suitegen.publish.excerpt import excerpt
from suitegen.publish.manifest import Suite
from suitegen.publish.overview import SHORTCUTS, balance, battery, codes, few, gate, number
from suitegen.publish.pages import PAGE_LIMIT, hash_source
from suitegen.publish.stats import SuiteStats
from suitegen.reading.readings import sheets

ROOM = 2_500_000
"""Bytes that the episodes may take; the rest of a page of 3 MB is for the tables."""


def report(suite: Suite, stats: SuiteStats, templates: TemplateFolder, *, room: int = ROOM) -> str:
    """The report as HTML; the suite's episodes are gone through once, one at a time.

    Raises:
        TemplateError: the template cannot be rendered.
    """
    manifest = suite.manifest
    shown = excerpt(suite.episodes, room)
    values = {
        "manifest": manifest,
        "gates": [gate(name, list(lines)) for name, lines in groupby(manifest.gates, lambda line: line.gate)],
        "verdicts": Counter(line.status for line in manifest.gates),
        "shortcuts": [battery(line) for line in manifest.gates if line.validator in SHORTCUTS and line.measures],
        "balance": balance(manifest, stats),
        "codes": few(codes(manifest, shown.found)),
        "missing": few(manifest.missing),
        "licenses": few(manifest.licenses),
        "stats": stats.rows(),
        "sheets": [sheet._asdict() for sheet in sheets(manifest.readings)],
        "excerpt": shown,
        "number": number,
        "csp": _policy,
    }
    return templates.render("report/page.html.j2", values, limit=PAGE_LIMIT)


def _policy(block: str) -> Markup:
    return Markup(hash_source(str(block)))
