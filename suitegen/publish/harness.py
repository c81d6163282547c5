"""``eval.yaml``: how Inspect runs the flat configs from the Hub, with nothing of ours installed."""

from __future__ import annotations

from suitegen.publish.card import yaml_text
from suitegen.publish.flat import CHOICE
from suitegen.publish.manifest import Manifest

FILE = "eval.yaml"
_LABELS = ("probe_id", "episode_id", "paradigm", "condition", "expected_behavior", "probe_type")


def eval_yaml(manifest: Manifest) -> str:
    """The tasks of a suite: one that compares the last line of an answer, one of letters."""
    return yaml_text(
        {
            "name": manifest.title,
            "description": manifest.about or f"{manifest.title}, version {manifest.version}",
            "evaluation_framework": "inspect-ai",
            "tasks": [
                {
                    "id": manifest.context,
                    "config": manifest.context,
                    "split": "test",
                    "field_spec": {"input": "input", "target": "target", "metadata": list(_LABELS)},
                    "solvers": [{"name": "generate"}],
                    "scorers": [{"name": "answer", "args": {"pattern": "line"}}],
                },
                {
                    "id": CHOICE,
                    "config": CHOICE,
                    "split": "test",
                    "field_spec": {
                        "input": "input",
                        "choices": "choices",
                        "target": "answer_idx",
                        "metadata": [*_LABELS, "field"],
                    },
                    "solvers": [{"name": "multiple_choice"}],
                    "scorers": [{"name": "choice"}],
                },
            ],
        }
    )
