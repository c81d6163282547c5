"""Whether a built suite may be passed on: its gates, its licences, and no secret in its text."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from suitegen.errors import SuiteError, Unfit
from suitegen.model.finding import Verdict
from suitegen.publish.manifest import Manifest
from suitegen.publish.outgoing import Outgoing
from suitegen.publish.package import read_manifest, verify_checksums
from suitegen.publish.parquet import read_shards
from suitegen.publish.tables import CONFIGS
from suitegen.values.licenses import conflicts, is_missing

_SECRETS = {
    "a token of the Hugging Face Hub": re.compile(r"\bhf_[A-Za-z0-9]{30,}\b"),
    "a key of a model provider": re.compile(r"\bsk-[A-Za-z0-9_-]{20,}"),
    "a key of Google": re.compile(r"\bAIza[0-9A-Za-z_-]{35}\b"),
    "a key of AWS": re.compile(r"\bAKIA[0-9A-Z]{16}\b"),
    "a token of GitHub": re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{40,})\b"),
    "a token of Slack": re.compile(r"\bxox[abprs]-[A-Za-z0-9-]{10,}"),
    "a private key": re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----"),
}
_SHOWN = 7
"""Characters of a secret by which it can be found; the rest is not repeated."""
_MEND = "suitegen validate OUT shows every finding; mend the project's files and build again"
_TOUCHED = (
    "build again: that writes the files anew from what is finished, and keeps your text in README.md and CHANGELOG.md"
)


def check_files(out: Path) -> Manifest:
    """The manifest of a suite whose files are those that were built.

    Raises:
        SuiteError: there is no built suite, or its checksums cannot be read.
        Unfit: files are changed, missing or too many.
    """
    manifest = read_manifest(out)
    findings = verify_checksums(out)
    if findings:
        raise Unfit([finding.message for finding in findings], where=str(out), hint=_TOUCHED)
    return manifest


def check_fit(out: Path, manifest: Manifest, verdicts: Sequence[Verdict], files: Sequence[Outgoing]) -> None:
    """A suite may be published.

    Args:
        out: its folder.
        manifest: its manifest, whose gates may have asked models.
        verdicts: of all gates on the files as they are now.
        files: what would go out.

    Raises:
        Unfit: it may not; carries every reason.
    """
    reasons = [*_gates(manifest, verdicts), *_licenses(manifest), *_secrets(out, files)]
    if reasons:
        raise Unfit(list(dict.fromkeys(reasons)), where=str(out), hint=_MEND)


def _gates(manifest: Manifest, verdicts: Sequence[Verdict]) -> Iterator[str]:
    for verdict in verdicts:
        if verdict.status == "failed":
            yield f"the gate {verdict.gate}/{verdict.validator} fails: {_why(verdict)}"
    again = {(verdict.gate, verdict.validator) for verdict in verdicts if verdict.status != "not_run"}
    for line in manifest.gates:
        if line.status == "failed" and (line.gate, line.validator) not in again:
            why = "; ".join(line.why) or f"{line.failed} failed"
            yield f"the gate {line.gate}/{line.validator} failed when the suite was built: {why}"


def _why(verdict: Verdict) -> str:
    return verdict.why or (verdict.findings[0].message if verdict.findings else "no reason is given")


def _licenses(manifest: Manifest) -> Iterator[str]:
    if is_missing(manifest.license):
        yield "the suite has no licence: name one in its file"
        return
    own = manifest.license
    for line in manifest.licenses:
        for why in conflicts(line.license, own):
            yield f"{line.origin} ({line.license or 'no licence'}) may not go into a suite under {own}: {why}"


def _secrets(out: Path, files: Sequence[Outgoing]) -> Iterator[str]:
    """Where something stands that looks like a key; a text is named by its file and row."""
    for place, text in _texts(out, files):
        for what, pattern in _SECRETS.items():
            found = pattern.search(text)
            if found:
                yield f"{place} holds what looks like {what}: {found[0][:_SHOWN]}..."


def _texts(out: Path, files: Sequence[Outgoing]) -> Iterator[tuple[str, str]]:
    for file in files:
        if not file.name.endswith(".parquet"):
            content = file.content if isinstance(file.content, bytes) else file.content.read_bytes()
            yield file.name, _decoded(file.name, content)
    for config in CONFIGS:
        for number, row in enumerate(read_shards(out, config)):
            yield f"row {number} of {config}", json.dumps(row, ensure_ascii=False)


def _decoded(name: str, content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise SuiteError(f"{name} is not UTF-8 text", hint="build the suite again") from error
