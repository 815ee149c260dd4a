"""What is checked at the store's door, whatever the callers did: pure functions, shared by all adapters."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import NoReturn

from dissolution.answers import Call
from dissolution.boundary import BoundaryState
from dissolution.claims import Claim, Dissent, Evidence
from dissolution.conversation import Conversation, ConversationId, Redaction, Turn
from dissolution.errors import (
    ChangedPast,
    EvidenceMismatch,
    IllegalMove,
    InvalidConversation,
    NotFound,
    SnapshotMismatch,
)
from dissolution.findings import COMMITTED
from dissolution.ids import JobId
from dissolution.job import Job, JobStatus, StepStatus
from dissolution.receipt.job_receipt import Receipt

ONLY_READS = "this unit of work only reads; ask the factory for another"
"""What is said to who commits a unit of work that only reads."""

CALL = "call"
"""What messages call a call."""

UNIQUE_CLAIM = "claim or dissent whose id alone begins with"
"""What NotFound names when an id prefix fits none or several."""

UNTRIED: Mapping[str, object] = {
    "status": StepStatus.QUEUED,
    "attempts": 0,
    "owner": None,
    "lease_until": None,
    "started_at": None,
    "ended_at": None,
    "reason": None,
}
"""What a step is again when it is put back to queued: epoch and output stay, so old leases stay worthless."""

CONVERSATION = "conversation"
VERSION = "version of the ledger"
"""What NotFound names when there is none of this name or number."""

_ENDED_WITHOUT = frozenset({JobStatus.HISTORY_KEPT, JobStatus.FAILED, JobStatus.CANCELLED})


def turns_behind(
    conversation: ConversationId, turns: Sequence[Turn], stored: Mapping[int, str], redactions: Sequence[Redaction]
) -> tuple[Turn, ...]:
    """The given turns that are not stored yet, when `stored` has the digests of stored turns from the one before on.

    Raises ChangedPast for a stored turn that differs, InvalidConversation for a number that does not follow the one
    before it, or a redaction of no given turn.
    """
    last = max(stored, default=0)
    for before, turn in zip([None, *turns], turns, strict=False):
        follows = before is None or turn.number == before.number + 1
        if not follows or (turn.number > last + 1 and before is None):
            wanted = last + 1 if before is None else before.number + 1
            raise InvalidConversation(f"turn number {turn.number}", f"{wanted} is next in {conversation!r}")
        if turn.number in stored and stored[turn.number] != turn.digest:
            raise ChangedPast(conversation, turn.number)
    numbers = {turn.number for turn in turns}
    for redaction in redactions:
        if redaction.turn not in numbers:
            raise InvalidConversation(f"redaction in turn {redaction.turn}", "name turns that are given")
    return tuple(turn for turn in turns if turn.number > last)


def new_turns(conversation: Conversation, stored: Sequence[str]) -> tuple[Turn, ...]:
    """The turns that are not stored yet, given the digests of those that are, from turn 1 on.

    Raises ChangedPast for the first stored turn that differs, InvalidConversation for a redaction of no turn.
    """
    for turn, digest in zip(conversation.turns, stored, strict=False):
        if turn.digest != digest:
            raise ChangedPast(conversation.id, turn.number)
    last = len(conversation.turns)
    for redaction in conversation.redactions:
        if redaction.turn > last:
            raise InvalidConversation(f"redaction in turn {redaction.turn}", f"the last turn is {last}")
    return conversation.turns[len(stored) :]


def check_job(job: Job, stored_digest: str | None) -> None:
    """Raise SnapshotMismatch unless the job's snapshot is what is stored (None: no such turn)."""
    if job.snapshot_digest != stored_digest:
        raise SnapshotMismatch(job.id, job.conversation, job.through)


def check_stages(job: JobId, stages: Sequence[str], present: Sequence[str]) -> None:
    """Raise NotFound for the first of these stages that the job does not have."""
    unknown = next((stage for stage in stages if stage not in present), None)
    if unknown is not None:
        kind = "step"
        raise NotFound(kind, f"{job}/{unknown}")


def call_name(job: JobId, stage: str, member: str, ordinal: int) -> str:
    """How a message names a call."""
    return f"{job}/{stage}/{member}#{ordinal}"


def refuse_landed(call: Call) -> NoReturn:
    """Raise IllegalMove: what has landed is not asked again (rule 2)."""
    present, wanted = "landed", "asked"
    raise IllegalMove(CALL, call_name(call.job, call.stage, call.member.name, call.ordinal), present, wanted)


def check_call(call: Call) -> None:
    """Raise IllegalMove for a call to begin that already carries a result."""
    if call.landed_at is not None or call.reply is not None or call.failure is not None:
        refuse_landed(call)


def check_candidate(boundary: BoundaryState, receipt: Receipt, job: Job) -> None:
    """Whether this may become a boundary at all (rule 1).

    Raises:
        ValueError: boundary, receipt and job are not about the same job and conversation.
        IllegalMove: the verdict is no commit, the candidate is empty, or the job ended without a boundary.
        SnapshotMismatch: the boundary is about another snapshot than its job.
    """
    names = {(boundary.job, boundary.conversation), (receipt.job, receipt.conversation), (job.id, job.conversation)}
    if len(names) > 1:
        message = f"boundary, receipt and job belong together, not {sorted(names)!r}; commit what one job made"
        raise ValueError(message)
    kind, committed = "boundary", JobStatus.COMMITTED
    if boundary.decision.verdict not in COMMITTED:
        raise IllegalMove(kind, job.id, boundary.decision.verdict, committed)
    if not boundary.claims and not boundary.excerpts:
        present = "empty"
        raise IllegalMove(kind, job.id, present, committed)
    if job.status in _ENDED_WITHOUT:
        ended = "job"
        raise IllegalMove(ended, job.id, job.status, committed)
    if (boundary.through, boundary.snapshot_digest) != (job.through, job.snapshot_digest):
        raise SnapshotMismatch(job.id, boundary.conversation, boundary.through)


def quotes(boundary: BoundaryState, known: Iterable[Claim | Dissent] = ()) -> tuple[tuple[str, Evidence], ...]:
    """Each quote of the candidate with the id of the claim or dissent it is for, excerpts with their turn.

    Args:
        boundary: The candidate: its claims, dissent and excerpts, the words that close claims, and those that changes
            rest on.
        known: What the ledger holds: its quotes were checked when they came and are left out.
    """
    checked = {owner.id: frozenset(owner.evidence) for owner in known}
    owned = (
        (owner.id, piece)
        for owner in chain(boundary.claims, boundary.closed, boundary.dissent)
        for piece in owner.evidence
        if piece not in checked.get(owner.id, ())
    )
    closing = ((claim.id, piece) for claim in boundary.closed if claim.closing for piece in claim.closing.evidence)
    changing = ((change.claim, piece) for change in boundary.changes for piece in change.evidence)
    excerpts = ((f"excerpt of turn {piece.turn}", piece) for piece in boundary.excerpts)
    return tuple(dict.fromkeys(chain(owned, closing, changing, excerpts)))


def check_evidence(pieces: Iterable[tuple[str, Evidence]], through: int, content: Callable[[int], str | None]) -> None:
    """Raise EvidenceMismatch for the first quote that does not stand verbatim within the snapshot (rule 3).

    Args:
        pieces: From `quotes`.
        through: The snapshot's last turn.
        content: The stored content of a turn, None when there is no such turn.
    """

    def stands(piece: Evidence) -> bool:
        text = content(piece.turn)
        return text is not None and piece.turn <= through and text[piece.start : piece.end] == piece.text

    for owner, piece in pieces:
        if not stands(piece):
            raise EvidenceMismatch(owner, piece.turn, piece.start, piece.end)
