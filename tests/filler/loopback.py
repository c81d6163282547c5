"""A hub of datasets on the loopback interface that can only be read, and one fetch against it.

``python loopback.py ROOT SOURCE...`` reads each source (JSON of a filler source) into the project ROOT and prints what
came of it, as one JSON list. It runs apart from the tests, since the libraries look for their hub when they are imported.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from tests.hub import Hub, serving

REVISION = "0123456789abcdef0123456789abcdef01234567"
Repos = Mapping[str, Mapping[str, bytes]]
"""Dataset to its files at the one revision."""


@contextmanager
def hub(repos: Repos) -> Iterator[tuple[str, list[str]]]:
    """The address of a hub with these datasets, and the requests that it was sent."""
    served = Hub()
    for name, files in repos.items():
        served.put(name, files, commit=REVISION)
    with serving(served):
        yield served.address, served.seen


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
