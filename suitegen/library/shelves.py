"""Where files are looked for: the project's own folders, then those that ship with suitegen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePath

import suitegen
from suitegen.library.kinds import KINDS, SUITE, Kind
from suitegen.library.problem import Problem

_PACKAGE = Path(suitegen.__file__).parent


@dataclass(frozen=True, slots=True)
class Found:
    """A file on a shelf; ``shelf`` is 0 for the nearest one."""

    kind: Kind
    path: Path
    shelf: int


@dataclass(frozen=True, slots=True)
class Shelves:
    """Folders with ``fact_types``, ``specs``, ``templates`` and ``validators``, the nearest first.

    A file of a nearer shelf shadows those of the same id behind it.
    """

    roots: tuple[Path, ...]
    suites: tuple[Path, ...] = ()
    """Suite files that stand elsewhere."""

    @property
    def templates(self) -> tuple[Path, ...]:
        """The folders of template files, the nearest first."""
        return tuple(root / "templates" for root in self.roots)

    def files(self) -> Iterator[Found]:
        """Every file that is read, in order of shelf, kind and name."""
        for path in self.suites:
            yield Found(SUITE, path, 0)
        known = {path.absolute() for path in self.suites}
        for shelf, root in enumerate(self.roots):
            for kind in KINDS.values():
                for path in _yaml_files(root / kind.folder):
                    if (
                        _depth(path, root, kind) == kind.depth
                        and path.suffix == ".yaml"
                        and path.absolute() not in known
                    ):
                        yield Found(kind, path, shelf)

    def strays(self) -> Iterator[Problem]:
        """YAML files that look as if they should be read, and are not."""
        for root in self.roots:
            for folder in ("fact_types", "specs", "validators", *(f"templates/{n}" for n in _TEMPLATES)):
                for path in _yaml_files(root / folder):
                    hint = _why_stray(path, root)
                    if hint:
                        yield Problem("F010", "this file is not read", str(path), hint=hint, severity="warning")


_TEMPLATES = ("background", "surfaces", "questions")


def shipped() -> Path:
    """The shelf that ships with suitegen: inside the package, or beside it in a checkout."""
    inside = _PACKAGE / "_library"
    return inside if inside.is_dir() else _PACKAGE.parent


def shelves(project: Path | None = None, *, suites: Sequence[Path] = ()) -> Shelves:
    """The shelves of a project, or the shipped one alone.

    Args:
        project: the project's folder.
        suites: suite files outside the shelves.
    """
    roots = [shipped()] if project is None else [project, shipped()]
    if len(roots) == 2 and roots[0].resolve() == roots[1].resolve():
        roots.pop()
    return Shelves(tuple(roots), tuple(suites))


def _yaml_files(folder: Path) -> list[Path]:
    """YAML files below a folder in order of their names; hidden ones are left out."""
    if not folder.is_dir():
        return []
    found = (path for path in folder.rglob("*") if path.suffix.lower() in (".yaml", ".yml") and path.is_file())
    return sorted(path for path in found if not any(part.startswith(".") for part in path.relative_to(folder).parts))


def _depth(path: Path, root: Path, kind: Kind) -> int:
    return len(path.relative_to(root / kind.folder).parts) - 1


def _why_stray(path: Path, root: Path) -> str:
    below = PurePath(path.relative_to(root))
    kind = next((k for k in KINDS.values() if below.is_relative_to(k.folder)), None)
    if path.suffix != ".yaml":
        return "name it .yaml"
    if kind is None:
        scenario = below.is_relative_to("specs/scenarios")
        return "" if scenario else "put it in specs/suites or specs/paradigms"
    if _depth(path, root, kind) == kind.depth:
        return ""
    return f"put it in {kind.folder}/DOMAIN/" if kind.depth else f"put it directly in {kind.folder}/"
