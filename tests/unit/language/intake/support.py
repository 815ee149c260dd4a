"""What the tests of reading share."""

import json
from typing import Any

from devtools.clock import FixedClock
from language.intake.options import Form, ReadingOptions
from language.intake.read import Reading, read_bytes
from tests.factories import INSTANT

KEY = b"k" * 32


def read(
    data: str | bytes | dict[str, Any] | list[Any],
    name: str = "talk.json",
    *,
    form: Form | None = None,
    conversation: str | None = None,
    timezone: str | None = None,
    max_turn_chars: int = 1_000_000,
) -> Reading:
    """`read_bytes` of a text, of bytes, or of a value written as JSON."""
    text = data if isinstance(data, str | bytes) else json.dumps(data)
    options = ReadingOptions(form=form, conversation=conversation, timezone=timezone, max_turn_chars=max_turn_chars)
    raw = text if isinstance(text, bytes) else text.encode()
    return read_bytes(raw, name, options, key=KEY, clock=FixedClock(INSTANT))


def said(reading: Reading) -> list[tuple[str, str, str]]:
    """(role, speaker, content) of each turn."""
    return [(turn.role.value, turn.speaker, turn.content) for turn in reading.conversation.turns]


def native(*turns: dict[str, Any], **more: Any) -> dict[str, Any]:  # noqa: ANN401 - any further key
    """A conversation in our form."""
    return {"turns": list(turns), **more}


def turn(content: Any = "hello", role: Any = "user", **more: Any) -> dict[str, Any]:  # noqa: ANN401 - wrong types too
    """One turn or message as a file has it."""
    return {"role": role, "content": content, **more}


def noted(reading: Reading) -> tuple[str, ...]:
    """The warnings, without the one that tells that the id came from the file's name."""
    return tuple(warning for warning in reading.warnings if not warning.startswith("named "))
