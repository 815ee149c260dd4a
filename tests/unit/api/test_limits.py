"""Requests are counted by client: so many at once, then as many as a minute allows."""

from pathlib import Path

from api.limits import MOST_CLIENTS, RequestLimits
from tests.unit.api.serving import problem, served


def test_a_bucket_empties_and_fills_by_the_second() -> None:
    now = [0.0]
    limits = RequestLimits(60, lambda: now[0])
    assert [limits.take("a") for _ in range(60)] == [0.0] * 60
    assert limits.take("a") >= 1
    assert limits.take("b") == 0
    now[0] += 1
    assert limits.take("a") == 0
    assert limits.take("a") >= 1
    now[0] += 3600
    assert [limits.take("a") for _ in range(60)] == [0.0] * 60
    assert limits.take("a") > 0


def test_clients_without_number_fill_no_memory() -> None:
    limits = RequestLimits(60, lambda: 0.0)
    for number in range(MOST_CLIENTS + 5):
        limits.take(str(number))
    assert len(limits._buckets) == MOST_CLIENTS


def test_who_asks_too_fast_is_told_when_to_come_back(tmp_path: Path) -> None:
    with served(tmp_path, api_requests_per_minute=2) as api:
        client = api.client(api.key())
        assert [client.get("/v1/conversations").status_code for _ in range(2)] == [200, 200]
        refused = client.get("/v1/conversations")
        told = problem(refused, 429, "too_many_requests")
        assert int(refused.headers["retry-after"]) >= 1
        assert told["retry_after_s"] >= 1
        assert api.client(api.key(tenant="zeta")).get("/v1/conversations").status_code == 200
