"""What the service keeps, over SQL: keys, answered requests, rules of intake. Webhooks and pages stand beside it."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from pydantic import JsonValue
from sqlalchemy import Row, delete, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite

from dissolution.conversation import ConversationId
from dissolution.errors import IllegalMove, NotFound
from dissolution.service import ApiKey, IntakeRules, Replay
from store.sql.listing import SqlListing
from store.sql.rows import Repository
from store.sql.webhooks import SqlWebhooks
from store.tables import service as tables
from store.tables.columns import utc

KEY = "API key"
REPLAY = "request under the idempotency key"


class SqlKeys(Repository):
    """API keys in one transaction."""

    def add(self, key: ApiKey) -> None:
        """Store a key. Raises IllegalMove when the id is taken."""
        if self.get(key.id) is not None:
            raise IllegalMove(KEY, key.id, "stored", "stored again")
        self._connection.execute(insert(tables.api_keys).values(_columns(key)))

    def get(self, key: str) -> ApiKey | None:
        """The key of this id, None when there is none."""
        row = self._connection.execute(select(tables.api_keys).where(tables.api_keys.c.id == key)).one_or_none()
        return None if row is None else ApiKey.model_validate(_values(row))

    def all(self, tenant: str | None = None) -> tuple[ApiKey, ...]:
        """All keys, or a tenant's, oldest first."""
        keys = tables.api_keys
        query = select(keys) if tenant is None else select(keys).where(keys.c.tenant == tenant)
        rows = self._connection.execute(query)
        return tuple(sorted(map(_api_key, rows), key=lambda key: (key.created_at, key.id)))

    def end(self, key: str, *, expires_at: datetime | None = None, revoked_at: datetime | None = None) -> ApiKey:
        """Let a key end: at an instant, or now that somebody took it back. Raises NotFound."""
        given = {"expires_at": expires_at, "revoked_at": revoked_at}
        values = {name: utc(instant) for name, instant in given.items() if instant is not None}
        found = self.get(key)
        if found is None:
            raise NotFound(KEY, key)
        if values:
            self._connection.execute(update(tables.api_keys).where(tables.api_keys.c.id == key).values(values))
        return found.model_copy(update=values)


class SqlReplays(Repository):
    """Answered requests in one transaction."""

    def claim(self, replay: Replay) -> Replay | None:
        """Take the key for this request: None when it was free, else the standing record. An expired one is free."""
        replays = tables.replays
        one = (replays.c.client == replay.client) & (replays.c.key == replay.key)
        self._connection.execute(delete(replays).where(one, replays.c.expires_at <= utc(replay.created_at)))
        make = postgresql.insert if self._connection.dialect.name == "postgresql" else sqlite.insert
        taken = self._connection.execute(
            make(replays).values(_columns(replay)).on_conflict_do_nothing().returning(replays.c.client)
        ).one_or_none()
        if taken is not None:
            return None
        return Replay.model_validate(_values(self._connection.execute(select(replays).where(one)).one()))

    def fill(
        self, client: str, key: str, conversation: ConversationId | None, outcome: Mapping[str, JsonValue]
    ) -> None:
        """Say what came of it. Raises NotFound."""
        replays = tables.replays
        changed = self._connection.execute(
            update(replays)
            .where(replays.c.client == client, replays.c.key == key)
            .values(conversation=conversation, outcome=dict(outcome))
        )
        if changed.rowcount == 0:
            raise NotFound(REPLAY, key)

    def purge(self, at: datetime) -> int:
        """Forget what has expired; how many that were."""
        return self._connection.execute(delete(tables.replays).where(tables.replays.c.expires_at <= utc(at))).rowcount


class SqlIntake(Repository):
    """Rules of intake in one transaction."""

    def rules(self, tenant: str) -> IntakeRules:
        """A tenant's rules; those without any when it has none."""
        stored = tables.intake_rules
        found = self._connection.scalar(select(stored.c.rules).where(stored.c.tenant == tenant))
        return found if isinstance(found, IntakeRules) else IntakeRules()

    def set_rules(self, tenant: str, rules: IntakeRules, at: datetime) -> None:
        """Take these from now on; what is stored stays as it is."""
        make = postgresql.insert if self._connection.dialect.name == "postgresql" else sqlite.insert
        changed = {"rules": rules, "changed_at": utc(at)}
        statement = make(tables.intake_rules).values({"tenant": tenant, **changed})
        self._connection.execute(statement.on_conflict_do_update(index_elements=["tenant"], set_=changed))


class SqlService(Repository):
    """All that the service keeps, in one transaction."""

    @property
    def keys(self) -> SqlKeys:
        """API keys."""
        return SqlKeys(self._connection)

    @property
    def replays(self) -> SqlReplays:
        """Requests that were answered."""
        return SqlReplays(self._connection)

    @property
    def webhooks(self) -> SqlWebhooks:
        """Who is called back, and what for."""
        return SqlWebhooks(self._connection)

    @property
    def intake(self) -> SqlIntake:
        """What is replaced in turns."""
        return SqlIntake(self._connection)

    @property
    def listing(self) -> SqlListing:
        """Pages of what a tenant has."""
        return SqlListing(self._connection)


def _api_key(row: Row[Any]) -> ApiKey:
    return ApiKey.model_validate(_values(row))


def _values(row: Row[Any]) -> dict[str, Any]:
    return dict(row._mapping)  # noqa: SLF001 - SQLAlchemy's public name for a row as a mapping


def _columns(value: ApiKey | Replay) -> dict[str, object]:
    """The fields as the columns of the same names take them."""
    return {name: getattr(value, name) for name in type(value).model_fields}
