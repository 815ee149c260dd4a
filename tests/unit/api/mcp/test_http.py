"""POST /mcp of the HTTP service itself: the same door as every other address."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from api.app import make_app
from api.routes import health
from dissolution.service import KeyScope
from tests.unit.api.serving import Served, problem, served

HEADERS = {"accept": "application/json, text/event-stream"}


def ask(client: TestClient, method: str, headers: Mapping[str, str] | None = None, **params: object) -> Any:  # noqa: ANN401 - JSON
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    return client.post("/mcp", json=body, headers={**HEADERS, **(headers or {})})


def told(reply: Any) -> dict[str, Any]:  # noqa: ANN401 - as above
    """The message in an answer, which comes as an event."""
    assert reply.status_code == 200, reply.text
    lines = [line.removeprefix("data: ") for line in reply.text.splitlines() if line.startswith("data: ")]
    return json.loads(lines[-1])["result"]


def test_the_service_has_the_tools_beside_its_routes(api: Served) -> None:
    key = api.key(KeyScope.READ)
    with api.client(key) as client:
        assert told(ask(client, "tools/list"))["tools"][0]["name"] == "dissolve"
        refused = told(ask(client, "tools/call", name="dissolve", arguments={"conversation": "talk"}))
        assert refused["isError"]
        assert "'write'" in refused["content"][0]["text"]
        problem(ask(client, "tools/list", {"authorization": "Bearer dsk_no_no"}), 401, "unauthenticated")
        problem(ask(client, "tools/list", {"origin": "null"}), 403, "forbidden")
        assert client.get("/mcp").status_code == 405
    assert "/mcp" not in str(api.app.openapi()["paths"])


def test_whoever_asks_too_fast_waits(tmp_path: Path) -> None:
    with served(tmp_path, api_requests_per_minute=1) as api, api.client(api.key()) as client:
        told(ask(client, "tools/list"))
        assert problem(ask(client, "tools/list"), 429, "too_many_requests")["retry_after_s"] >= 1


@pytest.mark.parametrize("mode", ["embedded", "service"])
def test_names_of_elsewhere_are_let_in_only_by_a_service_with_a_key(tmp_path: Path, mode: str) -> None:
    with served(tmp_path, api_mode=mode) as api:
        key = api.key()
        with api.client(key, host="fleet.example") as client:
            assert ask(client, "tools/list").status_code == (421 if mode == "embedded" else 200)
        with TestClient(make_app(api.services, (health,)), base_url="http://localhost") as client:
            problem(client.get("/v1/conversations"), 404, "no_such_route")


def test_without_its_server_it_says_so(api: Served) -> None:
    problem(ask(api.client(api.key()), "tools/list"), 500, "internal_fault")
