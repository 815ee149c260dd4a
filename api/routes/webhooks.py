"""Webhooks: who is called back when a dissolution ends or is held."""

import secrets
from datetime import datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Request, Response
from pydantic import Field

from api.bodies import body_of, described
from api.links import link
from api.paging import Limit, Page
from api.problems import ALWAYS, documented
from api.repeats import AlreadyAnswered, Once, OnlyOnce
from api.replies import made, shown
from api.schemas import Shape
from api.security import Admin
from api.state import Caller
from dissolution.errors import InputError
from dissolution.ports.store import UnitOfWork
from dissolution.webhooks import Delivery, Notice, WebhookEndpoint
from workers.tenants.redaction import refuse_secret, without_secrets
from workers.tenants.webhook_addresses import check_url
from workers.tenants.webhooks import secret_of, sent_again

router = APIRouter(prefix="/v1/webhooks", tags=["webhooks"])

MOST_DESCRIPTION = 200
"""Characters of a description, also once placeholders stand in it."""

MOST = 20
"""Endpoints of one tenant, at most."""


class NewWebhook(Shape):
    """Who is to be called back."""

    url: Annotated[str, Field(min_length=1, max_length=2000)]
    description: Annotated[str, Field(max_length=MOST_DESCRIPTION)] = ""
    notices: Annotated[tuple[Notice, ...], Field(max_length=10)] = ()
    """For what; for everything if none is named."""


class WebhookShown(Shape):
    """An endpoint."""

    id: str
    url: str
    description: str
    notices: list[Notice]
    created_at: datetime
    disabled_at: datetime | None
    disabled_why: str | None
    secret: str | None = None
    """Shown when it is made or rotated: what deliveries are signed with."""


class DeliveryShown(Shape):
    """One notice to one endpoint."""

    id: str
    notice: Notice
    dissolution: str | None
    created_at: datetime
    state: Literal["waiting", "delivered", "given_up"]
    attempts: int
    due_at: datetime
    status: int | None
    problem: str | None


NEW = described(NewWebhook)
RESPONSES = documented(*ALWAYS, 404)


@router.post(
    "", status_code=201, response_model=WebhookShown, responses=documented(*ALWAYS, 409, 413, 415), openapi_extra=NEW
)
def create(caller: Admin, repeat: OnlyOnce, body: Annotated[NewWebhook, Depends(body_of(NewWebhook))]) -> Response:
    """Name an endpoint that can be reached; the answer has the secret that deliveries are signed with."""
    services = caller.api.services
    remedy = "give an address without one; deliveries are signed, and so a receiver knows them"
    refuse_secret("the address", body.url, remedy)
    private = services.settings.webhook_private_addresses
    check_url(body.url, private=private)
    with caller.api.units() as work:  # dropped: before anybody waits for the network, it is seen whether that is needed
        if (earlier := _begun(work, repeat, caller)) is not None:
            return earlier
    caller.api.reach(body.url, private)
    endpoint = WebhookEndpoint(
        id=f"we_{secrets.token_hex(12)}",
        tenant=caller.tenant,
        url=body.url,
        description=body.description,
        notices=tuple(dict.fromkeys(body.notices)),
        created_at=services.clock.now(),
    )
    with caller.api.units() as work:
        cleaned = without_secrets(work, body.description)[:MOST_DESCRIPTION]
        endpoint = endpoint.model_copy(update={"description": cleaned})
        if (earlier := _begun(work, repeat, caller)) is not None:
            return earlier
        work.service.webhooks.add(endpoint)
        repeat.end(work, caller, {"endpoint": endpoint.id})
        reply = _created(work, endpoint)
        work.commit()
    return reply


def _begun(work: UnitOfWork, repeat: Once, caller: Caller) -> Response | None:
    """Take the request's key; the answer that it was given before, if any. Raises InputError when there is no room."""
    try:
        repeat.begin(work, caller)
    except AlreadyAnswered as answered:
        return _created(work, work.service.webhooks.get(caller.tenant, str(answered.outcome["endpoint"])))
    if len(work.service.webhooks.of_tenant(caller.tenant)) >= MOST:
        raise InputError(f"{MOST} webhooks are named", "delete one first")
    return None


def _created(work: UnitOfWork, endpoint: WebhookEndpoint) -> Response:
    """The answer to a creation, made before its commit."""
    told = _shown(endpoint, secret_of(work.installation_key(), endpoint))
    return made(told, 201, {"location": link(router.prefix, endpoint.id)})


@router.get("", response_model=Page[WebhookShown], responses=documented(*ALWAYS))
def listed(request: Request, caller: Admin) -> Response:
    """The tenant's endpoints, oldest first."""
    with caller.api.reads() as work:
        found = work.service.webhooks.of_tenant(caller.tenant)
    return shown(request, Page[WebhookShown](items=tuple(_shown(one) for one in found)))


@router.get("/{webhook}", response_model=WebhookShown, responses=RESPONSES)
def read(request: Request, caller: Admin, webhook: str) -> Response:
    """One endpoint, without its secret."""
    with caller.api.reads() as work:
        return shown(request, _shown(work.service.webhooks.get(caller.tenant, webhook)))


@router.delete("/{webhook}", status_code=204, response_class=Response, responses=RESPONSES)
def delete(caller: Admin, webhook: str) -> Response:
    """Forget an endpoint with its deliveries."""
    with caller.api.units() as work:
        work.service.webhooks.remove(caller.tenant, webhook)
        work.commit()
    return Response(status_code=204)


@router.post("/{webhook}/rotate", response_model=WebhookShown, responses=RESPONSES)
def rotate(caller: Admin, webhook: str) -> Response:
    """Give it a new secret; for a day the one before it signs beside the new one."""

    def change(endpoint: WebhookEndpoint) -> WebhookEndpoint:
        now = caller.api.services.clock.now()
        return endpoint.model_copy(update={"generation": endpoint.generation + 1, "rotated_at": now})

    with caller.api.units() as work:
        endpoint = change(work.service.webhooks.get(caller.tenant, webhook))
        work.service.webhooks.add(endpoint)
        reply = made(_shown(endpoint, secret_of(work.installation_key(), endpoint)))
        work.commit()
    return reply


@router.post("/{webhook}/enable", response_model=WebhookShown, responses=RESPONSES)
def enable(caller: Admin, webhook: str) -> Response:
    """Call an endpoint again that was disabled; what was given up meanwhile can be sent again one by one."""
    with caller.api.units() as work:
        endpoint = work.service.webhooks.get(caller.tenant, webhook)
        endpoint = endpoint.model_copy(update={"disabled_at": None, "disabled_why": None})
        work.service.webhooks.add(endpoint)
        reply = made(_shown(endpoint))
        work.commit()
    return reply


@router.get("/{webhook}/deliveries", response_model=Page[DeliveryShown], responses=RESPONSES)
def deliveries(request: Request, caller: Admin, webhook: str, limit: Limit = 50) -> Response:
    """The newest deliveries of an endpoint: how each stands, and why."""
    with caller.api.reads() as work:
        work.service.webhooks.get(caller.tenant, webhook)
        found = work.service.webhooks.deliveries(caller.tenant, webhook, limit)
    return shown(request, Page[DeliveryShown](items=tuple(map(_delivery_shown, found))))


@router.post(
    "/{webhook}/deliveries/{delivery}/redeliver", status_code=202, response_model=DeliveryShown, responses=RESPONSES
)
def redeliver(caller: Admin, webhook: str, delivery: str) -> Response:
    """Send a delivery again, under its own id, so that a receiver can tell a repeat."""
    with caller.api.units() as work:
        found = _of_endpoint(work, caller, webhook, delivery)
        again = sent_again(found, caller.api.services.clock.now())
        work.service.webhooks.settle(again)
        reply = made(_delivery_shown(again), 202)
        work.commit()
    return reply


def _of_endpoint(work: UnitOfWork, caller: Caller, webhook: str, delivery: str) -> Delivery:
    endpoint = work.service.webhooks.get(caller.tenant, webhook)
    found = work.service.webhooks.delivery(caller.tenant, delivery)
    if found.endpoint != endpoint.id:
        raise InputError(f"delivery {delivery!r} is not of webhook {webhook!r}", "take both from one list")
    return found


def _shown(endpoint: WebhookEndpoint, secret: str | None = None) -> WebhookShown:
    return WebhookShown(
        id=endpoint.id,
        url=endpoint.url,
        description=endpoint.description,
        notices=list(endpoint.notices),
        created_at=endpoint.created_at,
        disabled_at=endpoint.disabled_at,
        disabled_why=endpoint.disabled_why,
        secret=secret,
    )


def _delivery_shown(delivery: Delivery) -> DeliveryShown:
    state: Literal["waiting", "delivered", "given_up"] = (
        "delivered" if delivery.delivered_at else "given_up" if delivery.failed_at else "waiting"
    )
    return DeliveryShown(
        id=delivery.id,
        notice=delivery.notice,
        dissolution=delivery.job,
        created_at=delivery.created_at,
        state=state,
        attempts=delivery.attempts,
        due_at=delivery.due_at,
        status=delivery.status,
        problem=delivery.problem,
    )
