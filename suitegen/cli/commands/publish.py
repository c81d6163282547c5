"""``suitegen publish``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click

from suitegen.cli import params
from suitegen.cli.console import columns, emit, emit_json
from suitegen.cli.face import app
from suitegen.cli.project import ProjectCommand
from suitegen.cli.talk import line, say
from suitegen.cli.verdicts import counts, remarks
from suitegen.publish.hub import Publication
from suitegen.publish.target import MAIN, Gated, Target


@click.command("publish", cls=ProjectCommand)
@params.out
@click.argument("repo", metavar="ORG/NAME")
@click.option("--dry-run", is_flag=True, allow_from_autoenv=False, help="Check everything, change nothing.")
@click.option("--tag", metavar="VERSION", help="Fix these files as a version, such as v1.2.0; it is never moved.")
@click.option("--revision", metavar="BRANCH", default=MAIN, show_default=True, help="The branch to publish on.")
@click.option("--public", is_flag=True, allow_from_autoenv=False, help="For everybody; else private.")
@click.option("--gated", type=click.Choice(["auto", "manual"]), help="Readers ask for access, and how it is given.")
@click.option("--pr", is_flag=True, allow_from_autoenv=False, help="Propose the files as a pull request.")
@params.as_json
def command(
    out: Path,
    repo: str,
    dry_run: bool,
    tag: str | None,
    revision: str,
    public: bool,
    gated: Gated | None,
    pr: bool,
    as_json: bool,
) -> int:
    """Publish the suite in OUT as the dataset ORG/NAME of the Hugging Face Hub.

    First the checksums, the rights of the token, what the repository holds, all gates, the licences and the text
    are checked: a suite that fails is refused and nothing is sent. Then all files go in one commit, and the tag
    last. Nothing is sent where nothing changed. A new repository is private.

    The token stands in HF_TOKEN, in the environment or in .env, or is that of `hf auth login`.
    """
    target = Target(repo, revision, tag, public, gated, pr)
    done = app().publish(out, target, dry=dry_run, say=lambda text: say(line(text)))
    if as_json:
        emit_json({"publish": _data(done)})
    elif done.commit is None:
        emit("\n".join(_plan(done)))
        say("dry run: nothing was sent")
    else:
        emit("\n".join(_published(done)))
    return 0


def _data(done: Publication) -> dict[str, object]:
    return {
        "repo": done.target.repo,
        "revision": done.target.revision,
        "tag": done.target.tag,
        "user": done.user,
        "created": done.created,
        "private": done.private,
        "added": done.added,
        "changed": done.changed,
        "deleted": done.deleted,
        "bytes": done.size,
        "card": done.card,
        "gates": Counter(verdict.status for verdict in done.verdicts),
        "commit": done.commit,
        "url": done.url,
    }


def _plan(done: Publication) -> Iterator[str]:
    sizes = {file.name: file.size for file in done.files}
    marks = {**dict.fromkeys(done.added, "add"), **dict.fromkeys(done.changed, "change")}
    rows = [(marks.get(name, "same"), name, size) for name, size in sizes.items()]
    yield columns(("", "file", "bytes"), [*rows, *(("delete", name, 0) for name in done.deleted)])
    yield ""
    yield from (f"{name}: {line(text)}" for name, text in _facts(done))
    yield from remarks(done.verdicts)
    if done.card:
        yield ""
        yield from (line(text) for text in done.card)


def _facts(done: Publication) -> Iterator[tuple[str, str]]:
    target = done.target
    yield (
        "repository",
        f"{target.repo}, {'new' if done.created else 'there'}, {'private' if done.private else 'public'}",
    )
    yield "branch", f"{target.revision}{', as a pull request' if target.pr else ''}"
    yield "tag", target.tag or "none"
    yield "token of", f"{done.user}, who may write"
    yield "gates", counts(done.verdicts)
    yield "licences and text", "nothing that forbids passing them on, and nothing that looks like a key"
    yield "to send", "nothing: the files there are these" if done.same else f"{done.size:,} bytes"


def _published(done: Publication) -> Iterator[str]:
    target = done.target
    if done.same:
        say("nothing changed: the files there are these")
    yield line(done.url)
    if not target.pr:
        revision = target.tag or done.commit
        yield f'datasets.load_dataset("{target.repo}", "probes", split="test", revision="{revision}")'
