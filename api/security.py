"""Who asks: by API key, or, on loopback in embedded mode, whoever works on this machine."""

import ipaddress
from typing import Annotated
from urllib.parse import urlsplit

from fastapi import Depends, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer

from api.errors import Forbidden, TooManyRequests, Unauthenticated
from api.state import Api, Caller
from dissolution.service import KeyScope
from dissolution.tenancy import DEFAULT_TENANT
from workers.tenants.api_keys import allows, recognised

LOOPBACK_CLIENT = "loopback"
KEY_NEEDED = "send `Authorization: Bearer` with an API key; `dissolve keys create` makes one"

bearer = HTTPBearer(auto_error=False, scheme_name="ApiKey", description="An API key: `dsk_…`.")


def caller(request: Request, credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]) -> Caller:
    """Who asks. Raises Unauthenticated, TooManyRequests."""
    api: Api = request.app.state.api
    found = _keyless(request, api) if credentials is None else _with_key(api, credentials.credentials)
    wait_s = api.limits.take(found.client)
    if wait_s:
        raise TooManyRequests(wait_s)
    request.state.tenant = found.tenant
    return found


def _with_key(api: Api, key: str) -> Caller:
    with api.reads() as work:
        found = recognised(work, key, api.services.clock.now())
    if found is None:
        raise Unauthenticated("the API key does not work", KEY_NEEDED)
    return Caller(tenant=found.tenant, client=found.client, scopes=found.scopes, name=found.name, api=api)


def _keyless(request: Request, api: Api) -> Caller:
    """Somebody on this machine, in embedded mode. Web pages are not: they come by an origin or a name of their own."""
    peer = request.client.host if request.client is not None else ""
    origin = request.headers.get("origin")
    here = is_loopback(peer) and is_loopback(host_of(request.headers.get("host", "")))
    if not api.embedded or not here or (origin is not None and not is_loopback(urlsplit(origin).hostname or "")):
        raise Unauthenticated("no API key", KEY_NEEDED)
    return Caller(
        tenant=DEFAULT_TENANT, client=LOOPBACK_CLIENT, scopes=(KeyScope.ADMIN,), name=LOOPBACK_CLIENT, api=api
    )


def host_of(header: str) -> str:
    """The host in a Host header, without its port; empty for what is none."""
    try:
        return urlsplit(f"//{header}").hostname or ""
    except ValueError:
        return ""


def is_loopback(host: str) -> bool:
    """Whether a host is this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def needs(scope: KeyScope, found: Caller) -> Caller:
    """Whoever asks, if the key allows it. Raises Forbidden."""
    if not allows(found.scopes, scope):
        raise Forbidden(f"the API key lacks the scope {scope.value!r}", "use one that has it")
    return found


def _reader(found: Annotated[Caller, Depends(caller)]) -> Caller:
    return needs(KeyScope.READ, found)


def _writer(found: Annotated[Caller, Depends(caller)]) -> Caller:
    return needs(KeyScope.WRITE, found)


def _admin(found: Annotated[Caller, Depends(caller)]) -> Caller:
    return needs(KeyScope.ADMIN, found)


Reader = Annotated[Caller, Depends(_reader)]
Writer = Annotated[Caller, Depends(_writer)]
Admin = Annotated[Caller, Depends(_admin)]
