"""Dialogues from a dataset on the Hugging Face Hub: its rows are fetched once and kept beside the project."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from itertools import islice
from pathlib import Path

import yaml as pyyaml  # type: ignore[import-untyped,unused-ignore]
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from suitegen.errors import AuthorError, FetchError
from suitegen.filler.files import Files, gather
from suitegen.model.suite import FillerSource
from suitegen.values.licenses import from_hub

KEPT = Path(".suitegen") / "fillers"
"""Where the rows are kept, below the project's root."""
ROWS = 1000
"""Rows that are read where the suite says no number."""
SPLIT = "train"
"""The split that is read where the suite names none."""

_METADATA = re.compile(r"\s*---[ \t]*\r?\n(.*?)\r?\n---[ \t]*(?:\r?\n|$)", re.DOTALL)
"""The head of a dataset card."""
_LONGEST = 300
"""Characters of another library's message that are passed on."""
_ROWS, _ABOUT = "rows.jsonl", "about.json"
_REACH = "see that name and revision are right and the network is up; `hf auth login` opens datasets that are gated"
_PARTS = "name another config or split of the source"
_OFFLINE = "set HF_HUB_OFFLINE=0 for the first build; later ones need no network"


def read_hub(filler: FillerSource, root: Path) -> Files:
    """The dialogues of a hub source; only what is not kept yet is fetched.

    A commit never changes, and its rows are kept as they came: a later build reads the same
    bytes and needs no network. What could not be used is reported by the number of its row.

    Raises:
        AuthorError: there is no such config or split, or neither suite nor card names a licence.
        FetchError: the rows are not kept, and cannot be fetched or kept.
    """
    kept = root / KEPT / _folder(filler)
    if not kept.is_dir():
        _fetch(filler, kept)
    license = filler.license or _of_card(filler, json.loads((kept / _ABOUT).read_text("utf-8"))["license"])
    return gather([(kept / _ROWS, _name(filler))], license, "hub")


def _folder(filler: FillerSource) -> str:
    """A name of its own for all that decides which rows are read."""
    chosen = (filler.path, filler.revision, filler.config, filler.split or SPLIT, filler.rows or ROWS)
    short = hashlib.sha256(json.dumps(chosen).encode()).hexdigest()[:12]
    return f"{(filler.path or '').replace('/', '--')}-{short}"


def _name(filler: FillerSource) -> str:
    """How the source is called in origins and reports."""
    parts = (f"{filler.path}@{(filler.revision or '')[:12]}", filler.config, filler.split or SPLIT)
    return "/".join(filter(None, parts))


def _of_card(filler: FillerSource, license: object) -> str:
    """The SPDX id for what the dataset card says."""
    known = from_hub(license) if isinstance(license, str) else None
    if known is None:
        said = f"says {license!r}" if license else "names none"
        raise AuthorError(
            [f"{filler.path}: the licence of its dialogues is not known; its card {said}"],
            hint="find out under which licence they are, and add license: with its SPDX id to the source",
        )
    return known


# -- fetching -----------------------------------------------------------------------------------------------------


def _fetch(filler: FillerSource, kept: Path) -> None:
    """Keep the rows and what the card says, whole or not at all."""
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        making = Path(tempfile.mkdtemp(prefix="new-", dir=kept.parent))
        try:
            _write(filler, making)
            if not kept.is_dir():  # else another build was faster, with the same rows
                os.replace(making, kept)
        finally:
            shutil.rmtree(making, ignore_errors=True)
    except OSError as error:
        why, hint = error.strerror or error, "make room or fix the folder's rights"
        raise FetchError(
            f"the rows of {filler.path} cannot be kept: {why}", where=str(kept.parent), hint=hint
        ) from error


def _write(filler: FillerSource, folder: Path) -> None:
    license = _license(filler)
    with (folder / _ROWS).open("w", encoding="utf-8", newline="\n") as file:
        count = sum(file.write(line) > 0 for line in _lines(filler))
    about = {**filler.model_dump(mode="json", exclude={"license"}), "license": license, "read": count}
    (folder / _ABOUT).write_text(json.dumps(about, indent=1, sort_keys=True) + "\n", "utf-8")


def _license(filler: FillerSource) -> object:
    """What the metadata of the card at that commit says of the licence; None if there is no card, or nothing in it."""
    from huggingface_hub import constants, hf_hub_download
    from huggingface_hub.errors import RemoteEntryNotFoundError

    if constants.HF_HUB_OFFLINE:
        raise _unreachable(filler, "the Hub is switched off by HF_HUB_OFFLINE", _OFFLINE)
    try:
        with _reached(filler):
            card = hf_hub_download(filler.path or "", "README.md", repo_type="dataset", revision=filler.revision)
    except RemoteEntryNotFoundError:
        return None
    head = _METADATA.match(Path(card).read_text("utf-8-sig", errors="replace"))
    try:
        metadata = YAML(typ="safe", pure=True).load(head[1]) if head else None
    except YAMLError:
        return None
    return metadata.get("license") if isinstance(metadata, dict) else None


def _lines(filler: FillerSource) -> Iterator[str]:
    """The rows as lines of JSON."""
    import datasets

    split = filler.split or SPLIT
    with _reached(filler):
        try:
            rows = datasets.load_dataset(
                filler.path, filler.config, split=split, revision=filler.revision, streaming=True
            )
        except ValueError as error:
            raise AuthorError([f"{filler.path}: {_told(error)}"], hint=_PARTS) from error
        for row in islice(rows, filler.rows or ROWS):
            yield json.dumps(row, default=_plain) + "\n"


@contextmanager
def _reached(filler: FillerSource) -> Iterator[None]:
    """What the libraries raise when a dataset is not there, not open, broken or out of reach becomes one error."""
    from datasets.exceptions import DatasetsError
    from huggingface_hub.errors import HfHubHTTPError, RemoteEntryNotFoundError

    transport: type[Exception] = HfHubHTTPError.__bases__[0]  # of whichever HTTP library the Hub's client is built on
    try:
        yield
    except (AuthorError, RemoteEntryNotFoundError):
        raise
    except (OSError, ValueError, LookupError, RuntimeError, pyyaml.YAMLError, DatasetsError, transport) as error:
        raise _unreachable(filler, _told(error)) from error


def _plain(value: object) -> str | None:
    """A date as text; pictures, sounds and bytes say nothing."""
    return value.isoformat() if isinstance(value, date) else None


def _told(error: Exception) -> str:
    """What a library says, on one line."""
    return " ".join(str(error).split())[:_LONGEST] or type(error).__name__


def _unreachable(filler: FillerSource, why: str, hint: str = _REACH) -> FetchError:
    return FetchError(f"its rows cannot be read: {why}", where=f"{filler.path}@{filler.revision}", hint=hint)
