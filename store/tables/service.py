"""The tables of the service: keys, requests that were answered, webhooks, and each tenant's rules of intake."""

from sqlalchemy import Column, ForeignKey, Index, Integer, Table

from dissolution.service import IntakeRules, KeyScope
from dissolution.webhooks import Notice
from store.tables.columns import Document, ExactText, Instant
from store.tables.jobs import metadata

api_keys = Table(
    "api_keys",
    metadata,
    Column("id", ExactText, primary_key=True),
    Column("tenant", ExactText, nullable=False),
    Column("client", ExactText, nullable=False),
    Column("name", ExactText, nullable=False),
    Column("hash", ExactText, nullable=False),
    Column("scopes", Document(tuple[KeyScope, ...]), nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("expires_at", Instant),
    Column("revoked_at", Instant),
    Index(None, "tenant"),
)

replays = Table(
    "replays",
    metadata,
    Column("client", ExactText, primary_key=True),
    Column("key", ExactText, primary_key=True),
    Column("tenant", ExactText, nullable=False),
    Column("fingerprint", ExactText, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("expires_at", Instant, nullable=False),
    Column("conversation", ExactText),
    Column("outcome", Document(dict[str, object]), nullable=False),
    Index(None, "expires_at"),
    Index(None, "conversation"),
)

webhook_endpoints = Table(
    "webhook_endpoints",
    metadata,
    Column("id", ExactText, primary_key=True),
    Column("tenant", ExactText, nullable=False),
    Column("url", ExactText, nullable=False),
    Column("description", ExactText, nullable=False),
    Column("notices", Document(tuple[Notice, ...]), nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("generation", Integer, nullable=False),
    Column("rotated_at", Instant),
    Column("disabled_at", Instant),
    Column("disabled_why", ExactText),
    Index(None, "tenant"),
)

webhook_deliveries = Table(
    "webhook_deliveries",
    metadata,
    Column("id", ExactText, primary_key=True),
    Column("endpoint", ExactText, ForeignKey("webhook_endpoints.id"), nullable=False),
    Column("tenant", ExactText, nullable=False),
    Column("job", ExactText, ForeignKey("jobs.id")),
    Column("conversation", ExactText),
    Column("notice", ExactText, nullable=False),
    Column("payload", ExactText, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("due_at", Instant, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("delivered_at", Instant),
    Column("failed_at", Instant),
    Column("status", Integer),
    Column("problem", ExactText),
    Index(None, "due_at"),
    Index(None, "endpoint", "created_at"),
    Index(None, "conversation"),
)

intake_rules = Table(
    "intake_rules",
    metadata,
    Column("tenant", ExactText, primary_key=True),
    Column("rules", Document(IntakeRules), nullable=False),
    Column("changed_at", Instant, nullable=False),
)
