"""What operators watch: counts over everything that is stored, with no content in them."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Protocol

from pydantic import AwareDatetime, Field

from dissolution.findings import Verdict
from dissolution.job import JobStatus
from dissolution.outbox import QueueCount
from dissolution.values import Frozen

Count = Annotated[int, Field(ge=0)]
Seconds = Annotated[float, Field(ge=0)]
Usd = Annotated[float, Field(ge=0)]

BOUNDS_S = (0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 900.0, 3600.0)
"""Upper bounds (s) of the classes that durations are counted in; what is longer is in none of them."""

IN_FLIGHT = "in_flight"
"""The outcome of a call that has not landed."""


class CallCount(Frozen):
    """Questions to one model with one outcome."""

    model: str
    outcome: str  # `in_flight`, a finish reason, or the class of a failure
    calls: Count
    input_tokens: Count  # known ones
    output_tokens: Count
    usd: Usd  # of calls whose cost is known


class Durations(Frozen):
    """How long something took."""

    count: Count
    sum_s: Seconds
    up_to: tuple[Count, ...]  # one a bound of BOUNDS_S: how many took at most so long


class Measures(Frozen):
    """One reading."""

    at: AwareDatetime
    jobs: Mapping[JobStatus, Count]
    queues: tuple[QueueCount, ...]
    oldest_step_at: AwareDatetime | None  # since when the oldest step that is ready or runs has been so; None: none is
    dead_steps: Count
    leases_ran_out: Count  # steps that were taken over from a process that died or stood still
    calls: tuple[CallCount, ...]
    quorum: Durations  # from the first question of a fan-out to the last answer that counted
    stages: Mapping[str, Durations]  # steps that are done, from their first start to their end
    verdicts: Mapping[Verdict, Count]
    spent_usd: Usd  # by language models, on all days
    spent_today_usd: Usd  # UTC
    reserved_usd: Usd  # by steps at work
    unpriced_calls: Count  # whose cost nobody knows


class MeasureReader(Protocol):
    """Reads what is stored, all of it, without changing anything."""

    def read(self, at: datetime) -> Measures:
        """Everything as it stands. Raises StoreError."""
        ...

    def clock(self) -> datetime:
        """What time it is where the data is (UTC). Raises StoreError."""
        ...
