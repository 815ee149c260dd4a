"""`dissolve keys`: the API keys of the HTTP service, and the end of a tenant."""

import json
import sys
from datetime import datetime, timedelta

from rich.text import Text

from cli.shared.exits import Exit
from cli.shared.naming import actor_of
from cli.shared.output import printing, say
from cli.shared.tables import row, table
from cli.shared.views import console
from dissolution.errors import InputError, NotFound
from dissolution.service import ApiKey, KeyScope
from dissolution.settings import load_settings
from dissolution.tenancy import checked_tenant
from workers.bootstrap import open_services
from workers.tenants.api_keys import new_key, rotate
from workers.tenants.erasure import erase_tenant


def create_key(*, name: str, tenant: str, scope: str, days: int | None, db: str | None, as_json: bool) -> Exit:
    """Make a key and print it, this once. Raises InputError."""
    lives = None if days is None else timedelta(days=days)
    with open_services(load_settings(db=db)) as services, services.unit_of_work() as work:
        made, key = new_key(tenant, name, [KeyScope(scope)], services.clock.now(), lives=lives)
        work.service.keys.add(made)
        work.commit()
    return _told(made, key, as_json=as_json)


def _told(made: ApiKey, key: str, *, as_json: bool) -> Exit:
    with printing(Exit.OK):
        if as_json:
            sys.stdout.write(json.dumps(_document(made) | {"key": key}, indent=1) + "\n")
        else:
            sys.stdout.write(f"{key}\n")
    say(f"key {made.id} of tenant {made.tenant!r}; it is shown this once, and only its hash is kept")
    return Exit.OK


def _document(key: ApiKey) -> dict[str, object]:
    """A key as JSON values, without what recognises it."""
    return key.model_dump(mode="json", exclude={"hash"})


def list_keys(*, tenant: str | None, db: str | None, as_json: bool) -> Exit:
    """Print the keys: whose, what for, until when; never the keys themselves."""
    with open_services(load_settings(db=db), create=False) as services, services.unit_of_work() as work:
        now = services.clock.now()
        keys = work.service.keys.all(tenant)
    with printing(Exit.OK):
        if as_json:
            sys.stdout.write(json.dumps([_document(key) for key in keys], indent=1) + "\n")
        elif not keys:
            sys.stdout.write("no keys; make one with `dissolve keys create NAME`\n")
        else:
            shown = table("id", "tenant", "name", "scopes", "made", "state")
            for key in keys:
                scopes = ", ".join(key.scopes)
                row(shown, key.id, key.tenant, key.name, scopes, f"{key.created_at:%Y-%m-%d}", state_of(key, now))
            console().print(shown)
    return Exit.OK


def state_of(key: ApiKey, now: datetime) -> str:
    """How a key stands, in words."""
    if key.revoked_at is not None:
        return f"revoked {key.revoked_at:%Y-%m-%d}"
    if key.expires_at is None:
        return "works"
    word = "works until" if key.works_at(now) else "expired"
    return f"{word} {key.expires_at:%Y-%m-%d %H:%M}"


def rotate_key(identifier: str, *, hours: float, db: str | None, as_json: bool) -> Exit:
    """Make a key in the place of another, which works on for some hours. Raises NotFound."""
    with open_services(load_settings(db=db), create=False) as services, services.unit_of_work() as work:
        made, key = rotate(work, identifier, services.clock.now(), overlap=timedelta(hours=hours))
        work.commit()
    say(f"key {identifier} works for {hours:g} more hours")
    return _told(made, key, as_json=as_json)


def revoke_key(identifier: str, *, db: str | None) -> Exit:
    """Take a key back, at once. Raises NotFound."""
    with open_services(load_settings(db=db), create=False) as services, services.unit_of_work() as work:
        work.service.keys.end(identifier, revoked_at=services.clock.now())
        work.commit()
    with printing(Exit.OK):
        sys.stdout.write(f"key {identifier} works no more\n")
    return Exit.OK


def erase_all(tenant: str, *, why: str, by: str | None, sure: bool, db: str | None) -> Exit:
    """Erase all of a tenant: conversations with what came of them, keys, webhooks, rules.

    Raises InputError unless `sure`, NotFound, StepHeld.
    """
    checked_tenant(tenant)
    actor = actor_of(by)
    with open_services(load_settings(db=db), create=False) as services:
        with services.unit_of_work() as work:
            known = work.service.listing.tenants()
        if tenant not in known:
            kind = "tenant"
            raise NotFound(kind, tenant)
        if not sure:
            raise InputError(f"erasing tenant {tenant!r} cannot be undone", "give --yes to do it")
        count = erase_tenant(services, tenant, actor=actor, reason=why)
    with printing(Exit.OK):
        console().print(Text(f"tenant {tenant!r} is erased: {count} conversations, keys, webhooks and rules"))
    return Exit.OK
