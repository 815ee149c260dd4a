"""The application as a whole: its document, its problems, its answers to what it does not have."""

from collections.abc import Iterator
from typing import Any, cast

import pytest
from fastapi.testclient import TestClient
from jsonschema import Draft202012Validator

from api import errors as own
from api.app import document
from api.problems import Problem, kinds, problem_of, status_of
from api.remedies import REMEDIES
from dissolution import errors
from dissolution.errors import DissolutionError, InputError, StoreUnavailable
from store.sql.listing import SqlListing
from store.sql.unit_of_work import SqlUnitOfWork
from tests.unit.api.serving import Served, problem, stored


def test_the_document_is_openapi_3_1_and_complete(api: Served) -> None:
    told = document(api.app)

    assert told["openapi"] == "3.1.0"
    names = set(told["components"]["schemas"])
    refs = {part.partition('"')[0] for part in str(told).replace("'", '"').split("#/components/schemas/")[1:]}
    assert refs <= names, refs - names
    for schema in told["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
    for path, item in told["paths"].items():
        for method, operation in item.items():
            assert operation["summary"], (method, path)
            assert operation.get("description") or path == "/health", (method, path)


def test_every_kind_of_error_has_a_status_and_a_remedy_of_its_own() -> None:
    codes = [kind.code for kind in kinds()]

    assert len(codes) == len(set(codes)) >= 55
    assert set(codes) == set(REMEDIES)
    assert all(400 <= kind.status < 600 and kind.meaning for kind in kinds())


def test_the_picture_of_errors_is_their_tree() -> None:
    drawn = {line.split()[1] for line in (own.__doc__ or "").splitlines() if line.startswith(("├──", "└──"))}
    assert drawn == {kind.__name__ for kind in own.RequestError.__subclasses__()}


def test_errors_of_the_kernel_have_the_status_of_their_nearest_kind() -> None:
    assert status_of(errors.NotFound) == 404
    assert status_of(errors.UnknownTurn) == 422
    assert status_of(errors.DayBudgetExceeded) == 429
    assert status_of(errors.MemberRateLimited) == 502
    assert status_of(errors.SchemaMismatch) == 503


def test_a_problem_names_no_tenant() -> None:
    told = problem_of(errors.NotFound("conversation", "acme\u241ftalk"), "r1", "acme")
    assert "no conversation 'talk'" in told.detail
    assert told.instance == "urn:request:r1"
    assert Problem.model_validate_json(told.model_dump_json()) == told


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/v1/nothing", 404, "no_such_route"),
        ("GET", "/", 404, "no_such_route"),
        ("GET", "/docs", 404, "no_such_route"),
        ("PATCH", "/v1/conversations", 405, "method_not_allowed"),
        ("POST", "/v1/conversations/", 404, "no_such_route"),
    ],
)
def test_what_is_not_there_is_a_problem_too(client: TestClient, method: str, path: str, status: int, code: str) -> None:
    reply = client.request(method, path)
    problem(reply, status, code)
    assert ("allow" in reply.headers) == (status == 405)


def test_each_answer_has_the_requests_id(client: TestClient) -> None:
    given = client.get("/health", headers={"x-request-id": "abc-1"})
    assert given.headers["x-request-id"] == "abc-1"
    odd = client.get("/v1/nothing", headers={"x-request-id": "a b<script>"})
    assert odd.headers["x-request-id"] != "a b<script>"
    assert odd.json()["instance"] == f"urn:request:{odd.headers['x-request-id']}"
    assert odd.headers["x-content-type-options"] == "nosniff"


def test_a_fault_is_one_problem_and_tells_no_content(
    api: Served, client: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    stored(client)

    def broken(*_: object) -> None:
        message = "secret content of a turn"
        raise ZeroDivisionError(message)

    monkeypatch.setattr(SqlListing, "conversation", broken)
    reply = client.get("/v1/conversations/talk")
    problem(reply, 500, "internal_fault")
    assert "secret content" not in reply.text + caplog.text
    assert "ZeroDivisionError" in caplog.text
    assert api.client().get("/health").status_code == 200


def test_a_database_that_is_away_is_waited_for(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object) -> None:
        place, what = "sqlite:///secret/place", "is away"
        raise StoreUnavailable(place, what)

    monkeypatch.setattr(SqlUnitOfWork, "__enter__", away)
    reply = client.get("/v1/conversations")
    problem(reply, 503, "store_unavailable")
    assert reply.headers["retry-after"] == "5"
    ready = client.get("/ready")
    assert (ready.status_code, ready.json()["status"]) == (503, "unavailable")
    assert client.get("/health").status_code == 200


def test_any_error_raised_on_purpose_is_a_problem() -> None:
    assert issubclass(own.RequestError, DissolutionError)
    told = problem_of(InputError("a\ud800b", "mend it"), "r")
    assert told.model_dump_json()


def integers(schema: Any, place: str, whole: Any, seen: frozenset[str] = frozenset()) -> Iterator[tuple[str, Any]]:  # noqa: ANN401 - JSON
    """Every whole number that a schema takes, with its place; a policy is kept as a document, and has no column."""
    if isinstance(schema, list):
        for one in cast("list[Any]", schema):
            yield from integers(one, place, whole, seen)
    elif isinstance(schema, dict):
        found = cast("dict[str, Any]", schema)
        name = str(found.get("$ref", "")).rpartition("/")[2]
        if name and name not in seen and name != "Policy":
            yield from integers(whole["components"]["schemas"][name], name, whole, seen | {name})
        if found.get("type") == "integer":
            yield place, found
        for key, value in found.items():
            yield from integers(value, f"{place}.{key}", whole, seen)


def test_no_body_takes_a_number_that_no_column_holds(api: Served) -> None:
    whole = document(api.app)
    bodies = [
        told["requestBody"] for path in whole["paths"].values() for told in path.values() if "requestBody" in told
    ]
    found = [one for body in bodies for one in integers(body, "", whole)]
    assert found
    most = [(place, schema.get("maximum", schema.get("exclusiveMaximum", 2**63))) for place, schema in found]
    assert [place for place, largest in most if largest >= 2**63] == []
