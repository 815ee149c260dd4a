"""The roster: who is asked, as a TOML file. Keys are never in it, only the names of environment variables."""

import re
import tomllib
from collections.abc import Mapping
from decimal import Decimal
from ipaddress import ip_address
from pathlib import Path
from typing import Annotated, Any, cast
from urllib.parse import urlsplit

from pydantic import Field, JsonValue, ValidationError, field_validator, model_validator

from dissolution.claims import FamilyName, MemberName
from dissolution.errors import InvalidRoster
from dissolution.nearest import meant
from dissolution.values import Frozen
from fleet.scrub import scrub_patterns

RESERVED_PARAMS = frozenset(
    {
        *("model", "messages", "api_key", "api_base", "base_url", "timeout", "max_tokens", "max_completion_tokens"),
        *("max_retries", "num_retries", "drop_params", "stream", "n", "temperature", "seed", "response_format"),
        *("fallbacks", "caching", "cache", "mock_response", "client", "logger_fn", "extra_headers", "headers", "tools"),
    }
)
"""What `params` may not hold: the gateway sets it, it has a field of its own, or it would change what a call is."""

_KEY_FIELDS = frozenset({"api_key", "apikey", "key", "token", "secret", "password", "access_token", "authorization"})


_HEADER = re.compile(r"\s*\[\[?(?P<path>[^\[\]]+)\]")
_ONE_MEMBER = re.compile(r"\s*\[?\s*[\"']?member\b")
_FIELD = re.compile(r"\s*[\"']?(?P<name>[\w-]+)[\"']?\s*[.=]")


class RosterPrice(Frozen):
    """USD for a million tokens, instead of the price map's."""

    input_usd: Annotated[Decimal, Field(ge=0)]
    output_usd: Annotated[Decimal, Field(ge=0)]
    cached_input_usd: Annotated[Decimal, Field(ge=0)] | None = None
    """Of input tokens the provider had cached; like other input when not given."""

    cache_write_usd: Annotated[Decimal, Field(ge=0)] | None = None
    """Of input tokens that the provider puts into its cache, where it charges for that; like other input when not
    given."""


class RosterMember(Frozen):
    """One member as the file describes it."""

    name: MemberName
    """How receipts call it; unique in the roster."""

    model: Annotated[str, Field(pattern=r"^[\w.-]+/\S+$")]
    """LiteLLM's model string, provider first: `openai/gpt-5-mini`, `ollama_chat/qwen3:8b`."""

    family: FamilyName
    """Whose lineage it votes with: members of one provider's models share their errors."""

    api_base: str | None = None
    """Address of the endpoint, for servers of your own and gateways; None is the provider's own."""

    api_key_env: Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")] | None = None
    """Name of the environment variable that holds the key. No key is sent unless this is given."""

    ambient_credentials: bool = False
    """Let the provider's own means find credentials (AWS, Google Cloud) instead of a key."""

    allow_plain_http: bool = False
    """Allow http:// to a host that is not this machine or a private network: keys and conversation travel in clear."""

    max_output_tokens: Annotated[int, Field(ge=16, le=1_000_000)] = 4000
    """Most tokens one answer may have. Four sections of a long conversation take 1000 to 2500; reasoning counts too."""

    window_tokens: Annotated[int, Field(ge=1000, le=100_000_000)] | None = None
    """Context window (tokens), where the price map does not know it or your server has another."""

    timeout_s: Annotated[float, Field(gt=0, le=3600)] = 180.0
    """Longest one request may take (s), the last byte included; the call with its repeats has the job's deadline."""

    max_attempts: Annotated[int, Field(ge=1, le=10)] = 3
    """Requests of one call, the first included."""

    temperature: Annotated[float, Field(ge=0, le=2)] | None = None
    """Sent only when given."""

    seed: int | None = None
    """Sent only when given."""

    structured_output: bool = False
    """Ask for JSON by the provider's own means. The text contract works everywhere; this is an upgrade, not a need."""

    params: Mapping[str, JsonValue] = {}
    """Further parameters in OpenAI's naming, such as `reasoning_effort`."""

    leave_out_unsupported: tuple[str, ...] = ()
    """Parameters to leave out, and list as left out, where the model does not support them. Others are an error."""

    price: RosterPrice | None = None
    """USD for a million tokens. None: the price map's, or not known."""

    prompt_logprobs: bool = False
    """Its `api_base` also serves `/completions` with `echo` and `logprobs` (vLLM, llama-cpp-python). Triggers measure
    surprise by it: one request for each turn of a watched conversation, outside the caps of jobs."""

    rpm: Annotated[int, Field(ge=1)] | None = None
    """Requests a minute the account allows."""

    tpm: Annotated[int, Field(ge=1)] | None = None
    """Tokens a minute the account allows."""

    @field_validator("api_base")
    @classmethod
    def _address_is_http(cls, value: str | None) -> str | None:
        if value is None:
            return None
        parts = urlsplit(value)
        if parts.scheme not in {"http", "https"} or not parts.hostname:
            message = "api_base is no http:// or https:// address"
            raise ValueError(message)
        if parts.username or parts.password or parts.query or parts.fragment:
            message = "api_base may hold no user, password, query or fragment"
            raise ValueError(message)
        return value.rstrip("/")

    @field_validator("params")
    @classmethod
    def _params_are_free(cls, value: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
        taken = sorted(RESERVED_PARAMS & set(value))
        if taken:
            message = f"params may not hold {', '.join(map(repr, taken))}: set by the gateway or by a field of its own"
            raise ValueError(message)
        return value

    @model_validator(mode="after")
    def _fits_together(self) -> "RosterMember":
        if self.api_base is None and self.api_key_env is None and not self.ambient_credentials:
            message = "api_key_env is missing; name the environment variable that holds the provider's key"
            raise ValueError(message)
        if self.api_key_env is not None and self.ambient_credentials:
            message = "ambient_credentials and api_key_env exclude each other"
            raise ValueError(message)
        if self.prompt_logprobs and self.api_base is None:
            message = "prompt_logprobs needs api_base; no provider's own endpoint gives log-probabilities of a prompt"
            raise ValueError(message)
        plain = self.api_base is not None and self.api_base.startswith("http://")
        if plain and not self.allow_plain_http and not is_near(urlsplit(self.api_base or "").hostname or ""):
            message = "api_base is plain http to a public host; use https, or set allow_plain_http = true"
            raise ValueError(message)
        return self


class Roster(Frozen):
    """A fleet as its file describes it."""

    name: Annotated[str, Field(min_length=1, max_length=100)] = "roster"
    members: Annotated[tuple[RosterMember, ...], Field(min_length=1, max_length=64)]

    @property
    def families(self) -> tuple[str, ...]:
        """Its families, in alphabetical order."""
        return tuple(sorted({member.family for member in self.members}))


def is_near(host: str) -> bool:
    """Whether a host is this machine or on a private network: by address, or a name without dots (a container's).

    Link-local addresses are not near: cloud machines hand out their credentials there.
    """
    try:
        address = ip_address(host)
    except ValueError:
        return host == "localhost" or host.endswith(".localhost") or "." not in host
    return (address.is_loopback or address.is_private) and not address.is_link_local and not address.is_unspecified


def load_roster(path: Path) -> Roster:
    """The roster of a TOML file with one `[[member]]` table a member.

    Raises:
        InvalidRoster: It cannot be read, is no TOML, holds a key, or a field is missing, unknown or out of range. The
            message names the file, the line, the member and the field, and never repeats a value that looks like a key.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InvalidRoster(f"roster {str(path)!r} cannot be read ({error.strerror})", "check the path") from error
    except UnicodeDecodeError as error:
        raise InvalidRoster(f"roster {str(path)!r} is not UTF-8 (byte {error.start})", "save it as UTF-8") from error
    return parse_roster(text, str(path))


def parse_roster(text: str, source: str = "roster") -> Roster:
    """As `load_roster`, from text; `source` names it in messages. Raises InvalidRoster."""
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InvalidRoster(f"{source}: no TOML: {error}", "correct that line") from None
    _refuse_keys(content, text, source)
    tables = content.pop("member", [])
    if "members" in content:
        raise InvalidRoster(f"{source}, line {line_of(text, None, ('members',))}: field 'members'", "write [[member]]")
    if isinstance(tables, dict):
        line = next((at for at, line in enumerate(text.splitlines(), start=1) if _ONE_MEMBER.match(line)), 1)
        raise InvalidRoster(f"{source}, line {line}: [member] is one table", "write [[member]]")
    if not isinstance(tables, list) or not tables:
        raise InvalidRoster(f"{source}: no member", "add a [[member]] table with name, model, family, api_key_env")
    try:
        roster = Roster.model_validate({**content, "members": tables})
    except ValidationError as error:
        raise _explain(error, text, source) from None
    seen: dict[str, int] = {}
    for place, member in enumerate(roster.members):
        if member.name in seen:
            line = line_of(text, place, ("name",))
            first = line_of(text, seen[member.name], ("name",))
            raise InvalidRoster(
                f"{source}, line {line}: a second member is named {member.name!r} (the first in line {first})",
                "give every member its own name",
            )
        seen[member.name] = place
    return roster


def line_of(text: str, place: int | None, path: tuple[str, ...]) -> int:
    """The line (from 1) of a field of the member at `place` (from 0), or of a top-level field when it is None.

    Where the field is missing, the line of the table it belongs in; where that cannot be found, 1.
    """
    member, table = -1, 1
    scope: tuple[int | None, tuple[str, ...]] = (None, ())  # which member's table a line is in, and the path inside it
    for number, line in enumerate(text.splitlines(), start=1):
        header = _HEADER.match(line)
        if header:
            names = tuple(part.strip(" \"'") for part in header["path"].split("."))
            member += names == ("member",)
            scope = (member, names[1:]) if names[0] == "member" else (None, names)
        inside = scope[0] == place and path[: len(scope[1])] == scope[1]
        if header and inside and place is not None:
            table = number
        field = _FIELD.match(line)
        if field and inside and field["name"] in path[len(scope[1]) : len(scope[1]) + 1]:
            return number
    return table


def _refuse_keys(content: Mapping[str, object], text: str, source: str) -> None:
    """Raise InvalidRoster where a field is named like a key or a value looks like one; the value is not repeated."""
    tables = content.get("member")
    members = cast("list[object]", tables) if isinstance(tables, list) else []
    places: list[tuple[int | None, object]] = [(None, {k: v for k, v in content.items() if k != "member"})]
    for place, table in [*places, *enumerate(members)]:
        for path, value in _leaves(table):
            if path and (
                path[-1].lower() in _KEY_FIELDS or (isinstance(value, str) and scrub_patterns(value) != value)
            ):
                raise InvalidRoster(
                    f"{source}, line {line_of(text, place, path)}: field {'.'.join(path)!r} holds a key",
                    "take it out, revoke it if the file was shared, and name an environment variable in api_key_env",
                )


def _leaves(value: object, path: tuple[str, ...] = ()) -> list[tuple[tuple[str, ...], object]]:
    if isinstance(value, dict):
        return [leaf for name, inner in cast("dict[str, Any]", value).items() for leaf in _leaves(inner, (*path, name))]
    if isinstance(value, list):
        return [leaf for inner in cast("list[Any]", value) for leaf in _leaves(inner, path)]
    return [(path, value)]


def _nearest(path: tuple[str, ...], *, of_member: bool) -> str:
    """A hint at the field that was probably meant, or nothing."""
    if not of_member:
        return meant("".join(path[-1:]), ["name", "member"])
    return meant("".join(path[-1:]), RosterPrice.model_fields if len(path) > 1 else RosterMember.model_fields)


def _explain(error: ValidationError, text: str, source: str) -> InvalidRoster:
    first = error.errors(include_input=False, include_url=False)[0]
    place = next((part for part in first["loc"] if isinstance(part, int)), None)
    fields = tuple(str(part) for part in first["loc"] if isinstance(part, str) and part != "members")
    message = first["msg"].removeprefix("Value error, ")
    if first["type"] == "extra_forbidden":
        message = f"no such field{_nearest(fields, of_member=place is not None)}"
    named = next((word for word in RosterMember.model_fields if message.startswith(word)), None)
    shown = f" field {'.'.join(fields)!r}:" if fields else ""
    where = "" if place is None else f", member {place + 1}"
    line = line_of(text, place, fields or ((named,) if named else ()))
    return InvalidRoster(f"{source}, line {line}{where}:{shown} {message}", "see docs/fleet.md for every field")
