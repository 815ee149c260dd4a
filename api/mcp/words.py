"""What an agent is told when a call cannot be done: what is wrong, with which value, and what to do."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from api.problems import problem_of
from dissolution.errors import ChangedPast, DissolutionError, InputError, NotFound

MOST_CHARS = 80
"""Of a value that is named; a whole conversation need not be said back."""

PLAIN_NAME = "use a name without slashes and control characters that is more than dots and blanks"
"""The pattern of names, in words."""

MOST_TOLD = 5
"""Arguments that are named, at most."""


REMEDIES: Mapping[type[InputError], str] = {
    NotFound: "give a `job` that `dissolve` returned, or the name of a conversation that it stored",
    ChangedPast: "give the messages as they were stored with the new ones behind them, or choose another name in "
    "`conversation`",
}
"""What an agent does, where an error's own words are for people at a command line."""


def of_error(error: DissolutionError, tenant: str) -> str:
    """An error of the service. The tenant's mark before a conversation's name is left off."""
    if isinstance(error, InputError) and type(error) in REMEDIES:
        error = InputError(error.what, REMEDIES[type(error)])
    return problem_of(error, "", tenant).detail


def of_arguments(error: ValidationError, arguments: Mapping[str, Any], takes: type[BaseModel]) -> str:
    """Arguments that cannot be used, one sentence each."""
    found = error.errors(include_url=False, include_context=False)
    told = [_one(str(one["type"]), one["loc"], str(one["msg"]), one["input"], takes) for one in found[:MOST_TOLD]]
    if len(found) > MOST_TOLD:
        told.append(f"and {len(found) - MOST_TOLD} more")
    return "; ".join(dict.fromkeys(told)) if told else f"arguments {shortened(arguments)} cannot be used"


def _one(kind: str, place: tuple[int | str, ...], message: str, value: object, takes: type[BaseModel]) -> str:
    name = ".".join(map(str, place))
    said = message.removeprefix("Value error, ")
    if kind == "missing":
        return f"argument {name!r} is missing: give it"
    if kind == "extra_forbidden":
        return f"argument {name!r}: there is none of this name; there are {', '.join(takes.model_fields)}"
    if not name:
        return said
    if kind == "string_pattern_mismatch":
        said = PLAIN_NAME
    return f"argument {name!r}, value {shortened(value)}: {said[:1].lower()}{said[1:]}"


def shortened(value: object) -> str:
    """A value as it may stand in a sentence."""
    words = repr(value)
    return words if len(words) <= MOST_CHARS else f"{words[:MOST_CHARS]}…"
