"""The formats that a suite can be exported to: those listed here, and those that other packages offer."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.metadata import EntryPoint, entry_points

from suitegen.errors import SuitegenError
from suitegen.publish.formats.frame import Exporter
from suitegen.publish.formats.locomo import as_locomo
from suitegen.publish.formats.longmemeval import as_longmemeval
from suitegen.publish.formats.tables import as_csv, as_jsonl

GROUP = "suitegen.exporters"
"""Entry points of this group are functions that return a mapping such as ours."""
EXPORTERS: Mapping[str, Exporter] = {
    "csv": as_csv,
    "jsonl": as_jsonl,
    "longmemeval": as_longmemeval,
    "locomo": as_locomo,
}


def exporter(name: str, points: Iterable[EntryPoint] | None = None) -> Exporter:
    """The exporter of a format; ``points`` are those of all packages that are installed, if none are given.

    Raises:
        SuitegenError: there is none, or two packages offer it.
    """
    if name in EXPORTERS:
        return EXPORTERS[name]
    offered = _offered(entry_points(group=GROUP) if points is None else points)
    if name not in offered:
        known = ", ".join(sorted({*EXPORTERS, *offered}))
        raise SuitegenError(f"there is no format {name!r}", hint=f"formats: {known}")
    return offered[name]


def _offered(points: Iterable[EntryPoint]) -> Mapping[str, Exporter]:
    """What other packages offer; a format of ours keeps its meaning."""
    found: dict[str, Exporter] = {}
    for point in sorted(points, key=lambda point: point.name):
        for name, each in point.load()().items():
            if name in found:
                raise SuitegenError(f"two packages offer the format {name!r}", where=point.value, hint="remove one")
            found[name] = each
    return found
