import pytest
from pydantic import SecretStr

from dissolution.errors import InvalidSettings
from dissolution.settings import Settings
from workers.celery.app import make_app
from workers.redis.broker_url import broker_url


@pytest.mark.parametrize("url", ["redis://h:1/0", "rediss://h:1/0", "redis+socket:///tmp/redis.sock"])
def test_urls_that_carry_messages(url: str) -> None:
    assert broker_url(Settings(redis_url=SecretStr(url))) == url
    assert broker_url(Settings(redis_url=SecretStr("unix:///tmp/r.sock"))) == "redis+socket:///tmp/r.sock"


@pytest.mark.parametrize("url", ["redis+cluster://:hidden@h:1/0", "amqp://guest:hidden@h", "h:6379", ""])
def test_urls_that_do_not_are_refused_without_showing_a_password(url: str) -> None:
    with pytest.raises(InvalidSettings, match="a single Redis can") as refused:
        make_app(Settings(redis_url=SecretStr(url)))
    assert "hidden" not in str(refused.value)
