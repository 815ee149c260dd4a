"""Points in time as requests give them: on the valid axis and on the recorded one."""

from typing import Annotated

from fastapi import Depends, Query
from pydantic import AwareDatetime

from api.errors import InvalidRequest
from dissolution.intervals import Moment

LARGEST = 2**31 - 1
"""The largest number a column of whole numbers holds."""


def moment(
    turn: Annotated[int | None, Query(ge=1, le=LARGEST, description="What held at this turn.")] = None,
    instant: Annotated[AwareDatetime | None, Query(description="What held then.")] = None,
    version: Annotated[int | None, Query(ge=1, le=LARGEST, description="As known in this version.")] = None,
    recorded: Annotated[AwareDatetime | None, Query(description="As known then.")] = None,
) -> Moment:
    """The point in time; now, on an axis of which nothing is given. Raises InvalidRequest."""
    if version is not None and recorded is not None:
        raise InvalidRequest((("query.recorded", "give `version` or `recorded`, not both"),))
    return Moment(turn=turn, instant=instant, version=version, recorded=recorded)


At = Annotated[Moment, Depends(moment)]
