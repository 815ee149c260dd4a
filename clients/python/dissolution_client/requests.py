"""Requests as values, and what a reply to one means: what the synchronous and the asynchronous client share. Pure."""

import random
import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Generic, TypeVar
from urllib.parse import quote

import httpx
from pydantic import TypeAdapter, ValidationError

from dissolution_client.errors import ProblemError, UnusableOption
from dissolution_client.shapes import Appended, Context, Conversation, Dissolution, Format, Kind, Recalled
from dissolution_client.streams import MEDIA_TYPE

T = TypeVar("T")
Messages = Sequence[Mapping[str, Any]]
Param = str | int | Sequence[str]
"""Of an address; one of several words stands in it several times."""

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
    params: Mapping[str, Param] = field(default_factory=dict[str, Param])
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


def address_of(url: str) -> str:
    """The address of a service, as it was given. Raises UnusableOption for what is none."""
    try:
        parsed = httpx.URL(url)
    except (httpx.InvalidURL, TypeError) as error:
        raise UnusableOption(f"url {url!r} cannot be read ({error}); write http://HOST:PORT") from error
    if parsed.scheme not in {"http", "https"} or not parsed.host:
        raise UnusableOption(f"url {url!r} is no address of a service; write http://HOST:PORT or https://HOST")
    return url


def headers_of(api_key: str | None) -> dict[str, str]:
    """What every request carries. Raises UnusableOption for a key that no service has made."""
    if api_key is None:
        return {}
    if not api_key or not (api_key.isascii() and api_key.isprintable()) or " " in api_key:
        why = "is empty" if not api_key.strip() else "holds blanks, line breaks or odd characters"
        raise UnusableOption(f"api_key {why}; give it as `dissolve keys create` printed it, or None on loopback")
    return {"Authorization": f"Bearer {api_key}"}


def unanswered(method: str, path: str, url: object, attempts: int, last: Exception | None) -> str:
    """What is said when no answer came."""
    why = "" if last is None else f" ({str(last) or type(last).__name__})"
    return f"{method} {path}: no answer from {url} in {attempts} attempts{why}; is the service running there?"


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


def import_conversation(text: str, name: str | None, title: str | None, pick: str | None) -> Asked[Conversation]:
    """Store a conversation of a file that another program wrote."""
    body = _given(text=text, name=name, title=title, pick=pick)
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


def recall(
    name: str, text: str | None, kinds: Collection[Kind], rest: Mapping[str, str | int | None]
) -> Asked[Recalled]:
    """Search claims, dissent and turns."""
    params = _given(q=text, kind=sorted(kinds) or None, **rest)
    return Asked("GET", _path("conversations", name, "recall"), _adapter(Recalled), params=params)


def erase(name: str, reason: str) -> Asked[dict[str, Any]]:
    """Delete a conversation with all that came of it."""
    params = {"reason": reason}
    return Asked("DELETE", _path("conversations", name), _adapter(dict[str, Any]), params=params)
