"""Erasing a whole conversation, the one deletion there is (rule 9), and what is left of it."""

from datetime import datetime

from sqlalchemy import ColumnElement, Table, delete, distinct, func, insert, select

from dissolution.conversation import ConversationId
from dissolution.errors import StepHeld
from dissolution.job import StepStatus
from dissolution.ledger import Erasure
from dissolution.stability import OWN_CONVERSATIONS
from store.sql.money import SqlMoney
from store.sql.rows import Repository
from store.sql.versions import SqlVersions
from store.tables import jobs as tables
from store.tables import ledger as ledger_tables
from store.tables import money as money_tables
from store.tables import service as service_tables
from store.tables.columns import begins_with, utc
from store.tables.schema import metadata

KEPT = frozenset(
    table.name
    for table in (
        tables.installation,
        ledger_tables.erasures,
        money_tables.spending,
        service_tables.api_keys,
        service_tables.webhook_endpoints,
        service_tables.intake_rules,
    )
)
"""Tables that hold nothing of a conversation: the key of the database, the record of erasures, what a day has cost, and
what a tenant has set up."""

ERASED = "erased"
"""Set on a connection whose transaction erased something: then the log of the file is emptied after the commit."""


class SqlErasing(Repository):
    """Erasures in one transaction."""

    def erase(self, conversation: ConversationId, at: datetime, *, actor: str, reason: str) -> Erasure:
        """Delete a conversation with all that came of it, and record that.

        Every row of every table goes that names the conversation or one of its jobs, and every copy of it that a
        stability run made. On SQLite freed pages are
        overwritten and the write-ahead log is emptied once the transaction is committed.

        Raises:
            NotFound: there is no such conversation.
            StepHeld: a worker is at one of its jobs; wait for it, or for the end of its lease.
        """
        for copy in self._copies(conversation):
            self.erase(copy, at, actor=actor, reason=reason)
        SqlVersions(self._connection).lock(conversation)
        self._refuse_held(conversation, utc(at))
        erasure = Erasure(
            conversation=conversation,
            at=utc(at),
            actor=actor,
            reason=reason,
            turns=self._count(tables.turns, conversation),
            jobs=self._count(tables.jobs, conversation),
            claims=self._count(ledger_tables.claims, conversation, ledger_tables.claims.c.id),
        )
        jobs = select(tables.jobs.c.id).where(tables.jobs.c.conversation == conversation)
        for job in self._connection.scalars(jobs).all():
            SqlMoney(self._connection).close(job, at)  # what a day has cost is known without its jobs
        for table in reversed(metadata.sorted_tables):  # those that point to others go first
            if table.name not in KEPT:
                self._connection.execute(delete(table).where(_of(table, conversation)))
        self._connection.execute(insert(ledger_tables.erasures).values(erasure.model_dump()))
        self._connection.info[ERASED] = True
        return erasure

    def erasures(self) -> tuple[Erasure, ...]:
        """What was erased, oldest first."""
        erasures = ledger_tables.erasures
        rows = self._connection.execute(select(erasures).order_by(erasures.c.number))
        return tuple(Erasure(**{name: getattr(row, name) for name in Erasure.model_fields}) for row in rows)

    def _copies(self, conversation: ConversationId) -> tuple[str, ...]:
        """The copies of it that stability runs have dissolved: they hold the same words."""
        ids = tables.conversations.c.id
        own = select(ids).where(begins_with(ids, f"{conversation}{OWN_CONVERSATIONS}"))
        return tuple(sorted(self._connection.scalars(own)))

    def _refuse_held(self, conversation: ConversationId, at: datetime) -> None:
        steps = tables.steps
        held = select(steps).where(
            _of(steps, conversation), steps.c.status == StepStatus.RUNNING.value, steps.c.lease_until > at
        )
        row = self._connection.execute(held.limit(1)).one_or_none()
        if row is not None:
            raise StepHeld(row.job, row.stage, row.owner, row.lease_until.isoformat())

    def _count(self, table: Table, conversation: ConversationId, column: ColumnElement[str] | None = None) -> int:
        counted = func.count() if column is None else func.count(distinct(column))
        query = select(counted).select_from(table).where(_of(table, conversation))
        return self._connection.execute(query).scalar_one()


def _of(table: Table, conversation: ConversationId) -> ColumnElement[bool]:
    """Whether a row of a table belongs to a conversation; every table says so by a conversation or a job."""
    if table is tables.conversations:
        return table.c.id == conversation
    if "conversation" in table.c:
        return table.c.conversation == conversation
    jobs = tables.jobs
    return table.c.job.in_(select(jobs.c.id).where(jobs.c.conversation == conversation))
