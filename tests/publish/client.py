"""What a process of its own does with a hub: the client libraries look for theirs when they are imported.

``python client.py publish ARGUMENT...`` is the command line; ``python client.py load ORG/NAME REVISION CONFIG...``
prints the rows that the datasets library reads, as JSON; ``python client.py inspect ORG/NAME REVISION right``
what a made-up model reaches by Inspect.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
TOKEN = "hf_" + "w" * 34
READ_ONLY = "hf_" + "r" * 34
STRANGER = "hf_" + "s" * 34


@dataclass
class Client:
    """A user with a token, on a machine that knows nothing of the hub yet."""

    address: str
    home: Path
    token: str = TOKEN
    more: Mapping[str, str] = field(default_factory=dict)

    def run(self, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
        fresh = tempfile.mkdtemp(dir=self.home)
        hub = {"HF_ENDPOINT": self.address, "HF_HOME": fresh, "HF_HUB_DISABLE_XET": "1"}
        token = {"HF_TOKEN": self.token} if self.token else {}
        path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
        mine = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "HUGGING"))}
        all_ = {**mine, "PYTHONPATH": path, "NO_COLOR": "1", **hub, **token, **self.more, **env}
        command = [sys.executable, "-W", "error::UserWarning", str(Path(__file__)), *arguments]
        return subprocess.run(
            command, cwd=self.home, env=all_, capture_output=True, text=True, timeout=120, check=False
        )

    def publish(self, out: Path, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
        done = self.run("publish", str(out), "acme/standups", *arguments, **env)
        assert "Traceback" not in done.stderr, done.stderr
        assert self.token not in done.stdout + done.stderr or not self.token
        return done

    def published(self, out: Path, *arguments: str, **env: str) -> dict[str, Any]:
        """What ``--json`` tells of a publication that must come to its end."""
        done = self.publish(out, "--json", *arguments, **env)
        assert done.returncode == 0, done.stderr
        told: dict[str, Any] = json.loads(done.stdout)["publish"]
        return told

    def refused(self, out: Path, *arguments: str, **env: str) -> tuple[int, str]:
        """Exit code and words of one that must not."""
        done = self.publish(out, *arguments, **env)
        assert done.returncode, done.stdout
        assert done.stdout == ""
        assert done.stderr.count("error: ") == 1, done.stderr
        return done.returncode, done.stderr

    def load(self, revision: str, *configs: str) -> dict[str, list[dict[str, object]]]:
        done = self.run("load", "acme/standups", revision, *configs)
        assert done.returncode == 0, done.stderr
        rows: dict[str, list[dict[str, object]]] = json.loads(done.stdout)
        return rows


def _load(repo: str, revision: str, *configs: str) -> None:
    import datasets

    datasets.disable_progress_bars()
    loaded = {config: datasets.load_dataset(repo, config, split="test", revision=revision) for config in configs}
    print(json.dumps({config: rows.to_list() for config, rows in loaded.items()}))


def _inspect(repo: str, revision: str, right: str) -> None:
    """Print the accuracy of each task, as JSON, of a model that gives the right answers, or none of them."""
    from inspect_ai import eval as run
    from inspect_ai._eval.task.hf import task_create_from_hf
    from inspect_ai.model import ModelOutput, ModelUsage, get_model

    found = {}
    for task in task_create_from_hf(f"hf/{repo}@{revision}"):
        answers = {str(sample.input): str(sample.target) for sample in task.dataset}

        def reply(messages: Any, *_: object, answers: Mapping[str, str] = answers) -> ModelOutput:
            asked = messages[-1].text
            answer = next(answer for text, answer in answers.items() if text.strip() in asked)
            output = ModelOutput.from_content("mockllm/model", f"ANSWER: {answer if right == 'right' else '-'}")
            output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
            return output

        model = get_model("mockllm/model", custom_outputs=reply, memoize=False)
        (log,) = run(task, model=model, display="none", log_dir=tempfile.mkdtemp(), log_samples=False)
        assert log.results is not None, log.error
        metrics = log.results.scores[0].metrics
        found[str(log.eval.task).rsplit("/", 1)[-1]] = [metrics["accuracy"].value, len(task.dataset)]
    print(json.dumps(found))


if __name__ == "__main__":
    if sys.argv[1] == "load":
        _load(*sys.argv[2:])
    elif sys.argv[1] == "inspect":
        _inspect(*sys.argv[2:])
    else:
        from suitegen.cli.main import main

        main()
