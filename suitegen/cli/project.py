"""The project a command works in, and the options that its files give."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, TypeVar

import click
from dotenv import load_dotenv
from pydantic import Field, field_validator

from suitegen.errors import AuthorError
from suitegen.library.models import build
from suitegen.library.yaml import Document, read
from suitegen.model.base import Count, Noun, Positive, Text
from suitegen.pipeline.view import ModelOptions, WriterOptions

SETTINGS = "suitegen.yaml"
ENV_PREFIX = "SUITEGEN"

_ROOT = "suitegen.project"
_ARGS = "suitegen.args"
_SETTINGS = "suitegen.settings"
M = TypeVar("M", bound=ModelOptions)
OFFLINE = "offline"
"""In place of a model's name: no model."""


class Settings(Noun):
    """A settings file: the options that are worth keeping, under the names they have on the command line."""

    suite: Text | None = Field(
        default=None, description="The suite that is meant when none is named: a name or a path."
    )
    out: Text | None = Field(default=None, description="The folder of the built suite.")
    workers: Positive | None = Field(default=None, description="Cases at a time.")
    max_failures: Count | None = Field(default=None, description="How many cases may be missing in a packaged suite.")
    writer: WriterOptions | None = Field(default=None, description="The model that writes: a name, or how it is asked.")
    judge: ModelOptions | None = Field(default=None, description="The model that judges, likewise.")
    second_judge: ModelOptions | None = Field(default=None, description="Another one, which judges a sample.")
    reader: tuple[ModelOptions, ...] = Field(default=(), description="The model that reads, likewise; or several.")
    embedder: ModelOptions | None = Field(
        default=None, description="The model whose vectors find what readers are shown."
    )
    max_cost: Annotated[Decimal, Field(ge=0)] | None = Field(
        default=None, description="US dollars for calls of one run."
    )
    max_calls: Count | None = Field(default=None, description="Calls to models in one run.")
    max_tokens: Count | None = Field(default=None, description="Tokens of the calls of one run.")

    @field_validator("reader", mode="before")
    @classmethod
    def _listed(cls, data: object) -> object:
        """A single reader stands for a list of one."""
        return data if isinstance(data, list | tuple) else (data,)


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
        made = Settings()
        extra.setdefault("auto_envvar_prefix", ENV_PREFIX)
        if not extra.get("resilient_parsing"):
            load_dotenv(root / ".env")
            made = _read(root)
            extra["default_map"] = _defaults(root, made)
        context = super().make_context(info_name, args, parent, **extra)
        context.meta[_ROOT] = root
        context.meta[_ARGS] = given
        context.meta[_SETTINGS] = made
        return context


def project() -> Path:
    """The root of the project in which the running command works."""
    root: Path = click.get_current_context().meta[_ROOT]
    return root


def arguments() -> list[str]:
    """What stood behind the running command's name on the command line."""
    given: list[str] = click.get_current_context().meta[_ARGS]
    return given


def writer(name: str | None) -> WriterOptions | None:
    """The writer that an option names, asked as the settings file says; None for no model.

    The price and the key of one model are not those of another.
    """
    return _model(name, _made().writer, WriterOptions)


def judges(first: str | None, second: str | None) -> tuple[ModelOptions | None, ModelOptions | None]:
    """The judges that options name, likewise."""
    made = _made()
    return _model(first, made.judge, ModelOptions), _model(second, made.second_judge, ModelOptions)


def readers(names: Sequence[str]) -> tuple[ModelOptions, ...]:
    """The readers that an option names, likewise: each as the settings say of that name, else of the first."""
    said = {each.model: each for each in _made().reader}
    first = next(iter(said.values()), None)
    found = (_model(name, said.get(name, first), ModelOptions) for name in dict.fromkeys(names))
    return tuple(each for each in found if each)


def embedder(name: str | None) -> ModelOptions | None:
    """The model of vectors that an option names, likewise."""
    return _model(name, _made().embedder, ModelOptions)


def _made() -> Settings:
    made: Settings = click.get_current_context().meta[_SETTINGS]
    return made


def _model(name: str | None, said: M | None, kind: type[M]) -> M | None:
    if name is None or name == OFFLINE:
        return None
    if said is None:
        return kind(model=name)
    return said if said.model == name else said.model_copy(update={"model": name, "price": None, "key": None})


def find(start: Path) -> Path:
    """The nearest folder, from ``start`` upwards, that holds a settings file; ``start`` if none does."""
    for folder in (start, *start.parents):
        if (folder / SETTINGS).is_file():
            return folder
    return start


def settings(root: Path) -> dict[str, Any]:
    """The options that the project's settings file gives, as text; paths in it start at the root.

    Raises:
        AuthorError: the file is wrong; carries every mistake.
    """
    return _defaults(root, _read(root))


def _read(root: Path) -> Settings:
    path = root / SETTINGS
    if not path.is_file():
        return Settings()
    document = read(path, str(path))
    if _is_blank(document):
        return Settings()
    made, problems = build(Settings, document, document.tree) if document.root else (None, ())
    errors = [str(problem) for problem in (*document.problems, *problems) if problem.severity == "error"]
    if made is None or errors:
        raise AuthorError(errors)
    return made


def _defaults(root: Path, made: Settings) -> dict[str, Any]:
    given: dict[str, object] = {
        name: value.model if isinstance(value, ModelOptions) else value for name, value in made if name != "reader"
    }
    single = {name: _from_root(root, name, str(value)) for name, value in given.items() if value is not None}
    return {**single, **({"readers": [each.model for each in made.reader]} if made.reader else {})}


def _is_blank(document: Document) -> bool:
    return bool(document.lines) and all(
        line.split("#")[0].isspace() or not line.split("#")[0] for line in document.lines
    )


def _from_root(root: Path, name: str, value: str) -> str:
    """A path of the settings file as a path from here; a suite's name stays a name."""
    is_path = name == "out" or (name == "suite" and (root / value).is_file())
    return str(root / value) if is_path else value
