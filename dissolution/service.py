"""What the service keeps beside conversations and jobs: who may ask, what was asked before, and who is called back."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Protocol

from pydantic import AwareDatetime, Field, JsonValue

from dissolution.boundary_size import BoundarySize
from dissolution.conversation import ConversationId, Language, Redaction, TurnNumber
from dissolution.ids import JobId
from dissolution.job import Job, JobStatus, TenantName
from dissolution.values import Frozen, NotMeasured
from dissolution.webhooks import WebhookStore

KeyId = Annotated[str, Field(pattern=r"^[a-z0-9]{12}$")]
ClientName = Annotated[str, Field(min_length=1, max_length=100)]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class KeyScope(StrEnum):
    """What a key allows. Each allows what those before it do."""

    READ = "read"  # read what is stored
    WRITE = "write"  # store conversations, ask for dissolutions, act on claims, erase
    ADMIN = "admin"  # webhooks and the tenant's own patterns of secrets


class ApiKey(Frozen):
    """An API key as it is kept: never the key itself, only what recognises it.

    `client` stays the same when a key is rotated: what a client asked under its old key is known under the new one.
    """

    id: KeyId
    tenant: TenantName
    client: ClientName
    name: Annotated[str, Field(min_length=1, max_length=100)]
    hash: Sha256  # of the whole key
    scopes: Annotated[tuple[KeyScope, ...], Field(min_length=1)]
    created_at: AwareDatetime
    expires_at: AwareDatetime | None = None
    revoked_at: AwareDatetime | None = None

    def works_at(self, at: datetime) -> bool:
        """Whether it opens anything at this instant."""
        ends = [end for end in (self.expires_at, self.revoked_at) if end is not None]
        return all(at < end for end in ends)


class KeyStore(Protocol):
    """API keys. Every change is inside the unit of work it came from."""

    def add(self, key: ApiKey) -> None:
        """Store a key. Raises IllegalMove when the id is taken."""
        ...

    def get(self, key: str) -> ApiKey | None:
        """The key of this id, None when there is none."""
        ...

    def all(self, tenant: str | None = None) -> tuple[ApiKey, ...]:
        """All keys, or a tenant's, oldest first."""
        ...

    def end(self, key: str, *, expires_at: datetime | None = None, revoked_at: datetime | None = None) -> ApiKey:
        """Let a key end: at an instant, or now that somebody took it back. Raises NotFound."""
        ...


class Replay(Frozen):
    """What came of a request that carried an idempotency key: ids and numbers alone, no content."""

    client: ClientName
    key: Annotated[str, Field(min_length=1, max_length=255)]
    tenant: TenantName
    fingerprint: Sha256  # of method, path and body
    created_at: AwareDatetime
    expires_at: AwareDatetime
    conversation: ConversationId | None = None  # with whose erasure it goes
    outcome: Mapping[str, JsonValue] = {}


class ReplayStore(Protocol):
    """Requests that were answered, unique by client and key; written in the transaction of what they made."""

    def claim(self, replay: Replay) -> Replay | None:
        """Take the key for this request: None when it was free, else the standing record. An expired one is free.

        Of two requests at once one is let in; the other waits for its end and is given its record.
        """
        ...

    def fill(
        self, client: str, key: str, conversation: ConversationId | None, outcome: Mapping[str, JsonValue]
    ) -> None:
        """Say what came of it. Raises NotFound."""
        ...

    def purge(self, at: datetime) -> int:
        """Forget what has expired; how many that were."""
        ...


class ExtraPattern(Frozen):
    """A tenant's own kind of secret, as a regular expression of a small, quick kind (`language.secrets`)."""

    kind: Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{1,39}$")]
    pattern: Annotated[str, Field(min_length=1, max_length=200)]


class IntakeRules(Frozen):
    """What is replaced in a tenant's turns besides the secrets that always are."""

    patterns: Annotated[tuple[ExtraPattern, ...], Field(max_length=50)] = ()
    personal_data: Annotated[str, Field(min_length=1, max_length=40)] | None = None  # a recogniser's name


class IntakeStore(Protocol):
    """Each tenant's rules of intake."""

    def rules(self, tenant: str) -> IntakeRules:
        """A tenant's rules; those without any when it has none."""
        ...

    def set_rules(self, tenant: str, rules: IntakeRules, at: datetime) -> None:
        """Take these from now on; what is stored stays as it is."""
        ...


class ConversationFacts(Frozen):
    """A conversation without its turns."""

    id: ConversationId
    title: str | None
    language: Language
    turns: Annotated[int, Field(ge=1)]
    recorded_at: AwareDatetime  # of its last turn
    digest: Sha256  # chained, over all turns


NO_BOUNDARY = NotMeasured(not_measured="no boundary stands")


class LastJob(Frozen):
    """The newest job of a conversation, in short."""

    id: JobId
    status: JobStatus
    through: TurnNumber
    created_at: AwareDatetime
    ended_at: AwareDatetime | None


class ConversationStanding(Frozen):
    """How a conversation stands: its ledger, its newest job, and how large it is."""

    version: Annotated[int, Field(ge=0)] = 0  # the newest of its ledger, 0 while it has no boundary
    last_job: LastJob | None = None
    characters: Annotated[int, Field(ge=0)] = 0  # of all its turns
    size: BoundarySize | NotMeasured = NO_BOUNDARY  # of the boundary that stands beside the turns it was made of


class ListingStore(Protocol):
    """Pages of what a tenant has; nothing of any other is read."""

    def newest(self, tenant: str | None, containing: str, limit: int) -> tuple[ConversationFacts, ...]:
        """Conversations, those first to which a turn or a job came last; of one tenant, or of all for None.

        Only those whose id or title contains `containing`, whatever the case of its letters.
        """
        ...

    def standings(self, conversations: Sequence[ConversationId]) -> Mapping[str, ConversationStanding]:
        """How each of these stands, by id; one that is not stored is not there. No turn is read."""
        ...

    def conversations(self, tenant: str, after: str | None, limit: int) -> tuple[ConversationFacts, ...]:
        """Conversations by id, those above `after`."""
        ...

    def conversation(self, conversation: ConversationId) -> ConversationFacts:
        """One of them, without reading its turns. Raises NotFound."""
        ...

    def redactions(self, conversation: ConversationId) -> tuple[Redaction, ...]:
        """What was replaced in a conversation, by turn."""
        ...

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
        ...

    def unfinished(self, tenant: str, most: int) -> int:
        """How many of a tenant's jobs have not ended, counted up to `most`."""
        ...

    def tenants(self) -> tuple[str, ...]:
        """Every tenant that has a conversation, a job or a key, by name."""
        ...

    def forget(self, tenant: str) -> None:
        """Delete a tenant's keys, endpoints, deliveries, replays and rules; its conversations are erased one by one."""
        ...


class ServiceStore(Protocol):
    """All of it in one transaction."""

    @property
    def keys(self) -> KeyStore:
        """API keys."""
        ...

    @property
    def replays(self) -> ReplayStore:
        """Requests that were answered."""
        ...

    @property
    def webhooks(self) -> WebhookStore:
        """Who is called back, and what for."""
        ...

    @property
    def intake(self) -> IntakeStore:
        """What is replaced in turns."""
        ...

    @property
    def listing(self) -> ListingStore:
        """Pages of what a tenant has."""
        ...
