"""What the service keeps, in memory; see `store.sql.service`, `store.sql.webhooks` and `store.sql.listing`."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import cast

from pydantic import JsonValue

from dissolution.conversation import ConversationId, Redaction, chained_digest
from dissolution.errors import IllegalMove, NotFound
from dissolution.job import ENDED, Job, JobStatus
from dissolution.service import ApiKey, ConversationFacts, ConversationStanding, IntakeRules, Replay
from dissolution.tenancy import tenant_of
from dissolution.webhooks import Delivery, WebhookEndpoint, notice_of
from store.memory_standings import newest_first, standing_of
from store.memory_state import State
from store.rules.checks import CONVERSATION
from store.sql.service import KEY, REPLAY
from store.sql.webhooks import DELIVERY, ENDPOINT
from store.tables.columns import utc


class MemoryKeys:
    """API keys in one unit of work."""

    def __init__(self, state: State) -> None:
        self._keys = state.keys

    def add(self, key: ApiKey) -> None:
        """Store a key. Raises IllegalMove when the id is taken."""
        if key.id in self._keys:
            raise IllegalMove(KEY, key.id, "stored", "stored again")
        self._keys[key.id] = key

    def get(self, key: str) -> ApiKey | None:
        """The key of this id, None when there is none."""
        return self._keys.get(key)

    def all(self, tenant: str | None = None) -> tuple[ApiKey, ...]:
        """All keys, or a tenant's, oldest first."""
        chosen = (key for key in self._keys.values() if tenant in {None, key.tenant})
        return tuple(sorted(chosen, key=lambda key: (key.created_at, key.id)))

    def end(self, key: str, *, expires_at: datetime | None = None, revoked_at: datetime | None = None) -> ApiKey:
        """Let a key end. Raises NotFound."""
        if key not in self._keys:
            raise NotFound(KEY, key)
        given = {"expires_at": expires_at, "revoked_at": revoked_at}
        values = {name: utc(instant) for name, instant in given.items() if instant is not None}
        self._keys[key] = self._keys[key].model_copy(update=values)
        return self._keys[key]


class MemoryReplays:
    """Answered requests in one unit of work."""

    def __init__(self, state: State) -> None:
        self._replays = state.replays

    def claim(self, replay: Replay) -> Replay | None:
        """Take the key for this request: None when it was free, else the standing record."""
        standing = self._replays.get((replay.client, replay.key))
        if standing is not None and standing.expires_at > utc(replay.created_at):
            return standing
        self._replays[replay.client, replay.key] = replay
        return None

    def fill(
        self, client: str, key: str, conversation: ConversationId | None, outcome: Mapping[str, JsonValue]
    ) -> None:
        """Say what came of it. Raises NotFound."""
        if (client, key) not in self._replays:
            raise NotFound(REPLAY, key)
        changes = {"conversation": conversation, "outcome": dict(outcome)}
        self._replays[client, key] = self._replays[client, key].model_copy(update=changes)

    def purge(self, at: datetime) -> int:
        """Forget what has expired; how many that were."""
        over = [key for key, one in self._replays.items() if one.expires_at <= utc(at)]
        for key in over:
            del self._replays[key]
        return len(over)


class MemoryWebhooks:
    """Endpoints and deliveries in one unit of work."""

    def __init__(self, state: State) -> None:
        self._endpoints = state.endpoints
        self._deliveries = state.deliveries

    def add(self, endpoint: WebhookEndpoint) -> None:
        """Store an endpoint, or change the one of this id."""
        self._endpoints[endpoint.id] = endpoint

    def get(self, tenant: str, endpoint: str) -> WebhookEndpoint:
        """A tenant's endpoint. Raises NotFound."""
        found = self._endpoints.get(endpoint)
        if found is None or found.tenant != tenant:
            raise NotFound(ENDPOINT, endpoint)
        return found

    def of_tenant(self, tenant: str) -> tuple[WebhookEndpoint, ...]:
        """A tenant's endpoints, oldest first."""
        chosen = (one for one in self._endpoints.values() if one.tenant == tenant)
        return tuple(sorted(chosen, key=lambda one: (one.created_at, one.id)))

    def remove(self, tenant: str, endpoint: str) -> None:
        """Delete an endpoint with its deliveries. Raises NotFound."""
        del self._endpoints[self.get(tenant, endpoint).id]
        for name in [one.id for one in self._deliveries.values() if one.endpoint == endpoint]:
            del self._deliveries[name]

    def announce(self, job: Job, status: JobStatus, at: datetime) -> int:
        """Want the endpoints of the job's tenant told that it moves to a status; how many that are."""
        wanted = [notice_of(job, status, one, utc(at)) for one in self.of_tenant(job.tenant)]
        made = [one for one in wanted if one is not None]
        self._deliveries.update({one.id: one for one in made})
        return len(made)

    def take(self, at: datetime, limit: int, lease_s: float) -> tuple[tuple[Delivery, WebhookEndpoint], ...]:
        """Deliveries that are due, longest first, counted as an attempt; due again after `lease_s` seconds."""
        now = utc(at)
        due = [
            one for one in self._deliveries.values() if one.due_at <= now and not (one.delivered_at or one.failed_at)
        ]
        again = now + timedelta(seconds=lease_s)
        taken = [
            one.model_copy(update={"due_at": again, "attempts": one.attempts + 1})
            for one in sorted(due, key=lambda one: (one.due_at, one.id))[:limit]
        ]
        self._deliveries.update({one.id: one for one in taken})
        return tuple((one, self._endpoints[one.endpoint]) for one in taken)

    def settle(self, delivery: Delivery) -> None:
        """Store what came of an attempt. No error for one that was erased meanwhile."""
        if delivery.id in self._deliveries:
            self._deliveries[delivery.id] = delivery

    def delivery(self, tenant: str, delivery: str) -> Delivery:
        """One delivery. Raises NotFound."""
        found = self._deliveries.get(delivery)
        if found is None or found.tenant != tenant:
            raise NotFound(DELIVERY, delivery)
        return found

    def deliveries(self, tenant: str, endpoint: str, limit: int) -> tuple[Delivery, ...]:
        """An endpoint's deliveries, newest first."""
        chosen = [one for one in self._deliveries.values() if (one.tenant, one.endpoint) == (tenant, endpoint)]
        return tuple(sorted(chosen, key=lambda one: (one.created_at, one.id), reverse=True))[:limit]


class MemoryIntake:
    """Rules of intake in one unit of work."""

    def __init__(self, state: State) -> None:
        self._rules = state.intake

    def rules(self, tenant: str) -> IntakeRules:
        """A tenant's rules; those without any when it has none."""
        return self._rules.get(tenant, IntakeRules())

    def set_rules(self, tenant: str, rules: IntakeRules, at: datetime) -> None:
        """Take these from now on."""
        utc(at)
        self._rules[tenant] = rules


class MemoryListing:
    """Pages in one unit of work."""

    def __init__(self, state: State) -> None:
        self._state = state

    def conversations(self, tenant: str, after: str | None, limit: int) -> tuple[ConversationFacts, ...]:
        """Conversations by id, those above `after`."""
        own = sorted(name for name in self._state.conversations if tenant_of(name) == tenant)
        return tuple(self.conversation(name) for name in own if after is None or name > after)[:limit]

    def newest(self, tenant: str | None, containing: str, limit: int) -> tuple[ConversationFacts, ...]:
        """Conversations whose id or title contains a text, those first to which a turn or a job came last."""
        own = [self.conversation(name) for name in self._state.conversations if tenant in {None, tenant_of(name)}]
        small = containing.lower()
        found = [one for one in own if small in one.id.lower() or small in (one.title or "").lower()]
        return newest_first(self._state, found)[:limit]

    def standings(self, conversations: Sequence[ConversationId]) -> Mapping[str, ConversationStanding]:
        """How each of these stands, by id; one that is not stored is not there."""
        return {name: standing_of(self._state, name) for name in conversations if name in self._state.conversations}

    def conversation(self, conversation: ConversationId) -> ConversationFacts:
        """One of them. Raises NotFound."""
        found = self._state.conversations.get(conversation)
        if found is None:
            raise NotFound(CONVERSATION, conversation)
        return ConversationFacts(
            id=found.id,
            title=found.title,
            language=found.language,
            turns=len(found.turns),
            recorded_at=found.turns[-1].recorded_at,
            digest=chained_digest(found.turns),
        )

    def redactions(self, conversation: ConversationId) -> tuple[Redaction, ...]:
        """What was replaced in a conversation, by turn."""
        found = self._state.conversations.get(conversation)
        return () if found is None else tuple(sorted(found.redactions, key=lambda one: one.turn))

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
        chosen = [
            job
            for job in self._state.jobs.values()
            if job.tenant == tenant
            and conversation in {None, job.conversation}
            and status in {None, job.status}
            and (before is None or (job.created_at, job.id) < before)
        ]
        return tuple(sorted(chosen, key=lambda job: (job.created_at, job.id), reverse=True))[:limit]

    def unfinished(self, tenant: str, most: int) -> int:
        """How many of a tenant's jobs have not ended, counted up to `most`."""
        return min(most, sum(job.tenant == tenant and job.status not in ENDED for job in self._state.jobs.values()))

    def tenants(self) -> tuple[str, ...]:
        """Every tenant that has a conversation, a job or a key, by name."""
        state = self._state
        owners = {job.tenant for job in state.jobs.values()} | {key.tenant for key in state.keys.values()}
        return tuple(sorted(owners | set(map(tenant_of, state.conversations))))

    def forget(self, tenant: str) -> None:
        """Delete a tenant's keys, endpoints, deliveries, replays and rules."""
        state = self._state
        kept = (state.keys, state.replays, state.endpoints, state.deliveries)
        for mapping in cast("tuple[dict[object, ApiKey | Replay | WebhookEndpoint | Delivery], ...]", kept):
            for name in [name for name, one in mapping.items() if one.tenant == tenant]:
                del mapping[name]
        state.intake.pop(tenant, None)


class MemoryService:
    """All that the service keeps, in one unit of work."""

    def __init__(self, state: State) -> None:
        self._state = state

    @property
    def keys(self) -> MemoryKeys:
        """API keys."""
        return MemoryKeys(self._state)

    @property
    def replays(self) -> MemoryReplays:
        """Requests that were answered."""
        return MemoryReplays(self._state)

    @property
    def webhooks(self) -> MemoryWebhooks:
        """Who is called back, and what for."""
        return MemoryWebhooks(self._state)

    @property
    def intake(self) -> MemoryIntake:
        """What is replaced in turns."""
        return MemoryIntake(self._state)

    @property
    def listing(self) -> MemoryListing:
        """Pages of what a tenant has."""
        return MemoryListing(self._state)
