"""Webhooks: who is called back, for what, and what is to be delivered."""

import json
import secrets
from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Protocol

from pydantic import AwareDatetime, Field

from dissolution.conversation import ConversationId
from dissolution.job import Job, JobStatus, TenantName
from dissolution.tenancy import name_of
from dissolution.values import Frozen


class Notice(StrEnum):
    """What somebody may be called back for."""

    COMMITTED = "dissolution.committed"
    HISTORY_KEPT = "dissolution.history_kept"
    FAILED = "dissolution.failed"
    CANCELLED = "dissolution.cancelled"
    HELD = "dissolution.held"


NOTICES: Mapping[JobStatus, Notice] = {
    JobStatus.COMMITTED: Notice.COMMITTED,
    JobStatus.HISTORY_KEPT: Notice.HISTORY_KEPT,
    JobStatus.FAILED: Notice.FAILED,
    JobStatus.CANCELLED: Notice.CANCELLED,
    JobStatus.HELD: Notice.HELD,
}
"""What is told when a job moves to a status; of any other nobody is told."""


class WebhookEndpoint(Frozen):
    """Who is called back: where, for what, and since when no more. Its secret follows from id and generation."""

    id: Annotated[str, Field(pattern=r"^we_[0-9a-f]{24}$")]
    tenant: TenantName
    url: Annotated[str, Field(min_length=1, max_length=2000)]
    description: Annotated[str, Field(max_length=200)] = ""
    notices: tuple[Notice, ...] = ()  # none: all
    created_at: AwareDatetime
    generation: Annotated[int, Field(ge=1)] = 1  # of its secret
    rotated_at: AwareDatetime | None = None  # since then; the secret before it is good for a while
    disabled_at: AwareDatetime | None = None
    disabled_why: str | None = None

    def wants(self, notice: Notice) -> bool:
        """Whether it is told of this."""
        return self.disabled_at is None and (not self.notices or notice in self.notices)


class Delivery(Frozen):
    """One notice to one endpoint, with the very bytes that are sent each time."""

    id: Annotated[str, Field(pattern=r"^msg_[0-9a-f]{24}$")]
    endpoint: str
    tenant: TenantName
    job: str | None = None
    conversation: ConversationId | None = None
    notice: Notice
    payload: str
    created_at: AwareDatetime
    due_at: AwareDatetime
    attempts: Annotated[int, Field(ge=0)] = 0
    delivered_at: AwareDatetime | None = None
    failed_at: AwareDatetime | None = None  # given up
    status: int | None = None  # what the endpoint answered last
    problem: str | None = None  # why it is not delivered yet


def notice_of(job: Job, status: JobStatus, endpoint: WebhookEndpoint, at: datetime) -> Delivery | None:
    """What an endpoint is told of a job that moves to a status; None when it is told nothing.

    The payload is thin, as Standard Webhooks 1.0.0 advises: ids and the status; whoever wants more asks for it. It is
    written once, so that each attempt sends and signs the same bytes.
    """
    notice = NOTICES.get(status)
    if notice is None or not endpoint.wants(notice):
        return None
    data = {"dissolution": job.id, "conversation": name_of(job.conversation), "status": status.value}
    told = {"type": notice.value, "timestamp": at.isoformat(), "data": data}
    return Delivery(
        id=f"msg_{secrets.token_hex(12)}",
        endpoint=endpoint.id,
        tenant=endpoint.tenant,
        job=job.id,
        conversation=job.conversation,
        notice=notice,
        payload=json.dumps(told),
        created_at=at,
        due_at=at,
    )


class WebhookStore(Protocol):
    """Endpoints and what is to be delivered to them. Every change is inside the unit of work it came from."""

    def add(self, endpoint: WebhookEndpoint) -> None:
        """Store an endpoint, or change the one of this id."""
        ...

    def get(self, tenant: str, endpoint: str) -> WebhookEndpoint:
        """A tenant's endpoint. Raises NotFound."""
        ...

    def of_tenant(self, tenant: str) -> tuple[WebhookEndpoint, ...]:
        """A tenant's endpoints, oldest first."""
        ...

    def remove(self, tenant: str, endpoint: str) -> None:
        """Delete an endpoint with its deliveries. Raises NotFound."""
        ...

    def announce(self, job: Job, status: JobStatus, at: datetime) -> int:
        """Want the endpoints of the job's tenant told that it moves to a status; how many that are."""
        ...

    def take(self, at: datetime, limit: int, lease_s: float) -> tuple[tuple[Delivery, WebhookEndpoint], ...]:
        """Deliveries that are due, longest first, counted as an attempt; due again after `lease_s` seconds."""
        ...

    def settle(self, delivery: Delivery) -> None:
        """Store what came of an attempt. No error for one that was erased meanwhile."""
        ...

    def delivery(self, tenant: str, delivery: str) -> Delivery:
        """One delivery. Raises NotFound."""
        ...

    def deliveries(self, tenant: str, endpoint: str, limit: int) -> tuple[Delivery, ...]:
        """An endpoint's deliveries, newest first."""
        ...
