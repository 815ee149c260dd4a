"""JSON values with types: the one place where untyped values are narrowed."""

from typing import Any, cast


def as_object(value: object) -> dict[str, Any] | None:
    """The value when it is a JSON object, else None."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None


def as_list(value: object) -> list[Any] | None:
    """The value when it is a JSON list, else None."""
    return cast("list[Any]", value) if isinstance(value, list) else None


def as_text(value: object) -> str | None:
    """The value when it is a string that is not blank, without blanks around it, else None."""
    return (value.strip() or None) if isinstance(value, str) else None
