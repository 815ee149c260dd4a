"""BoundaryStore in memory; see `store.sql.boundaries` for what each method promises."""

from collections.abc import Sequence
from datetime import datetime
from typing import cast

from dissolution.boundary import BoundaryState
from dissolution.claims import Claim, ClaimId, Dissent
from dissolution.conversation import ConversationId, chained_digests
from dissolution.errors import AlreadyCommitted, NotFound
from dissolution.ids import JobId
from dissolution.job import Job
from dissolution.receipt.job_receipt import Receipt
from store.memory_jobs import MemoryJobs
from store.memory_ledger import MemoryLedger
from store.memory_state import State
from store.rules.checks import UNIQUE_CLAIM, check_candidate, check_evidence, check_job, quotes
from store.rules.commitments_kept import check_kept
from store.rules.ledger_views import commit_event, shown
from store.rules.versioning import commit_instant, plan_commit
from store.tables.columns import utc


class MemoryBoundaries:
    """Boundaries in one unit of work."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._ledger = MemoryLedger(state)

    def commit(self, boundary: BoundaryState, receipt: Receipt, expected_version: int, at: datetime) -> BoundaryState:
        """Commit a candidate as the ledger's next version; raises what `SqlBoundaries.commit` raises."""
        instant = utc(at)
        job = MemoryJobs(self._state).get(boundary.job)
        self._refuse_second(boundary.job)
        check_candidate(boundary, receipt, job)
        before = self._ledger.expect(boundary.conversation, expected_version)
        held, dissent = (before.held, before.dissent) if before else ((), ())
        check_kept(held, boundary)
        cycle = before.cycle + 1 if before else 1
        plan = plan_commit(held, dissent, boundary, expected_version + 1, cycle)
        self._check_turns(boundary, job, [one.claim for one in held], [one.dissent for one in dissent])
        event = commit_event(boundary, expected_version + 1, commit_instant(instant, before and before.event.at))
        self._state.boundaries[boundary.job] = boundary
        self._ledger.add(event, boundary.job, cycle, plan, before)
        self._add_receipt(receipt)
        return self._ledger.at_version(boundary.conversation, event.version)

    def current(self, conversation: ConversationId) -> BoundaryState | None:
        """The boundary as the newest version of the ledger shows it, or None."""
        versions = self._ledger.versions(conversation)
        return self._ledger.boundary_at(versions[-1]) if versions else None

    def as_recorded(self, conversation: ConversationId, at: datetime) -> BoundaryState | None:
        """The boundary that was current at instant `at`, or None."""
        known = self._ledger.known_at(conversation, at)
        return None if known is None else self._ledger.boundary_at(known)

    def by_job(self, job: JobId) -> BoundaryState | None:
        """The boundary a job committed, or None."""
        boundary = self._state.boundaries.get(job)
        if boundary is None:
            return None
        versions = self._ledger.versions(boundary.conversation)
        return self._ledger.boundary_at(next(one for one in versions if one.event.job == job))

    def version(self, conversation: ConversationId) -> int:
        """The newest version of the ledger, 0 while it is empty."""
        return len(self._ledger.versions(conversation))

    def claim(self, claim: ClaimId) -> tuple[Claim | Dissent, BoundaryState]:
        """A claim or dissent by id or unique id prefix, with the boundary it came with. Raises NotFound."""
        claims: dict[str, tuple[Claim | Dissent, str]] = {}  # by id, as it was recorded at last
        dissent: dict[str, tuple[Claim | Dissent, str]] = {}
        for one in (version for versions in self._state.ledgers.values() for version in versions):
            claims |= {held.claim.id: (shown(held, one.cycle), held.job) for held in one.held}
            dissent |= {other.dissent.id: (other.dissent, other.job) for other in one.dissent}
        every = dissent | claims
        named = [claim] if claim in every else [name for name in every if name.startswith(claim)]
        if len(named) != 1:
            raise NotFound(UNIQUE_CLAIM, claim)
        owner, job = every[named[0]]
        return owner, cast("BoundaryState", self.by_job(job))  # a row comes with a job that committed

    def save_receipt(self, receipt: Receipt) -> None:
        """Store the receipt of a job that ended without a boundary. Raises NotFound, AlreadyCommitted."""
        MemoryJobs(self._state).get(receipt.job)
        self._refuse_second(receipt.job)
        self._add_receipt(receipt)

    def receipt(self, job: JobId) -> Receipt | None:
        """The receipt of a job that has ended, the newest if it ended more than once, or None."""
        return next(reversed(self._state.receipts.get(job, ())), None)

    def _refuse_second(self, job: JobId) -> None:
        if job in self._state.boundaries:
            raise AlreadyCommitted(job)

    def _check_turns(
        self, boundary: BoundaryState, job: Job, held: Sequence[Claim], dissent: Sequence[Dissent]
    ) -> None:
        turns = self._state.conversations[boundary.conversation].turns
        check_job(job, chained_digests(turns[: job.through])[-1])
        contents = {turn.number: turn.content for turn in turns}
        check_evidence(quotes(boundary, (*held, *dissent)), boundary.through, contents.get)

    def _add_receipt(self, receipt: Receipt) -> None:
        self._state.receipts[receipt.job] = (*self._state.receipts.get(receipt.job, ()), receipt)
