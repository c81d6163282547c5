"""A Hugging Face Hub for datasets on the loopback interface, for tests of what is read from it and published to it.

It speaks what the real client libraries ask: accounts and their tokens, repositories, commits with small and
large files (Git LFS, or Xet into a folder), branches, tags, pull requests, and reading by revision. A test
may have any request fail, before or after its work is done.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import struct
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

import yaml

Headers = Mapping[str, str]
Answer = tuple[int, object, Headers]
LARGE = 10_000_000
"""Bytes above which any file is a large one."""


@dataclass(frozen=True)
class Account:
    """Whose token it is, and what it may do."""

    name: str
    role: str = "write"
    orgs: tuple[str, ...] = ()

    @property
    def namespaces(self) -> set[str]:
        return {self.name, *self.orgs}


@dataclass(frozen=True)
class Stored:
    """A file in a commit; ``data`` is None of a large file whose bytes went to the Xet store."""

    data: bytes | None
    size: int
    large: bool = False
    sha256: str = ""

    @property
    def blob(self) -> str:
        data = self.data if not self.large else f"large {self.sha256} {self.size}".encode()
        assert data is not None
        return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()

    @property
    def etag(self) -> str:
        return self.sha256 if self.large else self.blob


@dataclass(frozen=True)
class Commit:
    id: str
    files: Mapping[str, Stored]
    title: str
    parent: str | None = None


@dataclass
class Repo:
    """A dataset: its commits, and the names that lead to them."""

    private: bool
    commits: dict[str, Commit] = field(default_factory=dict)
    branches: dict[str, str] = field(default_factory=dict)
    tags: dict[str, str] = field(default_factory=dict)
    proposals: dict[str, str] = field(default_factory=dict)
    gated: str | bool = False

    def add(self, files: Mapping[str, Stored], title: str, parent: str | None, commit: str | None = None) -> str:
        """A new commit; the names are left as they are."""
        told = json.dumps([len(self.commits), parent, title, {name: file.blob for name, file in files.items()}])
        made = commit or hashlib.sha1(told.encode()).hexdigest()
        self.commits[made] = Commit(made, dict(files), title, parent)
        return made

    def at(self, revision: str) -> Commit:
        for names in (self.branches, self.tags, self.proposals):
            if revision in names:
                return self.commits[names[revision]]
        if revision in self.commits:
            return self.commits[revision]
        raise Refusal(404, "no such revision", "RevisionNotFound")


class Refusal(Exception):
    """An answer that is an error; ``code`` is the Hub's word for it."""

    def __init__(self, status: int, message: str, code: str = "", headers: Headers | None = None) -> None:
        super().__init__(message)
        coded = {"X-Error-Code": code} if code else {}
        self.answer: Answer = (
            status,
            {"error": message},
            {**coded, "X-Error-Message": message, **(headers or {})},
        )


@dataclass
class Fault:
    """What happens to requests whose ``METHOD path`` the pattern finds."""

    pattern: str
    status: int
    times: int
    after: bool
    """Whether the work is done first, so that only the answer is lost."""
    headers: Headers


@dataclass
class Hub:
    """The state of a hub; a test reads and changes it while clients talk to its address."""

    tokens: dict[str, Account] = field(default_factory=dict)
    repos: dict[str, Repo] = field(default_factory=dict)
    objects: dict[str, bytes] = field(default_factory=dict)
    """Large files by SHA-256."""
    seen: list[str] = field(default_factory=list)
    """``METHOD path`` of every request."""
    faults: list[Fault] = field(default_factory=list)
    xet: Path | None = None
    """Where large files are stored by the Xet client; None for Git LFS."""
    address: str = ""
    tampered: Mapping[str, bytes] = field(default_factory=dict)
    """Files that arrive with other bytes than were sent."""

    meanwhile: dict[str, Callable[[], object]] = field(default_factory=dict)
    """What somebody else does just before the first request whose ``METHOD path`` the pattern finds."""

    def fail(
        self, pattern: str, status: int, *, times: int = 1, after: bool = False, headers: Headers | None = None
    ) -> None:
        self.faults.append(Fault(pattern, status, times, after, headers or {}))

    def put(self, name: str, files: Mapping[str, bytes], *, private: bool = False, commit: str | None = None) -> Repo:
        """A repository with these files in its one commit."""
        repo = self.repos[name] = Repo(private)
        stored = {path: _stored(path, data) for path, data in files.items()}
        self.objects |= {file.sha256: file.data for file in stored.values() if file.large and file.data is not None}
        repo.branches["main"] = repo.add(stored, "first", None, commit)
        return repo

    def asked(self, pattern: str) -> list[str]:
        """The requests that a pattern finds."""
        return [line for line in self.seen if re.search(pattern, line)]


@contextmanager
def serving(hub: Hub) -> Iterator[Hub]:
    """The hub at its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Door", (_Door,), {"hub": hub, "lock": threading.RLock()}))
    server.daemon_threads = True
    hub.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _stored(path: str, data: bytes) -> Stored:
    large = _is_large(path, len(data))
    return Stored(data, len(data), large, hashlib.sha256(data).hexdigest() if large else "")


def _is_large(path: str, size: int) -> bool:
    return path.endswith(".parquet") or size > LARGE


class _Door(BaseHTTPRequestHandler):
    """Takes requests, and gives the answers of the hub."""

    protocol_version = "HTTP/1.1"
    hub: Hub
    lock: threading.RLock

    def log_message(self, *args: object) -> None:
        pass

    def do_GET(self) -> None:
        self.body = self._read()
        url = urlsplit(self.path)
        self.query = {key: values[0] for key, values in parse_qs(url.query).items()}
        with self.lock:
            self.hub.seen.append(f"{self.command} {self.path}")
            status, body, headers = self._answered(url.path)
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        kind = "application/octet-stream" if isinstance(body, bytes) else "application/json"
        self.send_response(status)
        for key, value in {"Content-Type": kind, "Content-Length": str(len(data)), **headers}.items():
            self.send_header(key, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)

    do_HEAD = do_POST = do_PUT = do_DELETE = do_GET

    def _read(self) -> bytes:
        if "chunked" not in self.headers.get("Transfer-Encoding", ""):
            return self.rfile.read(int(self.headers.get("Content-Length") or 0))
        read = b""
        while size := int(self.rfile.readline().split(b";")[0], 16):
            read += self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()
        return read

    def _answered(self, path: str) -> Answer:
        line = f"{self.command} {self.path}"
        for pattern in [pattern for pattern in self.hub.meanwhile if re.search(pattern, line)]:
            self.hub.meanwhile.pop(pattern)()
        fault = next((each for each in self.hub.faults if each.times and re.search(each.pattern, line)), None)
        failed = Refusal(fault.status, "made to fail", headers=fault.headers).answer if fault else None
        if fault:
            fault.times -= 1
        if failed and fault and not fault.after:
            return failed
        try:
            answer = self._route(path)
        except Refusal as refusal:
            answer = refusal.answer
        return failed or answer

    def _route(self, path: str) -> Answer:
        token = (self.headers.get("Authorization") or "").removeprefix("Bearer ").strip()
        self.account = self.hub.tokens.get(token)
        if token and self.account is None:
            raise Refusal(401, "Invalid credentials in Authorization header")
        for pattern, handle in _ROUTES:
            match = re.fullmatch(pattern, path)
            if match:
                return handle(self, *(unquote(part) if part else "" for part in match.groups()))
        raise Refusal(404, f"no route for {self.command} {path}")

    # -- what requests are about

    @property
    def data(self) -> Any:
        return json.loads(self.body or b"{}")

    def repo(self, name: str, *, write: bool = False) -> Repo:
        namespace = name.partition("/")[0]
        own = self.account is not None and namespace in self.account.namespaces
        repo = self.hub.repos.get(name)
        if repo is None or (repo.private and not own):
            raise Refusal(404 if self.account else 401, "Repository not found", "RepoNotFound")
        if write:
            self.writer(namespace)
        return repo

    def writer(self, namespace: str) -> None:
        if self.account is None:
            raise Refusal(401, "Invalid username or password.")
        if namespace not in self.account.namespaces or self.account.role == "read":
            raise Refusal(403, f"{self.account.name} has no right to write to {namespace}")

    # -- accounts and repositories

    def whoami(self) -> Answer:
        if self.account is None:
            raise Refusal(401, "Invalid username or password.")
        orgs = [{"name": name} for name in self.account.orgs]
        auth = {"accessToken": {"displayName": "a token", "role": self.account.role}}
        return 200, {"type": "user", "name": self.account.name, "orgs": orgs, "auth": auth}, {}

    def validate_yaml(self) -> Answer:
        head = re.match(r"---\n(.*?)\n---\n", self.data["content"], re.DOTALL)
        try:
            yaml.safe_load(head[1] if head else "")
        except yaml.YAMLError as error:
            return 400, {"errors": [{"message": str(error)}], "warnings": []}, {}
        return 200, {"errors": [], "warnings": []}, {}

    def create(self) -> Answer:
        asked = self.data
        assert asked["type"] == "dataset"
        namespace = asked.get("organization") or (self.account.name if self.account else "")
        self.writer(namespace)
        name = f"{namespace}/{asked['name']}"
        url = {"url": f"{self.hub.address}/datasets/{name}"}
        if name in self.hub.repos:
            return 409, {"error": "it is there already", **url}, {}
        private = asked.get("visibility") == "private" or bool(asked.get("private"))
        self.hub.put(name, {".gitattributes": b"*.parquet filter=lfs diff=lfs merge=lfs -text\n"}, private=private)
        return 200, url, {}

    def settings(self, name: str) -> Answer:
        repo, asked = self.repo(name, write=True), self.data
        if "visibility" in asked or "private" in asked:
            repo.private = asked.get("visibility") == "private" or bool(asked.get("private"))
        repo.gated = asked.get("gated", repo.gated)
        return 200, {}, {}

    def info(self, name: str, revision: str = "main") -> Answer:
        repo = self.repo(name)
        commit = repo.at(revision)
        siblings = [{"rfilename": path} for path in sorted(commit.files)]
        about = {"id": name, "sha": commit.id, "private": repo.private, "gated": repo.gated, "tags": [], "downloads": 0}
        return 200, {**about, "siblings": siblings, "likes": 0, "disabled": False}, {}

    # -- names of commits

    def refs(self, name: str) -> Answer:
        repo = self.repo(name)

        def listed(names: Mapping[str, str], kind: str) -> list[dict[str, str]]:
            return [{"name": n, "ref": f"refs/{kind}/{n}", "targetCommit": commit} for n, commit in names.items()]

        return 200, {"branches": listed(repo.branches, "heads"), "tags": listed(repo.tags, "tags"), "converts": []}, {}

    def branch(self, name: str, branch: str) -> Answer:
        repo = self.repo(name, write=True)
        return self._name(repo.branches, branch, repo.at(self.data.get("startingPoint") or "main"))

    def tag(self, name: str, revision: str) -> Answer:
        repo = self.repo(name, write=True)
        return self._name(repo.tags, self.data["tag"], repo.at(revision))

    def _name(self, names: dict[str, str], name: str, commit: Commit) -> Answer:
        if name in names:
            raise Refusal(409, f"Reference already exists: {name}")
        names[name] = commit.id
        return 201, {}, {}

    # -- reading

    def tree(self, name: str, revision: str, below: str = "") -> Answer:
        files, start = self.repo(name).at(revision).files, f"{below}/" if below else ""
        inside = {path: file for path, file in files.items() if path.startswith(start)}
        if not inside:
            raise Refusal(404, "no such entry", "EntryNotFound")
        deep = self.query.get("recursive", "").lower() == "true"
        found: dict[str, object] = {}
        for path, file in sorted(inside.items()):
            steps = path[len(start) :].split("/")
            for step in range(1, len(steps)):
                folder = start + "/".join(steps[:step])
                found[folder] = {"type": "directory", "path": folder, "oid": "0" * 40, "size": 0}
                if not deep:
                    break
            if deep or len(steps) == 1:
                found[path] = self._entry(path, file)
        return 200, list(found.values()), {}

    def paths_info(self, name: str, revision: str) -> Answer:
        text = self.body.decode()
        asked = json.loads(text)["paths"] if text.startswith("{") else parse_qs(text).get("paths", [])
        files = self.repo(name).at(revision).files
        return 200, [self._entry(path, files[path]) for path in asked if path in files], {}

    def _entry(self, path: str, file: Stored) -> dict[str, object]:
        about: dict[str, object] = {"type": "file", "path": path, "size": file.size, "oid": file.blob}
        if file.large:
            about["lfs"] = {"oid": file.sha256, "size": file.size, "pointerSize": 130}
        return about

    def resolve(self, name: str, revision: str, path: str) -> Answer:
        commit = self.repo(name).at(revision)
        if path not in commit.files:
            raise Refusal(404, "no such entry", "EntryNotFound")
        file = commit.files[path]
        headers = {"ETag": f'"{file.etag}"', "X-Repo-Commit": commit.id, "Accept-Ranges": "bytes"}
        if file.large:
            headers |= {"X-Linked-Size": str(file.size), "X-Linked-Etag": f'"{file.sha256}"'}
        if file.data is None:
            where = f"<{self.hub.address}/api/datasets/{name}/xet-read-token/{commit.id}>"
            stored = xet_hashes(self.hub.xet)[file.sha256]
            return (
                200,
                b"",
                {**headers, "X-Xet-Hash": stored, "Link": f'{where}; rel="xet-auth"', "Content-Length": str(file.size)},
            )
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range") or "")
        if not asked:
            return 200, file.data, headers
        first, last = int(asked[1]), min(int(asked[2] or file.size - 1), file.size - 1)
        return 206, file.data[first : last + 1], {**headers, "Content-Range": f"bytes {first}-{last}/{file.size}"}

    # -- writing

    def preupload(self, name: str, revision: str) -> Answer:
        files = self.repo(name, write="create_pr" not in self.query).at(revision).files
        modes = []
        for each in self.data["files"]:
            path = each["path"]
            mode = {
                "path": path,
                "uploadMode": "lfs" if _is_large(path, each["size"]) else "regular",
                "shouldIgnore": False,
            }
            modes.append({**mode, "oid": files[path].etag} if path in files else mode)
        return 200, {"files": modes}, {}

    def batch(self, name: str) -> Answer:
        self.repo(name)
        objects = []
        for each in self.data["objects"]:
            put, verify = (f"{self.hub.address}/{verb}/{each['oid']}" for verb in ("put", "verify"))
            actions = {"actions": {"upload": {"href": put}, "verify": {"href": verify}}}
            objects.append({**each, **({} if each["oid"] in self.hub.objects else actions)})
        return 200, {"transfer": "basic", "objects": objects}, {"Content-Type": "application/vnd.git-lfs+json"}

    def upload(self, oid: str) -> Answer:
        if hashlib.sha256(self.body).hexdigest() != oid:
            raise Refusal(400, "the bytes are not those of the id")
        self.hub.objects[oid] = self.body
        return 200, {}, {"ETag": f'"{oid}"'}

    def verify(self, oid: str) -> Answer:
        if len(self.hub.objects.get(oid, b"")) != self.data["size"]:
            raise Refusal(404, "no such object")
        return 200, {}, {}

    def xet_token(self, name: str, way: str, _revision: str) -> Answer:
        self.repo(name, write=way == "write" and "create_pr" not in self.query)
        if self.hub.xet is None:
            raise Refusal(404, "no Xet here")
        address, until = f"local://{self.hub.xet}", "4102444800"
        headers = {"X-Xet-Cas-Url": address, "X-Xet-Access-Token": "none", "X-Xet-Token-Expiration": until}
        return 200, {"accessToken": "none", "exp": int(until), "casUrl": address}, headers

    def commit(self, name: str, branch: str) -> Answer:
        propose = "create_pr" in self.query
        repo = self.repo(name, write=not propose)
        if self.account is None or self.account.role == "read":
            raise Refusal(403, "the token may not write")
        head, *lines = [json.loads(line) for line in self.body.splitlines() if line.strip()]
        if branch not in repo.branches:
            raise Refusal(404, "no such revision", "RevisionNotFound")
        parent = repo.branches[branch]
        if head["value"].get("parentCommit", parent) != parent:
            raise Refusal(412, "A commit has happened since. Please refresh and try again.")
        files = dict(repo.commits[parent].files)
        for line in lines:
            self._apply(files, line["key"], line["value"])
        made = repo.add(files, head["value"]["summary"], parent)
        url = f"{self.hub.address}/datasets/{name}"
        done = {"success": True, "commitOid": made, "commitUrl": f"{url}/commit/{made}", "hookOutput": ""}
        if not propose:
            repo.branches[branch] = made
            return 200, done, {}
        number = len(repo.proposals) + 1
        repo.proposals[f"refs/pr/{number}"] = made
        return 200, {**done, "pullRequestUrl": f"{url}/discussions/{number}"}, {}

    def _apply(self, files: dict[str, Stored], key: str, value: Mapping[str, Any]) -> None:
        path = value["path"]
        if key == "deletedFile":
            if path not in files:
                raise Refusal(404, f"A file with this name doesn't exist: {path}", "EntryNotFound")
            del files[path]
        elif key == "file":
            files[path] = _stored(path, self.hub.tampered.get(path, base64.b64decode(value["content"])))
        elif value["oid"] in self.hub.objects:
            files[path] = _stored(path, self.hub.tampered.get(path, self.hub.objects[value["oid"]]))
        elif value["oid"] in xet_hashes(self.hub.xet):
            files[path] = Stored(None, value["size"], True, value["oid"])
        else:
            raise Refusal(400, f"no object {value['oid']} for {path}")


_NAME = r"([^/]+/[^/]+)"
_ROUTES: tuple[tuple[str, Any], ...] = (
    (r"/api/whoami-v2", _Door.whoami),
    (r"/api/validate-yaml", _Door.validate_yaml),
    (r"/api/repos/create", _Door.create),
    (rf"/api/datasets/{_NAME}", _Door.info),
    (rf"/api/datasets/{_NAME}/revision/(.+)", _Door.info),
    (rf"/api/datasets/{_NAME}/settings", _Door.settings),
    (rf"/api/datasets/{_NAME}/refs", _Door.refs),
    (rf"/api/datasets/{_NAME}/branch/([^/]+)", _Door.branch),
    (rf"/api/datasets/{_NAME}/tag/([^/]+)", _Door.tag),
    (rf"/api/datasets/{_NAME}/tree/([^/]+)(?:/(.*))?", _Door.tree),
    (rf"/api/datasets/{_NAME}/paths-info/([^/]+)", _Door.paths_info),
    (rf"/api/datasets/{_NAME}/preupload/([^/]+)", _Door.preupload),
    (rf"/api/datasets/{_NAME}/commit/([^/]+)", _Door.commit),
    (rf"/api/datasets/{_NAME}/xet-(read|write)-token/(.+)", _Door.xet_token),
    (rf"/datasets/{_NAME}\.git/info/lfs/objects/batch", _Door.batch),
    (rf"/datasets/{_NAME}/resolve/([^/]+)/(.+)", _Door.resolve),
    (r"/put/([0-9a-f]{64})", _Door.upload),
    (r"/verify/([0-9a-f]{64})", _Door.verify),
)


def xet_hashes(store: Path | None) -> dict[str, str]:
    """SHA-256 to Xet's own hash of every file in a store, by the shards in which its client describes them.

    A shard has a header of 48 bytes, then files: 48 bytes that begin with the hash and tell how many records
    of 48 bytes follow, which come twice if they can be verified; one more may begin with the SHA-256.
    """
    found: dict[str, str] = {}
    for shard in sorted(store.rglob("*.mdb")) if store else ():
        data, at = shard.read_bytes(), 48
        while len(data) >= at + 48 and data[at : at + 32] != b"\xff" * 32:
            own, (flags, records) = data[at : at + 32], struct.unpack_from("<II", data, at + 32)
            at += 48 + 48 * records * (2 if flags & 1 << 31 else 1)
            if flags & 1 << 30:
                found[_words(data[at : at + 32])] = _words(own)
                at += 48
    return found


def _words(hash: bytes) -> str:
    """A hash as Xet writes it: its four words, each as one number."""
    return "".join(f"{word:016x}" for word in struct.unpack("<4Q", hash))
