import asyncio
from pathlib import Path

import pytest

from dissolution.limits import Ended, Endpoint, LimitRules, Permit, RequestReport, Seats
from dissolution.settings import Settings
from fleet.local_limits import LocalLimiter
from tests.contract.redis_server import a_free_port
from workers.redis.fallback_limits import AWAY_S, FallbackLimiter
from workers.redis.queue_state import async_redis_client, away
from workers.redis.server import RedisServer
from workers.redis.shared_limits import SharedLimiter

SLOW = Endpoint(model="acme/large", account="acme:KEY", rpm=6)
RULES = LimitRules(failures=1, open_s=60)


@pytest.mark.usefixtures("processes")
def test_redis_may_go_and_come_back_at_any_time_and_no_request_is_lost(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    now, port = [0.0], a_free_port()

    async def permit(limiter: FallbackLimiter, held: Permit | None = None) -> Permit:
        answer = await limiter.take(SLOW, 0, within_s=600, hold_s=5, held=held)
        assert isinstance(answer, Permit)
        return answer

    async def story() -> None:
        server = RedisServer(tmp_path, port, password="p")
        shared = SharedLimiter(async_redis_client(Settings(redis_url=server.url)), RULES)
        limiter = FallbackLimiter(shared, LocalLimiter(RULES), away=away(), clock=lambda: now[0])
        alone = await permit(limiter)  # it is not there yet
        assert not alone.shared
        server.start()
        assert not (await permit(limiter)).shared  # not tried again so soon
        now[0] += AWAY_S
        first, second = await permit(limiter), await permit(limiter)
        assert (first.shared, first.wait_s) == (True, 0)
        assert second.wait_s == pytest.approx(10, abs=0.5)
        assert (await limiter.standing()).shared
        server.stop(kill=True)
        again = await permit(limiter, held=second)  # its place went with Redis; another one is promised
        assert not again.shared
        await limiter.report(first, RequestReport(ended=Ended.UNSENT))
        assert await limiter.enter("ann", Seats.CALLS, "one", limit=1, hold_s=5)
        assert not await limiter.enter("ann", Seats.CALLS, "two", limit=1, hold_s=5)
        await limiter.leave("ann", Seats.CALLS, "one")
        await limiter.report(first, RequestReport(ended=Ended.RATE_LIMITED, retry_after_s=300))
        assert (await permit(limiter)).wait_s >= 299  # what was learnt meanwhile is heeded
        assert not (await limiter.standing()).shared
        assert await limiter.reset(SLOW.model) == 1
        server.start()  # empty, as after a wipe
        now[0] += AWAY_S
        back = await permit(limiter)
        assert (back.shared, back.wait_s) == (True, 0)
        await limiter.report(alone, RequestReport(ended=Ended.ANSWERED))
        assert await limiter.reset(SLOW.model) == 1
        await limiter.aclose()
        server.stop()

    asyncio.run(story())
    said = [record.message for record in caplog.records if "limit" in record.message]
    assert len([line for line in said if "is away" in line]) == 2
    assert len([line for line in said if "is back" in line]) == 2
