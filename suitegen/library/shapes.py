"""What the models of files ask for at a place: the annotations and the keys that a loc leads to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo


def fields(model: type[BaseModel]) -> dict[str, FieldInfo]:
    """The keys of a model."""
    return {field.alias or name: field for name, field in model.model_fields.items()}


def members(annotation: Any) -> tuple[Any, ...]:
    """What an annotation allows: the members of a union without None, else itself, without its constraints."""
    origin, arguments = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return members(arguments[0])
    if origin in (Union, UnionType):
        return tuple(found for each in arguments if each is not NoneType for found in members(each))
    return (annotation,)


def allowed(annotation: Any, loc: Sequence[str | int]) -> Iterator[Any]:
    """What an annotation leads to along a loc; tags of unions are passed over."""
    for each in members(annotation):
        origin, arguments = get_origin(each), get_args(each)
        if not loc:
            yield each
        elif isinstance(each, type) and issubclass(each, BaseModel):
            field = fields(each).get(str(loc[0]))
            yield from allowed(each if field is None else field.annotation, loc[1:])
        elif origin is tuple:
            yield from allowed(arguments[0], loc[1:])
        elif origin is dict:
            yield from allowed(arguments[1], loc[1:])


def models(annotation: Any, loc: Sequence[str | int]) -> list[type[BaseModel]]:
    """The models that an annotation leads to along a loc."""
    return [each for each in allowed(annotation, loc) if isinstance(each, type) and issubclass(each, BaseModel)]


def only_key(annotation: Any, loc: Sequence[str | int]) -> str | None:
    """The only key that a mapping at a loc must have, or None if there are several or none."""
    needed = [key for model in models(annotation, loc) for key, field in fields(model).items() if field.is_required()]
    return needed[0] if len(needed) == 1 else None
