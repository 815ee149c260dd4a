"""Requests as values, and what a reply to one means: what the synchronous and the asynchronous client share. Pure."""

import random
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Generic, TypeVar
from urllib.parse import quote

import httpx
from pydantic import TypeAdapter, ValidationError

from dissolution_client.errors import ProblemError
from dissolution_client.shapes import Appended, Claim, Context, Conversation, Dissolution, Format
from dissolution_client.streams import MEDIA_TYPE

T = TypeVar("T")
Messages = Sequence[Mapping[str, Any]]

AGAIN = frozenset(
    {
        HTTPStatus.TOO_MANY_REQUESTS,
        HTTPStatus.BAD_GATEWAY,
        HTTPStatus.SERVICE_UNAVAILABLE,
        HTTPStatus.GATEWAY_TIMEOUT,
    }
)
"""Statuses after which the same request may be sent again: nothing was done, or the key makes a repeat harmless."""

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 60.0

FIRST_LOOK_S, LONGEST_LOOK_S = 0.25, 5.0
"""Pause between two looks at a dissolution (s): short ones are soon over, long ones are not asked for all the time."""


@dataclass(frozen=True)
class Asked(Generic[T]):
    """One request and how its reply is read."""

    method: str
    path: str
    reads: TypeAdapter[T]
    params: Mapping[str, str | int] = field(default_factory=dict[str, str | int])
    body: Mapping[str, Any] | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    inside: str | None = None  # the field of the reply that is wanted

    def read(self, response: httpx.Response) -> T:
        """The reply as a value. Raises ProblemError."""
        if not response.is_success:
            raise problem_of(response)
        try:
            given: Any = response.json()
            return self.reads.validate_python(given if self.inside is None else given[self.inside])
        except (ValueError, KeyError, TypeError, ValidationError) as error:
            detail = f"{self.method} {self.path}: the reply is not what this client knows ({type(error).__name__})"
            raise ProblemError(response.status_code, "unknown_reply", detail) from error


def problem_of(response: httpx.Response) -> ProblemError:
    """The error that a reply stands for; a proxy's page says at least its status."""
    try:
        told: dict[str, Any] = response.json()
        fields = tuple((one["field"], one["message"]) for one in told.get("errors") or ())
        return ProblemError(response.status_code, str(told["code"]), str(told["detail"]), fields)
    except (ValueError, KeyError, TypeError, AttributeError):
        detail = f"the service answered {response.status_code} without a problem document"
        return ProblemError(response.status_code, "unknown_reply", detail)


def may_repeat(response: httpx.Response) -> bool:
    """Whether the same request may be sent again."""
    return response.status_code in AGAIN


def pause_s(attempt: int, response: httpx.Response | None) -> float:
    """Seconds before the next attempt: what the service asks for, else twice as long each time, partly by chance."""
    asked = response.headers.get("retry-after", "") if response is not None else ""
    if asked.isdigit():
        return min(float(asked), LONGEST_PAUSE_S)
    longest = min(FIRST_PAUSE_S * 2**attempt, LONGEST_PAUSE_S)
    return longest * random.uniform(0.5, 1.0)  # noqa: S311 - spreads clients, no secret


def look_s(looks: int) -> float:
    """Seconds before the next look at a dissolution, after so many."""
    return min(FIRST_LOOK_S * 1.5 ** min(looks, 20), LONGEST_LOOK_S)


def _adapter(kind: type[T]) -> TypeAdapter[T]:
    return TypeAdapter(kind)


def _once() -> dict[str, str]:
    return {"Idempotency-Key": str(uuid.uuid4())}


def _given(**values: object) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _path(*parts: str) -> str:
    return "/v1/" + "/".join(quote(part, safe="") for part in parts)


def create_conversation(messages: Messages, name: str | None, title: str | None) -> Asked[Conversation]:
    """Store a conversation."""
    body = _given(messages=[dict(one) for one in messages], name=name, title=title)
    return Asked("POST", "/v1/conversations", _adapter(Conversation), body=body, headers=_once(), inside="conversation")


def conversation(name: str) -> Asked[Conversation]:
    """Read one without its turns."""
    return Asked("GET", _path("conversations", name), _adapter(Conversation))


def append(name: str, messages: Messages, expected_turns: int | None) -> Asked[Appended]:
    """Add turns."""
    body = _given(messages=[dict(one) for one in messages], expected_turns=expected_turns)
    return Asked("POST", _path("conversations", name, "turns"), _adapter(Appended), body=body, headers=_once())


def dissolve(
    name: str, fleet: str, policy: str | Mapping[str, Any] | None, rest: Mapping[str, object]
) -> Asked[Dissolution]:
    """Ask for a dissolution."""
    body = _given(conversation=name, fleet=fleet, policy=policy, **rest)
    return Asked("POST", "/v1/dissolutions", _adapter(Dissolution), body=body, headers=_once())


def dissolution(name: str) -> Asked[Dissolution]:
    """Read one."""
    return Asked("GET", _path("dissolutions", name), _adapter(Dissolution))


def cancel(name: str) -> Asked[Dissolution]:
    """End one."""
    return Asked("POST", _path("dissolutions", name, "cancel"), _adapter(Dissolution), headers=_once())


def part(name: str, what: str) -> Asked[dict[str, Any]]:
    """Something of a dissolution: receipt, answers, dissent, frame, probe."""
    return Asked("GET", _path("dissolutions", name, what), _adapter(dict[str, Any]))


def events(name: str, after: int) -> Asked[object]:
    """The stream of what happens to one, behind an event."""
    headers = {"Accept": MEDIA_TYPE, "Last-Event-ID": str(after)}
    return Asked("GET", _path("dissolutions", name, "events"), _adapter(object), headers=headers)


def context(name: str, budget: int | None, recent: int | None, form: Format, *, operator: bool) -> Asked[Context]:
    """What to send to a model."""
    params = _given(budget=budget, recent=recent, format=form, operator=None if operator else "false")
    return Asked("GET", _path("conversations", name, "context"), _adapter(Context), params=params)


def recall(name: str, text: str | None, section: str | None, limit: int) -> Asked[tuple[Claim, ...]]:
    """Search the claims of the ledger."""
    params = _given(q=text, section=section, limit=limit, kind="claim")
    adapter = TypeAdapter(tuple[Claim, ...])
    return Asked("GET", _path("conversations", name, "recall"), adapter, params=params, inside="claims")


def erase(name: str, reason: str) -> Asked[dict[str, Any]]:
    """Delete a conversation with all that came of it."""
    params = {"reason": reason}
    return Asked("DELETE", _path("conversations", name), _adapter(dict[str, Any]), params=params)
