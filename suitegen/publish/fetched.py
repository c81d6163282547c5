"""A built suite by its folder, or by its name and revision on the Hugging Face Hub."""

from __future__ import annotations

from pathlib import Path

from suitegen.errors import SuitegenError
from suitegen.publish.hub_faults import asking
from suitegen.publish.target import MAIN, check_name

_WAYS = "name the folder of a built suite, or ORG/NAME@REVISION of the Hub"
_NO_TOKEN = "\0"
"""Stands for a token in no message."""


def fetched(place: str) -> Path:
    """The folder of a suite; one on the Hub is downloaded into the Hub's cache.

    Args:
        place: a folder, or ``ORG/NAME`` or ``ORG/NAME@REVISION``, without a revision the newest one.

    Raises:
        SuitegenError: there is no such folder, and it is no name.
        PublishError: it cannot be fetched.
    """
    folder = Path(place)
    if folder.is_dir():
        return folder
    repo, _, revision = place.partition("@")
    try:
        check_name(repo)
    except SuitegenError as error:
        raise SuitegenError("there is no such folder", where=place, hint=_WAYS) from error
    from huggingface_hub import get_token, snapshot_download
    from huggingface_hub.utils import disable_progress_bars  # type: ignore[attr-defined]

    disable_progress_bars()
    with asking(place, get_token() or _NO_TOKEN, "nothing was compared"):
        return Path(snapshot_download(repo, repo_type="dataset", revision=revision or MAIN))
