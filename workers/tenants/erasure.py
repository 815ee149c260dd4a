"""Erasing a tenant: every conversation as `erase` does it, then its keys, webhooks, answered requests and rules."""

from workers.services import Services
from workers.tenants.redaction import reason_of_erasure

PAGE = 100


def erase_tenant(services: Services, tenant: str, *, actor: str, reason: str) -> int:
    """Erase all that belongs to a tenant; how many conversations that were.

    Its keys go first, so that nobody adds to what is being erased. What a day has cost stays, as figures alone.

    Raises StepHeld when a worker is at one of its jobs; what was erased until then is, and a repeat goes on.
    """
    with services.unit_of_work() as work:
        work.service.listing.forget(tenant)
        work.commit()
    count = 0
    while True:
        with services.unit_of_work() as work:
            page = work.service.listing.conversations(tenant, None, PAGE)
            for facts in page:
                told = reason_of_erasure(work, reason, facts.id)
                work.ledger.erase(facts.id, services.clock.now(), actor=actor, reason=told)
            work.service.listing.forget(tenant)
            work.commit()
        count += len(page)
        if len(page) < PAGE:
            return count
