"""Models without what they ask of their keys together, for files that are read although these do not fit."""

from __future__ import annotations

from functools import lru_cache
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel, create_model, model_validator


@lru_cache(maxsize=256)
def unchecked(model: type[BaseModel]) -> type[BaseModel]:
    """The model without what it and the models in it ask of their keys together."""
    checks = model.__pydantic_decorators__.model_validators
    passed: dict[str, Any] = {
        name: model_validator(mode="after")(_as_it_is) for name, check in checks.items() if check.info.mode == "after"
    }
    parts: dict[str, Any] = {name: (_unchecked(field.annotation), field) for name, field in model.model_fields.items()}
    return create_model(model.__name__, __base__=model, __validators__=passed, **parts)


def _as_it_is(made: BaseModel) -> BaseModel:
    return made


def _unchecked(annotation: Any) -> Any:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return unchecked(annotation)
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is None or origin is Literal:
        return annotation
    made = tuple(_unchecked(argument) for argument in arguments)
    if origin is Annotated:
        return Annotated[(made[0], *arguments[1:])]
    return Union[made] if origin in (Union, UnionType) else origin[made]  # noqa: UP007 - of as many as there are
