"""BoundaryStore over SQL: one transaction commits a boundary and closes the claims it replaces; nothing is deleted."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, cast

from sqlalchemy import Row, Select, Table, func, insert, select, update

from dissolution.boundary import BoundaryState
from dissolution.claims import Claim, Dissent
from dissolution.errors import AlreadyCommitted, NotFound, VersionConflict
from dissolution.job import Job
from dissolution.receipt import Receipt
from store import tables
from store.checks import UNIQUE_CLAIM, check_candidate, check_evidence, check_job, quoted_turns
from store.columns import begins_with, utc
from store.jobs import SqlJobs
from store.ledger import OpenRow, change, commit_instant
from store.ledger_rows import add_claims, add_dissent, read_claims, read_dissent
from store.rows import Repository


class SqlBoundaries(Repository):
    """Boundaries in one transaction."""

    def commit(self, boundary: BoundaryState, receipt: Receipt, expected_version: int, at: datetime) -> BoundaryState:
        """Commit a candidate as the conversation's next version and close the claims it replaces, all or nothing.

        Every quote is compared with the stored turns in this transaction. The job's status is the caller's to move.

        Raises:
            NotFound: the job is not stored.
            AlreadyCommitted: the job has its boundary.
            VersionConflict: the conversation is not at `expected_version` (0 = no boundary yet).
            EvidenceMismatch: a quote does not stand verbatim in the stored snapshot.
            ValueError, IllegalMove, SnapshotMismatch: see `store.checks.check_candidate`.
        """
        instant = utc(at)
        job = SqlJobs(self._connection).get(boundary.job)
        self._lock(job.conversation)
        self._refuse_second(boundary.job)
        check_candidate(boundary, receipt, job)
        newest = self._newest(boundary.conversation)
        present = 0 if newest is None else newest.version
        if present != expected_version:
            raise VersionConflict(boundary.conversation, expected_version, present)
        self._check_turns(boundary, job)
        committed = boundary.model_copy(
            update={
                "version": present + 1,
                "committed_at": commit_instant(instant, None if newest is None else newest.committed_at),
            }
        )
        self._add(committed, () if newest is None else self._held(newest.job))
        self._add_receipt(receipt)
        return committed

    def current(self, conversation: str) -> BoundaryState | None:
        """The newest boundary, or None."""
        return self._read(self._newest(conversation))

    def as_recorded(self, conversation: str, at: datetime) -> BoundaryState | None:
        """The boundary that was the newest at instant `at`, as it was known then, or None."""
        boundaries = tables.boundaries
        known = select(boundaries).where(
            boundaries.c.conversation == conversation, boundaries.c.committed_at <= utc(at)
        )
        return self._read(self._connection.execute(known.order_by(boundaries.c.version.desc()).limit(1)).one_or_none())

    def by_job(self, job: str) -> BoundaryState | None:
        """The boundary a job committed, or None."""
        boundaries = tables.boundaries
        return self._read(self._connection.execute(select(boundaries).where(boundaries.c.job == job)).one_or_none())

    def version(self, conversation: str) -> int:
        """The version of the newest boundary, 0 when there is none."""
        newest = self._newest(conversation)
        return 0 if newest is None else newest.version

    def claim(self, claim: str) -> tuple[Claim | Dissent, BoundaryState]:
        """A claim or dissent by id or unique id prefix, with the boundary it came with. Raises NotFound.

        Where a later cycle said the same id again with other support or evidence, the newest row counts.
        """
        for table in (tables.claims, tables.dissent):
            found = self._by_id(table, claim)
            if found is not None:
                return found
        ids: set[str] = set()
        for table in (tables.claims, tables.dissent):
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
        SqlJobs(self._connection).get(receipt.job)
        self._refuse_second(receipt.job)
        self._add_receipt(receipt)

    def receipt(self, job: str) -> Receipt | None:
        """The receipt of a job that has ended, the newest if it ended more than once, or None."""
        receipts = tables.receipts
        query = select(receipts.c.document).where(receipts.c.job == job).order_by(receipts.c.number.desc()).limit(1)
        return cast("Receipt | None", self._connection.scalar(query))

    def _lock(self, conversation: str) -> None:
        """Commits to one conversation stand in line (PostgreSQL; on SQLite the whole transaction does)."""
        conversations = tables.conversations
        row = select(conversations.c.id).where(conversations.c.id == conversation).with_for_update()
        self._connection.execute(row).one()

    def _refuse_second(self, job: str) -> None:
        boundaries = tables.boundaries
        if self._connection.execute(select(boundaries.c.job).where(boundaries.c.job == job)).first() is not None:
            raise AlreadyCommitted(job)

    def _newest(self, conversation: str) -> Row[Any] | None:
        boundaries = tables.boundaries
        query = select(boundaries).where(boundaries.c.conversation == conversation)
        return self._connection.execute(query.order_by(boundaries.c.version.desc()).limit(1)).one_or_none()

    def _check_turns(self, boundary: BoundaryState, job: Job) -> None:
        turns = tables.turns
        of_conversation = turns.c.conversation == boundary.conversation
        at_turn = select(turns.c.chained).where(of_conversation, turns.c.number == boundary.through)
        check_job(job, self._connection.scalar(at_turn))
        quoted = select(turns.c.number, turns.c.content).where(
            of_conversation, turns.c.number.in_(sorted(quoted_turns(boundary)))
        )
        contents = {row.number: row.content for row in self._connection.execute(quoted)}
        check_evidence(boundary, contents.get)

    def _held(self, job: str) -> tuple[OpenRow, ...]:
        return tuple(read_claims(self._connection, self._members(job)))

    def _members(self, job: str) -> Select[Any]:
        members = tables.boundary_claims
        return select(members.c.claim).where(members.c.job == job).order_by(members.c.ordinal)

    def _add(self, boundary: BoundaryState, held: Sequence[OpenRow]) -> None:
        self._connection.execute(
            insert(tables.boundaries).values(
                job=boundary.job,
                conversation=boundary.conversation,
                version=boundary.version,
                through=boundary.through,
                snapshot_digest=boundary.snapshot_digest,
                verdict=boundary.decision.verdict.value,
                decision=boundary.decision,
                committed_at=boundary.committed_at,
            )
        )
        changed = change(held, boundary.claims)
        if changed.closes:
            closing = update(tables.claims).where(tables.claims.c.row.in_(changed.closes))
            self._connection.execute(closing.values(recorded_to=boundary.committed_at))
        rows = add_claims(self._connection, boundary, changed.goes_on)
        members = [{"job": boundary.job, "ordinal": ordinal, "claim": row} for ordinal, row in enumerate(rows)]
        self._connection.execute(insert(tables.boundary_claims), members)
        add_dissent(self._connection, boundary)

    def _add_receipt(self, receipt: Receipt) -> None:
        receipts = tables.receipts
        last = self._connection.scalar(select(func.max(receipts.c.number)).where(receipts.c.job == receipt.job))
        self._connection.execute(
            insert(receipts).values(
                job=receipt.job, number=(last or 0) + 1, ended_at=receipt.ended_at, document=receipt
            )
        )

    def _by_id(self, table: Table, identifier: str) -> tuple[Claim | Dissent, BoundaryState] | None:
        query = select(table.c.row, table.c.job).where(table.c.id == identifier).order_by(table.c.row.desc()).limit(1)
        row = self._connection.execute(query).one_or_none()
        if row is None:
            return None
        boundary = cast("BoundaryState", self.by_job(row.job))  # the foreign key says that it is there
        one = select(table.c.row).where(table.c.row == row.row)
        if table is tables.claims:
            return next(read_claims(self._connection, one)).claim, boundary
        return next(read_dissent(self._connection, one)), boundary

    def _read(self, row: Row[Any] | None) -> BoundaryState | None:
        if row is None:
            return None
        found = row._mapping  # noqa: SLF001 - SQLAlchemy's public name for a row as a mapping
        dissent = tables.dissent
        dissenting = select(dissent.c.row).where(dissent.c.job == found["job"]).order_by(dissent.c.ordinal)
        facts = {name: found[name] for name in BoundaryState.model_fields if name in found}
        return BoundaryState(
            **facts,
            claims=tuple(open_row.claim for open_row in self._held(found["job"])),
            dissent=tuple(read_dissent(self._connection, dissenting)),
        )
