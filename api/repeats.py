"""Idempotency keys: a request that made something is not done twice, and its repeat finds what it made.

The record is written in the transaction of what it is about, so both stand or neither does.
"""

import hashlib
import json
from collections.abc import Mapping
from datetime import timedelta
from typing import Annotated

from fastapi import Depends, Header, Request
from pydantic import JsonValue

from api.errors import IdempotencyKeyReused, InvalidKeyHeader
from api.state import Caller
from dissolution.ports.store import UnitOfWork
from dissolution.service import Replay

KEPT = timedelta(hours=24)
"""How long a key is remembered."""

MOST_CHARS = 255


class AlreadyAnswered(Exception):
    """The request was answered before, with this outcome; what its transaction began is dropped."""

    def __init__(self, outcome: Mapping[str, JsonValue]) -> None:
        super().__init__(outcome)
        self.outcome = outcome


class Once:
    """The idempotency key of one request, if it has one."""

    def __init__(self, key: str | None, request: Request, body: bytes) -> None:
        self._key = key
        # As it came: an address that is put together again ends at a `?` or `#` within a name.
        told = json.dumps([request.method, request.scope["path"], request.scope["query_string"].decode("latin-1")])
        self._fingerprint = hashlib.sha256(told.encode() + b"\0" + body).hexdigest()

    def begin(self, work: UnitOfWork, caller: Caller) -> None:
        """Take the key, first of all in the transaction. Raises AlreadyAnswered, IdempotencyKeyReused."""
        if self._key is None:
            return
        now = caller.api.services.clock.now()
        standing = work.service.replays.claim(
            Replay(
                client=caller.client,
                key=self._key,
                tenant=caller.tenant,
                fingerprint=self._fingerprint,
                created_at=now,
                expires_at=now + KEPT,
            )
        )
        if standing is None:
            return
        if standing.fingerprint != self._fingerprint:
            raise IdempotencyKeyReused(
                f"Idempotency-Key {self._key!r} came with another request before", "use a new key for a new request"
            )
        raise AlreadyAnswered(standing.outcome)

    def end(
        self, work: UnitOfWork, caller: Caller, outcome: Mapping[str, JsonValue], conversation: str | None = None
    ) -> None:
        """Say what came of it: ids and numbers, no content."""
        if self._key is not None:
            work.service.replays.fill(caller.client, self._key, conversation, outcome)


async def once(
    request: Request,
    idempotency_key: Annotated[
        str | None, Header(min_length=1, max_length=MOST_CHARS, description="Makes a repeat of this request harmless.")
    ] = None,
) -> Once:
    """The idempotency key of a request. Raises InvalidKeyHeader."""
    if idempotency_key is not None and not (idempotency_key.isascii() and idempotency_key.isprintable()):
        raise InvalidKeyHeader("the Idempotency-Key holds odd characters", "use printable ASCII, such as a UUID")
    return Once(idempotency_key, request, await request.body())


OnlyOnce = Annotated[Once, Depends(once)]
