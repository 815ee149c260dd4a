"""What the in-memory adapters hold: plain mappings of frozen values, copied for each unit of work."""

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from datetime import date
from typing import NamedTuple, cast

from dissolution.answers import Answer, Call
from dissolution.boundary import BoundaryState
from dissolution.conversation import Conversation, ConversationId
from dissolution.ids import JobId
from dissolution.job import Job, JobEvent, Step
from dissolution.ledger import Erasure, LedgerEvent
from dissolution.money import DaySpending, Reservation
from dissolution.outbox import OutboxRow
from dissolution.premises import Register
from dissolution.recall_kinds import RecallKind
from dissolution.receipt.job_receipt import Receipt
from dissolution.service import ApiKey, IntakeRules, Replay
from dissolution.stability import Cell, StabilityRun
from dissolution.triggering import Evaluation, TriggerState, Watch
from dissolution.webhooks import Delivery, WebhookEndpoint
from store.rules.versioning import Dissenting, RecordedClaim

StepKey = tuple[str, str]
"""Job and stage."""
DayKey = tuple[date, str]
"""Day and tenant, empty for all together."""
CallKey = tuple[str, str, str, int]
"""Job, stage, member and ordinal."""
ReplayKey = tuple[str, str]
"""Client and idempotency key."""
OF_NO_CONVERSATION = frozenset({"erasures", "spending", "keys", "replays", "endpoints", "deliveries", "intake"})
"""Mappings whose keys name neither a conversation nor a job."""


class MemoryVersion(NamedTuple):
    """A version of a ledger with all rows it records, and those it added."""

    event: LedgerEvent
    boundary: str
    cycle: int
    held: tuple[RecordedClaim, ...]
    dissent: tuple[Dissenting, ...]
    added: tuple[RecordedClaim, ...]


@dataclass
class State:
    """All that is stored. Values are never changed in place, so a shallow copy of each mapping is a snapshot."""

    conversations: dict[str, Conversation] = field(default_factory=dict[str, Conversation])
    jobs: dict[str, Job] = field(default_factory=dict[str, Job])
    steps: dict[StepKey, Step] = field(default_factory=dict[StepKey, Step])
    outbox: dict[StepKey, OutboxRow] = field(default_factory=dict[StepKey, OutboxRow])  # oldest first
    reservations: dict[StepKey, Reservation] = field(default_factory=dict[StepKey, Reservation])
    spending: dict[DayKey, DaySpending] = field(default_factory=dict[DayKey, DaySpending])
    calls: dict[CallKey, Call] = field(default_factory=dict[CallKey, Call])
    answers: dict[str, tuple[Answer, ...]] = field(default_factory=dict[str, tuple[Answer, ...]])
    events: dict[str, tuple[JobEvent, ...]] = field(default_factory=dict[str, tuple[JobEvent, ...]])
    boundaries: dict[str, BoundaryState] = field(default_factory=dict[str, BoundaryState])  # candidates, by job
    ledgers: dict[str, tuple[MemoryVersion, ...]] = field(default_factory=dict[str, tuple[MemoryVersion, ...]])
    registers: dict[str, Register] = field(default_factory=dict[str, Register])
    keys: dict[str, ApiKey] = field(default_factory=dict[str, ApiKey])
    replays: dict[ReplayKey, Replay] = field(default_factory=dict[ReplayKey, Replay])
    endpoints: dict[str, WebhookEndpoint] = field(default_factory=dict[str, WebhookEndpoint])
    deliveries: dict[str, Delivery] = field(default_factory=dict[str, Delivery])
    intake: dict[str, IntakeRules] = field(default_factory=dict[str, IntakeRules])  # by tenant
    receipts: dict[str, tuple[Receipt, ...]] = field(default_factory=dict[str, tuple[Receipt, ...]])
    watches: dict[str, Watch] = field(default_factory=dict[str, Watch])
    trigger_states: dict[str, TriggerState] = field(default_factory=dict[str, TriggerState])
    evaluations: dict[tuple[str, int], Evaluation] = field(default_factory=dict[tuple[str, int], Evaluation])
    stability_runs: dict[tuple[str, str], StabilityRun] = field(default_factory=dict[tuple[str, str], StabilityRun])
    stability_cells: dict[tuple[str, str, str], Cell] = field(default_factory=dict[tuple[str, str, str], Cell])
    vectors: dict[tuple[str, RecallKind, str, int], tuple[int, str, bytes]] = field(
        default_factory=dict[tuple[str, RecallKind, str, int], tuple[int, str, bytes]]
    )  # by conversation, kind, name and part: place, digest of the stamp, float16
    erasures: dict[int, Erasure] = field(default_factory=dict[int, Erasure])  # by number, oldest first

    def copy(self) -> "State":
        """A state that changes apart from this one."""
        return replace(self, **{name: dict(mapping) for name, mapping in vars(self).items()})

    def forget(self, conversation: ConversationId, jobs: Collection[JobId]) -> None:
        """Remove a conversation and all of its jobs: every other mapping is keyed by one of them, alone or first."""
        gone = {conversation, *jobs}
        for name, mapping in cast("dict[str, dict[str | tuple[str], object]]", vars(self)).items():
            if name not in OF_NO_CONVERSATION:
                for key in [key for key in mapping if (key if isinstance(key, str) else key[0]) in gone]:
                    del mapping[key]
        for told in cast("tuple[dict[object, Replay | Delivery], ...]", (self.replays, self.deliveries)):
            for key in [key for key, one in told.items() if one.conversation == conversation]:
                del told[key]
