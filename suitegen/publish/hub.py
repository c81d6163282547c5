"""A suite on the Hugging Face Hub: one commit with all its files, and the tag last.

Everything that can be refused is refused before anything is sent. A new repository is private until its files
are there, and a commit is made on top of the one that was looked at or not at all; so whoever reads it
finds the old files or the new ones, and after a failure the same call again comes to the same end.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from difflib import unified_diff
from pathlib import Path

from suitegen.errors import PublishError, SuitegenError
from suitegen.model.finding import Verdict
from suitegen.publish.hub_faults import AGAIN, LOGIN, Patience, asking
from suitegen.publish.manifest import Manifest
from suitegen.publish.outgoing import CARD, Outgoing
from suitegen.publish.package import CHECKSUMS
from suitegen.publish.tables import CONFIGS, FLAT
from suitegen.publish.target import MAIN, Target
from suitegen.publish.versions import COMPARED, last_before

_TYPE = "dataset"
_LOADED = frozenset((*CONFIGS, *FLAT))
_GITS_OWN = frozenset({".gitattributes"})
"""What a repository holds before anybody has put something into it."""
_UNTOUCHED = "nothing was changed on the Hub"


@dataclass(frozen=True, slots=True)
class Seen:
    """A repository as it stands, at the branch that is published on."""

    exists: bool = False
    private: bool = True
    gated: str | bool = False
    branch: bool = False
    head: str = ""
    ids: Mapping[str, str] = field(default_factory=dict)
    """Path to the id of the content."""
    ours: frozenset[str] = frozenset()
    """Files there that an earlier publication brought."""
    tags: Mapping[str, str] = field(default_factory=dict)
    card: str = ""


@dataclass(frozen=True, slots=True)
class Publication:
    """What publishing changes, or has changed."""

    target: Target
    user: str
    created: bool
    """Whether the repository is new."""
    private: bool
    """Whether it is, in the end."""
    added: tuple[str, ...]
    changed: tuple[str, ...]
    deleted: tuple[str, ...]
    size: int
    """Bytes of the files that are added or changed."""
    card: tuple[str, ...] = ()
    """The lines of the difference to the card that stands there."""
    commit: str | None = None
    """None until it is published."""
    url: str = ""
    """Where to look at it: its revision, or the pull request."""
    verdicts: tuple[Verdict, ...] = ()
    """Of all gates on the files as they are."""
    files: tuple[Outgoing, ...] = field(default=(), repr=False)
    before: Seen = field(default=Seen(), repr=False)

    @property
    def same(self) -> bool:
        """Whether the files on the Hub are these already."""
        return not (self.added or self.changed or self.deleted)


class Hub:
    """The Hub, as the token of the environment may see and change it.

    Args:
        target: what is published to.
        say: told what is going on.
        sleep: waits for so many seconds.

    Raises:
        PublishError: there is no token, or the network is switched off.
    """

    def __init__(self, target: Target, say: Callable[[str], None], sleep: Callable[[float], None] = time.sleep) -> None:
        from huggingface_hub import HfApi, constants, get_token
        from huggingface_hub.utils import disable_progress_bars  # type: ignore[attr-defined]

        if constants.HF_HUB_OFFLINE:
            raise PublishError("the Hub is switched off by HF_HUB_OFFLINE", hint="set HF_HUB_OFFLINE=0 to publish")
        token = get_token()
        if not token:
            raise PublishError("there is no token for the Hub", where=target.repo, hint=LOGIN)
        disable_progress_bars()
        self._token = token
        self._api = HfApi(token=token, library_name="suitegen")
        self._target = target
        self._say = say
        self._patiently = Patience(say, sleep, once=target.pr)

    def _asking(self, state: str) -> AbstractContextManager[None]:
        return asking(self._target.repo, self._token, state)

    # -- looking --------------------------------------------------------------------------------------------------

    def look(self, manifest: Manifest, files: Sequence[Outgoing]) -> Publication:
        """What publishing these files would change; nothing is changed.

        Raises:
            PublishError: the token may not do it, or the Hub is out of reach.
            SuitegenError: the repository holds something else, is public, or has the tag already.
        """
        user = self._user()
        seen = self._seen()
        self._check_owner(manifest, seen)
        wanted = {file.name: file for file in files}
        added = tuple(name for name in wanted if name not in seen.ids)
        changed = tuple(name for name in wanted if name in seen.ids and not wanted[name].is_at(seen.ids))
        deleted = tuple(sorted(name for name in seen.ours if name in seen.ids and name not in wanted))
        plan = Publication(
            self._target, user, not seen.exists, self._private(seen), added, changed, deleted,
            sum(wanted[name].size for name in (*added, *changed)),
            tuple(_difference(seen.card, wanted[CARD])) if CARD in changed else (),
            files=tuple(files), before=seen,
        )  # fmt: skip
        self._check_tag(plan)
        return plan

    def earlier(self, plan: Publication) -> tuple[str, Path] | None:
        """The version before the one that is to be tagged, and a folder with its tables; None where there is none.

        Raises:
            PublishError: it cannot be fetched.
        """
        tags = plan.before.tags
        last = last_before(self._target.tag, tags) if self._target.tag else None
        if last is None or self._target.tag in tags:
            return None
        wanted = [f"{config}/test-*.parquet" for config in COMPARED]
        with self._asking(_UNTOUCHED):
            folder = self._api.snapshot_download(
                self._target.repo, repo_type=_TYPE, revision=tags[last], allow_patterns=wanted
            )
        return last, Path(folder)

    def _private(self, seen: Seen) -> bool:
        return seen.private and not self._target.public

    def _user(self) -> str:
        """The user's name, if the token may write to the namespace."""
        with self._asking(_UNTOUCHED):
            about = self._api.whoami()
        role = ((about.get("auth") or {}).get("accessToken") or {}).get("role")
        if role == "read":
            raise PublishError("the token may only read", where=self._target.repo, hint=LOGIN)
        names = {str(about["name"]), *(str(org.get("name")) for org in about.get("orgs") or ())}
        # A fine-grained token names only some of the organisations; a proposal needs no rights of its own.
        if role != "fineGrained" and not self._target.pr and self._target.namespace not in names:
            owner = self._target.namespace
            hint = f"publish under {' or '.join(sorted(names))}, use a token of {owner}, or propose with --pr"
            raise PublishError(
                f"{about['name']} may not write to {self._target.namespace}", where=self._target.repo, hint=hint
            )
        return str(about["name"])

    def _seen(self, state: str = _UNTOUCHED) -> Seen:
        from huggingface_hub.errors import RepositoryNotFoundError

        repo = self._target.repo
        with self._asking(state):
            try:
                about = self._api.repo_info(repo, repo_type=_TYPE)
            except RepositoryNotFoundError:
                return Seen()
            refs = self._api.list_repo_refs(repo, repo_type=_TYPE)
            branches = {ref.name: ref.target_commit for ref in refs.branches}
            head = branches.get(self._target.revision, branches.get(MAIN, about.sha or ""))
            ids = self._ids(head)
            return Seen(
                True, bool(about.private), about.gated or False, self._target.revision in branches, head, ids,
                self._ours(head, ids), {ref.name: ref.target_commit for ref in refs.tags},
                self._text(head, CARD) if CARD in ids else "",
            )  # fmt: skip

    def _ids(self, revision: str) -> dict[str, str]:
        """Path and content id of every file at a revision."""
        from huggingface_hub.hf_api import RepoFile

        entries = self._api.list_repo_tree(self._target.repo, recursive=True, revision=revision, repo_type=_TYPE)
        files = [entry for entry in entries if isinstance(entry, RepoFile)]
        return {file.path: file.lfs.sha256 if file.lfs else file.blob_id for file in files}

    def _ours(self, head: str, ids: Mapping[str, str]) -> frozenset[str]:
        """Files of an earlier publication, and shards that would be loaded as if they were of this one."""
        shards = {name for name in ids if name.endswith(".parquet") and name.partition("/")[0] in _LOADED}
        lines = self._text(head, CHECKSUMS).splitlines() if CHECKSUMS in ids else []
        return frozenset({CHECKSUMS, *(line.partition("  ")[2] for line in lines), *shards}) - _GITS_OWN

    def _text(self, revision: str, name: str) -> str:
        path = self._api.hf_hub_download(self._target.repo, name, repo_type=_TYPE, revision=revision)
        return Path(path).read_text("utf-8", errors="replace")

    def _check_owner(self, manifest: Manifest, seen: Seen) -> None:
        """The repository is empty, or holds this suite; and it is seen by no more people than is said."""
        target = self._target
        if target.pr and not seen.branch:
            raise SuitegenError("there is nothing to propose to", where=target.repo, hint="publish without --pr first")
        if not target.pr and seen.exists and not seen.private and not target.public:
            hint = "publish with --public, or make the repository private in its settings"
            raise SuitegenError("the repository is public", where=target.repo, hint=hint)
        if not set(seen.ids) - _GITS_OWN:
            return
        held = self._held(seen)
        if held != manifest.suite:
            what = f"the suite {held!r}" if held else "files that are no suite's"
            hint = "publish under another name, or take them away there: files of others are never overwritten"
            raise SuitegenError(f"the repository holds {what}", where=target.repo, hint=hint)

    def _held(self, seen: Seen) -> str:
        """The id of the suite that the repository holds; empty if it holds none."""
        if not {"manifest.json", CHECKSUMS} <= set(seen.ids):
            return ""
        with self._asking(_UNTOUCHED):
            text = self._text(seen.head, "manifest.json")
        try:
            found = json.loads(text)
        except ValueError:
            return ""
        made = isinstance(found, dict) and "canary" in found and "suitegen" in (found.get("versions") or {})
        return str(found.get("suite")) if made else ""

    def _check_tag(self, plan: Publication) -> None:
        tag, seen = self._target.tag, plan.before
        if tag and tag in seen.tags and not self._is_tagged(plan, seen.tags[tag]):
            hint = "versions are never moved: raise version: in the suite's file, build, and publish with the new tag"
            raise SuitegenError(
                f"the tag {tag} is there already, for other files (commit {seen.tags[tag][:12]})",
                where=self._target.repo, hint=hint,
            )  # fmt: skip
        if self._target.revision in seen.tags:
            hint = "name a branch, or leave --revision out"
            raise SuitegenError(f"{self._target.revision} is a tag, which never moves", hint=hint)

    def _is_tagged(self, plan: Publication, commit: str) -> bool:
        """Whether these files stand at the tag and at the branch; others may stand beside them at either."""
        if not plan.same or commit == plan.before.head:
            return plan.same
        with self._asking(_UNTOUCHED):
            ids = self._ids(commit)
        return all(file.is_at(ids) for file in plan.files)

    # -- changing -------------------------------------------------------------------------------------------------

    def send(self, plan: Publication, message: str) -> Publication:
        """Publish what was looked at.

        Raises:
            PublishError: the Hub refused or failed; says what stands there now.
        """
        seen = self._prepare(plan.before)
        commit, url = (seen.head, "") if plan.same else self._commit(plan, seen, message)
        state = f"the files stand whole at commit {commit[:12]}; what came after them is not finished"
        if not self._target.pr:
            self._settle(seen, commit, state)
        return replace(plan, commit=commit, url=url or self._address(commit))

    def _prepare(self, seen: Seen) -> Seen:
        """The repository and its branch, made where they are missing; a new one is private."""
        target = self._target
        state = "the repository may have been made, and is private; no file was published"
        if not seen.exists:
            self._say(f"making the private dataset {target.repo}")
            with self._asking(state):
                self._patiently(
                    lambda: self._api.create_repo(target.repo, repo_type=_TYPE, private=True, exist_ok=True)
                )
            seen = self._seen(state)
            if not seen.exists or not seen.private or set(seen.ids) - _GITS_OWN:
                raise PublishError("somebody else made the repository just now", where=target.repo, hint=_UNTOUCHED)
        if not seen.branch:
            with self._asking(state):
                self._patiently(
                    lambda: self._api.create_branch(
                        target.repo, branch=target.revision, revision=seen.head, repo_type=_TYPE, exist_ok=True
                    )
                )
        return seen

    def _commit(self, plan: Publication, seen: Seen, message: str) -> tuple[str, str]:
        """The id of the one commit, and the address of its pull request if it is one."""
        self._say(f"sending {len(plan.added) + len(plan.changed)} files, {plan.size:,} bytes")
        old = "the files on the Hub are those of before: none of this version is published"
        try:
            with self._asking(old):
                made = self._patiently(lambda: self._commit_once(plan, seen, message))
        except PublishError as error:
            made = self._arrived(plan, seen, error)
        self._verify(plan, made[0])
        return made

    def _commit_once(self, plan: Publication, seen: Seen, message: str) -> tuple[str, str]:
        from huggingface_hub import CommitOperationAdd, CommitOperationDelete

        wanted = {file.name: file for file in plan.files}
        # An operation cannot be sent twice, so each try has its own.
        added = [CommitOperationAdd(n, _given(wanted[n].content)) for n in (*plan.added, *plan.changed)]
        deleted = [CommitOperationDelete(name) for name in plan.deleted]
        made = self._api.create_commit(
            self._target.repo,
            [*added, *deleted],
            commit_message=message,
            repo_type=_TYPE,
            revision=self._target.revision,
            create_pr=self._target.pr,
            parent_commit=seen.head,
        )
        return str(made.oid), str(made.pr_url or "")

    def _arrived(self, plan: Publication, seen: Seen, error: PublishError) -> tuple[str, str]:
        """The commit after all, where the Hub made it and only its answer was lost.

        Raises:
            PublishError: it is not there; says what is.
        """
        try:
            now = self._seen()
        except PublishError:
            hint = f"the Hub has the old files or the new ones, whole; {AGAIN}"
            raise PublishError(error.message, where=error.where, hint=hint) from error
        if self._target.pr or now.head == seen.head:
            raise error
        if all(file.is_at(now.ids) for file in plan.files) and not set(plan.deleted) & set(now.ids):
            return now.head, ""
        hint = f"nothing of it was overwritten; {AGAIN}"
        raise PublishError("somebody else changed the repository meanwhile", where=error.where, hint=hint) from error

    def _verify(self, plan: Publication, commit: str) -> None:
        """The commit holds every file as it is here.

        Raises:
            PublishError: it does not.
        """
        with self._asking(f"the files stand at commit {commit[:12]}, and are not compared yet"):
            ids = self._patiently(lambda: self._ids(commit))
        wrong = [file.name for file in plan.files if not file.is_at(ids)]
        if wrong:
            hint = f"nothing was tagged; {AGAIN}"
            raise PublishError(f"arrived other than they were sent: {', '.join(wrong)}", where=commit[:12], hint=hint)

    def _settle(self, seen: Seen, commit: str, state: str) -> None:
        """Who may see it, then the tag."""
        target = self._target
        with self._asking(state):
            if target.gated and seen.gated != target.gated:
                self._patiently(
                    lambda: self._api.update_repo_settings(target.repo, gated=target.gated, repo_type=_TYPE)
                )
            if target.public and seen.private:
                self._say(f"making {target.repo} public")
                self._patiently(lambda: self._api.update_repo_settings(target.repo, private=False, repo_type=_TYPE))
            if target.tag and target.tag not in seen.tags:
                tag = target.tag
                self._patiently(
                    lambda: self._api.create_tag(target.repo, tag=tag, revision=commit, repo_type=_TYPE, exist_ok=True)
                )
        if target.tag:
            self._check_tagged(target.tag, seen.tags.get(target.tag, commit), state)

    def _check_tagged(self, tag: str, commit: str, state: str) -> None:
        with self._asking(state):
            refs = self._api.list_repo_refs(self._target.repo, repo_type=_TYPE)
        if {ref.name: ref.target_commit for ref in refs.tags}.get(tag) != commit:
            hint = "versions are never moved: raise version: in the suite's file, build, and publish with the new tag"
            raise PublishError(
                f"somebody else set the tag {tag} meanwhile; {state}", where=self._target.repo, hint=hint
            )

    def _address(self, commit: str) -> str:
        target = self._target
        return f"{self._api.endpoint}/datasets/{target.repo}/tree/{target.tag or commit}"


def _given(content: Path | bytes) -> str | bytes:
    return content if isinstance(content, bytes) else str(content)


def _difference(before: str, card: Outgoing) -> Iterator[str]:
    after = card.content.decode() if isinstance(card.content, bytes) else card.content.read_text("utf-8")
    return unified_diff(before.splitlines(), after.splitlines(), f"{CARD} there", f"{CARD} here", lineterm="", n=1)
