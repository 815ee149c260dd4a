"""Half-open intervals on the two time axes, in turns and in instants."""

from datetime import datetime
from typing import Annotated

from pydantic import AwareDatetime, Field, model_validator

from dissolution.conversation import TurnNumber
from dissolution.values import Frozen


class TurnInterval(Frozen):
    """Half-open [start, end) in turns; open when `end` is None. With `end` equal to `start` it never held."""

    start: TurnNumber
    end: TurnNumber | None = None

    @model_validator(mode="after")
    def _runs_forward(self) -> "TurnInterval":
        if self.end is not None and self.end < self.start:
            message = f"interval [{self.start}, {self.end}) ends before it starts"
            raise ValueError(message)
        return self

    def holds_at(self, turn: int) -> bool:
        """Whether `turn` lies inside."""
        return self.start <= turn and (self.end is None or turn < self.end)


class InstantInterval(Frozen):
    """Half-open [start, end) in aware UTC instants; open when `end` is None."""

    start: AwareDatetime
    end: AwareDatetime | None = None

    @model_validator(mode="after")
    def _runs_forward(self) -> "InstantInterval":
        if self.end is not None and self.end < self.start:
            message = f"interval [{self.start}, {self.end}) ends before it starts"
            raise ValueError(message)
        return self

    def holds_at(self, instant: datetime) -> bool:
        """Whether the aware `instant` lies inside."""
        return self.start <= instant and (self.end is None or instant < self.end)


class Moment(Frozen):
    """A point on both axes; None means "now" on that axis.

    `turn` and `instant` stand on the valid axis (what held then): a claim must hold at both that are given; an instant
    says nothing about claims without a valid interval in instants. `version` or `recorded` stands on the recorded axis
    (what we held then): a version of the ledger, or an instant, never both.
    """

    turn: TurnNumber | None = None
    instant: AwareDatetime | None = None
    version: Annotated[int, Field(ge=1)] | None = None
    recorded: AwareDatetime | None = None

    @model_validator(mode="after")
    def _names_one_record(self) -> "Moment":
        if self.version is not None and self.recorded is not None:
            message = f"both version {self.version} and recorded {self.recorded.isoformat()} given; give one"
            raise ValueError(message)
        return self
