"""The files of a suite as they go out: those that its checksums list, two of them with the suite's address."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from suitegen.errors import SuiteError
from suitegen.publish.card import addressed
from suitegen.publish.croissant import FILE as CROISSANT
from suitegen.publish.croissant import located
from suitegen.publish.package import CHECKSUMS, listed

CARD = "README.md"
_HUB = "https://huggingface.co/datasets"
_PRIVATE = frozenset({"run.json"})
"""Files that tell of the machine; so do all whose path has a part that begins with a dot."""


@dataclass(frozen=True, slots=True)
class Outgoing:
    """One file to publish, and the two names by which the Hub may know its content."""

    name: str
    """Its path in the repository."""
    content: Path | bytes
    size: int
    """In bytes."""
    sha256: str
    """The id of a large file."""
    blob: str
    """The id of a small one: git's SHA-1 of it as a blob."""

    def is_at(self, ids: Mapping[str, str]) -> bool:
        """Whether this very content stands under its name; ``ids`` has the path and id of what stands there."""
        return ids.get(self.name) in (self.sha256, self.blob)


def outgoing(out: Path, repo: str) -> tuple[Outgoing, ...]:
    """What is published of a built suite, by name; nothing in the folder is changed.

    Raises:
        SuiteError: a listed file is missing, lies outside the folder, or is none to publish.
    """
    entries = listed(out / CHECKSUMS)
    if CARD not in entries:
        raise SuiteError(f"{CHECKSUMS} lists no {CARD}", where=str(out), hint="build the suite again")
    files = {name: _file(out, name) for name in entries}
    files[CARD] = _bytes(CARD, addressed(_text(out, CARD), repo).encode())
    if CROISSANT in entries:
        files[CROISSANT] = _bytes(CROISSANT, located(_text(out, CROISSANT), f"{_HUB}/{repo}").encode())
    sums = "".join(f"{files[name].sha256}  {name}\n" for name in sorted(files))
    files[CHECKSUMS] = _bytes(CHECKSUMS, sums.encode())
    return tuple(files[name] for name in sorted(files))


def _file(out: Path, name: str) -> Outgoing:
    path = _inside(out, name)
    size = path.stat().st_size
    sha256, blob = hashlib.sha256(), _blob(size)
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            sha256.update(block)
            blob.update(block)
    return Outgoing(name, path, size, sha256.hexdigest(), blob.hexdigest())


def _bytes(name: str, content: bytes) -> Outgoing:
    blob = _blob(len(content))
    blob.update(content)
    return Outgoing(name, content, len(content), hashlib.sha256(content).hexdigest(), blob.hexdigest())


def _blob(size: int) -> hashlib._Hash:
    """What git hashes before a blob's bytes."""
    return hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)


def _text(out: Path, name: str) -> str:
    return _inside(out, name).read_bytes().decode()


def _inside(out: Path, name: str) -> Path:
    """The path of a listed file that may go out."""
    path = out / name
    hint = "build the suite again; the list of its files was changed"
    if name in _PRIVATE or any(part.startswith(".") for part in PurePosixPath(name).parts):
        raise SuiteError(f"{name} is never published", where=str(out / CHECKSUMS), hint=hint)
    if not path.is_file() or not path.resolve().is_relative_to(out.resolve()):
        raise SuiteError(f"{name} is no file of the folder", where=str(out / CHECKSUMS), hint=hint)
    return path
