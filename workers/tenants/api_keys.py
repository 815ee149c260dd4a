"""API keys: made, recognised, rotated. A key is shown once; what is kept recognises it and cannot be turned back.

A key is `dsk_<id>_<secret>`: the prefix names what it is to whoever finds it, the id is looked up, the secret has 256
random bits. It is kept as SHA-256: a slow hash would buy nothing against that many bits and could not be looked up.
"""

import hashlib
import hmac
import re
import secrets
import string
from collections.abc import Sequence
from datetime import datetime, timedelta

from dissolution.errors import InputError, NotFound
from dissolution.ports.store import UnitOfWork
from dissolution.service import ApiKey, KeyScope
from dissolution.tenancy import checked_tenant
from workers.tenants.redaction import refuse_secret

PREFIX = "dsk"
SECRET_BYTES = 32
ID_CHARS = 12
KEY = re.compile(rf"{PREFIX}_([a-z0-9]{{{ID_CHARS}}})_[A-Za-z0-9_-]{{43}}")
ALPHABET = string.ascii_lowercase + string.digits

ROTATION_OVERLAP = timedelta(hours=24)
"""How long the old key works after a rotation, so that its users can change it without a gap."""

NO_KEY_HASH = "0" * 64
"""Compared with when no key has the id: an unknown id and a wrong secret take the same time."""


def hash_of(key: str) -> str:
    """SHA-256 (hex) of a whole key."""
    return hashlib.sha256(key.encode()).hexdigest()


def new_key(
    tenant: str,
    name: str,
    scopes: Sequence[KeyScope],
    at: datetime,
    *,
    lives: timedelta | None = None,
    client: str | None = None,
) -> tuple[ApiKey, str]:
    """A key as it is kept, and the key itself, which is nowhere else.

    Args:
        tenant: Whose data it opens.
        name: What people call it.
        scopes: What it allows; each allows what those before it do.
        at: This instant.
        lives: For how long; until somebody takes it back, if None.
        client: Whose requests its requests continue; its own, if None.

    Raises:
        InputError: No name, no scope, a name with a secret in it, or a tenant that is none.
    """
    if not name.strip() or not scopes:
        raise InputError(f"name {name!r} with scopes {[str(one) for one in scopes]}", "give a name and a scope or more")
    refuse_secret("the key's name", name, "choose another; lists and ledgers show it")
    identifier = "".join(secrets.choice(ALPHABET) for _ in range(ID_CHARS))
    key = f"{PREFIX}_{identifier}_{secrets.token_urlsafe(SECRET_BYTES)}"
    made = ApiKey(
        id=identifier,
        tenant=checked_tenant(tenant),
        client=client or f"client-{identifier}",
        name=name.strip()[:100],
        hash=hash_of(key),
        scopes=tuple(sorted(set(scopes), key=list(KeyScope).index)),
        created_at=at,
        expires_at=None if lives is None else at + lives,
    )
    return made, key


def recognised(work: UnitOfWork, key: str, at: datetime) -> ApiKey | None:
    """What is kept of a key that works now; None for any other text, whatever is wrong with it."""
    match = KEY.fullmatch(key)
    found = None if match is None else work.service.keys.get(match[1])
    known = hmac.compare_digest(hash_of(key), NO_KEY_HASH if found is None else found.hash)
    return found if found is not None and known and found.works_at(at) else None


def rotate(
    work: UnitOfWork, identifier: str, at: datetime, *, overlap: timedelta = ROTATION_OVERLAP
) -> tuple[ApiKey, str]:
    """Make a key in the place of another one, which works on for `overlap` and then no more. Raises NotFound."""
    old = work.service.keys.get(identifier)
    if old is None or not old.works_at(at):
        kind = "API key that works"
        raise NotFound(kind, identifier)
    lives = None if old.expires_at is None else old.expires_at - old.created_at
    made, key = new_key(old.tenant, old.name, old.scopes, at, lives=lives, client=old.client)
    work.service.keys.add(made)
    ends = at + overlap
    work.service.keys.end(old.id, expires_at=ends if old.expires_at is None else min(ends, old.expires_at))
    return made, key


def allows(scopes: Sequence[KeyScope], wanted: KeyScope) -> bool:
    """Whether scopes allow what is wanted: each allows what those before it do."""
    order = list(KeyScope)
    return any(order.index(scope) >= order.index(wanted) for scope in scopes)
