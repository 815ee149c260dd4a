"""Bodies: read strictly as JSON of one type, described in the OpenAPI document from that very type.

The framework would accept `"5"` for 5 and `"yes"` for true; here what the document says is what is taken.
"""

import json
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails
from starlette.requests import Request

from api.errors import InvalidRequest, MalformedBody
from dissolution.nearest import meant_field

Model = TypeVar("Model", bound=BaseModel)

HINTED = 50
"""Unknown fields, at most, for which the nearest is looked up: a hostile body has thousands."""

LONGEST_HINTED = 100
"""Characters of such a field's name, at most."""

MODELS: dict[str, type[BaseModel]] = {}
"""Types of bodies by name; their schemas are put into the document."""


def described(model: type[BaseModel]) -> dict[str, Any]:
    """What a route adds to its description so that its body is in the document."""
    MODELS[model.__name__] = model
    schema = {"$ref": f"#/components/schemas/{model.__name__}"}
    return {"requestBody": {"required": True, "content": {"application/json": {"schema": schema}}}}


def body_of(model: type[Model]) -> Callable[[Request], Coroutine[Any, Any, Model]]:
    """A dependency that reads the body. It raises MalformedBody, InvalidRequest."""

    async def read(request: Request) -> Model:
        return parsed(model, await request.body())

    return read


def parsed(model: type[Model], body: bytes) -> Model:
    """The value of a body. Raises MalformedBody for what is no JSON, InvalidRequest for what does not fit."""
    if not body:
        raise MalformedBody("the request has no body", "send JSON")
    try:
        read = model.model_validate_json(body, strict=True)
    except ValidationError as error:
        found = error.errors(include_url=False, include_input=False, include_context=False)
        if found[0]["type"] == "json_invalid":
            raise MalformedBody("the body is no valid JSON", found[0]["msg"]) from None
        told = ((one["loc"], _said(model, one) if at < HINTED else one["msg"]) for at, one in enumerate(found))
        raise InvalidRequest(tuple((place("body", loc), said) for loc, said in told)) from None
    refuse_doubles(body)
    return read


def _said(model: type[BaseModel], error: ErrorDetails) -> str:
    """What is wrong with a value; of a field that does not exist, which was probably meant."""
    if error["type"] != "extra_forbidden" or len(str(error["loc"][-1])) > LONGEST_HINTED:
        return error["msg"]
    return f"there is no such field{meant_field(model, error['loc'])}"


def refuse_doubles(body: bytes) -> None:
    """Raise MalformedBody for an object that has a key twice: which of the two is meant, readers answer differently.

    Args:
        body: JSON in UTF-8. What is none, or nested too deeply, is left to whoever reads it next.
    """
    try:
        json.loads(body, object_pairs_hook=_once, parse_int=_nothing, parse_float=_nothing, parse_constant=_nothing)
    except (ValueError, RecursionError):
        return


def _once(pairs: list[tuple[str, object]]) -> None:
    keys = set[str]()
    for key, _ in pairs:
        if key in keys:
            raise MalformedBody(f"the key {key[:100]!r} is given twice in one object", "give it once")
        keys.add(key)


def _nothing(_: str) -> None:
    """In place of a number: it is read elsewhere, and the longest cost the most."""


def place(where: str, loc: tuple[int | str, ...]) -> str:
    """Where a value stands, as a dotted path."""
    return ".".join((where, *map(str, loc)))
