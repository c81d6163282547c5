"""A hub of datasets on the loopback interface that can only be read, and one fetch against it.

``python loopback.py ROOT SOURCE...`` reads each source (JSON of a filler source) into the project ROOT and prints what
came of it, as one JSON list. It runs apart from the tests, since the libraries look for their hub when they are imported.
"""

from __future__ import annotations

import hashlib
import json
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

REVISION = "0123456789abcdef0123456789abcdef01234567"
Repos = Mapping[str, Mapping[str, bytes]]
"""Dataset to its files at the one revision."""


class _Hub(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    repos: Repos = {}
    seen: list[str] = []

    def log_message(self, *args: object) -> None:
        pass

    def do_HEAD(self) -> None:
        self._answer()

    do_GET = do_HEAD

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        asked = json.loads(body)["paths"] if body.startswith("{") else parse_qs(body)["paths"]
        _, files, _rest = self._repo()
        self._send(200, [self._entry(path, files[path]) for path in asked if path in files])

    def _repo(self) -> tuple[str, Mapping[str, bytes], list[str]]:
        parts = [unquote(part) for part in urlsplit(self.path).path.strip("/").split("/")]
        parts = parts[2:] if parts[:2] == ["api", "datasets"] else parts[1:]
        name = "/".join(parts[:2])
        return name, self.repos.get(name, {}), parts[2:]

    def _answer(self) -> None:
        type(self).seen.append(self.path)
        name, files, rest = self._repo()
        if not files:
            return self._fail("RepoNotFound")
        if rest[1:] and rest[1] not in (REVISION, "main"):
            return self._fail("RevisionNotFound")
        if rest[:1] == ["resolve"]:
            return self._file(files, "/".join(rest[2:]))
        if rest[:1] == ["tree"]:
            return self._tree(files, "/".join(rest[2:]))
        siblings = [{"rfilename": path} for path in files]
        about = {"id": name, "sha": REVISION, "private": False, "gated": False, "tags": [], "siblings": siblings}
        return self._send(200, about)

    def _tree(self, files: Mapping[str, bytes], below: str) -> None:
        start = f"{below}/" if below else ""
        found = [self._entry(path, data) for path, data in files.items() if path.startswith(start)]
        return self._send(200, found) if found else self._fail("EntryNotFound")

    def _entry(self, path: str, data: bytes) -> dict[str, object]:
        return {"type": "file", "path": path, "size": len(data), "oid": hashlib.sha1(data).hexdigest()}

    def _file(self, files: Mapping[str, bytes], path: str) -> None:
        if path not in files:
            return self._fail("EntryNotFound")
        data, size = files[path], len(files[path])
        more = {"ETag": f'"{hashlib.sha1(data).hexdigest()}"', "X-Repo-Commit": REVISION, "Accept-Ranges": "bytes"}
        asked = self.headers.get("Range")
        if asked is None:
            return self._send(200, data, more)
        first, _, last = asked.removeprefix("bytes=").partition("-")
        end = min(int(last) if last else size - 1, size - 1)
        return self._send(206, data[int(first) : end + 1], {**more, "Content-Range": f"bytes {first}-{end}/{size}"})

    def _fail(self, code: str) -> None:
        self._send(404, {"error": code}, {"X-Error-Code": code, "X-Error-Message": code})

    def _send(self, status: int, body: object, more: Mapping[str, str] = {}) -> None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        kind = "application/octet-stream" if isinstance(body, bytes) else "application/json"
        self.send_response(status)
        for key, value in {"Content-Type": kind, "Content-Length": str(len(data)), **more}.items():
            self.send_header(key, value)
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(data)


@contextmanager
def hub(repos: Repos) -> Iterator[tuple[str, list[str]]]:
    """The address of a hub with these datasets, and the paths that were asked of it."""
    seen: list[str] = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Hub", (_Hub,), {"repos": repos, "seen": seen}))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", seen
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _came_of(source: str, root: Path) -> dict[str, object]:
    from suitegen.errors import SuitegenError
    from suitegen.filler.hub import read_hub
    from suitegen.model.suite import FillerSource

    try:
        files = read_hub(FillerSource.model_validate_json(source), root)
    except SuitegenError as error:
        problems = [str(problem) for problem in getattr(error, "problems", ())]
        return {"error": type(error).__name__, "text": f"{error} {problems} {error.hint}", "exit": error.exit_code}
    return {
        "dialogues": [written.model_dump(mode="json") for written in files.dialogues],
        "skipped": [[skip.where, skip.reason] for skip in files.skipped],
        "fingerprint": files.fingerprint,
        "datasets": "datasets" in sys.modules,
    }


if __name__ == "__main__":
    print(json.dumps([_came_of(source, Path(sys.argv[1])) for source in sys.argv[2:]]))
