"""Pages: an opaque cursor names the last item of the page before, so that what is added meanwhile moves nothing."""

import base64
import binascii
import json
from datetime import datetime
from typing import Annotated, Generic, TypeVar

from fastapi import Query
from pydantic import BaseModel, ConfigDict

from api.errors import InvalidRequest

Item = TypeVar("Item")

Limit = Annotated[int, Query(ge=1, le=200, description="Items of one page.")]
Cursor = Annotated[
    str | None, Query(min_length=1, max_length=600, description="`next` of the page before; opaque, of this list only.")
]


class Page(BaseModel, Generic[Item]):
    """Some of a list, in its order."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)

    items: tuple[Item, ...]
    next: str | None = None
    """Give it as `cursor` for the page after this one; null on the last."""


def cursor_of(*parts: str) -> str:
    """A cursor that holds these parts."""
    return base64.urlsafe_b64encode(json.dumps(parts).encode()).decode().rstrip("=")


def parts_of(cursor: str | None, count: int) -> tuple[str, ...] | None:
    """The parts of a cursor, None for none. Raises InvalidRequest for one that this list did not give out."""
    if cursor is None:
        return None
    try:
        found = json.loads(base64.b64decode(cursor + "=" * (-len(cursor) % 4), altchars=b"-_", validate=True))
    except (binascii.Error, ValueError, RecursionError):
        found = None
    if not isinstance(found, list) or len(found) != count or not all(isinstance(part, str) for part in found):  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType] - JSON is any value
        raise InvalidRequest((("query.cursor", "is not a `next` that this list gave out"),))
    return tuple(str(part) for part in found)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType] - as above


def instant_in(part: str) -> datetime:
    """The instant in a cursor. Raises InvalidRequest."""
    try:
        found = datetime.fromisoformat(part)
    except ValueError:
        found = None
    if found is None or found.tzinfo is None:
        raise InvalidRequest((("query.cursor", "is not a `next` that this list gave out"),))
    return found
