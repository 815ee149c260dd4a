"""LedgerStore over SQL: readings on both axes, acts of people and roll-backs. Nothing is rewritten."""

from datetime import datetime

from sqlalchemy import func, insert, select, update

from dissolution.boundary import BoundaryState
from dissolution.claims import Claim, DissentReason
from dissolution.conversation import ConversationId
from dissolution.errors import NotFound
from dissolution.intervals import Moment
from dissolution.ledger import Act, LedgerEvent, LedgerEventKind, Query
from store.rules.acts import (
    OPEN_CLAIM,
    OPEN_DISSENT,
    Occasion,
    act_event,
    acted_on,
    adoption,
    check_act,
    check_target,
    dismissed,
    roll_back_event,
)
from store.rules.ledger_views import shown
from store.rules.versioning import Plan, RecordedClaim
from store.sql.erasing import SqlErasing
from store.sql.ledger_reading import dissent_at, fits, held_at, held_then, read_dissent, read_held, recorded, rows_at
from store.sql.ledger_rows import NewVersion, add_claims, add_dissent, carry_out
from store.sql.versions import SqlVersions, VersionRow
from store.tables import ledger as tables


class SqlLedger(SqlErasing):
    """Ledgers in one transaction."""

    def at_version(self, conversation: ConversationId, version: int) -> BoundaryState:
        """The boundary as it stood in a version of the ledger. Raises NotFound."""
        return self._versions.boundary_at(self._versions.standing(conversation, version))

    def events(self, conversation: ConversationId, after: int = 0) -> tuple[LedgerEvent, ...]:
        """The versions above `after`, in order."""
        return self._versions.events(conversation, after)

    def as_of(self, conversation: ConversationId, moment: Moment) -> tuple[Claim, ...]:
        """The claims that held at `moment` on the valid axis, as known at it on the recorded axis, in their places.

        `store.sql.ledger_reading.held_then` says what holds at a moment. Raises NotFound for a version that is not
        there.
        """
        standing = self._versions.at_moment(conversation, moment)
        if standing is None:
            return ()

        def read(version: int | None) -> list[RecordedClaim]:
            return read_held(self._connection, held_at(conversation, version, held_then(moment)))

        found = sorted(self._versions.reading(standing, read), key=lambda held: (held.place, held.row))
        return tuple(shown(held, standing.cycle) for held in found)

    def recall(self, conversation: ConversationId, query: Query) -> tuple[Claim, ...]:
        """The claims that fit, those affirmed lately first. Raises NotFound for a version that is not there."""
        standing = self._versions.at_moment(conversation, query.at)
        if standing is None:
            return ()
        return self._versions.reading(standing, lambda version: self._recalled(standing, version, query))

    def act(self, conversation: ConversationId, act: Act, expected_version: int, at: datetime) -> LedgerEvent:
        """Do what a person asked of one claim or dissent, as a new version.

        A claim that is retracted held up to and including the boundary's last turn, or, with `never_held`, never.

        Raises:
            NotFound: no such conversation, or no such open claim or dissent.
            VersionConflict: the ledger is not at `expected_version`.
            InputError: the act changes nothing, or is none of a person.
        """
        check_act(act)
        self._versions.lock(conversation)
        before = self._versions.expect(conversation, expected_version)
        dismisses = act.kind is LedgerEventKind.DISMISSED
        if before is None:
            raise NotFound(OPEN_DISSENT if dismisses else OPEN_CLAIM, act.claim)
        event = act_event(act, before.event, self._versions.instant(at, before))
        if act.adopted is not None:
            plan = self._plan_adoption(before, act.adopted)
        else:
            plan = self._plan_dismissal(conversation, act) if dismisses else self._plan_act(event, act)
        carry_out(self._connection, self._versions.add(VersionRow(event, before.boundary, before.cycle)), plan)
        return event

    def roll_back(
        self,
        conversation: ConversationId,
        version: int,
        expected_version: int,
        at: datetime,
        *,
        actor: str,
        reason: str,
    ) -> LedgerEvent:
        """Make the state of an earlier version current again, as a new version; nothing is deleted.

        What was recorded since ends; what has ended since is added again, under the same ids.

        Raises:
            NotFound: no such conversation or version.
            VersionConflict: the ledger is not at `expected_version`.
            InputError: the version is the current one.
        """
        self._versions.lock(conversation)
        before = self._versions.expect(conversation, expected_version)
        target = self._versions.standing(conversation, version)
        check_target(version, expected_version)
        instant = self._versions.instant(at, before)
        event = roll_back_event(target.event, expected_version + 1, instant, actor, reason)
        new = self._versions.add(VersionRow(event, target.boundary, target.cycle))
        claims, dissent = tables.claims.c, tables.dissent.c
        held = read_held(self._connection, held_at(conversation, version, claims.version_to.is_not(None)))
        ended = dissent_at(conversation, version).where(dissent.version_to.is_not(None))
        dissenting = read_dissent(self._connection, ended)
        self._end_since(new, version)
        self._affirm_as_at(new, version)
        add_claims(self._connection, new, held)
        add_dissent(self._connection, new, dissenting)
        return event

    @property
    def _versions(self) -> SqlVersions:
        return SqlVersions(self._connection)

    def _recalled(self, standing: VersionRow, version: int | None, query: Query) -> tuple[Claim, ...]:
        claims, again = tables.claims.c, tables.affirmations.c
        affirmed = func.coalesce(again.affirmed, claims.affirmed)
        fitting = held_at(standing.event.conversation, version, *fits(query))
        fitting = fitting.with_only_columns(claims.row, maintain_column_froms=True)
        newest = fitting.order_by(affirmed.desc(), claims.since, claims.ordinal, claims.row).limit(query.limit)
        ranked = self._connection.scalars(newest).all()
        read = read_held(self._connection, rows_at(ranked, version))
        by_row = {held.row: shown(held, standing.cycle) for held in read}
        return tuple(by_row[row] for row in ranked)

    def _plan_act(self, event: LedgerEvent, act: Act) -> Plan:
        named = (tables.IS_OPEN, tables.claims.c.id == act.claim)
        held = next(iter(read_held(self._connection, held_at(event.conversation, None, *named))), None)
        if held is None:
            raise NotFound(OPEN_CLAIM, act.claim)
        changed = acted_on(held.claim, act, Occasion(event.through, event.at))
        return Plan(ends=(held,), adds=(held._replace(row=0, claim=changed),))

    def _plan_adoption(self, before: VersionRow, claim: Claim) -> Plan:
        claims = tables.claims.c
        named = select(claims.row).where(claims.conversation == before.event.conversation, claims.id == claim.id)
        present = self._connection.execute(named.limit(1)).one_or_none() is not None
        return adoption(claim, present, before.event, before.cycle, before.boundary)

    def _plan_dismissal(self, conversation: ConversationId, act: Act) -> Plan:
        dissent = tables.dissent.c
        named = (dissent.id == act.claim, dissent.reason != DissentReason.DISMISSED.value)
        found = read_dissent(self._connection, dissent_at(conversation, None).where(*named))
        if not found:
            raise NotFound(OPEN_DISSENT, act.claim)
        one = found[0]
        return Plan(dissent_ends=(one,), dissent_adds=(one._replace(row=0, dissent=dismissed(one.dissent, act)),))

    def _end_since(self, new: NewVersion, version: int) -> None:
        ends = {"version_to": new.version, "recorded_to": new.at}
        for table in (tables.claims, tables.affirmations, tables.dissent):
            since = (
                table.c.conversation == new.conversation,
                table.c.version_from > version,
                table.c.version_to.is_(None),
            )
            values = {name: value for name, value in ends.items() if name in table.c}
            self._connection.execute(update(table).where(*since).values(values))

    def _affirm_as_at(self, new: NewVersion, version: int) -> None:
        """What was affirmed at a version, of claims that are still recorded, is affirmed again."""
        again, claims = tables.affirmations, tables.claims
        still = select(claims.c.row).where(
            claims.c.conversation == new.conversation, claims.c.version_from <= version, claims.c.version_to.is_(None)
        )
        ended = select(again).where(
            again.c.conversation == new.conversation,
            recorded(again, version),
            again.c.version_to.is_not(None),
            again.c.claim.in_(still),
        )
        rows = [dict(row) for row in self._connection.execute(ended).mappings()]
        if rows:
            renewed = [row | {"version_from": new.version, "version_to": None} for row in rows]
            self._connection.execute(insert(again), renewed)
