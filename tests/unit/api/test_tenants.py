"""Tenants: every route is tried with another tenant's ids, and nothing of anybody is told, changed or counted."""

import json

import pytest
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient

from api.app import ROUTERS, document
from dissolution.service import KeyScope
from tests.unit.api.serving import TURNS, Served, dissolved, problem, stored

OPEN = {"/health", "/ready", "/v1/version"}
"""What needs no key and tells nothing of anybody."""

WORD = "Zanzibar"
"""Stands in what the one tenant stores; the other must never see it."""


_ROUTES: list[tuple[str, str]] = []


def routes(api: Served) -> list[tuple[str, str]]:
    """Method and path of every operation in the document, which is the same of every application and takes a second."""
    _ROUTES[:] = _ROUTES or [
        (method.upper(), path) for path, item in document(api.app)["paths"].items() for method in item
    ]
    return _ROUTES


QUERIES = {"/v1/stability-runs/{run}/comparison": "?with=run-none"}

BODIES: dict[str, object] = {
    "/v1/conversations/{conversation}/turns": {"turns": TURNS},
    "/v1/conversations/{conversation}/boundary/rollback": {"version": 1, "reason": "try"},
    "/v1/conversations/{conversation}/acts": {"kind": "pinned", "claim": "c", "reason": "try"},
    "/v1/conversations/{conversation}/triggers": {},
    "/v1/dissolutions/{dissolution}/discard": {"reason": "try"},
}


@pytest.fixture
def theirs(api: Served) -> dict[str, str]:
    """Ids of all that the other tenant has."""
    client = api.client(api.key(tenant="zeta"), peer="203.0.113.9")
    said = {"role": "user", "content": f"We decided to launch in {WORD}. The budget of {WORD} is 5000 USD."}
    stored(client, turns=[*TURNS, said])
    job = dissolved(api, client)
    client.put("/v1/conversations/talk/triggers", json={})
    run = client.post("/v1/stability-runs", json={"conversation": "talk", "at": [2, 4]}).json()["id"]
    hook = client.post("/v1/webhooks", json={"url": "https://example.com/hook"}).json()["id"]
    with api.services.unit_of_work() as work:
        endpoint = work.service.webhooks.get("zeta", hook)
        work.service.webhooks.announce(work.jobs.get(job), work.jobs.get(job).status, api.clock.now())
        delivery = work.service.webhooks.deliveries("zeta", endpoint.id, 1)[0].id
        work.commit()
    assert WORD in client.get("/v1/conversations/talk/boundary").text
    return {
        "conversation": "talk",
        "dissolution": job,
        "webhook": hook,
        "delivery": delivery,
        "version": "1",
        "run": run,
    }


def state_of(api: Served, tenant: str) -> str:
    """All that the store holds of a tenant, as text."""
    with api.services.unit_of_work() as work:
        listing = work.service.listing
        jobs = [job.model_dump_json() for job in listing.jobs(tenant, limit=99)]
        talks = [one.model_dump_json() for one in listing.conversations(tenant, None, 99)]
        runs = [one.model_dump_json() for one in work.stability.runs(tenant=tenant)]
        hooks = [one.model_dump_json() for one in work.service.webhooks.of_tenant(tenant)]
        return json.dumps([jobs, talks, hooks, runs, work.boundaries.version(f"{tenant}\u241ftalk")])


def test_every_route_refuses_another_tenants_ids(api: Served, theirs: dict[str, str]) -> None:
    before = state_of(api, "zeta")
    client = api.client(api.key(tenant="acme"), peer="203.0.113.9")
    tried = 0
    for method, path in routes(api):
        if "{" not in path:
            continue
        url = path.format(**theirs) + ("?reason=try" if method == "DELETE" else QUERIES.get(path, ""))
        body = BODIES.get(path)
        reply = client.request(method, url, json=body) if body is not None else client.request(method, url)
        assert reply.status_code == 404, (method, path, reply.status_code, reply.text[:300])
        assert WORD not in reply.text
        tried += 1
    assert tried == sum("{" in path for _, path in routes(api)) >= 37
    assert state_of(api, "zeta") == before


def test_no_list_holds_anything_of_another_tenant(api: Served, theirs: dict[str, str]) -> None:
    client = api.client(api.key(tenant="acme"), peer="203.0.113.9")
    for path in ("/v1/conversations", "/v1/dissolutions", "/v1/stability-runs", "/v1/webhooks"):
        reply = client.get(path)
        assert (reply.status_code, reply.json()["items"]) == (200, [])
    stored(client)  # the same name, and another conversation
    job = dissolved(api, client)
    assert [one["id"] for one in client.get("/v1/dissolutions").json()["items"]] == [job]
    for path in ("boundary", "context", "recall?q=launch", "turns", "boundary/diff", "boundary/versions"):
        reply = client.get(f"/v1/conversations/talk/{path}")
        assert reply.status_code == 200
        assert WORD not in reply.text
        assert "\u241f" not in reply.text
        assert "\\u241f" not in reply.text
    assert theirs["dissolution"] != job


def test_one_tenants_idempotency_key_is_not_anothers(api: Served) -> None:
    names: list[str] = []
    for tenant in ("acme", "zeta"):
        client = api.client(api.key(tenant=tenant), peer="203.0.113.9")
        headers = {"idempotency-key": "once"}
        reply = client.post("/v1/conversations", json={"turns": TURNS}, headers=headers)
        assert reply.status_code == 201
        names.append(reply.json()["conversation"]["name"])
    assert names[0] != names[1]


def test_no_name_reaches_into_another_tenant(api: Served, theirs: dict[str, str]) -> None:
    assert theirs["conversation"] == "talk"
    for client in (api.client(), api.client(api.key(tenant="acme"))):
        for name in ("zeta\u241ftalk", "zeta%E2%90%9Ftalk", "%00zeta", "zeta%2Ftalk", "..%2Fzeta"):
            reply = client.get(f"/v1/conversations/{name}")
            assert reply.status_code == 404, name
            assert WORD not in reply.text
        body = {"conversation": "zeta\u241ftalk"}
        problem(client.post("/v1/dissolutions", json=body), 422, "invalid_request")


def test_every_route_but_three_needs_a_key_from_afar(api: Served) -> None:
    ids = {"conversation": "talk", "dissolution": "j", "webhook": "w", "delivery": "d", "version": "1", "run": "r"}
    clients = [
        api.client(peer="203.0.113.9"),
        api.client("dsk_nothing", peer="203.0.113.9"),
        api.client(f"dsk_{'a' * 12}_{'b' * 43}"),
        api.client(host="evil.example"),  # a page whose name was pointed at this machine
    ]
    for method, path in routes(api):
        for client in clients:
            reply = client.request(method, path.format(**ids))
            if path in OPEN:
                assert reply.status_code == 200
            else:
                problem(reply, 401, "unauthenticated")
                assert reply.headers["www-authenticate"] == "Bearer"


def test_a_web_page_of_elsewhere_is_not_this_machine(api: Served) -> None:
    client = api.client()
    assert client.get("/v1/conversations").status_code == 200
    problem(client.get("/v1/conversations", headers={"origin": "https://evil.example"}), 401, "unauthenticated")
    assert client.get("/v1/conversations", headers={"origin": "http://localhost:3000"}).status_code == 200


NEEDS_ADMIN = ("/v1/webhooks", "/v1/intake")


def test_scopes_allow_what_they_say(api: Served) -> None:
    ids = {"conversation": "talk", "dissolution": "j", "webhook": "w", "delivery": "d", "version": "1", "run": "r"}
    reading = ("/v1/fleets/validate", "/v1/policies/validate", "/v1/dissolutions/estimate")
    for scope in KeyScope:
        client = api.client(api.key(scope), peer="203.0.113.9")
        for method, path in routes(api):
            if path in OPEN:
                continue
            needs = KeyScope.READ if method == "GET" or path in reading else KeyScope.WRITE
            needs = KeyScope.ADMIN if path.startswith(NEEDS_ADMIN) else needs
            reply = client.request(method, path.format(**ids))
            refused = list(KeyScope).index(scope) < list(KeyScope).index(needs)
            assert (reply.status_code == 403) == refused, (scope, method, path, reply.text)


def test_every_route_has_one_of_the_three_scopes() -> None:
    """A route that forgot to ask who calls would pass the tests above only by luck; here it is named."""

    def asks(dependant: list[Dependant]) -> bool:
        return any(one.call is not None and one.call.__name__ in {"_reader", "_writer", "_admin"} for one in dependant)

    every = [route for module in ROUTERS for route in module.router.routes if isinstance(route, APIRoute)]
    assert len(every) >= 50
    unasked = {route.path for route in every if not asks(route.dependant.dependencies)}
    assert unasked == OPEN


def test_keys_expire_and_are_taken_back(api: Served) -> None:
    key = api.key(KeyScope.READ)
    identifier = key.split("_")[1]
    client: TestClient = api.client(key, peer="203.0.113.9")
    assert client.get("/v1/conversations").status_code == 200
    with api.services.unit_of_work() as work:
        work.service.keys.end(identifier, revoked_at=api.clock.now())
        work.commit()
    problem(client.get("/v1/conversations"), 401, "unauthenticated")
