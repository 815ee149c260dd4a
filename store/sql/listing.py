"""Pages of what a tenant has, over SQL: every query names the tenant or a conversation whose id does."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Select, and_, delete, func, or_, select

from dissolution.conversation import ConversationId, Redaction
from dissolution.errors import NotFound
from dissolution.job import ENDED, Job, JobStatus
from dissolution.service import ConversationFacts, ConversationStanding
from store.rules.checks import CONVERSATION
from store.sql.conversation_states import by_last_change, read_standings
from store.sql.jobs import read_job
from store.sql.rows import Repository
from store.tables import jobs as tables
from store.tables import service as service_tables
from store.tables.columns import utc


class SqlListing(Repository):
    """Pages in one transaction."""

    def conversations(self, tenant: str, after: str | None, limit: int) -> tuple[ConversationFacts, ...]:
        """Conversations by id, those above `after`."""
        conversations = tables.conversations
        query = select(conversations.c.id).where(conversations.c.tenant == tenant)
        if after is not None:
            query = query.where(conversations.c.id > after)
        page = query.order_by(conversations.c.id).limit(limit)
        return tuple(
            ConversationFacts.model_validate(dict(row._mapping))  # noqa: SLF001 - as in store.sql.jobs
            for row in self._connection.execute(
                _facts().where(conversations.c.id.in_(page)).order_by(conversations.c.id)
            )
        )

    def newest(self, tenant: str | None, containing: str, limit: int) -> tuple[ConversationFacts, ...]:
        """Conversations whose id or title contains a text, those first to which a turn or a job came last."""
        rows = self._connection.execute(by_last_change(_facts(), tenant, containing).limit(limit))
        return tuple(ConversationFacts.model_validate(dict(row._mapping)) for row in rows)  # noqa: SLF001 - as above

    def standings(self, conversations: Sequence[ConversationId]) -> Mapping[str, ConversationStanding]:
        """How each of these stands, by id; one that is not stored is not there."""
        return read_standings(self._connection, conversations)

    def conversation(self, conversation: ConversationId) -> ConversationFacts:
        """One of them, without reading its turns. Raises NotFound."""
        row = self._connection.execute(_facts().where(tables.conversations.c.id == conversation)).one_or_none()
        if row is None:
            raise NotFound(CONVERSATION, conversation)
        return ConversationFacts.model_validate(dict(row._mapping))  # noqa: SLF001 - as in store.sql.jobs

    def redactions(self, conversation: ConversationId) -> tuple[Redaction, ...]:
        """What was replaced in a conversation, by turn."""
        stored = tables.redactions
        query = select(stored).where(stored.c.conversation == conversation).order_by(stored.c.turn, stored.c.ordinal)
        rows = self._connection.execute(query)
        return tuple(Redaction(turn=row.turn, kind=row.kind, placeholder=row.placeholder) for row in rows)

    def jobs(
        self,
        tenant: str,
        *,
        conversation: ConversationId | None = None,
        status: JobStatus | None = None,
        before: tuple[datetime, str] | None = None,
        limit: int,
    ) -> tuple[Job, ...]:
        """Jobs, newest first, those older than the job made at an instant with an id."""
        jobs = tables.jobs
        query = select(jobs).where(jobs.c.tenant == tenant)
        if conversation is not None:
            query = query.where(jobs.c.conversation == conversation)
        if status is not None:
            query = query.where(jobs.c.status == status.value)
        if before is not None:
            at, name = utc(before[0]), before[1]
            query = query.where(or_(jobs.c.created_at < at, and_(jobs.c.created_at == at, jobs.c.id < name)))
        page = query.order_by(jobs.c.created_at.desc(), jobs.c.id.desc()).limit(limit)
        return tuple(read_job(row) for row in self._connection.execute(page))

    def unfinished(self, tenant: str, most: int) -> int:
        """How many of a tenant's jobs have not ended, counted up to `most`."""
        jobs = tables.jobs
        live = [status.value for status in JobStatus if status not in ENDED]
        some = select(jobs.c.id).where(jobs.c.tenant == tenant, jobs.c.status.in_(live)).limit(most).subquery()
        return self._connection.execute(select(func.count()).select_from(some)).scalar_one()

    def tenants(self) -> tuple[str, ...]:
        """Every tenant that has a conversation, a job or a key, by name."""
        found = (tables.conversations.c.tenant, tables.jobs.c.tenant, service_tables.api_keys.c.tenant)
        return tuple(sorted({name for column in found for name in self._connection.scalars(select(column).distinct())}))

    def forget(self, tenant: str) -> None:
        """Delete a tenant's keys, endpoints, deliveries, replays and rules; its conversations are erased one by one."""
        for table in (
            service_tables.webhook_deliveries,
            service_tables.webhook_endpoints,
            service_tables.replays,
            service_tables.api_keys,
            service_tables.intake_rules,
        ):
            self._connection.execute(delete(table).where(table.c.tenant == tenant))


def _facts() -> Select[Any, Any, Any, Any, Any, Any]:
    """Conversations with the last of their turns."""
    conversations, turns = tables.conversations, tables.turns
    last = (
        select(func.max(turns.c.number)).where(turns.c.conversation == conversations.c.id).correlate(conversations)
    ).scalar_subquery()
    joined = and_(turns.c.conversation == conversations.c.id, turns.c.number == last)
    return select(
        conversations.c.id,
        conversations.c.title,
        conversations.c.language,
        turns.c.number.label("turns"),
        turns.c.recorded_at,
        turns.c.chained.label("digest"),
    ).join(turns, joined)
