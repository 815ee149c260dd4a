"""`dissolve fleet limits` against a real Redis, and what `dissolve status` says of accounts."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from cli.fleet.limits import show_limits
from cli.jobs.status import show_status
from cli.shared.exits import Exit
from dissolution.limits import Ended, Endpoint, LimitRules, Permit, RequestReport, Seats
from dissolution.settings import Settings, home
from store.sql.unit_of_work import sql_unit_of_work_factory
from tests.contract.redis_server import a_free_port, a_redis
from workers.redis.limit_states import settings_with_redis
from workers.redis.queue_state import async_redis_client
from workers.redis.server import RedisServer, url_of
from workers.redis.shared_limits import SharedLimiter

SLOW = Endpoint(model="acme/large", account="acme:ACME_KEY", rpm=60, tpm=600)


@pytest.fixture
def redis(processes: None, tmp_path: Path) -> Iterator[RedisServer]:
    with a_redis(tmp_path / "redis") as server:
        yield server


def fill(url: SecretStr) -> None:
    """A model that waits, whose circuit is open and whose account is refused; and a call at work."""

    async def story() -> None:
        limiter = SharedLimiter(async_redis_client(Settings(redis_url=url)), LimitRules(failures=1))
        permits: list[Permit] = []
        for _ in range(3):
            answer = await limiter.take(SLOW, 10, within_s=60, hold_s=5)
            assert isinstance(answer, Permit)
            permits.append(answer)
        for permit, ended in zip(permits, (Ended.RATE_LIMITED, Ended.BROKEN, Ended.BILLING), strict=True):
            await limiter.report(permit, RequestReport(ended=ended, retry_after_s=120))
        await limiter.enter("default", Seats.CALLS, "one", limit=1, hold_s=30)
        await limiter.aclose()

    asyncio.run(story())


def test_everything_is_shown_and_can_be_lifted(
    redis: RedisServer, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DISSOLVE_REDIS_URL", redis.url.get_secret_value())
    assert show_limits(reset=None, folder=None, as_json=False) is Exit.OK
    assert "no model was asked" in capsys.readouterr().out
    fill(redis.url)
    assert show_limits(reset=None, folder=None, as_json=False) is Exit.OK
    shown = capsys.readouterr().out
    assert "acme/large" in shown
    assert "account acme:ACME_KEY is not used for 300 s: it has no credit (billing)" in shown
    assert "tenant default: 1 calls at work" in shown
    assert show_limits(reset=None, folder=None, as_json=True) is Exit.OK
    told = json.loads(capsys.readouterr().out)
    assert told["shared"] is True
    (bucket,) = told["buckets"]
    assert (bucket["rpm"], bucket["blocked_s"] > 100) == (60, True)
    assert show_limits(reset="acme/small", folder=None, as_json=False) is Exit.BAD_INPUT
    assert show_limits(reset="acme/large", folder=None, as_json=True) is Exit.OK
    assert json.loads(capsys.readouterr().out)["blocks"] == []


def test_an_absent_redis_is_said(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("DISSOLVE_REDIS_URL", f"redis://127.0.0.1:{a_free_port()}/0")
    assert show_limits(reset=None, folder=None, as_json=False) is Exit.UNAVAILABLE
    assert show_limits(reset="acme/large", folder=None, as_json=False) is Exit.UNAVAILABLE
    assert "Redis is away" in capsys.readouterr().err


def test_status_names_refused_accounts(
    redis: RedisServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("DISSOLVE_REDIS_URL", redis.url.get_secret_value())
    monkeypatch.setenv("DISSOLVE_EMBEDDER", "hashing")
    url = f"sqlite:///{tmp_path / 'l.sqlite3'}"
    sql_unit_of_work_factory(url).close()
    fill(redis.url)
    assert show_status((), watch=False, db=url, as_json=False) is Exit.OK
    assert "account acme:ACME_KEY is not used" in capsys.readouterr().out
    assert show_status((), watch=False, db=url, as_json=True) is Exit.OK
    assert json.loads(capsys.readouterr().out)["blocked"][0]["why"] == "billing"


def test_the_redis_that_is_meant(redis: RedisServer, tmp_path: Path) -> None:
    assert url_of(tmp_path / "redis") == redis.url
    assert settings_with_redis(Settings(), tmp_path / "redis").redis_url == redis.url
    named = Settings(redis_url=SecretStr("redis://elsewhere:1/0"))
    assert settings_with_redis(named) == named
    assert settings_with_redis(named, tmp_path / "redis").redis_url == redis.url
    assert settings_with_redis(Settings()) == Settings()  # none was ever started in the usual folder
    (home() / "up").mkdir(parents=True)
    (home() / "up" / "redis.conf").write_text((tmp_path / "redis" / "redis.conf").read_text())
    assert settings_with_redis(Settings()).redis_url == redis.url
