"""Server-sent events, as the service streams what happens to a dissolution. Pure."""

import json
from typing import Any

import httpx

from dissolution_client.errors import ProblemError
from dissolution_client.shapes import Event

MEDIA_TYPE = "text/event-stream"

SILENCE_S = 45.0
"""After so long without a word the stream is taken for broken (s): the service says something every 15 s."""

OVER = Event.model_construct(number=0, kind="end")
"""Stands for: nothing more will come."""


class EventReader:
    """Makes events of the lines of one stream."""

    def __init__(self) -> None:
        self._fields: dict[str, str] = {}

    def line(self, line: str) -> Event | None:
        """The event that a line ends, OVER at the end of the stream, None in between. Raises ProblemError."""
        if line:
            name, _, value = line.partition(":")
            if name:  # a line that begins with a colon is a comment
                self._fields[name] = value.removeprefix(" ")
            return None
        fields, self._fields = self._fields, {}
        if "data" not in fields:
            return None
        return _event(fields) if fields.get("id") else OVER


def _event(fields: dict[str, str]) -> Event:
    try:
        told: dict[str, Any] = json.loads(fields["data"])
        return Event.model_validate({**told, "number": int(fields["id"])})
    except (ValueError, TypeError) as error:
        detail = f"an event of the stream is not what this client knows ({type(error).__name__})"
        raise ProblemError(200, "unknown_reply", detail) from error


def is_stream(response: httpx.Response) -> bool:
    """Whether a reply is a stream of events."""
    return response.is_success and response.headers.get("content-type", "").startswith(MEDIA_TYPE)
