"""Webhooks over SQL: endpoints, and an outbox of what is to be delivered to them."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Row, Select, and_, bindparam, delete, insert, select, update

from dissolution.errors import NotFound
from dissolution.job import Job, JobStatus
from dissolution.webhooks import NOTICES, Delivery, WebhookEndpoint, notice_of
from store.sql.rows import Repository
from store.tables.columns import utc
from store.tables.service import webhook_deliveries as deliveries
from store.tables.service import webhook_endpoints as endpoints

ENDPOINT = "webhook endpoint"
DELIVERY = "webhook delivery"


class SqlWebhooks(Repository):
    """Endpoints and deliveries in one transaction."""

    def add(self, endpoint: WebhookEndpoint) -> None:
        """Store an endpoint, or change the one of this id."""
        values = {name: getattr(endpoint, name) for name in WebhookEndpoint.model_fields}
        changed = self._connection.execute(
            update(endpoints).where(endpoints.c.id == endpoint.id, endpoints.c.tenant == endpoint.tenant).values(values)
        )
        if changed.rowcount == 0:
            self._connection.execute(insert(endpoints).values(values))

    def get(self, tenant: str, endpoint: str) -> WebhookEndpoint:
        """A tenant's endpoint. Raises NotFound."""
        query = select(endpoints).where(endpoints.c.tenant == tenant, endpoints.c.id == endpoint)
        row = self._connection.execute(query).one_or_none()
        if row is None:
            raise NotFound(ENDPOINT, endpoint)
        return _endpoint(row)

    def of_tenant(self, tenant: str) -> tuple[WebhookEndpoint, ...]:
        """A tenant's endpoints, oldest first."""
        rows = self._connection.execute(select(endpoints).where(endpoints.c.tenant == tenant))
        return tuple(sorted(map(_endpoint, rows), key=lambda one: (one.created_at, one.id)))

    def remove(self, tenant: str, endpoint: str) -> None:
        """Delete an endpoint with its deliveries. Raises NotFound."""
        self.get(tenant, endpoint)
        self._connection.execute(delete(deliveries).where(deliveries.c.endpoint == endpoint))
        self._connection.execute(delete(endpoints).where(endpoints.c.id == endpoint))

    def announce(self, job: Job, status: JobStatus, at: datetime) -> int:
        """Want the endpoints of the job's tenant told that it moves to a status; how many that are."""
        if status not in NOTICES:
            return 0
        wanted = [notice_of(job, status, one, utc(at)) for one in self.of_tenant(job.tenant)]
        made = [one for one in wanted if one is not None]
        if made:
            self._connection.execute(insert(deliveries), [_values(one) for one in made])
        return len(made)

    def take(self, at: datetime, limit: int, lease_s: float) -> tuple[tuple[Delivery, WebhookEndpoint], ...]:
        """Deliveries that are due, longest first, counted as an attempt; due again after `lease_s` seconds."""
        now = utc(at)
        due = and_(deliveries.c.due_at <= now, deliveries.c.delivered_at.is_(None), deliveries.c.failed_at.is_(None))
        query = select(deliveries).where(due).order_by(deliveries.c.due_at, deliveries.c.id).limit(limit)
        rows = self._connection.execute(query.with_for_update(skip_locked=True)).all()
        if not rows:
            return ()
        again = now + timedelta(seconds=lease_s)
        self._connection.execute(
            update(deliveries)
            .where(deliveries.c.id == bindparam("row"))
            .values(due_at=again, attempts=deliveries.c.attempts + 1),
            [{"row": row.id} for row in rows],
        )
        owners = {
            row.id: _endpoint(row)
            for row in self._connection.execute(
                select(endpoints).where(endpoints.c.id.in_({row.endpoint for row in rows}))
            )
        }
        taken = [_delivery(row).model_copy(update={"due_at": again, "attempts": row.attempts + 1}) for row in rows]
        return tuple((one, owners[one.endpoint]) for one in taken)

    def settle(self, delivery: Delivery) -> None:
        """Store what came of an attempt. No error for one that was erased meanwhile."""
        self._connection.execute(update(deliveries).where(deliveries.c.id == delivery.id).values(_values(delivery)))

    def delivery(self, tenant: str, delivery: str) -> Delivery:
        """One delivery. Raises NotFound."""
        row = self._connection.execute(_of(tenant).where(deliveries.c.id == delivery)).one_or_none()
        if row is None:
            raise NotFound(DELIVERY, delivery)
        return _delivery(row)

    def deliveries(self, tenant: str, endpoint: str, limit: int) -> tuple[Delivery, ...]:
        """An endpoint's deliveries, newest first."""
        query = _of(tenant).where(deliveries.c.endpoint == endpoint)
        newest = query.order_by(deliveries.c.created_at.desc(), deliveries.c.id.desc()).limit(limit)
        return tuple(map(_delivery, self._connection.execute(newest)))


def _of(tenant: str) -> Select[Any]:
    return select(deliveries).where(deliveries.c.tenant == tenant)


def _endpoint(row: Row[Any]) -> WebhookEndpoint:
    return WebhookEndpoint.model_validate(dict(row._mapping))  # noqa: SLF001 - as in store.sql.jobs


def _delivery(row: Row[Any]) -> Delivery:
    return Delivery.model_validate(dict(row._mapping))  # noqa: SLF001 - as in store.sql.jobs


def _values(delivery: Delivery) -> dict[str, object]:
    values: dict[str, object] = {name: getattr(delivery, name) for name in Delivery.model_fields}
    return values | {"notice": delivery.notice.value}
