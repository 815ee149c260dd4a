"""Ports of the store: what is kept, and the transaction around it. Its adapters pass the suites in tests/contract."""

from collections.abc import Collection, Sequence
from datetime import datetime
from types import TracebackType
from typing import Protocol, Self

from dissolution.answers import Answer, Call, MemberFailure, Reply
from dissolution.boundary import BoundaryState
from dissolution.claims import Claim, ClaimId, Dissent
from dissolution.conversation import Conversation, ConversationId, KnownSecret, Redaction, Snapshot, Turn, TurnNumber
from dissolution.ids import JobId
from dissolution.job import Job, JobEvent, JobStatus, Lease, Step
from dissolution.money import MoneyStore
from dissolution.outbox import Outbox
from dissolution.ports.frame import FrameStore
from dissolution.ports.ledger import LedgerStore
from dissolution.ports.recall import RecallStore
from dissolution.ports.triggers import TriggerStore
from dissolution.receipt.job_receipt import Receipt
from dissolution.service import ServiceStore
from dissolution.stability import StabilityStore


class ConversationStore(Protocol):
    """Conversations, only ever added to."""

    def extend(self, conversation: Conversation) -> int:
        """Store it, or add the turns that are new (fewer, all equal: none); how many were. Raises ChangedPast."""
        ...

    def append(
        self,
        conversation: ConversationId,
        turns: Sequence[Turn],
        redactions: Sequence[Redaction] = (),
        known: Sequence[KnownSecret] = (),
    ) -> int:
        """Add turns behind the stored ones at a cost that does not grow with the conversation; how many were added.

        Title and language stay; turns that are stored already add nothing. Raises NotFound, ChangedPast,
        InvalidConversation (a number that does not follow).
        """
        ...

    def get(self, conversation: ConversationId) -> Conversation:
        """The whole conversation. Raises NotFound."""
        ...

    def snapshot(self, conversation: ConversationId, through: TurnNumber, digest: str) -> Snapshot:
        """The turns up to `through` that a job works on, whose digest it has. Raises NotFound, UnknownTurn."""
        ...

    def text_bytes(self, conversation: ConversationId, through: TurnNumber) -> int:
        """Bytes of the text of its turns up to `through` (UTF-8), read without the text; 0 when nothing is stored."""
        ...

    def known(self, conversation: ConversationId) -> tuple[KnownSecret, ...]:
        """What recognises the conversation's secrets, as they were met; empty for one that is not stored."""
        ...

    def ids(self) -> tuple[ConversationId, ...]:
        """All conversation ids, in alphabetical order."""
        ...

    def untouched_since(self, before: datetime) -> tuple[ConversationId, ...]:
        """Ids of conversations whose newest turn was said (or, unknown, recorded) before an instant, oldest first."""
        ...


class JobStore(Protocol):
    """Jobs, steps, calls and answers. Every change is inside the unit of work it came from."""

    def add(self, job: Job, stages: Sequence[str]) -> None:
        """Store a queued job with one queued step a stage."""
        ...

    def get(self, job: JobId) -> Job:
        """The job. Raises NotFound."""
        ...

    def find(self, prefix: str) -> tuple[Job, ...]:
        """Jobs whose id starts with `prefix`, or whose conversation is exactly `prefix`; newest first."""
        ...

    def unfinished(self, limit: int | None = None) -> tuple[Job, ...]:
        """Jobs that have not ended, oldest first; at most `limit` of them, if one is given."""
        ...

    def move(self, job: JobId, status: JobStatus, at: datetime, reason: str | None = None) -> Job:
        """Change a job's status; one that ends is rung for no more. Raises IllegalMove, NotFound."""
        ...

    def set_hold(self, job: JobId, hold: bool) -> Job:  # noqa: FBT001 - one value of one named setting
        """Say whether a job stops before its commit and waits for a person. Raises NotFound, IllegalMove (ended)."""
        ...

    def reopen(self, job: JobId, stages: Sequence[str], at: datetime, expected_version: int) -> Job:
        """Put done and dead steps of these stages back to queued, and build the job on another version of the ledger.

        They are as if never tried, but keep their epoch (old leases stay worthless) and their output until another
        is written over it. Steps that are queued or running stay as they are, and so does the job's status.

        Raises NotFound (job or stage), IllegalMove (the job has ended).
        """
        ...

    def steps(self, job: JobId) -> tuple[Step, ...]:
        """The steps of a job in the order they were added."""
        ...

    def claim(self, job: JobId, stage: str, owner: str, at: datetime, lease_s: float) -> Lease | None:
        """Take a step that is queued, or whose lease ran out; counts the attempt. None when it is not to be had.

        A job that has ended or waits for a person gives none.
        """
        ...

    def renew(self, lease: Lease, at: datetime, lease_s: float) -> Lease:
        """Hold on for `lease_s` more seconds from `at`. Raises LeaseLost, also when the job has ended meanwhile."""
        ...

    def renew_all(self, leases: Sequence[Lease], at: datetime, lease_s: float) -> tuple[Lease, ...]:
        """As `renew` for many at once; those that are still held, and nothing of the others."""
        ...

    def ended(self, jobs: Collection[JobId]) -> frozenset[JobId]:
        """Which of these jobs have ended; those that are not stored have not."""
        ...

    def complete(self, lease: Lease, at: datetime, output: str) -> None:
        """Finish a step with its output (JSON text), under the fence. Raises LeaseLost."""
        ...

    def release(self, lease: Lease, at: datetime, reason: str, *, counted: bool = True) -> None:
        """Give a step back as queued; an attempt that does not count, such as one that was interrupted, is taken off.

        Raises LeaseLost.
        """
        ...

    def bury(self, lease: Lease, at: datetime, reason: str) -> None:
        """Declare a step dead with its reason. Raises LeaseLost."""
        ...

    def begin_call(self, call: Call) -> None:
        """Record that a member is about to be asked; repeating it for a call that has not landed is no error."""
        ...

    def begin_calls(self, calls: Sequence[Call], /) -> None:
        """As `begin_call` for several at once; at least one."""
        ...

    def land_call(
        self,
        *,
        job: JobId,
        stage: str,
        member: str,
        ordinal: int,
        at: datetime,
        result: Reply | MemberFailure,
        late: bool,
    ) -> None:
        """Store a reply or failure the moment it lands; what has landed keeps its first result. Raises NotFound."""
        ...

    def end_calls(
        self, job: JobId, stage: str, places: Sequence[tuple[str, int]], at: datetime, failure: MemberFailure
    ) -> None:
        """As `land_call` with one failure for several calls of a step, by member and ordinal."""
        ...

    def calls(self, job: JobId, stage: str | None = None) -> tuple[Call, ...]:
        """All calls of one step, or of all, by member name and ordinal."""
        ...

    def save_answers(self, job: JobId, answers: Sequence[Answer], *, first: bool = False) -> None:
        """Store what was parsed; replaces what an earlier attempt of the same job parsed.

        Args:
            job: Whose answers they are.
            answers: All of them.
            first: Whether no attempt has stored any before: then there is nothing to replace.
        """
        ...

    def answers(self, job: JobId) -> tuple[Answer, ...]:
        """The parsed answers of a job, by member name."""
        ...

    def record(self, job: JobId, at: datetime, kind: str, detail: str = "") -> None:
        """Append an event, and let nobody else change the job or its steps until the transaction ends.

        `detail` holds no content of conversations.
        """
        ...

    def events(self, job: JobId, after: int = 0) -> tuple[JobEvent, ...]:
        """Events with a number above `after`, in order."""
        ...


class BoundaryStore(Protocol):
    """Committed boundaries, their claims on both time axes, dissent and receipts."""

    def commit(self, boundary: BoundaryState, receipt: Receipt, expected_version: int, at: datetime) -> BoundaryState:
        """Commit a candidate as the next version of its conversation's ledger, all or nothing.

        Its claims are the whole open part, its `closed` the claims that end, its `changes` what became of each. What
        comes back is what a later reading gives: claims in their places, support and a person's marks never less than
        before, dissent that it does not mention kept unless it was promoted.

        Raises AlreadyCommitted when the job has a boundary, VersionConflict when the ledger is not at
        `expected_version` (0 = empty), TemporalError when a held claim would be lost or demoted.
        """
        ...

    def current(self, conversation: ConversationId) -> BoundaryState | None:
        """The boundary as the newest version of the ledger shows it, or None."""
        ...

    def as_recorded(self, conversation: ConversationId, at: datetime) -> BoundaryState | None:
        """The boundary that was current at instant `at`, as it was known then, or None."""
        ...

    def by_job(self, job: JobId) -> BoundaryState | None:
        """The boundary a job committed, as it was committed, or None."""
        ...

    def version(self, conversation: ConversationId) -> int:
        """The newest version of the ledger, 0 while it is empty."""
        ...

    def claim(self, claim: ClaimId) -> tuple[Claim | Dissent, BoundaryState]:
        """A claim or dissent by id or unique id prefix, with the boundary it came with. Raises NotFound."""
        ...

    def save_receipt(self, receipt: Receipt) -> None:
        """Store the receipt of a job that ended without a boundary."""
        ...

    def receipt(self, job: JobId) -> Receipt | None:
        """The receipt of a job that has ended, or None."""
        ...


class UnitOfWork(Protocol):
    """One transaction: leaving the block without `commit` rolls everything back."""

    @property
    def conversations(self) -> ConversationStore:
        """Conversations in this transaction."""
        ...

    @property
    def jobs(self) -> JobStore:
        """Jobs in this transaction."""
        ...

    @property
    def boundaries(self) -> BoundaryStore:
        """Boundaries in this transaction."""
        ...

    @property
    def ledger(self) -> LedgerStore:
        """Ledgers in this transaction."""
        ...

    @property
    def recall(self) -> RecallStore:
        """What recall reads, and the vectors of texts, in this transaction."""
        ...

    @property
    def outbox(self) -> Outbox:
        """Rings in this transaction."""
        ...

    @property
    def money(self) -> MoneyStore:
        """Money in this transaction."""
        ...

    @property
    def frames(self) -> FrameStore:
        """Assumption registers in this transaction."""
        ...

    @property
    def service(self) -> ServiceStore:
        """Keys, answered requests, webhooks, rules of intake and pages, in this transaction."""
        ...

    @property
    def triggers(self) -> TriggerStore:
        """Triggers in this transaction."""
        ...

    @property
    def stability(self) -> StabilityStore:
        """Stability runs in this transaction."""
        ...

    def installation_key(self) -> bytes:
        """32 secret random bytes of this database, made on first use: keys placeholders and delimiters."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None, /
    ) -> None: ...

    def commit(self) -> None:
        """Make everything in the block durable."""
        ...


class UnitOfWorkFactory(Protocol):
    """Opens units of work."""

    def __call__(self) -> UnitOfWork:
        """A new one; use it in a `with` block."""
        ...

    def reading(self) -> UnitOfWork:
        """A new one that only reads: it waits for no writer, no writer waits for it, and a write in it is refused."""
        ...
