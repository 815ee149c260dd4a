"""BoundaryStore over SQL: one transaction commits a boundary as the next version of its ledger; nothing is deleted."""

from collections.abc import Sequence
from datetime import datetime
from typing import cast

from sqlalchemy import Connection, Table, func, insert, select

from dissolution.boundary import BoundaryState
from dissolution.claims import Claim, ClaimId, Dissent
from dissolution.conversation import ConversationId
from dissolution.errors import AlreadyCommitted, NotFound
from dissolution.ids import JobId
from dissolution.job import Job
from dissolution.receipt.job_receipt import Receipt
from store.rules.checks import UNIQUE_CLAIM, check_candidate, check_evidence, check_job, quotes
from store.rules.commitments_kept import check_kept
from store.rules.ledger_views import commit_event, committed, shown
from store.rules.versioning import Dissenting, RecordedClaim, plan_commit
from store.sql.jobs import SqlJobs
from store.sql.ledger_reading import dissent_at, held_at, in_batches, read_dissent, read_held, rows_at
from store.sql.ledger_rows import carry_out
from store.sql.read_once import Seen
from store.sql.rows import Repository
from store.sql.versions import SqlVersions, VersionRow
from store.tables import jobs as tables
from store.tables import ledger as ledger_tables
from store.tables.columns import begins_with


class SqlBoundaries(Repository):
    """Boundaries in one transaction."""

    def __init__(self, connection: Connection, seen: Seen | None = None) -> None:
        super().__init__(connection)
        self._seen = seen or Seen()

    def commit(self, boundary: BoundaryState, receipt: Receipt, expected_version: int, at: datetime) -> BoundaryState:
        """Commit a candidate as the next version of its conversation's ledger, all or nothing.

        Every quote the ledger does not hold yet is compared with the stored turns in this transaction. What comes back
        is what a later reading gives: claims in their places, with support and a person's marks kept. The job's status
        is the caller's to move.

        Raises:
            NotFound: the job is not stored.
            AlreadyCommitted: the job has its boundary.
            VersionConflict: the ledger is not at `expected_version` (0 = empty).
            TemporalError: a held claim would be lost or demoted (see `store.rules.commitments_kept.check_kept`).
            EvidenceMismatch: a quote does not stand verbatim in the stored snapshot.
            ValueError, IllegalMove, SnapshotMismatch: see `store.rules.checks.check_candidate` and `plan_commit`.
        """
        self._seen.boundaries.clear()
        job = SqlJobs(self._connection, self._seen).get(boundary.job)
        versions = SqlVersions(self._connection)
        versions.lock(job.conversation)
        self._refuse_second(boundary.job)
        check_candidate(boundary, receipt, job)
        before = versions.expect(boundary.conversation, expected_version)
        held, dissent = ([], []) if before is None else self._held(boundary)
        check_kept(held, boundary)
        cycle = 1 if before is None else before.cycle + 1
        plan = plan_commit(held, dissent, boundary, expected_version + 1, cycle)
        self._check_turns(boundary, job, [one.claim for one in held], [one.dissent for one in dissent])
        event = commit_event(boundary, expected_version + 1, versions.instant(at, before))
        standing = committed(boundary, event, cycle, plan, (held, dissent))
        self._add_boundary(standing)
        new = versions.add(VersionRow(event, boundary.job, cycle))
        carry_out(self._connection, new, plan)
        versions.add_changes(new, boundary.changes, [claim.id for claim in standing.claims if claim.carried])
        self._add_receipt(receipt)
        return standing

    def current(self, conversation: ConversationId) -> BoundaryState | None:
        """The boundary as the newest version of the ledger shows it, or None."""
        if conversation not in self._seen.boundaries:
            versions = SqlVersions(self._connection)
            newest = versions.newest(conversation)
            self._seen.boundaries[conversation] = None if newest is None else versions.boundary_at(newest)
        return self._seen.boundaries[conversation]

    def as_recorded(self, conversation: ConversationId, at: datetime) -> BoundaryState | None:
        """The boundary that was current at instant `at`, as it was known then, or None."""
        versions = SqlVersions(self._connection)
        known = versions.known_at(conversation, at)
        return None if known is None else versions.boundary_at(known)

    def by_job(self, job: JobId) -> BoundaryState | None:
        """The boundary a job committed, as it was committed, or None."""
        boundaries = ledger_tables.boundaries
        query = select(boundaries.c.conversation, boundaries.c.version).where(boundaries.c.job == job)
        found = self._connection.execute(query).one_or_none()
        if found is None:
            return None
        versions = SqlVersions(self._connection)
        return versions.boundary_at(versions.standing(found.conversation, found.version))

    def version(self, conversation: ConversationId) -> int:
        """The newest version of the ledger, 0 while it is empty."""
        if self._seen.boundaries.get(conversation, BoundaryState) is None:
            return 0  # as `current` has found
        newest = SqlVersions(self._connection).newest(conversation)
        return 0 if newest is None else newest.event.version

    def claim(self, claim: ClaimId) -> tuple[Claim | Dissent, BoundaryState]:
        """A claim or dissent by id or unique id prefix, with the boundary it came with. Raises NotFound.

        It reads as the ledger knows it at last; where a later cycle said the id in other words, those count.
        """
        for table in (ledger_tables.claims, ledger_tables.dissent):
            found = self._by_id(table, claim)
            if found is not None:
                return found
        ids: set[str] = set()
        for table in (ledger_tables.claims, ledger_tables.dissent):
            ids.update(self._connection.scalars(select(table.c.id).where(begins_with(table.c.id, claim)).distinct()))
        if len(ids) != 1:
            raise NotFound(UNIQUE_CLAIM, claim)
        return self.claim(ids.pop())

    def save_receipt(self, receipt: Receipt) -> None:
        """Store the receipt of a job that ended without a boundary; one given later is added beside it.

        Raises:
            NotFound: the job is not stored.
            AlreadyCommitted: the job has a boundary, and with it its receipt.
        """
        SqlJobs(self._connection, self._seen).get(receipt.job)
        self._refuse_second(receipt.job)
        self._add_receipt(receipt)

    def receipt(self, job: JobId) -> Receipt | None:
        """The receipt of a job that has ended, the newest if it ended more than once, or None."""
        receipts = tables.receipts
        query = select(receipts.c.document).where(receipts.c.job == job).order_by(receipts.c.number.desc()).limit(1)
        return cast("Receipt | None", self._connection.scalar(query))

    def _refuse_second(self, job: JobId) -> None:
        boundaries = ledger_tables.boundaries
        if self._connection.execute(select(boundaries.c.job).where(boundaries.c.job == job)).first() is not None:
            raise AlreadyCommitted(job)

    def _held(self, boundary: BoundaryState) -> tuple[list[RecordedClaim], list[Dissenting]]:
        """The open claims, closed ones whose id the candidate uses, and all dissent."""
        conversation = boundary.conversation
        held = read_held(self._connection, held_at(conversation, None, ledger_tables.IS_OPEN))
        present = {one.claim.id for one in held}
        unknown = [claim.id for claim in (*boundary.claims, *boundary.closed) if claim.id not in present]
        for part in in_batches(unknown):
            named = ledger_tables.claims.c.id.in_(part)
            held += read_held(self._connection, held_at(conversation, None, ~ledger_tables.IS_OPEN, named))
        return held, read_dissent(self._connection, dissent_at(conversation, None))

    def _check_turns(
        self, boundary: BoundaryState, job: Job, held: Sequence[Claim], dissent: Sequence[Dissent]
    ) -> None:
        turns = tables.turns
        of_conversation = turns.c.conversation == boundary.conversation
        pieces = quotes(boundary, (*held, *dissent))
        contents: dict[int, str] = {}
        chained: dict[int, str] = {}
        for part in in_batches(sorted({piece.turn for _, piece in pieces} | {boundary.through})):
            columns = select(turns.c.number, turns.c.content, turns.c.chained)
            for row in self._connection.execute(columns.where(of_conversation, turns.c.number.in_(part))):
                contents[row.number], chained[row.number] = row.content, row.chained
        check_job(job, chained.get(boundary.through))
        check_evidence(pieces, boundary.through, contents.get)

    def _add_boundary(self, boundary: BoundaryState) -> None:
        self._connection.execute(
            insert(ledger_tables.boundaries).values(
                job=boundary.job,
                conversation=boundary.conversation,
                version=boundary.version,
                through=boundary.through,
                snapshot_digest=boundary.snapshot_digest,
                verdict=boundary.decision.verdict.value,
                decision=boundary.decision,
                committed_at=boundary.committed_at,
                excerpts=boundary.excerpts or None,
            )
        )

    def _add_receipt(self, receipt: Receipt) -> None:
        receipts = tables.receipts
        last = select(func.coalesce(func.max(receipts.c.number), 0)).where(receipts.c.job == receipt.job)
        number = last.scalar_subquery() + 1  # the job is locked or the conversation is: nobody adds beside us
        self._connection.execute(
            insert(receipts).values(job=receipt.job, number=number, ended_at=receipt.ended_at, document=receipt)
        )

    def _by_id(self, table: Table, identifier: str) -> tuple[Claim | Dissent, BoundaryState] | None:
        columns = (table.c.row, table.c.job, table.c.conversation, table.c.version_to)
        query = (
            select(*columns)
            .where(table.c.id == identifier)
            .order_by(table.c.version_to.is_(None).desc(), table.c.row.desc())
            .limit(1)
        )
        row = self._connection.execute(query).one_or_none()
        if row is None:
            return None
        boundary = cast("BoundaryState", self.by_job(row.job))  # the foreign key says that it is there
        last = None if row.version_to is None else row.version_to - 1
        if table is ledger_tables.dissent:
            return read_dissent(self._connection, select(table).where(table.c.row == row.row))[0].dissent, boundary
        held = read_held(self._connection, rows_at([row.row], last))[0]
        versions = SqlVersions(self._connection)
        standing = versions.newest(row.conversation) if last is None else versions.standing(row.conversation, last)
        return shown(held, cast("VersionRow", standing).cycle), boundary
