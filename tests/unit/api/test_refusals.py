"""Refusals stay small, tell nothing of the machine, and name what is meant; readiness tries a write."""

import json
import logging
import resource
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from sqlite3 import Connection

import pytest
from fastapi.testclient import TestClient
from sqlalchemy import event

from api.bodies import refuse_doubles
from api.errors import MalformedBody
from api.problems import MOST_FIELDS
from api.readiness import AGE_S, Readiness
from devtools.clock import FixedClock
from dissolution.errors import StoreUnavailable
from store.sql.unit_of_work import SqlUnitOfWork, SqlUnitOfWorkFactory, sql_unit_of_work_factory
from tests.factories import INSTANT
from tests.unit.api.serving import TURNS, Served, problem

JSON = {"content-type": "application/json"}


def test_a_body_of_unknown_fields_is_refused_in_few_words(client: TestClient) -> None:
    reply = client.post("/v1/conversations", json={"turns": TURNS, **{f"x{n}": n for n in range(30_000)}})
    told = problem(reply, 422, "invalid_request")
    assert len(told["errors"]) == MOST_FIELDS
    assert told["detail"].startswith("30,000 values")
    assert len(reply.content) < 10_000


def test_a_field_of_a_long_name_is_refused_in_few_words(client: TestClient) -> None:
    reply = client.post("/v1/conversations", json={"turns": TURNS, "x" * 1_000_000: 1})
    assert problem(reply, 422, "invalid_request")["errors"][0]["field"].startswith("body.xxx")
    assert len(reply.content) < 2_000


def test_a_long_detail_is_cut(client: TestClient) -> None:
    reply = client.get(f"/v1/dissolutions/{'x' * 20_000}")
    problem(reply, 404, "not_found")
    assert len(reply.content) < 5_000


@pytest.mark.parametrize(
    "body",
    [
        '{"name": "a", "turns": [{"role": "user", "content": "x"}], "name": "b"}',
        '{"turns": [{"role": "user", "content": "x", "content": "y"}]}',
        '{"turns": [{"role": "user", "content": "x", "c\\u006fntent": "y"}]}',
    ],
)
def test_a_key_that_is_given_twice_is_refused_by_name(client: TestClient, body: str) -> None:
    told = problem(client.post("/v1/conversations", content=body, headers=JSON), 400, "malformed_body")
    assert "name" in told["detail"] or "content" in told["detail"]
    assert "twice" in told["detail"]
    assert client.get("/v1/conversations").json()["items"] == []


def test_a_key_that_is_given_twice_to_a_tool_is_refused(api: Served) -> None:
    body = '{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "method": "ping"}'
    with api.client() as client:
        told = problem(client.post("/mcp", content=body, headers=JSON), 400, "malformed_body")
    assert "'method' is given twice" in told["detail"]


def test_equal_keys_of_two_objects_and_numbers_of_any_length_are_no_doubles() -> None:
    refuse_doubles(b'[{"a": 1}, {"a": {"a": ' + b"9" * 10_000 + b"}}]")
    refuse_doubles(b"[" * 100_000)
    with pytest.raises(MalformedBody):
        refuse_doubles(b'{"a": NaN, "a": 1}')


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("PATCH", "/v1/conversations", "GET, POST"),
        ("PATCH", "/v1/conversations/talk", "DELETE, GET"),
        ("POST", "/v1/conversations/talk/triggers", "DELETE, GET, PUT"),
        ("GET", "/mcp", "POST"),
    ],
)
def test_allow_names_every_method_of_an_address(client: TestClient, method: str, path: str, allowed: str) -> None:
    reply = client.request(method, path)
    assert allowed in problem(reply, 405, "method_not_allowed")["detail"]
    assert reply.headers["allow"] == allowed


def test_no_tenant_is_told_where_the_database_is_and_the_log_is(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def full(*_: object) -> None:
        place, what = "sqlite:////srv/secret/ledger.sqlite3", "disk full at 10.1.2.3"
        raise StoreUnavailable(place, what)

    monkeypatch.setattr(SqlUnitOfWork, "__enter__", full)
    with caplog.at_level(logging.ERROR):
        told = problem(client.get("/v1/conversations"), 503, "store_unavailable")
    assert "secret" not in str(told)
    assert "10.1.2.3" not in str(told)
    assert "same Idempotency-Key" in told["detail"]
    assert "/srv/secret/ledger.sqlite3: disk full at 10.1.2.3" in caplog.text


@pytest.fixture
def units(tmp_path: Path) -> Iterator[SqlUnitOfWorkFactory]:
    made = sql_unit_of_work_factory(f"sqlite:///{tmp_path}/ledger.sqlite3", busy_timeout_s=1)
    yield made
    made.close()


def tried(units: SqlUnitOfWorkFactory) -> str | None:
    return Readiness(units, FixedClock(INSTANT)).problem()


@contextmanager
def full_disk() -> Generator[None]:
    """No file of this process grows."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


def test_a_service_is_not_ready_while_its_disk_is_full(units: SqlUnitOfWorkFactory) -> None:
    assert tried(units) is None
    with full_disk():
        assert tried(units) == "store unavailable"
    assert tried(units) is None


def reading_only(driver: Connection, _: object) -> None:
    driver.execute("PRAGMA query_only = ON")


def test_a_service_is_not_ready_on_a_database_that_takes_no_write(units: SqlUnitOfWorkFactory) -> None:
    event.listen(units.engine, "connect", reading_only)
    units.engine.dispose()
    assert tried(units) == "store unavailable"


def test_a_finding_stands_for_a_while_so_that_asking_costs_nothing(units: SqlUnitOfWorkFactory) -> None:
    seconds = [0.0]
    readiness = Readiness(units, FixedClock(INSTANT), lambda: seconds[0])
    assert readiness.problem() is None
    with full_disk():
        assert readiness.problem() is None
        seconds[0] = AGE_S
        assert readiness.problem() == "store unavailable"


def test_readiness_keeps_one_row(units: SqlUnitOfWorkFactory) -> None:
    for _ in range(3):
        assert tried(units) is None
    with units.engine.connect() as connection:
        assert connection.exec_driver_sql("SELECT client, key FROM replays").all() == [("readiness", "readiness")]


def test_a_problem_is_valid_json_whatever_was_sent(client: TestClient) -> None:
    reply = client.post("/v1/conversations", json={"turns": TURNS, "\U0001f642" * 1000: 1})
    assert json.loads(reply.content)["status"] == 422
