"""The project a command works in, and the options that its files give."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from dotenv import load_dotenv
from pydantic import Field

from suitegen.errors import AuthorError
from suitegen.library.models import build
from suitegen.library.yaml import Document, read
from suitegen.model.base import Count, Noun, Positive, Text

SETTINGS = "suitegen.yaml"
ENV_PREFIX = "SUITEGEN"

_ROOT = "suitegen.project"
_ARGS = "suitegen.args"


class Settings(Noun):
    """A settings file: the options that are worth keeping, under the names they have on the command line."""

    suite: Text | None = Field(
        default=None, description="The suite that is meant when none is named: a name or a path."
    )
    out: Text | None = Field(default=None, description="The folder of the built suite.")
    workers: Positive | None = Field(default=None, description="Cases at a time.")
    max_failures: Count | None = Field(default=None, description="How many cases may be missing in a packaged suite.")


class ProjectCommand(click.Command):
    """A command that works in a project.

    Its options come from the command line, else from ``SUITEGEN_NAME`` (the environment,
    then the project's ``.env``), else from the project's settings file.
    """

    def make_context(
        self, info_name: str | None, args: list[str], parent: click.Context | None = None, **extra: Any
    ) -> click.Context:
        """Read the project's files before the options.

        Raises:
            AuthorError: the settings file is wrong.
        """
        root = find(Path.cwd())
        given = list(args)
        extra.setdefault("auto_envvar_prefix", ENV_PREFIX)
        if not extra.get("resilient_parsing"):
            load_dotenv(root / ".env")
            extra["default_map"] = settings(root)
        context = super().make_context(info_name, args, parent, **extra)
        context.meta[_ROOT] = root
        context.meta[_ARGS] = given
        return context


def project() -> Path:
    """The root of the project in which the running command works."""
    root: Path = click.get_current_context().meta[_ROOT]
    return root


def arguments() -> list[str]:
    """What stood behind the running command's name on the command line."""
    given: list[str] = click.get_current_context().meta[_ARGS]
    return given


def find(start: Path) -> Path:
    """The nearest folder, from ``start`` upwards, that holds a settings file; ``start`` if none does."""
    for folder in (start, *start.parents):
        if (folder / SETTINGS).is_file():
            return folder
    return start


def settings(root: Path) -> dict[str, str]:
    """The options that the project's settings file gives, as text; paths in it start at the root.

    Raises:
        AuthorError: the file is wrong; carries every mistake.
    """
    path = root / SETTINGS
    if not path.is_file():
        return {}
    document = read(path, str(path))
    if _is_blank(document):
        return {}
    made, problems = build(Settings, document, document.tree) if document.root else (None, ())
    errors = [str(problem) for problem in (*document.problems, *problems) if problem.severity == "error"]
    if made is None or errors:
        raise AuthorError(errors)
    given = made.model_dump(exclude_none=True)
    return {name: _from_root(root, name, str(value)) for name, value in given.items()}


def _is_blank(document: Document) -> bool:
    return bool(document.lines) and all(
        line.split("#")[0].isspace() or not line.split("#")[0] for line in document.lines
    )


def _from_root(root: Path, name: str, value: str) -> str:
    """A path of the settings file as a path from here; a suite's name stays a name."""
    is_path = name == "out" or (name == "suite" and (root / value).is_file())
    return str(root / value) if is_path else value
