"""The name that was probably meant, for who wrote one that does not exist."""

from collections.abc import Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import Any, get_args

from pydantic import BaseModel


def meant(name: str, names: Iterable[str]) -> str:
    """A hint at the nearest of these names, to be put behind a complaint; empty when none is near."""
    known = {one.lower(): one for one in names}
    found = get_close_matches(name.lower(), list(known), n=1)
    return f"; did you mean {known[found[0]]!r}?" if found else ""


def meant_field(model: type[BaseModel], path: Sequence[str | int]) -> str:
    """As `meant`, for the last name of a path into a model.

    The very name in another table comes first, then a near one of the same table, then a near one of any.

    Args:
        model: What was to be filled.
        path: The place of the unknown field, as validation errors have it.
    """
    *tables, name = [part for part in path if isinstance(part, str)] or [""]
    table: type[BaseModel] | None = model
    for part in tables:
        if table is not None and part == table.__name__:  # where several types may stand, errors name the one they mean
            continue
        field = None if table is None else table.model_fields.get(part)
        table = None if field is None else _model_in(field.annotation)
    elsewhere = {dotted.rpartition(".")[2]: dotted for dotted in _paths(model)}
    near = "" if table is None or name in elsewhere else meant(name, table.model_fields)
    if near:
        return near
    found = get_close_matches(name, list(elsewhere), n=1)
    return f"; did you mean {elsewhere[found[0]]!r}?" if found else ""


def _paths(model: type[BaseModel], above: str = "") -> Iterator[str]:
    """All fields below a model, dotted."""
    for name, field in model.model_fields.items():
        yield f"{above}{name}"
        inner = _model_in(field.annotation)
        if inner is not None:
            yield from _paths(inner, f"{above}{name}.")


def _model_in(annotation: Any) -> type[BaseModel] | None:  # noqa: ANN401 - annotations are of any kind
    """The model that an annotation holds, also as an option or as the items of a tuple."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((found for part in get_args(annotation) if (found := _model_in(part)) is not None), None)
