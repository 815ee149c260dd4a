"""Points in time as requests give them: on the valid axis and on the recorded one."""

import re
from datetime import UTC, datetime
from typing import Annotated

from fastapi import Depends, Query
from pydantic import AfterValidator, AwareDatetime, BeforeValidator

from api.errors import InvalidRequest
from dissolution.intervals import Moment

LARGEST = 2**31 - 1
"""The largest number a column of whole numbers holds."""


ISO = re.compile(r"\d{4}-\d\d-\d\d[Tt ].*")


def _written_out(value: object) -> object:
    """Refuse numbers, which the parser would take for seconds since 1970."""
    if isinstance(value, str) and ISO.fullmatch(value) is None:
        message = "write it as in 2026-03-01T09:00:00Z"
        raise ValueError(message)
    return value


def _in_utc(value: datetime) -> datetime:
    """The same instant in UTC; refuses those that the calendar has no UTC for."""
    try:
        return value.astimezone(UTC)
    except OverflowError:
        message = "is outside the calendar"
        raise ValueError(message) from None


Instant = Annotated[AwareDatetime, BeforeValidator(_written_out), AfterValidator(_in_utc)]
"""An instant with its zone, in ISO 8601."""


def moment(
    turn: Annotated[int | None, Query(ge=1, le=LARGEST, description="What held at this turn.")] = None,
    instant: Annotated[Instant | None, Query(description="What held then.")] = None,
    version: Annotated[int | None, Query(ge=1, le=LARGEST, description="As known in this version.")] = None,
    recorded: Annotated[Instant | None, Query(description="As known then.")] = None,
) -> Moment:
    """The point in time; now, on an axis of which nothing is given. Raises InvalidRequest."""
    if version is not None and recorded is not None:
        raise InvalidRequest((("query.recorded", "give `version` or `recorded`, not both"),))
    return Moment(turn=turn, instant=instant, version=version, recorded=recorded)


At = Annotated[Moment, Depends(moment)]
