"""What the in-memory adapters hold: plain mappings of frozen values, copied for each unit of work."""

from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import NamedTuple

from dissolution.answers import Answer, Call
from dissolution.boundary import BoundaryState
from dissolution.claims import Claim
from dissolution.conversation import Conversation
from dissolution.job import Job, JobEvent, Step
from dissolution.outbox import OutboxRow
from dissolution.receipt import Receipt

StepKey = tuple[str, str]
"""Job and stage."""
CallKey = tuple[str, str, str, int]
"""Job, stage, member and ordinal."""


class LedgerRow(NamedTuple):
    """A claim with its recorded interval and the job that brought it."""

    claim: Claim
    job: str
    recorded_from: datetime
    recorded_to: datetime | None


@dataclass
class State:
    """All that is stored. Values are never changed in place, so a shallow copy of each mapping is a snapshot."""

    conversations: dict[str, Conversation] = field(default_factory=dict[str, Conversation])
    jobs: dict[str, Job] = field(default_factory=dict[str, Job])
    steps: dict[StepKey, Step] = field(default_factory=dict[StepKey, Step])
    outbox: dict[StepKey, OutboxRow] = field(default_factory=dict[StepKey, OutboxRow])  # oldest first
    calls: dict[CallKey, Call] = field(default_factory=dict[CallKey, Call])
    answers: dict[str, tuple[Answer, ...]] = field(default_factory=dict[str, tuple[Answer, ...]])
    events: dict[str, tuple[JobEvent, ...]] = field(default_factory=dict[str, tuple[JobEvent, ...]])
    boundaries: dict[str, BoundaryState] = field(default_factory=dict[str, BoundaryState])  # by job, oldest first
    ledger: dict[int, LedgerRow] = field(default_factory=dict[int, LedgerRow])  # by row number, from 1
    members: dict[str, tuple[int, ...]] = field(default_factory=dict[str, tuple[int, ...]])  # rows of a boundary
    receipts: dict[str, tuple[Receipt, ...]] = field(default_factory=dict[str, tuple[Receipt, ...]])

    def copy(self) -> "State":
        """A state that changes apart from this one."""
        return replace(self, **{name: dict(mapping) for name, mapping in vars(self).items()})
