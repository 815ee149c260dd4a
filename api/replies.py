"""Answers: JSON of typed values, with an ETag for what can be read again."""

import hashlib
import json
from collections.abc import Mapping
from typing import TypeVar

from pydantic import BaseModel
from pydantic_core import PydanticSerializationError
from starlette.requests import Request
from starlette.responses import Response

from dissolution.tenancy import name_of

Value = TypeVar("Value", bound=BaseModel)

FRESH = "private, no-cache"
"""Caches may keep it and must ask whether it still holds."""


def public(value: Value) -> Value:
    """A kernel value with the name of its conversation in place of the id, which has the tenant in it."""
    found = getattr(value, "conversation", None)
    return value if not isinstance(found, str) else value.model_copy(update={"conversation": name_of(found)})


def body_of(value: BaseModel) -> bytes:
    """The value as JSON; lone surrogates, which UTF-8 cannot hold and old stores may, are written as escapes."""
    try:
        return value.model_dump_json().encode()
    except PydanticSerializationError:
        return json.dumps(value.model_dump(mode="json")).encode()


def etag_of(body: bytes) -> str:
    """A strong ETag: of the very bytes."""
    return f'"{hashlib.sha256(body).hexdigest()[:32]}"'


def shown(request: Request, value: BaseModel, headers: Mapping[str, str] | None = None) -> Response:
    """What a GET answers: 304 when the caller has it already."""
    body = body_of(value)
    etag = etag_of(body)
    told = {"etag": etag, "cache-control": FRESH, **(headers or {})}
    if names(request.headers.get("if-none-match", ""), etag, weak=True):
        return Response(status_code=304, headers=told)
    return Response(body, media_type="application/json", headers=told)


def names(header: str, etag: str, *, weak: bool = False) -> bool:
    """Whether an If-Match or If-None-Match header names an ETag; with `weak`, also one that a proxy made weak."""
    found = [one.strip() for one in header.split(",")]
    return "*" in found or etag in found or (weak and f"W/{etag}" in found)


def made(value: BaseModel, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """What any other method answers; never kept by caches."""
    told = {"cache-control": "no-store", **(headers or {})}
    return Response(body_of(value), status_code=status, media_type="application/json", headers=told)
