"""Column types: instants that are always aware, text that is always whole, and typed values as JSON text."""

import re
from collections.abc import Hashable
from datetime import UTC, datetime
from functools import cache, lru_cache
from typing import Any

from pydantic import TypeAdapter
from sqlalchemy import ColumnElement, DateTime, Dialect, String, Text, TypeDecorator, func

from dissolution.values import STORED

ESCAPE = "\ufdd0"
"""U+FDD0, a code point that Unicode reserves for use inside programs: it opens an escape in stored text."""

SMALL = 200
"""Characters of a JSON text, at most, that is kept parsed."""

_UNSTORABLE = re.compile(f"[\0\ud800-\udfff{ESCAPE}]")
_ESCAPED = re.compile(f"{ESCAPE}([0-9a-f]{{4}})")


def utc(instant: datetime) -> datetime:
    """The same instant in UTC. Raises ValueError for a naive one: a zone is never assumed."""
    if instant.tzinfo is None:
        message = f"instant {instant!r} is naive; give it a time zone"
        raise ValueError(message)
    return instant.astimezone(UTC)


def storable(text: str) -> str:
    """Text as it is stored: NUL, lone surrogates and U+FDD0 become U+FDD0 and four hex digits.

    PostgreSQL has no NUL in text and UTF-8 has no lone surrogates, yet both occur in what models and people write,
    and evidence counts code points: so they are kept, not dropped.
    """
    if text.isascii() and "\0" not in text:
        return text
    return _UNSTORABLE.sub(lambda found: f"{ESCAPE}{ord(found.group()):04x}", text)


def restored(text: str) -> str:
    """The text that `storable` was given."""
    if ESCAPE not in text:
        return text
    return _ESCAPED.sub(lambda found: chr(int(found.group(1), 16)), text)


class Instant(TypeDecorator[datetime]):
    """An aware instant, UTC. Naive values are refused; SQLite holds UTC text, PostgreSQL `timestamptz`."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """UTC on the way in; SQLite keeps no zone, so there it is left off."""
        if value is None:
            return None
        return utc(value).replace(tzinfo=None) if dialect.name == "sqlite" else utc(value)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Aware UTC on the way out."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if dialect.name == "sqlite" else value.astimezone(UTC)


class ExactText(TypeDecorator[str]):
    """Text that comes back code point by code point, also where a database could not hold it (see `storable`)."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002 - the hook's shape
        """Escaped on the way in."""
        return None if value is None else storable(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> str | None:  # noqa: ARG002 - as above
        """Restored on the way out."""
        return None if value is None else restored(value)


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:  # noqa: ANN401 - any form of type, such as `tuple[Mark, ...]`
    return TypeAdapter(kind)


@lru_cache(maxsize=4096)
def _small(kind: Any, text: str) -> object:  # noqa: ANN401 - as above
    """A short document, parsed once: the same families and marks stand in many rows, and values are immutable."""
    return _adapter(kind).validate_json(text, context=STORED)


@lru_cache(maxsize=256)
def _repeated(kind: Any, text: str) -> object:  # noqa: ANN401 - as above
    """A long document that stands in many rows, such as the policy of jobs: parsed once as well."""
    return _adapter(kind).validate_json(text, context=STORED)


class Document(TypeDecorator[Any]):
    """A typed value as JSON text, checked against its type when it is read."""

    impl = Text
    cache_ok = True

    def __init__(self, kind: Hashable, repeated: bool = False) -> None:  # noqa: FBT001, FBT002 - SQLAlchemy wants it plain
        """`kind` is what pydantic understands as a type, such as `Policy` or `tuple[Mark, ...]`.

        One that is `repeated` stands in many rows, however long it is, and is kept parsed; it must be immutable.
        """
        super().__init__()
        self.kind = kind
        self.repeated = repeated

    def process_bind_param(self, value: object, dialect: Dialect) -> str | None:  # noqa: ARG002 - the hook's shape
        """JSON on the way in."""
        return None if value is None else _adapter(self.kind).dump_json(value).decode()

    def process_result_value(self, value: str | None, dialect: Dialect) -> object:  # noqa: ARG002 - as above
        """The typed value on the way out."""
        if value is None:
            return None
        if len(value) <= SMALL:
            return _small(self.kind, value)
        if self.repeated:
            return _repeated(self.kind, value)
        return _adapter(self.kind).validate_json(value, context=STORED)


def begins_with(column: ColumnElement[str], prefix: str) -> ColumnElement[bool]:
    """Whether an ExactText column starts with `prefix`, case and all: LIKE ignores case on SQLite."""
    stored = storable(prefix)
    return func.substr(column, 1, len(stored), type_=String) == stored
