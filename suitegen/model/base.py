"""The base of every noun that is read from or written to a file."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints


class Noun(BaseModel):
    """Frozen, closed (unknown keys are mistakes), comparable by value."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=False)


Identifier = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9]*(?:[_-][a-z0-9]+)*$", max_length=64)]
"""A name that is safe as a file name everywhere: lower case, digits, ``_`` and ``-``."""

Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]
"""Text as the author wrote it, with blank ends trimmed; never empty."""

Language = Annotated[str, StringConstraints(pattern=r"^[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$")]
"""A BCP 47 tag, for instance ``en`` or ``pt-BR``."""

Positive = Annotated[int, Field(ge=1)]
Count = Annotated[int, Field(ge=0)]
