"""The versions of a ledger in SQL: events, the boundary that stands with each, and what each changed."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Row, Select, insert, select

from dissolution.boundary import BoundaryState
from dissolution.conversation import ConversationId
from dissolution.errors import NotFound, VersionConflict
from dissolution.intervals import Moment
from dissolution.ledger import Change, ChangeKind, LedgerEvent, LedgerEventKind
from store.rules.changes import Packed, pack, unpack
from store.rules.checks import CONVERSATION, VERSION
from store.rules.ledger_views import shown_changes, shown_claims, shown_closed, shown_dissent
from store.rules.versioning import RecordedClaim, commit_instant
from store.sql.ledger_reading import begun_at, dissent_at, held_at, read_dissent, read_held
from store.sql.ledger_rows import NewVersion
from store.sql.rows import Repository
from store.tables import jobs as tables
from store.tables import ledger as ledger_tables
from store.tables.columns import utc

T = TypeVar("T")


class VersionRow(NamedTuple):
    """A version: its event, the job of the boundary it shows, and how many cycles led to it."""

    event: LedgerEvent
    boundary: str
    cycle: int


class SqlVersions(Repository):
    """Versions in one transaction."""

    def lock(self, conversation: ConversationId) -> None:
        """New versions of one ledger stand in line (PostgreSQL; on SQLite the whole transaction does).

        Raises NotFound when there is no such conversation.
        """
        row = select(tables.conversations.c.id).where(tables.conversations.c.id == conversation)
        if self._connection.execute(row.with_for_update()).one_or_none() is None:
            raise NotFound(CONVERSATION, conversation)

    def newest(self, conversation: ConversationId) -> VersionRow | None:
        """The newest version, None while the ledger is empty."""
        return self._one(self._of(conversation))

    def standing(self, conversation: ConversationId, version: int) -> VersionRow:
        """A version by its number. Raises NotFound."""
        found = self._one(self._of(conversation).where(ledger_tables.ledger_events.c.version == version))
        if found is None:
            raise NotFound(VERSION, f"{conversation} {version}")
        return found

    def known_at(self, conversation: ConversationId, at: datetime) -> VersionRow | None:
        """The version that was the newest at an instant, None before the first."""
        return self._one(self._of(conversation).where(ledger_tables.ledger_events.c.at <= utc(at)))

    def at_moment(self, conversation: ConversationId, moment: Moment) -> VersionRow | None:
        """The version that `moment` names on the recorded axis, None where nothing was recorded. Raises NotFound."""
        if moment.version is not None:
            return self.standing(conversation, moment.version)
        if moment.recorded is not None:
            return self.known_at(conversation, moment.recorded)
        return self.newest(conversation)

    def expect(self, conversation: ConversationId, expected_version: int) -> VersionRow | None:
        """The newest version, which must be the expected one (0 = none). Raises VersionConflict."""
        newest = self.newest(conversation)
        present = 0 if newest is None else newest.event.version
        if present != expected_version:
            raise VersionConflict(conversation, expected_version, present)
        return newest

    def events(self, conversation: ConversationId, after: int = 0) -> tuple[LedgerEvent, ...]:
        """The versions above `after`, in order."""
        events = ledger_tables.ledger_events
        query = select(events).where(events.c.conversation == conversation, events.c.version > after)
        return tuple(_standing(row).event for row in self._connection.execute(query.order_by(events.c.version)))

    def instant(self, at: datetime, before: VersionRow | None) -> datetime:
        """When a version made at `at` counts as recorded: never before the version it follows."""
        return commit_instant(utc(at), None if before is None else before.event.at)

    def add(self, standing: VersionRow) -> NewVersion:
        """Store what makes a version."""
        event = standing.event
        values = event.model_dump(exclude={"job"})
        more = {"kind": event.kind.value, "boundary": standing.boundary, "cycle": standing.cycle}
        self._connection.execute(insert(ledger_tables.ledger_events).values(values | more))
        return NewVersion(event.conversation, event.version, event.at)

    def reading(self, standing: VersionRow, read: Callable[[int | None], T]) -> T:
        """What `read` finds at a version: it is given None for the newest, which has indexes of its own.

        On PostgreSQL a version may be added between two statements of a reading. Then it is read once more by its
        number: the rows of a version that is not the newest never change.
        """
        if self.newest(standing.event.conversation) == standing:
            found = read(None)
            if self.newest(standing.event.conversation) == standing:
                return found
        return read(standing.event.version)

    def boundary_at(self, standing: VersionRow) -> BoundaryState:
        """The boundary as a version shows it; with what its cycle changed if a cycle made it."""
        return self.reading(standing, lambda version: self._boundary(standing, version))

    def _boundary(self, standing: VersionRow, version: int | None) -> BoundaryState:
        event, boundaries = standing.event, ledger_tables.boundaries
        held = read_held(self._connection, held_at(event.conversation, version, ledger_tables.IS_OPEN))
        dissent = read_dissent(self._connection, dissent_at(event.conversation, version))
        found = self._connection.execute(select(boundaries).where(boundaries.c.job == standing.boundary)).one()
        return BoundaryState(
            conversation=found.conversation,
            job=found.job,
            through=found.through,
            snapshot_digest=found.snapshot_digest,
            decision=found.decision,
            claims=shown_claims(held, standing.cycle),
            dissent=shown_dissent(dissent),
            closed=shown_closed(self._closed_by(standing)),
            changes=self._changes(standing, held),
            version=event.version,
            committed_at=event.at,
            excerpts=found.excerpts or (),
        )

    def add_changes(self, new: NewVersion, changes: Sequence[Change], carried: Sequence[str]) -> None:
        """Store what a cycle changed; `carried` are the ids of the claims it left as they were."""
        place = {"conversation": new.conversation, "version": new.version}
        packed = [
            {
                **place,
                "ordinal": ordinal,
                "kind": kind.value,
                "claim": claim,
                "other": other,
                "reason": reason,
                "evidence": evidence,
            }
            for ordinal, (kind, claim, other, reason, evidence) in enumerate(pack(changes, carried))
        ]
        if packed:
            self._connection.execute(insert(ledger_tables.changes), packed)

    def _closed_by(self, standing: VersionRow) -> list[RecordedClaim]:
        event = standing.event
        if event.kind is not LedgerEventKind.COMMITTED:
            return []
        ended = begun_at(event.conversation, event.version).where(~ledger_tables.IS_OPEN)
        return read_held(self._connection, ended)

    def _changes(self, standing: VersionRow, held: Sequence[RecordedClaim]) -> tuple[Change, ...]:
        changes, event = ledger_tables.changes, standing.event
        of_version = (changes.c.conversation == event.conversation, changes.c.version == event.version)
        query = select(changes).where(*of_version)
        rows = self._connection.execute(query.order_by(changes.c.ordinal)).all()
        packed = [Packed(ChangeKind(row.kind), row.claim, row.other, row.reason, row.evidence) for row in rows]
        carried = [claim.id for claim in shown_claims(held, standing.cycle) if claim.carried]
        return shown_changes(unpack(packed, carried), held, standing.cycle)

    def _of(self, conversation: ConversationId) -> Select[Any]:
        events = ledger_tables.ledger_events
        return select(events).where(events.c.conversation == conversation)

    def _one(self, query: Select[Any]) -> VersionRow | None:
        newest_first = query.order_by(ledger_tables.ledger_events.c.version.desc()).limit(1)
        row = self._connection.execute(newest_first).one_or_none()
        return None if row is None else _standing(row)


def _standing(row: Row[Any]) -> VersionRow:
    kind = LedgerEventKind(row.kind)
    event = LedgerEvent(
        conversation=row.conversation,
        version=row.version,
        at=row.at,
        kind=kind,
        through=row.through,
        job=row.boundary if kind is LedgerEventKind.COMMITTED else None,
        claim=row.claim,
        restored=row.restored,
        actor=row.actor,
        reason=row.reason,
    )
    return VersionRow(event, row.boundary, row.cycle)
