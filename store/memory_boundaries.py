"""BoundaryStore in memory; see `store.boundaries` for what each method promises."""

from datetime import datetime

from dissolution.boundary import BoundaryState
from dissolution.claims import Claim, Dissent
from dissolution.conversation import chained_digests
from dissolution.errors import AlreadyCommitted, NotFound, VersionConflict
from dissolution.job import Job
from dissolution.receipt import Receipt
from store.checks import UNIQUE_CLAIM, check_candidate, check_evidence, check_job
from store.columns import utc
from store.ledger import OpenRow, change, commit_instant
from store.memory_jobs import MemoryJobs
from store.memory_state import LedgerRow, State


class MemoryBoundaries:
    """Boundaries in one unit of work."""

    def __init__(self, state: State) -> None:
        self._state = state

    def commit(self, boundary: BoundaryState, receipt: Receipt, expected_version: int, at: datetime) -> BoundaryState:
        """Commit a candidate and close the claims it replaces; raises what `SqlBoundaries.commit` raises."""
        instant = utc(at)
        job = MemoryJobs(self._state).get(boundary.job)
        self._refuse_second(boundary.job)
        check_candidate(boundary, receipt, job)
        newest = self.current(boundary.conversation)
        present = self.version(boundary.conversation)
        if present != expected_version:
            raise VersionConflict(boundary.conversation, expected_version, present)
        self._check_turns(boundary, job)
        committed_at = commit_instant(instant, newest.committed_at if newest else None)
        committed = boundary.model_copy(update={"version": present + 1, "committed_at": committed_at})
        self._state.members[boundary.job] = self._move_ledger(boundary, newest.job if newest else None, committed_at)
        self._state.boundaries[boundary.job] = committed
        self._add_receipt(receipt)
        return committed

    def current(self, conversation: str) -> BoundaryState | None:
        """The newest boundary, or None."""
        return next(reversed(self._of(conversation)), None)

    def as_recorded(self, conversation: str, at: datetime) -> BoundaryState | None:
        """The boundary that was the newest at instant `at`, or None."""
        instant = utc(at)
        known = (one for one in reversed(self._of(conversation)) if one.committed_at and one.committed_at <= instant)
        return next(known, None)

    def by_job(self, job: str) -> BoundaryState | None:
        """The boundary a job committed, or None."""
        return self._state.boundaries.get(job)

    def version(self, conversation: str) -> int:
        """The version of the newest boundary, 0 when there is none."""
        return len(self._of(conversation))

    def claim(self, claim: str) -> tuple[Claim | Dissent, BoundaryState]:
        """A claim or dissent by id or unique id prefix, with the boundary it came with. Raises NotFound."""
        dissenting = [(one, job) for job, boundary in self._state.boundaries.items() for one in boundary.dissent]
        claims = [(row.claim, row.job) for row in self._state.ledger.values()]
        every: list[tuple[Claim | Dissent, str]] = [*dissenting, *claims]  # claims last: looked at first
        ids = {owner.id for owner, _ in every}
        named = {claim} if claim in ids else {one for one in ids if one.startswith(claim)}
        if len(named) != 1:
            raise NotFound(UNIQUE_CLAIM, claim)
        owner, job = next((owner, job) for owner, job in reversed(every) if owner.id in named)
        return owner, self._state.boundaries[job]

    def save_receipt(self, receipt: Receipt) -> None:
        """Store the receipt of a job that ended without a boundary. Raises NotFound, AlreadyCommitted."""
        MemoryJobs(self._state).get(receipt.job)
        self._refuse_second(receipt.job)
        self._add_receipt(receipt)

    def receipt(self, job: str) -> Receipt | None:
        """The receipt of a job that has ended, the newest if it ended more than once, or None."""
        return next(reversed(self._state.receipts.get(job, ())), None)

    def _refuse_second(self, job: str) -> None:
        if job in self._state.boundaries:
            raise AlreadyCommitted(job)

    def _check_turns(self, boundary: BoundaryState, job: Job) -> None:
        turns = self._state.conversations[boundary.conversation].turns
        check_job(job, chained_digests(turns[: job.through])[-1])
        contents = {turn.number: turn.content for turn in turns}
        check_evidence(boundary, contents.get)

    def _move_ledger(self, boundary: BoundaryState, before: str | None, at: datetime) -> tuple[int, ...]:
        ledger = self._state.ledger
        held = [OpenRow(row, ledger[row].claim) for row in (self._state.members[before] if before else ())]
        changed = change(held, boundary.claims)
        for row in changed.closes:
            ledger[row] = ledger[row]._replace(recorded_to=at)
        rows: list[int] = []
        for claim, row in zip(boundary.claims, changed.goes_on, strict=True):
            number = len(ledger) + 1 if row is None else row
            if row is None:
                ledger[number] = LedgerRow(claim, boundary.job, at, None)
            rows.append(number)
        return tuple(rows)

    def _add_receipt(self, receipt: Receipt) -> None:
        self._state.receipts[receipt.job] = (*self._state.receipts.get(receipt.job, ()), receipt)

    def _of(self, conversation: str) -> list[BoundaryState]:
        return [one for one in self._state.boundaries.values() if one.conversation == conversation]
