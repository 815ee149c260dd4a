"""What routes work with: the services, and who asks."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

from anyio import CapacityLimiter

from api.limits import RequestLimits
from api.readiness import Readiness
from dissolution.errors import NotFound
from dissolution.ids import JobId
from dissolution.job import Job
from dissolution.ports.store import UnitOfWork, UnitOfWorkFactory
from dissolution.service import KeyScope
from dissolution.tenancy import MARK, NAME_CHARS, scoped
from workers.services import Services
from workers.telemetry.tracing import Tracing
from workers.tenants.recall import Recall, recall_of
from workers.tenants.webhook_reach import Reach, refuse_unreachable


@dataclass(frozen=True, kw_only=True)
class Api:
    """The service of one process."""

    services: Services
    limits: RequestLimits
    embedded: bool  # jobs run in this process, and loopback needs no key
    tracing: Tracing | None = None  # None: nothing is traced
    reach: Reach = refuse_unreachable  # whether a webhook's address can be reached
    apart: CapacityLimiter = field(default_factory=lambda: CapacityLimiter(1))  # a thread that no other request takes

    @cached_property
    def readiness(self) -> Readiness:
        """Whether requests can be served."""
        return Readiness(self.services.unit_of_work, self.services.clock)

    @cached_property
    def recall(self) -> Recall:
        """Search in conversations and their ledgers."""
        return recall_of(self.services)

    def close(self) -> None:
        """End what runs beside requests."""
        if "recall" in vars(self):
            self.recall.close()

    @property
    def reads(self) -> Callable[[], UnitOfWork]:
        """Units of work that only read."""
        return self.services.unit_of_work.reading

    @property
    def units(self) -> UnitOfWorkFactory:
        """Units of work."""
        return self.services.unit_of_work


@dataclass(frozen=True, kw_only=True)
class Caller:
    """Who asks, and through what he may reach."""

    tenant: str
    client: str  # whose idempotency keys and request limits count
    scopes: tuple[KeyScope, ...]
    name: str  # as the ledger records who acted
    api: Api

    def conversation(self, name: str) -> str:
        """The id of one of the tenant's conversations. Raises NotFound for a name that no conversation can have."""
        if MARK in name or not 0 < len(name) <= NAME_CHARS:
            kind = "conversation"
            raise NotFound(kind, name)
        return scoped(self.tenant, name)

    def job(self, work: UnitOfWork, job: JobId) -> Job:
        """One of the tenant's jobs. Raises NotFound for another tenant's too."""
        found = work.jobs.get(job)
        if found.tenant != self.tenant:
            kind = "job"
            raise NotFound(kind, job)
        return found
