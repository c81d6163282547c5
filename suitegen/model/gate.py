"""Gate files: which validators, in which order, with which thresholds."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator

from suitegen.model.base import Identifier, Noun, Text
from suitegen.model.words import Level, Severity


class Check(Noun):
    """One validator of a gate. In YAML a bare name, ``{name: {options}}``, or the full form."""

    validator: Text
    options: dict[str, str | int | float | bool | None] = Field(default_factory=dict)
    severity: Severity = "error"
    on_failure: Literal["reject", "rewrite"] = Field(
        default="reject",
        description="reject: what fails is not accepted. rewrite: it is written again while tries last, "
        "then kept with a warning.",
    )
    feedback: Text | None = Field(default=None, description="Said to the writer in place of the validator's own words.")

    @model_validator(mode="before")
    @classmethod
    def _short_forms(cls, data: object) -> object:
        if isinstance(data, str):
            return {"validator": data}
        if isinstance(data, dict) and len(data) == 1 and "validator" not in data:
            ((name, options),) = data.items()
            if isinstance(options, dict):
                return {"validator": name, "options": options}
        return data


class GateSpec(Noun):
    """Validators in order, all of one level, or each at its own where the gate names none."""

    id: Identifier
    about: Text
    level: Level | None = Field(
        default=None, description="What its validators look at; left out: each at the level that it has."
    )
    checks: tuple[Check, ...] = Field(min_length=1)
