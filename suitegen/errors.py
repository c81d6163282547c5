"""What can go wrong, as a tree.

- SuitegenError: everything this package raises on purpose
  - AuthorError: a file or an option is wrong; carries every problem found in one run
  - DesignError: a suite's design cannot be met (a pool too small, an impossible count)
  - TemplateError: a template could not be rendered
  - BuildStopped: a build stopped before its end and can go on later
  - FolderBusy: another build works in the same folder
  - SuiteError: a built suite on disk cannot be read
  - FetchError: what a suite needs from the network cannot be fetched
  - PublishError: the Hub cannot be reached, or does not let a suite be published
  - Unfit: a built suite must not be published; carries every reason found in one run
  - ModelError: a model cannot be asked at all: no key, a wrong one, no such model, a dead server
  - CallError: one call to a model failed for good; others may go on
  - BudgetError: the next call would pass the budget
"""

from __future__ import annotations

from collections.abc import Sequence


class SuitegenError(Exception):
    """Something the user can act on: what, where, and what to do.

    ``where`` is ``file:line:col`` or a case id; ``hint`` says how to mend it.
    """

    exit_code = 2

    def __init__(self, message: str, *, where: str = "", hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else self.message


class AuthorError(SuitegenError):
    """One or more files are wrong; ``problems`` are already worded, in file order."""

    def __init__(self, problems: Sequence[str], *, hint: str = "") -> None:
        noun = "mistake" if len(problems) == 1 else "mistakes"
        super().__init__(f"{len(problems)} {noun} in the files", hint=hint)
        self.problems = tuple(problems)


class DesignError(SuitegenError):
    """The design asks for more than its parts can give."""


class TemplateError(SuitegenError):
    """A template failed to render; ``where`` names the file and line."""


class BuildStopped(SuitegenError):
    """A build stopped early; what was finished is kept."""

    exit_code = 1


class FolderBusy(SuitegenError):
    """A second build was started in a folder where one is running."""


class SuiteError(SuitegenError):
    """A built suite's files are missing, damaged or do not agree."""


class FetchError(SuitegenError):
    """Something on the network that a suite needs is not there, not open to the user, or out of reach."""

    exit_code = 3


class PublishError(SuitegenError):
    """The Hub does not let a suite be published: no key or a wrong one, no rights, out of reach, or at fault."""

    exit_code = 3


class Unfit(SuitegenError):
    """A built suite is not fit to be published; ``problems`` are already worded."""

    exit_code = 1

    def __init__(self, problems: Sequence[str], *, where: str = "", hint: str = "") -> None:
        noun = "reason" if len(problems) == 1 else "reasons"
        super().__init__(f"not published, for {len(problems)} {noun}", where=where, hint=hint)
        self.problems = tuple(problems)


class ModelError(SuitegenError):
    """A model cannot be asked: no key or a wrong one, no such model, nothing left to spend, a dead server."""

    exit_code = 3


class CallError(SuitegenError):
    """One call to a model failed for good; it says nothing of the next one."""

    exit_code = 3


class BudgetError(SuitegenError):
    """The next call would pass the budget; what was paid for is kept."""

    exit_code = 4
