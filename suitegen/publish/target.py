"""Where a suite is published, under which name of its version, and who may see it there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from suitegen.errors import SuitegenError

Gated = Literal["auto", "manual"]
MAIN = "main"
_COMMIT = re.compile(r"[0-9a-f]{40}")
_BRANCH = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
_NAMES = "a name is ORG/NAME, such as acme/standups"


def check_name(repo: str) -> None:
    """A name is ORG/NAME, by the rules of the Hub.

    Raises:
        SuitegenError: it is not.
    """
    from huggingface_hub.errors import HFValidationError
    from huggingface_hub.utils import validate_repo_id  # type: ignore[attr-defined]

    try:
        validate_repo_id(repo)
    except HFValidationError as error:
        raise SuitegenError(" ".join(str(error).split()), hint=_NAMES) from error
    if repo.count("/") != 1 or "" in repo.split("/"):
        raise SuitegenError(f"{repo!r} names no repository", hint=_NAMES)


@dataclass(frozen=True, slots=True)
class Target:
    """Where a suite goes, and who may see it there.

    Raises:
        SuitegenError: the Hub takes no such name, or the choices exclude each other.
    """

    repo: str
    """ORG/NAME."""
    revision: str = MAIN
    """The branch."""
    tag: str | None = None
    """The name of the version, which is fixed from then on."""
    public: bool = False
    gated: Gated | None = None
    pr: bool = False
    """Propose the files instead of publishing them."""

    def __post_init__(self) -> None:
        check_name(self.repo)
        if not _BRANCH.fullmatch(self.revision) or _COMMIT.fullmatch(self.revision):
            raise SuitegenError(f"{self.revision!r} is no branch to publish on", hint=f"name one such as {MAIN}")
        if self.pr and (self.tag or self.public or self.gated):
            raise SuitegenError(
                "--pr proposes files and changes nothing else", hint="leave out --tag, --public and --gated"
            )

    @property
    def namespace(self) -> str:
        """The user or organisation whose repository it is."""
        return self.repo.partition("/")[0]
