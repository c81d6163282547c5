"""Jinja in a sandbox: one-line templates of authors, and template files of the shelves.

Values are data: they are put in as they are, never compiled, never escaped (save in ``.html``
files). A line may use variables, filters, conditions and plain loops; what could loop or
allocate without end is refused when it is compiled. A file may use all of Jinja; its loops over
``range``, its multiplications and its length are bounded when it runs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import FileSystemLoader, StrictUndefined, Template, meta, nodes
from jinja2.exceptions import SecurityError, TemplateNotFound, TemplateSyntaxError, UndefinedError
from jinja2.exceptions import TemplateError as JinjaError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from suitegen.errors import TemplateError
from suitegen.library.nearest import did_you_mean

LIMIT = 100_000
"""Most characters that a rendered text may have."""
LOOP_LIMIT = 10_000
"""Most steps that all calls of ``range`` in one rendering may give."""
_DEPTH = 2
"""How deep loops of a line may nest."""

FILTERS = frozenset({
    "abs", "capitalize", "cap", "d", "default", "first", "int", "join", "last", "length", "list", "lower",
    "reverse", "round", "sort", "string", "title", "tojson", "trim", "unique", "upper",
})  # fmt: skip
"""Filters that a line may use; none of them makes a long text of a short one."""


# -- the sandbox ------------------------------------------------------------------------------------------------


def cap(text: object) -> str:
    """The text with its first letter in upper case; a text that starts with a digit stays as it is."""
    plain = str(text)
    for index, char in enumerate(plain):
        if char.isalpha():
            return plain[:index] + char.upper() + plain[index + 1 :]
        if char.isalnum():
            break
    return plain


class _Sandbox(ImmutableSandboxedEnvironment):
    """The sandbox with bounded multiplication."""

    intercepted_binops = frozenset({"*", "**", "%"})

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        """Numbers are multiplied while they stay small; a text is never repeated nor %-formatted."""
        small = all(isinstance(side, int | float) and abs(side) <= LIMIT for side in (left, right))
        if not small or operator == "**":
            raise SecurityError(
                f"'{operator}' works on numbers up to {LIMIT} only" if operator != "**" else "'**' is not available"
            )
        return super().call_binop(context, operator, left, right)


def _autoescape(name: str | None) -> bool:
    return name is not None and name.removesuffix(".j2").endswith((".html", ".htm"))


def _environment(folders: Sequence[Path] = ()) -> _Sandbox:
    environment = _Sandbox(
        undefined=StrictUndefined,
        autoescape=_autoescape,
        keep_trailing_newline=bool(folders),
        trim_blocks=bool(folders),
        lstrip_blocks=bool(folders),
        loader=FileSystemLoader([str(folder) for folder in folders]) if folders else None,
    )
    environment.filters["cap"] = cap
    # Without namespace, cycler and lipsum no loop can let a text grow.
    environment.globals = {"range": range}
    return environment


_LINES = _environment()


def _counted_range() -> Callable[..., range]:
    """A ``range`` that gives at most LOOP_LIMIT steps over all its calls."""
    spent = 0

    def bounded(*arguments: int) -> range:
        nonlocal spent
        steps = range(*arguments)
        spent += len(steps)
        if spent > LOOP_LIMIT:
            raise SecurityError(f"loops of more than {LOOP_LIMIT} steps")
        return steps

    return bounded


# -- lines ------------------------------------------------------------------------------------------------------

_MARK = re.compile(r"\{[{%#]")
_SIMPLE = re.compile(r"\{\{[-+]?[ \t]*([A-Za-z_][A-Za-z0-9_]*)[ \t]*(?:(\|)[ \t]*cap[ \t]*)?\}\}")
RESERVED = frozenset(
    {"true", "false", "none", "True", "False", "None", "not", "and", "or", "if", "else", "is", "in", "range"}
    | {"self", "super", "loop", "caller", "varargs", "kwargs"}
)
"""Words that mean something to Jinja."""


@dataclass(frozen=True, slots=True)
class Use:
    """A variable where a template uses it; the line counts from 0 within the text."""

    name: str
    line: int
    path: str = ""
    """The name with the parts that are asked of it, where any are."""


@dataclass(frozen=True, slots=True)
class Line:
    """A compiled template of one text."""

    text: str
    where: str
    """``file:line`` or another name for messages."""
    variables: frozenset[str]

    def render(self, values: Mapping[str, object] | None = None, /, **more: object) -> str:
        """Put the values in.

        Raises:
            TemplateError: a name is not among the values, or the text grows beyond bounds.
        """
        given = {**(values or {}), **more}
        parts = _parts(self.text)
        if parts is None:
            return _rendered(_compiled(self.text), self.text, given, self.where, LIMIT)
        missing = sorted(self.variables - given.keys())
        if missing:
            raise _unknown(missing[0], given, self.where)
        pieces = [part if isinstance(part, str) else part.put(given) for part in parts]
        return _bounded(pieces, self.where, LIMIT)


@dataclass(frozen=True, slots=True)
class _Slot:
    """``{{ name }}`` or ``{{ name | cap }}``: most of what lines consist of, filled without compiling."""

    name: str
    capital: bool

    def put(self, values: Mapping[str, object]) -> str:
        value = values[self.name]
        return cap(value) if self.capital else str(value)


def compile_line(text: str, where: str = "") -> Line:
    """Compile a text of an author; compiled once for every text.

    Raises:
        TemplateError: it is not valid, or uses what a line may not.
    """
    return Line(text, where, variables(text, where))


def variables(text: str, where: str = "") -> frozenset[str]:
    """The names that a text needs from outside.

    Raises:
        TemplateError: it is not valid, or uses what a line may not.
    """
    try:
        return _variables(text)
    except TemplateSyntaxError as error:
        raise TemplateError(_syntax_words(error), where=_within(where, error.lineno - 1)) from error


def uses(text: str, where: str = "") -> tuple[Use, ...]:
    """Every use of a name from outside, in the order of the text.

    Raises:
        TemplateError: it is not valid, or uses what a line may not; ``where`` gets the line within the text.
    """
    try:
        return _uses(text)
    except TemplateSyntaxError as error:
        raise TemplateError(_syntax_words(error), where=_within(where, error.lineno - 1)) from error


@lru_cache(maxsize=65536)
def _variables(text: str) -> frozenset[str]:
    return frozenset(use.name for use in _uses(text))


@lru_cache(maxsize=65536)
def _uses(text: str) -> tuple[Use, ...]:
    if not _MARK.search(text):
        return ()
    if _parts(text) is not None:
        return tuple(Use(m[1], text.count("\n", 0, m.start())) for m in _SIMPLE.finditer(text))
    tree = _LINES.parse(text)
    _refuse(tree, 0)
    return _free(tree)


def _free(tree: nodes.Template) -> tuple[Use, ...]:
    free = meta.find_undeclared_variables(tree) - {"range"}
    found = {(n.lineno, n.name): Use(n.name, n.lineno - 1) for n in tree.find_all(nodes.Name) if n.name in free}
    for part in tree.find_all(nodes.Getattr):
        path = _path(part)
        name = path.partition(".")[0]
        use = found.get((part.lineno, name))
        if use is not None and len(path) > len(use.path):
            found[part.lineno, name] = replace(use, path=path)
    return tuple(found.values())


def _path(node: nodes.Node) -> str:
    """A name with the parts that are asked of it; empty for what is no such path."""
    if isinstance(node, nodes.Getattr):
        above = _path(node.node)
        return f"{above}.{node.attr}" if above else ""
    return node.name if isinstance(node, nodes.Name) else ""


@lru_cache(maxsize=65536)
def _parts(text: str) -> tuple[str | _Slot, ...] | None:
    """The text as plain pieces and slots, or None if it has anything else in it."""
    parts: list[str | _Slot] = []
    end = 0
    for match in _SIMPLE.finditer(text):
        if match[1] in RESERVED or match[0][2] in "-+":
            return None
        parts += [text[end : match.start()], _Slot(match[1], match[2] is not None)]
        end = match.end()
    parts.append(text[end:])
    plain = [part for part in parts if isinstance(part, str)]
    # Jinja drops one line break at the end and looks across pieces for marks; leave such texts to it.
    if text.endswith("\n") or any(_MARK.search(part) or part.endswith("{") for part in plain):
        return None
    return tuple(part for part in parts if part)


@lru_cache(maxsize=8192)
def _compiled(text: str) -> Template:
    return _LINES.from_string(text)


_ALLOWED = (
    nodes.Template, nodes.Output, nodes.TemplateData, nodes.Name, nodes.Const, nodes.List, nodes.Tuple,
    nodes.Getattr, nodes.Getitem, nodes.Slice, nodes.Filter, nodes.Test, nodes.Compare, nodes.Operand,
    nodes.And, nodes.Or, nodes.Not, nodes.Neg, nodes.Pos, nodes.Add, nodes.Sub, nodes.Concat,
    nodes.If, nodes.CondExpr, nodes.For, nodes.Call, nodes.Keyword,
)  # fmt: skip


def _refuse(node: nodes.Node, depth: int) -> None:
    """Refuse what a line may not use.

    Raises:
        TemplateSyntaxError: with the line of the construct.
    """
    deeper = depth + isinstance(node, nodes.For)
    why = _why_not(node, deeper)
    if why:
        raise TemplateSyntaxError(why, node.lineno)
    for child in node.iter_child_nodes():
        _refuse(child, deeper)


def _why_not(node: nodes.Node, depth: int) -> str:
    if not isinstance(node, _ALLOWED):
        return f"'{type(node).__name__.lower()}' is not available in a line"
    if isinstance(node, nodes.Filter) and node.name not in FILTERS:
        return f"filter {node.name!r} is not available in a line; {did_you_mean(node.name, FILTERS, most=30)}"
    if isinstance(node, nodes.Call) and not (isinstance(node.node, nodes.Name) and node.node.name == "range"):
        return "calls are not available in a line"
    if isinstance(node, nodes.For) and (depth > _DEPTH or node.recursive):
        return f"loops nest at most {_DEPTH} deep in a line"
    return ""


# -- files ------------------------------------------------------------------------------------------------------


class TemplateFolder:
    """Template files of several folders; the nearer one shadows by name."""

    def __init__(self, folders: Sequence[Path]) -> None:
        self._folders = tuple(folders)
        self._environment = _environment(self._folders)

    def render(self, name: str, values: Mapping[str, object], *, limit: int = LIMIT) -> str:
        """Render a file with the values.

        Args:
            name: path of the file below the template folders, with ``/``.
            values: what its names stand for.
            limit: most characters that the result may have.

        Raises:
            TemplateError: there is no such file, it is not valid, it uses an unknown name, or the result is too long.
        """
        template, path = self._load(name)
        return _rendered(template, path.read_text(encoding="utf-8"), values, str(path), limit)

    def variables(self, name: str) -> frozenset[str]:
        """The names that a file needs from outside; those of files it includes are not looked into.

        Raises:
            TemplateError: there is no such file, or it is not valid.
        """
        _, path = self._load(name)
        return frozenset(meta.find_undeclared_variables(self._environment.parse(path.read_text(encoding="utf-8")))) - {
            "range"
        }

    def source(self, name: str) -> str:
        """The text of a file; those it includes are not looked into.

        Raises:
            TemplateError: there is no such file, or it is not valid.
        """
        return self._load(name)[1].read_text(encoding="utf-8")

    def _load(self, name: str) -> tuple[Template, Path]:
        try:
            template = self._environment.get_template(name)
        except TemplateNotFound as error:
            raise TemplateError(f"there is no template {error.name!r}", where=name) from error
        except TemplateSyntaxError as error:
            raise TemplateError(_syntax_words(error), where=f"{error.filename or name}:{error.lineno}") from error
        except (UnicodeDecodeError, OSError) as error:
            raise TemplateError(f"cannot be read: {error}", where=name) from error
        return template, Path(template.filename or name)


# -- running ----------------------------------------------------------------------------------------------------


def _rendered(template: Template, source: str, values: Mapping[str, object], where: str, limit: int) -> str:
    try:
        pieces = template.generate({**values, "range": _counted_range()})
        return _bounded(pieces, where, limit)
    except UndefinedError as error:
        raise _explained(error, template, source, values, where) from error
    except (JinjaError, TypeError, ValueError, ArithmeticError, LookupError, AttributeError, RecursionError) as error:
        # Whatever an expression of the author does with a value it does not fit.
        raise TemplateError(f"cannot be rendered: {error}", where=where) from error


def _bounded(pieces: Iterator[str] | Sequence[str], where: str, limit: int) -> str:
    kept: list[str] = []
    size = 0
    for piece in pieces:
        size += len(piece)
        if size > limit:
            raise TemplateError(f"the rendered text is longer than {limit} characters", where=where)
        kept.append(piece)
    return "".join(kept)


def _explained(
    error: UndefinedError, template: Template, source: str, values: Mapping[str, object], where: str
) -> TemplateError:
    """The error with the expression that has no value and its line, found anew in the source."""
    tree = template.environment.parse(source)
    free = meta.find_undeclared_variables(tree)
    for node in tree.find_all((nodes.Getattr, nodes.Getitem, nodes.Name)):
        dotted = _dotted(node)
        if dotted and dotted[0] in free and dotted[0] != "range" and not _resolves(dotted, values):
            return _unknown(".".join(dotted), values, _within(where, node.lineno - 1))
    return TemplateError(f"cannot be rendered: {error.message}", where=where)


def _dotted(node: nodes.Node) -> tuple[str, ...]:
    """The names of ``a.b.c``, empty for any other expression."""
    if isinstance(node, nodes.Name):
        return (node.name,)
    if isinstance(node, nodes.Getattr):
        inner = _dotted(node.node)
        return (*inner, node.attr) if inner else ()
    return ()


def _resolves(names: tuple[str, ...], values: Mapping[str, object]) -> bool:
    here: object = values
    for name in names:
        if isinstance(here, Mapping) and name in here:
            here = here[name]
        elif not name.startswith("_") and hasattr(here, name):
            here = getattr(here, name)
        else:
            return False
    return True


def _unknown(name: str, values: Mapping[str, object], where: str) -> TemplateError:
    return TemplateError(f"{name!r} is not known here", where=where, hint=did_you_mean(name.partition(".")[0], values))


def _within(where: str, line: int) -> str:
    """A place with the line inside its text added, where that is not the first."""
    return f"{where} (line {line + 1} of the text)" if line else where


def _syntax_words(error: TemplateSyntaxError) -> str:
    return f"not a valid template: {error.message}"
